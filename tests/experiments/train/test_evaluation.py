import numpy as np
import pytest

from agents import make
from experiments.train.evaluation import evaluate, strength
from experiments.train.snapshots import Snapshots
from red7_env.game import Rules


def test_equal_agents_win_equally():
    found = strength(make("greedy:choice=freedom"), make("greedy"), Rules.parse("basic@4x4x3:3p"), 100)
    assert found.low - 1e-9 <= found.rate <= found.high + 1e-9
    assert found.low - 5 < 100 / 3 < found.high + 5
    assert found.deals == 100


def test_the_better_one_wins_more_and_the_same_deals_give_the_same_figure():
    rules = Rules.parse("basic:2p")
    found = evaluate(make("greedy"), rules, 100, ["random", "random:unit=turn"])
    assert [strength.opponent for strength in found] == ["random", "random:unit=turn"]
    assert all(strength.low > 60 for strength in found)
    assert evaluate(make("greedy"), rules, 100, ["random", "random:unit=turn"]) == found
    assert str(found[0]).startswith("random 9")


def test_hard_snapshots_are_chosen_more_often_and_the_easiest_goes():
    from agents.learned.networks import PolicyValue

    network = PolicyValue(4, 3, (5,))
    pool = Snapshots(3, 2.0, network, np.random.default_rng(1))
    for wins in (10, 90, 50):
        pool.take(network)
        pool._now = len(pool) - 1
        pool.note(wins, 100)
    assert pool.rates() == pytest.approx([0.108, 0.892, 0.5], abs=0.01)
    chosen = []
    for _ in range(300):
        pool.choose()
        chosen.append(pool._now)
        pool._wins, pool._games = [10.0, 90.0, 50.0], [100.0] * 3
    counts = np.bincount(chosen, minlength=3)
    assert counts[0] > counts[2] > counts[1] > 0
    pool.take(network)
    assert len(pool) == 3
    assert pool.taken == 4
    assert pool.rates() == pytest.approx([0.108, 0.5, 0.5], abs=0.01)
