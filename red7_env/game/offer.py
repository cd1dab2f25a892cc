"""The moves a player is offered: rules.md section 6, from which the turn can still end in the lead.

An offer is three words. What the two card sets mean follows from the phase:

| phase | first set | second set |
| --- | --- | --- |
| START, PLAY_AGAIN | cards to play to the palette | cards to discard (START only) |
| AFTER_PLAY | - | cards to discard |
| CHOOSE_TAKEN | cards of other palettes to take | - |
| CHOOSE_OWN | own palette cards to the canvas | own palette cards to the deck |

The third word holds the flags ``CAN_END``, ``CAN_PASS`` and ``CAN_DRAW``. Nothing hidden from the seat to move is read,
so a view has the same offer as the state it was made from.

Which chains of cards have to be looked at follows from rules.md section 7: any number of 5s, then at most one other
card, then at most one discard. A palette never loses worth by another card, but a 7 takes one away again.
"""

from red7_env.game.bits import (
    I64,
    ONE,
    STRIPE,
    U64,
    ZERO,
    bit_of,
    colours_of,
    low_bit,
    popcount,
)
from red7_env.game.jit import helper, inlined
from red7_env.game.keys import best_rivals, keys_after, keys_of, lane_maximum, rules_led
from red7_env.game.reach import holding_cards
from red7_env.game.state import (
    AFTER_DISCARD,
    AFTER_PLAY,
    CHOOSE_OWN,
    CHOOSE_TAKEN,
    FIRST,
    NO_ACTIONS,
    PLAY_AGAIN,
    REVISED,
    State,
    seats_of,
)

CAN_END, CAN_PASS, CAN_DRAW = U64(1), U64(2), U64(4)

_ONES, _THREES, _FIVES, _SEVENS = U64(0x7F), U64(0x7F) << U64(16), U64(0x7F) << U64(32), U64(0x7F) << U64(48)


@inlined
def can_stay(led: U64, rule: int, hand: U64) -> bool:
    """Tell whether a turn can end in the lead: at once, or by a discard from ``hand``."""
    return led & (ONE << U64(rule) | colours_of(hand)) != ZERO


@inlined
def taking_floor(state: State, palette_size: U64) -> U64:
    """Return how many cards a palette needs to be the target of a 1, for a player with ``palette_size`` cards."""
    return palette_size if state.edition == REVISED else U64(2)


@helper
def rivals_without(state: State, seat: int, owner: int, palette: U64) -> tuple[U64, U64]:
    """Return the best keys of all other seats once ``owner`` has ``palette``."""
    low, high = keys_of(palette)
    for other in range(seats_of(state)):
        if other != seat and other != owner:  # noqa: PLR1714 - Numba has no tuple of both types
            low = lane_maximum(low, state.keys[other, 0])
            high = lane_maximum(high, state.keys[other, 1])
    return low, high


@helper
def cards_to_take(state: State, seat: int, palette: U64, hand: U64, stop_at_first: bool) -> U64:
    """Return the cards a 1 may put on the deck so that the turn can still end in the lead.

    Args:
        state: The game.
        seat: Who plays the 1.
        palette: The seat's palette, the 1 included.
        hand: The seat's hand after the 1.
        stop_at_first: Return as soon as one such card is found.
    """
    low, high = keys_of(palette)
    floor = taking_floor(state, popcount(palette))
    found = ZERO
    for owner in range(seats_of(state)):
        theirs = state.palettes[owner]
        if owner == seat or not state.seats_in >> owner & 1 or popcount(theirs) < floor:
            continue
        left = theirs
        while left != ZERO:
            card = left & (~left + ONE)
            left ^= card
            rival_low, rival_high = rivals_without(state, seat, owner, theirs ^ card)
            if can_stay(rules_led(low, high, rival_low, rival_high), state.rule, hand):
                found |= card
                if stop_at_first:
                    return found
    return found


@helper
def own_cards_to_move(
    state: State, palette: U64, seven: U64, hand: U64, rival_low: U64, rival_high: U64
) -> tuple[U64, U64]:
    """Return the palette cards a 7 may put on the canvas and on the deck so that the turn can end in the lead.

    Args:
        state: The game.
        palette: The seat's palette, the 7 included.
        seven: The 7 just played, which may not be moved itself.
        hand: The seat's hand after the 7.
        rival_low: Low word of the rivals' best keys.
        rival_high: High word of the rivals' best keys.
    """
    to_canvas, to_deck = ZERO, ZERO
    left = palette ^ seven
    while left != ZERO:
        bit = low_bit(left)
        card = ONE << bit
        left ^= card
        low, high = keys_of(palette ^ card)
        led = rules_led(low, high, rival_low, rival_high)
        colour = I64(bit & U64(7))
        if state.edition == FIRST:
            # The player must lead right after it, whatever a later discard would do.
            if (led >> U64(colour)) & ONE != ZERO:
                to_canvas |= card
        else:
            if can_stay(led, colour, hand):
                to_canvas |= card
            if can_stay(led, state.rule, hand):
                to_deck |= card
    return to_canvas, to_deck


