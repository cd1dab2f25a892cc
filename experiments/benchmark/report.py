"""Results as a table to read and as JSON to keep."""

from collections.abc import Iterator, Mapping
from typing import Final

from experiments.benchmark import calibration
from experiments.benchmark.measure import Figure, Kind, Measurement, Results, Summary, summary

_LAYOUT: Final = "  {:<45} {:>9} {:<14} {:>9} .. {:<9} {:>12}"
_SCALES: Final = {
    Kind.RATE: ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1, "")),
    Kind.TIME: ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns")),
    Kind.SHARE: ((0.01, "%"),),
}


def table(results: Results, facts: Mapping[str, str]) -> str:
    """Return the table: the machine, then a line for each figure under the heading of its section."""
    lines = ["machine", *(f"  {name:<18} {fact}" for name, fact in facts.items())]
    lines += ["", _LAYOUT.format("", "median", "", "lowest", "highest", "loop steps").rstrip()]
    section = ""
    for measurement in results.measurements:
        if measurement.section != section:
            section = measurement.section
            lines += ["", section]
        lines += _lines(measurement, results)
    lines += ["", "loop steps: steps of the calibration loop that take as long (by its median):"]
    lines.append("compiled; for single games from Python and starts of a process the one in Python")
    return "\n".join(lines)


def document(results: Results, facts: Mapping[str, str], settings: Mapping[str, object]) -> dict[str, object]:
    """Return everything as plain values for JSON: each run's time and counts, and what follows from them."""
    return {
        "machine": dict(facts),
        "settings": dict(settings),
        "measurements": [_entry(measurement, results) for measurement in results.measurements],
    }


def scaled(value: float, kind: Kind) -> tuple[str, str]:
    """Return a figure with three digits, and the prefix or unit it is in: ``("10.2", "M")``."""
    scales = _SCALES[kind]
    size, unit = next((scale for scale in scales if value >= scale[0]), scales[-1])
    return _digits(value / size), unit


def loop_steps(measurement: Measurement, figure: Figure, value: float, results: Results) -> float | None:
    """Return how many steps of the calibration loop take as long as one thing that is counted; None if unknown."""
    loop = next(each for each in calibration.measurements() if each.name == measurement.like)
    samples = results.samples.get(loop.title)
    ns = figure.ns_each(value)
    return None if ns is None or not samples else ns / summary(loop.figures[0], samples).median


def _lines(measurement: Measurement, results: Results) -> Iterator[str]:
    """Yield a line for each figure of a measurement, or one that says why there is none."""
    samples = results.samples.get(measurement.title)
    if not samples:
        reason = results.left_out.get(measurement.title, "not reached")
        yield f"  {measurement.name:<45} {reason}"
        return
    for number, figure in enumerate(measurement.figures):
        name = "" if number else measurement.name
        found = summary(figure, samples)
        yield _LAYOUT.format(name, *_columns(figure, found), _steps(measurement, figure, found, results)).rstrip()


def _columns(figure: Figure, found: Summary) -> tuple[str, str, str, str]:
    """Return median, unit, lowest and highest of a figure, all in the unit of the median."""
    number, unit = scaled(found.median, figure.kind)
    size = next(size for size, name in _SCALES[figure.kind] if name == unit)
    shown = {
        Kind.RATE: f"{unit} {figure.of}/s".strip(),
        Kind.TIME: f"{unit}/{figure.of.removesuffix('s')}",
        Kind.SHARE: f"{unit} of {figure.of}",
    }[figure.kind]
    return number, shown, _digits(found.low / size), _digits(found.high / size)


def _steps(measurement: Measurement, figure: Figure, found: Summary, results: Results) -> str:
    steps = loop_steps(measurement, figure, found.median, results)
    return "" if steps is None else "".join(scaled(steps, Kind.RATE))


def _digits(value: float) -> str:
    """Return a number with three digits, without an exponent."""
    decimals = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{decimals}f}"


def _entry(measurement: Measurement, results: Results) -> dict[str, object]:
    samples = results.samples.get(measurement.title, [])
    return {
        "section": measurement.section,
        "name": measurement.name,
        "calibration": measurement.like,
        "left_out": results.left_out.get(measurement.title),
        "runs": [{"ns": sample.ns, "counts": dict(sample.counts)} for sample in samples],
        "figures": [_figure_entry(measurement, figure, results) for figure in measurement.figures if samples],
    }


def _figure_entry(measurement: Measurement, figure: Figure, results: Results) -> dict[str, object]:
    found = summary(figure, results.samples[measurement.title])
    return {
        "of": figure.of,
        "kind": figure.kind.value,
        "median": found.median,
        "lowest": found.low,
        "highest": found.high,
        "loop_steps": loop_steps(measurement, figure, found.median, results),
    }
