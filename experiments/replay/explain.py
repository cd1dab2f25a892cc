"""What agents and the solver think of the decisions of a game.

A decision is a stage at which more than one move was offered. Agents are given the view of the seat to move, as in
play, and all decisions of a game in few calls.
"""

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents import Agent, MoveValueAgent, PolicyAgent, SpecError, ValueAgent, entry_of, make
from agents.solver import Solver, is_solvable
from red7_env.game import STATE, States, batch
from red7_env.game.errors import shown
from red7_env.game.state import ROUND_OVER
from red7_env.stages import Stage

INTERACTIVE: Final = ("bot", "human")
_AT_ONCE: Final = 16
"""Decisions between two reports of progress."""

Report = Callable[[str, int, int], None]
"""Is told who thinks, how many decisions are done, and how many there are."""


@dataclass(frozen=True)
class Opinion:
    """What an agent thinks of one decision.

    Attributes:
        choice: The move that it would make.
        chances: The probability of each offered move, if it has a policy.
        worths: What it expects to win after each offered move, NaN where it does not say; if it judges moves.
        value: What it expects to win, if it judges positions.
    """

    choice: int
    chances: NDArray[np.float64] | None = None
    worths: NDArray[np.float64] | None = None
    value: float | None = None

    def regret(self, place: int) -> float | None:
        """Return how much less the offered move number ``place`` is worth than the best one; None if unknown."""
        if self.worths is None or math.isnan(self.worths[place]):
            return None
        return float(np.nanmax(self.worths) - self.worths[place])


@dataclass(frozen=True)
class Verdict:
    """What open-handed play without an error makes of a position of 2-player basic.

    Attributes:
        winner: The seat that wins.
        keeping: Of a decision, the offered moves by which the seat to move still wins.
    """

    winner: int
    keeping: tuple[int, ...] = ()


@dataclass(frozen=True)
class Critic:
    """An agent that explains.

    Attributes:
        spec: Its spec.
        sees_all: Whether it sees all hands.
        opinions: By number of the stage, what it thinks.
    """

    spec: str
    sees_all: bool
    opinions: dict[int, Opinion] = field(default_factory=dict)


def decisions(told: Sequence[Stage]) -> dict[int, list[int]]:
    """Return the offered moves of every stage that asks for a decision, by its number."""
    asked = [number for number, stage in enumerate(told) if stage.state[0]["phase"] < ROUND_OVER]
    if not asked:
        return {}
    masks = batch.offers(_states(told, asked))
    offers = {number: np.flatnonzero(mask).tolist() for number, mask in zip(asked, masks, strict=True)}
    return {number: offer for number, offer in offers.items() if len(offer) > 1}


def explain(
    told: Sequence[Stage], specs: Sequence[str], *, seed: int = 0, report: Report = lambda *_: None
) -> list[Critic]:
    """Ask agents about every decision.

    Args:
        told: The stages of a game.
        specs: The agents.
        seed: Seed of their chance; each has a generator of its own.
        report: Is told of the progress.

    Raises:
        SpecError: If an agent cannot be made, or is none to be asked.
        ValueError: If an agent does not play these rules.
    """
    critics = [(_critic(spec), make(spec)) for spec in specs]
    offers = decisions(told)
    asked = list(offers)
    for critic, agent in critics:
        rng = np.random.default_rng([seed, *hashlib.sha256(agent.spec.encode()).digest()])
        for first in range(0, len(asked), _AT_ONCE):
            report(critic.spec, first, len(asked))
            some = asked[first : first + _AT_ONCE]
            states = _states(told, some)
            views = states if critic.sees_all else batch.views(states, states["to_move"].astype(np.int64))
            critic.opinions.update(zip(some, _opinions(agent, views, [offers[n] for n in some], rng), strict=True))
        report(critic.spec, len(asked), len(asked))
    return [critic for critic, _ in critics]


def verdicts(told: Sequence[Stage]) -> dict[int, Verdict]:
    """Return what the solver says of every stage before the end, by its number; nothing if it knows not the rules."""
    asked = [number for number, stage in enumerate(told) if stage.state[0]["phase"] < ROUND_OVER]
    states = _states(told, asked)
    if not asked or not is_solvable(states):
        return {}
    solver = Solver()
    wins, keeping = solver.wins(states), solver.winning_moves(states)
    movers = states["to_move"].astype(int)
    winners = np.where(wins, movers, 1 - movers).tolist()
    moves = [tuple(np.flatnonzero(row).tolist()) for row in keeping]
    return {number: Verdict(winner, kept) for number, winner, kept in zip(asked, winners, moves, strict=True)}


def _critic(spec: str) -> Critic:
    entry = entry_of(spec)
    if entry.name in INTERACTIVE:
        raise SpecError(f"explain: found {shown(spec)}, expected an agent that can be asked at will")
    return Critic(spec, entry.cheats)


def _states(told: Sequence[Stage], numbers: Sequence[int]) -> States:
    """Return the records of some stages as one array."""
    return np.concatenate([np.zeros(0, STATE), *(told[number].state for number in numbers)])


def _opinions(agent: Agent, views: States, offers: Sequence[list[int]], rng: np.random.Generator) -> list[Opinion]:
    """Ask an agent about some decisions, together."""
    masks = batch.offers(views)
    chances = agent.policy(views, masks) if isinstance(agent, PolicyAgent) else None
    worths = agent.move_values(views, masks, rng) if isinstance(agent, MoveValueAgent) else None
    # The likeliest move says more of a policy than the one that chance would pick.
    choices = agent.act(views, masks, rng) if chances is None else chances.argmax(axis=1)
    values = agent.values(views, masks) if isinstance(agent, ValueAgent) else None
    found = []
    for row, offer in enumerate(offers):
        own = None if worths is None or np.isnan(worths[row, offer]).all() else worths[row, offer]
        value = None if values is None or np.isnan(values[row]) else float(values[row])
        if value is None and own is not None:
            value = float(np.nanmax(own))
        found.append(Opinion(int(choices[row]), None if chances is None else chances[row, offer], own, value))
    return found
