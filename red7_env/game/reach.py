"""Which cards of a hand take the lead: all of them weighed at once, rule by rule.

A card that comes to a palette makes some sets one card larger and perhaps raises their highest card. So the cards that
beat a rival's key under one rule are whole groups of cards (a number, a colour, the even ones), or those of a group
from some bit on. Under any rule that is a few operations on words, however many cards the hand holds.

Each function here returns the cards, in the hand or not, whose coming beats ``rival``, the best key of the others. What
a palette leads by already it goes on leading by, whatever card comes; ``leading_cards`` sees to that.
"""

from typing import Final

import numpy as np

from red7_env.game.bits import (
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
from red7_env.game.keys import BLUE, EVEN_CARDS, GREEN, INDIGO, LOW_CARDS, ORANGE, RED, RUNS, VIOLET, YELLOW

_EVERYTHING: Final = U64(0xFFFFFFFFFFFFFFFF)
_LANE: Final = U64(0xFFFF)
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
def _lane(keys: U64, rule: int) -> U64:
    """Return the key under one rule, from the word of keys that holds it."""
    return (keys >> U64((rule & 3) * 16)) & _LANE


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
def _useful(rule: int, cards: U64, led: U64, usable: U64, alone: U64) -> U64:
    """Return the cards that lead under one rule, if it is in force or another card can bring it.

    Args:
        rule: The rule.
        cards: The cards that beat the rivals under it.
        led: The rules by which the palette leads already, as seven bits.
        usable: The rules in force or to be brought by a hand card, as seven bits.
        alone: All cards of the colours that only one hand card can bring.
    """
    if (led >> U64(rule)) & ONE != ZERO:
        cards = _EVERYTHING
    cards &= ~(alone & (STRIPE << U64(rule)))
    return cards if (usable >> U64(rule)) & ONE != ZERO else ZERO


@inlined
def leading_cards(
    palette: U64, low: U64, high: U64, hand: U64, led: U64, rule: int, rival_low: U64, rival_high: U64
) -> U64:
    """Return the hand cards after whose play the palette leads, or would after a discard of another hand card.

    Args:
        palette: The palette.
        low: Low word of its keys.
        high: High word of its keys.
        hand: The hand.
        led: What ``rules_led`` gives for these keys.
        rule: The rule in force.
        rival_low: Low word of the rivals' best keys.
        rival_high: High word of the rivals' best keys.
    """
    in_hand, in_force = colours_of(hand), ONE << U64(rule)
    usable = in_hand | in_force
    alone = (in_hand & ~colours_held_twice(hand) & ~in_force) * STRIPE
    violet = LOW_CARDS & _raising(_lane(low, VIOLET) + _ONE_CARD, _lane(rival_low, VIOLET))
    indigo = _by_run(palette, _lane(rival_low, INDIGO))
    blue = _by_colours(palette, _lane(low, BLUE), _lane(rival_low, BLUE))
    green = EVEN_CARDS & _raising(_lane(low, GREEN) + _ONE_CARD, _lane(rival_low, GREEN))
    yellow = _by_colour(palette, _lane(rival_high, YELLOW))
    orange = _by_number(palette, _lane(rival_high, ORANGE))
    red = _raising(_lane(high, RED) | _ONE_CARD, _lane(rival_high, RED))
    found = _useful(VIOLET, violet, led, usable, alone) | _useful(INDIGO, indigo, led, usable, alone)
    found |= _useful(BLUE, blue, led, usable, alone) | _useful(GREEN, green, led, usable, alone)
    found |= _useful(YELLOW, yellow, led, usable, alone) | _useful(ORANGE, orange, led, usable, alone)
    found |= _useful(RED, red, led, usable, alone)
    return found & hand
