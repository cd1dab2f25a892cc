"""``random`` and ``random:unit=turn``: uniform over the offered moves, or over whole turns.

The two differ: uniform moves often begin with a palette play, because few cards can be discarded at once. They also
pass of their own will, with the weight of one move; uniform turns pass only when nothing else is offered. See
``turns`` for what counts as a turn.
"""

import numpy as np
from numpy.typing import NDArray

from agents.jit import helper, kernel
from agents.protocol import Masks, Moves
from agents.registry import spec_of
from agents.turns import MAX_OFFER, STACK_SIZE, weigh_moves
from red7_env.game import STATE, States
from red7_env.game.bits import I64, U64
from red7_env.game.streams import advanced, below, mixed, stream_start


class Random:
    """Plays at random."""

    name = "random"

    def __init__(self, *, unit: str = "move") -> None:
        """Choose what is uniform: ``"move"`` or ``"turn"``."""
        self.spec = spec_of(self.name, unit=unit)
        self._by_turn = unit == "turn"

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:
        """Return a random move for every view; see ``protocol.Agent``."""
        moves = np.empty(len(views), np.int64)
        seed = rng.integers(2**64, dtype=np.uint64)
        if self._by_turn:
            _choose_turns(views, np.empty(STACK_SIZE, STATE), seed, moves)
        else:
            _choose_moves(masks.view(np.uint8), seed, moves)
        return moves

    def policy(self, views: States, masks: Masks) -> NDArray[np.float64]:
        """Return the probability of every move; see ``protocol.PolicyAgent``."""
        weights = masks.astype(np.float64)
        if self._by_turn:
            _write_turns(views, np.empty(STACK_SIZE, STATE), weights)
        chances: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
        return chances


@kernel
def _choose_moves(masks: np.ndarray, seed: U64, moves: np.ndarray) -> None:
    """Write a uniformly random offered move of each row; ``masks``: [N, A] uint8, ``moves``: [N] int64."""
    for i in range(len(masks)):
        offered = 0
        for action in range(masks.shape[1]):
            offered += masks[i, action]
        word = mixed(advanced(stream_start(seed, U64(i))))
        left = I64(below(word, U64(offered)))
        action = 0
        while masks[i, action] == 0 or left > 0:
            left -= masks[i, action]
            action += 1
        moves[i] = action


@helper
def choose_turn(view: np.void, stack: States, moves: np.ndarray, weights: np.ndarray, word: U64) -> int:
    """Return an offered move with the chance of its turns, from one random word.

    Args:
        view: The view, or the full state, of the seat to move.
        stack: [STACK_SIZE] records of room.
        moves: [MAX_OFFER] int64 of room.
        weights: [MAX_OFFER] int64 of room.
        word: The random word.
    """
    size = weigh_moves(view, stack, moves, weights)
    left = I64(below(word, U64(weights[:size].sum())))
    n = 0
    while left >= weights[n]:
        left -= weights[n]
        n += 1
    return I64(moves[n])


@kernel
def _choose_turns(views: States, stack: States, seed: U64, moves: np.ndarray) -> None:
    """Write a move of each view, with the chance of its turns; ``moves``: [N] int64."""
    offered, weights = np.empty(MAX_OFFER, np.int64), np.empty(MAX_OFFER, np.int64)
    for i in range(len(views)):
        word = mixed(advanced(stream_start(seed, U64(i))))
        moves[i] = choose_turn(views[i], stack, offered, weights, word)


@kernel
def _write_turns(views: States, stack: States, table: np.ndarray) -> None:
    """Write the number of turns that go on with each move, 0 where it is not offered; ``table``: [N, A] float64."""
    offered, weights = np.empty(MAX_OFFER, np.int64), np.empty(MAX_OFFER, np.int64)
    table[:] = 0
    for i in range(len(views)):
        for n in range(weigh_moves(views[i], stack, offered, weights)):
            table[i, offered[n]] = weights[n]
