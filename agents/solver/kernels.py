"""Compiled entry points of the exact solver; ``solver`` has the checked face of them.

All take states of 2-player basic without actions, and a ``Room`` that is large enough for the hands.
"""

import numpy as np

from agents.jit import helper, inlined, kernel
from agents.solver.search import (
    EVERY_TURN,
    NO_CARD,
    Room,
    discard_of,
    grow,
    list_ends_of_turn,
    list_turns,
    make_turn,
    play_of,
    search,
    set_root,
)
from agents.solver.table import begin_solve
from red7_env.game.bits import I64, U64, card_of
from red7_env.game.moves import DISCARD, END, PLAY
from red7_env.game.state import AFTER_PLAY, ROUND_OVER, START, State, States

_NONE = U64(NO_CARD)


@helper
def enter(room: Room, state: State) -> int:
    """Begin a solve: write a state's position into the path and every way to go on with its turn into ``room.roots``.

    Returns:
        The number of these turns. They and their order depend on nothing hidden from the mover, only the answers
        counted in their codes do.
    """
    mover = I64(state.to_move)
    rival = 1 - mover
    begin_solve(room.table)
    hand, rival_hand = state.hands[mover], state.hands[rival]
    set_root(room.frames, hand, state.palettes[mover], rival_hand, state.palettes[rival], I64(state.rule))
    grow(room.frames[1])
    if state.phase == AFTER_PLAY:
        return list_ends_of_turn(room.frames[1], room.roots)
    return list_turns(room.frames, I64(1), I64(EVERY_TURN), room.roots, I64(0)) if state.phase == START else 0


@inlined
def turn_wins(room: Room, level: int, turn: U64) -> bool:
    """Tell whether a turn of the player to move at a level leads to a position that is lost for the rival."""
    make_turn(room.frames, level, turn)
    return not search(room, level + 1)[0]


@inlined
def move_of(turn: U64) -> int:
    """Return the action id of the next move of a turn."""
    played, discarded = play_of(turn), discard_of(turn)
    if played != _NONE:
        return PLAY + card_of(played)
    return END if discarded == _NONE else DISCARD + card_of(discarded)


@kernel
def win_many(states: States, room: Room, wins: np.ndarray) -> int:
    """Find out who wins.

    Args:
        states: [N] records at any phase; once a round is over, its winner is to move.
        room: Room to work in.
        wins: [N] int8, set to 1 where the seat to move wins, else to 0.

    Returns:
        The number of positions reached.
    """
    total = 0
    for i in range(len(states)):
        won, nodes = states[i].phase >= ROUND_OVER, 0
        count = enter(room, states[i])
        if states[i].phase == START:
            won, nodes = search(room, I64(1))
        elif states[i].phase == AFTER_PLAY:
            for k in range(count):
                won = won or turn_wins(room, I64(1), room.roots[k])
        wins[i] = won
        total += nodes
    return total


@kernel
def winning_moves_many(states: States, room: Room, mask: np.ndarray) -> None:
    """Find the moves that keep a win.

    Args:
        states: [N] records at any phase.
        room: Room to work in.
        mask: [N, A] int8, set to 1 for every move from which the seat to move still wins, else to 0.
    """
    mask[:] = 0
    for i in range(len(states)):
        for k in range(enter(room, states[i])):
            move = move_of(room.roots[k])
            if not mask[i, move] and turn_wins(room, I64(1), room.roots[k]):
                mask[i, move] = 1


@kernel
def judge_turns(states: States, room: Room, wins: np.ndarray) -> int:
    """List, in ``room.roots``, and solve all ways to go on with the turn of ``states[0]``.

    Args:
        states: [1] record.
        room: Room to work in.
        wins: [K] int8; set to 1 for a turn that keeps the win, else to 0.

    Returns:
        The number of turns.
    """
    count = enter(room, states[0])
    for k in range(count):
        wins[k] = turn_wins(room, I64(1), room.roots[k])
    return count
