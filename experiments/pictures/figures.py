"""How figures of Matplotlib become files: as SVG, the same bytes for the same figure and version."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def save_svg(figure: "Figure", path: Path) -> None:
    """Write a figure as an SVG file."""
    from matplotlib import rc_context

    # Names within the file that do not change, and letters as outlines, which look alike everywhere.
    with rc_context({"svg.hashsalt": "red7", "svg.fonttype": "path"}):
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
