r"""A test that may be looked at after every batch: confidence sequences for the mean of bounded values.

An ordinary interval is right at one sample size fixed beforehand; whoever looks again and again and stops when it
excludes zero is wrong far more often than it says. A confidence sequence holds at all sizes at once, so stopping when
two agents part is sound. This is the predictable plug-in empirical Bernstein sequence, theorem 2 of Waudby-Smith and
Ramdas, Estimating means of bounded random variables by betting, JRSS B 86 (2024). For values :math:`X_i` in [0, 1]

.. math::
    C_t = \frac{\sum \lambda_i X_i}{\sum \lambda_i} \pm
          \frac{\log(2 / \alpha) + \sum 4 (X_i - \mu_{i-1})^2 \psi(\lambda_i)}{\sum \lambda_i}, \quad
    \psi(\lambda) = \frac{-\log(1 - \lambda) - \lambda}{4}, \quad
    \lambda_t = \min\Big(\sqrt{\frac{2 \log(2 / \alpha)}{\sigma^2_{t-1} t \log(1 + t)}}, \frac{1}{2}\Big),

with :math:`\mu_t = (1/2 + \sum X_i) / (t + 1)` and :math:`\sigma^2_t = (1/4 + \sum (X_i - \mu_i)^2) / (t + 1)`. A value
here is a deal: the difference of what two agents won on it, moved from [-1, 1] to [0, 1]. The error of all pairs
together is kept by dividing it among them (Bonferroni).
"""

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from experiments.compare.design import DESIGNS
from experiments.compare.scores import Scores

ALPHA = 0.05
_MOST = 0.5

Floats = NDArray[np.float64]


def confidence(values: Floats, alpha: float = ALPHA) -> tuple[float, float]:
    """Return the confidence sequence after the last of some values, for their mean.

    With probability ``1 - alpha`` the mean lies within the intervals at *all* sizes; so they are intersected.

    Args:
        values: [D] float64 in [-1, 1], in the order in which they came.
        alpha: The chance of an error, at any time.
    """
    if not len(values):
        return -1.0, 1.0
    scaled = (values + 1) / 2
    size = np.arange(1, len(scaled) + 1)
    means = (0.5 + np.cumsum(scaled)) / (size + 1)
    spread = (0.25 + np.cumsum((scaled - means) ** 2)) / (size + 1)
    means_before = np.concatenate([[0.5], means[:-1]])
    spread_before = np.concatenate([[0.25], spread[:-1]])
    odds = math.log(2 / alpha)
    bets = np.minimum(np.sqrt(2 * odds / (spread_before * size * np.log1p(size))), _MOST)
    cost = np.cumsum((scaled - means_before) ** 2 * (-np.log1p(-bets) - bets))
    total = np.cumsum(bets)
    centre, radius = np.cumsum(bets * scaled) / total, (odds + cost) / total
    low, high = (centre - radius).max(), (centre + radius).min()
    return max(-1.0, 2 * float(low) - 1), min(1.0, 2 * float(high) - 1)


def differences(scores: Scores, first: int, second: int) -> Floats:
    """Return by how much an agent won more than another on each deal, [D] float64 in [-1, 1].

    Balanced: the difference of their shares of the wins, over the tables where both sit. Duel: what the first won
    alone against copies of the second, less what the second won alone against copies of the first.
    """
    copies = scores.copies
    both = (copies[:, first] > 0) & (copies[:, second] > 0)
    if scores.design == DESIGNS[0]:
        parted = scores.wins[:, both, first] - scores.wins[:, both, second]
        return np.asarray(parted.mean(axis=1) / scores.players)
    measured = scores.measured
    won = scores.wins[:, both & measured[:, first], first] - scores.wins[:, both & measured[:, second], second]
    return np.asarray(won[:, 0] / scores.players)


def intervals(scores: Scores, alpha: float = ALPHA) -> tuple[Floats, Floats]:
    """Return the ends of the confidence sequences of all differences, each [A, A]; error ``alpha`` for all together."""
    agents = len(scores.agents)
    low, high = np.zeros((agents, agents)), np.zeros((agents, agents))
    pairs = list(combinations(range(agents), 2))
    for first, second in pairs:
        ends = confidence(differences(scores, first, second), alpha / len(pairs))
        low[first, second], high[first, second] = ends
        low[second, first], high[second, first] = -ends[1], -ends[0]
    return low, high


def separated(scores: Scores, what: str) -> bool:
    """Tell whether the agents are told apart: ``"all"`` pairs, or the ``"top"`` agent from the rest."""
    low, high = intervals(scores)
    apart = (low > 0) | (high < 0)
    np.fill_diagonal(apart, val=True)
    if what == "all":
        return bool(apart.all())
    ahead = low > 0
    np.fill_diagonal(ahead, val=True)
    return bool(ahead.all(axis=1).any())
