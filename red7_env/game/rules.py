"""``Rules``: which game is played, as one frozen value with a text form.

The text form is the rules field of a position, then the number of players, then whether a
match is played: ``basic:2p``, ``advanced+revised@3x4x2:4p:match``.
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import index
from typing import Final, SupportsIndex

from red7_env.game.cards import NUM_CARDS, NUM_COLOURS, NUM_NUMBERS, card_id
from red7_env.game.errors import RulesError, shown

VARIANTS: Final = ("basic", "advanced")
EDITIONS: Final = ("revised", "first")
FULL_DECK: Final = (NUM_COLOURS, NUM_NUMBERS, 7)
MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 4

_NUM_MOVES_WITH_ACTIONS = 248
_NUM_MOVES_WITHOUT_ACTIONS = 101
# Points that end a match with the full deck, by the number of players.
_FULL_TARGETS = {2: 40, 3: 35, 4: 30}
_FULL_POINTS = NUM_COLOURS * NUM_NUMBERS * (NUM_NUMBERS + 1) // 2

_TEXT = re.compile(r"([^:]*)(?::([0-9]+)p)?(:match)?")
_SHAPE = re.compile(r"([1-9][0-9]?)x([1-9][0-9]?)x([1-9][0-9]?)")
_TEXT_FORM = "a rules field, then :2p, :3p or :4p, then :match, such as advanced+revised:3p:match"


@dataclass(frozen=True)
class Rules:
    """The rules of one game.

    Attributes:
        players: 2, 3 or 4.
        variant: ``"basic"`` or ``"advanced"`` (with draws and scores).
        actions: The edition of the actions, ``"revised"`` or ``"first"``, or None without actions.
        match: Whether rounds are played to a target; only in advanced.
        deck: ``(C, N, H)``: the C highest colours, numbers 1 to N, H cards dealt to each hand.

    Raises:
        RulesError: If a value is of the wrong type or out of range, or if they do not go together.
    """

    players: int = 2
    variant: str = "basic"
    actions: str | None = None
    match: bool = False
    deck: tuple[int, int, int] = FULL_DECK

    def __post_init__(self) -> None:
        """Check the values, and keep them as plain Python ones."""
        self._keep("players", _whole("players", self.players, MIN_PLAYERS, MAX_PLAYERS))
        self._keep("variant", _choice("variant", self.variant, VARIANTS))
        if self.actions is not None:
            self._keep("actions", _choice("actions", self.actions, EDITIONS, "or None"))
        self._keep("match", _flag("match", self.match))
        if self.match and self.variant != "advanced":
            raise RulesError("match: found True with basic, expected advanced in a match")
        self._keep("deck", _deck_shape(self.deck))
        needed = self.players * (self.hand_size + 1)
        if needed > self.num_cards:
            raise RulesError(
                f"deck shape: found {_shape_text(self.deck)} with {self.num_cards} cards, "
                f"expected at least {needed} for {self.players} players"
            )

    def __str__(self) -> str:
        """Return the text form, which ``Rules.parse`` reads."""
        return f"{self.field}:{self.players}p{':match' if self.match else ''}"

    @classmethod
    def parse(cls, text: str) -> "Rules":
        """Return the rules of a text form; the number of players is 2 when it is left out.

        Raises:
            RulesError: If the text is malformed or the rules do not exist.
        """
        if not isinstance(text, str):
            raise RulesError(f"rules: found {shown(text)}, expected {_TEXT_FORM}")
        found = _TEXT.fullmatch(text)
        if found is None:
            raise RulesError(f"rules: found {shown(text)}, expected {_TEXT_FORM}")
        field, players, match = found.groups()
        if players is not None and players not in {"2", "3", "4"}:
            raise RulesError(f"players: found {shown(players)}, expected 2, 3 or 4")
        return cls.from_field(field, int(players or 2), match is not None)

    @classmethod
    def from_field(cls, field: str, players: int, match: bool = False) -> "Rules":
        """Return the rules of a position's first field, such as ``advanced+revised@3x4x2``.

        Raises:
            RulesError: If the field is malformed or the rules do not exist.
        """
        if not isinstance(field, str):
            raise RulesError(f"rules: found {shown(field)}, expected text such as basic")
        return _from_field(field, players, match)

    @cached_property
    def field(self) -> str:
        """The rules field of a position, such as ``advanced+revised@3x4x2``."""
        edition = "" if self.actions is None else f"+{self.actions}"
        shape = "" if self.deck == FULL_DECK else f"@{_shape_text(self.deck)}"
        return f"{self.variant}{edition}{shape}"

    @property
    def advanced(self) -> bool:
        """Whether there are draws and scores."""
        return self.variant == "advanced"

    @property
    def num_moves(self) -> int:
        """The size of the move space: 248, or 101 without actions."""
        return _NUM_MOVES_WITHOUT_ACTIONS if self.actions is None else _NUM_MOVES_WITH_ACTIONS

    @property
    def colours(self) -> int:
        """The number of colours in the deck (the highest ones)."""
        return self.deck[0]

    @property
    def numbers(self) -> int:
        """The highest number in the deck."""
        return self.deck[1]

    @property
    def hand_size(self) -> int:
        """The number of cards dealt to each hand, without the one for the palette."""
        return self.deck[2]

    @property
    def num_cards(self) -> int:
        """The number of cards in the game."""
        return self.colours * self.numbers

    @cached_property
    def deck_cards(self) -> tuple[int, ...]:
        """The ids of the cards in the game, lowest first."""
        return tuple(
            card_id(number, colour)
            for number in range(1, self.numbers + 1)
            for colour in range(NUM_COLOURS - self.colours, NUM_COLOURS)
        )

    @property
    def deck_points(self) -> int:
        """The sum of the numbers of all cards in the game."""
        return self.colours * self.numbers * (self.numbers + 1) // 2

    @property
    def target(self) -> int:
        """The points that end a match: scaled with the deck's points, halves rounded up."""
        scaled = _FULL_TARGETS[self.players] * self.deck_points
        return (2 * scaled + _FULL_POINTS) // (2 * _FULL_POINTS)

    def _keep(self, name: str, value: object) -> None:
        """Set a field of this frozen value while it is built."""
        object.__setattr__(self, name, value)


