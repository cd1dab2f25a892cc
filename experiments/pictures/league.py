"""The picture of a league: the ratings that ``experiments compare`` has found, from results that are kept beside it."""

import json
from pathlib import Path
from typing import Final

from experiments.compare.config import CompareError
from experiments.compare.figures import rating_plot
from experiments.compare.folder import RESULTS, write_json
from experiments.compare.summary import Summary
from experiments.pictures.figures import save_svg
from red7_env.game.errors import shown

KEPT: Final = Path(__file__).with_name("league.json")


def keep(folder: Path) -> None:
    """Keep the results of a finished comparison, to be drawn from now on.

    Raises:
        CompareError: If there are none in the folder.
    """
    write_json(KEPT, read(folder / RESULTS).to_json())


def draw(folder: Path) -> list[Path]:
    """Draw the ratings with their intervals and return the file."""
    path = folder / "league.svg"
    save_svg(rating_plot(read(KEPT)), path)
    return [path]


def read(path: Path) -> Summary:
    """Return the results in a file.

    Raises:
        CompareError: If they cannot be read.
    """
    try:
        return Summary.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise CompareError(f"league: found {shown(str(path))} unreadable, expected results of a comparison") from None
