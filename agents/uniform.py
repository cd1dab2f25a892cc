"""``random`` and ``random:unit=turn``: uniform over the offered moves, or over whole turns.

The two differ: uniform moves often begin with a palette play, because few cards can be discarded at once. They also
pass of their own will, with the weight of one move; uniform turns pass only when nothing else is offered. See
``turns`` for what counts as a turn.
"""

import numpy as np
from numpy.typing import NDArray

from agents.jit import kernel
from agents.protocol import Masks, Moves
from agents.registry import spec_of
from agents.turns import STACK_SIZE, count_turns
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
        weights = self._turns(views, masks) if self._by_turn else masks.view(np.uint8)
        _choose(weights, rng.integers(2**64, dtype=np.uint64), moves)
        return moves

    def policy(self, views: States, masks: Masks) -> NDArray[np.float64]:
        """Return the probability of every move; see ``protocol.PolicyAgent``."""
        weights = self._turns(views, masks) if self._by_turn else masks
        chances: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
        return chances

    @staticmethod
    def _turns(views: States, masks: Masks) -> NDArray[np.int64]:
        """Return the number of turns that go on with each move."""
        turns = np.zeros(masks.shape, np.int64)
        count_turns(views, np.empty(STACK_SIZE, STATE), turns)
        return turns


@kernel
def _choose(weights: np.ndarray, seed: U64, moves: np.ndarray) -> None:
    """Choose a column of each row by its weight; ``weights``: [N, A] whole numbers, ``moves``: [N] int64."""
    for i in range(len(weights)):
        total = 0
        for action in range(weights.shape[1]):
            total += I64(weights[i, action])
        left = I64(below(mixed(advanced(stream_start(seed, U64(i)))), U64(total)))
        action = 0
        while left >= I64(weights[i, action]):
            left -= I64(weights[i, action])
            action += 1
        moves[i] = action
