"""How often the first player wins if both play perfectly with open hands: a figure of the game itself."""

import math
from typing import Final, NamedTuple

from agents.solver.solver import Solver
from red7_env.game import Rules, batch
from red7_env.game.seeds import whole

_AT_A_TIME: Final = 10_000
_95_PERCENT: Final = 1.959963984540054


class Share(NamedTuple):
    """A share of wins with its 95 % interval.

    Attributes:
        wins: Deals that the first player wins.
        deals: All deals.
        share: ``wins / deals``.
        low: Lower end of Wilson's interval (Wilson, JASA 1927).
        high: Upper end.
    """

    wins: int
    deals: int
    share: float
    low: float
    high: float


def share_of(wins: int, deals: int) -> Share:
    """Return a share with Wilson's interval; ``deals`` is at least 1."""
    share = wins / deals
    z2 = _95_PERCENT**2 / deals
    middle = (share + z2 / 2) / (1 + z2)
    half = math.sqrt(z2 * (share * (1 - share) + z2 / 4)) / (1 + z2)
    return Share(wins, deals, share, middle - half, middle + half)


def first_player_share(deals: int, seed: int = 0, rules: Rules | None = None) -> Share:
    """Return how many of the first ``deals`` deals of a seed the first player wins under perfect play.

    Args:
        deals: Number of deals, at least 1.
        seed: Seed of the deals.
        rules: 2-player basic, with any deck; the full one when left out.

    Raises:
        ValueError: If ``deals`` is below 1, or the solver does not know the rules.
    """
    count = whole(deals, "deals")
    if count < 1:
        raise ValueError(f"deals: found {count}, expected a whole number from 1")
    solver, wins = Solver(), 0
    for first in range(0, count, _AT_A_TIME):
        states = batch.deal(rules or Rules(), min(_AT_A_TIME, count - first), seed, first)
        wins += int(solver.wins(states).sum())
    return share_of(wins, count)
