"""Card sets as words, against plain Python."""

import random

import numpy as np
from numba import njit

from red7_env.game import bits
from red7_env.game.bits import cards_of, points_of_word, word_of
from red7_env.game.cards import card_colour, card_number
from red7_env.game.choice import write_cards


@njit
def all_of(words, found, nth, masks):
    """Apply every function to every word."""
    for i in range(len(words)):
        word = words[i]
        found[i, 0] = bits.popcount(word)
        found[i, 1] = bits.top_bit(word)
        found[i, 2] = bits.low_bit(word)
        found[i, 3] = bits.colours_of(word)
        found[i, 4] = bits.colours_held_twice(word)
        found[i, 5] = bits.numbers_of(word)
        for n in range(bits.I64(bits.popcount(word))):
            nth[i, n] = bits.nth_bit(word, np.uint64(n))
        write_cards(masks.reshape(-1), i * masks.shape[1] + 1, word)


def test_words_and_cards_rebuild_each_other():
    for cards in ([], [0], [48], list(range(48, -1, -1)), [40, 7, 6]):
        assert cards_of(word_of(cards)) == cards
        assert points_of_word(word_of(cards)) == sum(map(card_number, cards))
    assert word_of(range(49)) == int(bits.ALL)


def test_what_is_asked_of_words_is_what_their_cards_say():
    chance = random.Random(1)
    sets = [[], [0], [48], list(range(49)), list(range(7)), list(range(0, 49, 7))]
    sets += [chance.sample(range(49), chance.randint(1, 49)) for _ in range(2000)]
    words = np.array([word_of(cards) for cards in sets], np.uint64)
    found, nth = np.zeros((len(sets), 6), np.uint64), np.zeros((len(sets), 49), np.uint64)
    masks = np.full((len(sets), 51), 7, np.uint8)
    all_of(words, found, nth, masks)
    for cards, row, places, mask in zip(map(sorted, sets), found.tolist(), nth, masks, strict=True):
        colours, numbers = [card_colour(card) for card in cards], {card_number(card) for card in cards}
        count, top, low, of_colour, twice, of_number = row
        assert count == len(cards)
        if cards:
            assert [top, low] == [cards[-1] + cards[-1] // 7, cards[0] + cards[0] // 7]
        assert of_colour == sum(1 << colour for colour in set(colours))
        assert twice == sum(1 << colour for colour in set(colours) if colours.count(colour) > 1)
        assert of_number == sum(1 << (number - 1) for number in numbers)
        assert places[: len(cards)].tolist() == [card + card // 7 for card in cards]
        assert np.flatnonzero(mask[1:50]).tolist() == cards
        assert set(mask[1:50].tolist()) <= {0, 1}
        assert mask[[0, 50]].tolist() == [7, 7]  # and not a byte beyond


def test_products_keep_their_upper_half():
    @njit
    def upper(left, right):
        return bits.high_product(left, right)

    chance = random.Random(2)
    for _ in range(200):
        left, right = chance.getrandbits(64), chance.getrandbits(64)
        assert int(upper(np.uint64(left), np.uint64(right))) == left * right >> 64
