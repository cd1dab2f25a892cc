"""``picture(game)``: one table or a grid of many, for notebooks, files and programs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from red7_env.game.batch import checked_states, views
from red7_env.game.errors import shown
from red7_env.game.game import Game
from red7_env.game.state import States
from red7_env.render.pixels import Pixels, pixels, png
from red7_env.render.scene import Scene, grid
from red7_env.render.svg import svg
from red7_env.render.table import table_scene
from red7_env.render.theme import Theme, check_theme

_COLUMNS: Final = 3
_MOST: Final = 100
_SUFFIXES: Final = (".svg", ".png")


class Picture:
    """A picture of one table or of many. A notebook shows it.

    Attributes:
        scene: Its shapes.
        theme: ``"auto"``, ``"light"`` or ``"dark"``.
    """

    def __init__(self, scene: Scene, theme: Theme = "auto") -> None:
        """Keep what is to be drawn; ``picture`` is the way to one.

        Raises:
            ValueError: If the theme does not exist.
        """
        self.scene = scene
        check_theme(theme)
        self.theme: Theme = theme

    def __repr__(self) -> str:
        """Return what is to be seen, in words."""
        return f"<Picture: {self.scene.title}>"

    def _repr_svg_(self) -> str:
        return self.svg()

    def svg(self) -> str:
        """Return the picture as an ``<svg>`` element."""
        return svg(self.scene, self.theme)

    def pixels(self, scale: float = 1.0) -> Pixels:
        """Return the picture as colours, [height, width, 3] uint8; needs Pillow."""
        return pixels(self.scene, self.theme, scale)

    def save(self, path: str | Path, scale: float = 2.0) -> None:
        """Write the picture to a file that ends in ``.svg`` or ``.png``.

        Args:
            path: The file.
            scale: Pixels for each unit, for PNG.

        Raises:
            ImportError: If it is a PNG and Pillow is not installed.
            ValueError: If the name ends in something else.
        """
        file = Path(path)
        if file.suffix.lower() not in _SUFFIXES:
            raise ValueError(f"path: found {shown(str(path))}, expected a name that ends in {' or '.join(_SUFFIXES)}")
        if file.suffix.lower() == ".svg":
            file.write_text(self.svg() + "\n", encoding="utf-8")
        else:
            file.write_bytes(png(self.scene, self.theme, scale))


def picture(
    what: Game | States,
    seat: int | None = None,
    *,
    names: Sequence[str] | None = None,
    theme: Theme = "auto",
    columns: int = _COLUMNS,
) -> Picture:
    """Return a picture of a game, or of state records and views: a grid, where there are several.

    Args:
        what: A game, or at most 100 records of dtype ``STATE``, shape (N,).
        seat: Whose eyes to see with; None for all that the records hold.
        names: What the seats are called; ``player_0`` ... if left out.
        theme: ``"light"``, ``"dark"``, or ``"auto"``: as the reader's system is.
        columns: How many tables stand side by side in a grid.

    Raises:
        ValueError: If there is no such seat or theme, or there are no or too many records.
    """
    states = what.state if isinstance(what, Game) else what
    checked_states(states)
    if not 1 <= len(states) <= _MOST:
        raise ValueError(f"states: found {len(states)}, expected 1 to {_MOST}")
    seen = states if seat is None else views(states, seat)
    scenes = [table_scene(state, names) for state in seen]
    if len(scenes) == 1:
        return Picture(scenes[0], theme)
    return Picture(grid(scenes, columns, title=f"{len(scenes)} games"), theme)


def gallery(states: States, most: int = 12) -> str:
    """Return the first few of many games as SVG: what a batch shows of itself.

    Args:
        states: States or views, at least one.
        most: How many are shown.
    """
    shown_states = states[:most].copy()
    scenes = [table_scene(state) for state in shown_states]
    return svg(grid(scenes, _COLUMNS, title=f"the first {len(scenes)} of {len(states)} games"))
