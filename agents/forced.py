"""In how many worlds a turn wins by force: ``pimc``'s question, for a few turns of 2-player basic without actions.

Playouts against greedy rivals ask how a turn fares if the rival errs as greedy does; this asks how it fares if nobody
errs any more. The answer is exact in every world (``solver``), and its price falls quickly with the cards left.
"""

import numpy as np
from numpy.typing import NDArray

from agents.beliefs import likely_world
from agents.jit import helper, inlined, kernel
from agents.oracle_beliefs import fits_lost_oracle
from agents.solver.kernels import enter, move_of, turn_wins
from agents.solver.search import Room, new_room, without_play
from agents.solver.solver import fitting_room
from red7_env.game import STATE, States
from red7_env.game.bits import I64, U64
from red7_env.game.moves import DISCARD
from red7_env.game.state import State

MOST_SPENT = 2
"""Cards that a turn takes out of a hand at most."""
NOWHERE = -1
"""Place of a turn that the solver does not list: the pass, which only loses."""


@inlined
def _same_turn(moves: np.ndarray, turn: U64) -> bool:
    """Tell whether the moves of a turn, [MOST_MOVES] uint8, are those of the solver's turn."""
    first = move_of(turn)
    if moves[0] != first:
        return False
    return first >= DISCARD or moves[1] == move_of(without_play(turn))


@kernel
def place_turns(view: States, turns: np.ndarray, room: Room, places: np.ndarray) -> None:
    """Find turns among those that the solver lists.

    Args:
        view: [1] record.
        turns: [K, MOST_MOVES] uint8, their moves.
        room: Room for the solver.
        places: [K] int64, becomes the place of each in ``room.roots``, or ``NOWHERE``.
    """
    places[:] = NOWHERE
    for place in range(enter(room, view[0])):
        for k in range(len(turns)):
            if _same_turn(turns[k], room.roots[place]):
                places[k] = place


@helper
def _solve(world: State, room: Room, places: np.ndarray, won: np.ndarray) -> bool:
    """Write which turns win a world by force, 1 or 0; tell whether some do and some do not."""
    enter(room, world)
    for k in range(len(places)):
        won[k] = places[k] != NOWHERE and turn_wins(room, I64(1), room.roots[places[k]])
    tells_apart: bool = won.min() != won.max()
    return tells_apart


@kernel
def count_forced_wins(
    view: States,
    stream: np.ndarray,
    places: np.ndarray,
    worlds: int,
    tries: int,
    swindled: bool,
    drawn: States,
    room: Room,
    wins: np.ndarray,
) -> None:
    """Count in how many worlds each turn wins by force; all turns meet the same worlds.

    Args:
        view: [1] record.
        stream: [1] uint64, the state of a generator, which goes on.
        places: [K] int64, of the turns, see ``place_turns``.
        worlds: Number of worlds.
        tries: How often each is drawn at most until the last turn fits it.
        swindled: Whether the last turn has to be what the oracle would do, see ``oracle_beliefs``, instead of greedy,
            see ``beliefs``. It is asked only in worlds in which some of the turns win and others lose.
        drawn: [2] records of room.
        room: Room for the solver.
        wins: [K] int64, added to.
    """
    unseen, won = np.empty(49, np.uint8), np.empty(len(places), np.int64)
    for _ in range(worlds):
        for left in range(tries, 0, -1):
            stream[0] = likely_world(view[0], drawn, unseen, stream[0], 1 if swindled else tries)
            tells_apart = _solve(drawn[0], room, places, won)
            if left == 1 or not (swindled and tells_apart):
                break
            drawn[1] = drawn[0]
            if fits_lost_oracle(drawn[0], drawn[1], room):
                break
        wins += won


class ForcedWins:
    """Solves worlds for the turns of one view at a time; it holds the room for that."""

    def __init__(self, *, swindled: bool = False) -> None:
        """Choose whether the rival's last turn has to fit the oracle, see ``oracle_beliefs``, instead of greedy."""
        self._swindled, self._room, self._drawn = swindled, new_room(), np.zeros(2, STATE)

    def places(self, view: States, turns: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return what ``count`` knows turns by, [K] int64; see ``place_turns``."""
        self._room = fitting_room(self._room, view, spent=MOST_SPENT)
        places = np.empty(len(turns), np.int64)
        place_turns(view, turns, self._room, places)
        return places

    def count(
        self,
        view: States,
        stream: NDArray[np.uint64],
        places: NDArray[np.int64],
        worlds: int,
        tries: int,
        wins: NDArray[np.int64],
    ) -> None:
        """Add to ``wins`` in how many worlds each turn wins by force; see ``count_forced_wins``."""
        count_forced_wins(view, stream, places, worlds, tries, self._swindled, self._drawn, self._room, wins)
