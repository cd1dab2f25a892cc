"""``rollout``: flat Monte Carlo. The ways to play a turn are tried in sampled worlds and played out by greedy.

A world is a full state that fits the view, and in basic the turn that was made last besides (``beliefs``). What is
compared are the offered moves with each move that may follow in the same turn; a card that a 3 draws is left to the
playout. In each world every candidate is made, and
the round is finished by greedy moves, the finer ones of ``greedy:choice=freedom`` for the own seat. That all candidates
meet the same worlds takes the luck of the cards out of their comparison.

The playouts are shared out by sequential halving (Karnin, Koren and Somekh, ICML 2013): of equal parts of the budget
the first goes to all candidates, the next to the better half of them, and so on, so that most playouts tell the best
ones apart. Equal means go to the greedy move. A pass that only loses is not tried.
"""

import time

import numpy as np
from numpy.typing import NDArray

from agents.beliefs import likely_world
from agents.greedy import greedy_moves
from agents.jit import helper, kernel
from agents.playouts import end_values, play_on
from agents.protocol import Masks, Moves
from agents.registry import spec_of
from agents.steps import do_move, offered
from red7_env.game import STATE, States
from red7_env.game.bits import I64, U64
from red7_env.game.choice import nth_move, offer_size
from red7_env.game.moves import DISCARD, DRAW, PASS
from red7_env.game.state import AFTER_DISCARD, NO_ACTIONS, State

_MOST_TURNS = 1024
"""More candidates than any offer leads to."""
_NO_MOVE = -1
_PATIENCE = 16
"""Worlds between two looks at the clock."""


