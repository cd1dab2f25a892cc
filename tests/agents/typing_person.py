"""Standard input and output with somebody at them, for tests of what a person plays."""

import io
from collections.abc import Iterable


def typed(*lines: str) -> io.StringIO:
    """Return an input that holds these lines, and then ends."""
    return io.StringIO("".join(f"{line}\n" for line in lines))


def careless(count: int, answers: Iterable[str] = ("1", "y")) -> io.StringIO:
    """Return an input of somebody who always takes the first move, whatever is asked, and confirms it."""
    return typed(*list(answers) * count)


class Screen(io.StringIO):
    """Standard output that knows what was written last."""

    last = ""

    def write(self, text: str) -> int:
        """Write text."""
        self.last = text
        return super().write(text)


class Player:
    """Somebody who reads the prompts: takes the first move and confirms it, and leaves after some games."""

    def __init__(self, screen: Screen, games: int, *, hints: bool = False) -> None:
        """Sit down before a screen; with ``hints`` each move is asked about first."""
        self._screen, self._games, self._hints = screen, games, hints
        self._hinted = False

    def readline(self, size: int = -1) -> str:  # noqa: ARG002 - as of a file
        """Return the answer to the prompt."""
        if "next game" in self._screen.last:
            self._games -= 1
            return "n\n" if self._games else "q\n"
        if "(y/n)" in self._screen.last:
            return "y\n"
        self._hinted = self._hints and not self._hinted
        return "h\n" if self._hinted else "1\n"

    def isatty(self) -> bool:
        """Say that this is no terminal."""
        return False
