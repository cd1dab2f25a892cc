"""The analysis functions, each on cases whose answer is known."""

import math
from functools import cache

import numpy as np
import pytest

from agents import make
from agents.solver import Solver
from experiments.analysis import (
    Decisions,
    Estimate,
    agreement,
    brier,
    collected,
    iqm,
    judged,
    learning_curve,
    mean_over_games,
    permutation_importance,
    played,
    reliability,
    rule_changes,
    setting,
    tree_properties,
    worlds,
)
from experiments.analysis.tree import bias, disambiguation, leaf_correlation
from red7_env.game import Game, Rules, batch
from red7_env.game.moves import DISCARD, END, PASS
from red7_env.observation import Piece
from tests.experiments.replay.games import finished


@cache
def random_games(count: int = 12, rules: str = "basic:2p") -> Decisions:
    return collected(finished(rules, seed) for seed in range(count))


def mover_of(decisions, row):
    return int(decisions.states[row]["to_move"])


# Decisions


@pytest.mark.parametrize("rules", ["basic:2p", "advanced+revised:2p:match", "basic+first:3p"])
def test_decisions_are_those_of_the_games(rules):
    decisions = random_games(3, rules)
    rows = 0
    for number in range(3):
        game, again = finished(rules, number), Game.deal(Rules.parse(rules), number)
        moves = [token for log in game.rounds for turn in log.turns for token in turn.split()]
        for token in moves:
            if again.rules.match and again.round_over:
                again.next_round()
            if len(again.move_ids()) > 1:
                assert decisions.games[rows] == decisions.deals[rows] == number
                assert mover_of(decisions, rows) == decisions.players[rows] == again.to_move
                assert (decisions.masks[rows] == again.mask).all()
                assert decisions.shares[rows] == (again.to_move in game.winners) / len(game.winners)
                assert decisions.hand_sizes[rows] == again.state[0]["hand_sizes"][again.to_move]
                rows += 1
            again.play(token)
    assert rows == len(decisions)


def test_agents_play_every_rotation():
    decisions = played([make("greedy"), make("random")], Rules(), 3, seed=4)
    assert set(decisions.games.tolist()) == set(range(6))
    assert set(decisions.deals.tolist()) == {0, 1, 2}
    assert set(decisions.players.tolist()) == {0, 1}
    own = decisions[decisions.players == 0]
    moves = make("greedy").act(own.views, own.masks, np.random.default_rng(0))
    assert (moves == own.moves).all()
    assert len(collected([])) == 0


def test_intervals_are_over_games():
    values, games = np.repeat([0.0, 1.0], 50), np.repeat([0, 1], 50)
    wide = mean_over_games(values, games)
    narrow = mean_over_games(values, np.arange(100))
    assert wide.value == narrow.value == 0.5
    assert (wide.low, wide.high) == (0, 1)
    assert 0.38 < narrow.low < 0.45
    assert 0.55 < narrow.high < 0.62
    assert mean_over_games(values[:0], games[:0]).size == 0
    assert Estimate(0.5, 0.25, 0.7512, 8).percent == "50.0 [25.0, 75.1]"
    assert math.isnan(mean_over_games(values[:0], games[:0]).value)


# Agreement


def test_the_oracle_agrees_with_the_solver():
    decisions = random_games()
    moves = make("oracle").act(decisions.states, decisions.masks, np.random.default_rng(0))
    verdict = judged(decisions, moves)
    assert verdict.regret.sum() == 0
    (row,) = agreement(decisions, verdict)
    assert row.agreement.value == 1
    assert row.regret.value == 0
    assert row.decisions == len(decisions)


def test_judgements_follow_from_the_next_position():
    decisions = random_games()
    verdict = judged(decisions)
    assert 0 < verdict.regret.mean() < 1
    solver = Solver()
    assert (verdict.won == solver.wins(decisions.states)).all()
    after = decisions.states.copy()
    batch.play(after, decisions.moves)
    same_mover = after["to_move"] == decisions.states["to_move"]
    assert (verdict.keeps == (solver.wins(after) == same_mover)).all()


def test_a_critical_decision_has_a_move_that_spoils():
    decisions = random_games()
    verdict = judged(decisions)
    winning = Solver().winning_moves(decisions.states)
    for row in range(len(decisions)):
        spoils = [m for m in np.flatnonzero(decisions.masks[row]).tolist() if m != PASS and not winning[row, m]]
        assert verdict.critical[row] == (winning[row].any() and bool(spoils))


@pytest.mark.parametrize("by", ["phase", "rule", "hand"])
def test_groups_part_the_decisions(by):
    decisions = random_games()
    rows = agreement(decisions, by=by)
    assert sum(row.decisions for row in rows) == len(decisions)
    assert sum(row.regret.value * row.decisions for row in rows) == pytest.approx(judged(decisions).regret.sum())
    assert len({row.key for row in rows}) == len(rows) > 1
    for row in rows:
        if row.agreement.size:
            assert 0 <= row.agreement.low <= row.agreement.value <= row.agreement.high <= 1


def test_groups_of_ones_own():
    decisions = random_games()
    rows = agreement(decisions, by=lambda some: np.where(some.movers == 0, "first", "second"))
    assert [row.key for row in rows] == ["first", "second"]


def test_other_rules_are_not_solved():
    with pytest.raises(ValueError, match="expected 2-player basic"):
        judged(random_games(1, "advanced:2p"))


# Rules that are set


