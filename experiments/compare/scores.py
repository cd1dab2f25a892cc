"""The outcome of every deal: what each agent won, at which table, and in which order of acting."""

import json
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from experiments.compare.config import Config
from experiments.compare.design import DESIGNS, tables_of
from experiments.compare.units import GameLine, Unit

Sums = NDArray[np.float64]


class Scores:
    """What happened, summed over the seat rotations of each deal.

    A win counts 1, a shared win of ``m`` agents ``1/m`` each. In a duel only the agent that sits alone is measured by
    order and by points; the copies' wins count at their table only.

    Attributes:
        agents: [A] specs.
        tables: [T] the tables.
        design: Who plays whom.
        wins: [D, T, A] float64, wins of each agent at each table; 0 where it does not sit.
        by_order: [D, A, players] float64, wins by the place in the order of the first turns, 0 = acts first.
        points: [D, A] float64, points scored.
        turns: [D] float64, turns of all games of a deal.
        games: [D, T] int64, games seen so far.
    """

    def __init__(self, config: Config, deals: int | None = None) -> None:
        """Make an empty table for the deals of a comparison, or for so many."""
        count = config.deals if deals is None else deals
        self.agents = config.agents
        self.players = config.rules.players
        self.design = config.design
        self.tables = tables_of(config.agents, self.players, config.design)
        agents, tables = len(self.agents), len(self.tables)
        self.wins: Sums = np.zeros((count, tables, agents))
        self.by_order: Sums = np.zeros((count, agents, self.players))
        self.points: Sums = np.zeros((count, agents))
        self.turns: Sums = np.zeros(count)
        self.games: NDArray[np.int64] = np.zeros((count, tables), np.int64)
        self._number = {spec: number for number, spec in enumerate(self.agents)}

    def add(self, lines: Iterable[str]) -> None:
        """Count games, each a line of ``games.jsonl``."""
        for line in lines:
            self._add(json.loads(line))

    def holds(self, unit: Unit) -> bool:
        """Tell whether exactly the games of a unit have been counted for its deals and table."""
        return bool((self.games[unit.first : unit.first + unit.count, unit.table] == self.players).all())

    def head(self, deals: int) -> "Scores":
        """Return the outcome of the first deals alone, as a view of the same arrays."""
        part = object.__new__(Scores)
        part.__dict__ |= self.__dict__
        for name in ("wins", "by_order", "points", "turns", "games"):
            setattr(part, name, getattr(self, name)[:deals])
        return part

    @property
    def deals(self) -> int:
        """The number of deals."""
        return len(self.turns)

    @property
    def copies(self) -> NDArray[np.float64]:
        """[T, A] at how many seats of each table each agent sits."""
        counted = np.zeros((len(self.tables), len(self.agents)))
        for number, table in enumerate(self.tables):
            for place, spec in enumerate(table.agents):
                counted[number, self._number[spec]] = table.copies(place)
        return counted

    @property
    def measured(self) -> NDArray[np.bool_]:
        """[T, A] at which tables an agent's own strength is measured: in a duel, where it sits alone."""
        if self.design == DESIGNS[0]:
            return self.copies > 0
        alone = np.zeros((len(self.tables), len(self.agents)), np.bool_)
        for number, table in enumerate(self.tables):
            alone[number, self._number[table.agents[0]]] = True
        return alone

    def _add(self, game: GameLine) -> None:
        table, deal = game["table"], game["deal"]
        seats = [self._number[spec] for spec in game["seats"]]
        share = 1 / len(game["winners"])
        lone = self._number[self.tables[table].agents[0]] if self.design != DESIGNS[0] else None
        for seat in game["winners"]:
            self.wins[deal, table, seats[seat]] += share
        for seat, agent in enumerate(seats):
            if lone is None or agent == lone:
                self.points[deal, agent] += game["scores"][seat]
                if seat in game["winners"]:
                    self.by_order[deal, agent, (seat - game["first"]) % self.players] += share
        self.turns[deal] += game["turns"]
        self.games[deal, table] += 1
