"""The colours of pictures, light and dark, by the role that each plays.

A picture names roles only (``paper``, ``ink``, ``card-red`` ...), so that it can be written in either theme, or in
both at once with a style sheet that follows the reader's choice. Cards look alike in both.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from red7_env.game.cards import COLOUR_NAMES
from red7_env.game.errors import shown

Role: TypeAlias = str
Theme = Literal["auto", "light", "dark"]
THEMES: Final = ("auto", "light", "dark")

_LIGHT: Final = {
    "paper": "#f7f6f2",
    "panel": "#ffffff",
    "line": "#d6d3ca",
    "ink": "#1d1d1f",
    "muted": "#5c5c63",
    "accent": "#0a5fd0",
    "accent-ink": "#ffffff",
    "leader": "#111111",
    "back": "#5b6170",
    "back-line": "#8a909e",
    "back-ink": "#ffffff",
}
_DARK: Final = {
    "paper": "#16181d",
    "panel": "#1f232b",
    "line": "#3a404c",
    "ink": "#f0f0f2",
    "muted": "#a9aebb",
    "accent": "#7db4ff",
    "accent-ink": "#0b1526",
    "leader": "#ffffff",
    "back": "#565d6d",
    "back-line": "#7d8495",
    "back-ink": "#ffffff",
}
# Violet to red: card and print. Neighbours differ in lightness too, for those who see few colours.
_CARDS: Final = (
    ("#9c36b5", "#ffffff"),
    ("#343a94", "#ffffff"),
    ("#4dabf7", "#0b1526"),
    ("#1c7c3c", "#ffffff"),
    ("#ffd43b", "#1d1d1f"),
    ("#f5841f", "#1d1d1f"),
    ("#d4213d", "#ffffff"),
)
_FADED: Final = 0.28
"""How much of its colour a card keeps that has left play."""


def _mixed(colour: str, paper: str, share: float) -> str:
    """Return a colour that is faded into the paper."""
    pairs = ((int(colour[i : i + 2], 16), int(paper[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def _with_cards(base: Mapping[Role, str]) -> dict[Role, str]:
    """Return a theme with the colours of the cards, in play and out of it."""
    colours = dict(base)
    for name, (card, print_) in zip(COLOUR_NAMES, _CARDS, strict=True):
        colours[f"card-{name}"], colours[f"print-{name}"] = card, print_
        colours[f"out-{name}"] = _mixed(card, base["panel"], _FADED)
    return colours


LIGHT: Final[Mapping[Role, str]] = _with_cards(_LIGHT)
DARK: Final[Mapping[Role, str]] = _with_cards(_DARK)


def check_theme(theme: object) -> None:
    """Make sure that there is such a theme.

    Raises:
        ValueError: If there is none.
    """
    if theme not in THEMES:
        raise ValueError(f"theme: found {shown(theme)}, expected 'auto', 'light' or 'dark'")
