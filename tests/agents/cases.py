"""What the tests of the agents share: rules of every kind, and positions on the way through random games."""

import numpy as np

from red7_env.game import Game, Rules, States, batch
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


def positions(text: str, count: int, seed: int = 0) -> States:
    """Return states of seats to move, at any phase, each from another game."""
    rng = np.random.default_rng(seed)
    states = batch.deal(Rules.parse(text), 8 * count, seed)
    found = states[:0]
    while len(found) < count:
        masks = batch.offers(states)
        batch.play(states, (masks * rng.random(masks.shape)).argmax(axis=1))
        states = states[states["phase"] < ROUND_OVER]
        kept = rng.random(len(states)) < 0.2
        found = np.concatenate([found, states[kept]])
        states = states[~kept].copy()
    return found[:count].copy()


def seen(states: States) -> States:
    """Return the views of the seats to move."""
    return batch.views(states, states["to_move"].astype(np.int64))


def view_of(position: str, turn: str = "") -> States:
    """Return the view of the seat to move at a written position, after some moves of its turn."""
    return seen(Game.from_position(position, turn).state)
