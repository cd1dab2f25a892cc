"""Means with intervals that know that the decisions of one game hang together."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.compare.bootstrap import bootstrap

Floats = NDArray[np.float64]


class Estimate(NamedTuple):
    """A mean with its 95 % interval.

    Attributes:
        value: The mean; NaN if there is nothing to take it of.
        low: Lower end of the interval.
        high: Upper end.
        size: How many values there were.
    """

    value: float
    low: float
    high: float
    size: int

    @property
    def percent(self) -> str:
        """The mean of shares in percent, with its interval: ``48.8 [48.1, 49.5]``."""
        value, low, high = (f"{100 * number:.1f}" for number in (self.value, self.low, self.high))
        return f"{value} [{low}, {high}]"


def mean_over_games(values: Floats, games: NDArray[np.int64], seed: int = 0) -> Estimate:
    """Return the mean of values, with an interval by the bootstrap over games (see ``compare.bootstrap``).

    Args:
        values: [D] float64.
        games: [D] int64, the game that each belongs to; in duplicate play better the deal.
        seed: Seed of the draws.
    """
    if not len(values):
        return Estimate(np.nan, np.nan, np.nan, 0)
    _, group = np.unique(games, return_inverse=True)
    sums = np.stack([np.bincount(group, values), np.bincount(group)], axis=1)
    value, low, high = bootstrap(sums.astype(np.float64), lambda some: some[:, 0] / some[:, 1], seed)
    return Estimate(float(value), float(low), float(high), len(values))
