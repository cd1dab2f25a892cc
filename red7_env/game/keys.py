"""Who leads: the worth of a palette under all seven rules at once.

A palette's worth under a rule is its key ``cards in the best set << 6 | 1 + bit of the set's highest card``, or 0
without a qualifying card. Greater key leads; no two palettes share a key, since no two cards are equal. The keys lie in
16-bit lanes of two words, in the order of the colours that bring the rules: violet, indigo, blue, green in the low
word, yellow, orange, red in the high one. So a set of rules is a set of colours, and all rules are compared at once.
"""

import numpy as np

from red7_env.game.bits import (
    BYTE,
    I64,
    ONE,
    SEVEN,
    STRIPE,
    U64,
    ZERO,
    colours_of,
    low_bit,
    numbers_of,
    popcount,
    top_bit,
)
from red7_env.game.jit import helper, inlined
from red7_env.game.state import State, seats_of

VIOLET, INDIGO, BLUE, GREEN, YELLOW, ORANGE, RED = range(7)
EVEN_CARDS = U64(0x00007F007F007F00)
LOW_CARDS = U64(0x00000000007F7F7F)

_LANE = U64(16)
_LANE_SIGNS = U64(0x8000800080008000)
_LANE_ONES = U64(0x0001000100010001)
_LANE_MASK = U64(0xFFFF)
_GATHER_LANES = U64(1 << 48 | 1 << 33 | 1 << 18 | 1 << 3)


def _longest_runs() -> np.ndarray:
    """Table over sets of numbers: ``length << 3 | top`` of the longest run, the higher of equals, top 0-6."""
    table = np.zeros(128, np.uint8)
    for numbers in range(1, 128):
        best = 0
        for top in range(7):
            length = 0
            while top - length >= 0 and numbers >> (top - length) & 1:
                length += 1
            if length:
                best = max(best, length << 3 | top)
        table[numbers] = best
    return table


RUNS = _longest_runs()


@inlined
def key(cards: U64) -> U64:
    """Return the key of a set that counts as a whole: all its cards, by its highest."""
    return popcount(cards) << U64(6) | (top_bit(cards) + ONE)


@inlined
def run_key(palette: U64, numbers: U64) -> U64:
    """Return the Indigo key, given the palette's numbers: the longest run, the highest colour of its top number."""
    run = U64(RUNS[numbers])
    top = (run & SEVEN) << U64(3)
    highest = top_bit((palette >> top) & BYTE)
    return (run >> U64(3)) << U64(6) | (top + highest + ONE)


@inlined
def keys_with(high: U64, palette: U64, bit: U64, numbers: U64, colours: U64) -> tuple[U64, U64]:
    """Return the keys of ``palette`` once a card has come to it.

    Args:
        high: High word of the keys before (the low word is quicker made anew).
        palette: The palette, the new card included.
        bit: The new card's bit index.
        numbers: The palette's numbers, as ``numbers_of`` gives them.
        colours: The palette's colours, as ``colours_of`` gives them.
    """
    number_byte = bit & ~SEVEN
    same_number = palette & (BYTE << number_byte)
    same_colour = palette & (STRIPE << (bit & SEVEN))
    top = top_bit(palette) + ONE
    violet = key(palette & LOW_CARDS)
    green = key(palette & EVEN_CARDS)
    blue = popcount(colours) << U64(6) | top
    low = violet | run_key(palette, numbers) << _LANE | blue << U64(32) | green << U64(48)
    # Only the sets with the new card can have become better.
    yellow = max(high & _LANE_MASK, key(same_colour))
    orange = max((high >> _LANE) & _LANE_MASK, key(same_number))
    return low, yellow | orange << _LANE | (U64(64) | top) << U64(32)


@inlined
def keys_after(high: U64, palette: U64, bit: U64) -> tuple[U64, U64]:
    """Return the keys of ``palette`` once a card has come to it; see ``keys_with``."""
    return keys_with(high, palette, bit, numbers_of(palette), colours_of(palette))


