"""The state of a game: one element of a structured NumPy dtype.

A single game is an array of one, a batch is an array of N, a copy is an array copy and a save is its bytes. A *view*
is a record of the same dtype in which everything hidden from one seat is blanked (see ``views``).
"""

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from red7_env.game.bits import I64, word_of
from red7_env.game.jit import inlined

if TYPE_CHECKING:
    from red7_env.game.rules import Rules

MAX_SEATS = 4
PILE_SIZE = 49
NOBODY = 255
"""No seat, in ``winner`` and ``viewer``."""
UNKNOWN = 255
"""An unknown card in the pile of a view; no card, in ``last``."""

# Phases: what the seat to move is asked for.
START = 0
"""The turn begins: a palette play, a discard, or the pass."""
PLAY_AGAIN = 1
"""A 5 asks for another palette play."""
CHOOSE_TAKEN = 2
"""A 1 asks for a card of another palette."""
CHOOSE_OWN = 3
"""A 7 asks for another card of the own palette."""
AFTER_PLAY = 4
"""Palette plays and actions are over: a discard or the end of the turn."""
AFTER_DISCARD = 5
"""Advanced: take the draw or decline it."""
ROUND_OVER = 6
"""One seat is left; a match goes on with ``deal.next_round``."""
MATCH_OVER = 7
"""The match has ended, all points are counted."""

NO_ACTIONS, REVISED, FIRST = 0, 1, 2
"""Values of ``edition``."""

STATE = np.dtype(
    [
        ("hands", "<u8", MAX_SEATS),  # card set of each seat; in a view only the viewer's own
        ("palettes", "<u8", MAX_SEATS),  # card sets; a seat that is out keeps what it had shown
        ("keys", "<u8", (MAX_SEATS, 2)),  # each palette's worth under the seven rules (keys.py); 0 when out
        ("scored", "<u8", MAX_SEATS),  # match: card sets put aside by each seat in earlier rounds
        ("known", "<u8", MAX_SEATS),  # card sets publicly known to be in each hand
        ("rng", "<u8"),  # the shuffler's state (streams.py); 0 in a view
        ("target", "<u2"),  # points that end the match
        ("turn", "<u2"),  # turns begun in this round; one more when it is over
        ("round", "<u2"),  # rounds finished in this match
        ("pile", "u1", PILE_SIZE),  # the canvas (bottom first), UNKNOWNs, and to the end the deck (top first)
        ("hand_sizes", "u1", MAX_SEATS),
        ("canvas_size", "u1"),
        ("deck_size", "u1"),  # the deck is pile[49 - deck_size:]
        ("deck_known", "u1"),  # so many cards on top of the deck are publicly known
        ("rule", "u1"),  # colour in force, 0 violet .. 6 red
        ("phase", "u1"),
        ("to_move", "u1"),  # seat; the winner when the round is over
        ("seats_in", "u1"),  # bit s: seat s is in
        ("last", "u1"),  # id of the card last played to the palette in this turn, or UNKNOWN
        ("hoped", "u1"),  # 1 once a 3 has drawn in this turn
        ("winner", "u1"),  # of the finished round, else NOBODY
        ("winners", "u1"),  # bit s: seat s wins (or shares) the finished game
        ("viewer", "u1"),  # the seat whose view this is; NOBODY in a full state
        ("players", "u1"),
        ("draws", "u1"),  # 1 in advanced
        ("edition", "u1"),
        ("match", "u1"),
        ("colours", "u1"),  # deck shape, rules.md section 8
        ("numbers", "u1"),
        ("hand_size", "u1"),  # cards dealt to a hand
        ("spare", "u1", 2),  # always 0: no byte of a record is left to chance; equal games have equal bytes
    ],
    align=True,
)
"""The state record; multi-byte fields are little-endian, so that its bytes mean the same everywhere."""

States: TypeAlias = NDArray[np.void]
"""An array of ``STATE`` records, shape (N,)."""

State: TypeAlias = Any
"""One record inside compiled code; Numba's record type has no Python name."""


@inlined
def seats_of(state: State) -> int:
    """Return the number of seats as a signed integer (a range over the field itself would be unsigned)."""
    return I64(state.players)


_EDITIONS = {None: NO_ACTIONS, "revised": REVISED, "first": FIRST}
_EDITION_NAMES = {number: name for name, number in _EDITIONS.items()}


def blank_states(rules: "Rules", count: int = 1) -> States:
    """Return ``count`` records that hold the rules and no cards yet, shape (count,)."""
    states = np.zeros(count, STATE)
    states["players"] = rules.players
    states["draws"] = rules.variant == "advanced"
    states["edition"] = _EDITIONS[rules.actions]
    states["match"] = rules.match
    states["colours"], states["numbers"], states["hand_size"] = rules.deck
    states["target"] = rules.target
    states["seats_in"] = (1 << rules.players) - 1
    states["rule"] = 6
    states["last"] = UNKNOWN
    states["winner"] = states["viewer"] = NOBODY
    states["pile"] = UNKNOWN
    return states


def rules_of(state: np.void) -> "Rules":
    """Return the rules written in a record."""
    from red7_env.game.rules import Rules

    return Rules(
        players=int(state["players"]),
        variant="advanced" if state["draws"] else "basic",
        actions=_EDITION_NAMES[int(state["edition"])],
        match=bool(state["match"]),
        deck=(int(state["colours"]), int(state["numbers"]), int(state["hand_size"])),
    )


def copy_of(states: States) -> States:
    """Return a copy of a contiguous array of records, made as bytes: NumPy copies field by field, 20 times slower."""
    copy = np.empty(states.shape, STATE)
    copy.view(np.uint8)[:] = states.view(np.uint8)
    return copy


def deck_word(rules: "Rules") -> int:
    """Return the 64-bit set of all cards of the deck's shape."""
    return word_of(rules.deck_cards)
