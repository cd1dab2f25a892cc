"""The machine instructions and tricks on words, against plain Python."""

import random

import pytest

from red7_env.game.bits import (
    U64,
    bit_of,
    cards_of,
    index_of,
    nth_bit,
    nth_bit_portable,
    number_of,
    popcount_bytes,
    transposed,
    word_of,
)
from red7_env.game.state import UNKNOWN


@pytest.mark.parametrize("function", [nth_bit, nth_bit_portable], ids=["here", "anywhere"])
def test_nth_bit(function) -> None:
    if function is nth_bit:  # an intrinsic exists in compiled code only
        from red7_env.game.jit import helper

        @helper
        def function(word: U64, n: U64) -> U64:
            return nth_bit(word, n)

    chance = random.Random(3)
    for size in [*range(1, 50), *(chance.randrange(1, 50) for _ in range(100))]:
        cards = sorted(chance.sample(range(49), size))
        bits = [function(U64(word_of(cards)), U64(n)) for n in range(size)]
        assert [bit - bit // 8 for bit in bits] == cards


def test_cards_and_their_bits() -> None:
    for card in range(49):
        assert (number_of(card), index_of(card)) == (card // 7, card + card // 7)
        assert bit_of(card) == word_of([card])
    assert [bit_of(unknown) for unknown in (49, UNKNOWN)] == [0, 0]


def test_popcount_bytes_counts_the_cards_of_each_number() -> None:
    chance = random.Random(4)
    for size in range(50):
        cards = chance.sample(range(49), size)
        counts = int(popcount_bytes(U64(word_of(cards)))).to_bytes(8, "little")
        assert list(counts) == [*(sum(card // 7 == number for card in cards) for number in range(7)), 0]


def test_transposed_exchanges_numbers_and_colours() -> None:
    for card in range(49):
        assert cards_of(transposed(U64(word_of([card])))) == [card % 7 * 7 + card // 7]
