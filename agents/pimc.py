"""``pimc``: perfect-information Monte Carlo. Sampled worlds are solved; the turn that wins in most of them is played.

A world is a full state that fits the view and the last turn (``beliefs``), played on with open hands. In 2-player basic
every turn is solved exactly in every world (``solver``), and played out by greedy besides, which counts nearly as much:
neither side will really see all hands later on (``sampled.PLAYED_OUT``). In the other variants every offered move is
searched for ``depth`` turns, its own included, and greedy plays on from there (``solver.deep``).

All moves meet the same worlds, which takes the luck of the cards out of their comparison. Equal moves go to greedy's.
What no number of worlds mends: the agent believes that it and its rivals will know every hand later on, so it sees no
worth in hiding a card nor in learning of one (Frank and Basin, Artificial Intelligence 100, 1998).
"""

import time
from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.protocol import Masks, Moves
from agents.registry import spec_of
from agents.solver.deep import best_moves, new_path, search_worlds, write_move_values
from agents.solver.sampled import best_turns, solve_worlds, write_turn_values
from agents.solver.search import new_room
from agents.solver.solver import fitting_room, is_solvable
from agents.turns import MAX_OFFER
from red7_env.game import STATE, States

_PATIENCE: Final = 4
"""Worlds between two looks at the clock."""

Streams: TypeAlias = NDArray[np.uint64]
Sums: TypeAlias = NDArray[np.float64]
Counts: TypeAlias = NDArray[np.int64]


class Pimc:
    """Plays the move that wins in most sampled worlds, all cards open."""

    name = "pimc"

    def __init__(self, *, samples: int = 50, depth: int = 2, ms: int | None = None, tries: int = 8) -> None:
        """Choose the budget of a decision.

        Args:
            samples: Worlds for each decision.
            depth: Turns that are searched in variants that cannot be solved.
            ms: Milliseconds, instead of ``samples``; then results depend on the machine.
            tries: How often a world is drawn at most until the last turn fits it; 1 takes all worlds as alike.
        """
        self.spec = spec_of(self.name, samples=samples, depth=depth, ms=ms, tries=tries)
        self._samples, self._depth, self._ms, self._tries = samples, depth, ms, tries
        self._path = new_path(depth)
        self._worlds = np.zeros(2, STATE)
        self._room = new_room()

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:  # noqa: ARG002 - the view holds the offer
        """Return the best move found for every view; see ``protocol.Agent``."""
        streams = rng.integers(2**64, size=len(views), dtype=np.uint64)
        moves = np.empty(len(views), np.int64)
        if is_solvable(views):
            sums, _ = self._solve(views, streams)
            best_turns(views, self._room, sums, moves)
        else:
            sums, _ = self._search(views, streams)
            best_moves(views, sums, moves)
        return moves

    def move_values(self, views: States, masks: Masks, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return what each move is worth in the mean over the worlds; see ``protocol.MoveValueAgent``.

        Where worlds are solved, part of it is the word of greedy playouts (``sampled.PLAYED_OUT``). A single
        offered move is not judged.
        """
        values = np.where(masks == 1, 0.0, np.nan)  # a pass that is not tried only loses
        streams = rng.integers(2**64, size=len(views), dtype=np.uint64)
        if is_solvable(views):
            sums, worlds = self._solve(views, streams)
            write_turn_values(views, self._room, sums / worlds[:, None], values)
        else:
            sums, worlds = self._search(views, streams)
            write_move_values(views, sums / worlds[:, None], values)
        values[masks.sum(axis=1) == 1] = np.nan
        return values

    def _solve(self, views: States, streams: Streams) -> tuple[Sums, Counts]:
        """Solve worlds exactly; return what the turns are worth in them together, and how many there were."""
        room = self._room = fitting_room(self._room, views)

        def add(some: slice, samples: int) -> None:
            solve_worlds(views[some], streams[some], samples, self._tries, self._worlds, room, sums[some])

        sums = np.zeros((len(views), len(room.roots)))
        return sums, self._spend_budget(len(views), add)

    def _search(self, views: States, streams: Streams) -> tuple[Sums, Counts]:
        """Search worlds to a depth; return what the moves are worth in them together, and how many there were."""

        def add(some: slice, samples: int) -> None:
            here, chance, out = views[some], streams[some], sums[some]
            search_worlds(here, chance, samples, self._tries, self._depth, self._worlds, self._path, out)

        sums = np.zeros((len(views), MAX_OFFER))
        return sums, self._spend_budget(len(views), add)

    def _spend_budget(self, count: int, add: Callable[[slice, int], None]) -> Counts:
        """Add worlds until the budget of every one of ``count`` views is spent; return how many each got."""
        worlds = np.zeros(count, np.int64)
        if self._ms is None:
            add(slice(count), self._samples)
            worlds[:] = self._samples
            return worlds
        for i in range(count):
            end = time.perf_counter() + self._ms / 1000
            while worlds[i] == 0 or time.perf_counter() < end:
                add(slice(i, i + 1), _PATIENCE)
                worlds[i] += _PATIENCE
        return worlds
