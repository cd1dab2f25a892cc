"""Pictures as pixels, without a display: for videos, ``rgb_array`` and PNG files. Needs Pillow (the extra ``render``).

The same shapes as in the SVG, drawn in twice the size and made smaller, which smooths the edges. The letters are those
that come with Pillow, so pictures need no font of the machine and look alike on all.
"""

import io
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from red7_env.render.scene import Box, Label, Scene
from red7_env.render.theme import DARK, LIGHT, Role, Theme, check_theme

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

Pixels = NDArray[np.uint8]
_FINER: Final = 2
_ANCHORS: Final = {"start": "ls", "middle": "ms", "end": "rs"}
_LETTERS: Final = 1.06
"""Size of Pillow's letters that look as large as those of browsers."""
_BOLD: Final = 30
"""A bold letter's outline is this part of its size."""


def pixels(scene: Scene, theme: Theme = "light", scale: float = 1.0) -> Pixels:
    """Return a picture as colours: [height, width, 3] uint8.

    Args:
        scene: The picture.
        theme: ``"light"`` or ``"dark"``; ``"auto"`` is light, since pixels cannot know who looks.
        scale: Pixels for each unit of the picture.

    Raises:
        ImportError: If Pillow is not installed.
        ValueError: If the theme does not exist.
    """
    return np.asarray(image_of(scene, theme, scale))


def png(scene: Scene, theme: Theme = "light", scale: float = 1.0) -> bytes:
    """Return a picture as a PNG file; see ``pixels``."""
    file = io.BytesIO()
    image_of(scene, theme, scale).save(file, format="PNG", optimize=True)
    return file.getvalue()


def image_of(scene: Scene, theme: Theme = "light", scale: float = 1.0) -> "Image":
    """Return a picture as an image of Pillow; see ``pixels``."""
    check_theme(theme)
    require_pillow()
    from PIL import Image, ImageDraw

    colours = DARK if theme == "dark" else LIGHT
    size = round(scene.width * scale) * _FINER, round(scene.height * scale) * _FINER
    image = Image.new("RGB", size, colours["paper"])
    canvas = ImageDraw.Draw(image)
    for shape in scene.placed(0, 0, scale * _FINER):
        if isinstance(shape, Box):
            _draw_box(canvas, shape, colours)
        else:
            _draw_label(canvas, shape, colours)
    return image.reduce(_FINER)


def require_pillow() -> None:
    """Make sure that there is Pillow.

    Raises:
        ImportError: In one line that says what to install, if there is none.
    """
    try:
        import PIL.Image  # noqa: F401 - whether it can be is the question
    except ImportError:
        raise ImportError("pillow: found none, expected pip install 'red7-env[render]'") from None


def _draw_box(canvas: "ImageDraw", box: Box, colours: Mapping[Role, str]) -> None:
    # The outline of a shape lies on both sides of its edge in SVG, and inside it here.
    half = box.stroke_width / 2 if box.stroke else 0
    edges = (box.x - half, box.y - half, box.x + box.width + half - 1, box.y + box.height + half - 1)
    canvas.rounded_rectangle(
        [round(edge) for edge in edges],
        radius=round(box.radius + half),
        fill=None if box.fill is None else colours[box.fill],
        outline=None if box.stroke is None else colours[box.stroke],
        width=max(1, round(box.stroke_width)) if box.stroke else 0,
    )


def _draw_label(canvas: "ImageDraw", label: Label, colours: Mapping[Role, str]) -> None:
    canvas.text(
        (label.x, label.y),
        label.text,
        fill=colours[label.ink],
        font=_font(label.size * _LETTERS),
        anchor=_ANCHORS[label.anchor],
        stroke_width=label.size / _BOLD if label.bold else 0,
    )


@lru_cache(maxsize=64)
def _font(size: float) -> "FreeTypeFont":
    from PIL import ImageFont

    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise ImportError("pillow: found it without FreeType, expected a build with it")  # noqa: TRY004 - no type at fault
    return font
