"""rollout and ismcts: they play well, and use their budget."""

import time

import numpy as np
import pytest

from agents import make, make_all
from agents.ismcts import NODE
from agents.table import play_deals
from red7_env.game import Rules, batch
from red7_env.game.moves import move_text, parse_move
from tests.agents.cases import positions, seen, view_of

SEARCHERS = ("rollout:playouts=20", "ismcts:iterations=150")


@pytest.mark.parametrize("spec", SEARCHERS)
@pytest.mark.parametrize(("rules", "fair"), [("basic:2p", 0.5), ("advanced+revised:2p", 0.5), ("basic:3p", 1 / 3)])
def test_searchers_beat_random_turns_clearly(spec, rules, fair):
    parsed = Rules.parse(rules)
    agents = make_all([spec] + ["random:unit=turn"] * (parsed.players - 1))
    games = play_deals(agents, parsed, 60, seed=8)
    assert games.shares[:, 0].mean() > fair + 0.2


@pytest.mark.parametrize("spec", SEARCHERS)
def test_a_win_at_once_is_found(spec):
    # Only the green discard leaves the rival, who holds one unknown card, without an answer.
    view = view_of("basic@2x4x1 - R4:O3/R1:O4 0 O1R3O2R2")
    moves = make(spec).act(view, batch.offers(view), np.random.default_rng(0))
    assert move_text(int(moves[0])) == "+R4"


def test_searchers_do_not_pass_where_a_move_may_win():
    view = view_of("basic - Y5V6:V3/R5:R7 0 -")
    for spec in SEARCHERS:
        moves = make(spec).act(view, batch.offers(view), np.random.default_rng(0))
        assert moves[0] != parse_move("#")


@pytest.mark.parametrize("name", ["rollout", "ismcts"])
def test_time_is_a_budget(name):
    views = seen(positions("basic:2p", 3, seed=2))
    masks = batch.offers(views)
    agent = make(f"{name}:ms=30")
    agent.act(views, masks, np.random.default_rng(0))  # compiles
    start = time.perf_counter()
    moves = agent.act(views, masks, np.random.default_rng(0))
    # Forced moves take no time; a busy machine may take more.
    assert 0.03 * (masks.sum(axis=1) > 1).sum() <= time.perf_counter() - start < 2
    assert (masks[np.arange(3), moves] == 1).all()


def test_more_playouts_find_a_better_move():
    few, many = make_all(["rollout:playouts=1", "rollout:playouts=60"])
    games = play_deals([many, few], Rules(), 150, seed=2)
    assert games.shares[:, 0].mean() > 0.55


def test_the_tree_counts_what_it_did():
    agent = make("ismcts:iterations=300")
    view = seen(batch.deal(Rules(), 1, 4))
    agent.act(view, batch.offers(view), np.random.default_rng(0))
    nodes = agent._nodes
    assert nodes.dtype == NODE
    assert nodes["visits"][1:].max() <= 300
    children, child = [], nodes["child"][0]
    while child:
        children.append(nodes[child])
        child = nodes["sibling"][child]
    assert sum(child["visits"] for child in children) == 300
    # At the root every move is available in every world, from when it was first tried.
    assert all(child["visits"] <= child["available"] <= 300 for child in children)
    assert all(0 <= child["total"] <= child["visits"] for child in children)
    assert len({int(child["action"]) for child in children}) == len(children)
