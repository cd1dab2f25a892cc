"""The agents ``dmc`` and ``netroll`` with untrained networks: what they play does not matter here."""

import numpy as np
import pytest
import torch

from agents import Agent, MoveValueAgent, PolicyAgent, ValueAgent, make
from agents.dmc import Dmc, best_rows
from agents.learned.networks import as_input, load_network, new_network, weights_of
from agents.learned.turn_values import load_values
from agents.learned.weights import ModelError, ModelInfo, save_model
from agents.solver import Solver
from agents.table import play_deals
from red7_env.game import Rules, batch
from red7_env.game.moves import PASS
from tests.agents.cases import VARIANTS, check_move_values, check_values, positions, seen, view_of

AGENTS = (
    "dmc",
    "dmc:temperature=0.05",
    "netroll:playouts=2",
    "netroll:playouts=2:weight=0:forced=0.9:breadth=3",
    "netroll:playouts=60:breadth=2",
    "netroll:playouts=4:forced=1:rival=oracle",
)


def stored(folder, text, kind="dmc"):
    """Return the path of a new network for these rules whose values differ."""
    torch.manual_seed(1)
    info = ModelInfo(kind, Rules.parse(text), hidden=(16,))
    path = folder / f"{kind}-{text.replace(':', '-')}.safetensors"
    save_model(path, info, weights_of(new_network(info)))
    return path


def made(spec, path):
    """Return an agent that plays a file."""
    name, colon, rest = spec.partition(":")
    return make(f"{name}:model={path}{colon}{rest}")


@pytest.fixture(scope="module", params=VARIANTS)
def text(request):
    return request.param


@pytest.mark.parametrize("spec", AGENTS)
def test_they_keep_the_contract(spec, text, tmp_path):
    agent = made(spec, stored(tmp_path, text))
    assert isinstance(agent, Agent)
    assert isinstance(agent, PolicyAgent) == isinstance(agent, ValueAgent) == spec.startswith("dmc")
    assert isinstance(agent, MoveValueAgent)
    views = seen(positions(text, 24, seed=5))
    masks = batch.offers(views)
    before = views.tobytes(), masks.tobytes()
    moves = agent.act(views, masks, np.random.default_rng(3))
    assert moves.dtype == np.int64
    assert (masks[np.arange(len(views)), moves] == 1).all()
    assert (views.tobytes(), masks.tobytes()) == before
    again = make(agent.spec)
    assert again.spec == agent.spec
    assert (again.act(views, masks, np.random.default_rng(3)) == moves).all()
    assert (agent.act(views, masks, np.random.default_rng(3)) == moves).all()

    other = seen(batch.determinise(views, seed=9))
    assert (agent.act(other, masks, np.random.default_rng(3)) == moves).all()


@pytest.mark.parametrize("spec", AGENTS[:2])
def test_policies_are_distributions_over_the_offer(spec, text, tmp_path):
    agent = made(spec, stored(tmp_path, text))
    views = seen(positions(text, 24, seed=5))
    masks = batch.offers(views)
    chances = agent.policy(views, masks)
    assert chances.dtype == np.float64
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (chances[masks == 0] == 0).all()
    moves = agent.act(views, masks, np.random.default_rng(3))
    assert (chances[np.arange(len(views)), moves] > 0).all()
    if spec == "dmc":
        assert set(np.unique(chances)) == {0.0, 1.0}
    if not Rules.parse(text).match:
        assert ((chances[:, PASS] > 0) == ((masks[:, PASS] == 1) & (masks.sum(axis=1) == 1))).all()


def test_dmc_judges_moves_by_their_best_turns_and_positions_by_its_play(text, tmp_path):
    path = stored(tmp_path, text)
    agent, chancy = made("dmc", path), made("dmc:temperature=0.05", path)
    views = seen(positions(text, 24, seed=5))
    masks = batch.offers(views)
    worths = check_move_values(agent, views)
    values = check_values(agent, views)
    np.testing.assert_array_equal(values, np.nanmax(worths, axis=1))
    moves = agent.act(views, masks, np.random.default_rng(0))
    np.testing.assert_array_equal(values, worths[np.arange(len(views)), moves])
    assert (check_values(chancy, views) <= values + 1e-9).all()
    np.testing.assert_array_equal(check_move_values(chancy, views), worths)
    if not Rules.parse(text).match:
        passes = (masks[:, PASS] == 1) & (masks.sum(axis=1) > 1)
        assert (worths[passes, PASS] == 0).all()


