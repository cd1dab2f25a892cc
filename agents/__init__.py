"""Agents that play Red7. They see views and masks, never the state of a game.

``make("greedy")`` returns an agent by its spec, ``entries()`` lists those there are.
"""

from agents.options import Option, SpecError
from agents.protocol import Agent, Masks, Moves, MoveValueAgent, PolicyAgent, ValueAgent
from agents.registry import Entry, entries, entry_of, make, make_all, register, shortest, spec_of

__all__ = [
    "Agent",
    "Entry",
    "Masks",
    "MoveValueAgent",
    "Moves",
    "Option",
    "PolicyAgent",
    "SpecError",
    "ValueAgent",
    "entries",
    "entry_of",
    "make",
    "make_all",
    "register",
    "shortest",
    "spec_of",
]
