"""Where drawing is entered. Notebooks ask a game for its picture, and the game itself knows nothing of drawing."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from red7_env.game.game import Game

drawer: "Callable[[Game], str] | None" = None
"""Returns the SVG of a game; entered by ``red7_env``, which is always imported before the game."""
