"""The policy of an agent in a part, asked for through its ordinary interface: views and masks, a batch at a time.

How an agent is asked depends on what it can tell:

- an agent with a ``policy`` (``protocol.PolicyAgent``) is asked for its probabilities;
- any other is asked for its moves. If it does not touch its generator, these are its policy;
- if it does, as searches do, its policy is what it answers to each view in ``samples`` draws. A best response knows the
  draws, so what it wins is more than it could win from the agent itself; in the mean over the generators, "at most".

Information sets with the same view get the same answer: a view holds no more of the past than lies on the table. An
agent is asked once for each view. The views of all information sets of a seat are one batch.
"""

from dataclasses import dataclass

import numpy as np

from agents.exact.kernels import Floats, Pair
from agents.exact.part import Part, Side
from agents.protocol import Agent, Masks, PolicyAgent
from red7_env.game import IllegalMoveError, States, batch

_TOLERANCE = 1e-6
"""Networks calculate their probabilities with 24 bits."""


@dataclass(frozen=True)
class Answers:
    """The policy of an agent.

    Attributes:
        policy: What it plays.
        mirrored: What it plays with the seats exchanged: the same, unless it looks at the numbers of seats.
        drawn: Whether it was estimated by draws.
    """

    policy: Pair
    mirrored: Pair
    drawn: bool


def ask(agent: Agent, part: Part, rng: np.random.Generator, *, samples: int = 1) -> Answers:
    """Return the policy of an agent.

    An agent whose answers are drawn is not asked with the seats exchanged; two draws would differ anyway.

    Args:
        agent: One that plays by views.
        part: A part with views.
        rng: The chance of the agent's draws.
        samples: Draws for each view.

    Raises:
        ValueError: If the part has no views.
        IllegalMoveError: If the agent answers with a move that is not offered, or with no probabilities.
    """
    if part.views is None:
        raise ValueError("part: found one without views, expected part_of(..., views=True)")
    policy, drawn = _ask_both(agent, part.views, part.sides, rng, samples)
    if drawn:
        return Answers(policy, policy, drawn=True)
    exchanged = _exchanged(part.views[0]), _exchanged(part.views[1])
    return Answers(policy, _ask_both(agent, exchanged, part.sides, rng, 1)[0], drawn=False)


def _ask_both(
    agent: Agent, views: tuple[States, States], sides: tuple[Side, Side], rng: np.random.Generator, samples: int
) -> tuple[Pair, bool]:
    """Return the policy of an agent at both seats, and whether any of it comes from draws."""
    first, by_chance = _ask_side(agent, views[0], sides[0], rng, samples)
    second, too = _ask_side(agent, views[1], sides[1], rng, samples)
    return (first, second), by_chance or too


def _ask_side(agent: Agent, views: States, side: Side, rng: np.random.Generator, samples: int) -> tuple[Floats, bool]:
    """Return the probability of each sequence of a seat, and whether it comes from draws."""
    policy = np.ones(len(side.actions))
    if not len(views):
        return policy, False
    _, kept, places = np.unique(views.view(f"V{views.dtype.itemsize}"), return_index=True, return_inverse=True)
    asked = views[kept]
    masks = batch.offers(asked)
    drawn = False
    if isinstance(agent, PolicyAgent):
        chances = np.asarray(agent.policy(asked, masks), np.float64)
    else:
        chances, drawn = _counted(agent, asked, masks, rng, samples)
    _check(agent, chances, masks)
    policy[1:] = chances[places[side.sets], side.actions[1:]]
    return policy / _sums(policy, side), drawn


def _counted(agent: Agent, views: States, masks: Masks, rng: np.random.Generator, samples: int) -> tuple[Floats, bool]:
    """Return how often each move was the answer, and whether chance had a part in it."""
    rows = np.arange(len(views))
    counts = np.zeros(masks.shape)
    known = set(range(masks.shape[1]))
    before = rng.bit_generator.state
    draws = 0
    while draws < samples:
        moves = np.asarray(agent.act(views, masks, rng))
        if moves.shape != rows.shape or moves.dtype.kind not in "iu" or not known.issuperset(moves.tolist()):
            raise IllegalMoveError(f"{agent.spec}: found {moves.dtype} {moves.shape}, expected {len(views)} action ids")
        counts[rows, moves] += 1
        draws += 1
        if rng.bit_generator.state == before:
            return counts, False
    return counts / samples, True


def _check(agent: Agent, chances: Floats, masks: Masks) -> None:
    """Check what an agent answered.

    Raises:
        IllegalMoveError: If it is no probability of each offered move.
    """
    if chances.shape != masks.shape:
        raise IllegalMoveError(f"{agent.spec}: found probabilities {chances.shape}, expected {masks.shape}")
    wrong = (chances < 0) | ((masks == 0) & (chances != 0)) | ~np.isfinite(chances)
    if wrong.any():
        row, move = (int(index[0]) for index in np.nonzero(wrong))
        raise IllegalMoveError(f"{agent.spec}: {batch.refusal(move, masks[row])}")
    sums = chances.sum(axis=1)
    if np.abs(sums - 1).max() > _TOLERANCE:
        raise IllegalMoveError(f"{agent.spec}: found probabilities that sum to {sums.min()}, expected 1")


def _sums(policy: Floats, side: Side) -> Floats:
    """Return the sum of the probabilities at each sequence's information set, 1 for the empty sequence."""
    sums = np.ones_like(policy)
    sums[1:] = np.add.reduceat(policy, side.firsts[:-1])[side.sets]
    return sums


def _exchanged(views: States) -> States:
    """Return the views of the same information sets with the seats exchanged."""
    others = views.copy()
    for field in ("hands", "palettes", "keys", "scored", "known", "hand_sizes"):
        others[field][:, :2] = views[field][:, 1::-1]
    others["to_move"], others["viewer"] = 1 - views["to_move"], 1 - views["viewer"]
    return others
