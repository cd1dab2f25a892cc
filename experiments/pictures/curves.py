"""The learning curves of the shipped models, from the measurements that are kept beside them.

``agents/pretrained/curves.csv`` has a row for each evaluation of a model and each opponent: how many moves the learner
had made in all games, and the wins in % with their 95 % interval.
"""

import argparse
import csv
import json
import re
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.learned.shipped import FOLDER
from experiments.compare.folder import write_text
from experiments.pictures.figures import save_svg
from experiments.train.evaluation import YARDSTICKS
from experiments.train.folder import LOG
from experiments.train.options import TrainError
from red7_env.game.errors import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KEPT: Final = FOLDER / "curves.csv"
_MODEL: Final = re.compile(r"(?P<kind>[a-z]+)-(?P<rules>.*(?P<players>[2-4])p.*)")
_COLUMNS: Final = 2


class Point(NamedTuple):
    """An evaluation.

    Attributes:
        model: The file's name without its ending.
        moves: Made by the learner until then, in all games.
        opponent: The agent at all other seats.
        rate: Wins in %.
        low: Lower end of the 95 % interval.
        high: Upper end.
    """

    model: str
    moves: int
    opponent: str
    rate: float
    low: float
    high: float


def model_and_runs(text: str) -> tuple[str, list[Path]]:
    """Return what ``MODEL=DIR,DIR`` says, for an argument's ``type``."""
    model, _, runs = text.partition("=")
    if _MODEL.fullmatch(model) is None or not runs:
        raise argparse.ArgumentTypeError(f"found {shown(text)}, expected MODEL=DIR, such as dmc-basic-2p=runs/first")
    return model, [Path(run) for run in runs.split(",")]


def keep(model: str, runs: Sequence[Path]) -> None:
    """Keep the curve of a model instead of its old one.

    Args:
        model: The file's name without its ending.
        runs: The folders of the training runs that made it, each of which went on from the one before.

    Raises:
        TrainError: If a folder holds no evaluation.
    """
    points = [point for point in read() if point.model != model] if KEPT.is_file() else []
    kept = sorted([*points, *_points(model, runs)], key=lambda point: point.model)
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(Point._fields)
    writer.writerows(kept)
    write_text(KEPT, out.getvalue())


def read(path: Path = KEPT) -> list[Point]:
    """Return the points that are kept.

    Raises:
        TrainError: If they cannot be read.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [
                Point(
                    row["model"],
                    int(row["moves"]),
                    row["opponent"],
                    *(float(row[name]) for name in ("rate", "low", "high")),
                )
                for row in csv.DictReader(file)
            ]
    except (OSError, ValueError, KeyError, TypeError):
        raise TrainError(f"curves: found {shown(str(path))} unreadable, expected a table of curves") from None


def draw(folder: Path) -> list[Path]:
    """Draw the curves and return the file."""
    path = folder / "curves.svg"
    save_svg(curve_plot(read()), path)
    return [path]


def curve_plot(points: Sequence[Point]) -> "Figure":
    """Return the curves, a panel a model."""
    from matplotlib.figure import Figure

    models = sorted({point.model for point in points})
    rows = -(-len(models) // _COLUMNS)
    figure = Figure(figsize=(8, 0.6 + 2.4 * rows), layout="constrained")
    panels = np.atleast_1d(figure.subplots(rows, _COLUMNS, squeeze=False)).ravel()
    for panel in panels[len(models) :]:
        panel.remove()
    for panel, model in zip(panels, models, strict=False):
        _panel(panel, model, [point for point in points if point.model == model])
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    figure.supylabel("wins, % with 95 % intervals", fontsize=10)
    return figure


def _panel(panel: "Axes", model: str, points: Sequence[Point]) -> None:
    found = _MODEL.fullmatch(model)
    players = 2 if found is None else int(found["players"])
    for opponent in YARDSTICKS:
        some = [point for point in points if point.opponent == opponent]
        moves = [point.moves / 1e6 for point in some]
        panel.plot(moves, [point.rate for point in some], marker=".", label=f"against {opponent}")
        panel.fill_between(moves, [point.low for point in some], [point.high for point in some], alpha=0.2)
    panel.axhline(100 / players, color="0.5", linestyle=":", label="an equal share")
    panel.set_title(model, fontsize=10, loc="left")
    panel.set_xlabel("moves of the learner, millions")
    panel.set_xlim(left=0)
    panel.grid(alpha=0.3)


def _points(model: str, runs: Sequence[Path]) -> Iterator[Point]:
    """Yield the evaluations of runs that go on from each other."""
    moves = 0
    for run in runs:
        try:
            rows = [json.loads(line) for line in (run / LOG).read_text(encoding="utf-8").splitlines()]
            measured = [row for row in rows if f"rate {YARDSTICKS[-1]}" in row]
            for row in measured:
                for opponent in YARDSTICKS:
                    ends = (float(row[f"{name} {opponent}"]) for name in ("rate", "low", "high"))
                    yield Point(model, moves + row["moves"], opponent, *ends)
            moves += rows[-1]["moves"]
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            measured = []
        if not measured:
            raise TrainError(f"curve: found no evaluation in {shown(str(run))}, expected the folder of a training run")
