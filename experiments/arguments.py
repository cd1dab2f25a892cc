"""What the command lines of the experiments share: errors of one line, and whole numbers within bounds."""

import argparse
from collections.abc import Callable
from typing import NoReturn

from red7_env.game import Red7Error
from red7_env.game.errors import shown

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
