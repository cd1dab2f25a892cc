"""Whether a value can be taken at its word: the reliability curve and the Brier score.

Brier, Monthly Weather Review 78 (1950); the decomposition is Murphy's, Journal of Applied Meteorology 12 (1973).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.analysis.estimate import Estimate, mean_over_games
from experiments.compare.bootstrap import bootstrap

Floats = NDArray[np.float64]


class Reliability(NamedTuple):
    """What came of positions that were given about the same value, from the lowest values to the highest.

    Attributes:
        expected: [B] float64, the mean value in each bin.
        found: [B] float64, the mean share that was won.
        low: [B] float64, lower end of its 95 % interval over games.
        high: [B] float64, upper end.
        sizes: [B] int64, how many are in the bin.
    """

    expected: Floats
    found: Floats
    low: Floats
    high: Floats
    sizes: NDArray[np.int64]

    @property
    def error(self) -> float:
        """The expected calibration error: the mean distance of value and outcome over the bins, by their counts."""
        return float(np.average(np.abs(self.expected - self.found), weights=self.sizes))


def reliability(values: Floats, shares: Floats, games: NDArray[np.int64], bins: int = 10, seed: int = 0) -> Reliability:
    """Return the reliability curve of values; bins that are empty are left out.

    Args:
        values: [D] float64 in 0 to 1, what was expected.
        shares: [D] float64, what was won.
        games: [D] int64, the game or deal of each.
        bins: Number of bins of equal width.
        seed: Seed of the bootstrap.

    Raises:
        ValueError: If a value is not in 0 to 1.
    """
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"values: found {values.min()} to {values.max()}, expected 0 to 1")
    place = np.minimum((values * bins).astype(np.int64), bins - 1)
    filled = np.unique(place)
    rows = [_bin(values[place == one], shares[place == one], games[place == one], seed) for one in filled]
    expected, found, low, high, count = (np.array(column) for column in zip(*rows, strict=True))
    return Reliability(expected, found, low, high, count)


def brier(values: Floats, shares: Floats, games: NDArray[np.int64], seed: int = 0) -> tuple[Estimate, Estimate]:
    """Return the Brier score, and the skill: 1 - the score over that of always saying the mean share (1 is perfect).

    Args:
        values: [D] float64 in 0 to 1, what was expected.
        shares: [D] float64, what was won.
        games: [D] int64, the game or deal of each.
        seed: Seed of the bootstrap.
    """
    errors = (values - shares) ** 2
    _, group = np.unique(games, return_inverse=True)
    columns = (errors, shares, shares**2, np.ones(len(values)))
    sums = np.stack([np.bincount(group, column) for column in columns], axis=1).astype(np.float64)
    value, low, high = bootstrap(sums, _skill, seed)
    return mean_over_games(errors, games, seed), Estimate(float(value), float(low), float(high), len(values))


def _skill(sums: Floats) -> Floats:
    score, mean, square = (sums[:, column] / sums[:, 3] for column in range(3))
    with np.errstate(divide="ignore", invalid="ignore"):
        skill: Floats = 1 - score / (square - mean**2)
    return skill


def _bin(values: Floats, shares: Floats, games: NDArray[np.int64], seed: int) -> tuple[float, float, float, float, int]:
    found = mean_over_games(shares, games, seed)
    return float(values.mean()), found.value, found.low, found.high, len(values)