class Rollout:
    """Plays the turn that wins most greedy playouts."""

    name = "rollout"

    def __init__(self, *, playouts: int = 200, ms: int | None = None, tries: int = 8) -> None:
        """Choose the budget of a decision.

        Args:
            playouts: Playouts for each candidate, on average.
            ms: Milliseconds, instead of ``playouts``; then results depend on the machine.
            tries: How often a world is drawn at most until the last turn fits it; 1 takes all worlds as alike.
        """
        self.spec = spec_of(self.name, playouts=playouts, ms=ms, tries=tries)
        self._playouts, self._ms, self._tries = playouts, ms, tries

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:
        """Return the best move found for every view; see ``protocol.Agent``."""
        moves = greedy_moves(views)
        streams = rng.integers(2**64, size=len(views), dtype=np.uint64)
        for i in np.flatnonzero(masks.sum(axis=1) > 1):
            moves[i] = self._best_move(views[i : i + 1], streams[i : i + 1], moves[i])
        return moves

    def move_values(self, views: States, masks: Masks, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the share of playouts that each move wins; see ``protocol.MoveValueAgent``.

        All candidates are played out equally often here, and a move is worth what its best candidate is.
        """
        values = np.where(masks == 1, 0.0, np.nan)  # a pass that is not tried only loses
        streams = rng.integers(2**64, size=len(views), dtype=np.uint64)
        for i in range(len(views)):
            turns, means = self._judged(views[i : i + 1], streams[i : i + 1])
            np.maximum.at(values[i], turns[:, 0], means)
        return values

    def _judged(self, view: States, stream: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the candidates, and the share of its playouts that each wins."""
        room = np.empty(3, STATE)
        turns = np.empty((_MOST_TURNS, 2), np.int64)
        turns = turns[: _list_turns(view, room, turns)]
        sums, worlds = np.zeros(len(turns)), 0
        if self._ms is None:
            worlds = self._playouts
            _explore(view, stream, turns, worlds, self._tries, room, sums)
        else:
            end = time.perf_counter() + self._ms / 1000
            while worlds == 0 or time.perf_counter() < end:
                _explore(view, stream, turns, _PATIENCE, self._tries, room, sums)
                worlds += _PATIENCE
        return turns, sums / worlds

    def _best_move(self, view: States, stream: NDArray[np.uint64], greedy: int) -> int:
        """Return the first move of the best candidate."""
        room = np.empty(3, STATE)
        turns = np.empty((_MOST_TURNS, 2), np.int64)
        turns = turns[: _list_turns(view, room, turns)]
        rounds = max(1, (len(turns) - 1).bit_length())
        budget = self._playouts * len(turns) // rounds
        sums = np.zeros(len(turns))
        for _ in range(rounds):
            self._explore(view, stream, turns, max(1, budget // len(turns)), rounds, room, sums)
            # All that are left have been tried in the same worlds, so their sums compare.
            better = np.lexsort((turns[:, 0] != greedy, -sums))[: (len(turns) + 1) // 2]
            better.sort()  # candidates with the same first move stay side by side
            turns, sums = turns[better], sums[better]
        return int(turns[0, 0])

    def _explore(
        self,
        view: States,
        stream: NDArray[np.uint64],
        turns: NDArray[np.int64],
        worlds: int,
        rounds: int,
        room: States,
        sums: NDArray[np.float64],
    ) -> None:
        """Try candidates in as many worlds, or in as many as a round's part of the time allows."""
        if self._ms is None:
            _explore(view, stream, turns, worlds, self._tries, room, sums)
            return
        end = time.perf_counter() + self._ms / 1000 / rounds
        while time.perf_counter() < end:
            _explore(view, stream, turns, _PATIENCE, self._tries, room, sums)


@helper
def _is_sure(view: State, move: int) -> bool:
    """Tell whether the state after an own move is known, but for what was hidden before."""
    draws = view.edition != NO_ACTIONS and move < DISCARD and move // 7 == 2 and view.deck_size > 0
    return move != DRAW and not draws


@kernel
def _list_turns(view: States, room: States, turns: np.ndarray) -> int:
    """List the candidates: an offered move, then one that may follow it, or ``_NO_MOVE``.

    Args:
        view: [1] record.
        room: [3] records.
        turns: [_MOST_TURNS, 2] int64, where the candidates are written.

    Returns:
        The number of candidates.
    """
    count, after = 0, room[0]
    offer = offer_after = offered(view[0])
    for n in range(I64(offer_size(offer))):
        first = nth_move(view[0].phase, offer, U64(n))
        if first == PASS and not view[0].match:
            continue
        following = 0
        if first != PASS and _is_sure(view[0], first):
            room[0] = view[0]
            do_move(after, first)
            if after.turn == view[0].turn and after.phase <= AFTER_DISCARD:
                offer_after = offered(after)
                following = I64(offer_size(offer_after))
        for m in range(max(1, following)):
            if count < len(turns):
                turns[count, 0] = first
                turns[count, 1] = nth_move(after.phase, offer_after, U64(m)) if following > 0 else _NO_MOVE
                count += 1
    return count


@kernel
def _explore(
    view: States, stream: np.ndarray, turns: np.ndarray, worlds: int, tries: int, room: States, sums: np.ndarray
) -> None:
    """Play out candidates in the same worlds.

    Args:
        view: [1] record.
        stream: [1] uint64, the state of a generator, which goes on.
        turns: [K, 2] int64, the candidates.
        worlds: Number of worlds.
        tries: How often each is drawn at most, see ``likely_world``.
        room: [3] records.
        sums: [K] float64, added to: what each was worth.
    """
    unseen, values = np.empty(49, np.uint8), np.empty(4, np.float64)
    seat, world, tried = I64(view[0].to_move), room[0], room[1]
    for _ in range(worlds):
        stream[0] = likely_world(view[0], room, unseen, stream[0], tries)
        for k in range(len(turns)):
            if k == 0 or turns[k, 0] != turns[k - 1, 0]:
                room[2] = world
                do_move(room[2], turns[k, 0])
            room[1] = room[2]
            if turns[k, 1] != _NO_MOVE:
                do_move(tried, turns[k, 1])
            play_on(tried, seat)
            end_values(tried, values)
            sums[k] += values[seat]