def test_what_is_lost_for_certain_is_worth_nothing(tmp_path):
    agent = made("dmc", stored(tmp_path, "basic:2p"))
    lost = view_of("basic - R1:V2/O5:R7 0 -")
    assert agent.values(lost, batch.offers(lost)).tolist() == [0]


def test_netroll_judges_the_turns_that_it_plays_out(text, tmp_path):
    path = stored(tmp_path, text)
    views = seen(positions(text, 12, seed=5))
    masks = batch.offers(views)
    some = check_move_values(made("netroll:playouts=2:breadth=2", path), views, all_judged=False)
    assert ((~np.isnan(some)).sum(axis=1) <= 2).all()
    alone = check_move_values(made("netroll:playouts=1:weight=1", path), views, all_judged=False)
    network = made("dmc", path).move_values(views, masks, np.random.default_rng(0))
    np.testing.assert_array_equal(alone[~np.isnan(alone)], network[~np.isnan(alone)])
    np.testing.assert_array_equal(np.nanmax(alone, axis=1), np.nanmax(network, axis=1))
    timed = check_timed(made("netroll:ms=1:breadth=2", path), views)
    assert (np.isnan(timed) == np.isnan(some)).all()


def check_timed(agent, views):
    """Return what an agent says of moves whose budget is a time, which no seed repeats."""
    return agent.move_values(views, batch.offers(views), np.random.default_rng(3))


@pytest.mark.parametrize("spec", AGENTS)
def test_an_empty_batch_has_no_moves(spec, tmp_path):
    agent = made(spec, stored(tmp_path, "basic:2p"))
    views = positions("basic:2p", 1)[:0]
    masks = batch.offers(views)
    moves = agent.act(views, masks, np.random.default_rng(0))
    assert moves.shape == (0,)
    assert moves.dtype == np.int64
    assert agent.move_values(views, masks, np.random.default_rng(0)).shape == masks.shape
    if isinstance(agent, PolicyAgent):
        assert agent.policy(views, masks).shape == masks.shape


def test_it_plays_by_chance_as_its_policy_says(tmp_path):
    agent = made("dmc:temperature=0.05", stored(tmp_path, "basic:2p"))
    views = np.repeat(seen(positions("basic:2p", 1, seed=8)), 5000)
    masks = batch.offers(views)
    counts = np.bincount(agent.act(views, masks, np.random.default_rng(1)), minlength=masks.shape[1])
    np.testing.assert_allclose(counts / len(views), agent.policy(views[:1], masks[:1])[0], atol=0.03)


def test_the_first_layer_by_differences_is_the_first_layer(text, tmp_path):
    path = stored(tmp_path, text)
    _, network = load_network(path, "dmc")
    for listed in load_values(path).of(seen(positions(text, 30, seed=3))):
        with torch.inference_mode():
            plain = torch.sigmoid(network(as_input(listed.seen))).numpy()
        np.testing.assert_allclose(listed.values[~listed.sure], plain[~listed.sure], atol=1e-5)


def test_one_view_is_judged_as_in_a_batch(tmp_path):
    values = load_values(stored(tmp_path, "advanced+revised:2p:match"))
    views = seen(positions("advanced+revised:2p:match", 20, seed=3))
    together = np.concatenate([listed.values.copy() for listed in values.of(views)])
    apart = np.concatenate([listed.values.copy() for i in range(20) for listed in values.of(views[i : i + 1])])
    np.testing.assert_allclose(together, apart, atol=1e-6)


def test_the_best_turn_of_each_view_is_chosen():
    assert best_rows(np.array([2, 3, 6]), np.array([0.1, 0.2, 0.0, 0.5, 0.9, 0.9])).tolist() == [1, 2, 4]


