"""Kernels that play one game for Python callers, a call a move.

A call from Python costs more than a move, most of it for each argument. So one *block* of bytes holds everything that
a move touches: the record of the game, the record at the start of the present turn, a blank record of the rules, the
observation's layout, then the mask of the offer.
"""

import numpy as np

from red7_env.game.bits import I64, U64
from red7_env.game.choice import write_mask
from red7_env.game.deal import deal_round, next_round
from red7_env.game.jit import helper, kernel
from red7_env.game.moves import PASS
from red7_env.game.offer import offer_of
from red7_env.game.state import ROUND_OVER, STATE, States
from red7_env.game.streams import stream_start
from red7_env.game.turn import apply_move
from red7_env.observation.kernels import write_observation
from red7_env.observation.table import NAMES

GAME, TURN_START, BLANK = 0, 1, 2
"""Indices of the records in a block."""
RECORDS = 3 * STATE.itemsize
"""So many bytes hold the records."""
MASK = RECORDS + len(NAMES) * 16
"""Where the mask begins, which is the rest of the block; the layout lies before it."""

REFUSED = -1
"""Returned for a move that is not offered; nothing has changed."""
CHANGED = 4
"""Set in what is returned when more than the seat to move may have changed: a seat is out, or the game is over."""


@helper
def _go_on(states: States, block: np.ndarray) -> int:
    """Deal the next round where a round of a match is over, and write the offer; return the seat to move."""
    state = states[GAME]
    while state.phase == ROUND_OVER and state.match:
        next_round(state)
    write_mask(state, offer_of(state), block, MASK)
    return I64(state.to_move)


@helper
def _result(states: States, mover: int, seats: int) -> int:
    """Return the seat to move, with ``CHANGED`` where a seat of a single round has gone out or the game is over."""
    state = states[GAME]
    over = state.phase >= ROUND_OVER
    if over or (not state.match and I64(state.seats_in) != seats):
        return mover | CHANGED
    return mover


@kernel
def begin(block: np.ndarray, seed: U64, index: U64) -> int:
    """Deal game ``index`` of ``seed``; return the seat to move."""
    states = block[:RECORDS].view(STATE)
    states[GAME] = states[BLANK]
    states[GAME].rng = stream_start(seed, index)
    deal_round(states[GAME])
    mover = _go_on(states, block)
    states[TURN_START] = states[GAME]
    return mover


@kernel
def resume(block: np.ndarray) -> int:
    """Begin with the record that was put in the game's place, which stands at the start of a turn; return the seat."""
    states = block[:RECORDS].view(STATE)
    mover = _go_on(states, block)
    states[TURN_START] = states[GAME]
    return mover


@kernel
def advance(block: np.ndarray, action: int) -> int:
    """Do one move.

    Args:
        block: The game.
        action: An action id that is in the mask's range.

    Returns:
        ``REFUSED``, or the seat to move, perhaps with ``CHANGED``.
    """
    if block[MASK + action] == 0:
        return REFUSED
    states = block[:RECORDS].view(STATE)
    state = states[GAME]
    turn, rounds, seats = I64(state.turn), I64(state.round), I64(state.seats_in)
    apply_move(state, action)
    mover = _go_on(states, block)
    if turn != state.turn or rounds != state.round:
        states[TURN_START] = state
    return _result(states, mover, seats)


@kernel
def forfeit(block: np.ndarray) -> int:
    """Take the present turn back and pass instead; return the same as ``advance``."""
    states = block[:RECORDS].view(STATE)
    states[GAME] = states[TURN_START]
    seats = I64(states[GAME].seats_in)
    apply_move(states[GAME], PASS)
    mover = _go_on(states, block)
    states[TURN_START] = states[GAME]
    return _result(states, mover, seats)


@kernel
def look(block: np.ndarray, seat: int, observation: np.ndarray, mask: np.ndarray) -> None:
    """Write what a seat observes and is offered.

    Args:
        block: The game.
        seat: The seat.
        observation: [size] uint8.
        mask: [number of moves] int8; written as zeros unless the seat is to move.
    """
    state = block[:RECORDS].view(STATE)[GAME]
    layout = block[RECORDS:MASK].view(np.int64).reshape(len(NAMES), 2)
    write_observation(state, seat, layout, observation, 0)
    if seat == I64(state.to_move):
        mask[:] = block[MASK:].view(np.int8)
    else:
        mask[:] = 0
