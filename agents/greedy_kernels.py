"""The greedy move, compiled: ``greedy_move(state)`` for playouts, searches and opponents inside other kernels.

It reads what the seat to move may know and nothing else, so a state and the seat's view have the same greedy move. A
turn's worth is one number; see ``greedy`` for what it holds and why.
"""

from agents.jit import helper, inlined
from red7_env.game.bits import (
    I64,
    ONE,
    SEVEN,
    STRIPE,
    U64,
    ZERO,
    bit_of,
    card_of,
    colours_of,
    low_bit,
    numbers_of,
    popcount,
    top_bit,
)
from red7_env.game.deal import best_set_of
from red7_env.game.keys import best_rivals, keys_after, keys_of, keys_with, points_of, rules_led
from red7_env.game.moves import DISCARD, DRAW, END, PASS, PLAY, TAKE, TO_CANVAS, TO_DECK
from red7_env.game.offer import rivals_without, taking_floor
from red7_env.game.state import (
    AFTER_DISCARD,
    AFTER_PLAY,
    CHOOSE_OWN,
    CHOOSE_TAKEN,
    FIRST,
    NO_ACTIONS,
    PLAY_AGAIN,
    START,
    State,
    seats_of,
)

_LOST = -1
"""Worth of a turn that cannot end in the lead."""
_HOPE = 0
"""Worth of a turn that leads only if a 3 draws the right card."""
_BOTH, _DISCARDED, _PLAYED = 1, 2, 3
_FIVES = U64(0x7F) << U64(32)


@inlined
def _worth(kept: int, kind: int, freedom: int) -> int:
    """Return a turn's worth: cards kept, then the kind of turn, then hand cards that could be discarded next."""
    return kept << 12 | kind << 8 | freedom


@inlined
def _drawing(state: State, discards: U64, palette_size: U64) -> U64:
    """Return the discards that allow the advanced draw."""
    if not state.draws or state.deck_size == 0 or palette_size > U64(6):
        return ZERO
    return discards & (~ZERO << (U64(8) * palette_size))


@inlined
def _end_worth(state: State, free: bool, rule: int, palette_size: U64, led: U64, hand: U64) -> int:
    """Return the worth of the best end of a turn in which palette plays and actions are over.

    Args:
        state: The game.
        free: Whether freedom counts after a palette play.
        rule: The colour in force.
        palette_size: Cards in the own palette.
        led: The rules under which the seat leads, as bits by colour.
        hand: The hand.
    """
    kept, discards = I64(popcount(hand)), hand & (led * STRIPE)
    freedom = I64(popcount(discards))
    if (led >> U64(rule)) & ONE != ZERO:
        return _worth(kept, _PLAYED, freedom if free else 0)
    if discards == ZERO:
        return _LOST
    drawn = _drawing(state, discards, palette_size) != ZERO
    return _worth(kept - 1 + drawn, _BOTH, freedom)


@inlined
def _best_discard(state: State, discards: U64, palette_size: U64) -> U64:
    """Return the bit of the card to discard: the lowest that draws, or else the lowest."""
    drawing = _drawing(state, discards, palette_size)
    return low_bit(discards if drawing == ZERO else drawing)


@helper
def _best_take(state: State, free: bool, seat: int, palette: U64, hand: U64) -> tuple[int, int]:
    """Return the worth of a turn after the best choice of a 1, and the card to take: -1 if there is no target.

    Args:
        state: The game.
        free: Whether freedom counts after a palette play.
        seat: Who plays the 1.
        palette: The seat's palette, the 1 included.
        hand: The seat's hand after the 1.
    """
    low, high = keys_of(palette)
    size = popcount(palette)
    floor = taking_floor(state, size)
    best, chosen = _LOST, -1
    for owner in range(seats_of(state)):
        theirs = state.palettes[owner]
        if owner == seat or not state.seats_in >> owner & 1 or popcount(theirs) < floor:
            continue
        left = theirs
        while left != ZERO:
            bit = top_bit(left)
            left ^= ONE << bit
            rival_low, rival_high = rivals_without(state, seat, owner, theirs ^ (ONE << bit))
            led = rules_led(low, high, rival_low, rival_high)
            worth = _end_worth(state, free, I64(state.rule), size, led, hand)
            if worth > best or chosen < 0:
                best, chosen = worth, card_of(bit)
    return best, chosen


