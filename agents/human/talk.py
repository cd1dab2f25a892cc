"""The conversation in which a person puts a turn together: shown what is offered, asked, warned, helped."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Final

import numpy as np

from agents.human.console import Console, PersonLeftError
from agents.human.table import own_lines, table_text
from agents.human.turn import Turn, draws_unseen, hopeful
from agents.human.words import RULE_WORDS, move_words, refusal
from agents.protocol import Agent
from red7_env.game import NotationError, States, batch
from red7_env.game.errors import shown
from red7_env.game.moves import PASS, move_text, parse_move
from red7_env.game.state import START

_HELP: Final = """\
Type the number of a move, or its token; several tokens make a longer part of
the turn at once: +R5 >G6
  +R7 play to your palette    >R7 discard to the canvas: its colour is the rule
  ^R7 by a 1, to the deck     ~R7 or _R7 by a 7, to the canvas or to the deck
  *   take the draw           .   end the turn        #   pass: be out
  u   take back the last move of this turn, and r all of them
  h   hint: what another agent would do, which sees no more than you
  b   show the table again    ?   this help           q   quit
At the end of your turn you must lead by the rule in force, or you are out. The
last player in wins. Stars mark the cards that count for the rule:"""

_LONG_COMMANDS: Final = {"undo": "u", "restart": "r", "hint": "h", "table": "b", "help": "?", "quit": "q", "exit": "q"}
_ALIASES: Final = {"pass": "#", "end": ".", "draw": "*"}


class Talk:
    """A conversation about one turn."""

    def __init__(
        self, view: States, console: Console, hint: Agent, rng: np.random.Generator, names: Sequence[str] | None
    ) -> None:
        """Begin.

        Args:
            view: [1] the view of the seat to move.
            console: Where the person is.
            hint: Who is asked for a hint.
            rng: Chance for hints; left as it is, so that a hint asked for again stays the same.
            names: Who sits at the seats, if that is known.
        """
        self._turn = Turn(view)
        self._first = view
        self._console, self._hint, self._rng, self._names = console, hint, rng, names
        self._unshown: str | None = table_text(view, console, names)
        self._commands: dict[str, Callable[[], None]] = {
            "u": self._undo,
            "r": self._restart,
            "h": self._advise,
            "b": self._table,
            "?": self._help,
            "q": self._quit,
        }

    def turn(self) -> Turn:
        """Return the whole turn that the person wants to play.

        Raises:
            PersonLeftError: If the person leaves instead.
        """
        while not self._turn.whole:
            if self._unshown is not None:
                self._console.say(f"\n{self._unshown}")
                self._show_offer()
                self._unshown = None
            self._obey(self._console.ask("Your move (? for help): "))
        return self._turn

    def _show_offer(self) -> None:
        """Show the offered moves, numbered."""
        moves, hoping = self._turn.offered, hopeful(self._turn.view)
        width = len(str(len(moves)))
        lines = [
            f" {number:>{width}}  {move_text(move):3}  {self._words(move, hoping)}"
            for number, move in enumerate(moves, 1)
        ]
        if moves == [PASS]:
            lines.insert(0, "You cannot end this turn in the lead, whatever you play.")
        elif len(moves) == 1:
            lines.append("Nothing else is possible: Enter does it.")
        self._console.say("\n".join(lines), indent=width + 8)

    def _words(self, move: int, hoping: set[int]) -> str:
        return move_words(self._turn.view, move, self._console, self._names, hoping=move in hoping)

    def _obey(self, line: str) -> None:
        """Do what a line says."""
        words = line.split()
        command = self._commands.get(_LONG_COMMANDS.get(line.lower(), line.lower()))
        offered = self._turn.offered
        if command is not None:
            command()
        elif not words and len(offered) == 1:
            self._do(offered[0])
        elif not words:
            self._console.say(f"Type a number from 1 to {len(offered)}, a token such as {move_text(offered[0])}, or ?")
        elif len(words) == 1 and line.isascii() and line.isdigit():
            self._do_number(line, offered)
        else:
            self._do_all(words)

    def _do_number(self, text: str, offered: list[int]) -> None:
        number = int(text) if len(text) <= len(str(len(offered))) else 0
        if 1 <= number <= len(offered):
            self._do(offered[number - 1])
        else:
            self._console.say(f"found {shown(text)}, expected a number from 1 to {len(offered)}")

    def _do_all(self, words: list[str]) -> None:
        """Do the moves of some tokens, up to the first that cannot be."""
        for place, word in enumerate(words):
            if self._turn.whole:
                self._console.say(f"The turn ended before {shown(' '.join(words[place:]))}.")
                return
            try:
                token = _ALIASES.get(word.lower(), word.upper())
                move = parse_move(token)
            except NotationError:
                listed = f"a number from 1 to {len(self._turn.offered)}, a token such as +R5, or ? for help"
                self._console.say(f"found {shown(word)}, expected {listed}")
                return
            if move not in self._turn.offered:
                self._console.say(refusal(self._turn.view, move, token))
                return
            if not self._do(move):
                return

    def _do(self, move: int) -> bool:
        """Do an offered move unless the person shrinks back from it; return whether it was done."""
        warning = self._warning(move)
        if warning and not self._console.agrees(warning):
            return False
        self._turn.do(move)
        self._after_change()
        return True

    def _warning(self, move: int) -> str:
        offered, hoping = self._turn.offered, hopeful(self._turn.view)
        if move == PASS and len(offered) > 1:
            return "If you pass, you are out of this round. Pass?"
        if move in hoping and not hoping.issuperset(set(offered) - {PASS}):  # else there is nothing safer
            return f"After {move_text(move)} you are out, unless you draw the right card. Play it?"
        return ""

    def _after_change(self) -> None:
        self._unshown = own_lines(self._turn.view, self._console, self._names)

    def _undo(self) -> None:
        if self._turn.moves:
            self._console.say(f"Taken back: {move_text(self._turn.undo())}")
            self._after_change()
        else:
            self._console.say(self._begin_words())

    def _restart(self) -> None:
        if self._turn.moves:
            self._turn = Turn(self._first)
            self._console.say("Taken back: all moves of this turn that could be")
            self._after_change()
        else:
            self._console.say(self._begin_words())

    def _begin_words(self) -> str:
        """Say why nothing can be taken back."""
        if self._first[0]["phase"] == START:
            return "Nothing to take back: your turn begins here."
        if self._first[0]["hoped"]:
            return "Nothing to take back: you have seen the card that you drew."
        return "Nothing to take back: the moves before were played."

    def _advise(self) -> None:
        """Say what the agent for hints would do with the rest of the turn."""
        turn, rng = Turn(self._turn.view), deepcopy(self._rng)
        lines = []
        while not turn.whole:
            move = int(self._hint.act(turn.view.copy(), batch.offers(turn.view), rng)[0])
            hoping = move in hopeful(turn.view)
            words = move_words(turn.view, move, self._console, self._names, hoping=hoping)
            lines.append(f"  {move_text(move):3}  {words}")
            unseen = draws_unseen(turn.view, move)
            turn.do(move)
        self._console.say(f"Hint of {self._hint.spec}: {' '.join(map(move_text, turn.moves))}")
        self._console.say("\n".join(lines), indent=7)
        if unseen and move < PASS:
            self._console.say("  and then it depends on the card that you draw")

    def _table(self) -> None:
        self._unshown = table_text(self._turn.view, self._console, self._names)

    def _help(self) -> None:
        rules = (f"  {self._console.rule(colour)}: {RULE_WORDS[colour]}" for colour in range(6, -1, -1))
        self._console.say("\n".join([_HELP, *rules]))

    def _quit(self) -> None:
        raise PersonLeftError("human: found that the person quit, expected a move")
