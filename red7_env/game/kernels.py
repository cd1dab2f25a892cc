"""The engine's compiled entry points: the same ones for a single game (an array of one) and for a million.

All take C-contiguous arrays, work in place and release the GIL. They trust shapes and dtypes; ``batch`` checks them.
"""

import numpy as np

from red7_env.game.bits import I64, U64
from red7_env.game.choice import nth_move, offer_size, random_move, write_mask
from red7_env.game.deal import best_set_of, deal_round, final_points_of, next_round, score_round, weigh
from red7_env.game.jit import inlined, kernel
from red7_env.game.keys import leader_of
from red7_env.game.moves import NUM_MOVES
from red7_env.game.offer import offer_of
from red7_env.game.state import MATCH_OVER, NO_ACTIONS, NOBODY, ROUND_OVER, State, States, seats_of
from red7_env.game.streams import advanced, mixed, move_stream_start, stream_start, world_stream_start
from red7_env.game.turn import apply_move
from red7_env.game.views import determinise_in_place, hide


@kernel
def deal_many(states: States, seed: U64, first: U64) -> None:
    """Deal games ``first ..`` of ``seed`` into blank records."""
    for i in range(len(states)):
        states[i].rng = stream_start(seed, first + U64(i))
        deal_round(states[i])


@kernel
def seed_many(states: States, seed: U64, first: U64) -> None:
    """Set the shufflers as those of games ``first ..`` of ``seed``."""
    for i in range(len(states)):
        states[i].rng = stream_start(seed, first + U64(i))


@kernel
def weigh_many(states: States) -> None:
    """Compute the palettes' keys of records that were filled by hand."""
    for i in range(len(states)):
        weigh(states[i])


@kernel
def offer_many(states: States, mask: np.ndarray) -> int:
    """Write the offers.

    Args:
        states: [N] records, of the same rules.
        mask: [N, 101 or 248] uint8, 1 = offered, all 0 where the round is over.

    Returns:
        -1, or the index of the first game that has actions while the mask has no place for them.
    """
    flat = mask.reshape(-1)
    for i in range(len(states)):
        if states[i].edition != NO_ACTIONS and mask.shape[1] < NUM_MOVES:
            return i
        write_mask(states[i], offer_of(states[i]), flat, i * mask.shape[1])
    return -1


@kernel
def apply_many(states: States, actions: np.ndarray, mask: np.ndarray) -> int:
    """Do one move in each game, after checking all.

    Args:
        states: [N] full records; unchanged if any move is refused.
        actions: [N] int64 action ids.
        mask: [N, A] uint8, as ``offer_many`` wrote it for these states.

    Returns:
        -1, or the index of the first game whose action is not offered or that is a view.
    """
    for i in range(len(states)):
        action = actions[i]
        if action < 0 or action >= mask.shape[1] or mask[i, action] == 0 or states[i].viewer != NOBODY:
            return i
    for i in range(len(states)):
        apply_move(states[i], actions[i])
    return -1


@kernel
def next_round_many(states: States) -> None:
    """Take every match whose round is over on to its next round, or to its end."""
    for i in range(len(states)):
        if states[i].phase == ROUND_OVER and states[i].match:
            next_round(states[i])


@kernel
def score_round_many(states: States) -> None:
    """Score the finished round of every match without dealing another (for replays)."""
    for i in range(len(states)):
        if states[i].phase == ROUND_OVER and states[i].match:
            score_round(states[i])


@kernel
def leaders(states: States, out: np.ndarray) -> None:
    """Write each game's leading seat into ``out``: [N] int8, -1 where nobody leads."""
    for i in range(len(states)):
        out[i] = leader_of(states[i])


@kernel
def best_sets(states: States, out: np.ndarray) -> None:
    """Write every seat's best set under the rule in force into ``out``: [N, 4] uint64 card sets."""
    for i in range(len(states)):
        for seat in range(seats_of(states[i])):
            out[i, seat] = best_set_of(states[i], seat)


@kernel
def points_many(states: States, out: np.ndarray) -> None:
    """Write every seat's points into ``out``: [N, players] int64; see ``deal.final_points_of``."""
    for i in range(len(states)):
        for seat in range(seats_of(states[i])):
            out[i, seat] = final_points_of(states[i], seat)


@kernel
def hide_many(states: States, seats: np.ndarray) -> None:
    """Turn full states into views in place; ``seats``: [N] int64."""
    for i in range(len(states)):
        hide(states[i], seats[i])


@kernel
def determinise_many(views: States, seed: U64, first: U64) -> None:
    """Turn views into full states that fit, in place, game i by stream ``first + i`` of ``seed``."""
    unseen = np.empty(49, np.uint8)
    for i in range(len(views)):
        determinise_in_place(views[i], unseen, world_stream_start(seed, first + U64(i)))


@inlined
def _play_on(state: State, rng: U64) -> tuple[U64, int]:
    """Play uniformly random offered moves to the end of the game; return the generator's state and the moves made."""
    moves = 0
    while True:
        while state.phase < ROUND_OVER:
            rng = advanced(rng)
            apply_move(state, random_move(state.phase, offer_of(state), mixed(rng)))
            moves += 1
        if state.phase == MATCH_OVER or not state.match:
            return rng, moves
        next_round(state)


@kernel
def playout_many(states: States, seed: U64, first: U64) -> int:
    """Play every game to its end by uniformly random offered moves; return the number of moves made."""
    moves = 0
    for i in range(len(states)):
        moves += _play_on(states[i], move_stream_start(seed, first + U64(i)))[1]
    return moves


@kernel
def random_games(scratch: States, count: int, seed: U64, first: U64, totals: np.ndarray) -> None:
    """Deal and play ``count`` random games of one round in one call, for measurements.

    Args:
        scratch: [1] record that holds the rules; it ends as the last game.
        count: Number of games.
        seed: Seed of the deals (game ``first + i``) and of the moves.
        first: Index of the first game.
        totals: [3 + 4] int64, added to: turns, moves, wins of the seat that began, wins of each seat.
    """
    state = scratch[0]
    rng = move_stream_start(seed, first)
    for i in range(count):
        state.rng = stream_start(seed, first + U64(i))
        deal_round(state)
        beginner = state.to_move
        rng, moves = _play_on(state, rng)
        totals[0] += state.turn - 1
        totals[1] += moves
        totals[2] += state.winner == beginner
        totals[3 + state.winner] += 1


@kernel
def perft(stack: States, depth: int) -> int:
    """Count the move sequences of length ``depth`` from ``stack[0]``; one that ends the round earlier counts once.

    Args:
        stack: [depth + 1] records; all but the first are overwritten.
        depth: Length of the sequences.
    """
    # A loop with a stack, since a recursive function crashes when Numba loads it from its cache.
    tried = np.zeros(depth + 1, np.uint64)
    total, level = 0, 0
    while level >= 0:
        offer = offer_of(stack[level])
        size = offer_size(offer)
        left = depth - level
        if left <= 1 or size == U64(0):
            total += I64(size) if left == 1 and size > U64(0) else 1
            level -= 1
        elif tried[level] == size:
            level -= 1
        else:
            stack[level + 1] = stack[level]
            apply_move(stack[level + 1], nth_move(stack[level].phase, offer, tried[level]))
            tried[level] += U64(1)
            level += 1
            tried[level] = U64(0)
    return total