@helper
def _best_own(
    state: State, free: bool, palette: U64, seven: U64, hand: U64, rival_low: U64, rival_high: U64
) -> tuple[int, int]:
    """Return the worth of a turn after the best choice of a 7, and the action: -1 if nothing can be chosen.

    Args:
        state: The game.
        free: Whether freedom counts after a palette play.
        palette: The seat's palette, the 7 included.
        seven: The 7 just played, which may not be moved itself.
        hand: The seat's hand after the 7.
        rival_low: Low word of the rivals' best keys.
        rival_high: High word of the rivals' best keys.
    """
    best, chosen = _LOST, -1
    left = palette ^ seven
    size = popcount(left)
    while left != ZERO:
        bit = low_bit(left)
        left &= left - ONE
        low, high = keys_of(palette ^ (ONE << bit))
        led = rules_led(low, high, rival_low, rival_high)
        colour = I64(bit & SEVEN)
        if state.edition != FIRST or (led >> U64(colour)) & ONE != ZERO:
            worth = _end_worth(state, free, colour, size, led, hand)
            if worth > best:
                best, chosen = worth, TO_CANVAS + card_of(bit)
        if state.edition != FIRST:
            worth = _end_worth(state, free, I64(state.rule), size, led, hand)
            if worth > best:
                best, chosen = worth, TO_DECK + card_of(bit)
    return best, chosen


@helper
def _action_worth(
    state: State, free: bool, seat: int, palette: U64, led: U64, hand: U64, bit: U64, rival_low: U64, rival_high: U64
) -> int:
    """Return the worth of a turn after a palette play with its action (a 5's excepted).

    Args:
        state: The game.
        free: Whether freedom counts after a palette play.
        seat: Who plays.
        palette: The palette, the card just played included.
        led: The rules under which the seat leads with this palette, as bits by colour.
        hand: The hand after the play.
        bit: The card's bit index.
        rival_low: Low word of the rivals' best keys.
        rival_high: High word of the rivals' best keys.
    """
    number = (bit >> U64(3)) + ONE
    plain = _end_worth(state, free, I64(state.rule), popcount(palette), led, hand)
    if number == U64(3) and state.deck_size > 0:
        return _HOPE if plain == _LOST else plain + _worth(1, 0, 0)
    if number == ONE:
        worth, taken = _best_take(state, free, seat, palette, hand)
        return plain if taken < 0 else worth
    if number == U64(7):
        worth, chosen = _best_own(state, free, palette, ONE << bit, hand, rival_low, rival_high)
        skipped = chosen < 0 and (state.edition == FIRST or palette == ONE << bit)
        return plain if skipped else worth
    return plain


@helper
def _chain_worth(state: State, free: bool, seat: int, palette: U64, hand: U64, rival_low: U64, rival_high: U64) -> int:
    """Return the worth of the best turn in which a 5 has asked for another play from ``hand``."""
    fives = hand & _FIVES
    chosen, best = ZERO, _LOST
    while True:
        # Every set of further 5s, in any order, and then one card that is none.
        grown, rest = palette | chosen, hand ^ chosen
        low, high = keys_of(grown)
        if rest == ZERO:
            led = rules_led(low, high, rival_low, rival_high)
            best = max(best, _end_worth(state, free, I64(state.rule), popcount(grown), led, rest))
        left = rest & ~_FIVES
        while left != ZERO:
            bit = low_bit(left)
            card = ONE << bit
            left ^= card
            new_low, new_high = keys_after(high, grown | card, bit)
            led = rules_led(new_low, new_high, rival_low, rival_high)
            worth = _action_worth(state, free, seat, grown | card, led, rest ^ card, bit, rival_low, rival_high)
            best = max(best, worth)
        chosen = (chosen - fives) & fives
        if chosen == ZERO:
            return best


@helper
def _best_five(state: State, free: bool, seat: int, best: int, rival_low: U64, rival_high: U64) -> tuple[int, int]:
    """Return the worth and the card of the best 5 to play that is worth more than ``best``, else ``best`` and -1."""
    palette, hand = state.palettes[seat], state.hands[seat]
    chosen, left = -1, hand & _FIVES
    while left != ZERO:
        bit = low_bit(left)
        card = ONE << bit
        left ^= card
        if hand == card:
            low, high = keys_after(state.keys[seat, 1], palette | card, bit)
            led = rules_led(low, high, rival_low, rival_high)
            worth = _end_worth(state, free, I64(state.rule), popcount(palette | card), led, ZERO)
        else:
            worth = _chain_worth(state, free, seat, palette | card, hand ^ card, rival_low, rival_high)
        if worth > best:
            best, chosen = worth, card_of(bit)
    return best, chosen


