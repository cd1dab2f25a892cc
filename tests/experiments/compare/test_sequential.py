from itertools import pairwise

import numpy as np
import pytest

from experiments.compare.scores import Scores
from experiments.compare.sequential import confidence, differences, intervals, separated
from tests.experiments.compare.league import config_of, game_line, made_up_games

SPECS = [f"rollout:playouts={count}" for count in (1, 2, 3)]


def scores_of(strengths, deals, rules="basic:2p", **more):
    config = config_of(SPECS[: len(strengths)], rules, deals, **more)
    scores = Scores(config)
    scores.add(made_up_games(config, dict(zip(SPECS, strengths, strict=False))))
    return scores


def test_equal_agents_are_hardly_ever_told_apart_however_often_one_looks():
    rng = np.random.default_rng(2)
    wrong = 0
    for _ in range(400):
        low, high = confidence(rng.choice([-1.0, 0.0, 1.0], 1500, p=[0.2, 0.6, 0.2]), alpha=0.05)
        wrong += not low <= 0 <= high
    assert wrong <= 20


def test_clearly_better_is_told_soon():
    rng = np.random.default_rng(3)
    low, high = confidence(rng.choice([-1.0, 0.0, 1.0], 300, p=[0.1, 0.4, 0.5]))
    assert 0 < low < 0.4 < high < 0.8


def test_the_interval_only_shrinks():
    values = np.random.default_rng(4).uniform(-1, 1, 400)
    ends = [confidence(values[:size]) for size in (0, 1, 10, 100, 400)]
    assert ends[0] == (-1, 1)
    for (low, high), (later_low, later_high) in pairwise(ends):
        assert low <= later_low < later_high <= high


def test_intervals_are_mirrored():
    low, high = intervals(scores_of([1, 2, 5], 200))
    assert low == pytest.approx(-high.T)


def test_all_or_only_the_top():
    scores = scores_of([1, 1, 12], 300)
    assert not separated(scores, "all")
    assert separated(scores, "top")
    assert separated(scores_of([1, 6, 60], 400), "all")
    assert not separated(scores_of([1, 1], 400), "top")


@pytest.mark.parametrize(
    ("rules", "design"), [("basic:2p", "balanced"), ("basic:3p", "balanced"), ("basic:4p", "duel")]
)
def test_differences_of_equal_agents_are_centred(rules, design):
    found = differences(scores_of([1, 1, 1], 600, rules, design=design), 0, 1)
    assert np.abs(found).max() <= 1
    assert abs(found.mean()) < 4 * found.std() / np.sqrt(600)


def test_a_difference_is_that_of_the_wins():
    one, two = SPECS[:2]
    scores = Scores(config_of([one, two], deals=2))
    scores.add([game_line(0, 0, [one, two], [0]), game_line(0, 0, [two, one], [1])])
    scores.add([game_line(0, 1, [one, two], [0]), game_line(0, 1, [two, one], [0])])
    assert differences(scores, 0, 1).tolist() == [1, 0]
    assert differences(scores, 1, 0).tolist() == [-1, 0]
