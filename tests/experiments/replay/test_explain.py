"""What agents and solver say of decisions."""

import numpy as np
import pytest

from agents import SpecError, make
from agents.solver import Solver
from experiments.replay.explain import decisions, explain, verdicts
from red7_env.game import batch
from red7_env.stages import stages
from tests.experiments.replay.games import VARIANTS, finished


@pytest.mark.parametrize("rules", VARIANTS)
def test_agents_see_views_only_and_answer_for_every_decision(rules):
    all_stages = list(stages(finished(rules)))
    offers = decisions(all_stages)
    specs = ["random", "greedy", "rollout:playouts=2"]
    critics = explain(all_stages, specs)
    assert [critic.spec for critic in critics] == specs
    for critic in critics:
        assert critic.opinions.keys() == offers.keys()
    uniform, greedy, rollout = (critic.opinions for critic in critics)
    for number, offer in offers.items():
        assert uniform[number].chances == pytest.approx([1 / len(offer)] * len(offer))
        assert uniform[number].value is uniform[number].worths is None
        state = all_stages[number].state
        view, masks = batch.views(state, int(state[0]["to_move"])), batch.offers(state)
        assert greedy[number].choice == make("greedy").act(view, masks, np.random.default_rng(0))[0]
        assert greedy[number].chances is greedy[number].worths is None
        worths = rollout[number].worths
        assert worths.shape == (len(offer),)
        assert ((worths >= 0) & (worths <= 1)).all()
        assert rollout[number].value == worths.max()
        place = offer.index(all_stages[number].move)
        assert rollout[number].regret(place) == worths.max() - worths[place]
        assert greedy[number].regret(place) is None


def test_the_same_seed_says_the_same():
    all_stages = list(stages(finished("advanced:2p")))
    one, same, other = (explain(all_stages, ["rollout:playouts=5"], seed=seed)[0].opinions for seed in (1, 1, 2))
    worths = [np.concatenate([opinion.worths for opinion in found.values()]) for found in (one, same, other)]
    assert (worths[0] == worths[1]).all()
    assert (worths[0] != worths[2]).any()


def test_networks_tell_what_they_expect():
    all_stages = list(stages(finished("basic:2p")))
    policy, turns = (critic.opinions for critic in explain(all_stages, ["ppo:temperature=1", "dmc"]))
    for number in decisions(all_stages):
        assert policy[number].chances.sum() == pytest.approx(1)
        assert policy[number].worths is None
        assert 0 <= policy[number].value <= 1
        assert turns[number].value == turns[number].worths.max()
    assert len({opinion.value for opinion in policy.values()}) > 1


def test_a_value_that_is_not_known_is_none(monkeypatch):
    from agents.ppo import Ppo

    monkeypatch.setattr(Ppo, "values", lambda _, views, __: np.full(len(views), np.nan))
    (critic,) = explain(list(stages(finished("basic:2p"))), ["ppo"])
    assert {opinion.value for opinion in critic.opinions.values()} == {None}


def test_the_oracle_is_told_of():
    (critic,) = explain(list(stages(finished("basic:2p"))), ["oracle:depth=1"])
    assert critic.sees_all


def test_progress_is_reported():
    heard = []
    all_stages = list(stages(finished("advanced+revised:4p")))
    explain(all_stages, ["greedy"], report=lambda *words: heard.append(words))
    count = len(decisions(all_stages))
    assert heard[0] == ("greedy", 0, count)
    assert heard[-1] == ("greedy", count, count)


def test_verdicts_are_the_solvers():
    all_stages = list(stages(finished("basic:2p")))
    found = verdicts(all_stages)
    assert found.keys() == set(range(len(all_stages) - 1))
    solver = Solver()
    for number, verdict in found.items():
        state = all_stages[number].state
        mover = int(state[0]["to_move"])
        assert (verdict.winner == mover) == solver.wins(state)[0] == bool(verdict.keeping)
        assert list(verdict.keeping) == np.flatnonzero(solver.winning_moves(state)[0]).tolist()
        after = found.get(number + 1)
        if after is not None and all_stages[number].move in verdict.keeping:
            assert after.winner == mover
    assert verdicts(list(stages(finished("advanced:2p")))) == {}
    assert verdicts(list(stages(finished("basic+first:3p")))) == {}


def test_agents_that_cannot_be_asked():
    all_stages = list(stages(finished("basic:2p")))
    with pytest.raises(SpecError, match="agent: found 'nobody'"):
        explain(all_stages, ["nobody"])
    with pytest.raises(SpecError, match="playouts: found '0'"):
        explain(all_stages, ["rollout:playouts=0"])


def test_a_person_is_not_asked(monkeypatch):
    from agents import Entry, registry

    monkeypatch.setitem(registry._ENTRIES, "human", Entry("human", "agents.greedy:Greedy", "a person"))
    with pytest.raises(SpecError, match="explain: found 'human', expected an agent that can be asked at will"):
        explain(list(stages(finished("basic:2p"))), ["human"])
