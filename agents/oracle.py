"""``oracle``: sees all hands and plays the solver's move. Not a player, but the yardstick for what luck leaves.

In 2-player basic it plays a turn that wins against every defence, greedy's if that is one. Where none is left, it
plays the turn after which the greatest part of the rival's answers would give the win back. With ``lost=errors`` it is
the greatest number of them, which is a little weaker: greedy wins 32.7 % against it instead of 30.8. With
``lost=greedy`` it is simply greedy's turn: then nothing but perfect play is measured. In the other variants it
searches the real game for ``depth`` turns, greedy playing on from there (``solver.deep``); it knows the order of the
deck as well.
"""

from typing import ClassVar, Final

import numpy as np

from agents.protocol import Masks, Moves
from agents.registry import spec_of
from agents.solver.deep import best_moves, new_path, search_worlds
from agents.solver.sampled import best_turns, judge_openly
from agents.solver.search import new_room
from agents.solver.solver import fitting_room, is_solvable
from agents.turns import MAX_OFFER
from red7_env.game import STATE, States
from red7_env.game.state import NOBODY

SWINDLE: Final = "swindle"
ERRORS: Final = "errors"


class Oracle:
    """Plays with open hands, without an error where the solver knows the rules.

    Attributes:
        cheats: It must be given full states instead of views.
    """

    name = "oracle"
    cheats: ClassVar[bool] = True

    def __init__(self, *, depth: int = 3, lost: str = SWINDLE) -> None:
        """Choose how it plays.

        Args:
            depth: Turns that are searched in variants that cannot be solved.
            lost: What it plays where every turn loses in 2-player basic, ``"swindle"``, ``"errors"`` or ``"greedy"``.
        """
        self.spec = spec_of(self.name, depth=depth, lost=lost)
        self._depth, self._swindles, self._counted = depth, lost in (SWINDLE, ERRORS), lost == ERRORS
        self._path = new_path(depth)
        self._room = new_room()

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:  # noqa: ARG002 - fixed by the protocol
        """Return the best move for every full state; see ``protocol.Agent``.

        Raises:
            ValueError: If it is given views.
        """
        if (views["viewer"] != NOBODY).any():
            raise ValueError("states: found views, expected full states: the oracle sees all hands")
        moves = np.empty(len(views), np.int64)
        if is_solvable(views):
            room = self._room = fitting_room(self._room, views)
            sums = np.zeros((len(views), len(room.roots)))
            judge_openly(views, room, self._swindles, self._counted, sums)
            best_turns(views, room, sums, moves)
        else:
            sums = np.zeros((len(views), MAX_OFFER))
            streams = np.zeros(len(views), np.uint64)  # there is but one world, nothing is drawn
            search_worlds(views, streams, 1, 1, self._depth, np.zeros(2, STATE), self._path, sums)
            best_moves(views, sums, moves)
        return moves
