"""What a measurement is, and how many of them are run by turns.

Time is the CPU time of the process, which other programs on the machine change less than the time on the clock. All
measurements have their first run, then all their second and so on, so that a machine that slows down for a while slows
down all of them, the calibration included, and none more than the others.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from statistics import median
from typing import Final

NANOSECONDS: Final = 1_000_000_000


@dataclass(frozen=True)
class Sample:
    """One run: its CPU time in nanoseconds, and how much of what was done in it."""

    ns: int
    counts: Mapping[str, int]


Run = Callable[[float], Sample]
"""Runs something for at least so many seconds of CPU time."""


class Kind(Enum):
    """How a figure follows from time and count."""

    RATE = "a second"
    TIME = "ns each"
    SHARE = "share"


@dataclass(frozen=True)
class Figure:
    """A figure of a measurement.

    Attributes:
        of: What is counted, in the plural: a key of ``Sample.counts``. For a share, the nanoseconds it is a share of.
        kind: How the figure follows.
    """

    of: str
    kind: Kind

    def value(self, sample: Sample) -> float:
        """Return the figure of one run: things a second, nanoseconds a thing, or a part of 1."""
        count = sample.counts[self.of]
        return count * NANOSECONDS / sample.ns if self.kind is Kind.RATE else sample.ns / count

    def ns_each(self, value: float) -> float | None:
        """Return the nanoseconds that one thing takes, given the figure; None for a share."""
        return {Kind.RATE: NANOSECONDS / value, Kind.TIME: value, Kind.SHARE: None}[self.kind]


@dataclass(frozen=True)
class Measurement:
    """Something to measure.

    Attributes:
        section: The heading it stands under.
        name: Its name, different from all others in the section.
        figures: What is shown of it.
        prepare: Makes what is needed, outside the measured time, and returns what runs it; may raise
            ``UnavailableError``.
        like: The calibration whose code resembles it.
        max_runs: The most runs that are worth their time.
        slow: Whether a quick benchmark leaves it out.
    """

    section: str
    name: str
    figures: tuple[Figure, ...]
    prepare: Callable[[], Run]
    like: str = "compiled"
    max_runs: int | None = None
    slow: bool = False

    @property
    def title(self) -> str:
        """Section and name."""
        return f"{self.section}: {self.name}"


class UnavailableError(Exception):
    """A measurement that cannot be made here, and why."""


@dataclass
class Results:
    """What has been measured so far, also when the benchmark is interrupted.

    Attributes:
        measurements: All that were asked for.
        samples: The runs of each, by title.
        left_out: Why one was not measured, by title.
    """

    measurements: Sequence[Measurement]
    samples: dict[str, list[Sample]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Summary:
    """The runs of one figure."""

    median: float
    low: float
    high: float


def summary(figure: Figure, samples: Sequence[Sample]) -> Summary:
    """Return median and spread of a figure over all runs."""
    values = [figure.value(sample) for sample in samples]
    return Summary(median(values), min(values), max(values))


def repeated(work: Callable[[], Mapping[str, int]], before: Callable[[], object] | None = None) -> Run:
    """Return a run that repeats a piece of work.

    Args:
        work: Does the piece and returns how much of what was done. It should take many microseconds, since the clock
            is read before and after each.
        before: Sets the stage for each piece, outside the measured time.
    """

    def run(seconds: float) -> Sample:
        ns = 0
        counts: Counter[str] = Counter()
        while True:
            if before is not None:
                before()
            start = time.process_time_ns()
            done = work()
            ns += time.process_time_ns() - start
            counts.update(done)
            # No time at all passes where the clock is coarse.
            if ns >= max(seconds * NANOSECONDS, 1):
                return Sample(ns, dict(counts))

    return run


def measure(results: Results, runs: int, seconds: float, tell: Callable[[str, str], None]) -> None:
    """Run all measurements by turns.

    Args:
        results: Says what to measure, and is filled run by run.
        runs: How often each is run.
        seconds: The least CPU time of a run.
        tell: Is told which round it is, and what is being done in it.
    """
    prepared = dict(_prepared(results, tell))
    for number in range(runs):
        due = [each for each in results.measurements if each.title in prepared and number < (each.max_runs or runs)]
        for place, measurement in enumerate(due, 1):
            tell(f"run {number + 1} of {runs}", f"{place} of {len(due)}, {measurement.title}")
            results.samples.setdefault(measurement.title, []).append(prepared[measurement.title](seconds))


def _prepared(results: Results, tell: Callable[[str, str], None]) -> Iterable[tuple[str, Run]]:
    """Prepare each measurement and, unless one run is all it gets, run a piece that is not counted."""
    for measurement in results.measurements:
        if measurement.title in results.left_out:
            continue
        tell("preparing", measurement.title)
        try:
            run = measurement.prepare()
        except UnavailableError as fault:
            results.left_out[measurement.title] = str(fault)
            continue
        if measurement.max_runs != 1:
            run(0)
        yield measurement.title, run
