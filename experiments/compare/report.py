"""What people read: the tables as text and as Markdown, and the CSV files."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from experiments.compare.bootstrap import RESAMPLES
from experiments.compare.design import DESIGNS
from experiments.compare.summary import Estimate, Summary

_ORDINALS = ("1st", "2nd", "3rd", "4th")
_MAX_FULL = 6
"""A cross table of more agents leaves the intervals to the CSV file."""

_GENERAL = (
    "Every deal was played at every table from all seat rotations. Intervals are 95 %, by bootstrap over deals "
    f"({RESAMPLES} resamples of whole deals); ratings are Plackett-Luce strengths (Bradley-Terry in two players) on "
    "the scale of Elo with mean 0: 100 points more win 64 % of the games of two."
)


@dataclass(frozen=True)
class Grid:
    """A table of texts with a title; the first column stands on the left, the others on the right."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


def grids(summary: Summary, timing: dict[str, Any] | None = None) -> list[Grid]:
    """Return all tables.

    Args:
        summary: The results.
        timing: What was measured of time; it differs from run to run, so that only the terminal shows it.
    """
    found = [_standings(summary, timing), _cross(summary), _seats(summary)]
    if summary.differences is not None:
        found.append(_differences(summary))
    return found


def heading(summary: Summary) -> str:
    """Return a line that says what was played."""
    early = ", stopped as the agents were told apart" if summary.stopped else ""
    return (
        f"{summary.rules}, {summary.design}: {summary.deals} deals from every seat, "
        f"{summary.games} games of {summary.turns:.1f} turns{early}"
    )


def text(summary: Summary, timing: dict[str, Any] | None = None) -> str:
    """Return the results as they are shown in a terminal."""
    parts = [heading(summary)]
    for grid in grids(summary, timing):
        lines = [grid.header, *grid.rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(grid.header))]
        shown = [
            "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in lines
        ]
        parts.append("\n".join([grid.title, *shown]))
    if summary.faults:
        parts.append("\n".join(_faults(summary)))
    return "\n\n".join(parts) + "\n"


def markdown(summary: Summary) -> str:
    """Return the results as ``results.md`` holds them."""
    parts = [f"# {summary.rules}: agents compared", heading(summary) + ".", f"    {summary.command}"]
    for grid in grids(summary):
        lines = [grid.header, ["---", *["---:"] * (len(grid.header) - 1)], *grid.rows]
        parts += [f"## {grid.title}", "\n".join(f"| {' | '.join(map(_escaped, line))} |" for line in lines)]
    return "\n\n".join([*parts, "## How to read it", *_notes(summary)]) + "\n"


def agents_csv(summary: Summary) -> str:
    """Return the standings as CSV."""
    seats = len(summary.by_order)
    names = ["rating", "wins", *(f"wins_acting_{place + 1}" for place in range(seats)), "points"]
    header = ["agent", "games", *(name + end for name, end in product(names, ("", "_low", "_high")))]
    rows = [
        [entry.agent, entry.games, *_ends([entry.rating, entry.wins, *entry.by_order, entry.points])]
        for entry in summary.standings
    ]
    return _csv([header, *rows])


def pairs_csv(summary: Summary) -> str:
    """Return each against each as CSV."""
    header = ["agent", "against", "wins", "wins_low", "wins_high"]
    if summary.differences is not None:
        header += ["difference", "difference_low", "difference_high"]
    specs = [entry.agent for entry in summary.standings]
    rows = []
    for (first, agent), (second, other) in product(enumerate(specs), enumerate(specs)):
        found = [summary.pairs[first][second]]
        if summary.differences is not None:
            found.append(summary.differences[first][second])
        if first != second:
            rows.append([agent, other, *_ends(found)])
    return _csv([header, *rows])


