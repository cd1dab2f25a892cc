"""Compiled parts of Deep Monte Carlo: the rows of the fitted start."""

import math

import numpy as np

from agents.greedy_kernels import greedy_move
from agents.jit import helper, inlined
from agents.learned.afterstates import MOST_MOVES, known_value, list_turns, make_turn, write_after
from agents.playouts import end_values, play_on
from agents.steps import do_move, offered
from experiments.train.jit import kernel
from red7_env.game import States
from red7_env.game.bits import I64, ONE, U64
from red7_env.game.choice import offer_size
from red7_env.game.deal import deal_round, next_round
from red7_env.game.state import ROUND_OVER, State
from red7_env.game.streams import advanced, below, mixed, move_stream_start, stream_start
from red7_env.game.views import determinise_in_place, hide
from red7_env.observation.borrowed import borrowed

_WORLD, _VIEW, _GAME = MOST_MOVES + 1, MOST_MOVES + 2, MOST_MOVES + 3
ROOM = MOST_MOVES + 4
"""Records of room: those of ``list_turns``, a world, a view and the game."""


@inlined
def _goes_on(state: State) -> bool:
    """Tell whether a game goes on; a round of a match that is over is followed by the next one."""
    while state.phase == ROUND_OVER and state.match:
        next_round(state)
    goes_on: bool = state.phase < ROUND_OVER
    return goes_on


@helper
def _greedy_worth(room: States, turn: np.ndarray, playouts: int, stream: U64) -> tuple[float, U64]:
    """Return which part of the game a turn wins on average if all go on greedily, and the generator's new state.

    Args:
        room: [ROOM] records, with the view and the game.
        turn: [MOST_MOVES] uint8, its moves.
        playouts: How many worlds to draw that fit the view; 0 for the game itself.
        stream: State of a generator.
    """
    unseen, values, total = np.empty(49, np.uint8), np.empty(4, np.float64), 0.0
    world, seat = room[_WORLD], I64(room[_VIEW].to_move)
    for _ in range(max(1, playouts)):
        if playouts == 0:
            room[_WORLD] = room[_GAME]
        else:
            room[_WORLD] = room[_VIEW]
            stream = determinise_in_place(world, unseen, stream)
        make_turn(world, turn)
        play_on(world, seat)
        end_values(world, values)
        total += values[seat]
    return total / max(1, playouts), stream


@kernel
def fitted_rows(
    blank: States,
    seed: int,
    game: int,
    chance: float,
    playouts: int,
    layouts: np.ndarray,
    room: States,
    turns: np.ndarray,
    after: States,
    out: np.ndarray,
    targets: np.ndarray,
) -> int:
    """Write rows (a position after a turn, what it is worth if all go on greedily), from whole games.

    Games are played by greedy with a share of random turns. At every second decision, by chance, a random turn is
    tried and played out.

    Args:
        blank: [1] record of the rules without cards.
        seed: uint64.
        game: Number of the first game of this seed.
        chance: Share of random turns, 0 to 1.
        playouts: Worlds for each row; 0 for the game itself alone.
        layouts: ``observation.table.layout`` of the rules.
        room: [ROOM] records.
        turns: [MOST_TURNS, MOST_MOVES] uint8.
        after: [MOST_TURNS] records.
        out: [M, size] uint8, observations.
        targets: [M] float32, the part of the game that is won, 0 to 1.

    Returns:
        The number of the next game.
    """
    flat, rows, state = borrowed(out.reshape(-1)), 0, room[_GAME]
    while rows < len(out):
        room[_GAME] = blank[0]
        state.rng = stream_start(U64(seed), U64(game))
        stream = move_stream_start(U64(seed), U64(game))
        game += 1
        deal_round(state)
        while _goes_on(state):
            stream = advanced(stream)
            word = mixed(stream)
            strays, tries = word >> U64(1) < U64(chance * 2.0**63), word & ONE == ONE and rows < len(out)
            if not (strays or tries) or offer_size(offered(state)) == ONE:
                do_move(state, greedy_move(state))
                continue
            seat = I64(state.to_move)
            room[_VIEW] = state
            hide(room[_VIEW], seat)
            count = list_turns(room[_VIEW], room, turns, after, 0)
            stream = advanced(stream)
            chosen = I64(below(mixed(stream), U64(count)))
            if tries and math.isnan(known_value(after[chosen], seat)):
                worth, stream = _greedy_worth(room, turns[chosen], playouts, stream)
                targets[rows] = worth
                write_after(after[chosen], seat, layouts[0], flat, rows * out.shape[1])
                rows += 1
            if strays:
                stream = advanced(stream)
                make_turn(state, turns[I64(below(mixed(stream), U64(count)))])
            else:
                do_move(state, greedy_move(state))
    return game
