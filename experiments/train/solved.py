"""What a turn is worth if from then on all cards are open and nobody errs: a target that is cheap and steady.

It is not what a turn is worth, as nobody will see all cards. But it comes from one position and not from all the moves
that follow, and it can be asked in many worlds: the mean over those that fit what the mover saw is what ``pimc``
estimates at every decision anew. A network that learns it does so once and for all.
"""

import numpy as np
from numpy.typing import NDArray

from agents.solver.solver import Solver
from red7_env.game import States, batch

_TABLE_BITS = 18
"""Of the transposition table: positions of many games pass through it."""


class Solved:
    """Solves positions after turns, by rules that ``is_solvable``."""

    def __init__(self, worlds: int) -> None:
        """Choose in how many worlds that fit the mover's view each is solved; 0 for the real one alone."""
        self._worlds = worlds
        self._solver = Solver(_TABLE_BITS)

    def worths(self, states: States, movers: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.float64]:
        """Return in which part of the worlds the seat that has just made its turn wins by force.

        Args:
            states: [N] full states after a turn.
            movers: [N] int64, the seats that made it.
            rng: Source of the worlds.

        Returns:
            [N] float64, 0 to 1.
        """
        copies = max(1, self._worlds)
        if self._worlds > 0:
            views = np.repeat(batch.views(states, movers), copies)
            states = batch.determinise(views, seed=int(rng.integers(2**64, dtype=np.uint64)))
        own = states["to_move"] == np.repeat(movers, copies)  # in a round that is over the winner is to move
        worths: NDArray[np.float64] = (self._solver.wins(states) == own).reshape(-1, copies).mean(axis=1)
        return worths
