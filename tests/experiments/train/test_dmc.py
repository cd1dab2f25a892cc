"""Deep Monte Carlo: what a turn is learned to be worth, that learning works, and that a run can be split."""

import numpy as np
import pytest

from agents import make
from agents.learned.networks import load_network
from agents.learned.turn_values import TurnValues
from agents.learned.weights import ModelError, load_tensors, save_model
from experiments.train.dmc import DmcLearner, Step, learner, returns
from experiments.train.dmc_config import PRESETS, DmcConfig
from experiments.train.evaluation import strength
from experiments.train.folder import CHECKPOINT, LAST
from experiments.train.options import TrainError, config_of
from experiments.train.solved import Solved
from red7_env.game import Rules, batch
from tests.agents.cases import positions, seen
from tests.experiments.train.cases import trained

SMALL = {"rules": "basic@4x4x3:2p", "moves": 3000, "rows": 1000, "games": 64, "evaluations": 1, "eval_deals": 10}
SMALL |= {"tensorboard": False, "save_every": 0.0}
VARIANTS = ("basic@4x4x3:3p", "advanced@4x5x3:4p", "advanced+revised@4x5x3:2p:match", "basic+first@5x5x3:2p")


def config(**more):
    return config_of(DmcConfig, PRESETS["tiny"], SMALL, more)


def test_targets_run_along_the_turns_of_one_seat():
    def step(seats, best, chosen=(True, True)):
        count = len(seats)
        seen, solved = np.zeros((count, 1), np.uint8), np.array([1.0, 0.0])
        return Step(np.arange(count), np.array(seats), seen, np.array(best), np.array(chosen), solved)

    # Seat 0 moves, then seat 1, then seat 0 again in both games; seat 0 wins the first, seat 1 the second.
    steps = [step([0, 0], [0.5, 0.4]), step([1, 1], [0.3, 0.6]), step([0, 0], [0.8, 0.2], (True, False))]
    won = np.array([[1.0, 0.0], [0.0, 1.0]])
    targets = returns(steps, won.copy(), 0.75).targets
    last, answers, first = [1.0], [0.0, 1.0], [0.75 * 1 + 0.25 * 0.8, 0.0]
    np.testing.assert_allclose(targets, [*last, *answers, *first])
    mixed = returns(steps, won, 0.75, solved=0.4).targets
    np.testing.assert_allclose(mixed, 0.6 * targets + 0.4 * np.array([1, 1, 0, 1, 0]))


def test_without_bootstrapping_the_result_is_the_target():
    made = DmcLearner(config(decay=1.0))
    rows = made._self_play(0.1, np.random.default_rng(1))
    assert set(np.unique(rows.targets)) == {0.0, 1.0}
    assert rows.seen.shape == (len(rows.targets), made._values.inputs)


@pytest.mark.parametrize("rules", VARIANTS)
def test_every_seat_sees_wins_and_losses(rules, monkeypatch):
    found = []
    monkeypatch.setattr("experiments.train.dmc.returns", lambda *given: found.append(given))
    made = DmcLearner(config(rules=rules))
    made._self_play(0.1, np.random.default_rng(1))
    (steps, won, *_), players = found[0], made.rules.players
    np.testing.assert_allclose(won.sum(axis=1), 1)
    for seat in range(players):
        outcomes = np.concatenate([won[step.games, seat][step.chosen & (step.seats == seat)] for step in steps])
        assert (outcomes > 0.5).any()
        assert (outcomes == 0).any()


@pytest.mark.parametrize("rules", VARIANTS)
def test_both_parts_of_a_run_work_by_all_rules(rules):
    made = DmcLearner(config(rules=rules))
    for done in (0.0, 0.3, 0.5, 0.9):
        row = made.advance(done)
        assert np.isfinite(row["loss"])
        assert 0 < row["won"] < 1


def test_the_fitted_part_can_use_the_real_deal():
    rows = [DmcLearner(config(playouts=playouts))._source.rows(0)[0] for playouts in (0, 8)]
    assert set(np.unique(rows[0].targets)) == {0.0, 1.0}
    assert len(np.unique(rows[1].targets)) > 2
    assert abs(rows[0].targets.mean() - rows[1].targets.mean()) < 0.05


def test_what_is_solved_is_who_wins_with_open_cards(monkeypatch):
    found = []
    monkeypatch.setattr("experiments.train.dmc.returns", lambda *given: found.append(given))
    made = DmcLearner(config(solved=0.5, solved_worlds=0))
    made._self_play(0.0, np.random.default_rng(1))
    steps, won, _, share = found[0]
    assert share == 0.5
    worth = np.concatenate([won[step.games, step.seats] for step in steps])
    wins = np.concatenate([step.solved for step in steps])
    assert set(np.unique(wins)) == {0.0, 1.0}
    solved = wins == 1
    assert worth[solved].mean() > 0.8  # who wins by force mostly wins, even if both seats err
    assert worth[~solved].mean() < 0.2
    rows = returns(steps, won, 1.0, solved=1.0)
    assert set(np.unique(rows.targets)) == {0.0, 1.0}
    assert rows.targets.mean() == solved[np.concatenate([step.chosen for step in steps])].mean()