@helper
def finishing_cards(
    state: State,
    seat: int,
    palette: U64,
    low: U64,
    high: U64,
    hand: U64,
    rival_low: U64,
    rival_high: U64,
    stop_at_first: bool,
) -> U64:
    """Return the hand cards, 5s left out, after which the turn can end in the lead, their actions included.

    Args:
        state: The game.
        seat: Who plays.
        palette: The palette before the card.
        low: Low word of this palette's keys.
        high: High word of this palette's keys.
        hand: The hand, the card still in it.
        rival_low: Low word of the rivals' best keys.
        rival_high: High word of the rivals' best keys.
        stop_at_first: Return as soon as one such card is found.
    """
    led = rules_led(low, high, rival_low, rival_high)
    plain = holding_cards(palette, low, high, led, hand, state.rule, rival_low, rival_high)
    # A 1 only makes a rival weaker, so its action never spoils a lead.
    found = plain & ~(_FIVES | _SEVENS)
    if state.deck_size > 0:
        found |= hand & _THREES  # every draw counts as hope
    if stop_at_first and found != ZERO:
        return found
    left = hand & _SEVENS
    while left != ZERO:
        card = left & (~left + ONE)
        left ^= card
        to_canvas, to_deck = own_cards_to_move(state, palette | card, card, hand ^ card, rival_low, rival_high)
        # In the revised edition the action must be performed if it can be, also where no choice holds the lead.
        optional = state.edition == FIRST or palette == ZERO
        if to_canvas | to_deck != ZERO or (optional and plain & card != ZERO):
            found |= card
    left = hand & _ONES & ~found
    while left != ZERO and not (stop_at_first and found != ZERO):
        card = left & (~left + ONE)
        left ^= card
        if cards_to_take(state, seat, palette | card, hand ^ card, True) != ZERO:
            found |= card
    return found


@helper
def can_finish_chain(
    state: State, seat: int, palette: U64, low: U64, high: U64, hand: U64, rival_low: U64, rival_high: U64
) -> bool:
    """Tell whether the turn can end in the lead when a 5 asks for another play from ``hand``.

    Args:
        state: The game.
        seat: Who plays.
        palette: The palette, the 5 included.
        low: Low word of this palette's keys.
        high: High word of this palette's keys.
        hand: The hand after the 5, not empty.
        rival_low: Low word of the rivals' best keys.
        rival_high: High word of the rivals' best keys.
    """
    fives = hand & _FIVES
    chosen = ZERO
    while True:
        # Every set of further 5s, in any order, and then one card that is none.
        grown, grown_low, grown_high, left = palette, low, high, chosen
        while left != ZERO:
            bit = low_bit(left)
            left &= left - ONE
            grown |= ONE << bit
            grown_low, grown_high = keys_after(grown_high, grown, bit)
        rest = hand ^ chosen
        if rest == ZERO:
            if can_stay(rules_led(grown_low, grown_high, rival_low, rival_high), state.rule, rest):
                return True
        elif finishing_cards(state, seat, grown, grown_low, grown_high, rest, rival_low, rival_high, True) != ZERO:
            return True
        chosen = (chosen - fives) & fives
        if chosen == ZERO:
            return False


@helper
def plays_with_actions(state: State, seat: int, rival_low: U64, rival_high: U64) -> U64:
    """Return the hand cards whose play, with all that may follow, can end in the lead."""
    palette, hand = state.palettes[seat], state.hands[seat]
    low, high = state.keys[seat, 0], state.keys[seat, 1]
    found = finishing_cards(state, seat, palette, low, high, hand, rival_low, rival_high, False)
    left = hand & _FIVES
    while left != ZERO:
        bit = low_bit(left)
        card = ONE << bit
        left ^= card
        grown = palette | card
        grown_low, grown_high = keys_after(high, grown, bit)
        if hand == card:
            good = can_stay(rules_led(grown_low, grown_high, rival_low, rival_high), state.rule, ZERO)
        else:
            good = can_finish_chain(state, seat, grown, grown_low, grown_high, hand ^ card, rival_low, rival_high)
        if good:
            found |= card
    return found


@inlined
def offer_of(state: State) -> tuple[U64, U64, U64]:  # noqa: PLR0911 - one exit a phase reads best
    """Return the offer to the seat to move as two card sets and flags (see above); zeros when the round is over."""
    phase = state.phase
    if phase > AFTER_DISCARD:
        return ZERO, ZERO, ZERO
    if phase == AFTER_DISCARD:
        return ZERO, ZERO, CAN_END | CAN_DRAW
    seat = I64(state.to_move)
    rival_low, rival_high = best_rivals(state, seat)
    hand = state.hands[seat]
    if phase == CHOOSE_TAKEN:
        return cards_to_take(state, seat, state.palettes[seat], hand, False), ZERO, ZERO
    if phase == CHOOSE_OWN:
        to_canvas, to_deck = own_cards_to_move(
            state, state.palettes[seat], bit_of(state.last), hand, rival_low, rival_high
        )
        return to_canvas, to_deck, ZERO
    low, high = state.keys[seat, 0], state.keys[seat, 1]
    led = rules_led(low, high, rival_low, rival_high)
    discards = hand & (led * STRIPE)
    if phase == AFTER_PLAY:
        flags = CAN_END if (led >> U64(state.rule)) & ONE != ZERO else ZERO
        if discards == ZERO and flags == ZERO:
            flags = CAN_PASS  # a draw in hope that did not help
        return ZERO, discards, flags
    if state.edition == NO_ACTIONS:
        plays = holding_cards(state.palettes[seat], low, high, led, hand, state.rule, rival_low, rival_high)
    else:
        plays = plays_with_actions(state, seat, rival_low, rival_high)
    if phase == PLAY_AGAIN:
        return plays, ZERO, ZERO
    return plays, discards, CAN_PASS
