"""Positions from the middle of random games, the same ones on every machine."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from red7_env.game import Rules, batch
from red7_env.game.state import States

# A game of any rules has four moves that are not its first, on average, so that no position must be used twice.
_POSITIONS_A_GAME = 4


def random_actions(mask: NDArray[np.int8], random: np.random.Generator) -> NDArray[np.int64]:
    """Return one of the offered moves of each game, each equally likely, shape (N,).

    Args:
        mask: The offers, shape (N, number of moves), at least one move in each.
        random: The source of chance.
    """
    actions: NDArray[np.int64] = (mask * random.random(mask.shape, np.float32)).argmax(axis=1)
    return actions


@lru_cache(maxsize=8)
def middle_positions(rules: Rules, count: int, seed: int = 0) -> States:
    """Return states in which somebody is to move and somebody has moved, shape (count,); only to read.

    They are drawn uniformly from all such states of random games of one round, so long games give more of them.

    Args:
        rules: What is played.
        count: Number of states.
        seed: Chooses games and states.
    """
    random = np.random.default_rng(seed)
    states = batch.deal(rules, max(count // _POSITIONS_A_GAME, 16), seed)
    visited: list[States] = []
    while len(states):
        batch.play(states, random_actions(batch.offers(states), random))
        states = states[batch.offers(states).any(axis=1)]
        visited.append(states.copy())
    pool = np.concatenate(visited)
    return pool[random.choice(len(pool), count, replace=len(pool) < count)]
