"""How strong an agent is: its share of wins against others, on fixed deals that are played from every seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from agents import Agent, make
from agents.table import play_deals
from experiments.compare.bootstrap import Floats, bootstrap
from red7_env.game import Rules

YARDSTICKS: Final = ("random:unit=turn", "greedy")
DEALS_SEED: Final = 2_000_000_011
"""Seed of the deals of all evaluations; runs train on the games of other seeds."""


@dataclass(frozen=True)
class Strength:
    """A share of wins, in %, with its 95 % interval over deals.

    Attributes:
        opponent: Spec of the agent at all other seats.
        rate: The share.
        low: The lower end of the interval.
        high: The upper end.
        deals: How many deals were played.
    """

    opponent: str
    rate: float
    low: float
    high: float
    deals: int

    def __str__(self) -> str:
        return f"{self.opponent} {self.rate:.1f} [{self.low:.1f}, {self.high:.1f}]"


def strength(agent: Agent, opponent: Agent, rules: Rules, deals: int, seed: int = DEALS_SEED) -> Strength:
    """Return how often an agent wins against copies of another, as a bootstrap over deals has it.

    Args:
        agent: Who is measured; its spec has to differ from the other's.
        opponent: Who sits at all other seats.
        rules: What is played.
        deals: The number of deals; each is played from every seat.
        seed: Of the deals.
    """
    return strength_of(opponent.spec, wins(agent, opponent, rules, range(deals), seed).tolist())


def wins(agent: Agent, opponent: Agent, rules: Rules, deals: range, seed: int) -> Floats:
    """Return an agent's share of the games of each of some consecutive deals, [D] float64; see ``strength``."""
    table = [agent, *[opponent] * (rules.players - 1)]
    games = play_deals(table, rules, len(deals), seed=seed, first=deals.start)
    shares: Floats = games.shares[:, 0].reshape(len(deals), rules.players).mean(axis=1)
    return shares


def strength_of(opponent: str, won: Sequence[float]) -> Strength:
    """Return the strength that shares of wins show, one share a deal."""
    deals = len(won)
    rate, low, high = bootstrap(np.stack([won, np.ones(deals)], axis=1), _mean, seed=1)
    return Strength(opponent, float(100 * rate), float(100 * low), float(100 * high), deals)


def evaluate(
    agent: Agent, rules: Rules, deals: int, opponents: Sequence[str] = YARDSTICKS, seed: int = DEALS_SEED
) -> list[Strength]:
    """Return how strong an agent is against each of several others, given by their specs."""
    return [strength(agent, make(spec), rules, deals, seed) for spec in opponents]


def _mean(sums: Floats) -> Floats:
    """Return the mean of each row of (sum, count)."""
    means: Floats = sums[:, 0] / sums[:, 1]
    return means
