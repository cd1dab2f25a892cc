"""``rollout``: flat Monte Carlo. Every move is tried in the same sampled worlds and played out by greedy.

A world is a full state that fits the view (``determinise``). In each world every offered move is made once and the
round is finished by greedy moves of all seats, the agent's own turn included; the move with the best mean is chosen.
That all moves meet the same worlds takes the luck of the cards out of their comparison. Equal means go to the greedy
move. A pass that only loses is not tried.
"""

import time

import numpy as np
from numpy.typing import NDArray

from agents.greedy import greedy_moves
from agents.jit import helper, kernel
from agents.playouts import end_values, play_greedily
from agents.protocol import Masks, Moves
from agents.registry import spec_of
from agents.steps import do_move, offered
from red7_env.game import STATE, States
from red7_env.game.bits import I64, U64
from red7_env.game.choice import nth_move, offer_size
from red7_env.game.moves import PASS
from red7_env.game.state import ROUND_OVER, State
from red7_env.game.views import determinise_in_place

MAX_OFFER = 101
"""More than the moves of any offer: two sets of cards and three flags."""

_PATIENCE = 16
"""Worlds between two looks at the clock."""


class Rollout:
    """Plays the move that wins most greedy playouts."""

    name = "rollout"

    def __init__(self, *, playouts: int = 200, ms: int | None = None) -> None:
        """Choose the budget of a decision.

        Args:
            playouts: Playouts of each offered move.
            ms: Milliseconds, instead of ``playouts``; then results depend on the machine.
        """
        self.spec = spec_of(self.name, playouts=playouts, ms=ms)
        self._playouts, self._ms = playouts, ms

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:
        """Return the best move found for every view; see ``protocol.Agent``."""
        moves = greedy_moves(views)
        streams = rng.integers(2**64, size=len(views), dtype=np.uint64)
        for i in np.flatnonzero(masks.sum(axis=1) > 1):
            sums = self._explored(views[i : i + 1], streams[i : i + 1])
            # In the order of ids, as the offer counts its moves.
            offered_moves = np.flatnonzero(masks[i])
            worth = sums[: len(offered_moves)].max(axis=1)
            best = offered_moves[worth == worth.max()]
            if moves[i] not in best:
                moves[i] = best[0]
        return moves

    def _explored(self, view: States, stream: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Return what the turns of one view were worth in sampled worlds, as ``_explore`` adds it up."""
        sums, room = np.zeros((MAX_OFFER, MAX_OFFER)), np.empty(3, STATE)
        if self._ms is None:
            _explore(view, stream, self._playouts, room, sums)
            return sums
        end = time.perf_counter() + self._ms / 1000
        while time.perf_counter() < end:
            _explore(view, stream, _PATIENCE, room, sums)
        return sums


@helper
def _play_out(state: State, seat: int, values: np.ndarray) -> float:
    """Finish a round by greedy moves, in place; return what its end is worth to a seat."""
    play_greedily(state)
    end_values(state, values)
    return float(values[seat])


@helper
def _try_first(view: State, n: int, move: int, room: States, values: np.ndarray, sums: np.ndarray) -> None:
    """Play out all that may follow a first move in the world ``room[0]``, and add up what it was worth."""
    seat, world, after, last = I64(view.to_move), room[0], room[1], room[2]
    room[1] = world
    do_move(after, move)
    # What a 3 has drawn differs from world to world, and so may the offer.
    if after.phase >= ROUND_OVER or after.turn != world.turn or after.hoped:
        sums[n, 0] += _play_out(after, seat, values)
        return
    offer = offered(after)
    for m in range(I64(offer_size(offer))):
        room[2] = after
        do_move(last, nth_move(after.phase, offer, U64(m)))
        sums[n, m] += _play_out(last, seat, values)


@helper
def _try_world(view: State, room: States, stream: U64, unseen: np.ndarray, values: np.ndarray, sums: np.ndarray) -> U64:
    """Try every offered move in one world; return the stream's new state."""
    offer = offered(view)
    room[0] = view
    stream = determinise_in_place(room[0], unseen, stream)
    for n in range(I64(offer_size(offer))):
        move = nth_move(view.phase, offer, U64(n))
        if move != PASS or view.match:
            _try_first(view, n, move, room, values, sums)
    return stream


@kernel
def _explore(view: States, stream: np.ndarray, worlds: int, room: States, sums: np.ndarray) -> None:
    """Try every offered move of one view in some worlds.

    Args:
        view: [1] record.
        stream: [1] uint64, the state of a generator, which goes on.
        worlds: Number of worlds.
        room: [3] records.
        sums: [MAX_OFFER, MAX_OFFER] float64, added to: what the n-th move and then the m-th of the same turn was worth.
    """
    unseen, values = np.empty(49, np.uint8), np.empty(4, np.float64)
    for _ in range(worlds):
        stream[0] = _try_world(view[0], room, stream[0], unseen, values, sums)
