import numpy as np
import pytest

from agents.learned.player import drawn, without_pass
from red7_env.game import Rules, batch
from red7_env.game.moves import PASS
from tests.agents.cases import positions


def test_moves_are_drawn_by_their_weights():
    weights = np.tile(np.array([0.0, 1, 0, 3, 0], np.float32), (20_000, 1))
    moves = drawn(weights, np.random.default_rng(1))
    counts = np.bincount(moves, minlength=5)
    assert (counts[[0, 2, 4]] == 0).all()
    assert counts[3] / len(moves) == pytest.approx(0.75, abs=0.02)


def test_a_move_without_weight_is_never_drawn():
    class Edge:
        def random(self, count):
            return np.tile([0.0, np.nextafter(1, 0)], count // 2)

    weights = np.tile(np.array([0, 0, 1e-30, 0.3, 0], np.float32), (10, 1))
    assert set(drawn(weights, Edge()).tolist()) == {2, 3}


@pytest.mark.parametrize("text", ["basic:2p", "basic+revised:3p", "advanced:2p:match"])
def test_the_voluntary_pass_is_left_out_in_basic_only(text):
    masks = batch.offers(positions(text, 60, seed=2))
    kept = without_pass(masks, Rules.parse(text))
    assert kept.any(axis=1).all()
    assert (kept <= masks).all()
    only = (masks.sum(axis=1) == 1) & (masks[:, PASS] == 1)
    assert ((masks[:, PASS] == 1) & ~only).any()
    if Rules.parse(text).advanced:
        assert (kept == masks).all()
    else:
        assert (kept[:, PASS] == only).all()
        assert (np.delete(kept, PASS, axis=1) == np.delete(masks, PASS, axis=1)).all()
