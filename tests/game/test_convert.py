"""Between written positions and state records."""

import random

import numpy as np
import pytest
from hypothesis import given

from red7_env.game import Game, Rules
from red7_env.game.convert import dealt, position_of, state_of
from red7_env.game.kernels import random_games
from red7_env.game.state import blank_states
from tests.alignment import all_rules
from tests.strategies import positions


@given(positions())
def test_a_position_survives_the_record(position):
    assert position_of(state_of(position)[0]) == position


@pytest.mark.parametrize("rules", list(all_rules()), ids=str)
def test_a_written_deal_is_the_same_record_as_the_deal(rules):
    deal = dealt(rules, 1, seed=11)
    written = state_of(position_of(deal[0]), int(deal[0]["rng"]))
    assert written.tobytes() == deal.tobytes()


@pytest.mark.parametrize("text", ["advanced R1 x/O2:O6O3 1 Y1", "advanced R1 x/O2:O6O3 1 Y1 -/-"])
def test_a_finished_round_has_winners_only_if_the_game_is_over(text):
    game = Game.from_position(text)
    assert game.winner == 1
    assert game.winners == ([] if game.rules.match else [1])
    assert int(game.state[0]["winners"]) == (0 if game.rules.match else 2)


def test_the_turns_of_random_games_are_those_that_were_played():
    rules = Rules(3, "advanced", "revised")
    scratch, totals = blank_states(rules), np.zeros(7, np.int64)
    random_games(scratch, 1, np.uint64(5), np.uint64(0), totals)
    assert totals[0] == int(scratch[0]["turn"]) - 1
    game = Game.deal(rules, 5)
    chance = random.Random(1)
    while not game.round_over:
        game.play(chance.choice(game.moves()))
    assert len(game.rounds[0].turns) == int(game.state[0]["turn"]) - 1
