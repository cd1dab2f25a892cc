"""The encoder's compiled entry points. They read full states and views alike, and of a full state nothing hidden."""

import numpy as np
from numpy.typing import NDArray

from red7_env.game.bits import I64, ZERO
from red7_env.game.choice import Offer, write_cards
from red7_env.game.jit import inlined, kernel
from red7_env.game.offer import offer_of
from red7_env.game.state import NOBODY, State, States
from red7_env.observation.base import seat_after, write_base, write_deck
from red7_env.observation.borrowed import borrowed
from red7_env.observation.derived import write_derived
from red7_env.observation.table import Layout


@inlined
def write_observation_of(state: State, seat: int, layout: Layout, out: np.ndarray, row: int, offer: Offer) -> None:
    """Write one observation, given what the seat is offered.

    Args:
        state: The game, or the seat's view of it.
        seat: The observing seat.
        layout: The rules' and features' ``table.LAYOUT`` record.
        out: Flat uint8 buffer.
        row: Index of the observation's first byte in it.
        offer: ``offer_of`` the state where the seat is to move, else zeros.
    """
    write_base(state, seat, layout, out, row)
    if layout.offered_plays >= 0:
        write_derived(state, seat, layout, out, row, offer)


@inlined
def write_observation(state: State, seat: int, layout: Layout, out: np.ndarray, row: int) -> None:
    """Write one observation of any seat; see ``write_observation_of``."""
    offer = (ZERO, ZERO, ZERO)
    if layout.offered_plays >= 0 and seat == I64(state.to_move):
        offer = offer_of(state)
    write_observation_of(state, seat, layout, out, row, offer)


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
def encode_many(states: States, seats: NDArray[np.int64], layouts: NDArray[np.void], out: np.ndarray) -> int:
    """Write one observation of each game.

    Args:
        states: [N] states or views.
        seats: [N] observing seats.
        layouts: ``table.layout`` of the first record's rules.
        out: [N, size] uint8; nothing is written if a record is refused.

    Returns:
        -1, or the index of the first record of other rules than the first, without such a seat, or of another seat.
    """
    for i in range(len(states)):
        if not (_same_rules(states[i], states[0]) and _is_fit(states[i], seats[i])):
            return i
    flat = borrowed(out.reshape(-1))
    for i in range(len(states)):
        write_observation(states[i], seats[i], layouts[0], flat, i * out.shape[1])
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
    flat = borrowed(out.reshape(-1))
    for i in range(len(states)):
        row = i * out.shape[1] + at
        players = I64(states[i].players)
        for steps in range(1, players):
            write_cards(flat, row + 49 * (steps - 1), states[i].hands[seat_after(seats[i], steps, players)])
        row += 49 * (players - 1)
        flat[row : row + 14 * depths] = 0
        write_deck(states[i], min(I64(states[i].deck_size), depths), flat, row, row + 7 * depths)
