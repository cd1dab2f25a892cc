"""The ``base`` pieces: all that the observing seat knows, written straight into the caller's buffer.

Where each piece lies is read from ``table.layout``. Writes of eight bytes may reach past the end of a small piece;
pieces are written in the order of the table, so the next one covers that, and the last one, a card set, is exact.
"""

import numpy as np

from red7_env.game.bits import BYTE, EIGHT, I64, ONE, SEVEN, U64, ZERO, bit_of, popcount, spread, store_8
from red7_env.game.choice import write_cards
from red7_env.game.jit import helper, inlined
from red7_env.game.keys import points_of
from red7_env.game.state import NO_ACTIONS, PILE_SIZE, UNKNOWN, State
from red7_env.observation.table import Layout


@inlined
def seat_after(seat: int, steps: int, players: int) -> int:
    """Return the seat ``steps`` (at most ``players``) after ``seat`` in turn order."""
    # Without a branch, which would be guessed wrong half of the time: the sign is spread over the whole word.
    seat += steps - players
    return seat + (players & (seat >> 63))


@helper
def write_count(out: np.ndarray, at: int, count: int, width: int) -> None:
    """Write ``width`` (at most 56) bytes that begin with ``count`` ones; up to seven more bytes become 0."""
    ones = (ONE << U64(min(count, width))) - ONE
    store_8(out, at, spread(ones & BYTE))
    place = 7
    while place < width:  # a range with a step would divide
        ones >>= SEVEN
        store_8(out, at + place, spread(ones & BYTE))
        place += 7


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
def _write_turn(state: State, seat: int, layout: Layout, out: np.ndarray, row: int) -> None:
    """Write who is in, who moves and what is asked."""
    players = I64(state.players)
    phases_below = U64(layout.phase_bits) & ((ONE << U64(state.phase)) - ONE)
    store_8(out, row + layout.phase, ONE << (EIGHT * popcount(phases_below)))
    mover = seat_after(I64(state.to_move), players - seat, players)
    store_8(out, row + layout.to_move, ONE << U64(8 * mover))
    seats = U64(state.seats_in)
    seats = (seats >> U64(seat) | seats << U64(players - seat)) & ((ONE << U64(players)) - ONE)
    store_8(out, row + layout.seats_in, spread(seats))
    store_8(out, row + layout.rule, ONE << U64(8 * state.rule))


@inlined
def _write_numbers(state: State, seat: int, layout: Layout, out: np.ndarray, row: int) -> None:
    """Write sizes, rounds and points."""
    players = I64(state.players)
    at, width = row + layout.hand_sizes, layout.hand_sizes_bits
    for steps in range(players):
        write_count(out, at + steps * width, I64(state.hand_sizes[seat_after(seat, steps, players)]), width)
    if layout.deck_size >= 0:
        write_count(out, row + layout.deck_size, I64(state.deck_size), layout.deck_size_bits)
    if layout.round >= 0:
        write_count(out, row + layout.round, I64(state.round), layout.round_bits)
        at, width = row + layout.points, layout.points_bits
        for steps in range(players):
            write_count(out, at + steps * width, points_of(state.scored[seat_after(seat, steps, players)]), width)


@inlined
def write_deck(state: State, count: int, out: np.ndarray, numbers: int, colours: int) -> None:
    """Set number and colour of the deck's first ``count`` cards, seven bytes of 0 a card before, from the top."""
    top = PILE_SIZE - I64(state.deck_size)
    for depth in range(count):
        card = I64(state.pile[top + depth])
        out[numbers + 7 * depth + card // 7] = 1
        out[colours + 7 * depth + card % 7] = 1


@helper
def _write_known_deck(state: State, layout: Layout, out: np.ndarray, row: int) -> None:
    """Write the known cards on top of the deck, in order."""
    numbers, colours = row + layout.deck_top_numbers, row + layout.deck_top_colours
    out[numbers : row + layout.hand] = 0
    depths = (colours - numbers) // 7
    write_deck(state, min(I64(state.deck_known), depths), out, numbers, colours)


@inlined
def _write_card_sets(state: State, seat: int, layout: Layout, out: np.ndarray, row: int) -> None:
    """Write everything that is a set of cards."""
    players = I64(state.players)
    write_cards(out, row + layout.hand, state.hands[seat])
    for steps in range(players):
        write_cards(out, row + layout.palettes + 49 * steps, state.palettes[seat_after(seat, steps, players)])
    write_cards(out, row + layout.canvas, canvas_cards(state))
    if layout.scored >= 0:
        for steps in range(players):
            write_cards(out, row + layout.scored + 49 * steps, state.scored[seat_after(seat, steps, players)])
    if layout.last_played >= 0:
        last = ZERO if state.last == UNKNOWN else bit_of(I64(state.last))
        write_cards(out, row + layout.last_played, last)
        for steps in range(players):
            known = state.known[seat_after(seat, steps, players)]
            write_cards(out, row + layout.known_in_hands + 49 * steps, known)
        write_cards(out, row + layout.known_in_deck, known_deck_cards(state))


@helper
def write_base(state: State, seat: int, layout: Layout, out: np.ndarray, row: int) -> None:
    """Write the ``base`` pieces of one observation.

    Args:
        state: The game, or the seat's view of it.
        seat: The observing seat.
        layout: The rules' and features' ``table.LAYOUT`` record.
        out: Flat uint8 buffer.
        row: Index of the observation's first byte in it.
    """
    _write_turn(state, seat, layout, out, row)
    _write_numbers(state, seat, layout, out, row)
    if state.edition != NO_ACTIONS:
        out[row + layout.hoped] = state.hoped
        _write_known_deck(state, layout, out, row)
    _write_card_sets(state, seat, layout, out, row)
