"""Compiled parts of Deep Monte Carlo: rows for the fitted start, and games of a batch that are played on."""

import numpy as np

from agents.greedy_kernels import greedy_move
from agents.learned.afterstates import list_turns, make_turn, write_after, known_value
from agents.playouts import end_values, play_on
from agents.steps import do_move, offered
from experiments.train.jit import kernel
from red7_env.game import States
from red7_env.game.bits import I64, U64
from red7_env.game.choice import offer_size
from red7_env.game.deal import deal_round, next_round
from red7_env.game.state import ROUND_OVER, seats_of
from red7_env.game.streams import advanced, below, mixed, move_stream_start, stream_start
from red7_env.game.views import determinise_in_place, hide
from red7_env.observation.borrowed import borrowed


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
    tried: it is done in ``playouts`` worlds that fit what its seat knows and played out.

    Args:
        blank: [1] record of the rules without cards.
        seed: uint64.
        game: Number of the first game of this seed.
        chance: Share of random turns, 0 to 1.
        playouts: Worlds for each row.
        layouts: ``observation.table.layout`` of the rules.
        room: [MOST_MOVES + 4] records.
        turns: [MOST_TURNS, MOST_MOVES] uint8.
        after: [MOST_TURNS] records.
        out: [M, size] uint8, observations.
        targets: [M] float32, the part of the game that is won, 0 to 1.

    Returns:
        The number of the next game.
    """
    flat, rows = borrowed(out.reshape(-1)), 0
    unseen, values = np.empty(49, np.uint8), np.empty(4, np.float64)
    state, view, world = room[len(room) - 1], room[len(room) - 2], room[len(room) - 3]
    threshold = U64(chance * 2.0**63)
    while rows < len(out):
        room[len(room) - 1] = blank[0]
        state.rng = stream_start(U64(seed), U64(game))
        stream = move_stream_start(U64(seed), U64(game))
        game += 1
        deal_round(state)
        while state.phase <= ROUND_OVER:
            if state.phase == ROUND_OVER:
                if not state.match:
                    break
                next_round(state)
                continue
            if offer_size(offered(state)) == U64(1):
                do_move(state, greedy_move(state))
                continue
            stream = advanced(stream)
            word = mixed(stream)
            strays, shows = word >> U64(1) < threshold, word & U64(1) == U64(1)
            if not strays and not shows:
                do_move(state, greedy_move(state))
                continue
            seat = I64(state.to_move)
            room[len(room) - 2] = state
            hide(view, seat)
            count = list_turns(view, room, turns, after, 0)
            if shows and rows < len(out):
                stream = advanced(stream)
                chosen = I64(below(mixed(stream), U64(count)))
                total = known_value(after[chosen], seat)
                if total != total:
                    total = 0.0
                    for _ in range(playouts):
                        room[len(room) - 3] = view
                        stream = determinise_in_place(world, unseen, stream)
                        make_turn(world, turns[chosen])
                        play_on(world, seat)
                        end_values(world, values)
                        total += values[seat]
                    total /= playouts
                    write_after(after[chosen], seat, layouts[0], flat, rows * out.shape[1])
                    targets[rows] = total
                    rows += 1
            if strays:
                stream = advanced(stream)
                make_turn(state, turns[I64(below(mixed(stream), U64(count)))])
            else:
                do_move(state, greedy_move(state))
    return game
