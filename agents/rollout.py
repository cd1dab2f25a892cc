"""``rollout``: flat Monte Carlo. Every move is tried in the same sampled worlds and played out by greedy.

A world is a full state that fits the view (``determinise``). In each world every offered move is made once and the
round is finished by greedy moves of all seats, the agent's own turn included; the move with the best mean is chosen.
That all moves meet the same worlds takes the luck of the cards out of their comparison. Equal means go to the greedy
move. A pass that only loses is not tried.
"""

import time

import numpy as np

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
from red7_env.game.state import State
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
        sums = np.zeros((len(views), MAX_OFFER))
        streams = rng.integers(2**64, size=len(views), dtype=np.uint64)
        room = np.empty(2, STATE)
        if self._ms is None:
            _try_moves(views, streams, self._playouts, room, sums)
        else:
            for i in range(len(views)):
                end = time.perf_counter() + self._ms / 1000
                while time.perf_counter() < end:
                    _try_moves(views[i : i + 1], streams[i : i + 1], _PATIENCE, room, sums[i : i + 1])
        best_moves(views, sums, moves)
        return moves


@helper
def _try_in_world(
    view: State, room: States, stream: U64, unseen: np.ndarray, values: np.ndarray, sums: np.ndarray
) -> U64:
    """Play out every offered move in one world, add up what they were worth; return the stream's new state."""
    seat, offer = I64(view.to_move), offer_of(view)
    room[0] = view
    stream = determinise_in_place(room[0], unseen, stream)
    world, tried = room[0], room[1]
    for n in range(I64(offer_size(offer))):
        move = nth_move(view.phase, offer, U64(n))
        if move == PASS and not view.match:
            continue
        room[1] = world
        apply_move(tried, move)
        play_greedily(tried)
        end_values(tried, values)
        sums[n] += values[seat]
    return stream


@kernel
def _try_moves(views: States, streams: np.ndarray, playouts: int, room: States, sums: np.ndarray) -> None:
    """Play out every offered move of each view.

    Args:
        views: [N] records.
        streams: [N] uint64 states of generators, which go on.
        playouts: Playouts of each move.
        room: [2] records.
        sums: [N, MAX_OFFER] float64, added to: what the n-th offered move was worth.
    """
    unseen, values = np.empty(49, np.uint8), np.empty(4, np.float64)
    for i in range(len(views)):
        if offer_size(offer_of(views[i])) > U64(1):
            for _ in range(playouts):
                streams[i] = _try_in_world(views[i], room, streams[i], unseen, values, sums[i])


@kernel
def best_moves(views: States, sums: np.ndarray, moves: np.ndarray) -> None:
    """Write the move with the greatest sum of each view, greedy's among equals; ``moves``: [N] int64."""
    for i in range(len(views)):
        phase, offer = views[i].phase, offer_of(views[i])
        greedy, best = greedy_move(views[i]), -1.0
        for n in range(I64(offer_size(offer))):
            move = nth_move(phase, offer, U64(n))
            if sums[i, n] > best or (sums[i, n] == best and move == greedy):
                best = sums[i, n]
                moves[i] = move
