"""One game at the table: every seat is asked in turn, and the person is told what happens."""

from collections.abc import Callable, Mapping

from agents import Agent
from agents.games import Player
from agents.human import Console, Human
from experiments.play.narrate import Narrator
from experiments.play.settings import PERSON, Sitting


def play(
    sitting: Sitting, person: Human, opponents: Mapping[str, Agent], console: Console, keep: Callable[[], None]
) -> None:
    """Play a game to its end, or until the person leaves.

    Args:
        sitting: The game, as dealt or under way.
        person: Who plays the seat of the person.
        opponents: The other agents by their specs.
        console: Where the person is told what happens.
        keep: Called at the begin and after every move, for who wants to keep the game as it stands.

    Raises:
        PersonLeftError: If the person leaves.
        IllegalMoveError: If an opponent breaks the rules.
    """
    game = sitting.game
    table = _Table(sitting, {**opponents, PERSON: person}, console, keep)
    person.names = sitting.players
    keep()
    while not game.over:
        if game.round_over:
            table.next_round()
        else:
            table.turn()
    table.end()


class _Table:
    """A game under way."""

    def __init__(
        self, sitting: Sitting, agents: Mapping[str, Agent], console: Console, keep: Callable[[], None]
    ) -> None:
        self._game = sitting.game
        self._players = [Player(agents[spec], sitting.rng(seat)) for seat, spec in enumerate(sitting.players)]
        self._narrator = Narrator(sitting.seat, sitting.players, console)
        self._console, self._keep = console, keep
        self._tell_start()

    def turn(self) -> None:
        """Have one turn played and tell of it."""
        game = self._game
        seat, seats_in = game.to_move, int(game.state[0]["seats_in"])
        while True:
            before = game.state.copy()
            move = self._asked(seat)
            game.play(move)
            self._keep()
            if at_once := self._narrator.note(before, move, game.state):
                self._console.say(at_once)
            if game.between_turns:
                break
        self._console.say(self._narrator.tell(seat, seats_in, game.state))

    def next_round(self) -> None:
        """Tell of the round that is over, and begin the next one unless the match has ended."""
        self._console.say(self._narrator.round_end(self._game))
        self._game.next_round()
        self._keep()
        self._console.say(self._narrator.scores(self._game))
        if not self._game.over:
            self._tell_start()

    def end(self) -> None:
        """Tell of the end of the game."""
        if not self._game.rules.match:
            self._console.say(self._narrator.round_end(self._game))
        self._console.say(self._narrator.game_end(self._game))

    def _asked(self, seat: int) -> int:
        """Return the move of an agent."""
        player = self._players[seat]
        seen = self._game.state.copy() if player.sees_all else self._game.view(seat)
        return int(player.agent.act(seen, self._game.mask.reshape(1, -1).copy(), player.rng)[0])

    def _tell_start(self) -> None:
        if not self._game.over and not self._game.round_over:
            self._console.say(self._narrator.start(self._game))
