"""What a program can do wrong, and how it is told."""

import sys
from collections import Counter
from typing import Final

CRASH: Final = "crash"
"""It could not be started, ended, or closed its output."""
SILENCE: Final = "time-out"
"""No answer within the time limit."""
GARBAGE: Final = "garbage"
"""A line that is no answer at all."""
STRAY: Final = "stray answer"
"""An answer to another request than the one that is open."""
FLOOD: Final = "long line"
"""More bytes without a line end than any answer has."""
ILLEGAL: Final = "illegal move"
"""An answer to the right request whose move is not offered; the only fault after which the program goes on."""
GIVEN_UP: Final = "given up"
"""The program has failed too often and is not started any more."""


class Fault(Exception):  # noqa: N818 - it never leaves the package: the league goes on
    """Why there is no move.

    Attributes:
        kind: One of the words above.
    """

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


class FaultLog:
    """Counts faults, and tells the first of each kind on standard error.

    Attributes:
        counts: How often each kind has happened.
    """

    def __init__(self, spec: str) -> None:
        self.counts: Counter[str] = Counter()
        self._name = ascii(spec)[1:-1]

    def note(self, fault: Fault) -> None:
        """Count a fault; the seat passes."""
        self.counts[fault.kind] += 1
        if self.counts[fault.kind] == 1 and sys.stderr is not None:
            start = "\n" if sys.stderr.isatty() else ""  # a progress line may stand there
            sys.stderr.write(f"{start}{self._name}: {fault.kind}: {fault}; its seat passes\n")
            sys.stderr.flush()
