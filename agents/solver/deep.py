"""Search to a depth, for the variants that are not solved to the end: more players, draws, actions, matches.

Full states, single moves as edges, and every seat does the best for itself (max^n: Luckhardt and Irani, AAAI 1986).
After a number of turns the rest of the round is played by greedy, and ``playouts.end_values`` says what its end is
worth. Greedy's move is tried first at every node, and it stays the choice among equals; a seat that has found a
win looks no further. A pass that only loses is not tried.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.beliefs import likely_world
from agents.greedy_kernels import greedy_move
from agents.jit import helper, inlined, kernel
from agents.playouts import end_values, play_greedily
from red7_env.game import STATE, States
from red7_env.game.bits import I64, U64
from red7_env.game.choice import Offer, nth_move, offer_size
from red7_env.game.moves import PASS
from red7_env.game.offer import offer_of
from red7_env.game.state import MAX_SEATS, NOBODY, ROUND_OVER, State
from red7_env.game.turn import apply_move

_MOVES_A_TURN = 11
"""The longest turn: seven 5s, another card, the choice of its action, a discard, and the decision on the draw."""


class Path(NamedTuple):
    """What a search to a depth works in, made once by ``new_path``.

    Attributes:
        states: [L] records; level 0 is the position that was asked about.
        values: [L, 4] float64, at each level what the best move so far is worth to every seat.
        tried: [L] int64, at each level how many moves were tried.
        firsts: [L] int64, at each level greedy's move, which is tried first.
        leaf: [1] record, for playouts.
    """

    states: States
    values: NDArray[np.float64]
    tried: NDArray[np.int64]
    firsts: NDArray[np.int64]
    leaf: States


def new_path(depth: int) -> Path:
    """Return room for searches of at most ``depth`` turns."""
    levels = depth * _MOVES_A_TURN + 2
    return Path(
        states=np.zeros(levels, STATE),
        values=np.zeros((levels, MAX_SEATS)),
        tried=np.zeros(levels, np.int64),
        firsts=np.zeros(levels, np.int64),
        leaf=np.zeros(1, STATE),
    )


# Helpers that are not merged into their callers: one copy of the offer and of the moves compiles in half the time.


@helper
def offered(state: State) -> Offer:
    """Return the offer to the seat to move."""
    return offer_of(state)


@helper
def make_move(state: State, move: int) -> None:
    """Do one offered move."""
    apply_move(state, move)


@inlined
def _reach(path: Path, level: int, last_turn: int) -> bool:
    """Begin a level; return whether it is a leaf, whose values are then written."""
    state = path.states[level]
    if state.phase < ROUND_OVER and state.turn <= last_turn:
        path.tried[level] = 0
        path.firsts[level] = greedy_move(state)
        for seat in range(MAX_SEATS):
            path.values[level, seat] = -1.0
        return False
    path.leaf[0] = state
    play_greedily(path.leaf[0])
    end_values(path.leaf[0], path.values[level])
    return True


@inlined
def _next_move(path: Path, level: int) -> int:
    """Return the next move to try at a level, greedy's first; -1 when none is left or a win was found."""
    state, first = path.states[level], path.firsts[level]
    if path.values[level, state.to_move] >= 1.0:
        return -1
    n = path.tried[level]
    if n == 0:
        path.tried[level] = 1
        return I64(first)
    offer = offered(state)
    size = I64(offer_size(offer))
    while n <= size:
        move = nth_move(state.phase, offer, U64(n - 1))
        n += 1
        if move != first and (move != PASS or state.match):
            path.tried[level] = n
            return I64(move)
    return -1


@inlined
def _back_up(path: Path, level: int) -> None:
    """Take the values of the level below over, if they are better for the seat to move."""
    seat = I64(path.states[level].to_move)
    if path.values[level + 1, seat] > path.values[level, seat]:
        for other in range(MAX_SEATS):
            path.values[level, other] = path.values[level + 1, other]


@helper
def look_ahead(path: Path, last_turn: int) -> None:
    """Write what ``path.states[0]`` is worth to every seat into ``path.values[0]``.

    Args:
        path: Room, made for as many turns as are to be searched.
        last_turn: Number, within the round, of the last turn that is searched; later ones are played by greedy.
    """
    level = I64(0)  # a literal 0 would compile another copy of what it is passed to
    while True:
        move = -1 if _reach(path, level, last_turn) else _next_move(path, level)
        while move < 0:
            if level == 0:
                return
            level -= 1
            _back_up(path, level)
            move = _next_move(path, level)
        path.states[level + 1] = path.states[level]
        make_move(path.states[level + 1], move)
        level += 1


@kernel
def search_worlds(
    views: States,
    streams: np.ndarray,
    samples: int,
    tries: int,
    depth: int,
    worlds: States,
    path: Path,
    sums: np.ndarray,
) -> None:
    """Search worlds of every view to a depth, any variant.

    Args:
        views: [N] records; in full states there is but one world, which is searched once.
        streams: [N] uint64 states of generators, which go on.
        samples: Worlds for each view.
        tries: How often each is drawn at most, see ``likely_world``.
        depth: Turns to search, the present one included.
        worlds: [2] records of room.
        path: Room for the search.
        sums: [N, MAX_OFFER] float64, added to: what each offered move is worth, by place in the offer.
    """
    unseen = np.empty(49, np.uint8)
    for i in range(len(views)):
        seat, offer = I64(views[i].to_move), offered(views[i])
        choices, is_open = I64(offer_size(offer)), views[i].viewer == NOBODY
        for _ in range(0 if choices == 1 else 1 if is_open else samples):
            worlds[0] = views[i]
            if not is_open:
                streams[i] = likely_world(views[i], worlds, unseen, streams[i], tries)
            for n in range(choices):
                move = nth_move(views[i].phase, offer, U64(n))
                if move != PASS or views[i].match:
                    path.states[0] = worlds[0]
                    make_move(path.states[0], move)
                    look_ahead(path, I64(views[i].turn) + depth - 1)
                    sums[i, n] += path.values[0, seat]


@kernel
def best_moves(views: States, sums: np.ndarray, moves: np.ndarray) -> None:
    """Write the move with the greatest sum of each view, greedy's move among equals.

    Args:
        views: [N] records.
        sums: [N, MAX_OFFER] float64, by place in the offer.
        moves: [N] int64.
    """
    for i in range(len(views)):
        phase, offer = views[i].phase, offered(views[i])
        greedy, best = greedy_move(views[i]), -1.0
        for n in range(I64(offer_size(offer))):
            move = nth_move(phase, offer, U64(n))
            if sums[i, n] > best or (sums[i, n] == best and move == greedy):
                best = sums[i, n]
                moves[i] = move


@kernel
def write_move_values(views: States, means: np.ndarray, values: np.ndarray) -> None:
    """Write what the moves are worth by action id, but for a pass that only loses.

    Args:
        views: [N] records.
        means: [N, MAX_OFFER] float64, by place in the offer.
        values: [N, A] float64.
    """
    for i in range(len(views)):
        phase, offer = views[i].phase, offered(views[i])
        for n in range(I64(offer_size(offer))):
            move = nth_move(phase, offer, U64(n))
            if move != PASS or views[i].match:
                values[i, move] = means[i, n]
