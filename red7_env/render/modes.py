"""The render modes of the environments."""

import sys
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from red7_env.game.state import States
from red7_env.render.ansi import draw, wants_colour
from red7_env.settings import RenderMode

Frame: TypeAlias = str | NDArray[np.uint8]
"""Text in the modes ``ansi`` and ``svg``, [height, width, 3] in the mode ``rgb_array``."""


def frame(state: np.void, mode: RenderMode) -> Frame:
    """Return a state or view as a render mode other than ``human`` asks for.

    Raises:
        ImportError: In mode ``rgb_array`` if Pillow is not installed.
    """
    if mode == "ansi":
        return draw(state, colour=wants_colour())
    # Imported here, so that who renders nothing does not wait for it.
    from red7_env.render.pixels import pixels
    from red7_env.render.svg import svg
    from red7_env.render.table import table_scene

    scene = table_scene(state)
    return svg(scene) if mode == "svg" else pixels(scene)


def print_tables(states: States) -> None:
    """Print states or views, as mode ``human`` does, with an empty line between two."""
    colour = wants_colour(sys.stdout)
    sys.stdout.write("\n\n".join(draw(state, colour=colour) for state in states) + "\n")
