"""``netroll``: a learned value and playouts, mixed, to judge whole turns.

The network of ``dmc`` knows what a position is worth between good players, but errs a little in each; playouts against
greedy rivals in sampled worlds, with the own later turns planned (``planning``), err in other ways. A turn is worth
``weight`` times the one plus the rest times the other.
The network also says which turns are worth the playouts: the best few by its word go on, and after each round of
playouts the worse half of those by the mixed value leaves (sequential halving, as in ``rollout``). All turns meet the
same worlds, drawn as in ``beliefs``. The playouts of a turn that draws an unseen card draw it from the world.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.learned.values_by_rules import ValuesByRules
from agents.planning import Tree, explore_turns, new_tree, plant
from agents.protocol import Masks, Moves
from agents.registry import spec_of
from red7_env.game import States

_PATIENCE = 16
"""Worlds between two looks at the clock."""
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
    """

    turns: NDArray[np.uint8]
    roots: NDArray[np.int64]
    values: NDArray[np.float64]
    tree: Tree
    start: float

    @property
    def worlds(self) -> int:
        """Playouts of each."""
        return int(self.tree.edges["visits"][self.roots[0]])

    def keep(self, rows: NDArray[np.intp]) -> None:
        """Go on with these turns only."""
        self.turns, self.roots, self.values = self.turns[rows], self.roots[rows], self.values[rows]

    def worths(self, weight: float) -> NDArray[np.float64]:
        """Return the mixed values."""
        playouts = self.tree.edges[self.roots]
        worths: NDArray[np.float64] = weight * self.values + (1 - weight) * playouts["total"] / playouts["visits"]
        return worths


class Netroll:
    """Plays the turn of the best mixed value."""

    name = "netroll"

    def __init__(
        self,
        *,
        model: str | None = None,
        playouts: int = 200,
        ms: int | None = None,
        weight: float = 0.5,
        breadth: int = 8,
        tries: int = 8,
    ) -> None:
        """Choose the network and the budget of a decision.

        Args:
            model: File of a ``dmc`` model; None for the one that comes with the project for the rules that are played.
            playouts: Playouts for each turn that goes on, on average.
            ms: Milliseconds, instead of ``playouts``; then results depend on the machine.
            weight: Of the network's value, 0 to 1.
            breadth: Turns that get playouts: the best by the network's word.
            tries: How often a world is drawn at most until the last turn fits it; 1 takes all worlds as alike.

        Raises:
            ModelError: If the file is no model of this kind.
        """
        self.spec = spec_of(
            self.name, model=model, playouts=playouts, ms=ms, weight=weight, breadth=breadth, tries=tries
        )
        self._playouts, self._ms, self._weight, self._breadth = playouts, ms, weight, breadth
        self._tries = tries
        self._values = ValuesByRules(self.name, model)
        self._tree = new_tree(playouts * breadth if ms is None else ms * _PLAYOUTS_PER_MS)

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
            until = search.start + (self._ms or 0) / 1000
            self._explore(views[i : i + 1], stream, search, self._playouts if self._ms is None else _PATIENCE)
            while self._ms is not None and time.perf_counter() < until:
                self._explore(views[i : i + 1], stream, search, _PATIENCE)
            np.fmax.at(worths[i], search.turns[:, 0], search.worths(self._weight))
        return worths

    def _searches(self, views: States, rng: np.random.Generator) -> Iterator[tuple[int, NDArray[np.uint64], _Search]]:
        """Yield for every view its number, the state of a generator of its own, and the turns that get playouts."""
        if not len(views):
            return
        streams = rng.integers(2**64, size=len(views), dtype=np.uint64)
        for listed in self._values.fitting(views).of(views):
            first = 0
            for i, end in enumerate(listed.ends, listed.views.start):
                start = time.perf_counter()
                best = first + np.argsort(-listed.values[first:end], kind="stable")[: self._breadth]
                plant(self._tree, len(best))
                roots = np.arange(len(best))
                search = _Search(listed.turns[best], roots, listed.values[best], self._tree, start)
                yield i, streams[i : i + 1], search
                first = end

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
                    self._explore(view, stream, search, _PATIENCE)
            search.keep(np.argsort(-search.worths(self._weight), kind="stable")[: (len(search.turns) + 1) // 2])
        return int(search.turns[0, 0])

    def _explore(self, view: States, stream: NDArray[np.uint64], search: _Search, worlds: int) -> None:
        explore_turns(view, stream, search.turns, search.roots, worlds, self._tries, self._tree)
