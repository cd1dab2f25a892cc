"""A terminal, or what stands for one: lines are read, text is written within its width, cards are coloured."""

import re
import shutil
import sys
from typing import Final, TextIO

from red7_env.game import Red7Error
from red7_env.game.cards import COLOUR_NAMES, card_colour, card_text
from red7_env.render.ansi import wants_colour

_WIDTH: Final = 80
_NARROWEST: Final = 40
_LONGEST_LINE: Final = 1000
# Violet to red, of the 256 colours that terminals share; dark letters stand out on each of them.
_INKS: Final = (177, 105, 75, 40, 226, 208, 203)
_ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")


class PersonLeftError(Red7Error):
    """The person left, or the input ended, before the game did."""


class Console:
    """Where a person reads and types.

    Attributes:
        colour: Whether cards are written in their colours.
    """

    def __init__(self, reader: TextIO | None = None, writer: TextIO | None = None) -> None:
        """Take standard input and output as they are now, where nothing else is given.

        Raises:
            PersonLeftError: If one of them was closed before Python began.
        """
        reader, writer = reader or sys.stdin, writer or sys.stdout
        if reader is None or writer is None:  # the standard streams are None where they were closed before the start
            raise PersonLeftError("human: found standard input or output closed, expected a terminal or a pipe")
        self._reader, self._writer = reader, writer
        self.colour = wants_colour(writer)

    def say(self, text: str = "", indent: int | None = 4) -> None:
        """Write text; lines wider than the terminal go on, ``indent`` columns to the right, or are not cut if None."""
        width = self._width()
        for line in text.split("\n"):
            self._writer.write("\n".join([line] if indent is None else _folded(line, width, indent)) + "\n")
        self._writer.flush()

    def ask(self, prompt: str) -> str:
        """Return a line that was typed, without its end.

        Raises:
            PersonLeftError: If there is none.
        """
        self._writer.write(prompt)
        self._writer.flush()
        line = self._line()
        if not line.endswith("\n") or not self._reader.isatty():
            self._writer.write(line.removesuffix("\n") + "\n")  # no terminal has shown it
        if not line:
            raise PersonLeftError("human: found the end of the input, expected a move")
        return line.strip()

    def agrees(self, question: str) -> bool:
        """Ask for a yes or a no.

        Raises:
            PersonLeftError: If there is no answer.
        """
        while True:
            answer = self.ask(f"{question} (y/n) ").lower()
            if answer in {"y", "yes", "n", "no"}:
                return answer.startswith("y")

    def card(self, card: int) -> str:
        """Return a card's text in its colour."""
        return self._tinted(card_text(card), card_colour(card))

    def cards(self, cards: list[int]) -> str:
        """Return the texts of cards, ``-`` if there are none."""
        return " ".join(map(self.card, cards)) or "-"

    def rule(self, colour: int) -> str:
        """Return the name of a colour, in it."""
        return self._tinted(COLOUR_NAMES[colour], colour)

    def _tinted(self, text: str, colour: int) -> str:
        return f"\x1b[38;5;16;48;5;{_INKS[colour]}m{text}\x1b[0m" if self.colour else text

    def _width(self) -> int:
        width = shutil.get_terminal_size((_WIDTH, 24)).columns if self._writer.isatty() else _WIDTH
        return max(_NARROWEST, width)

    def _line(self) -> str:
        """Return the next line; of one that is too long just its begin, what is no text replaced."""
        source = getattr(self._reader, "buffer", self._reader)  # bytes, since text may be no UTF-8
        line = rest = source.readline(_LONGEST_LINE)
        while len(rest) == _LONGEST_LINE and rest[-1:] not in {b"\n", "\n"}:
            rest = source.readline(_LONGEST_LINE)
        return line.decode("utf-8", "replace") if isinstance(line, bytes) else str(line)


def _folded(line: str, width: int, indent: int) -> list[str]:
    """Return the lines that a line is cut into, at blanks; escapes take no room."""
    folded, room = [""], width
    for word in re.split(r"(?<=\S)(?= )", line):
        size = len(_ESCAPE.sub("", word))
        if size > room and folded[-1].strip():
            folded.append(" " * indent)
            word, room = word.lstrip(" "), width - indent  # noqa: PLW2901 - the blank between them is the line's end
            size = len(_ESCAPE.sub("", word))
        folded[-1] += word
        room -= size
    return folded
