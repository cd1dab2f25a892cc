"""The offer as action ids: the mask, the n-th offered move, a uniformly random one."""

import numpy as np

from red7_env.game.bits import BYTE, I64, U64, ZERO, card_of, nth_bit, popcount, spread, store_8
from red7_env.game.jit import inlined
from red7_env.game.moves import DISCARD, END, PLAY, TAKE, TO_CANVAS, TO_DECK
from red7_env.game.state import CHOOSE_OWN, CHOOSE_TAKEN, NO_ACTIONS, State
from red7_env.game.streams import below

Offer = tuple[U64, U64, U64]


@inlined
def offer_size(offer: Offer) -> U64:
    """Return the number of offered moves."""
    return popcount(offer[0]) + popcount(offer[1]) + popcount(offer[2])


@inlined
def nth_move(phase: int, offer: Offer, n: U64) -> int:
    """Return the action id of the n-th offered move, ``n`` from 0, in the order of ids."""
    first = popcount(offer[0])
    if n < first:
        base = TAKE if phase == CHOOSE_TAKEN else TO_CANVAS if phase == CHOOSE_OWN else PLAY
        return base + card_of(nth_bit(offer[0], n))
    n -= first
    second = popcount(offer[1])
    if n < second:
        base = TO_DECK if phase == CHOOSE_OWN else DISCARD
        return base + card_of(nth_bit(offer[1], n))
    return END + I64(nth_bit(offer[2], n - second))


@inlined
def random_move(phase: int, offer: Offer, word: U64) -> int:
    """Return one of the offered moves, each equally likely, from a random word."""
    return nth_move(phase, offer, below(word, offer_size(offer)))


@inlined
def write_cards(buffer: np.ndarray, offset: int, cards: U64) -> None:
    """Write a card set as 49 bytes of 0 or 1, by card id, at ``buffer[offset:offset + 49]``."""
    for number in range(6):
        store_8(buffer, offset + 7 * number, spread((cards >> U64(8 * number)) & BYTE))
    # Eight bytes that end where the block ends: the last colour of the 6s once more, then the 7s.
    sixes, sevens = spread((cards >> U64(40)) & BYTE), spread((cards >> U64(48)) & BYTE)
    store_8(buffer, offset + 41, sevens << U64(8) | sixes >> U64(48))


@inlined
def write_mask(state: State, offer: Offer, mask: np.ndarray, offset: int) -> None:
    """Write the offer as bytes of 0 or 1, by action id, from ``mask[offset]`` on: 101 bytes, or 248 with actions."""
    phase, first, second = state.phase, offer[0], offer[1]
    choosing = CHOOSE_TAKEN <= phase <= CHOOSE_OWN
    write_cards(mask, offset + PLAY, ZERO if choosing else first)
    write_cards(mask, offset + DISCARD, ZERO if choosing else second)
    for flag in range(3):
        mask[offset + END + flag] = (offer[2] >> U64(flag)) & U64(1)
    if state.edition != NO_ACTIONS:
        write_cards(mask, offset + TAKE, first if phase == CHOOSE_TAKEN else ZERO)
        write_cards(mask, offset + TO_CANVAS, first if phase == CHOOSE_OWN else ZERO)
        write_cards(mask, offset + TO_DECK, second if phase == CHOOSE_OWN else ZERO)
