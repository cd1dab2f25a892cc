"""Who may play against the learner."""

import numpy as np
import pytest

from red7_env.game import Rules, batch
from red7_env.opponents import Opponent, RandomMoves, checked_opponents


def test_random_moves_are_offered_and_equally_likely():
    states = np.repeat(batch.deal(Rules(), 1, seed=4), 30_000)
    masks = batch.offers(states)
    moves = RandomMoves().act(batch.views(states, states[0]["to_move"]), masks, np.random.default_rng(0))
    assert moves.dtype == np.int64
    offered = np.flatnonzero(masks[0])
    counts = np.bincount(moves, minlength=masks.shape[1])
    assert counts.sum() == counts[offered].sum()
    share = len(states) / len(offered)
    # Five standard deviations of a binomial.
    assert abs(counts[offered] - share).max() < 5 * np.sqrt(share)


def test_random_moves_follow_the_generator():
    masks = batch.offers(batch.deal(Rules(), 50))
    states = batch.deal(Rules(), 50)
    first, again = (RandomMoves().act(states, masks, np.random.default_rng(3)) for _ in range(2))
    assert (first == again).all()


def test_who_can_play():
    one = RandomMoves()
    assert isinstance(one, Opponent)
    assert checked_opponents(one, 3) == [one] * 3
    assert checked_opponents((one, len), 2) == [one, len]
    assert all(isinstance(opponent, RandomMoves) for opponent in checked_opponents(None, 2))
    with pytest.raises(ValueError, match="opponents: found 1, expected one for all other seats, or 2"):
        checked_opponents([one], 2)
    with pytest.raises(ValueError, match="opponents: found 'greedy', expected objects with act"):
        checked_opponents("greedy", 1)
