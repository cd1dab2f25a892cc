import numpy as np
import pytest

from agents import make
from red7_env.game import Game, batch
from red7_env.game.moves import PASS, parse_move
from tests.agents.cases import VARIANTS, positions, seen, view_of

DRAWS = 20_000


def is_likely(counts, chances):
    """Tell whether counts look like draws by these chances: chi-square within five deviations of its mean."""
    expected = chances * counts.sum()
    chi_square = ((counts - expected) ** 2 / expected).sum()
    degrees = len(counts) - 1
    return chi_square < degrees + 5 * np.sqrt(2 * degrees)


@pytest.mark.parametrize("spec", ["random", "random:unit=turn"])
def test_moves_are_drawn_as_the_policy_says(spec):
    agent = make(spec)
    state = positions("advanced+revised:3p", 40, seed=1)
    views = seen(state[batch.offers(state).sum(axis=1).argmax() :][:1])
    masks = batch.offers(views)
    chances = agent.policy(views, masks)[0]
    moves = agent.act(views.repeat(DRAWS), masks.repeat(DRAWS, axis=0), np.random.default_rng(7))
    counts = np.bincount(moves, minlength=len(chances))
    possible = chances > 0
    assert possible.sum() > 4
    assert (counts[~possible] == 0).all()
    assert is_likely(counts[possible], chances[possible])


def test_the_test_would_notice_a_slant():
    assert not is_likely(np.array([1100, 1000, 900]), np.full(3, 1 / 3))
    assert is_likely(np.array([1010, 1000, 990]), np.full(3, 1 / 3))


def test_random_is_uniform_over_the_offered_moves():
    views = seen(positions("basic:2p", 10))
    masks = batch.offers(views)
    chances = make("random").policy(views, masks)
    np.testing.assert_allclose(chances, masks / masks.sum(axis=1, keepdims=True))


def turns(agent, state, chance=1.0):
    """Yield the chance of every turn that can be made, up to its end or its first draw by a 3."""
    views = seen(state)
    masks = batch.offers(views)
    chances = agent.policy(views, masks)[0]
    for move in np.flatnonzero(masks[0]):
        if move == PASS and masks.sum() > 1:
            assert chances[move] == 0
            continue
        after = state.copy()
        batch.play(after, np.array([move]))
        if after["turn"][0] != state["turn"][0] or after["hoped"][0] > state["hoped"][0]:
            yield chance * chances[move]
        else:
            yield from turns(agent, after, chance * chances[move])


@pytest.mark.parametrize("variant", VARIANTS)
def test_all_turns_are_equally_likely(variant):
    agent = make("random:unit=turn")
    for state in positions(variant, 8, seed=4):
        chances = list(turns(agent, state.reshape(1)))
        np.testing.assert_allclose(chances, 1 / len(chances))


def test_turns_through_fives_are_counted():
    # R4 and then nothing, >R5 or >O5; R5 (or O5), R4 and then nothing or the other 5; both 5s, in two orders, and R4.
    state = Game.from_position("basic+revised - R5O5R4:V1/B2:V3 0 -").state
    chances = list(turns(make("random:unit=turn"), state))
    np.testing.assert_allclose(chances, [1 / 9] * 9)


def test_units_differ():
    view = view_of("basic - R7O7Y2:V1/R5G3B4:O6 0 -")
    masks = batch.offers(view)
    by_move, by_turn = (make(spec).policy(view, masks)[0] for spec in ("random", "random:unit=turn"))
    assert by_move[PASS] > 0
    assert by_turn[PASS] == 0
    # R7 leads at once, and every discard of another card after it may follow.
    assert by_turn[parse_move("+R7")] > by_move[parse_move("+R7")]
