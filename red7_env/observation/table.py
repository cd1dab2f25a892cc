"""The table of named pieces that an observation is made of: the one source for encoder, documentation and plots.

Every number of an observation is 0 or 1. A piece is a block of them with a shape, whose last axes hold a value:

| kind | value axes | meaning |
| --- | --- | --- |
| ``cards`` | (7, 7), number 1-7 x colour violet .. red | a card set |
| ``choice`` | one | exactly one of the labels, or none (all 0) |
| ``flags`` | one | each label by itself |
| ``count`` | one | the number of leading ones; ``levels`` are the numbers at which the next bit is set |

The axes before them are labelled too: seats are relative to the observer, own seat first, then by turn order. Pieces
that cannot occur under the rules are left out. The ``derived`` set begins with the ``base`` set.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from red7_env.game.cards import COLOUR_NAMES
from red7_env.game.errors import shown
from red7_env.game.rules import Rules
from red7_env.game.state import MATCH_OVER, ROUND_OVER

Features = Literal["base", "derived"]
Kind = Literal["cards", "choice", "flags", "count"]

FEATURES: Final = ("base", "derived")
COUNT_LEVELS: Final = (1, 2, 3, 5, 8, 13, 21)
"""The numbers of cards that the bits of ``threat_counts`` stand for."""
ROUND_LEVELS: Final = 20
"""Finished rounds of a match are counted up to this number."""

_SEATS = ("own", "next", "second next", "third next")
_NUMBERS = tuple(map(str, range(1, 8)))
_PHASES = (
    "start of the turn",
    "a 5 asks for another play",
    "a 1 asks for a card to take",
    "a 7 asks for a card to move",
    "after the play",
    "take the draw or decline",
    "round over",
    "match over",
)
_ACTION_PHASES = 0b0000_1110
_DRAW_PHASE = 0b0010_0000

NAMES: Final = (
    "phase",
    "to_move",
    "seats_in",
    "rule",
    "hand_sizes",
    "deck_size",
    "round",
    "points",
    "hoped",
    "deck_top_numbers",
    "deck_top_colours",
    "hand",
    "palettes",
    "canvas",
    "scored",
    "last_played",
    "known_in_hands",
    "known_in_deck",
    "leads_under",
    "set_sizes",
    "threat_counts",
    "leading_plays",
    "threats",
    "offered_plays",
    "offered_discards",
    "offered_others",
    "offered_takes",
    "offered_to_canvas",
    "offered_to_deck",
)
"""All pieces there are, in their order."""

LAYOUT: Final = np.dtype([(field, "<i8") for name in NAMES for field in (name, f"{name}_bits")])
"""One record: the first bit of each piece, -1 where it is left out, and the length of its last axis; the bits of
``phase_bits`` are the phases that occur."""

Layout: TypeAlias = Any
"""One ``LAYOUT`` record inside compiled code; Numba's record type has no Python name."""


@dataclass(frozen=True)
class Piece:
    """One named block of an observation.

    Attributes:
        name: Its name.
        kind: How its last axes are read, see the module.
        shape: Its shape; the product is its number of bits.
        start: Index of its first bit in the vector.
        words: What it holds.
        axes: Labels of each axis before the value axes.
        labels: Labels of the value axis of a ``choice`` or of ``flags``.
        levels: Of a ``count``: the number that each bit stands for.
    """

    name: str
    kind: Kind
    shape: tuple[int, ...]
    start: int
    words: str
    axes: tuple[tuple[str, ...], ...] = ()
    labels: tuple[str, ...] = ()
    levels: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """Number of bits."""
        return math.prod(self.shape)

    @property
    def slice(self) -> slice:
        """Where it lies in the vector."""
        return slice(self.start, self.start + self.size)


@lru_cache(maxsize=256)
def pieces(rules: Rules, features: Features = "derived") -> tuple[Piece, ...]:
    """Return the pieces of an observation, in order, without gaps.

    Raises:
        ValueError: If there is no such set of features.
    """
    if features not in FEATURES:
        raise ValueError(f"features: found {shown(features)}, expected 'base' or 'derived'")
    return tuple(_laid_out(_drafts(rules, features), 0))


