"""The command line of the pictures in README and documentation: ``python -m experiments pictures``."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from experiments.arguments import WORKED, Parser, status_of
from experiments.pictures import curves, league, page, table
from red7_env.game.errors import shown

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "docs" / "pages" / "images"

PICTURES: Final[Mapping[str, Callable[[Path], list[Path]]]] = {
    "table": table.draw,
    "league": league.draw,
    "curves": curves.draw,
    "replay": page.draw,  # last, as it needs a browser
}
"""Each draws its files into a folder and returns them."""


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status.

    Args:
        arguments: The words after ``python -m experiments pictures``.
    """
    return status_of(_pictures, arguments, ImportError)


def _pictures(arguments: Sequence[str]) -> int:
    chosen = _parser().parse_args(arguments)
    if chosen.league is not None:
        league.keep(chosen.league)
    for model, runs in chosen.curve:
        curves.keep(model, runs)
    chosen.out.mkdir(parents=True, exist_ok=True)
    for name in chosen.names or PICTURES:
        for path in PICTURES[name](chosen.out):
            print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
    return WORKED


def _parser() -> Parser:
    parser = Parser(
        prog="python -m experiments pictures",
        allow_abbrev=False,
        description="Draw the pictures of README and documentation from what is in the repository.",
    )
    parser.add_argument(
        "names", nargs="*", type=_picture, metavar="PICTURE", help=f"some of {', '.join(PICTURES)} (all)"
    )
    parser.add_argument("-o", "--out", type=Path, default=FOLDER, metavar="DIR", help="where to (docs/pages/images)")
    parser.add_argument(
        "--league", type=Path, metavar="DIR", help="first keep the results of this comparison, to be drawn from now on"
    )
    parser.add_argument(
        "--curve",
        type=curves.model_and_runs,
        action="append",
        default=[],
        metavar="MODEL=DIR[,DIR]",
        help="first keep the learning curve of a shipped model, of one training run or of several that go on from each "
        "other; may be repeated",
    )
    return parser


def _picture(text: str) -> str:
    """Return the name of a picture, for an argument's ``type``."""
    if text not in PICTURES:
        raise argparse.ArgumentTypeError(f"found {shown(text)}, expected some of {', '.join(PICTURES)}")
    return text
