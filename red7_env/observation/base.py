"""The ``base`` pieces: all that the observing seat knows, written straight into the caller's buffer.

Where each piece lies is read from ``table.layout``. Writes of eight bytes may reach past the end of a small piece;
pieces are written in the order of the table, so the next one covers that, and the last one, a card set, is exact.
"""

import numpy as np

from red7_env.game.bits import BYTE, EIGHT, I64, ONE, U64, ZERO, bit_of, popcount, spread, store_8
from red7_env.game.choice import write_cards
from red7_env.game.jit import helper, inlined
from red7_env.game.keys import points_of
from red7_env.game.state import NO_ACTIONS, PILE_SIZE, UNKNOWN, State
from red7_env.observation.table import (
    CANVAS,
    DECK_SIZE,
    DECK_TOP_COLOURS,
    DECK_TOP_NUMBERS,
    HAND,
    HAND_SIZES,
    HOPED,
    KNOWN_IN_DECK,
    KNOWN_IN_HANDS,
    LAST_PLAYED,
    PALETTES,
    PHASE,
    POINTS,
    ROUND,
    RULE,
    SCORED,
    SEATS_IN,
    TO_MOVE,
)


@inlined
def seat_after(seat: int, steps: int, players: int) -> int:
    """Return the seat ``steps`` (below ``players``) after ``seat`` in turn order."""
    seat += steps
    return seat - players if seat >= players else seat


@inlined
def write_count(out: np.ndarray, at: int, count: int, width: int) -> None:
    """Write ``width`` (at most 56) bytes that begin with ``count`` ones; up to seven more bytes become 0."""
    ones = (ONE << U64(min(count, width))) - ONE
    for place in range(0, width, 7):
        store_8(out, at + place, spread((ones >> U64(place)) & BYTE))


@inlined
def canvas_cards(state: State) -> U64:
    """Return the set of cards on the canvas."""
    cards = ZERO
    for place in range(I64(state.canvas_size)):
        cards |= bit_of(I64(state.pile[place]))
    return cards


@helper
def known_deck_cards(state: State) -> U64:
    """Return the set of publicly known cards on top of the deck."""
    cards = ZERO
    top = PILE_SIZE - I64(state.deck_size)
    for place in range(top, top + I64(state.deck_known)):
        cards |= bit_of(I64(state.pile[place]))
    return cards


@inlined
def _write_turn(state: State, seat: int, layout: np.ndarray, out: np.ndarray, row: int) -> None:
    """Write who is in, who moves and what is asked."""
    players = I64(state.players)
    phases_below = U64(layout[PHASE, 1]) & ((ONE << U64(state.phase)) - ONE)
    store_8(out, row + layout[PHASE, 0], ONE << (EIGHT * popcount(phases_below)))
    mover = I64(state.to_move) - seat
    mover += players if mover < 0 else 0
    store_8(out, row + layout[TO_MOVE, 0], ONE << U64(8 * mover))
    seats = U64(state.seats_in)
    seats = (seats >> U64(seat) | seats << U64(players - seat)) & ((ONE << U64(players)) - ONE)
    store_8(out, row + layout[SEATS_IN, 0], spread(seats))
    store_8(out, row + layout[RULE, 0], ONE << U64(8 * state.rule))


@inlined
def _write_numbers(state: State, seat: int, layout: np.ndarray, out: np.ndarray, row: int) -> None:
    """Write sizes, rounds and points."""
    players = I64(state.players)
    at, width = row + layout[HAND_SIZES, 0], layout[HAND_SIZES, 1]
    for steps in range(players):
        write_count(out, at + steps * width, I64(state.hand_sizes[seat_after(seat, steps, players)]), width)
    if layout[DECK_SIZE, 0] >= 0:
        write_count(out, row + layout[DECK_SIZE, 0], I64(state.deck_size), layout[DECK_SIZE, 1])
    if layout[ROUND, 0] >= 0:
        write_count(out, row + layout[ROUND, 0], I64(state.round), layout[ROUND, 1])
        at, width = row + layout[POINTS, 0], layout[POINTS, 1]
        for steps in range(players):
            write_count(out, at + steps * width, points_of(state.scored[seat_after(seat, steps, players)]), width)


@helper
def _write_known_deck(state: State, layout: np.ndarray, out: np.ndarray, row: int) -> None:
    """Write the known cards on top of the deck, in order."""
    numbers, colours = row + layout[DECK_TOP_NUMBERS, 0], row + layout[DECK_TOP_COLOURS, 0]
    out[numbers : row + layout[HAND, 0]] = 0
    top = PILE_SIZE - I64(state.deck_size)
    depths = (layout[DECK_TOP_COLOURS, 0] - layout[DECK_TOP_NUMBERS, 0]) // 7
    for depth in range(min(I64(state.deck_known), depths)):
        card = I64(state.pile[top + depth])
        out[numbers + 7 * depth + card // 7] = 1
        out[colours + 7 * depth + card % 7] = 1


@inlined
def _write_card_sets(state: State, seat: int, layout: np.ndarray, out: np.ndarray, row: int) -> None:
    """Write everything that is a set of cards."""
    players = I64(state.players)
    write_cards(out, row + layout[HAND, 0], state.hands[seat])
    for steps in range(players):
        write_cards(out, row + layout[PALETTES, 0] + 49 * steps, state.palettes[seat_after(seat, steps, players)])
    write_cards(out, row + layout[CANVAS, 0], canvas_cards(state))
    if layout[SCORED, 0] >= 0:
        for steps in range(players):
            write_cards(out, row + layout[SCORED, 0] + 49 * steps, state.scored[seat_after(seat, steps, players)])
    if layout[LAST_PLAYED, 0] >= 0:
        last = ZERO if state.last == UNKNOWN else bit_of(I64(state.last))
        write_cards(out, row + layout[LAST_PLAYED, 0], last)
        for steps in range(players):
            known = state.known[seat_after(seat, steps, players)]
            write_cards(out, row + layout[KNOWN_IN_HANDS, 0] + 49 * steps, known)
        write_cards(out, row + layout[KNOWN_IN_DECK, 0], known_deck_cards(state))


@helper
def write_base(state: State, seat: int, layout: np.ndarray, out: np.ndarray, row: int) -> None:
    """Write the ``base`` pieces of one observation.

    Args:
        state: The game, or the seat's view of it.
        seat: The observing seat.
        layout: ``table.layout`` of the rules and features.
        out: Flat uint8 buffer.
        row: Index of the observation's first byte in it.
    """
    _write_turn(state, seat, layout, out, row)
    _write_numbers(state, seat, layout, out, row)
    if state.edition != NO_ACTIONS:
        out[row + layout[HOPED, 0]] = state.hoped
        _write_known_deck(state, layout, out, row)
    _write_card_sets(state, seat, layout, out, row)
