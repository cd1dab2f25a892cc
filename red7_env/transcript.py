"""A game from its list of moves: played again with its log, and written down while it is still under way."""

import json
from collections.abc import Iterable, Sequence
from typing import Final

from red7_env.game.errors import RecordError
from red7_env.game.game import Game
from red7_env.game.moves import PASS
from red7_env.game.record import FORMAT

FORFEIT: Final = -1
"""Stands in a list of moves for a turn that was taken back and passed."""


def replayed(game: Game, moves: Iterable[int]) -> Game:
    """Return the game that these moves lead to; finished rounds of a match are followed by the next one.

    Args:
        game: Where they begin, the start of a turn; it is used up.
        moves: Offered action ids, and ``FORFEIT``.
    """
    turn_start = _next_deal(game).copy()
    for move in moves:
        if move == FORFEIT:
            game = turn_start
        game.play(PASS if move == FORFEIT else move)
        _next_deal(game)
        if not game.turn:
            turn_start = game.copy()
    return game


def _next_deal(game: Game) -> Game:
    """Take a match whose round is over to its next round, or to its end."""
    while game.rules.match and game.round_over and not game.over:
        game.next_round()
    return game


def record_text(game: Game, players: Sequence[str], seed: int | None = None, index: int = 0) -> str:
    """Return a game as one line of JSON in the form of a game record, whether or not it is over.

    The record of a finished game that began with a deal is what ``verify`` accepts. While the game is under way its
    last round has the winner ``null``, its last turn may be unfinished, and there are no ``winners``.

    Args:
        game: The game.
        players: One name a seat.
        seed: What it was dealt from, if it was.
        index: Its number among the games of the seed.

    Raises:
        RecordError: If the names are not one a seat.
    """
    if isinstance(players, str) or len(players) != game.rules.players:
        raise RecordError(f"players: found {len(players)} names, expected {game.rules.players}")
    dealt = {} if seed is None else {"seed": seed, "index": index}
    record = {"format": FORMAT, "players": list(map(str, players)), **dealt, "rounds": _rounds(game)}
    return json.dumps(record | {"scores": game.scores, "winners": game.winners})


def _rounds(game: Game) -> list[dict[str, object]]:
    """Return the rounds as a record has them, the unfinished turn at the end of the last one."""
    unfinished = [" ".join(game.turn)] if game.turn else []
    return [
        {
            "position": log.position,
            "turns": [*log.turns, *(unfinished if log is game.rounds[-1] else [])],
            "winner": log.winner,
            "scored": log.scored if game.rules.advanced or log.winner is None else "-",
        }
        for log in game.rounds
    ]
