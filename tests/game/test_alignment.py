"""The compiled engine against the slow reference that was written from the rules alone."""

import os
import time

import pytest

from red7_env.game import Rules
from tests.alignment import all_rules, play_game

RULES = list(all_rules())
# The long run spreads this many rounds over all rules; `make test-slow` plays them all.
LONG_RUN_ROUNDS = int(os.environ.get("RED7_ALIGNMENT_ROUNDS", "1000000"))


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_random_games_are_alike(rules: Rules) -> None:
    rounds = index = 0
    while rounds < 24:
        rounds += play_game(rules, seed=1, index=index)[0]
        index += 1


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
