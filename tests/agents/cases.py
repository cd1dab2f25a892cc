"""What the tests of the agents share: rules of every kind, and positions on the way through random games."""

import numpy as np

from agents.jit import kernel
from agents.learned.afterstates import MOST_MOVES, MOST_TURNS, list_turns
from red7_env.game import STATE, Game, Rules, States, batch
from red7_env.game.state import ROUND_OVER

VARIANTS = (
    "basic:2p",
    "basic:4p",
    "advanced:3p",
    "advanced:2p:match",
    "basic+revised:3p",
    "basic+first:2p",
    "advanced+revised:2p:match",
    "advanced+first:4p",
    "advanced+revised@4x5x4:3p:match",
)


def positions(text: str, count: int, seed: int = 0, kept: float = 0.2) -> States:
    """Return states of seats to move, at any phase, each from another game; the fewer are kept, the later they are."""
    rng = np.random.default_rng(seed)
    states = batch.deal(Rules.parse(text), 8 * count, seed)
    found = states[:0]
    while len(found) < count:
        masks = batch.offers(states)
        batch.play(states, (masks * rng.random(masks.shape)).argmax(axis=1))
        states = states[states["phase"] < ROUND_OVER]
        taken = rng.random(len(states)) < kept
        found = np.concatenate([found, states[taken]])
        states = states[~taken].copy()
    return found[:count].copy()


def seen(states: States) -> States:
    """Return the views of the seats to move."""
    return batch.views(states, states["to_move"].astype(np.int64))


@kernel
def _list_some(view, room, turns, after):
    return list_turns(view[0], room, turns, after, 0)


def turns_of(view):
    """Return all turns of a view of one seat, [K, MOST_MOVES] uint8."""
    room, turns = np.zeros(MOST_MOVES + 1, STATE), np.zeros((MOST_TURNS, MOST_MOVES), np.uint8)
    return turns[: _list_some(view, room, turns, np.zeros(MOST_TURNS, STATE))].copy()


def check_move_values(agent, views, *, all_judged=True):
    """Make sure that an agent judges moves as ``MoveValueAgent`` promises; return what it says."""
    masks = batch.offers(views)
    before = views.tobytes(), masks.tobytes()
    worths = agent.move_values(views, masks, np.random.default_rng(3))
    assert worths.dtype == np.float64
    assert worths.shape == masks.shape
    assert np.isnan(worths[masks == 0]).all()
    several = masks.sum(axis=1) > 1
    judged = worths[several][masks[several] == 1]
    assert not np.isnan(worths[several]).all(axis=1).any()
    assert not (all_judged and np.isnan(judged).any())
    judged = judged[~np.isnan(judged)]
    assert ((judged >= 0) & (judged <= 1)).all()
    assert (views.tobytes(), masks.tobytes()) == before
    np.testing.assert_array_equal(worths, agent.move_values(views, masks, np.random.default_rng(3)))
    return worths


def check_values(agent, views):
    """Make sure that an agent judges positions as ``ValueAgent`` promises; return what it says."""
    masks = batch.offers(views)
    before = views.tobytes(), masks.tobytes()
    values = agent.values(views, masks)
    assert values.dtype == np.float64
    assert values.shape == (len(views),)
    assert ((values >= 0) & (values <= 1)).all()
    assert (views.tobytes(), masks.tobytes()) == before
    other = seen(batch.determinise(views, seed=9))
    np.testing.assert_array_equal(values, agent.values(other, batch.offers(other)))
    assert agent.values(views[:0], masks[:0]).shape == (0,)
    return values


def view_of(position: str, turn: str = "") -> States:
    """Return the view of the seat to move at a written position, after some moves of its turn."""
    return seen(Game.from_position(position, turn).state)
