"""The transposition table: what the search has found out about a position, kept in a small cache.

An entry is two words. The first holds all hand cards, the second all palette cards; which player holds a card follows
from the deal that is being solved. The bits that card sets never use (the highest byte) take the rest: the rule, the
player to move and the value in the first word, the number of the solve in the second. So the whole position is in the
entry, and nothing is left to the luck of a hash: a wrong table would be a bug, not a collision.

Places are found by a hash, four entries to a cache line; within a line the entry of an older solve gives way first,
then the one whose position has the fewest cards in hand, which was the cheapest to solve.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.jit import inlined
from red7_env.game.bits import I64, ONE, U64, ZERO, popcount
from red7_env.game.seeds import whole
from red7_env.game.streams import mixed

Table: TypeAlias = NDArray[np.uint64]
"""A header of 8 words, the first of them the number of the present solve, then two words an entry."""

UNKNOWN: Final = -1
"""Answer of ``lookup`` where the table knows nothing."""

_HEADER = 8
_LINE_ENTRIES = 4
_MIN_BITS, _MAX_BITS = 2, 28
_CARDS = U64(0x00FFFFFFFFFFFFFF)
_RULE_SHIFT, _MOVER_SHIFT, _SOLVE_SHIFT = U64(56), U64(59), U64(56)
_VALUE = ONE << U64(60)
_LAST_SOLVE = U64(255)


def new_table(bits: int = 14) -> Table:
    """Return an empty table of ``2**bits`` entries of 16 bytes; the usual 256 KiB fit a core's own cache.

    Its size changes how long a search takes, never what it finds.

    Raises:
        ValueError: If ``bits`` is not a whole number from 2 to 28.
    """
    number = whole(bits, "bits", _MAX_BITS)
    if number < _MIN_BITS:
        raise ValueError(f"bits: found {number}, expected {_MIN_BITS} to {_MAX_BITS}")
    return np.zeros(_HEADER + 2 * 2**number, np.uint64)


@inlined
def begin_solve(table: Table) -> None:
    """Make all entries old: the cards of the next positions belong to the players of another deal."""
    if table[0] == _LAST_SOLVE:
        table[:] = ZERO
    table[0] += ONE


@inlined
def first_word(hands: U64, rule: int, mover: int) -> U64:
    """Return the first word of a position's key."""
    return hands | U64(rule) << _RULE_SHIFT | U64(mover) << _MOVER_SHIFT


@inlined
def second_word(table: Table, palettes: U64) -> U64:
    """Return the second word of a position's key."""
    solve: U64 = table[0]
    return palettes | solve << _SOLVE_SHIFT


@inlined
def _line_of(table: Table, first: U64, second: U64) -> int:
    """Return the index of the line that may hold a position."""
    lines = U64((len(table) - _HEADER) // (2 * _LINE_ENTRIES))
    place: U64 = mixed(first ^ mixed(second)) & (lines - ONE)
    return _HEADER + I64(place) * (2 * _LINE_ENTRIES)


@inlined
def lookup(table: Table, first: U64, second: U64) -> int:
    """Return 1 if the position is a win for the player to move, 0 for a loss, ``UNKNOWN`` if it is not in the table."""
    line = _line_of(table, first, second)
    for entry in range(line, line + 2 * _LINE_ENTRIES, 2):
        if table[entry] & ~_VALUE == first and table[entry + 1] == second:
            return 1 if table[entry] & _VALUE != ZERO else 0
    return UNKNOWN


@inlined
def store(table: Table, first: U64, second: U64, value: int) -> None:
    """Write a position's value, 1 or 0, over the least useful entry of its line."""
    line = _line_of(table, first, second)
    solve = second >> _SOLVE_SHIFT
    chosen, least = line, U64(64)
    for entry in range(line, line + 2 * _LINE_ENTRIES, 2):
        worth = popcount(table[entry] & _CARDS) + ONE if table[entry + 1] >> _SOLVE_SHIFT == solve else ZERO
        if worth < least:
            chosen, least = entry, worth
    table[chosen] = first | _VALUE if value == 1 else first
    table[chosen + 1] = second
