"""What the last turn of a rival who plays as ``oracle`` does says of its hand.

Where the mover can win by force, such a rival was lost before its last turn. Then it chose the turn after which most of
the mover's answers err (``solver.swindles``), and in a world in which it had a better one it does not hold these cards.
Worlds in which all turns win, or all lose, need no such question: they do not say which is better.

At positions that ``dmc`` met against the oracle, the turn that wins in most of 150 worlds lets 3.2 % of the wins slip
with it, 3.5 % with the worlds of ``beliefs`` and 3.7 % with all worlds alike (2,988 decisions; the differences to the
last are 0.5 and 0.2 within 0.35 and 0.23).
"""

from agents.beliefs import enter_past, is_told, take_back, ways_to
from agents.jit import helper, inlined
from agents.solver.search import NO_CARD, Room
from agents.solver.swindles import is_best_swindle
from red7_env.game.bits import I64, U64, ZERO, low_bit
from red7_env.game.state import State

LARGEST_HAND = 5
"""Cards in the rival's hand up to which it is asked. With more a decision would take seconds, and let
3.0 % slip instead of 3.1 where dmc is mixed in."""


@helper
def fits_lost_oracle(world: State, past: State, room: Room) -> bool:
    """Tell whether the last turn can have been the oracle's in a lost position; true where that is not known.

    Args:
        world: A full state of 2-player basic in which a turn goes on, and which the mover can win by force.
        past: A copy of it, overwritten.
        room: Room for the solver, large enough for the hands before that turn.
    """
    if not is_told(world) or I64(world.hand_sizes[1 - world.to_move]) > LARGEST_HAND:
        return True
    take_back(world, past)
    for way in range(ways_to(world)):
        played, discarded = enter_past(world, past, way)
        if played | discarded != ZERO and is_best_swindle(room, past, _index(played), _index(discarded)):
            return True
    return False


@inlined
def _index(card: U64) -> U64:
    """Return the bit index of the one card of a set, or ``NO_CARD``."""
    return U64(NO_CARD) if card == ZERO else low_bit(card)
