"""Compiled parts of ``pimc`` and ``oracle`` for 2-player basic: what turns are worth in worlds that are solved."""

import numpy as np

from agents.beliefs import likely_world
from agents.greedy_kernels import greedy_move
from agents.jit import helper, kernel
from agents.playouts import play_on
from agents.solver.deep import make_move, offered
from agents.solver.kernels import enter, move_of, turn_wins
from agents.solver.search import Room, without_play
from agents.solver.swindles import worth_as_swindle
from red7_env.game.bits import I64, U64
from red7_env.game.choice import offer_size
from red7_env.game.moves import PASS
from red7_env.game.state import AFTER_PLAY, State, States

PLAYED_OUT = 0.45
"""Weight of what greedy playouts say of a turn in a world; the solver's word has the rest.

Nobody will see all hands later on, as the solver does: rivals let wins slip, and so will this agent. It is less than a
half, so that a turn which wins by force in every world is never passed over.
"""


@helper
def _wins_played_out(state: State, turn: U64) -> bool:
    """Tell whether the seat to move wins if it makes a turn and the round is played out, in place; see ``play_on``."""
    seat = I64(state.to_move)
    make_move(state, move_of(turn))
    if state.phase == AFTER_PLAY:
        make_move(state, move_of(without_play(turn)))
    play_on(state, seat)
    return seat == I64(state.winner)


@helper
def _try_turns(worlds: States, room: Room, sums: np.ndarray) -> None:
    """Add what each turn is worth in ``worlds[0]`` to its sum, by place in ``room.roots``; ``worlds[1]`` is room."""
    for k in range(enter(room, worlds[0])):
        worlds[1] = worlds[0]
        if _wins_played_out(worlds[1], room.roots[k]):
            sums[k] += PLAYED_OUT
        if turn_wins(room, I64(1), room.roots[k]):
            sums[k] += 1.0 - PLAYED_OUT


@kernel
def solve_worlds(
    views: States, streams: np.ndarray, samples: int, tries: int, worlds: States, room: Room, sums: np.ndarray
) -> None:
    """Solve worlds of every view, 2-player basic.

    A turn is worth ``PLAYED_OUT`` in a world in which it wins a greedy playout, and the rest where it wins by force.

    Args:
        views: [N] records.
        streams: [N] uint64 states of generators, which go on.
        samples: Worlds for each view.
        tries: How often each is drawn at most, see ``likely_world``.
        worlds: [2] records of room.
        room: Room for the solver.
        sums: [N, K] float64, added to: what each turn is worth, in the order of ``room.roots``.
    """
    unseen = np.empty(49, np.uint8)
    for i in range(len(views)):
        if offer_size(offered(views[i])) > U64(1):
            for _ in range(samples):
                streams[i] = likely_world(views[i], worlds, unseen, streams[i], tries)
                _try_turns(worlds, room, sums[i])


@kernel
def judge_openly(states: States, room: Room, swindles: bool, counted: bool, sums: np.ndarray) -> None:
    """Judge the turns of full states, 2-player basic.

    Args:
        states: [N] full states.
        room: Room for the solver.
        swindles: Whether turns are told apart where none wins.
        counted: Whether that is by the number of the rival's errors, and not by their share.
        sums: [N, K] float64, zeros; a turn that wins gets 1, and where none does, and they are told apart, those for
            which it is greatest get their ``worth_as_swindle``; in the order of ``room.roots``.
    """
    for i in range(len(states)):
        count = enter(room, states[i])
        for k in range(count):
            sums[i, k] = 1.0 if turn_wins(room, I64(1), room.roots[k]) else 0.0
        if swindles and sums[i].max() == 0.0:
            greatest = 0.0
            for k in np.argsort(room.roots[:count]):
                sums[i, k] = worth_as_swindle(room, room.roots[k], counted, greatest)
                greatest = max(greatest, sums[i, k])


@kernel
def best_turns(views: States, room: Room, sums: np.ndarray, moves: np.ndarray) -> None:
    """Write the first move of the turn with the greatest sum of each view, greedy's move among equals.

    Args:
        views: [N] records; views of seats, or full states.
        room: Room for the solver.
        sums: [N, K] float64, in the order of ``room.roots``.
        moves: [N] int64.
    """
    for i in range(len(views)):
        greedy, best = greedy_move(views[i]), -1.0
        moves[i] = PASS
        for k in range(enter(room, views[i])):
            move = move_of(room.roots[k])
            if sums[i, k] > best or (sums[i, k] == best and move == greedy):
                best = sums[i, k]
                moves[i] = move


@kernel
def write_turn_values(views: States, room: Room, means: np.ndarray, values: np.ndarray) -> None:
    """Raise the value of every move to that of the best turn which begins with it.

    Args:
        views: [N] records.
        room: Room for the solver.
        means: [N, K] float64, in the order of ``room.roots``.
        values: [N, A] float64.
    """
    for i in range(len(views)):
        for k in range(enter(room, views[i])):
            move = move_of(room.roots[k])
            values[i, move] = max(values[i, move], means[i, k])
