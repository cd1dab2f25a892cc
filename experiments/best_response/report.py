"""What people read of a responder's run: Markdown, the same in the terminal, and its curve as CSV and as a picture."""

import csv
import io
from dataclasses import asdict, fields
from pathlib import Path

from experiments.best_response.measure import FRESH_SEED, Point, Response
from experiments.compare.folder import write_json, write_text
from experiments.train.progress import clock

RESPONSE, TABLE, CURVE, PICTURE = "response.json", "response.md", "curve.csv", "curve.png"


def write(response: Response, folder: Path) -> None:
    """Write the files of the results; ``response.json``, the last, says that they are complete."""
    write_text(folder / TABLE, markdown(response))
    write_text(folder / CURVE, curve_csv(response))
    draw(response, folder / PICTURE)
    write_json(folder / RESPONSE, response.to_json())


def markdown(response: Response) -> str:
    """Return the results as Markdown."""
    wins, bound = response.wins, response.nash_conv
    measured = (
        f"At least {wins.rate:.1f} % of the games [{wins.low:.1f}, {wins.high:.1f}], where a copy of the agent wins "
        f"{response.fair:.1f} %: {wins.deals:,} fresh deals of seed {FRESH_SEED}, each from every seat, with 95 % "
        f"intervals over deals. The responder learned for {clock(response.seconds)} from {response.moves:,} turns."
    )
    lines = [
        f"# What a best response wins from {response.against}: {response.rules}",
        "",
        f"    {response.command}",
        "",
        measured,
    ]
    if bound is not None:
        lines += ["", "NashConv is at least {:.3f} [{:.3f}, {:.3f}].".format(*bound)]
    if wins.low <= response.fair:
        lines += ["", "No weakness is shown: a copy of the agent may win as much."]
    lines += ["", "On the deals of the evaluations, by which the best weights were chosen:", ""]
    lines += ["| time | turns | wins, % |", "| ---: | ---: | ---: |", *map(_row, response.curve)]
    return "\n".join(lines) + "\n"


def curve_csv(response: Response) -> str:
    """Return the evaluations on the way as CSV."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [field.name for field in fields(Point)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(asdict, response.curve))
    return out.getvalue()


def draw(response: Response, path: Path) -> None:
    """Draw the evaluations on the way, and the measurement on fresh deals, as a PNG file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    minutes = [point.seconds / 60 for point in response.curve]
    axes.plot(minutes, [point.rate for point in response.curve], marker=".", label="evaluations")
    axes.fill_between(
        minutes, [point.low for point in response.curve], [point.high for point in response.curve], alpha=0.2
    )
    wins = response.wins
    errors = [[wins.rate - wins.low], [wins.high - wins.rate]]
    axes.errorbar([response.seconds / 60], [wins.rate], errors, fmt="o", capsize=4, label="the best, fresh deals")
    axes.axhline(response.fair, color="grey", linestyle="--", label="a copy of the agent")
    axes.set(xlabel="minutes", ylabel="wins of the responder, %", title=f"against {response.against}, {response.rules}")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150, metadata={"Software": None})


def _row(point: Point) -> str:
    return f"| {clock(point.seconds)} | {point.moves:,} | {point.rate:.1f} [{point.low:.1f}, {point.high:.1f}] |"
