"""A picture as a list of shapes, before it is written as SVG or as pixels.

There are only two kinds, so that both look alike: boxes with round corners, and labels. Later ones cover earlier ones.
Lengths are in pixels of the full size; colours are roles of ``theme``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

from red7_env.render.theme import Role


@dataclass(frozen=True)
class Box:
    """A rectangle with round corners, filled, outlined or both."""

    x: float
    y: float
    width: float
    height: float
    fill: Role | None
    radius: float = 0
    stroke: Role | None = None
    stroke_width: float = 1

    def placed(self, x: float, y: float, scale: float) -> Self:
        """Return it scaled, then moved."""
        return replace(
            self,
            x=x + scale * self.x,
            y=y + scale * self.y,
            width=scale * self.width,
            height=scale * self.height,
            radius=scale * self.radius,
            stroke_width=scale * self.stroke_width,
        )


@dataclass(frozen=True)
class Label:
    """A line of text: its anchor (``start``, ``middle``, ``end``) stands at ``x``, its baseline at ``y``."""

    x: float
    y: float
    text: str
    size: float
    ink: Role
    anchor: str = "start"
    bold: bool = False

    def placed(self, x: float, y: float, scale: float) -> Self:
        """Return it scaled, then moved."""
        return replace(self, x=x + scale * self.x, y=y + scale * self.y, size=scale * self.size)


Shape: TypeAlias = Box | Label

WIDEST: float = 0.62
WIDEST_BOLD: float = 0.72
"""Width of a letter, in the mean, as a share of the letter's size: that of the widest usual sans-serif fonts."""


@dataclass(frozen=True)
class Scene:
    """A picture: its size, its shapes in the order they are drawn, and in words what it shows."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str

    def placed(self, x: float, y: float, scale: float) -> tuple[Shape, ...]:
        """Return the shapes, scaled and then moved, for a picture of several."""
        return tuple(shape.placed(x, y, scale) for shape in self.shapes)


def fitted(text: str, width: float, size: float, *, bold: bool = False) -> str:
    """Return a text that needs no more than a width in letters of a size, cut with dots if it must be."""
    most = max(1, int(width / (size * (WIDEST_BOLD if bold else WIDEST))))
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"


def grid(scenes: Sequence[Scene], columns: int, scale: float = 0.5, gap: float = 12, title: str = "") -> Scene:
    """Return several pictures as one, row by row.

    Args:
        scenes: The pictures, at least one; all get the room of the largest.
        columns: How many stand side by side.
        scale: Their size in the grid.
        gap: Pixels between them.
        title: In words what the grid shows.
    """
    columns = max(1, min(columns, len(scenes)))
    across = scale * max(scene.width for scene in scenes) + gap
    down = scale * max(scene.height for scene in scenes) + gap
    rows = -(-len(scenes) // columns)
    width, height = columns * across + gap, rows * down + gap
    shapes: list[Shape] = [Box(0, 0, width, height, "line")]
    for place, scene in enumerate(scenes):
        row, column = divmod(place, columns)
        shapes += scene.placed(gap + column * across, gap + row * down, scale)
    return Scene(width, height, tuple(shapes), title)
