"""The desk between the thread that plays the game and those that talk with the browser."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Final, Literal

import numpy as np

from agents.human import Console, Human
from agents.human.talk import Talk
from agents.human.turn import Turn, hopeful
from agents.human.words import RULE_WORDS
from experiments.play.settings import PERSON, Sitting
from experiments.replay.replay import called
from red7_env.game import Game, States
from red7_env.game.cards import COLOUR_NAMES
from red7_env.game.moves import PASS, move_text

Kind = Literal["thinking", "move", "confirm", "next", "closed"]
"""What is asked for: nothing yet, a move, a yes or no, another game, or nothing any more."""

_TOLD: Final = 14
"""Lines that are kept of what was said."""


@dataclass(frozen=True)
class Sight:
    """What the person is to see.

    Attributes:
        step: Counts what was asked; an answer names the question that it is for.
        kind: What is asked for.
        question: What is to be confirmed.
        told: What happened, the last lines.
        table: [1] the person's view, or the state of a game that is over; None before the first one.
        names: Who sits at the seats.
        offered: Of a move: tokens and words.
        begun: Whether moves of the turn can be taken back.
        over: The game that has ended.
    """

    step: int = 0
    kind: Kind = "thinking"
    question: str = ""
    told: tuple[str, ...] = ()
    table: States | None = None
    names: tuple[str, ...] = ()
    offered: tuple[tuple[str, str], ...] = ()
    begun: bool = False
    over: Game | None = None


class Desk(Console):
    """A console whose lines are read and typed in a browser.

    One thread plays and asks; the methods ``sight``, ``answer`` and ``wait`` are for others.
    """

    def __init__(self) -> None:
        """Open the desk."""
        super().__init__(StringIO(), StringIO())
        self.colour = False
        self._change = threading.Condition()
        self._sight = Sight()
        self._answer: str | None = None
        self._sitting: Sitting | None = None

    def seat(self, sitting: Sitting) -> None:
        """Show another game from now on."""
        self._sitting = sitting
        names = ["you" if spec == PERSON else f"seat {seat}: {spec}" for seat, spec in enumerate(sitting.players)]
        self._show(names=tuple(called(names, sitting.game)), table=sitting.game.view(sitting.seat), told=(), over=None)

    def say(self, text: str = "", indent: int | None = 4) -> None:  # noqa: ARG002 - a page folds its lines itself
        """Tell the person something."""
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        self._show(told=(*self._sight.told, *lines)[-_TOLD:])

    def ask_move(self, turn: Turn, words: Sequence[str]) -> str:
        """Return what the person answers to an offer.

        Args:
            turn: The turn so far.
            words: Its offered moves in words.
        """
        offered = tuple(zip(map(move_text, turn.offered), words, strict=True))
        self._show(table=turn.view.copy(), offered=offered, begun=bool(turn.moves))
        return self._asked("move")

    def ask(self, prompt: str) -> str:  # noqa: ARG002 - a page has its own words
        """Ask whether another game is to be played: ``n`` for the next one, ``q`` to leave."""
        sitting = self._sitting
        if sitting is not None and sitting.game.over:
            self._show(table=sitting.game.state.copy(), over=None if sitting.deal is None else sitting.game)
        return self._asked("next")

    def agrees(self, question: str) -> bool:
        """Ask for a yes or a no."""
        return self._asked("confirm", question).startswith("y")

    def close(self) -> None:
        """Ask for nothing any more."""
        self._show(kind="closed")

    def sight(self) -> Sight:
        """Return what the person is to see now."""
        return self._sight

    def answer(self, step: int, line: str) -> None:
        """Give the answer to a question; one to an earlier question is left alone."""
        with self._change:
            if step == self._sight.step and self._sight.kind in {"move", "confirm", "next"}:
                self._answer = line
                self._show(kind="thinking")

    def wait(self, seconds: float) -> None:
        """Wait until something is asked for, or the desk is closed, but not longer than some seconds."""
        with self._change:
            self._change.wait_for(lambda: self._sight.kind != "thinking", seconds)

    def _asked(self, kind: Kind, question: str = "") -> str:
        """Return the person's answer."""
        with self._change:
            self._answer = None
            self._show(kind=kind, question=question, step=self._sight.step + 1)
            self._change.wait_for(lambda: self._answer is not None)
            return str(self._answer)

    def _show(self, **changed: object) -> None:
        with self._change:
            self._sight = Sight(**(vars(self._sight) | changed))
            self._change.notify_all()


class Visitor(Human):
    """A person in a browser."""

    def __init__(self, desk: Desk, *, hint: str) -> None:
        """Say where the person is asked, and which agent gives hints."""
        super().__init__(hint=hint)
        self._desk = desk

    def _asked(self, view: States, rng: np.random.Generator, heading: str) -> dict[bytes, int]:  # noqa: ARG002 - one game
        """Return the plan of a turn that the person puts together."""
        return _Talk(view, self._desk, self._hint, rng, self.names).turn().plan()


class _Talk(Talk):
    """The conversation about a turn, with a page instead of lines that show the table and the offer."""

    def turn(self) -> Turn:
        """Return the whole turn that the person wants to play.

        Raises:
            PersonLeftError: If the person leaves instead.
        """
        desk = self._console
        assert isinstance(desk, Desk)  # noqa: S101 - a visitor has one
        if self._turn.offered == [PASS]:
            desk.say("You cannot end this turn in the lead, whatever you play.")
        while not self._turn.whole:
            hoping = hopeful(self._turn.view)
            self._obey(desk.ask_move(self._turn, [self._words(move, hoping) for move in self._turn.offered]))
        return self._turn

    def _help(self) -> None:
        self._console.say("At the end of your turn you must lead by the rule in force, or you are out. Who leads has")
        for colour in range(len(COLOUR_NAMES) - 1, -1, -1):
            self._console.say(f"{COLOUR_NAMES[colour]}: {RULE_WORDS[colour]}")
