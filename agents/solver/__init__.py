"""The double-dummy solver: exact play of 2-player basic with open hands, and deeper variants to a depth."""

from agents.solver.share import Share, first_player_share
from agents.solver.solver import Solver, is_solvable

__all__ = ["Share", "Solver", "first_player_share", "is_solvable"]
