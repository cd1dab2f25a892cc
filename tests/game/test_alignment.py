"""The compiled engine against the slow reference that was written from the rules alone."""

import os
import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from red7_env.game import Rules
from tests.alignment import all_rules, play_game, play_position, random_position
from tests.strategies import positions

RULES = list(all_rules())
# The long run spreads this many rounds over all rules; `make test-slow` plays them all.
LONG_RUN_ROUNDS = int(os.environ.get("RED7_ALIGNMENT_ROUNDS", "1000000"))
LONG_RUN_POSITIONS = LONG_RUN_ROUNDS // 10


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_random_games_are_alike(rules: Rules) -> None:
    rounds = index = 0
    while rounds < 24:
        rounds += play_game(rules, seed=1, index=index)[0]
        index += 1


@settings(max_examples=400)
@given(positions(), st.integers(0, 2**32))
def test_any_positions_are_alike(position, seed):
    play_position(str(position), random.Random(seed))


def test_thousands_of_random_positions_are_alike() -> None:
    for number in range(2000):
        chance = random.Random(number)
        play_position(random_position(chance), chance)


@pytest.mark.slow
def test_many_random_positions_are_alike() -> None:
    moves = 0
    for number in range(LONG_RUN_POSITIONS):
        chance = random.Random(-1 - number)
        moves += play_position(random_position(chance), chance)
    print(f"{LONG_RUN_POSITIONS} random positions, {moves} moves alike")


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_millions_of_random_games_are_alike(rules: Rules) -> None:
    wanted = LONG_RUN_ROUNDS // len(RULES)
    start = time.perf_counter()
    rounds = moves = index = 0
    while rounds < wanted:
        more = play_game(rules, seed=2, index=index)
        rounds, moves, index = rounds + more[0], moves + more[1], index + 1
    print(f"{rules}: {index} games, {rounds} rounds, {moves} moves alike, {time.perf_counter() - start:.0f} s")
