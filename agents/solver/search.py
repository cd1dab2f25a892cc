"""Exact search of 2-player basic Red7 with open hands and without actions: does the player to move win?

A node is a position at the start of a turn, an edge a whole turn: a palette play, a discard, or both. A position is won
if some turn leads to one that is lost for the rival; a turn that leaves the rival without an answer wins at once.
What makes the search cheap:

- The keys of each palette with one more card are computed once, when its owner has moved, and serve both as the
  rival's possible answers and, a level deeper, as the owner's own turns.
- All rules are compared at once (``keys.rules_led``), so the answers to every turn are counted in one pass; a turn with
  no answer is found without making it.
- Turns are tried in the order of how few answers they leave.
- A play together with a discard of the colour already in force is left out where the play alone leads as well: it
  reaches the same table with a card fewer in hand, and a card more never hurts here.

Levels and flags are passed as ``I64(1)``, not 1: Numba compiles another copy of a function for every literal number.
There is no recursion: Numba cannot load a recursive function from its cache. The path lies in an array of ``FRAME``.
"""

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agents.jit import helper, inlined
from agents.solver.table import UNKNOWN, Table, first_word, lookup, new_table, second_word, store
from red7_env.game.bits import I64, ONE, SEVEN, STRIPE, U64, ZERO, colours_of, low_bit, numbers_of, popcount, spread
from red7_env.game.keys import keys_of, keys_with, rules_led

NO_CARD: Final = 63
"""In a turn's code: nothing is played, or nothing discarded."""
WON_AT_ONCE: Final = -1
"""Answer of ``list_turns``: some turn leaves the rival without an answer."""

TO_TRY, EVERY_TURN = 0, 1
"""Which turns to list."""

FRAME = np.dtype(
    [
        ("hand", "<u8"),  # of the player to move
        ("palette", "<u8"),
        ("rival_hand", "<u8"),
        ("rival_palette", "<u8"),
        ("low", "<u8"),  # keys of both palettes
        ("high", "<u8"),
        ("rival_low", "<u8"),
        ("rival_high", "<u8"),
        ("grown", "<u8", (56, 2)),  # keys of the rival's palette with each card of the rival's hand, by bit index
        ("first_word", "<u8"),  # the position's key in the table
        ("second_word", "<u8"),
        ("rule", "<i8"),
        ("next_turn", "<i8"),  # the turns not yet tried are stack[next_turn:last_turn]
        ("last_turn", "<i8"),
    ],
    align=True,
)
"""One level of the path. The mover's own ``grown`` keys are those of the level above, where the mover was the rival."""

Frames: TypeAlias = NDArray[np.void]
Frame: TypeAlias = Any
Turns: TypeAlias = NDArray[np.uint64]
"""Codes of turns: answers left << 16 | bit index played << 8 | bit index discarded (``NO_CARD`` for none)."""

_PLAY_SHIFT, _ANSWERS_SHIFT = U64(8), U64(16)
_BIT = U64(63)
_NONE = U64(NO_CARD)
_COUNT = U64(0xFF)
_SEVENS = U64(0x007F7F7F7F7F7F7F)


def _levels(hand: int) -> int:
    """Return the levels of the longest path: every turn takes a card out of one of two hands."""
    return 2 * hand + 3


class Room(NamedTuple):
    """All that a search works in, made once by ``new_room``.

    Attributes:
        frames: The path, of dtype ``FRAME``; level 1 is the position that was asked about.
        turns: The turns to try along the path.
        roots: The turns of the position that was asked about.
        replies: The turns of a position after one of those.
        table: The transposition table.
    """

    frames: Frames
    turns: Turns
    roots: Turns
    replies: Turns
    table: Table

    def holds(self, hand: int) -> bool:
        """Tell whether hands of this size find room."""
        return len(self.frames) >= _levels(hand)


def new_room(hand: int = 7, table_bits: int = 14) -> Room:
    """Return room for positions with at most ``hand`` cards in each hand.

    Raises:
        ValueError: If ``table_bits`` is out of range, see ``new_table``.
    """
    widest = max(1, hand) * (max(1, hand) + 1)  # each card played, with no or any other discard; or discarded alone
    levels = _levels(hand)
    return Room(
        frames=np.zeros(levels, FRAME),
        turns=np.zeros(levels * widest, np.uint64),
        roots=np.zeros(widest, np.uint64),
        replies=np.zeros(widest, np.uint64),
        table=new_table(table_bits),
    )


@inlined
def play_of(turn: U64) -> U64:
    """Return the bit index of the card that a turn plays, or ``NO_CARD``."""
    return (turn >> _PLAY_SHIFT) & _BIT


