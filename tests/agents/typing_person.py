"""Standard input with somebody at it, for tests of what a person plays."""

import io
from collections.abc import Iterable


def typed(*lines: str) -> io.StringIO:
    """Return an input that holds these lines, and then ends."""
    return io.StringIO("".join(f"{line}\n" for line in lines))


def careless(count: int, answers: Iterable[str] = ("1", "y")) -> io.StringIO:
    """Return an input of somebody who always takes the first move, whatever is asked, and confirms it."""
    return typed(*list(answers) * count)