@inlined
def _best_play(state: State, free: bool, seat: int, rival_low: U64, rival_high: U64) -> tuple[int, int]:
    """Return the worth of the best turn that begins (or goes on) with a palette play, and its card, or -1."""
    palette, hand = state.palettes[seat], state.hands[seat]
    high, numbers, colours = state.keys[seat, 1], numbers_of(palette), colours_of(palette)
    size = popcount(palette) + ONE
    rule = I64(state.rule)
    with_actions = state.edition != NO_ACTIONS
    best, chosen = _LOST, -1
    left = hand & ~_FIVES if with_actions else hand
    while left != ZERO:
        bit = low_bit(left)
        card = ONE << bit
        left ^= card
        number, colour = ONE << (bit >> U64(3)), ONE << (bit & SEVEN)
        new_low, new_high = keys_with(high, palette | card, bit, numbers | number, colours | colour)
        led = rules_led(new_low, new_high, rival_low, rival_high)
        if with_actions:
            worth = _action_worth(state, free, seat, palette | card, led, hand ^ card, bit, rival_low, rival_high)
        else:
            worth = _end_worth(state, free, rule, size, led, hand ^ card)
        if worth > best:
            best, chosen = worth, card_of(bit)
    # A 5 takes at least two cards, so it is looked at only where no other play takes one.
    if with_actions and best < _worth(I64(popcount(hand)) - 1, 0, 0):
        worth, five = _best_five(state, free, seat, best, rival_low, rival_high)
        if five >= 0:
            best, chosen = worth, five
    return best, chosen


@helper
def _pays_to_pass(state: State, seat: int) -> bool:
    """Tell whether it is better to pass in a match, so that the last rival wins the round with few points.

    It is if the rival has more hand cards and would score at most two points a card more, three with actions, and not
    reach the target by it.
    """
    rivals = I64(state.seats_in) ^ (1 << seat)
    if rivals & (rivals - 1) != 0:
        return False
    rival = I64(low_bit(U64(rivals)))
    ahead = I64(state.hand_sizes[rival]) - I64(state.hand_sizes[seat])
    if ahead <= 0:
        return False
    points = points_of(best_set_of(state, rival))
    allowed = ahead * (2 if state.edition == NO_ACTIONS else 3)
    return points <= allowed and points + points_of(state.scored[rival]) < state.target


@inlined
def _best_start(state: State, free: bool, seat: int) -> int:
    """Return the greedy move at the start of a turn, or where a 5 asks for another play."""
    if state.match and state.phase == START and _pays_to_pass(state, seat):
        return PASS
    rival_low, rival_high = best_rivals(state, seat)
    best, card = _best_play(state, free, seat, rival_low, rival_high)
    action = PASS if card < 0 else PLAY + card
    if state.phase == PLAY_AGAIN:
        return action
    hand, palette_size = state.hands[seat], popcount(state.palettes[seat])
    led = rules_led(state.keys[seat, 0], state.keys[seat, 1], rival_low, rival_high)
    discards = hand & (led * STRIPE)
    if discards != ZERO:
        drawn = _drawing(state, discards, palette_size) != ZERO
        kept = I64(popcount(hand)) - 1 + drawn
        if _worth(kept, _DISCARDED, 0) > best:
            action = DISCARD + card_of(_best_discard(state, discards, palette_size))
    return action


@inlined
def _best_ending(state: State, seat: int) -> int:
    """Return the greedy move after palette plays and actions."""
    rival_low, rival_high = best_rivals(state, seat)
    led = rules_led(state.keys[seat, 0], state.keys[seat, 1], rival_low, rival_high)
    if (led >> U64(state.rule)) & ONE != ZERO:
        return END
    discards = state.hands[seat] & (led * STRIPE)
    if discards == ZERO:
        return PASS
    return DISCARD + card_of(_best_discard(state, discards, popcount(state.palettes[seat])))


@helper
def _best_choice(state: State, free: bool, seat: int) -> int:
    """Return the greedy choice for a 1 or a 7."""
    palette, hand = state.palettes[seat], state.hands[seat]
    if state.phase == CHOOSE_TAKEN:
        return TAKE + _best_take(state, free, seat, palette, hand)[1]
    rival_low, rival_high = best_rivals(state, seat)
    return _best_own(state, free, palette, bit_of(I64(state.last)), hand, rival_low, rival_high)[1]


@inlined
def greedy_move_by(state: State, free: bool) -> int:
    """Return the greedy move of the seat to move, an offered action id.

    Args:
        state: A state or a view of the seat to move, in which the round goes on; it is not changed.
        free: Whether the freedom left counts among palette plays too, before the lowest card.
    """
    seat, phase = I64(state.to_move), state.phase
    if phase == AFTER_PLAY:
        return _best_ending(state, seat)
    if phase == AFTER_DISCARD:
        return DRAW
    if CHOOSE_TAKEN <= phase <= CHOOSE_OWN:
        return _best_choice(state, free, seat)
    return _best_start(state, free, seat)


@inlined
def greedy_move(state: State) -> int:
    """Return the move of the plain ``greedy`` agent; see ``greedy_move_by``."""
    return greedy_move_by(state, False)  # noqa: FBT003 - compiled functions take arguments by position
