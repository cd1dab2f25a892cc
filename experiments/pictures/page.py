"""The picture of a replay page: a screenshot by a browser without a window."""

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from experiments.replay import Replay, ReplayError
from red7_env.game.errors import shown

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SIZE: Final = (1120, 900)
GAME: Final = Path(__file__).with_name("game.jsonl")
"""A game in which the win changes hands five times."""
_CRITICS: Final = ("ppo:temperature=1", "dmc")
_STEP: Final = 6
_SECONDS: Final = 120
_COLOURS: Final = 128


def draw(folder: Path) -> list[Path]:
    """Make a screenshot of a game in its middle, and return the file.

    Raises:
        ReplayError: If there is no browser, or it fails.
    """
    path = folder / "replay.png"
    screenshot(Replay(GAME.read_bytes(), _CRITICS), path, step=_STEP)
    _reduce(path)
    return [path]


def screenshot(replay: Replay, path: Path, *, step: int = 0, dark: bool = False, size: tuple[int, int] = SIZE) -> None:
    """Write what a browser shows of a replay as a PNG file.

    Args:
        replay: The replay.
        path: The file.
        step: Which step it stands at.
        dark: Whether the page is dark.
        size: Width and height of the window.

    Raises:
        ReplayError: If there is no browser, or it fails.
    """
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        raise ReplayError("replay: found no Chromium, expected one to make the screenshot with")
    with TemporaryDirectory() as folder:
        page = Path(folder) / "replay.html"
        html = replay.html()
        page.write_text(html.replace("<html ", f'<html data-theme="{"dark" if dark else "light"}" ', 1), "utf-8")
        path.unlink(missing_ok=True)
        words = ["--headless", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run"]
        words += ["--no-sandbox"] if os.geteuid() == 0 else []  # it refuses to run as root with one
        words += [f"--user-data-dir={folder}/profile", f"--window-size={size[0]},{size[1]}"]
        words += [f"--screenshot={path.resolve()}", f"{page.as_uri()}#{step}"]
        try:
            done = subprocess.run([program, *words], capture_output=True, check=False, timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            raise ReplayError(f"replay: found no answer of {program} in {_SECONDS} s, expected a picture") from None
    if done.returncode or not path.is_file():
        said = done.stderr.decode(errors="replace").strip().splitlines() or [""]
        raise ReplayError(f"replay: found {program} failing ({shown(said[-1])}), expected a picture")


def _reduce(path: Path) -> None:
    """Keep a few colours only, which a page is content with: a third of the size."""
    from PIL import Image

    with Image.open(path) as image:
        few = image.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