@inlined
def discard_of(turn: U64) -> U64:
    """Return the bit index of the card that a turn discards, or ``NO_CARD``."""
    return turn & _BIT


@inlined
def without_play(turn: U64) -> U64:
    """Return what is left of a turn once its card is played."""
    return turn | _NONE << _PLAY_SHIFT


@inlined
def grow(frame: Frame) -> None:
    """Compute the keys of the rival's palette with each card of the rival's hand."""
    palette, left = frame.rival_palette, frame.rival_hand
    numbers, colours = numbers_of(palette), colours_of(palette)
    while left != ZERO:
        bit = low_bit(left)
        card = left & (~left + ONE)
        left ^= card
        grown_numbers, grown_colours = numbers | ONE << (bit >> U64(3)), colours | ONE << (bit & SEVEN)
        low, high = keys_with(frame.rival_high, palette | card, bit, grown_numbers, grown_colours)
        frame.grown[bit, 0] = low
        frame.grown[bit, 1] = high


@helper
def set_root(frames: Frames, hand: U64, palette: U64, rival_hand: U64, rival_palette: U64, rule: int) -> None:
    """Write the position to be searched into ``frames[1]``, and the mover's grown keys into ``frames[0]``."""
    above, root = frames[0], frames[1]
    above.rival_hand, above.rival_palette = hand, palette
    above.rival_low, above.rival_high = keys_of(palette)
    grow(above)
    root.hand, root.palette = hand, palette
    root.low, root.high = above.rival_low, above.rival_high
    root.rival_hand, root.rival_palette = rival_hand, rival_palette
    root.rival_low, root.rival_high = keys_of(rival_palette)
    grow(root)
    root.rule = rule


@inlined
def answers_to(frame: Frame, low: U64, high: U64) -> tuple[U64, U64]:
    """Count the rival's turns against a palette with these keys.

    Returns:
        The turns that end with a discard; and a byte for each rule with the number of plays that lead under it.
    """
    hand = frame.rival_hand
    led = rules_led(frame.rival_low, frame.rival_high, low, high)
    discards, plays = popcount(hand & (led * STRIPE)), ZERO
    left = hand
    while left != ZERO:
        bit = low_bit(left)
        card = ONE << bit
        left ^= card
        led = rules_led(frame.grown[bit, 0], frame.grown[bit, 1], low, high)
        plays += spread(led)
        discards += popcount((hand ^ card) & (led * STRIPE))
    return discards, plays


@inlined
def plays_under(plays: U64, rule: U64) -> U64:
    """Return the byte of a rule from what ``answers_to`` counted."""
    return (plays >> (rule << U64(3))) & _COUNT


@inlined
def unanswered(plays: U64) -> U64:
    """Return the rules, a byte of 0 or 1 for each, whose byte in what ``answers_to`` counted is 0."""
    return ~((plays + _SEVENS) >> SEVEN) & STRIPE


@inlined
def code_of(answers: U64, played: U64, discarded: U64) -> U64:
    """Return the code of a turn: the lower, the earlier it is tried."""
    cards = ONE if max(played, discarded) < _NONE else ZERO
    return (answers + cards) << _ANSWERS_SHIFT | played << _PLAY_SHIFT | discarded


@inlined
def list_ends(
    frame: Frame, low: U64, high: U64, played: U64, rest: U64, in_force: U64, which: int, turns: Turns, place: int
) -> int:
    """Write the turns that play a given card, or none, from ``turns[place]`` on.

    Args:
        frame: The position.
        low: Low word of the mover's keys after the play.
        high: High word of these keys.
        played: Bit index of the card, or ``NO_CARD``.
        rest: The hand after the play.
        in_force: The rule in force as a set, if the turn may end without a discard; else empty.
        which: ``EVERY_TURN``, or ``TO_TRY`` to leave out what cannot be better than another turn, and to stop at a turn
            that wins at once.
        turns: Where to write.
        place: From here on.

    Returns:
        The place after the last turn, or ``WON_AT_ONCE``.
    """
    led = rules_led(low, high, frame.rival_low, frame.rival_high)
    ends = led & (in_force | colours_of(rest))
    if ends == ZERO:
        return place
    discards, plays = answers_to(frame, low, high)
    if which == TO_TRY and discards == ZERO and spread(ends) & unanswered(plays) != ZERO:
        return WON_AT_ONCE
    if led & in_force != ZERO:
        turns[place] = code_of(discards + plays_under(plays, U64(frame.rule)), played, _NONE)
        place += 1
        if which == TO_TRY:
            led ^= in_force
    cards = rest & (led * STRIPE)
    while cards != ZERO:
        bit = low_bit(cards)
        cards &= cards - ONE
        turns[place] = code_of(discards + plays_under(plays, bit & SEVEN), played, bit)
        place += 1
    return place


