r"""Ratings: the Plackett-Luce model of who wins a table, which for two players is that of Bradley and Terry.

An agent has a strength ``w``, and wins a table with probability ``w`` over the sum of the strengths of all seats. The
strengths of greatest likelihood are found by iterated Luce spectral ranking (Maystre and Grossglauser, Fast and
accurate inference of Plackett-Luce models, NeurIPS 2015) in the library ``choix``: the wins become the rates of a
Markov chain between agents, whose stationary distribution is the next estimate.

``choix`` builds that chain from a matrix of duels, ``M[i, j] / (w_i + w_j)`` from j to i, or from single games, which
would take minutes for a bootstrap. The rate of a table at which i won ``W_i`` games and j sits ``m_j`` times is ``W_i
m_j / sum(m w)``, so the matrix below, of all tables together, makes it build the chain of the same games:

.. math:: M_{ij} = \sum_t W_{ti} m_{tj} (w_i + w_j) / \sum_k m_{tk} w_k

Ratings are on the scale of Elo, ``400 log10 w``, with mean 0: in two players 100 points more win 64 %. Half a game won
by each against each is added, so that an agent that wins every game has a finite rating.
"""

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ELO = 400 / math.log(10)
_PRIOR = 0.5
_TOLERANCE = 1e-8
_STEPS = 500


def ratings(wins: Floats, copies: Floats, start: Floats | None = None) -> Floats:
    """Return the agents' ratings.

    Args:
        wins: [T, A] games won at each table, shared wins in parts.
        copies: [T, A] at how many seats of each table each agent sits.
        start: [A] ratings to start from, for speed.

    Returns:
        [A] float64 Elo points, mean 0.
    """
    from choix import lsr_pairwise_dense  # with SciPy it takes a second to load

    agents = wins.shape[1]
    prior = _PRIOR * (1 - np.eye(agents))
    strengths = np.zeros(agents) if start is None else start / ELO
    for _ in range(_STEPS):
        better = lsr_pairwise_dense(_matrix(wins, copies, np.exp(strengths)) + prior, initial_params=strengths)
        better -= better.mean()
        change = np.abs(better - strengths).max()
        strengths = better
        if change < _TOLERANCE:
            break
    return strengths * ELO


def _matrix(wins: Floats, copies: Floats, weights: Floats) -> Floats:
    """Return the matrix of the module's formula; the diagonal is 0, for no one is compared with itself."""
    shares = wins / (copies @ weights)[:, None]
    matrix: Floats = (shares.T @ copies) * (weights[:, None] + weights)
    np.fill_diagonal(matrix, 0)
    return matrix
