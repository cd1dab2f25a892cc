"""Learning curves over seeds: the interquartile mean with intervals, as Agarwal et al. (NeurIPS 2021) ask for.

The mean of the middle half is less moved by one lucky seed than the mean, and wastes less than the median. Intervals
are percentiles of the bootstrap over seeds; with fewer than about five seeds they are too narrow.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.compare.bootstrap import interval

Floats = NDArray[np.float64]
_RESAMPLES: Final = 2000


class Curve(NamedTuple):
    """A learning curve.

    Attributes:
        steps: [T] float64, where it was measured.
        iqm: [T] float64, the interquartile mean over the seeds.
        low: [T] float64, lower end of its 95 % interval.
        high: [T] float64, upper end.
        seeds: Number of seeds.
    """

    steps: Floats
    iqm: Floats
    low: Floats
    high: Floats
    seeds: int


def iqm(scores: Floats) -> Floats:
    """Return the mean of the middle half along the last axis, with parts of the values at its ends.

    Args:
        scores: [..., S] float64, S at least 1.
    """
    count = scores.shape[-1]
    edges = np.arange(count + 1) / count
    weights = np.clip(np.minimum(edges[1:], 0.75) - np.maximum(edges[:-1], 0.25), 0, None)
    middle: Floats = np.sort(scores, axis=-1) @ (weights / weights.sum())
    return middle


def learning_curve(steps: Floats, scores: Floats, seed: int = 0) -> Curve:
    """Return the learning curve of several seeds.

    Args:
        steps: [T] float64, where the scores were measured, in every seed.
        scores: [S, T] float64, one row a seed.
        seed: Seed of the bootstrap.

    Raises:
        ValueError: If the shapes do not fit.
    """
    if scores.ndim != 2 or not len(scores) or scores.shape[1] != len(steps):
        raise ValueError(f"scores: found {scores.shape}, expected (seeds, {len(steps)})")
    rng = np.random.default_rng(seed)
    draws = rng.integers(len(scores), size=(_RESAMPLES, len(scores)))
    low, high = interval(iqm(np.moveaxis(scores[draws], 1, 2)))
    return Curve(np.asarray(steps, np.float64), iqm(scores.T), low, high, len(scores))
