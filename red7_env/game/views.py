"""What a seat knows of a game, and full games that fit what it knows.

A view is a state record in which everything hidden from the viewer is blanked: other hands (their sizes and publicly
known cards stay), the unknown part of the deck, the shuffler's state. Cards put on the deck by a 1 or a 7 were seen by
all; they lie on its top in order (``deck_known`` of them), and once drawn they are in ``known`` of the drawer.
"""

import numpy as np

from red7_env.game.bits import I64, ONE, U64, ZERO, bit_of, card_of, low_bit, popcount
from red7_env.game.deal import all_cards, scored_cards
from red7_env.game.jit import helper, inlined
from red7_env.game.offer import CAN_PASS, offer_of
from red7_env.game.state import NOBODY, PILE_SIZE, ROUND_OVER, START, UNKNOWN, State, seats_of
from red7_env.game.streams import advanced, mixed, shuffle


@inlined
def hide(state: State, seat: int) -> None:
    """Turn a full state into the view of ``seat``, in place."""
    for other in range(seats_of(state)):
        if other != seat:
            state.hands[other] = ZERO
    for place in range(PILE_SIZE - state.deck_size + state.deck_known, PILE_SIZE):
        state.pile[place] = UNKNOWN
    state.rng = ZERO
    state.viewer = seat


@helper
def unseen_cards(view: State) -> U64:
    """Return the cards whose place the viewer does not know: in other hands, in the deck, or gone with a seat."""
    seen = view.hands[view.viewer] | scored_cards(view)
    for seat in range(seats_of(view)):
        seen |= view.palettes[seat] | view.known[seat]
    for place in range(view.canvas_size):
        seen |= bit_of(I64(view.pile[place]))
    deck_top = PILE_SIZE - I64(view.deck_size)
    for place in range(deck_top, deck_top + view.deck_known):
        seen |= bit_of(I64(view.pile[place]))
    return all_cards(view) & ~seen


@helper
def _lay_out(world: State, viewer: int, unseen: np.ndarray) -> None:
    """Give the shuffled unseen cards to the other hands and the deck."""
    next_card = 0
    for seat in range(seats_of(world)):
        if seat == viewer:
            continue
        hand = world.known[seat]
        for _ in range(I64(world.hand_sizes[seat]) - I64(popcount(hand))):
            hand |= bit_of(I64(unseen[next_card]))
            next_card += 1
        world.hands[seat] = hand
    for place in range(PILE_SIZE - world.deck_size + world.deck_known, PILE_SIZE):
        world.pile[place] = unseen[next_card]
        next_card += 1


@helper
def _mover_could_be_here(world: State) -> bool:
    """Tell whether the seat to move could have made this turn's moves with the hand it was given."""
    if world.phase == START or world.phase >= ROUND_OVER:
        return True  # it has made none, or can make none
    first, second, flags = offer_of(world)
    if world.hoped == 0:
        flags &= ~CAN_PASS  # within a turn only a draw in hope ends in a pass
    return first | second | flags != ZERO


@helper
def determinise_in_place(view: State, unseen: np.ndarray, rng: U64) -> U64:
    """Turn a view into a full state that fits it; return the generator's new state.

    Every layout of the unseen cards is equally likely, among those in which the seat to move could have begun its turn
    as it did (it never starts what cannot end in the lead): layouts are drawn until one fits.

    Args:
        view: The view; it becomes the full state.
        unseen: Room for 49 card ids, uint8.
        rng: State of the generator that draws the layout and becomes the new game's own.
    """
    count, left = 0, unseen_cards(view)
    while left != ZERO:
        unseen[count] = card_of(low_bit(left))
        left &= left - ONE
        count += 1
    viewer = I64(view.viewer)
    view.viewer = NOBODY
    while True:
        rng = shuffle(unseen, 0, count, rng)
        _lay_out(view, viewer, unseen)
        if viewer == view.to_move or _mover_could_be_here(view):
            break
    rng = advanced(rng)
    view.rng = mixed(rng)
    return rng
