"""Which cards would lead if played to a palette: all cards at once, under each of the seven rules.

For a palette and the rivals' best keys (``game.keys``) a rule's answer is a card set. A card that joins the palette's
best set makes it one larger; it leads if the set then has more cards than the rivals' best, or equally many and, with
the new card, a higher highest card. So each rule needs one comparison for all cards that join the same set.
"""

import numpy as np

from red7_env.game.bits import ALL, BYTE, ONE, STRIPE, U64, ZERO, colours_of, numbers_of, popcount
from red7_env.game.jit import inlined
from red7_env.game.keys import EVEN_CARDS, LOW_CARDS, RUNS

_CARD = U64(0x3F)
_LANE_MASK = U64(0xFFFF)
_EVERY_BIT = U64(0xFFFFFFFFFFFFFFFF)


@inlined
def lane_of(low: U64, high: U64, rule: int) -> U64:
    """Return one rule's key from the two words of seven."""
    return ((high if rule >= 4 else low) >> U64((rule & 3) * 16)) & _LANE_MASK


@inlined
def cards_above(rival: U64) -> U64:
    """Return all cards above the highest card of a key's set; for an empty set all cards."""
    return ALL & (_EVERY_BIT << (rival & _CARD))


@inlined
def _all_if(condition: bool | np.bool) -> U64:
    """Return every bit, or none: choices without jumps, which would be guessed wrong too often."""
    return ZERO - U64(condition)


@inlined
def joining(group: U64, count: U64, cards: U64, rival: U64, above: U64) -> U64:
    """Return the cards of ``group`` that beat ``rival`` by joining a set.

    Args:
        group: The cards that join the set.
        count: Size of the set once one has joined.
        cards: The set before.
        rival: The rivals' best key.
        above: The cards that would be its highest and beat the rivals', ``cards_above(rival)``.
    """
    needed = rival >> U64(6)
    higher = above | _all_if(cards & cards_above(rival) != ZERO)
    return group & (_all_if(count > needed) | _all_if(count == needed) & higher)


@inlined
def _in_group(palette: U64, group: U64, rival: U64, above: U64) -> U64:
    """Return the cards of ``group`` that lead if the palette's cards of that group are the set that counts."""
    cards = palette & group
    return joining(group, popcount(cards) + ONE, cards, rival, above)


@inlined
def leading_blue(palette: U64, rival: U64) -> U64:
    """Return the cards that lead under Blue; the set's highest card is the palette's."""
    above = cards_above(rival)
    colours = colours_of(palette)
    old = STRIPE * colours
    count = popcount(colours)
    return joining(old, count, palette, rival, above) | joining(ALL & ~old, count + ONE, palette, rival, above)


@inlined
def leading_indigo(palette: U64, rival: U64) -> U64:
    """Return the cards that lead under Indigo: all cards of a number give the same run, but its highest may differ."""
    above = cards_above(rival)
    numbers = numbers_of(palette)
    found = ZERO
    for number in range(7):
        run = U64(RUNS[numbers | ONE << U64(number)])
        top = run & U64(7)
        group = BYTE << U64(8 * number)
        highest = palette & (BYTE << (U64(8) * top))
        # A card of a lower number than the run's top does not become its highest.
        raising = above & _all_if(top == U64(number))
        found |= joining(group, run >> U64(3), highest, rival, raising)
    return found


@inlined
def leading_yellow(palette: U64, rival: U64) -> U64:
    """Return the cards that lead under Yellow."""
    above = cards_above(rival)
    found = ZERO
    for colour in range(7):
        found |= _in_group(palette, STRIPE << U64(colour), rival, above)
    return found


@inlined
def leading_orange(palette: U64, rival: U64) -> U64:
    """Return the cards that lead under Orange."""
    above = cards_above(rival)
    found = ZERO
    for number in range(7):
        found |= _in_group(palette, BYTE << U64(8 * number), rival, above)
    return found


@inlined
def leading_cards(palette: U64, rule: int, led: U64, rival: U64) -> U64:  # noqa: PLR0911 - one exit a rule reads best
    """Return the cards after whose play a palette leads, the palette's own cards among them by chance.

    Args:
        palette: The cards on the table.
        rule: The rule, 0 violet .. 6 red.
        led: The rules the palette leads already, as bits: then every card does.
        rival: The rivals' best key under the rule.
    """
    if (led >> U64(rule)) & ONE != ZERO:
        return ALL
    if rule == 0:
        return _in_group(palette, LOW_CARDS, rival, cards_above(rival))
    if rule == 1:
        return leading_indigo(palette, rival)
    if rule == 2:
        return leading_blue(palette, rival)
    if rule == 3:
        return _in_group(palette, EVEN_CARDS, rival, cards_above(rival))
    if rule == 4:
        return leading_yellow(palette, rival)
    if rule == 5:
        return leading_orange(palette, rival)
    return cards_above(rival)
