"""What the command lines of the experiments share: exit statuses, errors of one line, whole numbers within bounds."""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from red7_env.game import Red7Error
from red7_env.game.errors import shown

WORKED, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses."""
MOST = 2**64 - 1
"""The greatest number that is read, and the greatest seed."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are raised, to be one line like all others."""

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong.

        Raises:
            Red7Error: Always.
        """
        raise Red7Error(message.removeprefix("argument "))


def whole(low: int, high: int = MOST) -> Callable[[str], int]:
    """Return a reader of whole numbers within bounds, for an argument's ``type``."""

    def read(text: str) -> int:
        number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(MOST)) else -1
        if not low <= number <= high:
            limit = "" if high == MOST else f" to {high}"
            raise argparse.ArgumentTypeError(f"found {shown(text)}, expected a whole number from {low}{limit}")
        return number

    return read


def status_of(
    command: Callable[[Sequence[str]], int], arguments: Sequence[str], *faults: type[Exception], written: str = "out"
) -> int:
    """Run a command and return its exit status; what is wrong with its arguments or files is told in one line.

    Args:
        command: What reads the arguments and returns a status.
        arguments: The words after its name.
        faults: Errors that say what is wrong in one line, as a ``Red7Error`` does.
        written: The argument that names what is written to.
    """
    known: tuple[type[Exception], ...] = (Red7Error, *faults)
    try:
        return command(arguments)
    except known as error:
        print(f"error: {error}", file=sys.stderr)
    except BrokenPipeError:  # nobody reads any more, which is no fault
        raise
    except OSError as error:
        print(f"error: {written}: found a fault ({error.strerror or error}), expected none", file=sys.stderr)
    return REFUSED
