"""The agent ``ppo`` with untrained networks: what it plays does not matter here."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agents import Agent, MoveValueAgent, PolicyAgent, ValueAgent, make
from agents.learned.networks import new_network, weights_of
from agents.learned.player import shares_of
from agents.learned.weights import ModelError, ModelInfo, save_model
from agents.table import play_deals
from red7_env.batch_rewards import WIN, final_rewards_many
from red7_env.game import Rules, batch
from red7_env.game.moves import PASS
from red7_env.game.state import MATCH_OVER
from tests.agents.cases import VARIANTS, check_values, positions, seen

ROOT = Path(__file__).resolve().parents[2]


def stored(folder, text, scale=50.0):
    """Return the path of a new network for these rules whose policy is not flat."""
    info = ModelInfo("ppo", Rules.parse(text), hidden=(16,))
    weights = weights_of(new_network(info))
    weights["policy.weight"] *= np.float32(scale)
    path = folder / f"{text.replace(':', '-')}.safetensors"
    save_model(path, info, weights)
    return path


@pytest.fixture(scope="module", params=VARIANTS)
def text(request):
    return request.param


@pytest.mark.parametrize("more", ["", ":temperature=1", ":temperature=0.3"])
def test_it_keeps_the_contract(text, more, tmp_path):
    agent = make(f"ppo:model={stored(tmp_path, text)}{more}")
    assert isinstance(agent, Agent)
    assert isinstance(agent, PolicyAgent)
    assert isinstance(agent, ValueAgent)
    assert not isinstance(agent, MoveValueAgent)
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

    chances = agent.policy(views, masks)
    assert chances.dtype == np.float64
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (chances[masks == 0] == 0).all()
    assert (chances[np.arange(len(views)), moves] > 0).all()
    assert ((chances == chances.max(axis=1, keepdims=True)).sum(axis=1) == 1).any()
    if not more:
        assert set(np.unique(chances)) == {0.0, 1.0}


def test_values_are_shares_of_the_win(text, tmp_path):
    views = seen(positions(text, 24, seed=5))
    values = check_values(make(f"ppo:model={stored(tmp_path, text)}"), views)
    assert len(set(values.tolist())) > 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_paid_as_a_share(players):
    winners = np.arange(1, players + 1)
    paid = final_pay(players, winners)
    np.testing.assert_allclose(shares_of(paid, players), 1 / winners)
    np.testing.assert_allclose(shares_of(np.array([-1 / (players - 1), -9, 9]), players), [0, 0, 1], atol=1e-12)


def final_pay(players, winners):
    """Return what the environment pays one of some winners: [len(winners)] float64."""
    states = batch.deal(Rules(players, "advanced", match=True), len(winners), 1)
    states["phase"] = MATCH_OVER
    states["winners"] = (1 << winners) - 1
    paid = np.empty((len(winners), players), np.float32)
    final_rewards_many(states, WIN, paid)
    return paid[:, 0].astype(np.float64)


@pytest.mark.parametrize("notes", [{"reward": "points"}, {"critic": "oracle"}])
def test_a_value_that_has_not_learned_the_share_is_not_given(notes, tmp_path):
    path = tmp_path / "other.safetensors"
    info = ModelInfo("ppo", Rules.parse("advanced:2p"), hidden=(16,), notes=notes)
    save_model(path, info, weights_of(new_network(info)))
    views = seen(positions("advanced:2p", 4, seed=5))
    assert np.isnan(make(f"ppo:model={path}").values(views, batch.offers(views))).all()


def test_hidden_cards_change_nothing(text, tmp_path):
    agent = make(f"ppo:model={stored(tmp_path, text)}")
    views = seen(positions(text, 24, seed=5))
    other = seen(batch.determinise(views, seed=9))
    masks = batch.offers(views)
    assert (agent.act(views, masks, np.random.default_rng()) == agent.act(other, masks, np.random.default_rng())).all()


def test_an_empty_batch_has_no_moves(tmp_path):
    agent = make(f"ppo:model={stored(tmp_path, 'basic:2p')}")
    views = positions("basic:2p", 1)[:0]
    moves = agent.act(views, batch.offers(views), np.random.default_rng(0))
    assert moves.shape == (0,)
    assert moves.dtype == np.int64
    assert agent.policy(views, batch.offers(views)).shape[0] == 0


def test_it_plays_by_chance_as_its_policy_says(tmp_path):
    agent = make(f"ppo:model={stored(tmp_path, 'basic:2p')}:temperature=1")
    views = np.repeat(seen(positions("basic:2p", 1, seed=8)), 20_000)
    masks = batch.offers(views)
    counts = np.bincount(agent.act(views, masks, np.random.default_rng(1)), minlength=masks.shape[1])
    np.testing.assert_allclose(counts / len(views), agent.policy(views[:1], masks[:1])[0], atol=0.02)


def test_in_basic_it_never_passes_of_its_own_will(tmp_path):
    agent = make(f"ppo:model={stored(tmp_path, 'basic:3p')}:temperature=100")
    views = seen(positions("basic:3p", 60, seed=1))
    masks = batch.offers(views)
    passed = agent.policy(views, masks)[:, PASS] > 0
    assert (passed == ((masks[:, PASS] == 1) & (masks.sum(axis=1) == 1))).all()


def test_it_plays_whole_games(tmp_path):
    agent, other = (make(f"ppo:model={stored(tmp_path, 'basic:2p')}{more}") for more in ("", ":temperature=1"))
    games = play_deals([agent, other], Rules(), 8, seed=1)
    assert games.shares.sum() == 16


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (":model=/no/where", r"model: found '/no/where' \(No such file or directory\), expected a file"),
        (":temperature=-1", "temperature: found '-1', expected a number from 0 to 100"),
    ],
)
def test_refusals(more, message):
    with pytest.raises(ValueError, match=message):
        make("ppo" + more)


def test_rules_it_has_no_model_for_are_refused(tmp_path):
    views = seen(positions("basic@4x5x4:3p", 2))
    masks = batch.offers(views)
    with pytest.raises(ModelError, match="model: found no shipped ppo for basic@4x5x4:3p"):
        make("ppo").act(views, masks, np.random.default_rng())
    with pytest.raises(ModelError, match="model: found one for basic:2p, expected one for basic@4x5x4:3p"):
        make(f"ppo:model={stored(tmp_path, 'basic:2p')}").act(views, masks, np.random.default_rng())


def test_without_torch_it_says_what_is_missing():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "import importlib.util as util; known = util.find_spec\n"
        "util.find_spec = lambda name: None if name == 'torch' else known(name)\n"
        "import agents\n"
        "try: agents.make('ppo')\n"
        "except ValueError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "ppo: found no torch, expected pip install -e '.[train]'\n"
