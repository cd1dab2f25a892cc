"""All cards of a hand weighed at once, against weighing each of them by itself."""

import random

import numpy as np

from red7_env.game.bits import U64, cards_of, word_of
from red7_env.game.keys import keys_of, lane_maximum, rules_led
from red7_env.game.reach import holding_cards


def keys(palette: list[int]) -> tuple[U64, U64]:
    """Return a palette's keys as words: compiled functions give Python plain integers."""
    low, high = keys_of(U64(word_of(palette)))
    return U64(low), U64(high)


def weighed_one_by_one(palette: list[int], hand: list[int], rule: int, rivals: tuple[U64, U64]) -> list[int]:
    found = []
    for card in hand:
        led = rules_led(*keys([*palette, card]), *rivals)
        brought = {rule, *(other % 7 for other in hand if other != card)}
        if any(led >> colour & 1 for colour in brought):
            found.append(card)
    return found


def weighed_at_once(palette: list[int], hand: list[int], rule: int, rivals: tuple[U64, U64]) -> list[int]:
    low, high = keys(palette)
    led = U64(rules_led(low, high, *rivals))
    return cards_of(holding_cards(U64(word_of(palette)), low, high, led, U64(word_of(hand)), np.int64(rule), *rivals))


def test_weighing_at_once_is_weighing_one_by_one() -> None:
    chance = random.Random(7)
    seen = set()
    for _ in range(20_000):
        # Few numbers and colours, or the small sets and ties that matter would be rare.
        deck = [
            card for card in range(49) if card // 7 < chance.choice((2, 4, 7)) and card % 7 >= chance.choice((0, 4))
        ]
        chance.shuffle(deck)
        sizes = [chance.choice((0, 1, 1, 2, 3, 4, 5)), chance.choice((0, 1, 2, 3, 5)), chance.choice((0, 0, 1, 3))]
        palette, first, second = (sorted(deck.pop() for _ in range(min(size, len(deck)))) for size in sizes)
        hand = sorted(deck[: chance.choice((1, 1, 2, 3, 7))], reverse=True)
        low, high = (U64(lane_maximum(*words)) for words in zip(keys(first), keys(second), strict=True))
        rule = chance.randrange(7)
        expected = weighed_one_by_one(palette, hand, rule, (low, high))
        assert weighed_at_once(palette, hand, rule, (low, high)) == expected, (palette, hand, rule, first, second)
        seen.add((len(hand), len(expected)))
    # All, some and none of the cards of large hands and of small ones.
    assert {(1, 0), (1, 1), (7, 0), (7, 3), (7, 7)} <= seen