@lru_cache(maxsize=256)
def oracle_pieces(rules: Rules, features: Features = "base", deck: bool = False) -> tuple[Piece, ...]:
    """Return the pieces of an oracle observation: those of an observation, then what is hidden.

    Args:
        rules: What is played.
        features: The observation that it begins with.
        deck: Whether the whole deck belongs to it, where cards are drawn.

    Raises:
        ValueError: If there is no such set of features.
    """
    seen = pieces(rules, features)
    return seen + tuple(_laid_out(_hidden(rules, deck), seen[-1].slice.stop))


def _laid_out(drafts: Iterable["_Draft"], start: int) -> Iterator[Piece]:
    """Yield the pieces of drafts one behind the other; empty ones are left out."""
    for name, kind, words, axes, last in drafts:
        width = (7, 7) if kind == "cards" else (len(last),)
        labels = tuple(map(str, last)) if kind in {"choice", "flags"} else ()
        levels = tuple(map(int, last)) if kind == "count" else ()
        piece = Piece(name, kind, (*map(len, axes), *width), start, words, axes, labels, levels)
        if piece.size:
            yield piece
            start += piece.size


def size(rules: Rules, features: Features = "derived") -> int:
    """Return the length of an observation.

    Raises:
        ValueError: If there is no such set of features.
    """
    return pieces(rules, features)[-1].slice.stop


@lru_cache(maxsize=256)
def layout(rules: Rules, features: Features = "derived") -> NDArray[np.void]:
    """Return the table as the kernels read it: one ``LAYOUT`` record, shape (1,).

    Raises:
        ValueError: If there is no such set of features.
    """
    table = np.full(1, -1, LAYOUT)
    for piece in pieces(rules, features):
        table[piece.name] = piece.start
        table[f"{piece.name}_bits"] = piece.shape[-1]
    table["phase_bits"] = _phases(rules)
    return table


def known_depth(rules: Rules) -> int:
    """Return how many cards at most can be publicly known on top of the deck.

    Each got there by the play of a 1 or 7 (of a 1 only in the first edition). While known cards lie on the deck,
    only such cards are drawn, so known cards on the deck plus 1s and 7s in hands never become more: the bound is the
    number of 1s and 7s there are.
    """
    if rules.actions is None:
        return 0
    return rules.colours * (2 if rules.actions == "revised" and rules.numbers == 7 else 1)


def _largest_deck(rules: Rules) -> int:
    """Return the largest size of a deck that changes in play: as dealt, and the known cards on top of it."""
    if not rules.advanced and rules.actions is None:
        return 0
    return rules.num_cards - rules.players * (rules.hand_size + 1) + known_depth(rules)


def _phases(rules: Rules) -> int:
    """Return the phases that occur, as bits."""
    phases = (1 << (MATCH_OVER if rules.match else ROUND_OVER) + 1) - 1
    if rules.actions is None:
        phases &= ~_ACTION_PHASES
    if not rules.advanced:
        phases &= ~_DRAW_PHASE
    return phases


def _up_to(number: int) -> tuple[int, ...]:
    return tuple(range(1, number + 1))


_Draft = tuple[str, Kind, str, tuple[tuple[str, ...], ...], tuple[str, ...] | tuple[int, ...]]


def _drafts(rules: Rules, features: str) -> Iterator[_Draft]:
    """Yield name, kind, words, leading axes and the value axis of every piece, in the order of ``NAMES``."""
    yield from _situation(rules)
    yield from _card_sets(rules)
    if features == "derived":
        yield from _consequences(rules)
        yield from _offers(rules)


