from itertools import permutations

import choix
import numpy as np
import pytest

from experiments.compare.rating import ELO, ratings
from experiments.compare.scores import Scores
from experiments.compare.summary import summarise
from tests.experiments.compare.league import config_of, game_line, made_up_games

SPECS = [f"rollout:playouts={count}" for count in (1, 2, 3, 4)]
STRENGTHS = dict(zip(SPECS, [1.0, 2.0, 3.0, 6.0], strict=True))
TRUTH = ELO * (np.log(list(STRENGTHS.values())) - np.log(list(STRENGTHS.values())).mean())


def scores_of(config, lines):
    scores = Scores(config)
    scores.add(lines)
    return scores


@pytest.mark.parametrize(
    ("rules", "design", "deals"),
    [("basic:2p", "balanced", 2000), ("basic:3p", "balanced", 1500), ("basic:4p", "duel", 800)],
)
def test_strengths_are_recovered(rules, design, deals):
    config = config_of(SPECS, rules, deals, design=design)
    scores = scores_of(config, made_up_games(config, STRENGTHS))
    assert ratings(scores.wins.sum(axis=0), scores.copies) == pytest.approx(TRUTH, abs=12)


def test_intervals_hold_the_true_ratings():
    config = config_of(SPECS, deals=400)
    summary = summarise(scores_of(config, made_up_games(config, STRENGTHS)), config, stopped=False)
    for entry in summary.standings:
        truth = TRUTH[SPECS.index(entry.agent)]
        assert entry.rating.low - 8 < truth < entry.rating.high + 8
        assert entry.rating.low < entry.rating.value < entry.rating.high
    assert [entry.agent for entry in summary.standings] == SPECS[::-1]


def test_two_players_agree_with_choix():
    wins = np.array([[0, 30, 50], [20, 0, 41], [10, 22, 0]], float)
    by_table = np.array([[30, 20, 0], [50, 0, 10], [0, 41, 22]], float)
    expected = choix.ilsr_pairwise_dense(wins + 0.5 * (1 - np.eye(3)), max_iter=500)
    assert ratings(by_table, (by_table > 0).astype(float)) == pytest.approx(
        ELO * (expected - expected.mean()), abs=1e-4
    )


def test_more_players_agree_with_choix():
    config = config_of(SPECS, "basic:3p", 60)
    scores = scores_of(config, made_up_games(config, STRENGTHS, seed=3))
    wins = scores.wins.sum(axis=0)
    seats = scores.copies > 0
    games = [
        (winner, [other for other in np.flatnonzero(seats[table]) if other != winner])
        for table in range(len(wins))
        for winner in np.flatnonzero(seats[table])
        for _ in range(round(wins[table, winner]))
    ]
    added = [(winner, [loser]) for winner, loser in permutations(range(len(SPECS)), 2)]
    # Twice everything, because choix counts whole games and half games are added.
    expected = choix.ilsr_top1(len(SPECS), games * 2 + added, max_iter=500)
    assert ratings(wins, scores.copies) == pytest.approx(ELO * (expected - expected.mean()), abs=1e-3)


def test_a_perfect_record_has_a_finite_rating():
    found = ratings(np.array([[40.0, 0.0]]), np.ones((1, 2)))
    assert np.isfinite(found).all()
    assert found[0] - found[1] == pytest.approx(ELO * np.log(40.5 / 0.5))


def test_mirrored_names_give_the_mirrored_table():
    config = config_of(SPECS[:2], deals=150)
    lines = made_up_games(config, STRENGTHS)
    one, two = SPECS[:2]
    mirrored = [line.replace(one, "?").replace(two, one).replace("?", two) for line in lines]
    plain, mirror = (summarise(scores_of(config, each), config, stopped=False) for each in (lines, mirrored))
    assert [entry.agent for entry in plain.standings] == [two, one]
    assert [entry.agent for entry in mirror.standings] == [one, two]
    assert plain.pairs == mirror.pairs
    assert plain.by_order == mirror.by_order
    for entry, other in zip(plain.standings, mirror.standings, strict=True):
        assert (entry.wins, entry.by_order) == (other.wins, other.by_order)
        assert entry.rating.value == pytest.approx(other.rating.value, abs=1e-4)


def test_a_shared_win_counts_in_parts():
    one, two = SPECS[:2]
    config = config_of([one, two], "advanced:2p:match", deals=1)
    scores = scores_of(
        config, [game_line(0, 0, [one, two], [0, 1], [41, 41]), game_line(0, 0, [two, one], [0], [50, 9])]
    )
    assert scores.wins[0, 0].tolist() == [0.5, 1.5]
    assert scores.points[0].tolist() == [50, 91]
    assert scores.by_order[0].tolist() == [[0.5, 0], [1, 0.5]]
