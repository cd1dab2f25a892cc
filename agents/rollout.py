"""``rollout``: flat Monte Carlo. Every move is tried in the same sampled worlds and played out by greedy.

A world is a full state that fits the view (``determinise``). In each world every offered move is made once and the
round is finished by greedy moves of all seats, the agent's own turn included; the move with the best mean is chosen.
That all moves meet the same worlds takes the luck of the cards out of their comparison. Equal means go to the greedy
move. A pass that only loses is not tried.
"""

import time

import numpy as np
from numpy.typing import NDArray

from agents.greedy_kernels import greedy_move
from agents.jit import helper, kernel
from agents.playouts import end_values, play_greedily
from agents.protocol import Masks, Moves
from agents.registry import spec_of
from agents.turns import MAX_OFFER
from red7_env.game import STATE, States
from red7_env.game.bits import I64, U64
from red7_env.game.choice import nth_move, offer_size
from red7_env.game.moves import PASS
from red7_env.game.offer import offer_of
from red7_env.game.state import ROUND_OVER, State
from red7_env.game.turn import apply_move
from red7_env.game.views import determinise_in_place

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

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:  # noqa: ARG002 - the view holds the offer
        """Return the best move found for every view; see ``protocol.Agent``."""
        moves = np.empty(len(views), np.int64)
        sums = np.zeros((MAX_OFFER, MAX_OFFER))
        streams = rng.integers(2**64, size=len(views), dtype=np.uint64)
        room = np.empty(3, STATE)
        if self._ms is None:
            _decide(views, streams, self._playouts, room, sums, moves)
        else:
            for i in range(len(views)):
                sums[:] = 0
                self._think(self._ms / 1000, views[i : i + 1], streams[i : i + 1], room, sums)
                _decide(views[i : i + 1], streams[i : i + 1], 0, room, sums, moves[i : i + 1])
        return moves

    @staticmethod
    def _think(
        seconds: float, view: States, stream: NDArray[np.uint64], room: States, sums: NDArray[np.float64]
    ) -> None:
        """Play out the turns of one view until the time is over."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            _explore(view, stream, _PATIENCE, room, sums)


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
    apply_move(after, move)
    # What a 3 has drawn differs from world to world, and so may the offer.
    if after.phase >= ROUND_OVER or after.turn != world.turn or after.hoped:
        sums[n, 0] += _play_out(after, seat, values)
        return
    offer = offer_of(after)
    for m in range(I64(offer_size(offer))):
        room[2] = after
        apply_move(last, nth_move(after.phase, offer, U64(m)))
        sums[n, m] += _play_out(last, seat, values)


@helper
def _try_world(view: State, room: States, stream: U64, unseen: np.ndarray, values: np.ndarray, sums: np.ndarray) -> U64:
    """Try every offered move in one world; return the stream's new state."""
    offer = offer_of(view)
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


@helper
def _best_move(view: State, sums: np.ndarray) -> int:
    """Return the move that begins the turn with the greatest sum, greedy's among equals."""
    offer, greedy = offer_of(view), greedy_move(view)
    best, chosen = -1.0, greedy
    for n in range(I64(offer_size(offer))):
        move, worth = nth_move(view.phase, offer, U64(n)), sums[n].max()
        if worth > best or (worth == best and move == greedy):
            best, chosen = worth, move
    return chosen


@kernel
def _decide(views: States, streams: np.ndarray, worlds: int, room: States, sums: np.ndarray, moves: np.ndarray) -> None:
    """Write the best move of each view.

    Args:
        views: [N] records.
        streams: [N] uint64 states of generators.
        worlds: Number of worlds for each view; 0 to use ``sums`` as it is.
        room: [3] records.
        sums: [MAX_OFFER, MAX_OFFER] float64.
        moves: [N] int64.
    """
    for i in range(len(views)):
        if worlds > 0:
            sums[:] = 0.0
            if offer_size(offer_of(views[i])) > U64(1):
                _explore(views[i : i + 1], streams[i : i + 1], worlds, room, sums)
        moves[i] = _best_move(views[i], sums)
