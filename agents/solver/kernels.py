"""Compiled entry points of the exact solver; see ``solver`` for the checked ones."""

import numpy as np

from agents.jit import helper, kernel
from agents.solver.search import Frames, Turns, make_turn, search, set_root
from agents.solver.table import Table, begin_solve
from red7_env.game.state import ROUND_OVER, START, State, States


@helper
def root_of(frames: Frames, state: State) -> None:
    """Write the position of a state into the path."""
    mover = np.int64(state.to_move)
    rival = 1 - mover
    set_root(
        frames,
        state.hands[mover],
        state.palettes[mover],
        state.hands[rival],
        state.palettes[rival],
        np.int64(state.rule),
    )


@kernel
def win_many(states: States, frames: Frames, turns: Turns, table: Table, wins: np.ndarray) -> int:
    """Write 1 into ``wins`` ([N] int8) where the seat to move wins, at the start of its turn; return the nodes."""
    total = 0
    for i in range(len(states)):
        begin_solve(table)
        root_of(frames, states[i])
        won, nodes = search(frames, 1, turns, table)
        wins[i] = won
        total += nodes
    return total
