"""What the tests of batches with learners share: opponents without chance, and learners' games played one by one."""

import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from red7_env.game import Game
from red7_env.game.moves import PASS
from red7_env.observation import encode
from red7_env.seats import LearnerSeats
from red7_env.settings import settings_of


class Hashed:
    """Chooses by a hash of all that it is shown, so that whatever is shown wrongly makes another game."""

    def __init__(self, salt: int = 0):
        self.salt = salt

    def act(self, views, masks, _rng):
        rows = zip(views, masks, strict=True)
        return np.array([picked(mask, zlib.crc32(view.tobytes(), self.salt)) for view, mask in rows])


class Quitter:
    """Passes whenever it can."""

    def act(self, _views, masks, _rng):
        return np.where(masks[:, PASS], PASS, masks.argmax(axis=1))


def picked(mask: np.ndarray, number: int) -> int:
    """Return one of the offered moves."""
    moves = np.flatnonzero(mask)
    return int(moves[number % len(moves)])


def choices(masks: np.ndarray, salt: int = 0) -> np.ndarray:
    """Return a move for every row that depends on the row alone."""
    return np.array([picked(mask, zlib.crc32(mask.tobytes(), salt)) for mask in masks])


def seats(num_games: int, opponents: Any = None, seat: Any = "rotate", **options: Any) -> LearnerSeats:
    return LearnerSeats(num_games, settings_of(**options), opponents, seat)


class Ended:
    """The end of a learner's game: what it was paid, what it saw last, and the game."""

    def __init__(self, game: Game, seat: int, reward: float):
        self.reward = reward
        self.observation = encode(game.state, seat)[0]
        self.game = game


def paid(game: Game, seat: int, reward: str) -> float:
    """Return what a seat gets for a finished game: its part of what the losers pay, or the points it is ahead."""
    players = game.rules.players
    if reward == "points":
        return game.scores[seat] - (sum(game.scores) - game.scores[seat]) / (players - 1)
    if seat not in game.winners:
        return -1 / (players - 1)
    return (players - len(game.winners)) / (players - 1) / len(game.winners)


def learner_game(game: Game, seat: int, opponents: list[Any], reward: str) -> Iterator[Any]:
    """Play a game by the readable engine; yield what the learner observes and is offered, and at last an ``Ended``.

    Args:
        game: The game, just dealt.
        seat: The learner's; it moves by ``choices``.
        opponents: One a seat, in turn order after the learner's.
        reward: ``"win"`` or ``"points"``.
    """
    rules = game.rules
    leaves = reward == "win" and not rules.match
    while not game.over:
        if game.round_over:
            game.next_round()
            continue
        if leaves and not game.state[0]["seats_in"] >> seat & 1:
            yield Ended(game, seat, -1 / (rules.players - 1))
            return
        if game.to_move == seat:
            yield encode(game.state, seat)[0], game.mask.copy()
            game.play(int(choices(game.mask[None])[0]))
        else:
            opponent = opponents[(game.to_move - seat) % rules.players - 1]
            game.play(int(opponent.act(game.view(game.to_move), game.mask[None].copy(), None)[0]))
    yield Ended(game, seat, paid(game, seat, reward))