def test_netroll_that_trusts_its_network_alone_plays_as_dmc(tmp_path):
    path = stored(tmp_path, "basic:2p")
    views = seen(positions("basic:2p", 40, seed=9))
    masks = batch.offers(views)
    alone = made("netroll:playouts=1:weight=1", path).act(views, masks, np.random.default_rng(0))
    assert (alone == made("dmc", path).act(views, masks, np.random.default_rng(0))).all()


def test_netroll_that_trusts_forced_wins_alone_makes_them_where_all_is_known(tmp_path):
    rules = "basic@4x4x7:2p"  # all cards are dealt, so what a seat does not see is its rival's hand
    states = positions(rules, 60, seed=4)
    masks = batch.offers(states)
    agent = made("netroll:playouts=2:weight=0:forced=1:breadth=1000", stored(tmp_path, rules))
    moves = agent.act(seen(states), masks, np.random.default_rng(0))
    winning = Solver().winning_moves(states) == 1
    choices = winning.any(axis=1) & (masks.sum(axis=1) > 1)
    assert choices.sum() > 10
    assert winning[np.arange(60), moves][choices].all()


@pytest.mark.parametrize("rival", ["greedy", "oracle"])
def test_netroll_whose_playouts_do_not_count_makes_none(rival, tmp_path, monkeypatch):
    agent = made(f"netroll:playouts=4:forced=1:rival={rival}", stored(tmp_path, "basic:2p"))
    views = seen(positions("basic:2p", 20, seed=4))
    monkeypatch.setattr("agents.netroll.explore_turns", None)
    masks = batch.offers(views)
    moves = agent.act(views, masks, np.random.default_rng(0))
    assert masks[np.arange(20), moves].all()


def test_netroll_believes_other_worlds_of_another_rival(tmp_path):
    path, states = stored(tmp_path, "basic:2p"), positions("basic:2p", 60, seed=4)
    views = seen(states[states["turn"] > 1][:5])
    values = [
        made(f"netroll:playouts=20:weight=0:forced=1:rival={rival}", path).move_values(
            views, batch.offers(views), np.random.default_rng(0)
        )
        for rival in ("greedy", "oracle")
    ]
    assert np.nanmax(np.abs(values[0] - values[1])) > 0.05


def test_netroll_without_its_network_finds_the_winning_turn(tmp_path):
    agent = made("netroll:playouts=20:weight=0:forced=0:breadth=1000", stored(tmp_path, "basic:2p"))
    games = play_deals([agent, make("random:unit=turn")], Rules(), 40, seed=2)
    assert games.shares[:, 0].mean() > 0.7


def test_netroll_may_be_given_a_time(tmp_path):
    agent = made("netroll:ms=2", stored(tmp_path, "basic:3p"))
    views = seen(positions("basic:3p", 3, seed=2))
    masks = batch.offers(views)
    assert (masks[np.arange(3), agent.act(views, masks, np.random.default_rng(0))] == 1).all()


@pytest.mark.parametrize("name", ["dmc", "netroll"])
def test_models_that_do_not_fit_are_refused(name, tmp_path):
    views = seen(positions("basic@4x5x4:3p", 2))
    masks = batch.offers(views)
    with pytest.raises(ModelError, match="model: found no shipped dmc for basic@4x5x4:3p"):
        make(name).act(views, masks, np.random.default_rng())
    with pytest.raises(ModelError, match="model: found one for basic:2p, expected one for basic@4x5x4:3p"):
        made(name, stored(tmp_path, "basic:2p")).act(views, masks, np.random.default_rng())
    with pytest.raises(ModelError, match=r"model: found kind 'ppo' in .*, expected dmc"):
        made(name, stored(tmp_path, "basic:2p", "ppo"))
    with pytest.raises(ValueError, match="model: found '/no/where'"):
        make(f"{name}:model=/no/where")


def test_values_can_be_played_without_a_file(tmp_path):
    path = stored(tmp_path, "basic:2p")
    views = seen(positions("basic:2p", 20, seed=1))
    masks = batch.offers(views)
    moves = [
        agent.act(views, masks, np.random.default_rng(0))
        for agent in (Dmc.playing(load_values(path)), made("dmc", path))
    ]
    assert (moves[0] == moves[1]).all()
