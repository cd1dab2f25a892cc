"""The results of a comparison: standings, each against each, and the effect of the seat, with their intervals."""

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from experiments.compare.bootstrap import bootstrap
from experiments.compare.design import DESIGNS
from experiments.compare.rating import ratings
from experiments.compare.sequential import intervals

if TYPE_CHECKING:
    from experiments.compare.config import Config
    from experiments.compare.scores import Scores

Floats = NDArray[np.float64]
_DIGITS = 6


@dataclass(frozen=True)
class Estimate:
    """A value and the ends of its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Standing:
    """How an agent did.

    Attributes:
        agent: Its spec.
        games: Games in which it was measured.
        rating: Elo points, mean 0 over the league.
        wins: Share of the games that it won.
        by_order: Share of the games that it won when it acted first, second, ...
        points: Points a game; None without scores.
    """

    agent: str
    games: int
    rating: Estimate
    wins: Estimate
    by_order: tuple[Estimate, ...]
    points: Estimate | None


@dataclass(frozen=True)
class Summary:
    """The results.

    Attributes:
        rules: What was played, as text.
        design: Who played whom, see ``design``.
        command: The command that plays the same again.
        deals: The number of deals played at every table.
        games: The number of all games.
        turns: Turns of an average game.
        stopped: Whether the agents were told apart before all deals were played.
        standings: The agents, best rating first.
        pairs: For each agent, in the order of the standings, its share of the wins against each other one: balanced,
            of the games with both that one of them won, None if there is none; in a duel, of its games alone against
            copies of the other.
        by_order: Share of all games won by who acted first, second, ...
        differences: With an early stop, the confidence sequences for the differences of the shares of wins, valid
            whenever the comparison stopped.
        unrepeatable: Agents whose moves hang on the clock or on another program.
        faults: How often each of the agents that were ever at fault was.
    """

    rules: str
    design: str
    command: str
    deals: int
    games: int
    turns: float
    stopped: bool
    standings: tuple[Standing, ...]
    pairs: tuple[tuple[Estimate | None, ...], ...]
    by_order: tuple[Estimate, ...]
    differences: tuple[tuple[Estimate | None, ...], ...] | None
    unrepeatable: tuple[str, ...]
    faults: dict[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, object]:
        """Return the results as JSON takes them."""
        return asdict(self)

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> "Summary":
        """Return what ``to_json`` wrote."""
        standings = tuple(_standing(entry) for entry in found["standings"])
        nested = {name: _grid(found[name]) for name in ("pairs", "differences")}
        order = tuple(Estimate(**entry) for entry in found["by_order"])
        rest = {"standings": standings, "by_order": order, "unrepeatable": tuple(found["unrepeatable"])}
        return cls(**found | nested | rest)


def summarise(scores: "Scores", config: "Config", *, stopped: bool, unrepeatable: tuple[str, ...] = ()) -> Summary:
    """Return the results of finished deals.

    Args:
        scores: The outcome of every deal that counts.
        config: The comparison.
        stopped: Whether it ended before all deals were played.
        unrepeatable: Agents whose moves hang on the clock or on another program.
    """
    parts = _Parts(scores)
    value, low, high = bootstrap(parts.by_deal, parts.statistics, config.seed)
    found = [parts.split(np.round(numbers, _DIGITS)) for numbers in (value, low, high)]
    rating = found[0]["rating"]
    order = sorted(range(len(scores.agents)), key=lambda agent: (-rating[agent], scores.agents[agent]))
    return Summary(
        rules=str(config.rules),
        design=config.design,
        command=config.command(),
        deals=scores.deals,
        games=int(scores.games.sum()),
        turns=round(float(scores.turns.sum() / scores.games.sum()), _DIGITS),
        stopped=stopped,
        standings=tuple(_measured(scores, found, agent, points=config.rules.advanced) for agent in order),
        pairs=_between(found, order, parts.compared),
        by_order=tuple(_estimate(found, "order", place) for place in range(scores.players)),
        differences=_differences(scores, order) if config.stop is not None else None,
        unrepeatable=unrepeatable,
    )


class _Parts:
    """The sums over deals from which all statistics are made, side by side in one array."""

    def __init__(self, scores: "Scores") -> None:
        self.scores = scores
        self.copies, self.measured = scores.copies, scores.measured
        parts = (scores.wins, scores.by_order, scores.points)
        self.by_deal = np.concatenate([part.reshape(scores.deals, -1) for part in parts], axis=1)
        agents, seats = len(scores.agents), scores.players
        self._shapes = {
            "rating": (agents,),
            "wins": (agents,),
            "points": (agents,),
            "agent_order": (agents, seats),
            "order": (seats,),
            "pairs": (agents, agents),
        }

    def statistics(self, sums: Floats) -> Floats:
        """Return all statistics of sums over deals, [N, F] to [N, S]."""
        agents, seats, deals = len(self.scores.agents), self.scores.players, self.scores.deals
        count = len(sums)
        wins, by_order, points = np.split(sums, np.cumsum([self.copies.size, agents * seats]), axis=1)
        wins = wins.reshape(count, *self.copies.shape)
        by_order = by_order.reshape(count, agents, seats)
        tables = self.measured.sum(axis=0)
        values = {
            "rating": self._ratings(wins),
            "wins": (wins * self.measured).sum(axis=1) / (deals * seats * tables),
            "points": points / (deals * seats * tables),
            "agent_order": by_order / (deals * tables)[:, None],
            "order": by_order.sum(axis=1) / np.maximum(1, by_order.sum(axis=(1, 2)))[:, None],
            "pairs": self._pairs(wins, deals * seats),
        }
        return np.concatenate([values[name].reshape(count, -1) for name in self._shapes], axis=1)

    def split(self, values: Floats) -> dict[str, Floats]:
        """Return the statistics by name, from one row."""
        ends = np.cumsum([int(np.prod(shape)) for shape in self._shapes.values()])
        return {
            name: part.reshape(shape)
            for (name, shape), part in zip(self._shapes.items(), np.split(values, ends[:-1]), strict=True)
        }

    def _ratings(self, wins: Floats) -> Floats:
        start = ratings(wins.mean(axis=0), self.copies)
        return np.array([ratings(sample, self.copies, start) for sample in wins])

    @property
    def compared(self) -> NDArray[np.bool_]:
        """[A, A] whether any game has told two agents apart."""
        against = self._against(self.scores.wins.sum(axis=0)[None])[0]
        return np.asarray((against + against.T > 0) | (self.scores.design != DESIGNS[0]))

    def _against(self, wins: Floats) -> Floats:
        """Return how often each agent won where each other one sat too, [N, A, A]."""
        sits = (self.copies > 0).astype(np.float64)
        return np.asarray(np.einsum("nti,tj->nij", wins * self.measured, sits))

    def _pairs(self, wins: Floats, games: int) -> Floats:
        against = self._against(wins)
        if self.scores.design != DESIGNS[0]:
            return np.asarray(against / games)
        both = against + against.transpose(0, 2, 1)
        shares: Floats = np.divide(against, both, out=np.full_like(against, 0.5), where=both > 0)
        return shares


def _measured(scores: "Scores", found: list[dict[str, Floats]], agent: int, *, points: bool) -> Standing:
    tables = scores.measured[:, agent]
    return Standing(
        agent=scores.agents[agent],
        games=int(scores.games[:, tables].sum()),
        rating=_estimate(found, "rating", agent),
        wins=_estimate(found, "wins", agent),
        by_order=tuple(_estimate(found, "agent_order", agent, place) for place in range(scores.players)),
        points=_estimate(found, "points", agent) if points else None,
    )


def _between(
    found: list[dict[str, Floats]], order: list[int], compared: NDArray[np.bool_]
) -> tuple[tuple[Estimate | None, ...], ...]:
    def cell(first: int, second: int) -> Estimate | None:
        known = first != second and compared[first, second]
        return _estimate(found, "pairs", first, second) if known else None

    return tuple(tuple(cell(first, second) for second in order) for first in order)


def _differences(scores: "Scores", order: list[int]) -> tuple[tuple[Estimate | None, ...], ...]:
    low, high = intervals(scores)
    rows = []
    for first in order:
        ends = [(float(low[first, second]), float(high[first, second])) for second in order]
        row = [Estimate(*(round(end, _DIGITS) for end in ((a + b) / 2, a, b))) for a, b in ends]
        rows.append(tuple(None if order[place] == first else entry for place, entry in enumerate(row)))
    return tuple(rows)


def _estimate(found: list[dict[str, Floats]], name: str, *place: int) -> Estimate:
    return Estimate(*(float(values[name][place]) for values in found))


def _standing(entry: dict[str, Any]) -> Standing:
    points = entry["points"] and Estimate(**entry["points"])
    order = tuple(Estimate(**each) for each in entry["by_order"])
    estimates = {"rating": Estimate(**entry["rating"]), "wins": Estimate(**entry["wins"])}
    return Standing(**entry | estimates | {"by_order": order, "points": points})


def _grid(rows: list[list[dict[str, float] | None]] | None) -> tuple[tuple[Estimate | None, ...], ...] | None:
    if rows is None:
        return None
    return tuple(tuple(entry and Estimate(**entry) for entry in row) for row in rows)  # type: ignore[misc]
