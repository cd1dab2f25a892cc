"""The ``derived`` pieces: what follows by the rules from what the observing seat knows."""

import numpy as np

from red7_env.game.bits import BYTE, I64, U64, ZERO, popcount, spread, store_8
from red7_env.game.choice import Offer, write_cards, write_mask
from red7_env.game.deal import all_cards
from red7_env.game.jit import helper, inlined
from red7_env.game.keys import best_rivals, key_in, rules_led
from red7_env.game.reach import cards_leading
from red7_env.game.state import State, seats_of
from red7_env.observation.base import canvas_cards, known_deck_cards, seat_after
from red7_env.observation.table import COUNT_LEVELS, Layout

_SIZES = np.array([sum(1 << 8 * bit for bit in range(min(size, 7))) for size in range(64)], np.uint64)
_COUNTS = np.array(
    [sum(1 << 8 * bit for bit, level in enumerate(COUNT_LEVELS) if count >= level) for count in range(64)], np.uint64
)


@helper
def unseen_by(state: State, seat: int) -> U64:
    """Return the cards whose place the seat does not know: in other hands, in the deck, or gone with a seat."""
    seen = state.hands[seat] | canvas_cards(state) | known_deck_cards(state)
    for other in range(seats_of(state)):
        seen |= state.palettes[other] | state.known[other] | state.scored[other]
    return all_cards(state) & ~seen


@inlined
def _possible_hand(state: State, seat: int, unseen: U64) -> U64:
    """Return the cards that may be in the hand of another seat that is in."""
    known = state.known[seat]
    if I64(popcount(known)) == I64(state.hand_sizes[seat]):
        return known
    return known | unseen


@inlined
def _write_threats(state: State, seat: int, unseen: U64, out: np.ndarray, counts: int, cards: int) -> None:
    """Write with which cards another seat would lead.

    Args:
        state: The game.
        seat: The other seat.
        unseen: ``unseen_by`` of the observing seat.
        out: Flat uint8 buffer.
        counts: Where the counts under each rule lie in it.
        cards: Where the cards under the rule in force lie in it.
    """
    possible = _possible_hand(state, seat, unseen) if state.seats_in >> seat & 1 else ZERO
    low, high = best_rivals(state, seat)
    own_low, own_high = state.keys[seat, 0], state.keys[seat, 1]
    led = rules_led(own_low, own_high, low, high)
    threats = ZERO
    for rule in range(7):
        leading = possible & cards_leading(state.palettes[seat], own_low, own_high, led, rule, low, high)
        store_8(out, counts + 7 * rule, _COUNTS[popcount(leading)])
        threats |= leading if rule == state.rule else ZERO
    write_cards(out, cards, threats)


@inlined
def _rules_led_by(state: State, seat: int) -> U64:
    """Return the rules under which a seat leads, as bits."""
    low, high = best_rivals(state, seat)
    return rules_led(state.keys[seat, 0], state.keys[seat, 1], low, high) & BYTE


@inlined
def _write_sizes(state: State, seat: int, out: np.ndarray, at: int) -> None:
    """Write the size of a seat's best set under each rule."""
    low, high = state.keys[seat, 0], state.keys[seat, 1]
    for rule in range(7):
        store_8(out, at + 7 * rule, _SIZES[key_in(low, high, rule) >> U64(6)])


@inlined
def _leading_plays(state: State, seat: int) -> U64:
    """Return the own hand cards that would lead at once if played."""
    if not state.seats_in >> seat & 1:
        return ZERO
    low, high = best_rivals(state, seat)
    own_low, own_high = state.keys[seat, 0], state.keys[seat, 1]
    led = rules_led(own_low, own_high, low, high)
    return state.hands[seat] & cards_leading(state.palettes[seat], own_low, own_high, led, I64(state.rule), low, high)


@helper
def write_derived(state: State, seat: int, layout: Layout, out: np.ndarray, row: int, offer: Offer) -> None:
    """Write the pieces that ``derived`` has more than ``base``.

    Args:
        state: The game, or the seat's view of it.
        seat: The observing seat.
        layout: The rules' and features' ``table.LAYOUT`` record.
        out: Flat uint8 buffer.
        row: Index of the observation's first byte in it.
        offer: What the seat is offered (``game.offer``), zeros off turn.
    """
    players = I64(state.players)
    leads, sizes = row + layout.leads_under, row + layout.set_sizes
    counts, threats = row + layout.threat_counts, row + layout.threats
    # All of a kind before the next kind, in the order of the table: each write may reach into what follows.
    for steps in range(players):
        store_8(out, leads + 7 * steps, spread(_rules_led_by(state, seat_after(seat, steps, players))))
    for steps in range(players):
        _write_sizes(state, seat_after(seat, steps, players), out, sizes + 49 * steps)
    unseen = unseen_by(state, seat)
    for steps in range(1, players):
        other = seat_after(seat, steps, players)
        _write_threats(state, other, unseen, out, counts + 49 * (steps - 1), threats + 49 * (steps - 1))
    write_cards(out, row + layout.leading_plays, _leading_plays(state, seat))
    write_mask(state, offer, out, row + layout.offered_plays)