def _standings(summary: Summary, timing: dict[str, Any] | None) -> Grid:
    points = any(entry.points is not None for entry in summary.standings)
    header = ["agent", "rating", "wins %"]
    header += ["points a game"] if points else []
    header += ["ms a move"] if timing else []
    rows = []
    for entry in summary.standings:
        row = [entry.agent, _estimate(entry.rating, "+.0f"), _estimate(entry.wins, ".1f", 100)]
        row += [_estimate(entry.points, ".1f")] if points else []
        row += [f"{timing['agents'][entry.agent]['ms']:.3f}"] if timing else []
        rows.append(row)
    return Grid("Standings, with 95 % intervals", header, rows)


def _cross(summary: Summary) -> Grid:
    specs = [entry.agent for entry in summary.standings]
    fair = "" if summary.design == DESIGNS[0] else f", row alone ({100 / len(summary.by_order):.0f} is even)"
    full = len(specs) <= _MAX_FULL
    rows = [
        [spec, *("" if cell is None else _cell(cell, ".1f", full=full) for cell in row)]
        for spec, row in zip(specs, summary.pairs, strict=True)
    ]
    return Grid(f"Wins % of the row against the column{fair}", ["", *specs], rows)


def _seats(summary: Summary) -> Grid:
    seats = len(summary.by_order)
    rows = [
        [name, *(_estimate(found, ".1f", 100) for found in order)]
        for name, order in [
            *((entry.agent, entry.by_order) for entry in summary.standings),
            ("everyone", summary.by_order),
        ]
    ]
    return Grid("Wins % when acting first, second, ...", ["agent", *_ORDINALS[:seats]], rows)


def _differences(summary: Summary) -> Grid:
    specs = [entry.agent for entry in summary.standings]
    rows = [
        [spec, *("" if cell is None else f"[{100 * cell.low:+.1f}, {100 * cell.high:+.1f}]" for cell in row)]
        for spec, row in zip(specs, summary.differences or (), strict=True)
    ]
    return Grid(
        "Row's share of the wins less the column's, in points of per cent, valid at any stop", ["", *specs], rows
    )


def _notes(summary: Summary) -> list[str]:
    notes = [_GENERAL]
    if summary.design != DESIGNS[0]:
        notes.append("In a duel one agent sits alone against copies of another; wins and seats are those of the lone.")
    elif len(summary.by_order) > len(("row", "column")):
        notes.append("Row against column counts the games with both at the table that one of the two won.")
    if summary.differences is not None:
        notes.append(
            "The comparison could stop after every batch. The intervals of the last table are confidence sequences for "
            "all pairs together (empirical Bernstein; Waudby-Smith and Ramdas 2024), valid whenever it stopped; the "
            "bootstrap intervals are those of a fixed number of deals, and too narrow after an early stop."
        )
    if summary.unrepeatable:
        named = ", ".join(summary.unrepeatable)
        notes.append(f"Not repeatable from the seed, for they use the clock or another program: {named}.")
    if summary.faults:
        notes.append(
            "\n".join(["A seat passed for every fault of its agent.", "", *(f"- {e}" for e in _faults(summary))])
        )
    return notes


def _faults(summary: Summary) -> list[str]:
    return [f"faults: {spec}: {count}" for spec, count in summary.faults.items()]


def _cell(found: Estimate, form: str, *, full: bool) -> str:
    return _estimate(found, form, 100) if full else f"{100 * found.value:{form}}"


def _estimate(found: Estimate | None, form: str, scale: float = 1) -> str:
    if found is None:
        return ""
    value, low, high = (format(scale * number, form) for number in (found.value, found.low, found.high))
    return f"{value} [{low}, {high}]"


def _ends(found: Sequence[Estimate | None]) -> list[float | str]:
    return [
        number for each in found for number in (("", "", "") if each is None else (each.value, each.low, each.high))
    ]


def _escaped(text: str) -> str:
    """Return a text as it may stand in a cell of a Markdown table."""
    return text.replace("|", r"\|")


def _csv(rows: Sequence[Sequence[object]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()
