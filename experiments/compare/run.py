"""A run from its first unit to its results."""

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from experiments.compare import figures, report
from experiments.compare.config import CompareError, Config, is_timed
from experiments.compare.folder import RESULTS, TIMING, RunFolder, write_text
from experiments.compare.pool import Play, agent_cache, played, try_out, wake
from experiments.compare.progress import Progress
from experiments.compare.scores import Scores
from experiments.compare.sequential import separated
from experiments.compare.summary import Summary, summarise
from experiments.compare.units import Unit, units_of
from red7_env.game.errors import shown

TABLES = "results.md", "agents.csv", "pairs.csv"


@dataclass(frozen=True)
class Outcome:
    """The results of a run, and what it measured of time (see ``folder.TIMING``)."""

    summary: Summary
    timing: dict[str, Any]


def run(config: Config, folder: RunFolder, workers: int, play: Play = played) -> Outcome:
    """Play what the folder lacks, write the results there and return them.

    Args:
        config: The comparison.
        folder: Its folder, taken.
        workers: How many play at a time; it has no influence on the results.
        play: Who they are: processes of this machine, or others.

    Raises:
        WorkerError: If an agent fails or a worker dies.
        SpecError: If an agent cannot be made.
    """
    if folder.finished:
        folder.drop_units()
        return earlier(folder)
    units = units_of(config)
    scores, deals = _play(units, config, folder, workers, play)
    kept = [unit.number for unit in units if unit.first < deals]
    timing, faults = folder.merge(kept, workers)
    unrepeatable = tuple(spec for spec in config.agents if is_timed(spec))
    summary = summarise(scores.head(deals), config, stopped=deals < config.deals, unrepeatable=unrepeatable)
    summary = replace(summary, faults=faults)
    for name, content in zip(
        TABLES, (report.markdown(summary), report.agents_csv(summary), report.pairs_csv(summary)), strict=True
    ):
        write_text(folder.path / name, content)
    figures.draw(summary, folder.path)
    folder.finish(summary.to_json())
    return Outcome(summary, timing)


def earlier(folder: RunFolder) -> Outcome:
    """Return the results that a folder holds.

    Raises:
        CompareError: If they are damaged.
    """
    found, timing = folder.read(RESULTS), folder.read(TIMING)
    try:
        outcome = Outcome(Summary.from_json(found), timing)
        report.text(outcome.summary, timing)
    except (LookupError, TypeError, ValueError, AttributeError):
        files = f"{RESULTS} or {TIMING}"
        raise CompareError(
            f"out: found {files} in {shown(str(folder.path))} damaged, expected what a finished run wrote"
        ) from None
    return outcome


def _play(units: list[Unit], config: Config, folder: RunFolder, workers: int, play: Play) -> tuple[Scores, int]:
    """Play until all units are there, or enough of them; return the scores and the number of deals that count."""
    scores = Scores(config)
    finished = {number for number in folder.done() if number < len(units)}
    progress = Progress(units, [units[number] for number in finished], workers)
    gate = _Gate(units, config)
    for number in sorted(finished):
        _count_again(units[number], scores, folder)
        gate.count(units[number])
    missing = [unit for unit in units if unit.number not in finished]
    if (deals := gate.stop(scores)) or not missing:
        return scores, deals or config.deals
    _wake(units, config, workers)
    try:
        with closing(play(missing, config, workers)) as results:
            for unit, result in results:
                folder.save(unit.number, result)
                scores.add(result.games)
                progress.advance(unit, result.wall)
                gate.count(unit)
                if deals := gate.stop(scores):
                    return scores, deals
    finally:
        progress.close()
    return scores, config.deals


def _count_again(unit: Unit, scores: Scores, folder: RunFolder) -> None:
    """Count the games of a unit that was finished earlier.

    Raises:
        CompareError: If its file does not hold exactly its games.
    """
    try:
        scores.add(folder.load(unit.number).games)
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        if isinstance(error, CompareError):
            raise
        raise folder.damaged(unit.number) from None
    if not scores.holds(unit):
        raise folder.damaged(unit.number)


class _Gate:
    """Decides when enough has been played: after the first batch of deals, whole at all tables, that tells apart.

    Batches are looked at in order, each once, so that the decision is the same whoever finished which unit first.
    """

    def __init__(self, units: list[Unit], config: Config) -> None:
        self._what = config.stop
        self._ends = {unit.first: unit.first + unit.count for unit in units}
        self._left = Counter(unit.first for unit in units)
        self._next = 0

    def count(self, unit: Unit) -> None:
        """Note a finished unit."""
        self._left[unit.first] -= 1

    def stop(self, scores: Scores) -> int:
        """Return the number of deals after which the comparison ends, 0 if it goes on."""
        while self._what is not None and self._next in self._ends and not self._left[self._next]:
            self._next = self._ends[self._next]
            if separated(scores.head(self._next), self._what):
                return self._next
        return 0


def _wake(units: list[Unit], config: Config, workers: int) -> None:
    """Make and try every agent once, so that what cannot play is refused at once, and have all code compiled."""
    agent_of = agent_cache()
    for spec in config.agents:
        try_out(agent_of(spec), config.rules)
    if workers > 1:
        wake(units, config)
