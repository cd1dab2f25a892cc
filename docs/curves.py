"""Joins the curves of several exact measurements for the documentation: ``python -m docs.curves RUN ...``.

A run is a folder of ``python -m experiments exploitability``. The curves of its solvers are written to ``pages/exact/``
as one table, ``curves.csv``, and as one picture, ``curves.png``.
"""

import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parent / "pages" / "exact"
TABLE: Final = "curves.csv"
PICTURE: Final = "curves.png"
GOAL: Final = 1e-3
"""A line across the picture: a policy that is as good as an equilibrium for most purposes."""

_LEAST = 1e-9
_STYLES = {"cfr+": "-", "mmd": "--", "cfr": ":"}


@dataclass(frozen=True)
class Curve:
    """How a solver did on a deck.

    Attributes:
        deck: Its shape.
        sets: Information sets of the game.
        solver: The solver's name.
        points: Pairs of iterations and NashConv.
    """

    deck: str
    sets: int
    solver: str
    points: tuple[tuple[int, float], ...]


def curves_of(run: Path) -> list[Curve]:
    """Return the curves that a run found."""
    results = json.loads((run / "results.json").read_text())
    deck = results["rules"].partition("@")[2].partition(":")[0]
    return [
        Curve(
            deck,
            results["sizes"]["sets"],
            solver,
            tuple(
                (iterations, point["first"] + point["second"])
                for iterations, point in zip(results["points"], standings, strict=True)
            ),
        )
        for solver, standings in results["curves"].items()
    ]


def write(curves: Sequence[Curve], path: Path) -> None:
    """Write the curves as CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["deck", "information_sets", "solver", "iterations", "nash_conv"])
        for curve in curves:
            for iterations, nash_conv in curve.points:
                writer.writerow([curve.deck, curve.sets, curve.solver, iterations, f"{nash_conv:.3e}"])


def draw(curves: Sequence[Curve], path: Path) -> None:
    """Draw the curves: a colour a deck, a style a solver."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    decks = list(dict.fromkeys(curve.deck for curve in curves))
    for curve in curves:
        axes.plot(
            [iterations for iterations, _ in curve.points],
            [max(_LEAST, nash_conv) for _, nash_conv in curve.points],
            color=f"C{decks.index(curve.deck)}",
            linestyle=_STYLES[curve.solver],
            label=f"{curve.deck}, {curve.sets:,} information sets, {curve.solver}",
        )
    axes.axhline(GOAL, color="grey", linewidth=0.8)
    axes.set(xscale="log", yscale="log", xlabel="iterations", ylabel="NashConv", ylim=(1e-6, None))
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path, dpi=120, metadata={"Software": None})


def join(runs: Sequence[Path], folder: Path = FOLDER) -> list[Curve]:
    """Write the curves of some runs into a folder and return them, those of small decks first."""
    found = sorted((curve for run in runs for curve in curves_of(run)), key=lambda curve: (curve.sets, curve.solver))
    folder.mkdir(exist_ok=True)
    write(found, folder / TABLE)
    draw(found, folder / PICTURE)
    return found


if __name__ == "__main__":
    join([Path(run) for run in sys.argv[1:]])