def _situation(rules: Rules) -> Iterator[_Draft]:
    seats = _SEATS[: rules.players]
    phases = tuple(name for phase, name in enumerate(_PHASES) if _phases(rules) >> phase & 1)
    yield "phase", "choice", "what the seat to move is asked for", (), phases
    yield "to_move", "choice", "the seat to move; the round's winner when it is over", (), seats
    yield "seats_in", "flags", "the seats that are in", (), seats
    yield "rule", "choice", "the colour whose rule is in force", (), COLOUR_NAMES
    yield (
        "hand_sizes",
        "count",
        "cards in each hand (a seat that is out: when it left)",
        (seats,),
        _up_to(rules.hand_size),
    )
    yield "deck_size", "count", "cards in the deck, where it changes in play", (), _up_to(_largest_deck(rules))
    if rules.match:
        yield (
            "round",
            "count",
            "finished rounds of the match, the highest number for all above",
            (),
            _up_to(ROUND_LEVELS),
        )
        yield "points", "count", "points scored in the match, up to the target", (seats,), _up_to(rules.target)
    if rules.actions:
        depths = tuple(map(str, range(1, known_depth(rules) + 1)))
        yield "hoped", "flags", "whether a 3 has drawn in this turn", (), ("a 3 has drawn",)
        yield "deck_top_numbers", "choice", "number of each known card of the deck, from the top", (depths,), _NUMBERS
        yield (
            "deck_top_colours",
            "choice",
            "colour of each known card of the deck, from the top",
            (depths,),
            COLOUR_NAMES,
        )


def _card_sets(rules: Rules) -> Iterator[_Draft]:
    seats = _SEATS[: rules.players]
    yield "hand", "cards", "the own hand", (), ()
    yield "palettes", "cards", "each palette; of a seat that is out what it had shown", (seats,), ()
    yield "canvas", "cards", "all cards discarded to the canvas", (), ()
    if rules.match:
        yield "scored", "cards", "cards that each seat has scored in the match", (seats,), ()
    if rules.actions:
        yield "last_played", "cards", "the card last played to a palette in this turn", (), ()
        yield (
            "known_in_hands",
            "cards",
            "cards that all know to be in each hand (out: to have left with it)",
            (seats,),
            (),
        )
        yield "known_in_deck", "cards", "cards that all know to be on top of the deck", (), ()


def _consequences(rules: Rules) -> Iterator[_Draft]:
    seats = _SEATS[: rules.players]
    yield (
        "leads_under",
        "flags",
        "the rules under which each seat leads, with the palettes as they lie",
        (seats,),
        (COLOUR_NAMES),
    )
    yield (
        "set_sizes",
        "count",
        "cards in each seat's best set under each rule, up to 7; none when it is out",
        (seats, COLOUR_NAMES),
        _up_to(7),
    )
    yield (
        "threat_counts",
        "count",
        "for each other seat and rule: how many cards that may be in its hand would lead if played",
        (seats[1:], COLOUR_NAMES),
        COUNT_LEVELS,
    )
    yield "leading_plays", "cards", "own hand cards that would lead at once if played to the palette", (), ()
    yield (
        "threats",
        "cards",
        "for each other seat: the cards that may be in its hand and would lead at once if played",
        (seats[1:],),
        (),
    )


def _offers(rules: Rules) -> Iterator[_Draft]:
    """Yield the offer, laid out as the action mask; the encoder writes it as one."""
    yield "offered_plays", "cards", "offered plays to the palette; this and all below are 0 off turn", (), ()
    yield "offered_discards", "cards", "offered discards to the canvas", (), ()
    yield "offered_others", "flags", "the other offered moves", (), ("end the turn", "pass", "draw")
    if rules.actions:
        yield "offered_takes", "cards", "cards of other palettes that a 1 may take", (), ()
        yield "offered_to_canvas", "cards", "own palette cards that a 7 may put on the canvas", (), ()
        yield "offered_to_deck", "cards", "own palette cards that a 7 may put on the deck", (), ()


def _hidden(rules: Rules, deck: bool) -> Iterator[_Draft]:
    yield "other_hands", "cards", "the hand of each other seat", (_SEATS[1 : rules.players],), ()
    if deck:
        depths = tuple(map(str, range(1, _largest_deck(rules) + 1)))
        yield "deck_numbers", "choice", "number of each card of the deck, from the top", (depths,), _NUMBERS
        yield "deck_colours", "choice", "colour of each card of the deck, from the top", (depths,), COLOUR_NAMES
