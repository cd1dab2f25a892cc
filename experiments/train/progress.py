"""How far a run is: one line that is written over in a terminal, a line now and then elsewhere."""

import sys
import time
from typing import TextIO

_SECONDS_TERMINAL, _SECONDS_FILE = 0.5, 30.0


class Progress:
    """Shows the line."""

    def __init__(self, name: str, out: TextIO | None = None) -> None:
        """Begin.

        Args:
            name: What the line begins with.
            out: Where it goes, standard error by default.
        """
        self._name = name
        self._out = sys.stderr if out is None else out
        self._terminal = self._out.isatty()
        self._shown = -_SECONDS_FILE
        self._width = 0

    def show(self, line: str) -> None:
        """Show a line, if it is time for one."""
        now = time.monotonic()
        if now - self._shown >= (_SECONDS_TERMINAL if self._terminal else _SECONDS_FILE):
            self._shown = now
            self._write(f"{self._name}: {line}")

    def close(self) -> None:
        """Leave the line as it stands."""
        if self._terminal and self._width:
            self._out.write("\n")
            self._out.flush()

    def _write(self, line: str) -> None:
        self._out.write("\r" + line.ljust(self._width) if self._terminal else line + "\n")
        self._out.flush()
        self._width = len(line)


def clock(seconds: float) -> str:
    """Return a time as minutes and seconds, with hours where there are any."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
