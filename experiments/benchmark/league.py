"""The agents: games a second when they play in batches, the time of a decision, and the solver's of a deal.

Decisions are those of middle positions in which there is a choice, asked a few at a time: a search takes them one by
one anyway, and a batch of cheap agents is measured as whole games.
"""

from functools import partial
from itertools import cycle
from typing import Final

import numpy as np

from experiments.benchmark.measure import Figure, Kind, Measurement, Run, repeated
from experiments.benchmark.positions import middle_positions
from red7_env.game import Rules, batch

RULES: Final = "basic:2p"
PAIRS: Final = (("random:unit=turn", "greedy"), ("greedy", "greedy"))
THINKERS: Final = ("greedy", "rollout", "pimc", "ismcts")

_DEALS_A_CALL = 256
_DECISIONS_A_CALL = 8
_POSITIONS = 512


def _games(specs: tuple[str, str]) -> Run:
    from agents.registry import make_all
    from agents.table import play_deals

    agents, rules = make_all(specs), Rules.parse(RULES)

    def work() -> dict[str, int]:
        return {"games": len(play_deals(agents, rules, _DEALS_A_CALL, seed=1).winners)}

    return repeated(work)


def _decisions(spec: str) -> Run:
    from agents.registry import make

    agent, rng = make(spec), np.random.default_rng(1)
    states = middle_positions(Rules.parse(RULES), _POSITIONS)
    states = states[batch.offers(states).sum(axis=1) > 1]
    views = batch.views(states, states["to_move"])
    masks = batch.offers(views)
    ends = range(_DECISIONS_A_CALL, len(views), _DECISIONS_A_CALL)
    parts = cycle([slice(end - _DECISIONS_A_CALL, end) for end in ends])

    def work() -> dict[str, int]:
        part = next(parts)
        return {"decisions": len(agent.act(views[part], masks[part], rng))}

    return repeated(work)


def _deals() -> Run:
    from agents.solver import Solver

    solver, states = Solver(), batch.deal(Rules.parse(RULES), _DEALS_A_CALL, seed=1)

    def work() -> dict[str, int]:
        return {"deals": len(solver.wins(states))}

    return repeated(work)


def measurements() -> list[Measurement]:
    """Return the measurements of agents and solver."""
    section = f"agents, {RULES}"
    games, decisions = (Figure("games", Kind.RATE),), (Figure("decisions", Kind.TIME),)
    played = [
        Measurement(section, f"{' against '.join(pair)}, N={2 * _DEALS_A_CALL}", games, partial(_games, pair))
        for pair in PAIRS
    ]
    thought = [Measurement(section, spec, decisions, partial(_decisions, spec)) for spec in THINKERS]
    solved = Measurement(section, "solver, a full deal", (Figure("deals", Kind.TIME),), _deals)
    return [*played, *thought, solved]
