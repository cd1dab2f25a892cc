"""Playouts for the searches: a round finished by greedy, and what its end is worth to each seat."""

import math

import numpy as np

from agents.greedy_kernels import greedy_move, greedy_move_by
from agents.jit import helper
from agents.steps import do_move
from red7_env.game.bits import I64, U64, popcount
from red7_env.game.deal import all_cards, best_set_of, scored_cards
from red7_env.game.keys import points_of
from red7_env.game.state import ROUND_OVER, State, seats_of

_POINTS_SCALE = 0.4
"""Share of the target by which a seat must be ahead for odds of e to 1, fitted to matches between greedy agents."""


@helper
def play_greedily(state: State) -> None:
    """Play a full state to the end of its round by greedy moves, in place."""
    while state.phase < ROUND_OVER:
        do_move(state, greedy_move(state))


@helper
def play_on(state: State, seat: int) -> None:
    """Play a full state to the end of its round: ``greedy:choice=freedom`` for one seat, the others greedy."""
    while state.phase < ROUND_OVER:
        do_move(state, greedy_move_by(state, state.to_move == seat))


@helper
def end_values(state: State, values: np.ndarray) -> None:
    """Write what a finished round is worth to each seat: its chance to win the game; together they are 1.

    A single round is won or lost. A match that ends with the round is shared by the highest scores. In one that goes
    on the chances are a softmax over the points: between two players a logistic function of their difference.

    Args:
        state: A state whose round is over and not yet scored.
        values: [4] float64.
    """
    seats, winner = seats_of(state), I64(state.winner)
    values[:] = 0.0
    if not state.match:
        values[winner] = 1.0
        return
    best_set = best_set_of(state, winner)
    most = 0
    for seat in range(seats):
        points = points_of(state.scored[seat]) + (points_of(best_set) if seat == winner else 0)
        values[seat] = points
        most = max(most, points)
    left = popcount(all_cards(state) & ~scored_cards(state) & ~best_set)
    last = most >= state.target or left < U64(state.players * (state.hand_size + 1))
    total = 0.0
    for seat in range(seats):
        behind = (most - values[seat]) / (_POINTS_SCALE * max(1, I64(state.target)))
        values[seat] = (1.0 if behind == 0.0 else 0.0) if last else math.exp(-behind)
        total += values[seat]
    for seat in range(seats):
        values[seat] /= total
