"""All measurements, in the order of the table."""

from collections.abc import Callable, Sequence
from typing import Final

from experiments.benchmark import calibration, engine, environments, league, python_level, starts, training
from experiments.benchmark.measure import Measurement

SECTIONS: Final[Sequence[Callable[[], list[Measurement]]]] = (
    engine.measurements,
    python_level.measurements,
    environments.measurements,
    league.measurements,
    training.measurements,
    starts.measurements,
)
"""Where the measurements come from, the calibration aside."""


def chosen(names: Sequence[str]) -> list[Measurement]:
    """Return the calibration and all measurements, or those whose section and name contain one of ``names``."""
    found = [measurement for section in SECTIONS for measurement in section()]
    if names:
        found = [measurement for measurement in found if any(name in measurement.title for name in names)]
    return [*calibration.measurements(), *found]
