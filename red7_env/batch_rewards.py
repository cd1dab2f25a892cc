"""What a finished game pays each seat; every game's payments sum to zero.

``win``: the winner gets 1 and each of the n - 1 others -1/(n-1). Seats that share a win share the sum of the places
they take together: w of them get (1 - (w-1)/(n-1)) / w each. ``points``: the own points less the mean of the others'
points. The points are those of the match, or of an advanced single round: there the winner's best set counts and
nothing else.
"""

from typing import Final, Literal

import numpy as np

from red7_env.game.bits import I64, U64, popcount
from red7_env.game.deal import final_points_of
from red7_env.game.errors import shown
from red7_env.game.jit import helper, inlined, kernel
from red7_env.game.rules import Rules
from red7_env.game.state import State, States, seats_of

Reward = Literal["win", "points"]

WIN: Final = 0
POINTS: Final = 1

_KINDS: Final = {"win": WIN, "points": POINTS}


def checked_reward(reward: object, rules: Rules) -> int:
    """Return a kind of reward as the kernels take it, ``WIN`` or ``POINTS``.

    Raises:
        ValueError: If there is no such reward, or no points by these rules.
    """
    if not isinstance(reward, str) or reward not in _KINDS:
        raise ValueError(f"reward: found {shown(reward)}, expected 'win' or 'points'")
    if reward == "points" and not rules.advanced:
        raise ValueError("reward: found 'points' with basic, expected 'win': a basic round has no points")
    return _KINDS[reward]


@inlined
def loss(state: State) -> float:
    """Return what a seat gets that does not win."""
    return -1.0 / (seats_of(state) - 1)


@helper
def write_final_rewards(state: State, reward: int, out: np.ndarray, at: int) -> None:
    """Write what a finished game pays in all, a number a seat, into the flat float32 ``out`` from ``at`` on."""
    players = seats_of(state)
    if reward == POINTS:
        total = 0
        for seat in range(players):
            total += final_points_of(state, seat)
        for seat in range(players):
            own = final_points_of(state, seat)
            out[at + seat] = own - (total - own) / (players - 1)
        return
    winners = I64(popcount(U64(state.winners)))
    share = (1.0 + (winners - 1) * loss(state)) / winners
    for seat in range(players):
        out[at + seat] = share if state.winners >> seat & 1 else loss(state)


@inlined
def write_step_rewards(state: State, seats_before: int, over: bool, reward: int, out: np.ndarray, at: int) -> None:
    """Write what one move pays.

    In a single round for the win a seat that goes out gets its loss at once; all else is paid when the game is over.

    Args:
        state: The game after the move.
        seats_before: ``seats_in`` before it.
        over: Whether the game is over.
        reward: ``WIN`` or ``POINTS``.
        out: Flat float32 buffer.
        at: Index of seat 0 in it.
    """
    if reward == WIN and not state.match:
        gone = seats_before & ~I64(state.seats_in)
        for seat in range(seats_of(state)):
            out[at + seat] = loss(state) if gone >> seat & 1 else 0.0
        if over:
            out[at + I64(state.winner)] = 1.0
    elif over:
        write_final_rewards(state, reward, out, at)
    else:
        for seat in range(seats_of(state)):
            out[at + seat] = 0.0


@kernel
def final_rewards_many(states: States, reward: int, out: np.ndarray) -> None:
    """Write what finished games pay in all into ``out``: [N, players] float32."""
    flat = out.reshape(-1)
    for i in range(len(states)):
        write_final_rewards(states[i], reward, flat, i * out.shape[1])