@lru_cache(maxsize=256, typed=True)
def _from_field(field: str, players: int, match: bool) -> Rules:
    """Read a rules field. Cached, since every position that is read carries one."""
    head, at, shape = field.partition("@")
    variant, plus, edition = head.partition("+")
    if variant not in VARIANTS:
        raise RulesError(f"variant: found {shown(variant)}, expected basic or advanced")
    if plus and edition not in EDITIONS:
        raise RulesError(f"actions: found {shown(edition)}, expected revised or first after +")
    deck = _parse_shape(shape) if at else FULL_DECK
    return Rules(players, variant, edition if plus else None, match, deck)


def _parse_shape(text: str) -> tuple[int, int, int]:
    """Read the ``CxNxH`` of a rules field."""
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise RulesError(f"deck shape: found {shown(text)}, expected CxNxH such as 3x4x2 after @")
    colours, numbers, hand = map(int, found.groups())
    return colours, numbers, hand


def _shape_text(deck: tuple[int, int, int]) -> str:
    return "x".join(map(str, deck))


def _deck_shape(deck: object) -> tuple[int, int, int]:
    """Check the range of each part of a deck shape."""
    if not isinstance(deck, tuple | list) or len(deck) != len(FULL_DECK):
        found = f"{len(deck)} values" if isinstance(deck, tuple | list) else shown(deck)
        raise RulesError(f"deck shape: found {found}, expected (colours, numbers, hand size)")
    return (
        _whole("deck shape: colours", deck[0], 1, NUM_COLOURS),
        _whole("deck shape: numbers", deck[1], 1, NUM_NUMBERS),
        _whole("deck shape: hand size", deck[2], 1, NUM_CARDS),
    )


def _whole(field: str, value: SupportsIndex, low: int, high: int) -> int:
    """Check that ``value`` is an integer (a NumPy one too, but no bool) from ``low`` to ``high``."""
    try:
        number = -1 if isinstance(value, bool) else index(value)
    except TypeError:
        number = -1
    if low <= number <= high:
        return number
    raise RulesError(f"{field}: found {shown(value)}, expected a whole number from {low} to {high}")


def _flag(field: str, value: object) -> bool:
    """Check that ``value`` is True or False."""
    if isinstance(value, bool):
        return value
    raise RulesError(f"{field}: found {shown(value)}, expected True or False")


def _choice(field: str, value: object, choices: tuple[str, str], more: str = "") -> str:
    """Check that ``value`` is one of two words."""
    if isinstance(value, str) and value in choices:
        return str(value)
    expected = " or ".join(map(repr, choices)) + (more and f" {more}")
    raise RulesError(f"{field}: found {shown(value)}, expected {expected}")