def test_rule_changes():
    decisions = random_games()
    counts = rule_changes(decisions)
    discards = (decisions.moves >= DISCARD) & (decisions.moves < END)
    assert counts.sum() == discards.sum()
    red = decisions.states["rule"] == 6
    assert counts[6].sum() == (discards & red).sum()
    for colour, row in enumerate(setting(decisions)):
        assert counts[:, colour].sum() == round(row.chosen.value * row.possible)
        assert 0 <= row.chosen.low <= row.chosen.value <= row.chosen.high <= 1
    assert rule_changes(decisions[decisions.moves < 0]).sum() == 0


# Calibration


def test_true_chances_are_calibrated():
    rng = np.random.default_rng(1)
    values = rng.random(20_000)
    shares = (rng.random(20_000) < values).astype(float)
    games = np.arange(20_000)
    curve = reliability(values, shares, games)
    assert curve.sizes.sum() == 20_000
    assert len(curve.expected) == 10
    assert curve.error < 0.02
    assert ((curve.low <= curve.expected) & (curve.expected <= curve.high)).sum() >= 8
    score, skill = brier(values, shares, games)
    assert score.value == pytest.approx(1 / 6, abs=0.01)  # the mean of p (1 - p)
    assert skill.value == pytest.approx(1 / 3, abs=0.02)
    assert skill.low < skill.value < skill.high


def test_boastful_values_are_found_out():
    values, shares = np.full(1000, 1.0), np.tile([0.0, 1.0], 500)
    curve = reliability(values, shares, np.arange(1000))
    assert curve.error == 0.5
    assert brier(values, shares, np.arange(1000))[1].value == -1
    with pytest.raises(ValueError, match="expected 0 to 1"):
        reliability(values * 1.5 * shares, shares, np.arange(1000))


# Importance


def test_only_what_a_model_uses_matters():
    rng = np.random.default_rng(2)
    bits = rng.integers(2, size=(400, 12), dtype=np.uint8)
    pieces = [Piece(name, "flags", (4,), start, "") for name, start in (("a", 0), ("b", 4), ("c", 8))]
    target = bits[:, 5].astype(float) + 0.25 * bits[:, 0]
    before = bits.copy()
    found = permutation_importance(
        lambda seen: float(((seen[:, 5] + 0.25 * seen[:, 0] - target) ** 2).mean()), bits, pieces, repeats=3
    )
    assert [one.piece for one in found] == ["b", "a", "c"]
    assert found[0].loss == pytest.approx(0.5, abs=0.1)
    assert found[2] == ("c", 0, 0, 0)
    assert found[0].low <= found[0].loss <= found[0].high
    assert (bits == before).all()


# Curves


def test_interquartile_means():
    assert iqm(np.array([0.0, 1, 2, 100])) == 1.5
    assert iqm(np.array([7.0])) == 7
    assert iqm(np.array([1.0, 5, 9])) == pytest.approx(5)
    assert iqm(np.arange(5.0)) == pytest.approx(2)
    assert iqm(np.array([0.0, 0, 3, 3, 3])) == pytest.approx((0.75 * 0 + 3 + 0.75 * 3) / 2.5)
    assert iqm(np.arange(24.0).reshape(2, 3, 4)) == pytest.approx(np.array([[1.5, 5.5, 9.5], [13.5, 17.5, 21.5]]))


def test_learning_curves():
    rng = np.random.default_rng(3)
    steps = np.arange(5.0)
    scores = steps + rng.normal(size=(9, 5))
    curve = learning_curve(steps, scores)
    assert curve.seeds == 9
    assert (curve.low < curve.iqm).all()
    assert (curve.iqm < curve.high).all()
    assert np.abs(curve.iqm - steps).max() < 1.2
    one = learning_curve(steps, scores[:1])
    assert (one.low == one.high).all()
    with pytest.raises(ValueError, match=r"scores: found \(9, 5\), expected \(seeds, 4\)"):
        learning_curve(steps[:4], scores)


# The game tree


def test_worlds_are_counted():
    game = Game.from_position("basic@3x4x2 - R4O1:Y3/R2Y4:O4 0 R3O3Y2O2R1Y1")
    assert worlds(game.view(0)) == pytest.approx(math.log(math.comb(8, 2)))
    four = Game.deal(Rules(players=4, actions="revised"), 1)
    unseen = 49 - 4 - 7
    expected = math.factorial(unseen) / (math.factorial(7) ** 3 * math.factorial(unseen - 21))
    assert worlds(four.view(2)) == pytest.approx(math.log(expected))
    state = four.state.copy()
    state[0]["deck_known"] = 1
    assert worlds(batch.views(state, 2)) < worlds(four.view(2))
    assert len(worlds(four.state[:0])) == 0


def test_properties_of_the_tree():
    decisions = random_games(40)
    found = tree_properties(decisions)
    assert found.leaf_correlation == leaf_correlation(decisions)
    assert 0 < found.leaf_correlation.low < found.leaf_correlation.value < found.leaf_correlation.high <= 1
    assert found.bias.size == 40
    wins = [finished("basic:2p", seed).winner == Game.deal(Rules(), seed).to_move for seed in range(40)]
    assert found.bias.value == bias(decisions).value == np.mean(wins)
    assert 0 < disambiguation(decisions).low < disambiguation(decisions).high < 1


def test_leaf_correlation_by_hand():
    decisions = random_games(6)
    solver, alike = Solver(), []
    for number in range(6):
        rows = [row for row in np.flatnonzero(decisions.games == number) if decisions.states[row]["phase"] == 0]
        turns = [solver.turns(decisions.states[row : row + 1]) for row in rows]
        last = [set(found.values()) for found in turns if len(found) > 1]
        alike += [len(last[-1]) == 1] if last else []
    assert leaf_correlation(decisions).value == np.mean(alike)


def test_disambiguation_of_other_rules():
    found = disambiguation(random_games(3, "advanced+revised:2p:match"))
    assert found.size > 10
    assert found.value < 1
