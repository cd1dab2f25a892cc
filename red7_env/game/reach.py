"""Which cards take the lead by coming to a palette: all of them weighed at once, rule by rule.

A card that comes to a palette makes some sets one card larger and perhaps raises their highest card. So the cards that
beat a rival's key under one rule are whole groups of cards (a number, a colour, the even ones), or those of a group
from some bit on. Under any rule that is a few operations on words, however many cards there are.

A palette that leads under a rule goes on doing so, whatever card comes: keys only grow.
"""

from typing import Final

import numpy as np

from red7_env.game.bits import (
    ALL,
    BYTE,
    EVERY_BYTE,
    I64,
    ONE,
    SEVEN,
    STRIPE,
    U64,
    ZERO,
    colours_held_twice,
    colours_of,
    numbers_of,
    popcount_bytes,
    transposed,
)
from red7_env.game.jit import inlined
from red7_env.game.keys import BLUE, EVEN_CARDS, GREEN, INDIGO, LOW_CARDS, ORANGE, RUNS, VIOLET, YELLOW, key_in

_EVERYTHING: Final = U64(0xFFFFFFFFFFFFFFFF)
_TOP: Final = U64(63)
"""The part of a key that is one more than the bit of the set's highest card."""
_ONE_CARD: Final = U64(64)
"""What one card more adds to a key."""
_COUNT: Final = U64(6)
"""How far up in a key the number of cards lies."""
_SIGNS: Final = U64(0x8080808080808080)


def _longer_runs() -> np.ndarray:
    """Table over sets of numbers: byte n is 1 more than the ``RUNS`` entry of the set with number n added."""
    table = np.zeros(128, np.uint64)
    for numbers in range(128):
        table[numbers] = sum((int(RUNS[numbers | 1 << number]) + 1) << (8 * number) for number in range(7))
    return table


_LONGER_RUNS = _longer_runs()


@inlined
def _not_below(rival: U64) -> U64:
    """Return the cards that are higher than the highest of the rival's set."""
    return _EVERYTHING << (rival & _TOP)


@inlined
def _raising(key: U64, rival: U64) -> U64:
    """Return the cards that win for a set in which only they may be the highest.

    Args:
        key: The set's key with the number of cards after one has come, and the highest card before.
        rival: The key to beat.
    """
    wanted = I64(rival) - I64(key & ~_TOP)
    return _EVERYTHING << U64(0 if I64(key & _TOP) > wanted else min(wanted, 63))


@inlined
def _at_least(numbers: U64, bound: U64) -> U64:
    """Return the top bits of those bytes that are at least ``bound``; all are below 128."""
    return ((numbers | _SIGNS) - bound * EVERY_BYTE) & _SIGNS


@inlined
def _filled(signs: U64) -> U64:
    """Return the seven lower bits of each byte whose top bit is set."""
    return signs - (signs >> SEVEN)


@inlined
def _by_run(palette: U64, rival: U64) -> U64:
    """Weigh under Indigo."""
    runs, bound = _LONGER_RUNS[numbers_of(palette)], (rival + SEVEN) >> U64(3)
    longer, as_long = _at_least(runs, bound + ONE), _at_least(runs, bound)
    # Of two runs alike the higher colour of their highest number decides.
    higher = _not_below(rival) & (BYTE << ((rival - ONE) & ~SEVEN & _TOP))
    return _filled(longer) | _filled(as_long) & (_EVERYTHING if palette & higher != ZERO else higher)


@inlined
def _by_colours(palette: U64, key: U64, rival: U64) -> U64:
    """Weigh under Blue."""
    shown = colours_of(palette) * STRIPE
    return shown & _raising(key, rival) | ~shown & _raising(key + _ONE_CARD, rival)


@inlined
def _by_colour(palette: U64, rival: U64) -> U64:
    """Weigh under Yellow."""
    higher, size = _not_below(rival), rival >> _COUNT
    counts = popcount_bytes(transposed(palette))
    larger, as_large = _at_least(counts, size), _at_least(counts + EVERY_BYTE, size)
    enough = numbers_of(larger >> SEVEN) | numbers_of(as_large >> SEVEN) & colours_of(palette & higher)
    return enough * STRIPE | numbers_of(as_large >> SEVEN) * STRIPE & higher


@inlined
def _by_number(palette: U64, rival: U64) -> U64:
    """Weigh under Orange."""
    higher, size = _not_below(rival), rival >> _COUNT
    counts = popcount_bytes(palette)
    larger, as_large = _at_least(counts, size), _at_least(counts + EVERY_BYTE, size)
    has_higher = _at_least(palette & higher, ONE)
    return _filled(larger | as_large & has_higher) | _filled(as_large) & higher


@inlined
def cards_leading(palette: U64, low: U64, high: U64, led: U64, rule: int, rival_low: U64, rival_high: U64) -> U64:
    """Return all cards, wherever they are, whose coming to the palette makes it lead under one rule.

    Args:
        palette: The palette.
        low: Low word of its keys.
        high: High word of its keys.
        led: What ``rules_led`` gives for these keys.
        rule: The rule.
        rival_low: Low word of the rivals' best keys.
        rival_high: High word of the rivals' best keys.
    """
    key, rival = key_in(low, high, rule), key_in(rival_low, rival_high, rule)
    if rule == VIOLET:
        cards = LOW_CARDS & _raising(key + _ONE_CARD, rival)
    elif rule == INDIGO:
        cards = _by_run(palette, rival)
    elif rule == BLUE:
        cards = _by_colours(palette, key, rival)
    elif rule == GREEN:
        cards = EVEN_CARDS & _raising(key + _ONE_CARD, rival)
    elif rule == YELLOW:
        cards = _by_colour(palette, rival)
    elif rule == ORANGE:
        cards = _by_number(palette, rival)
    else:
        cards = _raising(key | _ONE_CARD, rival)
    return ALL if (led >> U64(rule)) & ONE != ZERO else cards & ALL


@inlined
def holding_cards(
    palette: U64, low: U64, high: U64, led: U64, hand: U64, rule: int, rival_low: U64, rival_high: U64
) -> U64:
    """Return the hand cards after whose play the palette leads, or would after a discard of another hand card.

    Args:
        palette: The palette.
        low: Low word of its keys.
        high: High word of its keys.
        led: What ``rules_led`` gives for these keys.
        hand: The hand.
        rule: The rule in force.
        rival_low: Low word of the rivals' best keys.
        rival_high: High word of the rivals' best keys.
    """
    in_hand, in_force = colours_of(hand), ONE << U64(rule)
    usable = in_hand | in_force
    # The only card that can bring a rule is gone once it has been played itself.
    alone = (in_hand & ~colours_held_twice(hand) & ~in_force) * STRIPE
    found = ZERO
    for colour in range(7):
        cards = cards_leading(palette, low, high, led, colour, rival_low, rival_high)
        cards &= ~(alone & (STRIPE << U64(colour)))
        found |= cards if (usable >> U64(colour)) & ONE != ZERO else ZERO
    return found & hand
