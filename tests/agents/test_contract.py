"""Every registered agent, in every kind of game, keeps what ``protocol.Agent`` promises."""

import numpy as np
import pytest

from agents import Agent, MoveValueAgent, PolicyAgent, ValueAgent, entries, entry_of, make
from red7_env.game import batch
from tests.agents.bot.cases import EXAMPLE
from tests.agents.cases import VARIANTS, check_move_values, positions, seen

SPECS = (
    "random",
    "random:unit=turn",
    "greedy",
    "greedy:choice=freedom",
    "rollout:playouts=3",
    "pimc:samples=2:depth=1",
    "oracle:depth=1",
    "ismcts:iterations=20",
    f"bot:{EXAMPLE}",
)
"""One of each agent, with a budget that makes it quick."""
POLICIES = ("random", "random:unit=turn")
"""Those that can say how likely each move is."""
MOVE_JUDGES = ("rollout:playouts=3", "pimc:samples=2:depth=1")
"""Those that can say what each move is worth."""
APART = {"human", "ppo", "dmc", "netroll"}
"""Agents that need a person or a file; their own tests cover them."""


@pytest.fixture(scope="module", params=VARIANTS)
def states(request):
    return positions(request.param, 24, seed=5)


def test_every_registered_agent_is_covered():
    assert {entry.name for entry in entries()} - APART == {entry_of(spec).name for spec in SPECS}


def given_to(agent, states):
    return states.copy() if entry_of(agent.spec).cheats else seen(states)


@pytest.mark.parametrize("spec", SPECS)
def test_agents_keep_the_contract(spec, states):
    agent = make(spec)
    assert isinstance(agent, Agent)
    assert isinstance(agent, PolicyAgent) == (spec in POLICIES)
    assert isinstance(agent, MoveValueAgent) == (spec in MOVE_JUDGES)
    assert not isinstance(agent, ValueAgent)
    assert getattr(agent, "cheats", False) == entry_of(spec).cheats
    views = given_to(agent, states)
    masks = batch.offers(views)
    before = views.tobytes(), masks.tobytes()
    moves = agent.act(views, masks, np.random.default_rng(3))

    assert moves.dtype == np.int64
    assert moves.shape == (len(views),)
    assert (masks[np.arange(len(views)), moves] == 1).all()
    assert (views.tobytes(), masks.tobytes()) == before

    again = make(agent.spec)
    assert again.spec == agent.spec
    assert (again.act(views, masks, np.random.default_rng(3)) == moves).all()
    # A second call of the same agent may not depend on the first.
    assert (agent.act(views, masks, np.random.default_rng(3)) == moves).all()


@pytest.mark.parametrize("spec", [spec for spec in SPECS if not entry_of(spec).cheats])
def test_hidden_cards_change_nothing(spec, states):
    views = seen(states)
    other = seen(batch.determinise(views, seed=9))
    masks = batch.offers(views)
    agent = make(spec)
    moves = [agent.act(some, masks, np.random.default_rng(1)) for some in (views, other)]
    assert (moves[0] == moves[1]).all()


@pytest.mark.parametrize("spec", SPECS)
def test_an_empty_batch_has_no_moves(spec):
    views = positions("basic:2p", 1)[:0]
    moves = make(spec).act(views, batch.offers(views), np.random.default_rng(0))
    assert moves.shape == (0,)
    assert moves.dtype == np.int64


@pytest.mark.parametrize("spec", POLICIES)
def test_policies_are_distributions_over_the_offer(spec, states):
    agent = make(spec)
    views = seen(states)
    masks = batch.offers(views)
    chances = agent.policy(views, masks)
    assert chances.dtype == np.float64
    assert chances.shape == masks.shape
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (chances >= 0).all()
    assert (chances[masks == 0] == 0).all()


@pytest.mark.parametrize("spec", MOVE_JUDGES)
def test_what_moves_are_worth(spec, states):
    check_move_values(make(spec), seen(states))


@pytest.mark.parametrize("spec", ["rollout:playouts=300", "pimc:samples=100"])
def test_the_best_moves_are_worth_most(spec):
    """With a budget that leaves little to chance an agent plays a move that it finds among the best."""
    states = positions("basic:2p", 12, seed=8)
    agent, views = make(spec), seen(states)
    masks = batch.offers(views)
    values = agent.move_values(views, masks, np.random.default_rng(1))
    moves = agent.act(views, masks, np.random.default_rng(2))
    several = np.flatnonzero(masks.sum(axis=1) > 1)
    lost = np.nanmax(values[several], axis=1) - values[several, moves[several]]
    assert (lost < 0.1).all()


@pytest.mark.parametrize("spec", ["rollout:ms=1", "pimc:ms=1"])
def test_time_may_be_the_budget(spec):
    views = seen(positions("advanced+revised:3p", 3, seed=8))
    masks = batch.offers(views)
    values = make(spec).move_values(views, masks, np.random.default_rng(1))
    assert not np.isnan(values[masks.sum(axis=1) > 1][masks[masks.sum(axis=1) > 1] == 1]).any()
