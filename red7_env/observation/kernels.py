"""The encoder's compiled entry points. They read full states and views alike, and of a full state nothing hidden."""

import numpy as np
from numpy.typing import NDArray

from red7_env.game.bits import I64, ZERO
from red7_env.game.choice import write_cards
from red7_env.game.jit import inlined, kernel
from red7_env.game.offer import offer_of
from red7_env.game.state import NOBODY, State, States
from red7_env.observation.base import seat_after, write_base, write_deck
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


@kernel
def encode_hidden_many(states: States, seats: NDArray[np.int64], at: int, depths: int, out: np.ndarray) -> None:
    """Write what the seats do not see, behind their observations.

    Args:
        states: [N] full states, accepted by ``encode_many``.
        seats: [N] observing seats.
        at: Index of the first byte in each row.
        depths: How many cards of the deck have room; 0 to leave it out.
        out: [N, size] uint8.
    """
    flat = out.reshape(-1)
    for i in range(len(states)):
        row = i * out.shape[1] + at
        players = I64(states[i].players)
        for steps in range(1, players):
            write_cards(flat, row + 49 * (steps - 1), states[i].hands[seat_after(seats[i], steps, players)])
        row += 49 * (players - 1)
        flat[row : row + 14 * depths] = 0
        write_deck(states[i], min(I64(states[i].deck_size), depths), flat, row, row + 7 * depths)
