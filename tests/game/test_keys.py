"""Who leads: the keys and best sets of palettes of every size, against the slow reference."""

import random
from itertools import pairwise

import numpy as np
import pytest

from red7_env.game.bits import cards_of, word_of
from red7_env.game.cards import cards_text
from red7_env.game.kernels import best_sets, leaders, weigh_many
from red7_env.game.rules import Rules
from red7_env.game.state import States, blank_states
from tests.reference.best_set import best_set, leader

COLOURS = "VIBGYOR"


def palettes(sizes: list[int], chance: random.Random) -> list[list[int]]:
    cards = chance.sample(range(49), sum(sizes))
    ends = np.cumsum([0, *sizes])
    return [cards[start:end] for start, end in pairwise(ends)]


def table(rule: int, hands: list[list[int]], seats_in: int = 15) -> States:
    """Return a state with these palettes under a rule."""
    states = blank_states(Rules(4))
    states["rule"], states["seats_in"] = rule, seats_in
    states["palettes"] = [word_of(cards) for cards in hands]
    weigh_many(states)
    return states


def texts(cards: list[int]) -> frozenset[str]:
    return frozenset(cards_text([card]) for card in cards)


@pytest.mark.parametrize("rule", range(7), ids=lambda rule: COLOURS[rule])
def test_best_sets_and_leaders_of_palettes_of_any_size(rule):
    chance = random.Random(rule)
    sets, seat = np.zeros((1, 4), np.uint64), np.zeros(1, np.int8)
    for _ in range(600):
        sizes = [chance.choice((1, 1, 2, 3, 4, 6, 8)) for _ in range(4)]
        sizes[chance.randrange(4)] += chance.choice((0, 0, 15))
        hands = palettes(sizes, chance)
        seats_in = chance.randrange(1, 16)
        state = table(rule, hands, seats_in)
        best_sets(state, sets)
        assert [texts(cards_of(word)) for word in sets[0]] == [best_set(texts(cards), COLOURS[rule]) for cards in hands]
        leaders(state, seat)
        shown = [texts(cards) if seats_in >> place & 1 else None for place, cards in enumerate(hands)]
        found = leader(shown, COLOURS[rule])
        assert seat[0] == (-1 if found is None else found)


@pytest.mark.parametrize("rule", range(7), ids=lambda rule: COLOURS[rule])
def test_all_cards_in_one_palette(rule):
    state = table(rule, [list(range(49)), [], [], []], seats_in=1)
    sets, seat = np.zeros((1, 4), np.uint64), np.zeros(1, np.int8)
    best_sets(state, sets)
    assert texts(cards_of(sets[0, 0])) == best_set(texts(list(range(49))), COLOURS[rule])
    leaders(state, seat)
    assert seat[0] == 0


def test_seats_that_are_out_have_no_worth():
    state = table(6, [[48], [47], [46], [45]], seats_in=0b1010)
    assert (state["keys"][0].any(1) == [False, True, False, True]).all()
