"""Moves done to a state: one action id at a time, up to the end of the round.

The functions here trust their caller: the action must be one of the offer. ``batch`` and ``Game`` check it.
"""

from red7_env.game.bits import I64, ONE, SEVEN, U64, ZERO, bit_of, index_of, low_bit, number_of, popcount
from red7_env.game.jit import helper, inlined
from red7_env.game.keys import best_rivals, keys_after, keys_of
from red7_env.game.moves import DISCARD, DRAW, END, PASS, TAKE, TO_CANVAS, TO_DECK
from red7_env.game.offer import own_cards_to_move, taking_floor
from red7_env.game.state import (
    AFTER_DISCARD,
    AFTER_PLAY,
    CHOOSE_OWN,
    CHOOSE_TAKEN,
    FIRST,
    NO_ACTIONS,
    PILE_SIZE,
    PLAY_AGAIN,
    ROUND_OVER,
    START,
    UNKNOWN,
    State,
    seats_of,
)


@inlined
def put_out(state: State, seat: int) -> None:
    """Take a seat out of the round; its cards stay where they are and count for nothing."""
    state.seats_in &= ~(1 << seat)
    state.keys[seat, 0] = ZERO
    state.keys[seat, 1] = ZERO


@inlined
def begin_turn(state: State, seat: int) -> None:
    """Start the turn of ``seat`` or of the first after it who can have one, or end the round."""
    while True:
        seats = I64(state.seats_in)
        if seats & (seats - 1) == 0:
            seat = I64(low_bit(U64(seats)))
            state.winner = seat
            state.winners = 0 if state.match else seats
            state.phase = ROUND_OVER
            break
        if seats >> seat & 1:
            if state.hand_sizes[seat] > 0:
                state.phase = START
                break
            put_out(state, seat)
        seat += 1
        if seat == state.players:
            seat = 0
    state.to_move = seat
    state.turn += 1
    state.last = UNKNOWN
    state.hoped = 0


@inlined
def end_turn(state: State) -> None:
    """Pass the turn on."""
    seat = I64(state.to_move) + 1
    begin_turn(state, 0 if seat == state.players else seat)


@inlined
def draw(state: State, seat: int) -> None:
    """Move the deck's top card to a hand; if all had seen it, all know who has it."""
    top = U64(PILE_SIZE - I64(state.deck_size))
    bit = bit_of(state.pile[top])
    state.pile[top] = UNKNOWN
    state.deck_size -= 1
    state.hands[seat] |= bit
    state.hand_sizes[seat] += 1
    if state.deck_known > 0:
        state.deck_known -= 1
        state.known[seat] |= bit


@inlined
def put_on_deck(state: State, card: int) -> None:
    """Lay a card, seen by all, on top of the deck."""
    state.deck_size += 1
    state.deck_known += 1
    state.pile[PILE_SIZE - state.deck_size] = card


@inlined
def put_on_canvas(state: State, card: int) -> None:
    """Lay a card on the canvas: its colour becomes the rule."""
    state.pile[state.canvas_size] = card
    state.canvas_size += 1
    state.rule = U64(card) - SEVEN * number_of(card)


@inlined
def leave_hand(state: State, seat: int, card: int) -> None:
    """Take a card from a hand."""
    bit = bit_of(card)
    state.hands[seat] &= ~bit
    state.known[seat] &= ~bit
    state.hand_sizes[seat] -= 1


@helper
def leave_palette(state: State, seat: int, card: int) -> None:
    """Take a card from a palette and weigh the rest anew."""
    palette = state.palettes[seat] & ~bit_of(card)
    state.palettes[seat] = palette
    state.keys[seat, 0], state.keys[seat, 1] = keys_of(palette)


@helper
def _has_target(state: State, seat: int) -> bool:
    """Tell whether a 1 just played by ``seat`` finds a palette to take from."""
    floor = taking_floor(state, popcount(state.palettes[seat]))
    for owner in range(seats_of(state)):
        if owner != seat and state.seats_in >> owner & 1 and popcount(state.palettes[owner]) >= floor:
            return True
    return False


@helper
def _seven_has_choice(state: State, seat: int, card: int) -> bool:
    """Tell whether a 7 just played by ``seat`` asks for a choice."""
    palette, seven = state.palettes[seat], bit_of(card)
    if state.edition == FIRST:
        # A canvas that does not lead at once is no choice; then the action is skipped.
        low, high = best_rivals(state, seat)
        return own_cards_to_move(state, palette, seven, ZERO, low, high)[0] != ZERO
    return palette != seven


@helper
def _phase_after_action_card(state: State, seat: int, card: int) -> int:
    """Perform or ask for the action of a card just played to the palette; return the phase that follows."""
    number = number_of(card) + ONE
    if number == U64(5) and state.hand_sizes[seat] > 0:
        return PLAY_AGAIN
    if number == U64(3) and state.deck_size > 0:
        draw(state, seat)
        state.hoped = 1
    if number == ONE and _has_target(state, seat):
        return CHOOSE_TAKEN
    if number == SEVEN and _seven_has_choice(state, seat, card):
        return CHOOSE_OWN
    return AFTER_PLAY


@inlined
def play_card(state: State, card: int) -> None:
    """Play a hand card to the own palette."""
    seat = I64(state.to_move)
    leave_hand(state, seat, card)
    bit_index = index_of(card)
    palette = state.palettes[seat] | ONE << bit_index
    state.palettes[seat] = palette
    low, high = keys_after(state.keys[seat, 1], palette, bit_index)
    state.keys[seat, 0] = low
    state.keys[seat, 1] = high
    state.last = card
    state.phase = AFTER_PLAY
    if state.edition != NO_ACTIONS:
        state.phase = _phase_after_action_card(state, seat, card)


@inlined
def discard_card(state: State, card: int) -> None:
    """Discard a hand card to the canvas; the turn ends unless there is a draw to decide on."""
    seat = I64(state.to_move)
    leave_hand(state, seat, card)
    put_on_canvas(state, card)
    if state.draws and state.deck_size > 0 and number_of(card) + ONE > popcount(state.palettes[seat]):
        state.phase = AFTER_DISCARD
    else:
        end_turn(state)


@helper
def _take_card(state: State, card: int) -> None:
    """Perform a 1: put a card of another palette on the deck."""
    bit = bit_of(card)
    for owner in range(seats_of(state)):
        if owner != state.to_move and state.seats_in >> owner & 1 and state.palettes[owner] & bit != ZERO:
            leave_palette(state, owner, card)
    put_on_deck(state, card)
    state.phase = AFTER_PLAY


@helper
def _other_move(state: State, action: int) -> None:
    """Do a move that is neither a play nor a discard."""
    seat = I64(state.to_move)
    if action == END:
        end_turn(state)
    elif action == PASS:
        put_out(state, seat)
        end_turn(state)
    elif action == DRAW:
        draw(state, seat)
        end_turn(state)
    elif action < TO_CANVAS:
        _take_card(state, action - TAKE)
    else:
        state.phase = AFTER_PLAY
        if action < TO_DECK:
            leave_palette(state, seat, action - TO_CANVAS)
            put_on_canvas(state, action - TO_CANVAS)
        else:
            leave_palette(state, seat, action - TO_DECK)
            put_on_deck(state, action - TO_DECK)


@inlined
def apply_move(state: State, action: int) -> None:
    """Do one offered move, by action id."""
    if action < DISCARD:
        play_card(state, action)
    elif action < END:
        discard_card(state, action - DISCARD)
    else:
        _other_move(state, action)
