"""``human``: a person at a terminal, asked on standard input and shown the table on standard output.

``turn`` puts a turn together on a view, so that it can be taken back; ``talk`` asks for it; ``table`` and ``words`` say
how the game stands; ``console`` reads and writes; ``person`` is the agent.
"""

from agents.human.console import Console, PersonLeftError
from agents.human.person import Human

__all__ = ["Console", "Human", "PersonLeftError"]
