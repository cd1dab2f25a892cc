"""Cards are strings, ``R7``: colour letter, then number (section 1)."""

from collections.abc import Iterable

COLOURS = "ROYGBIV"  # from the highest to the lowest
NUMBERS = range(1, 8)

Cards = frozenset[str]


def number(card: str) -> int:
    """Give the number of a card, 1 to 7."""
    return int(card[1])


def colour(card: str) -> str:
    """Give the colour letter of a card."""
    return card[0]


# The number decides; equal numbers are ordered by colour.
_HEIGHT = {
    f"{letter}{value}": (value, len(COLOURS) - place) for place, letter in enumerate(COLOURS) for value in NUMBERS
}


def height(card: str) -> tuple[int, int]:
    """Give the place of a card in the order of all cards: a greater value is a higher card."""
    return _HEIGHT[card]


def highest(cards: Iterable[str]) -> str:
    """Give the highest of some cards."""
    return max(cards, key=height)


def highest_first(cards: Iterable[str]) -> list[str]:
    """List cards as hands and palettes are written."""
    return sorted(cards, key=height, reverse=True)


def points(cards: Iterable[str]) -> int:
    """Add up what cards are worth: each its number."""
    return sum(number(card) for card in cards)


def write_cards(cards: Iterable[str]) -> str:
    """Write cards one after the other, ``-`` for none."""
    return "".join(cards) or "-"


def read_cards(text: str) -> list[str]:
    """Read cards written without separators, ``-`` for none."""
    if text == "-":
        return []
    cards = [text[i : i + 2] for i in range(0, len(text), 2)]
    for card in cards:
        if card not in _HEIGHT:
            message = f"unknown card {card!r} in {text!r}"
            raise ValueError(message)
    if not cards:
        message = "nothing written where '-' or cards are expected"
        raise ValueError(message)
    return cards