@helper
def list_turns(frames: Frames, level: int, which: int, turns: Turns, place: int) -> int:
    """Write the turns of the player to move at the start of a turn, from ``turns[place]`` on.

    Args:
        frames: The path; the position is ``frames[level]``.
        level: Its level.
        which: ``EVERY_TURN``, or ``TO_TRY``, see ``list_ends``.
        turns: Where to write.
        place: From here on.

    Returns:
        The place after the last turn, or ``WON_AT_ONCE`` (``TO_TRY`` only).
    """
    above, frame = frames[level - 1], frames[level]
    hand, left = frame.hand, frame.hand
    in_force = ONE << U64(frame.rule)
    place = list_ends(frame, frame.low, frame.high, _NONE, hand, ZERO, which, turns, place)
    while left != ZERO and place != WON_AT_ONCE:
        bit = low_bit(left)
        card = left & (~left + ONE)
        left ^= card
        low, high = above.grown[bit, 0], above.grown[bit, 1]
        place = list_ends(frame, low, high, bit, hand ^ card, in_force, which, turns, place)
    return place


@helper
def list_ends_of_turn(frame: Frame, turns: Turns) -> int:
    """Write the ways to end a turn whose palette play is done, as turns without a play; return their number."""
    in_force = ONE << U64(frame.rule)
    return list_ends(frame, frame.low, frame.high, _NONE, frame.hand, in_force, I64(EVERY_TURN), turns, I64(0))


@inlined
def make_turn(frames: Frames, level: int, turn: U64) -> None:
    """Write the position after a turn into the next level, but for its ``grown`` keys."""
    above, frame, child = frames[level - 1], frames[level], frames[level + 1]
    played, discarded = play_of(turn), discard_of(turn)
    child.hand, child.palette = frame.rival_hand, frame.rival_palette
    child.low, child.high = frame.rival_low, frame.rival_high
    hand, palette = frame.hand, frame.palette
    low, high, rule = frame.low, frame.high, frame.rule
    if played != _NONE:
        hand ^= ONE << played
        palette |= ONE << played
        low, high = above.grown[played, 0], above.grown[played, 1]
    if discarded != _NONE:
        hand ^= ONE << discarded
        rule = I64(discarded & SEVEN)
    child.rival_hand, child.rival_palette = hand, palette
    child.rival_low, child.rival_high = low, high
    child.rule = rule


@inlined
def reach(frames: Frames, turns: Turns, table: Table, level: int) -> int:
    """Look a new position up, or list its turns; return its value, ``UNKNOWN`` if turns have to be tried."""
    frame = frames[level]
    frame.first_word = first_word(frame.hand | frame.rival_hand, frame.rule, level & 1)
    frame.second_word = second_word(table, frame.palette | frame.rival_palette)
    value = lookup(table, frame.first_word, frame.second_word)
    if value != UNKNOWN:
        return value
    grow(frame)
    first = frames[level - 1].last_turn
    last = list_turns(frames, level, I64(TO_TRY), turns, first)
    if last <= first:
        value = 1 if last == WON_AT_ONCE else 0
        store(table, frame.first_word, frame.second_word, value)
        return value
    frame.next_turn, frame.last_turn = first, last
    return UNKNOWN


@inlined
def next_turn(frame: Frame, turns: Turns) -> U64:
    """Take the untried turn that leaves the fewest answers off the list."""
    best = frame.next_turn
    for place in range(frame.next_turn + 1, frame.last_turn):
        if turns[place] < turns[best]:
            best = place
    turn: U64 = turns[best]
    turns[best] = turns[frame.next_turn]
    frame.next_turn += 1
    return turn


@helper
def search(room: Room, base: int) -> tuple[bool, int]:
    """Solve the position in ``room.frames[base]``.

    Args:
        room: ``set_root`` has filled levels 0 and 1, ``make_turn`` any further ones; ``begin_solve`` was called.
        base: Level of the position.

    Returns:
        Whether the player to move wins; and the number of positions reached.
    """
    frames, turns, table = room.frames, room.turns, room.table
    frames[base - 1].last_turn = 0
    level, nodes = base, 0
    while True:
        nodes += 1
        value = reach(frames, turns, table, level)
        while value != UNKNOWN:
            if level == base:
                return value == 1, nodes
            level -= 1
            frame = frames[level]
            value = 1 if value == 0 else UNKNOWN if frame.next_turn < frame.last_turn else 0
            if value != UNKNOWN:
                store(table, frame.first_word, frame.second_word, value)
        make_turn(frames, level, next_turn(frames[level], turns))
        level += 1
