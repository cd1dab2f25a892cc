"""Compile everything the agents need, once, with the time it took: ``python -m agents.compile``."""

import time
from typing import Final

import numpy as np

from agents.learned.afterstates import MOST_MOVES, NO_MOVE, make_turns
from agents.pimc import Pimc
from agents.registry import make_all
from agents.solver import Solver
from agents.table import play_deals
from red7_env.game import Rules, batch

_SPECS: Final = (
    "random",
    "random:unit=turn",
    "greedy",
    "rollout:playouts=1",
    "pimc:samples=1",
    "ismcts:iterations=1",
    "oracle",
)
_LEARNED: Final = ("ppo", "dmc", "netroll:playouts=1")  # their kernels are the same for all rules
_RULES: Final = ("basic:2p", "advanced+revised:2p")  # the first can be solved, all others are searched to a depth


def warm_up() -> float:
    """Call the compiled code of all agents once; return the seconds that took (once cached, few)."""
    start = time.perf_counter()
    for text in _RULES:
        for agent in make_all(_SPECS):
            play_deals([agent, agent], Rules.parse(text), 1)
    for agent in make_all(_LEARNED):
        play_deals([agent, agent], Rules(), 1)
    make_turns(batch.deal(Rules(), 1), np.full((1, MOST_MOVES), NO_MOVE, np.uint8))  # training does turns this way
    solver, states = Solver(), batch.deal(Rules(), 1)
    solver.wins(states)
    solver.winning_moves(states)
    solver.turns(states)
    for text in _RULES:
        judged = batch.deal(Rules.parse(text), 1)
        views = batch.views(judged, judged["to_move"].astype(np.int64))
        Pimc(samples=1).move_values(views, batch.offers(views), np.random.default_rng(0))
    return time.perf_counter() - start


if __name__ == "__main__":
    print(f"agents: compiled code is ready ({warm_up():.1f} s)")
