"""Plans: playouts by hand where there is no tree, counts that add up, and later turns that are better than greedy's."""

import numpy as np
import pytest

from agents.greedy_kernels import greedy_move_by
from agents.jit import kernel
from agents.learned.afterstates import make_turn
from agents.planning import explore_turns, new_tree, plant
from agents.playouts import end_values
from agents.steps import do_move
from red7_env.game import batch
from red7_env.game.state import ROUND_OVER
from tests.agents.cases import VARIANTS, positions, seen, turns_of

WORLDS, SEED = 60, np.uint64(7)


@kernel
def play_greedily_on(states, turn, seat, values):
    """Make a turn in full states and finish their rounds by greedy moves."""
    for i in range(len(states)):
        make_turn(states[i], turn)
        while states[i].phase < ROUND_OVER:
            do_move(states[i], greedy_move_by(states[i], states[i].to_move == seat))
        end_values(states[i], values[i])


def explored(view, turns, playouts, worlds=WORLDS, tries=1):
    """Return the tree and the mean worth of each turn."""
    tree, roots = new_tree(playouts), np.arange(len(turns))
    plant(tree, len(turns))
    explore_turns(view, np.array([SEED]), turns, roots, worlds, tries, tree)
    return tree, tree.edges["total"][roots] / worlds


def some_views(text, count, seed):
    views = seen(positions(text, count, seed=seed))
    return [views[i : i + 1] for i in range(len(views))]


@pytest.mark.parametrize("text", VARIANTS)
def test_without_room_for_a_tree_all_goes_on_greedily(text):
    for view in some_views(text, 4, seed=3):
        turns, seat = turns_of(view)[:3], int(view["to_move"][0])
        _, worths = explored(view, turns, 0, worlds=2000)
        worlds, values = batch.determinise(np.repeat(view, 2000), seed=5), np.zeros((2000, 4))
        play_greedily_on(worlds, turns[0], seat, values)
        np.testing.assert_allclose(worths[0], values[:, seat].mean(), atol=0.06)  # other worlds, of the same kind


@pytest.mark.parametrize("text", VARIANTS)
def test_every_playout_is_counted_once_on_its_way(text):
    for view in some_views(text, 6, seed=4):
        turns = turns_of(view)[:4]
        tree, _ = explored(view, turns, WORLDS * 4, tries=8)
        edges, nodes = tree.edges[: tree.used[1]], tree.nodes[: tree.used[0]]
        assert (edges["visits"][: len(turns)] == WORLDS).all()
        assert ((edges["total"] >= 0) & (edges["total"] <= edges["visits"] + 1e-9)).all()
        for node in nodes[1:]:
            own = edges[node["edge"] : node["edge"] + node["edges"]]
            assert own["visits"].sum() <= node["visits"]
        for edge in edges:
            visits, child = 0, edge["child"]
            while child:
                visits, child = visits + nodes[child]["visits"], nodes[child]["sibling"]
            assert visits <= edge["visits"]


@pytest.mark.parametrize("text", ["basic:2p", "advanced+revised:3p"])
def test_the_same_stream_grows_the_same_tree(text):
    for view in some_views(text, 3, seed=6):
        turns = turns_of(view)[:4]
        (tree, worths), (again, others) = explored(view, turns, 240), explored(view, turns, 240)
        assert (worths == others).all()
        assert tree.nodes.tobytes() == again.nodes.tobytes()
        assert tree.edges.tobytes() == again.edges.tobytes()


def test_a_full_tree_grows_no_more():
    view = some_views("basic:2p", 1, seed=8)[0]
    tree, worths = explored(view, turns_of(view)[:4], 10, worlds=500)
    assert tree.used[0] == len(tree.nodes) == 11
    assert ((worths >= 0) & (worths <= 1)).all()


def test_turns_that_win_more_than_greedy_ones_are_preferred():
    gains = []
    for view in some_views("basic:2p", 10, seed=9):
        tree, _ = explored(view, turns_of(view)[:3], 12_000, worlds=4000)
        for node in tree.nodes[1 : tree.used[0]]:
            edges = tree.edges[node["edge"] : node["edge"] + node["edges"]]
            if node["visits"] >= 300 and len(edges) > 1:
                worths = edges["total"] / np.maximum(edges["visits"], 1)
                gains.append(worths[edges["visits"].argmax()] - worths[edges["greedy"]][0])
    assert len(gains) > 50
    assert np.min(gains) > -0.02
    assert np.mean(gains) > 0.02
