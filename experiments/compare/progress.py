"""How far a comparison is: one line that is written over in a terminal, a line now and then elsewhere."""

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import TextIO

from experiments.compare.units import Unit

_SECONDS_TERMINAL, _SECONDS_FILE = 0.2, 10.0


class Progress:
    """Counts units, and guesses the time left from what the units of each table took so far."""

    def __init__(
        self,
        units: Iterable[Unit],
        done: Iterable[Unit],
        workers: int,
        out: TextIO | None = None,
        name: str = "compare",
    ) -> None:
        """Begin.

        Args:
            units: All units.
            done: Those that were finished earlier.
            workers: How many are played at a time.
            out: Where the line goes, standard error by default.
            name: The command that the line begins with.
        """
        self._name = name
        self._out = sys.stderr if out is None else out
        self._left = Counter(unit.table for unit in units)
        self._total = self._left.total()
        self._left.subtract(unit.table for unit in done)
        self._workers = workers
        self._took: dict[int, list[float]] = defaultdict(list)
        self._terminal = self._out.isatty()
        self._shown = 0.0 if self._terminal else time.monotonic()
        self._width = 0

    def advance(self, unit: Unit, wall: float) -> None:
        """Count a unit that took so many seconds, and show the line if it is time for it."""
        self._left[unit.table] -= 1
        self._took[unit.table].append(wall)
        now = time.monotonic()
        if now - self._shown >= (_SECONDS_TERMINAL if self._terminal else _SECONDS_FILE):
            self._shown = now
            self._write(self.line())

    def line(self) -> str:
        """Return the line."""
        done = self._total - self._left.total()
        left = _clock(self.seconds_left()) if self._took else "?"
        return f"{self._name}: {done}/{self._total} units, {100 * done // max(1, self._total)} %, {left} left"

    def seconds_left(self) -> float:
        """Return a guess of the seconds left."""
        means = {table: sum(took) / len(took) for table, took in self._took.items()}
        usual = sum(means.values()) / max(1, len(means))
        return sum(left * means.get(table, usual) for table, left in self._left.items()) / self._workers

    def close(self) -> None:
        """Take the line away."""
        if self._terminal and self._width:
            self._out.write("\r" + " " * self._width + "\r")
            self._out.flush()

    def _write(self, line: str) -> None:
        self._out.write("\r" + line.ljust(self._width) if self._terminal else line + "\n")
        self._out.flush()
        self._width = len(line)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
