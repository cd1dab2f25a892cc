"""Cards as shapes: faces, backs, and rows that move together when there are more than fit side by side."""

from collections.abc import Collection, Sequence
from typing import Final, TypeAlias

from red7_env.game.cards import COLOUR_LETTERS, COLOUR_NAMES, card_colour, card_number
from red7_env.render.scene import Box, Label, Shape
from red7_env.render.theme import Role

WIDTH: Final = 42
HEIGHT: Final = 56
GAP: Final = 8
BACK: Final = -1
"""Stands in a row for a card that is not seen."""

_RADIUS: Final = 6
_RING: Final = 3
"""Distance of the outline of a set from its cards: rings of neighbours do not touch."""

Outline: TypeAlias = tuple[Role, float]
"""Colour and width of the ring around a card."""


def row(  # noqa: PLR0913 - where, what, and how
    cards: Sequence[int],
    x: float,
    y: float,
    width: float,
    *,
    ringed: Collection[int] = (),
    ring: Outline = ("leader", 2),
    out: bool = False,
) -> list[Shape]:
    """Return a row of cards, which overlap where the width does not hold them side by side.

    Args:
        cards: Card ids, and ``BACK`` for each card that is not seen.
        x: Left edge.
        y: Upper edge.
        width: What the row may take.
        ringed: The cards that get a ring.
        ring: How it looks.
        out: Whether the cards have left play.
    """
    step = WIDTH + GAP if len(cards) < 2 else min(WIDTH + GAP, (width - WIDTH) / (len(cards) - 1))
    shapes: list[Shape] = []
    for place, card in enumerate(cards):
        covered = place < len(cards) - 1 and step < WIDTH
        left = x + place * step
        shapes += face(card, left, y, step if covered else WIDTH, out=out) if card != BACK else back(left, y, out=out)
        if card in ringed:
            shapes.append(_ring(left, y, ring))
    return shapes


def face(card: int, x: float, y: float, seen: float = WIDTH, *, out: bool = False) -> list[Shape]:
    """Return a card face up; of one that is partly covered, ``seen`` is the width of its visible edge.

    Letter and number stand apart from the colour, so nobody needs to tell colours from each other.
    """
    name, letter, number = COLOUR_NAMES[card_colour(card)], COLOUR_LETTERS[card_colour(card)], str(card_number(card))
    ink = "ink" if out else f"print-{name}"
    shapes: list[Shape] = [Box(x, y, WIDTH, HEIGHT, f"out-{name}" if out else f"card-{name}", _RADIUS, "panel")]
    if seen < WIDTH:
        size, middle = min(14, seen * 0.9), x + seen / 2 + 1
        shapes.append(Label(middle, y + 18, letter, size, ink, "middle", bold=True))
        shapes.append(Label(middle, y + 36, number, size, ink, "middle", bold=True))
    else:
        shapes.append(Label(x + 6, y + 16, letter, 13, ink, bold=True))
        shapes.append(Label(x + WIDTH / 2, y + 45, number, 27, ink, "middle", bold=True))
    return shapes


def back(x: float, y: float, mark: str = "", *, out: bool = False) -> list[Shape]:
    """Return a card face down, with a mark on it."""
    fill, line = ("line", "panel") if out else ("back", "back-line")
    shapes: list[Shape] = [
        Box(x, y, WIDTH, HEIGHT, fill, _RADIUS, "panel"),
        Box(x + 5, y + 5, WIDTH - 10, HEIGHT - 10, None, 3, line),
    ]
    if mark:
        shapes.append(Label(x + WIDTH / 2, y + HEIGHT / 2 + 6, mark, 17, "back-ink", "middle", bold=True))
    return shapes


def start_card(x: float, y: float) -> list[Shape]:
    """Return the card that lies under the canvas, which makes the rule red and has no number."""
    return [
        Box(x, y, WIDTH, HEIGHT, "card-red", _RADIUS, "panel"),
        Label(x + 6, y + 16, "R", 13, "print-red", bold=True),
        Label(x + WIDTH / 2, y + 42, "start", 11, "print-red", "middle"),
    ]


def _ring(x: float, y: float, ring: Outline) -> Shape:
    role, thickness = ring
    return Box(
        x - _RING, y - _RING, WIDTH + 2 * _RING, HEIGHT + 2 * _RING, None, _RADIUS + _RING, role, stroke_width=thickness
    )
