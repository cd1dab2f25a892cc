"""The variant and the deck shape: ``advanced+revised@3x4x2`` (sections 4, 5 and 8)."""

import re
from typing import Literal, NamedTuple, cast

from .cards import COLOURS, Cards, points

Edition = Literal["revised", "first"]

FULL_TARGET = {2: 40, 3: 35, 4: 30}
FULL_POINTS = 196
_TEXT = re.compile(
    r"(?P<variant>basic|advanced)"
    r"(\+(?P<edition>revised|first))?"
    r"(@(?P<colours>[1-7])x(?P<numbers>[1-7])x(?P<hand>[1-9][0-9]*))?"
)


class Rules(NamedTuple):
    """What is agreed before the cards are shuffled, but for the number of players."""

    advanced: bool
    edition: Edition | None  # None: no actions
    colours: int = 7
    numbers: int = 7
    hand: int = 7

    def text(self) -> str:
        """Write the rules field; the shape of the full game is left out."""
        variant = "advanced" if self.advanced else "basic"
        edition = f"+{self.edition}" if self.edition else ""
        shape = f"@{self.colours}x{self.numbers}x{self.hand}"
        return variant + edition + ("" if shape == "@7x7x7" else shape)

    def deck(self) -> Cards:
        """Give all cards of this deck."""
        return frozenset(
            f"{letter}{value}" for letter in COLOURS[: self.colours] for value in range(1, self.numbers + 1)
        )

    def cards_to_deal(self, players: int) -> int:
        """Count the cards of a deal: hands and one palette card each."""
        return players * (self.hand + 1)

    def target(self, players: int) -> int:
        """Give floor(target x points / 196 + 1/2), here in whole numbers."""
        doubled = 2 * FULL_TARGET[players] * points(self.deck())
        return (doubled + FULL_POINTS) // (2 * FULL_POINTS)

    def check_players(self, players: int) -> None:
        """Refuse a number of players that the game or its deck is not made for."""
        if players not in FULL_TARGET:
            message = f"{players} players, expected 2, 3 or 4"
            raise ValueError(message)
        if self.cards_to_deal(players) > len(self.deck()):
            message = f"rules {self.text()!r}: too few cards for {players} players"
            raise ValueError(message)


def read_rules(text: str) -> Rules:
    """Read the rules field."""
    found = _TEXT.fullmatch(text)
    if found is None:
        message = f"rules {text!r}, expected basic or advanced, +revised or +first, @CxNxH"
        raise ValueError(message)
    return Rules(
        advanced=found["variant"] == "advanced",
        edition=cast("Edition | None", found["edition"]),
        colours=int(found["colours"] or 7),
        numbers=int(found["numbers"] or 7),
        hand=int(found["hand"] or 7),
    )