def test_a_rival_that_sees_all_hands_never_lets_a_win_slip(monkeypatch):
    found = []
    monkeypatch.setattr("experiments.train.dmc.returns", lambda *given: found.append(given))
    made = DmcLearner(config(against="oracle", solved=1, solved_worlds=0, games=200))
    made._self_play(0.3, np.random.default_rng(1))
    steps, won, *_ = found[0]
    worth = np.concatenate([won[step.games, step.seats] for step in steps])
    lost = np.concatenate([step.solved for step in steps]) == 0
    assert (worth[lost] == 0).all()
    assert 0.2 < worth[~lost].mean() < 1


def test_many_worlds_are_solved_as_the_real_one_where_no_other_fits():
    states = batch.deal(Rules.parse("basic@4x4x7:2p"), 60, seed=3)  # no deck, so the rival's hand is known
    movers, rng = 1 - states["to_move"].astype(np.int64), np.random.default_rng(0)
    real, many = (Solved(worlds).worths(states, movers, rng) for worlds in (0, 4))
    assert real.tolist() == many.tolist()
    assert 0.2 < real.mean() < 0.8


def test_in_many_worlds_the_mean_is_told():
    states = batch.deal(Rules(), 40, seed=3)
    movers, rng = 1 - states["to_move"].astype(np.int64), np.random.default_rng(0)
    some, many = (Solved(worlds).worths(states, movers, rng) for worlds in (16, 400))
    assert (some * 16 % 1 == 0).all()
    assert np.abs(some - many).mean() < 0.12
    assert np.unique(many).size > 10


@pytest.mark.parametrize("rules", ["basic:3p", "advanced:2p", "basic+first:2p"])
def test_only_what_can_be_solved_is(rules):
    with pytest.raises(TrainError, match="expected 0: it is for 2-player basic without actions only"):
        config(rules=rules, solved=0.5).check()


def test_it_beats_random_turns_on_a_small_deck(tmp_path):
    chosen = config(moves=60_000, rows=8000, games=256, rules="basic@4x4x3:2p")
    made = learner(chosen)
    before = strength(made.player(), make("random:unit=turn"), chosen.played, 500)
    trained(made, chosen, tmp_path)
    after = strength(made.player(), make("random:unit=turn"), chosen.played, 500)
    assert after.low > before.high
    assert after.low > 52

    info, network = load_network(tmp_path / LAST, "dmc")
    views = seen(positions(str(chosen.played), 50, seed=1))
    masks = batch.offers(views)
    stored = make(f"dmc:model={tmp_path / LAST}").act(views, masks, np.random.default_rng(0))
    assert (stored == made.player().act(views, masks, np.random.default_rng(0))).all()
    assert isinstance(TurnValues(info, network), TurnValues)


class StopError(Exception):
    """Stands for a sudden end."""


@pytest.mark.parametrize("rules", ["basic@4x4x3:2p", "advanced+revised@4x5x3:3p:match"])
def test_a_resumed_run_equals_an_uninterrupted_one(rules, tmp_path):
    chosen = config(rules=rules, fitted=0.5)
    trained(learner(chosen), chosen, tmp_path / "whole")
    for after in (1, 1):
        made = learner(chosen)
        made.advance = limited(made.advance, after)
        with pytest.raises(StopError):
            trained(made, chosen, tmp_path / "parts")
    trained(learner(chosen), chosen, tmp_path / "parts")
    for name in (LAST, CHECKPOINT):
        whole, parts = (load_tensors(tmp_path / folder / name)[0] for folder in ("whole", "parts"))
        assert whole.keys() == parts.keys()
        assert all(np.array_equal(array, parts[key]) for key, array in whole.items())


def limited(advance, times):
    """Return what advances so many times."""
    left = [times]

    def once_more(done):
        if not left[0]:
            raise StopError
        left[0] -= 1
        return advance(done)

    return once_more


def test_only_wins_can_be_learned():
    with pytest.raises(TrainError, match="reward: found 'points' with dmc, expected 'win'"):
        config(rules="advanced:2p:match", reward="points").check()


def test_a_run_can_begin_with_a_model(tmp_path):
    first = DmcLearner(config())
    save_model(tmp_path / "first.safetensors", first.info, first.weights())
    begun = DmcLearner(config(start=str(tmp_path / "first.safetensors"), seed=2))
    assert all(np.array_equal(array, first.weights()[name]) for name, array in begun.weights().items())
    with pytest.raises(ModelError, match=r"start: found hidden \(64,\) and derived, expected at most \(32,\)"):
        DmcLearner(config(start=str(tmp_path / "first.safetensors"), hidden=(32,)))
    with pytest.raises(ModelError, match="model: found one for basic@4x4x3:2p, expected one for basic@4x4x3:3p"):
        DmcLearner(config(start=str(tmp_path / "first.safetensors"), rules="basic@4x4x3:3p"))


def test_a_wider_network_begins_as_the_narrower_one_and_learns_on(tmp_path):
    first = DmcLearner(config(hidden=(32, 16)))
    save_model(tmp_path / "first.safetensors", first.info, first.weights())
    wider = DmcLearner(config(start=str(tmp_path / "first.safetensors"), hidden=(48, 20), seed=2))
    views = seen(positions("basic@4x4x3:2p", 50, seed=1))
    told = [next(iter(made._values.of(views))).values.copy() for made in (first, wider)]
    np.testing.assert_allclose(told[0], told[1], rtol=0, atol=1e-6)
    before = wider.weights()
    wider.advance(0.9)
    assert all((array != before[name]).any() for name, array in wider.weights().items())
    with pytest.raises(ModelError, match=r"start: found hidden \(32, 16\) and derived, expected at most \(48,\)"):
        DmcLearner(config(start=str(tmp_path / "first.safetensors"), hidden=(48,)))
