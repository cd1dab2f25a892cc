"""Search to a depth, for the variants that are not solved to the end: more players, draws, actions, matches.

Full states, single moves as edges, and every seat does the best for itself (max^n: Luckhardt and Irani, AAAI 1986).
After a number of turns the rest of the round is played by greedy, and ``playouts.end_values`` says what its end is
worth. Greedy's move is tried first at every node, and it stays the choice among equals; a seat that has found a
certain win looks no further. A pass that only loses is not tried.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.greedy_kernels import greedy_move
from agents.jit import helper, inlined
from agents.playouts import end_values, play_greedily
from red7_env.game import STATE, States
from red7_env.game.bits import I64, U64
from red7_env.game.choice import nth_move, offer_size
from red7_env.game.moves import PASS
from red7_env.game.offer import offer_of
from red7_env.game.state import MAX_SEATS, ROUND_OVER, State
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


@inlined
def _reach(path: Path, level: int, last_turn: int) -> bool:
    """Begin a level; return whether it is a leaf, whose values are then written."""
    state = path.states[level]
    if state.phase < ROUND_OVER and state.turn <= last_turn:
        path.tried[level] = 0
        path.firsts[level] = greedy_move(state)
        path.values[level, :] = -1.0
        return False
    path.leaf[0] = state
    play_greedily(path.leaf[0])
    end_values(path.leaf[0], path.values[level])
    return True


@inlined
def _next_move(path: Path, level: int) -> int:
    """Return the next move to try at a level, greedy's first; -1 when none is left or a certain win was found."""
    state, first = path.states[level], path.firsts[level]
    if path.values[level, state.to_move] >= 1.0:
        return -1
    n = path.tried[level]
    if n == 0:
        path.tried[level] = 1
        return I64(first)
    offer = offer_of(state)
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
        path.values[level, :] = path.values[level + 1, :]


@helper
def look_ahead(path: Path, last_turn: int) -> None:
    """Write what ``path.states[0]`` is worth to every seat into ``path.values[0]``.

    Args:
        path: Room, made for as many turns as are to be searched.
        last_turn: Number, within the round, of the last turn that is searched; later ones are played by greedy.
    """
    level = 0
    leaf = _reach(path, 0, last_turn)
    while not leaf or level > 0:
        move = -1 if leaf else _next_move(path, level)
        if move < 0:
            if level == 0:
                return
            level -= 1
            _back_up(path, level)
            leaf = False
        else:
            path.states[level + 1] = path.states[level]
            apply_move(path.states[level + 1], move)
            level += 1
            leaf = _reach(path, level, last_turn)


@helper
def try_moves(world: State, path: Path, depth: int, sums: np.ndarray) -> None:
    """Add what every offered move of a full state is worth to the seat to move to ``sums``, by place in the offer.

    Args:
        world: The state; it is left as it was.
        path: Room for ``depth`` turns.
        depth: Turns to search, the present one included.
        sums: [MAX_OFFER] float64.
    """
    seat, offer = I64(world.to_move), offer_of(world)
    for n in range(I64(offer_size(offer))):
        move = nth_move(world.phase, offer, U64(n))
        if move == PASS and not world.match:
            continue
        path.states[0] = world
        apply_move(path.states[0], move)
        look_ahead(path, I64(world.turn) + depth - 1)
        sums[n] += path.values[0, seat]
