"""A game as a film: an animated GIF or PNG. Needs Pillow (the extra ``render``)."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from red7_env.game.errors import shown
from red7_env.game.game import Game
from red7_env.game.kernels import hide_many
from red7_env.game.seeds import whole
from red7_env.render.pixels import image_of, require_pillow
from red7_env.render.scene import Scene
from red7_env.render.table import table_scene
from red7_env.render.theme import Theme, check_theme
from red7_env.stages import Stage, stages

if TYPE_CHECKING:
    from PIL.Image import Image

KINDS: Final = {".gif": "GIF", ".png": "PNG", ".apng": "PNG"}
"""Suffixes of animated files, and their format in Pillow's words."""
_COLOURS: Final = 128


def film(  # noqa: PLR0913 - how it is to look
    game: Game,
    path: str | Path,
    *,
    seat: int | None = None,
    names: Sequence[str] | None = None,
    theme: Theme = "light",
    seconds: float = 1.2,
    scale: float = 0.75,
    by_move: bool = False,
) -> int:
    """Write a game as an animated picture, and return how many frames it has.

    Args:
        game: The game, as far as it has been played.
        path: A file that ends in ``.gif``, ``.png`` or ``.apng``.
        seat: Whose eyes to see with; None for all hands.
        names: What the seats are called.
        theme: ``"light"`` or ``"dark"``; ``"auto"`` is light.
        seconds: How long each frame stays; the last one stays three times as long.
        scale: Size, 1 being 800 pixels wide.
        by_move: Whether every move has a frame, and not only every turn.

    Raises:
        ImportError: If Pillow is not installed.
        ValueError: If there is no such seat, theme or kind of file.
    """
    check_theme(theme)
    kind = KINDS.get(Path(path).suffix.lower())
    if kind is None:
        raise ValueError(f"path: found {shown(str(path))}, expected a name that ends in {', '.join(KINDS)}")
    if seat is not None:
        whole(seat, "seat", game.rules.players - 1)
    require_pillow()
    images = [_image(scene, theme, scale, kind) for scene in scenes(game, seat, names, by_move=by_move)]
    milliseconds = max(20, round(1000 * seconds))
    images[0].save(
        path,
        format=kind,
        save_all=True,
        append_images=images[1:],
        duration=[*[milliseconds] * (len(images) - 1), 3 * milliseconds],
        loop=0,
    )
    return len(images)


def scenes(
    game: Game, seat: int | None = None, names: Sequence[str] | None = None, *, by_move: bool = False
) -> Iterator[Scene]:
    """Yield the pictures of a game from its deal on, one a turn or one a move; see ``film``."""
    for stage in stages(game):
        if by_move or not stage.turn or stage.move is None:
            yield table_scene(_seen(stage, seat), names)


def _seen(stage: Stage, seat: int | None) -> np.void:
    state = stage.state.copy()
    if seat is not None:
        hide_many(state, np.array([seat]))
    seen: np.void = state[0]
    return seen


def _image(scene: Scene, theme: Theme, scale: float, kind: str) -> "Image":
    image = image_of(scene, theme, scale)
    if kind != "GIF":
        return image
    from PIL.Image import Dither

    return image.quantize(_COLOURS, dither=Dither.NONE)