@helper
def keys_of(palette: U64) -> tuple[U64, U64]:
    """Return the keys of a whole palette, of zeros for an empty one."""
    low, high, seen, left = ZERO, ZERO, ZERO, palette
    while left != ZERO:
        bit = low_bit(left)
        left &= left - ONE
        seen |= ONE << bit
        low, high = keys_after(high, seen, bit)
    return low, high


@inlined
def greater(left: U64, right: U64) -> U64:
    """Return the lanes, as four bits, in which ``left`` is greater than ``right``."""
    not_greater = ((right | _LANE_SIGNS) - left) & _LANE_SIGNS
    return (((~not_greater & _LANE_SIGNS) >> U64(15)) * _GATHER_LANES) >> U64(48)


@inlined
def rules_led(low: U64, high: U64, rival_low: U64, rival_high: U64) -> U64:
    """Return the set of rules, as seven bits by colour, under which these keys beat the rivals' best."""
    return greater(low, rival_low) | greater(high, rival_high) << U64(4)


@inlined
def lane_maximum(left: U64, right: U64) -> U64:
    """Return the greater of both in each lane."""
    at_least = ((left | _LANE_SIGNS) - right) & _LANE_SIGNS
    chosen = (at_least - (at_least >> U64(15))) | at_least
    return (left & chosen) | (right & ~chosen)


@inlined
def best_rivals(state: State, seat: int) -> tuple[U64, U64]:
    """Return the best keys of all other seats; seats that are out have keys of zero."""
    low, high = ZERO, ZERO
    for other in range(seats_of(state)):
        if other != seat:
            low = lane_maximum(low, state.keys[other, 0])
            high = lane_maximum(high, state.keys[other, 1])
    return low, high


@inlined
def key_in(low: U64, high: U64, rule: int) -> U64:
    """Return the key under one rule from two words of seven."""
    return ((high if rule > GREEN else low) >> U64((rule & 3) * 16)) & _LANE_MASK


@inlined
def key_under(state: State, seat: int, rule: int) -> U64:
    """Return a seat's key under one rule."""
    return (state.keys[seat, rule >> 2] >> U64((rule & 3) * 16)) & _LANE_MASK


@inlined
def leader_of(state: State) -> int:
    """Return the seat that leads under the rule in force, or -1 (nobody has a qualifying card)."""
    best, leader = ZERO, -1
    for seat in range(seats_of(state)):
        worth = key_under(state, seat, state.rule)
        if worth > best:
            best, leader = worth, seat
    return leader


@helper
def _best_group(palette: U64, by_colour: bool) -> U64:
    """Return the best set of one colour, or of one number."""
    best, chosen = ZERO, ZERO
    for place in range(7):
        group = STRIPE << U64(place) if by_colour else BYTE << U64(8 * place)
        group &= palette
        if group != ZERO and key(group) > best:
            best, chosen = key(group), group
    return chosen


@helper
def _highest_of_each_colour(palette: U64) -> U64:
    chosen = ZERO
    for colour in range(7):
        stripe = palette & (STRIPE << U64(colour))
        if stripe != ZERO:
            chosen |= ONE << top_bit(stripe)
    return chosen


@helper
def _run_cards(palette: U64) -> U64:
    run = I64(RUNS[numbers_of(palette)])
    top, length = run & 7, run >> 3
    chosen = ZERO
    for number in range(top - length + 1, top + 1):
        chosen |= ONE << top_bit(palette & (BYTE << U64(8 * number)))
    return chosen


@helper
def best_set(palette: U64, rule: int) -> U64:  # noqa: PLR0911 - one exit a rule reads best
    """Return the set that counts under a rule: rules.md section 3, ties included; empty if no card qualifies."""
    if palette == ZERO:
        return ZERO
    if rule == VIOLET:
        return palette & LOW_CARDS
    if rule == INDIGO:
        return _run_cards(palette)
    if rule == BLUE:
        return _highest_of_each_colour(palette)
    if rule == GREEN:
        return palette & EVEN_CARDS
    if rule == RED:
        return ONE << top_bit(palette)
    return _best_group(palette, rule == YELLOW)


@inlined
def points_of(cards: U64) -> int:
    """Return the sum of the numbers of a card set."""
    total = 0
    for number in range(7):
        total += (number + 1) * I64(popcount((cards >> U64(8 * number)) & BYTE))
    return total
