"""Bootstrap over deals.

The games of one deal, at all tables and from all seats, hang together: the same cards decide them. So deals are drawn
with replacement, each with everything that was played on it, and never single games (the cluster bootstrap; Davison
and Hinkley, Bootstrap Methods and their Application, 1997, section 3.8). Intervals are percentiles.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1000
LEVEL = 0.95

Floats: TypeAlias = NDArray[np.float64]


def resampled(by_deal: Floats, seed: int, resamples: int = RESAMPLES) -> Floats:
    """Return sums over deals that are drawn with replacement.

    Args:
        by_deal: [D, F] what each deal adds to each of the sums.
        seed: Seed of the draws.
        resamples: How often.

    Returns:
        [resamples, F] float64.
    """
    deals = len(by_deal)
    rng = np.random.default_rng(np.random.SeedSequence([seed, deals]))
    sums = np.empty((resamples, by_deal.shape[1]))
    for row in sums:
        row[:] = np.bincount(rng.integers(deals, size=deals), minlength=deals) @ by_deal
    return sums


def interval(samples: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Return the percentile interval of a statistic over its first axis, the resamples."""
    tail = (1 - level) / 2
    low, high = np.quantile(samples, [tail, 1 - tail], axis=0)
    return low, high


def bootstrap(
    by_deal: Floats, statistic: Callable[[Floats], Floats], seed: int, resamples: int = RESAMPLES
) -> tuple[Floats, Floats, Floats]:
    """Return a statistic of sums over deals with the ends of its interval.

    Args:
        by_deal: [D, F] what each deal adds to each of the sums.
        statistic: From sums [N, F] to values [N, ...].
        seed: Seed of the draws.
        resamples: How many.
    """
    value = statistic(by_deal.sum(axis=0)[None])[0]
    low, high = interval(statistic(resampled(by_deal, seed, resamples)))
    return value, low, high
