"""Small games exactly: game trees in sequence form, best responses, NashConv, and solvers.

>>> import numpy as np
>>> from agents import make
>>> from red7_env.game import Rules
>>> from agents.exact import ask, openings, part_of, worth_of
>>> rules = Rules.parse("basic@3x3x2:2p")
>>> part = part_of(rules, openings(rules)[0], views=True)
>>> round(worth_of(part, ask(make("greedy"), part, np.random.default_rng(1)).policy).nash_conv, 4)
0.0762

``explore`` enumerates, ``part`` holds a part of a game, ``response`` measures policies, ``solve`` makes good ones,
``asking`` gets those of agents; ``kernels`` are the compiled passes they share. For a whole game all of it is done by
``python -m experiments exploitability``.
"""

from agents.exact.asking import Answers, ask
from agents.exact.part import Opening, Part, Side, openings, part_of, parts
from agents.exact.response import Worth, best_response, uniform_policy, worth_of
from agents.exact.solve import Cfr, Mmd, Solver

__all__ = [
    "Answers",
    "Cfr",
    "Mmd",
    "Opening",
    "Part",
    "Side",
    "Solver",
    "Worth",
    "ask",
    "best_response",
    "openings",
    "part_of",
    "parts",
    "uniform_policy",
    "worth_of",
]
