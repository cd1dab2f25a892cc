"""``netroll``: a learned value, playouts and solved worlds, mixed, to judge whole turns.

Three judges err in different ways. The network of ``dmc`` knows what a position is worth between good players. Playouts
against greedy rivals in sampled worlds, with the own later turns planned (``planning``), know what rivals let slip who
err as greedy does. And in 2-player basic the part of the worlds in which a turn wins by force (``forced``) knows what
holds against rivals who do not err. A turn is worth ``weight`` times the first plus the rest times the worlds' word, of
which ``forced`` belongs to the third.

The network also says which turns are worth the worlds: the best few by its word go on, and after each round of worlds
the worse half of those by the mixed value leaves (sequential halving, as in ``rollout``). All turns meet the same
worlds, drawn as in ``beliefs``. The playouts of a turn that draws an unseen card draw it from the world.

Who is played decides what ``forced`` should be. At 10 ms a decision it wins 66.0 % against greedy without it (weight
0.3, 8,000 duplicate deals, within 0.6), and 64.2 with 0.3 of it (1,000 deals, within 1.6); against the oracle about 40
without it, 41.9 with 0.8 (2,000 deals, within 0.8), and 42.6 with ``forced=1:rival=oracle`` (weight 0.3,
41 ms a decision, 2,000 deals, within 0.9).
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.forced import ForcedWins
from agents.learned.values_by_rules import ValuesByRules
from agents.planning import Tree, explore_turns, new_tree, plant
from agents.protocol import Masks, Moves
from agents.registry import spec_of
from agents.solver.solver import is_solvable
from red7_env.game import States

GREEDY: Final = "greedy"

_EARLY_HAND = 6
_COSTLY = 4
"""Playouts that take as long as solving a world, while hands are large; later both cost about the same."""
_PLAYOUTS_PER_MS = 500
"""More than are made."""


@dataclass
class _Search:
    """The turns of one view that are still in question.

    Attributes:
        turns: [K, MOST_MOVES] uint8, their moves.
        roots: [K] int64, their numbers at the root of the tree, where their playouts are counted.
        values: [K] float64, the network's word.
        tree: In which they are played out.
        start: When it began, on the clock ``time.perf_counter``.
        places: [K] int64, what the solver knows them by, see ``forced``; None where nothing can be solved.
        wins: [K] int64, in how many solved worlds each wins by force.
        solved: Number of solved worlds.
    """

    turns: NDArray[np.uint8]
    roots: NDArray[np.int64]
    values: NDArray[np.float64]
    tree: Tree
    start: float
    places: NDArray[np.int64] | None
    wins: NDArray[np.int64]
    solved: int = 0

    @property
    def worlds(self) -> int:
        """Worlds in which each was played out, or solved if there are no playouts."""
        return max(self.solved, int(self.tree.edges["visits"][self.roots[0]]))

    def keep(self, rows: NDArray[np.intp]) -> None:
        """Go on with these turns only."""
        self.turns, self.roots, self.values = self.turns[rows], self.roots[rows], self.values[rows]
        self.wins = self.wins[rows]
        if self.places is not None:
            self.places = self.places[rows]

    def worths(self, weight: float, forced: float) -> NDArray[np.float64]:
        """Return the mixed values; see ``Netroll`` for the weights."""
        playouts = self.tree.edges[self.roots]
        tried: NDArray[np.float64] = playouts["total"] / np.maximum(playouts["visits"], 1)
        if self.solved:
            tried = (1 - forced) * tried + forced * self.wins / self.solved
        return weight * self.values + (1 - weight) * tried


class Netroll:
    """Plays the turn of the best mixed value."""

    name = "netroll"

    def __init__(
        self,
        *,
        model: str | None = None,
        playouts: int = 200,
        ms: int | None = None,
        weight: float = 0.4,
        forced: float = 0.5,
        breadth: int = 8,
        tries: int = 8,
        rival: str = GREEDY,
    ) -> None:
        """Choose the network and the budget of a decision.

        Args:
            model: File of a ``dmc`` model; None for the one that comes with the project for the rules that are played.
            playouts: Playouts for each turn that goes on, on average.
            ms: Milliseconds, instead of ``playouts``; then results depend on the machine.
            weight: Of the network's value, 0 to 1.
            forced: Weight of the wins by force in what the worlds say, 0 to 1, the playouts having the rest; in
                2-player basic without actions only. With 1 there are no playouts there, only solved worlds.
            breadth: Turns that get playouts: the best by the network's word.
            tries: How often a world is drawn at most until the last turn fits it; 1 takes all worlds as alike.
            rival: Whom it has to fit in worlds that are solved, ``"greedy"`` or ``"oracle"`` (as that plays if it is
                given no options, see ``oracle_beliefs``); playouts are against greedy in any case.

        Raises:
            ModelError: If the file is no model of this kind.
        """
        self.spec = spec_of(
            self.name,
            model=model,
            playouts=playouts,
            ms=ms,
            weight=weight,
            forced=forced,
            breadth=breadth,
            tries=tries,
            rival=rival,
        )
        self._playouts, self._ms, self._weight, self._breadth = playouts, ms, weight, breadth
        self._forced, self._tries, self._rival = forced, tries, rival
        self._values = ValuesByRules(self.name, model)
        self._tree = new_tree(playouts * breadth if ms is None else ms * _PLAYOUTS_PER_MS)
        self._solver = ForcedWins(swindled=rival != GREEDY)

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:  # noqa: ARG002 - the view holds the offer
        """Return the first move of the best turn of every view; see ``protocol.Agent``.

        Raises:
            ModelError: If there is no model for the rules.
        """
        moves = np.empty(len(views), np.int64)
        for i, stream, search in self._searches(views, rng):
            moves[i] = self._best_move(views[i : i + 1], stream, search)
        return moves

    def move_values(self, views: States, masks: Masks, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the mixed value of the best turn that begins with each move; see ``protocol.MoveValueAgent``.

        All turns that get playouts get as many of them here. A move that begins none of them is not judged.

        Raises:
            ModelError: If there is no model for the rules.
        """
        worths = np.full(masks.shape, np.nan)
        for i, stream, search in self._searches(views, rng):
            view, until = views[i : i + 1], search.start + (self._ms or 0) / 1000
            self._explore(view, stream, search, self._playouts if self._ms is None else self._patience(view, search))
            while self._ms is not None and time.perf_counter() < until:
                self._explore(view, stream, search, self._patience(view, search))
            np.fmax.at(worths[i], search.turns[:, 0], search.worths(self._weight, self._forced))
        return worths

    def _searches(self, views: States, rng: np.random.Generator) -> Iterator[tuple[int, NDArray[np.uint64], _Search]]:
        """Yield for every view its number, the state of a generator of its own, and the turns that get playouts."""
        if not len(views):
            return
        streams = rng.integers(2**64, size=len(views), dtype=np.uint64)
        for listed in self._values.fitting(views).of(views):
            first = 0
            for i, end in enumerate(listed.ends, listed.views.start):
                best = first + np.argsort(-listed.values[first:end], kind="stable")[: self._breadth]
                search = self._begin(views[i : i + 1], listed.turns[best], listed.values[best])
                yield i, streams[i : i + 1], search
                first = end

    def _begin(self, view: States, turns: NDArray[np.uint8], values: NDArray[np.float64]) -> _Search:
        """Return the search among some turns of a view."""
        start, count = time.perf_counter(), len(turns)
        plant(self._tree, count)
        solvable = self._forced > 0 and is_solvable(view)
        return _Search(
            turns=turns,
            roots=np.arange(count),
            values=values,
            tree=self._tree,
            start=start,
            places=self._solver.places(view, turns) if solvable else None,
            wins=np.zeros(count, np.int64),
        )

    def _best_move(self, view: States, stream: NDArray[np.uint64], search: _Search) -> int:
        """Return the first move of the best turn."""
        rounds = (len(search.turns) - 1).bit_length()
        budget = self._playouts * len(search.turns) // max(1, rounds)
        for number in range(rounds):
            if self._ms is None:
                self._explore(view, stream, search, max(1, budget // len(search.turns)))
            else:
                until = search.start + self._ms / 1000 * (number + 1) / rounds
                while time.perf_counter() < until or not search.worlds:
                    self._explore(view, stream, search, self._patience(view, search))
            order = np.argsort(-search.worths(self._weight, self._forced), kind="stable")
            search.keep(order[: (len(order) + 1) // 2])
        return int(search.turns[0, 0])

    def _explore(self, view: States, stream: NDArray[np.uint64], search: _Search, worlds: int) -> None:
        """Play out the turns in some more worlds, and solve some."""
        played_out = self._forced < 1 or search.places is None
        if played_out:
            explore_turns(view, stream, search.turns, search.roots, worlds, self._tries, self._tree)
        if search.places is not None:
            solved = max(1, worlds // _COSTLY) if played_out and _is_early(view) else worlds
            self._solver.count(view, stream, search.places, solved, self._tries, search.wins)
            search.solved += solved

    def _patience(self, view: States, search: _Search) -> int:
        """Return the worlds between two looks at the clock."""
        if self._rival != GREEDY and search.places is not None:
            return 1 if self._forced == 1 else _COSTLY  # what the rival can have done takes long to tell
        return _COSTLY if _is_early(view) else 4 * _COSTLY


def _is_early(view: States) -> bool:
    """Tell whether the seat to move holds so many cards that worlds take long."""
    return bool(view["hand_sizes"][0, view["to_move"][0]] >= _EARLY_HAND)
