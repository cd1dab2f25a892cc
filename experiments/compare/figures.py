"""The figures of a comparison, drawn without a display."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from experiments.compare.summary import Summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CROSS_TABLE, RATINGS = "cross_table.png", "ratings.png"
_DPI = 150
_LABEL_LENGTH = 40


def draw(summary: Summary, folder: Path) -> None:
    """Write the cross table and the ratings as PNG files; equal results give equal files."""
    for name, figure in ((CROSS_TABLE, cross_table(summary)), (RATINGS, rating_plot(summary))):
        beside = folder / f".{name}.part"
        figure.savefig(beside, format="png", dpi=_DPI, metadata={"Software": None})
        beside.replace(folder / name)


def cross_table(summary: Summary) -> "Figure":
    """Return the share of wins of each against each as a coloured table."""
    specs = [label(entry.agent) for entry in summary.standings]
    shares = np.array([[np.nan if cell is None else 100 * cell.value for cell in row] for row in summary.pairs])
    size = 2.4 + 0.75 * len(specs)
    figure = _figure(size + 1.6, size)
    axes = figure.add_subplot()
    even = 50 if summary.design == "balanced" else 100 / len(summary.by_order)
    spread = max(5.0, float(np.nanmax(np.abs(shares - even))))
    image = axes.imshow(shares, cmap="RdBu", vmin=even - spread, vmax=even + spread)
    for (row, column), share in np.ndenumerate(shares):
        if not np.isnan(share):
            light = abs(share - even) > 0.6 * spread
            axes.text(column, row, f"{share:.1f}", ha="center", va="center", color="white" if light else "black")
    axes.set_facecolor("0.85")  # the diagonal
    axes.set_xticks(range(len(specs)), specs, rotation=40, ha="right")
    axes.set_yticks(range(len(specs)), specs)
    axes.set_title(f"wins % of the row against the column\n{summary.rules}, {summary.deals} deals", fontsize=10)
    figure.colorbar(image, ax=axes, shrink=0.8)
    return figure


def rating_plot(summary: Summary) -> "Figure":
    """Return the ratings with their intervals."""
    standings = summary.standings[::-1]
    ratings = np.array([[entry.rating.value, entry.rating.low, entry.rating.high] for entry in standings])
    figure = _figure(6.5, 1.4 + 0.4 * len(standings))
    axes = figure.add_subplot()
    places = np.arange(len(standings))
    # A percentile interval need not hold the value itself; a bar's arm has no negative length.
    arms = np.maximum(0, np.abs(ratings[:, 1:].T - ratings[:, 0]))
    axes.errorbar(ratings[:, 0], places, xerr=arms, fmt="o", capsize=4)
    axes.set_yticks(places, [label(entry.agent) for entry in standings])
    axes.set_xlabel("rating in Elo points, with 95 % intervals")
    axes.set_title(f"{summary.rules}, {summary.deals} deals", fontsize=10)
    axes.grid(axis="x", alpha=0.3)
    return figure


def label(spec: str) -> str:
    """Return a spec as Matplotlib writes it: without the middle of a long one, and no dollar signs for formulas."""
    half = _LABEL_LENGTH // 2
    if len(spec) > _LABEL_LENGTH:
        spec = f"{spec[: half - 2]}...{spec[1 - half :]}"
    return spec.replace("$", r"\$")


def _figure(width: float, height: float) -> "Figure":
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure
