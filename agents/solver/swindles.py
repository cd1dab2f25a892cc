"""Swindles: what a player does with open hands whose every turn loses against a rival that does not err.

It hopes for errors, and so makes the turn after which the greatest part of the rival's answers are some. ``oracle``
plays so, and whoever meets it can ask which hands its last turn makes sense with (``oracle_beliefs``).
"""

from agents.jit import helper
from agents.solver.kernels import enter
from agents.solver.search import EVERY_TURN, Room, discard_of, grow, list_turns, make_turn, play_of, search
from red7_env.game.bits import I64, U64
from red7_env.game.state import State

_BY_SHARE = False
_MORE = 1e-9
"""What makes a share greater than another; two different ones of a few dozen answers are farther apart."""


@helper
def worth_as_swindle(room: Room, turn: U64, counted: bool, wanted: float) -> float:
    """Return how much of what the rival can answer to a turn would lose in its turn; 1 if the turn wins.

    Args:
        room: Room for the solver, in which ``enter`` was called.
        turn: One of its turns.
        counted: Whether turns are worth the number of errors, and not their share. It is returned as a part of all
            answers that there is room for, so that only a turn that wins is worth 1.
        wanted: Once the worth is certain to be below this no more answers are tried, and 0 is returned.
    """
    make_turn(room.frames, I64(1), turn)
    grow(room.frames[2])
    answers = list_turns(room.frames, I64(2), I64(EVERY_TURN), room.replies, I64(0))
    room.replies[:answers].sort()  # those that leave few answers come first, as they are most often right
    errors, whole = answers, len(room.replies) if counted else answers
    for k in range(answers):
        make_turn(room.frames, I64(2), room.replies[k])
        if not search(room, I64(3))[0]:
            errors -= 1
            if errors / whole < wanted:
                return 0.0
    return errors / whole if errors < answers else 1.0


@helper
def is_best_swindle(room: Room, state: State, played: U64, discarded: U64) -> bool:
    """Tell whether a position is lost and a whole turn leaves the rival as great a part of errors as any.

    Args:
        room: Room for the solver.
        state: A position at the start of a turn.
        played: Bit index of the card that the turn plays, or ``NO_CARD``.
        discarded: Bit index of the card that it discards, or ``NO_CARD``.
    """
    count, turn = enter(room, state), I64(-1)
    for k in range(count):
        if play_of(room.roots[k]) == played and discard_of(room.roots[k]) == discarded:
            turn = k
    if turn < 0:
        return False
    errors = worth_as_swindle(room, room.roots[turn], _BY_SHARE, 0.0)
    if errors == 1.0:
        return False
    k = 0  # a turn that wins would be a better one, as it leaves nothing but errors
    while k < count and worth_as_swindle(room, room.roots[k], _BY_SHARE, errors + _MORE) <= errors:
        k += 1
    return k == count
