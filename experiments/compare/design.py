"""Who plays whom, and from which seat.

Two designs, both made of *tables*; every table plays every deal from all seat rotations:

- ``balanced``: one table for every set of as many agents as there are seats. So each agent sits at the same number of
  tables as each other, and meets each other equally often; in two players this is the round robin.
- ``duel``: one table for every ordered pair: one agent alone against copies of the other at all other seats. An agent
  as good as the other wins one game in ``players``.

Rotations keep who sits after whom, and with three or four players that matters. There are ``(players - 1)!`` cyclic
orders of the agents of a table; deal ``d`` is played in order ``d`` modulo that number, so over the deals everyone
sits equally often on each side of everyone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

DESIGNS = ("balanced", "duel")


@dataclass(frozen=True)
class Table:
    """Agents that play together.

    Attributes:
        agents: Their specs, each once; the one that sits alone first in a duel, else sorted.
        places: For each place at the table the index into ``agents`` of who sits there.
    """

    agents: tuple[str, ...]
    places: tuple[int, ...]

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.places)

    def copies(self, agent: int) -> int:
        """Return at how many places an agent sits."""
        return self.places.count(agent)


def tables_of(agents: Sequence[str], players: int, design: str) -> list[Table]:
    """Return all tables of a league, the same ones in whatever order the agents are given.

    Args:
        agents: Different specs; at least ``players`` of them for ``balanced``, two for ``duel``.
        players: The number of seats.
        design: One of ``DESIGNS``.
    """
    ordered = sorted(agents)
    if design == "balanced":
        return [Table(group, tuple(range(players))) for group in combinations(ordered, players)]
    return [Table(pair, (0,) + (1,) * (players - 1)) for pair in permutations(ordered, 2)]


def seatings(table: Table, deals: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return who sits where in every game of some deals.

    Args:
        table: The table.
        deals: [D] numbers of the deals.

    Returns:
        [D, players, players] indices into ``table.agents``, by deal, rotation and seat. Over the rotations of a deal
        every place of the table takes every seat once.
    """
    orders = _cyclic_orders(table)
    turned = (np.arange(table.players)[:, None] + np.arange(table.players)) % table.players
    return orders[deals % len(orders)][:, turned]


def _cyclic_orders(table: Table) -> NDArray[np.int64]:
    """Return the different orders round the table with the first place at its head, [orders, players]."""
    head, *others = table.places
    return np.array(sorted({(head, *order) for order in permutations(others)}), np.int64)
