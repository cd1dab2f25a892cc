"""``Solver``: who wins a position of 2-player basic without actions if all cards are open and nobody errs.

>>> from red7_env.game import Rules, batch
>>> states = batch.deal(Rules(), 100)
>>> solver = Solver()
>>> first_player_wins = solver.wins(states)
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.protocol import Masks
from agents.solver.kernels import judge_turns, win_many, winning_moves_many
from agents.solver.search import NO_CARD, Room, new_room
from red7_env.game import States
from red7_env.game.batch import checked_states
from red7_env.game.moves import DISCARD, END, NUM_MOVES_NO_ACTIONS, PLAY
from red7_env.game.state import AFTER_PLAY, NO_ACTIONS, NOBODY, rules_of

SOLVED: Final = "2-player basic without actions"


def is_solvable(states: States) -> bool:
    """Tell whether the solver knows the rules of these records, those of the first; an empty array is solvable."""
    if not len(states):
        return True
    first = states[0]
    return bool(first["players"] == 2 and not first["draws"] and first["edition"] == NO_ACTIONS)


def fitting_room(room: Room, states: States, spent: int = 0) -> Room:
    """Return the room if it is large enough for these states, else a larger one with the same table.

    Args:
        room: What there is.
        states: [N] records.
        spent: By how many cards hands may have been larger in positions before these.
    """
    hand = int(states["hand_sizes"].max(initial=0)) + spent
    return room if room.holds(hand) else new_room(hand)._replace(table=room.table)


class Solver:
    """Exact answers about full states of 2-player basic, any deck, with a transposition table kept between calls.

    Attributes:
        nodes: Positions reached in all calls of ``wins`` so far.
    """

    def __init__(self, table_bits: int = 14) -> None:
        """Make a solver whose transposition table has ``2**table_bits`` entries of 16 bytes.

        Raises:
            ValueError: If ``table_bits`` is not a whole number from 2 to 28.
        """
        self._room = new_room(table_bits=table_bits)
        self.nodes = 0

    def wins(self, states: States) -> NDArray[np.bool_]:
        """Return whether the seat to move wins, or has won: [N] bool.

        Args:
            states: [N] full states at any phase.

        Raises:
            ValueError: If they are views, or played by other rules than 2-player basic without actions.
        """
        wins = np.empty(len(states), np.int8)
        self.nodes += win_many(states, self._room_for(states), wins)
        return wins.astype(np.bool_)

    def winning_moves(self, states: States) -> Masks:
        """Return every move after which the seat to move still wins: [N, 101] int8, 1 = wins.

        A row is all 0 where the position is lost, or the round is over.

        Args:
            states: [N] full states at any phase.

        Raises:
            ValueError: As ``wins``.
        """
        mask = np.empty((len(states), NUM_MOVES_NO_ACTIONS), np.int8)
        winning_moves_many(states, self._room_for(states), mask)
        return mask

    def turns(self, state: States) -> dict[tuple[int, ...], bool]:
        """Return every way to go on with the present turn, as action ids, and whether it keeps the win.

        The pass, which loses, is not among them.

        Args:
            state: [1] full state.

        Raises:
            ValueError: As ``wins``, or if it is not one state.
        """
        if state.shape != (1,):
            raise ValueError(f"state: found shape {state.shape}, expected (1,)")
        room = self._room_for(state)
        wins = np.empty(len(room.roots), np.int8)
        count = judge_turns(state, room, wins)
        after_play = state[0]["phase"] == AFTER_PLAY
        codes = room.roots[:count].tolist()
        return {_moves_of(code, after_play): bool(win) for code, win in zip(codes, wins[:count], strict=True)}

    def _room_for(self, states: States) -> Room:
        """Check the states and return room that is large enough for them."""
        checked_states(states)
        if not is_solvable(states):
            raise ValueError(f"states: found {rules_of(states[0])}, expected {SOLVED}")
        if (states["viewer"] != NOBODY).any():
            raise ValueError("states: found views, expected full states")
        self._room = fitting_room(self._room, states)
        return self._room


def _moves_of(code: int, after_play: bool) -> tuple[int, ...]:
    """Return a turn's code as action ids."""
    played, discarded = code >> 8 & 63, code & 63
    play = () if played == NO_CARD else (PLAY + played - played // 8,)
    if discarded != NO_CARD:
        return (*play, DISCARD + discarded - discarded // 8)
    return (*play, END) if play or after_play else ()
