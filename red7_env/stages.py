"""A game from its deal to where it stands, move by move: what replays show and films are made of."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from red7_env.game.game import Game
from red7_env.game.moves import parse_move
from red7_env.game.notation import parse_position
from red7_env.game.state import STATE, States


@dataclass(frozen=True)
class Stage:
    """How a game stood before a move, or at its end or that of a round.

    Attributes:
        state: [1] the full record.
        position: Text form at the start of the turn.
        turn: Tokens of the turn so far.
        move: Action id of the move that was made here; None at the end of a round and where the game stands.
    """

    state: States
    position: str
    turn: tuple[str, ...]
    move: int | None


def stages(game: Game) -> Iterator[Stage]:
    """Yield how a game stood before each of its moves, after each round, and how it stands.

    A game of a match yields the end of each round once, before it is scored, and the end of the match once, after it.

    Args:
        game: A game that began with a deal or a position; it is left as it is.

    Raises:
        ValueError: If it was made from a state record that holds more than a position can say.
    """
    again = _begun(game)
    for number, log in enumerate(game.rounds):
        if number:
            again.next_round_from(parse_position(log.position))
        tokens = " ".join(log.turns).split() + (game.turn if log is game.rounds[-1] else [])
        for token in tokens:
            yield _stage(again, parse_move(token))
            again.play(token)
        if again.round_over and (log is not game.rounds[-1] or not game.over):
            yield _stage(again, None)
    if game.over and game.rules.match:
        again.next_round()
    if game.over or not game.round_over:
        yield _stage(again, None)
    if again.state.tobytes() != _comparable(game, again).tobytes():
        raise ValueError("game: found one made from a state record, expected one that began with a deal or a position")


def _begun(game: Game) -> Game:
    """Return the game as it began."""
    before = int(game.state[0]["round"]) - (game.rules.match and game.over) - len(game.rounds) + 1
    return Game.from_position(game.rounds[0].position, rounds_before=before)


def _comparable(game: Game, again: Game) -> States:
    """Return the game's record with the shuffler of the one that was played again, whose rounds were written deals."""
    state = np.zeros(1, STATE)
    state[:] = game.state
    state["rng"] = again.state["rng"]
    return state


def _stage(game: Game, move: int | None) -> Stage:
    return Stage(game.state.copy(), game.position, tuple(game.turn), move)
