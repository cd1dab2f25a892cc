"""Cards: ids, colours, numbers and their text form.

A card is an id from 0 to 48, ``(number - 1) * 7 + colour``, with the colours from violet (0) to
red (6). A greater id is a higher card. As text a card is its colour's letter and its number
(``R7``); a list of cards is written without separators (``R7O3V1``), an empty one as ``-``.
"""

from collections.abc import Iterable
from operator import index

from red7_env.game.errors import NotationError, shown

NUM_COLOURS = 7
NUM_NUMBERS = 7
NUM_CARDS = NUM_COLOURS * NUM_NUMBERS

COLOUR_LETTERS = "VIBGYOR"
COLOUR_NAMES = ("violet", "indigo", "blue", "green", "yellow", "orange", "red")

_TEXTS = tuple(f"{letter}{number}" for number in range(1, NUM_NUMBERS + 1) for letter in COLOUR_LETTERS)
_IDS = {text: card for card, text in enumerate(_TEXTS)}
_EMPTY = "-"
_CARD_FORM = "a letter of ROYGBIV and a number from 1 to 7, such as R7"


def card_id(number: int, colour: int) -> int:
    """Return the id of the card with this number (1-7) and colour (violet 0 .. red 6)."""
    return (number - 1) * NUM_COLOURS + colour


def card_colour(card: int) -> int:
    """Return the colour of a card id, from violet (0) to red (6)."""
    return card % NUM_COLOURS


def card_number(card: int) -> int:
    """Return the number of a card id, from 1 to 7."""
    return card // NUM_COLOURS + 1


def card_text(card: int) -> str:
    """Return the text of a card id: ``card_text(48)`` is ``R7``.

    Raises:
        NotationError: If ``card`` is not from 0 to 48.
    """
    number = index(card)
    if not 0 <= number < NUM_CARDS:
        raise NotationError(f"card: found id {shown(number)}, expected 0 to {NUM_CARDS - 1}")
    return _TEXTS[number]


def card_words(card: int) -> str:
    """Return a card id in words: ``card_words(48)`` is ``red 7``."""
    return f"{COLOUR_NAMES[card_colour(card)]} {card_number(card)}"


def parse_card(text: str, field: str = "card") -> int:
    """Return the id of a card's text: ``parse_card("R7")`` is 48.

    Args:
        text: Colour letter and number.
        field: What the text is called in the message of an error.

    Raises:
        NotationError: If ``text`` is not a card.
    """
    card = _IDS.get(text)
    if card is None:
        raise NotationError(f"{field}: found {shown(text)}, expected a card: {_CARD_FORM}")
    return card


def cards_text(cards: Iterable[int]) -> str:
    """Return the text of card ids in the given order: ``R7O3V1``, or ``-`` if there are none.

    Raises:
        NotationError: If an id is not from 0 to 48.
    """
    return "".join(map(card_text, cards)) or _EMPTY


def parse_cards(text: str, field: str = "cards") -> list[int]:
    """Return the card ids of a list such as ``R7O3V1``, in its order; ``-`` is the empty list.

    Args:
        text: The cards without separators, or ``-``.
        field: What the text is called in the message of an error.

    Raises:
        NotationError: If ``text`` is not such a list, or holds a card twice.
    """
    if text == _EMPTY:
        return []
    if not text:
        raise NotationError(f"{field}: found nothing, expected cards such as R7O3V1, or -")
    cards = [parse_card(text[start : start + 2], field) for start in range(0, min(len(text), 2 * NUM_CARDS + 2), 2)]
    if len(set(cards)) < len(cards):
        twice = next(card for place, card in enumerate(cards) if card in cards[:place])
        raise NotationError(f"{field}: found {card_text(twice)} twice, expected each card once")
    return cards
