"""The encoder's compiled entry points. They read full states and views alike, and of a full state nothing hidden."""

import numpy as np
from numpy.typing import NDArray

from red7_env.game.bits import I64, ZERO
from red7_env.game.jit import inlined, kernel
from red7_env.game.offer import offer_of
from red7_env.game.state import NOBODY, State, States
from red7_env.observation.base import write_base
from red7_env.observation.derived import write_derived
from red7_env.observation.table import OFFERED_PLAYS


@inlined
def write_observation(state: State, seat: int, layout: np.ndarray, out: np.ndarray, row: int) -> None:
    """Write one observation.

    Args:
        state: The game, or the seat's view of it.
        seat: The observing seat.
        layout: ``table.layout`` of the rules and features.
        out: Flat uint8 buffer.
        row: Index of the observation's first byte in it.
    """
    write_base(state, seat, layout, out, row)
    if layout[OFFERED_PLAYS, 0] >= 0:
        first, second, flags = ZERO, ZERO, ZERO
        if seat == I64(state.to_move):
            first, second, flags = offer_of(state)
        write_derived(state, seat, layout, out, row, first, second, flags)


@inlined
def _is_fit(state: State, seat: int) -> bool:
    """Tell whether a record has such a seat and holds what the seat knows."""
    if seat < 0 or seat >= state.players:
        return False
    return state.viewer == NOBODY or I64(state.viewer) == seat


@inlined
def _same_rules(state: State, other: State) -> bool:
    """Tell whether two records are of the same rules."""
    return (
        state.players == other.players
        and state.draws == other.draws
        and state.edition == other.edition
        and state.match == other.match
        and state.colours == other.colours
        and state.numbers == other.numbers
        and state.hand_size == other.hand_size
    )


@kernel
def encode_many(states: States, seats: NDArray[np.int64], layout: np.ndarray, out: np.ndarray) -> int:
    """Write one observation of each game.

    Args:
        states: [N] states or views.
        seats: [N] observing seats.
        layout: ``table.layout`` of the first record's rules.
        out: [N, size] uint8; nothing is written if a record is refused.

    Returns:
        -1, or the index of the first record of other rules than the first, without such a seat, or of another seat.
    """
    for i in range(len(states)):
        if not (_same_rules(states[i], states[0]) and _is_fit(states[i], seats[i])):
            return i
    flat = out.reshape(-1)
    for i in range(len(states)):
        write_observation(states[i], seats[i], layout, flat, i * out.shape[1])
    return -1
