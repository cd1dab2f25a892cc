"""Compiled parts of ``pimc`` and ``oracle``: what the moves are worth in worlds whose cards are all known."""

import numpy as np

from agents.greedy_kernels import greedy_move
from agents.jit import helper, kernel
from agents.solver.deep import Path, try_moves
from agents.solver.kernels import enter, move_of
from agents.solver.search import EVERY_TURN, Room, grow, list_turns, make_turn, search
from red7_env.game.bits import I64, U64
from red7_env.game.choice import nth_move, offer_size
from red7_env.game.moves import PASS
from red7_env.game.offer import offer_of
from red7_env.game.state import NOBODY, State, States
from red7_env.game.views import determinise_in_place


@helper
def _try_turns(world: State, room: Room, sums: np.ndarray) -> None:
    """Add 1 to the sum of each turn that wins in a world, by place in ``room.roots``."""
    for k in range(enter(room, world)):
        make_turn(room.frames, 1, room.roots[k])
        if not search(room, 2)[0]:
            sums[k] += 1.0


@kernel
def solve_worlds(views: States, streams: np.ndarray, samples: int, world: States, room: Room, sums: np.ndarray) -> None:
    """Solve worlds of every view, 2-player basic.

    Args:
        views: [N] records.
        streams: [N] uint64 states of generators, which go on.
        samples: Worlds for each view.
        world: [1] record of room.
        room: Room for the solver.
        sums: [N, K] float64, added to: in how many worlds each turn wins, in the order of ``room.roots``.
    """
    unseen = np.empty(49, np.uint8)
    for i in range(len(views)):
        if offer_size(offer_of(views[i])) > U64(1):
            for _ in range(samples):
                world[0] = views[i]
                streams[i] = determinise_in_place(world[0], unseen, streams[i])
                _try_turns(world[0], room, sums[i])


@helper
def _share_of_errors(room: Room, turn: U64) -> float:
    """Return which part of the rival's answers to a turn that loses would lose in their turn."""
    make_turn(room.frames, 1, turn)
    grow(room.frames[2])
    answers = list_turns(room.frames, 2, EVERY_TURN, room.replies, 0)
    errors = 0
    for k in range(answers):
        make_turn(room.frames, 2, room.replies[k])
        errors += search(room, 3)[0]
    return errors / answers


@kernel
def judge_openly(states: States, room: Room, sums: np.ndarray) -> None:
    """Judge the turns of full states, 2-player basic.

    Args:
        states: [N] full states.
        room: Room for the solver.
        sums: [N, K] float64, zeros; a turn that wins gets 1, and where none does, each gets the share of the rival's
            answers that let the win slip, in the order of ``room.roots``.
    """
    for i in range(len(states)):
        _try_turns(states[i], room, sums[i])
        if sums[i].max() == 0.0:
            for k in range(enter(room, states[i])):
                sums[i, k] = _share_of_errors(room, room.roots[k])


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
def search_worlds(
    views: States, streams: np.ndarray, samples: int, depth: int, world: States, path: Path, sums: np.ndarray
) -> None:
    """Search worlds of every view to a depth, any variant.

    Args:
        views: [N] records; in full states there is but one world, which is searched once.
        streams: [N] uint64 states of generators, which go on.
        samples: Worlds for each view.
        depth: Turns to search.
        world: [1] record of room.
        path: Room for the search.
        sums: [N, MAX_OFFER] float64, added to: what each offered move is worth, by place in the offer.
    """
    unseen = np.empty(49, np.uint8)
    for i in range(len(views)):
        if offer_size(offer_of(views[i])) == U64(1):
            continue
        if views[i].viewer == NOBODY:
            try_moves(views[i], path, depth, sums[i])
            continue
        for _ in range(samples):
            world[0] = views[i]
            streams[i] = determinise_in_place(world[0], unseen, streams[i])
            try_moves(world[0], path, depth, sums[i])


@kernel
def best_moves(views: States, sums: np.ndarray, moves: np.ndarray) -> None:
    """Write the move with the greatest sum of each view, greedy's among equals.

    Args:
        views: [N] records.
        sums: [N, MAX_OFFER] float64, by place in the offer.
        moves: [N] int64.
    """
    for i in range(len(views)):
        phase, offer = views[i].phase, offer_of(views[i])
        greedy, best = greedy_move(views[i]), -1.0
        for n in range(I64(offer_size(offer))):
            move = nth_move(phase, offer, U64(n))
            if sums[i, n] > best or (sums[i, n] == best and move == greedy):
                best = sums[i, n]
                moves[i] = move
