"""Where the time goes: seconds by what they were spent on."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager


class Clock:
    """Adds up seconds by name.

    Attributes:
        seconds: So far.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    @contextmanager
    def time(self, name: str) -> Iterator[None]:
        """Count the time of a block for ``name``."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - begin

    def shares(self) -> dict[str, float]:
        """Return the share of each name in all that was counted."""
        whole = sum(self.seconds.values()) or 1.0
        return {name: seconds / whole for name, seconds in self.seconds.items()}
