"""Kernels that play one game for Python callers, a call a move.

A call from Python costs more than a move, and most of it goes by argument. So one *block* of bytes holds everything
that a game needs: its record, the record at the start of the present turn, a blank record of the rules, the
observation's layout, then the mask of the offer. And the call that does a move also writes what the next seat to move
observes, into arrays that its caller has just made.
"""

from typing import Final

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
from red7_env.observation.kernels import write_observation, write_observation_of
from red7_env.observation.table import LAYOUT

GAME: Final = 0
TURN_START: Final = 1
BLANK: Final = 2
RECORDS: Final = 3 * STATE.itemsize
"""So many bytes hold the records, by the indices above."""
MASK: Final = RECORDS + LAYOUT.itemsize
"""Where the mask begins, which is the rest of the block; the layout lies before it."""

REFUSED: Final = -1
"""Returned for a move that is not offered; nothing has changed."""
SEAT: Final = 3
"""These bits of what is returned are the seat to move, or the winner of a round that ended the game."""
OUT: Final = 4
"""Set when a seat of a single round is out since the move."""
OVER: Final = 8
"""Set when the game is over."""


@helper
def _show(block: np.ndarray, states: States, observation: np.ndarray, mask: np.ndarray) -> int:
    """Go on to the next round where one of a match is over, and write what the seat to move observes; return it."""
    state = states[GAME]
    while state.phase == ROUND_OVER and state.match:
        next_round(state)
    offer = offer_of(state)
    write_mask(state, offer, block, MASK)
    mover = I64(state.to_move)
    write_observation_of(state, mover, block[RECORDS:MASK].view(LAYOUT)[0], observation, 0, offer)
    mask[:] = block[MASK:].view(np.int8)
    return mover


@helper
def _result(states: States, mover: int, seats_before: int) -> int:
    """Return the seat to move with ``OUT`` and ``OVER``."""
    state = states[GAME]
    result = mover
    if not state.match and I64(state.seats_in) != seats_before:
        result |= OUT
    if state.phase >= ROUND_OVER:
        result |= OVER
    return result


@kernel
def begin(block: np.ndarray, seed: U64, index: U64, observation: np.ndarray, mask: np.ndarray) -> int:
    """Deal game ``index`` of ``seed``; the rest as in ``advance``."""
    states = block[:RECORDS].view(STATE)
    states[GAME] = states[BLANK]
    states[GAME].rng = stream_start(seed, index)
    deal_round(states[GAME])
    mover = _show(block, states, observation, mask)
    states[TURN_START] = states[GAME]
    return mover


@kernel
def resume(block: np.ndarray, observation: np.ndarray, mask: np.ndarray) -> int:
    """Begin with the record in the game's place, which stands at the start of a turn; the rest as in ``advance``."""
    states = block[:RECORDS].view(STATE)
    mover = _show(block, states, observation, mask)
    states[TURN_START] = states[GAME]
    return _result(states, mover, I64(states[BLANK].seats_in))


@kernel
def advance(block: np.ndarray, action: int, observation: np.ndarray, mask: np.ndarray) -> int:
    """Do one move.

    Args:
        block: The game.
        action: An action id in the range of the mask.
        observation: [size] uint8, where to write what the next seat to move observes.
        mask: [number of moves] int8, where to write its offer.

    Returns:
        ``REFUSED``, or the next seat to move, with ``OUT`` and ``OVER``.
    """
    if block[MASK + action] == 0:
        return REFUSED
    states = block[:RECORDS].view(STATE)
    state = states[GAME]
    turn, rounds, seats = I64(state.turn), I64(state.round), I64(state.seats_in)
    apply_move(state, action)
    mover = _show(block, states, observation, mask)
    if turn != state.turn or rounds != state.round:
        states[TURN_START] = state
    return _result(states, mover, seats)


@kernel
def forfeit(block: np.ndarray, observation: np.ndarray, mask: np.ndarray) -> int:
    """Take the present turn back and pass instead; the rest as in ``advance``."""
    states = block[:RECORDS].view(STATE)
    states[GAME] = states[TURN_START]
    seats = I64(states[GAME].seats_in)
    apply_move(states[GAME], PASS)
    mover = _show(block, states, observation, mask)
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
    write_observation(state, seat, block[RECORDS:MASK].view(LAYOUT)[0], observation, 0)
    if seat == I64(state.to_move):
        mask[:] = block[MASK:].view(np.int8)
    else:
        mask[:] = 0
