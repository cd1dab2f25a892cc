"""The agent behind ``bot:COMMAND``: asks the program for one move after the other, and passes where it fails."""

import os
import shlex
import shutil
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

import numpy as np

from agents.bot.faults import GIVEN_UP, ILLEGAL, Fault, FaultLog
from agents.bot.lines import Lines
from agents.bot.messages import answered, greeting, request
from agents.bot.words import ViewWords, words_of
from agents.options import SpecError
from agents.protocol import Agent, Masks, Moves
from agents.registry import make, spec_of
from red7_env.game import States
from red7_env.game.errors import shown
from red7_env.game.moves import END, PASS, move_text

RESTARTS = 3
"""So often a program that failed is started again, then it passes for good."""
FORGIVEN = 100
"""After so many good answers in a row the failures before them do not count any more."""


class Bot:
    """A program as an agent; see ``agents.bot`` for what it is told and how it answers.

    The program is started when it is first asked, and ends with ``close``, at the end of a ``with`` block, when the
    agent is collected, or at the end of this process at the latest. An agent that was closed starts it again when it is
    asked. A copy of the agent, or what is unpickled of it, starts a program of its own.

    Attributes:
        command: The program and its arguments, as they stand in the spec.
    """

    name = "bot"

    def __init__(self, *, command: str, seconds: float = 5.0, start: float = 10.0) -> None:
        """Choose a program.

        Args:
            command: The program and its arguments, quoted as in a shell, though no shell reads them.
            seconds: Time to answer a request.
            start: Time that the first answer after a start may take in addition.

        Raises:
            SpecError: If there is no such program, or a time is out of range.
        """
        self.spec = spec_of(self.name, command=command, seconds=seconds, start=start)
        self.command = command
        self._words = _checked_words(command)
        self._seconds, self._start = float(seconds), float(start)
        self._log = FaultLog(self.spec)
        self._lines: Lines | None = None
        self._rules = ""  # as the running program was told
        self._number = 0  # of the last request to it
        self._failures = self._good = 0

    @property
    def faults(self) -> dict[str, int]:
        """How often each kind of fault has made the seat pass; the kinds are those of ``agents.bot.faults``."""
        return dict(self._log.counts)

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:
        """Return the program's move for every view; see ``protocol.Agent``.

        It is asked for one move after the other: sending more requests ahead saved a quarter of 130 microseconds, but
        would ask for more care from programs. Whatever they do, one seed a view is drawn from ``rng``.
        """
        seeds = rng.integers(2**32, size=len(views)).tolist()
        moves = [self._move(*each) for each in zip(words_of(views), masks, seeds, strict=True)]
        return np.array(moves, np.int64)

    def close(self) -> None:
        """End the program, if it runs."""
        if self._lines is not None:
            self._lines.close()
            self._lines = None

    def __enter__(self) -> Self:
        """Return the agent."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the program."""
        self.close()

    def __reduce__(self) -> tuple[Callable[[str], Agent], tuple[str]]:
        """Copy and pickle what makes an equal agent; a running program cannot be copied."""
        return make, (self.spec,)

    def _move(self, view: ViewWords, mask: np.ndarray[Any, Any], seed: int) -> int:
        """Return the program's move, or another one by rule where it gives none."""
        offered = {move_text(move): move for move in np.flatnonzero(mask).tolist()}
        try:
            move = offered[self._answer(view, list(offered), seed)]
        except Fault as fault:
            self._log.note(fault)
            return instead(list(offered.values()))
        self._good += 1
        if self._good == FORGIVEN:
            self._failures = 0
        return move

    def _answer(self, view: ViewWords, tokens: Sequence[str], seed: int) -> str:
        """Return the program's answer.

        Raises:
            Fault: If there is none; after each but an illegal move the program has ended.
        """
        try:
            lines, extra = self._running()
            if view["rules"] != self._rules:
                self._rules = view["rules"]
                lines.send(greeting(self._rules, self._seconds, self._start))
            self._number += 1
            lines.send(request(self._number, seed, view, tokens))
            return answered(lines.receive(self._seconds + extra), self._number, tokens)
        except Fault as fault:
            self._good = 0
            if fault.kind not in {ILLEGAL, GIVEN_UP}:
                self._failures += 1
                self._stop()
            raise
        except BaseException:  # Ctrl-C: an answer that is still to come would be taken for the next one
            self._stop()
            raise

    def _running(self) -> tuple[Lines, float]:
        """Return the running program, and the seconds that it has got to start in.

        Raises:
            Fault: If it cannot be started, or has failed too often.
        """
        if self._lines is not None and self._lines.ours:
            return self._lines, 0.0
        if self._failures > RESTARTS:
            raise Fault(GIVEN_UP, f"it has failed {self._failures} times and is not started again")
        self._lines, self._rules, self._number = Lines(self._words), "", 0
        return self._lines, self._start

    def _stop(self) -> None:
        """End the program at once."""
        if self._lines is not None:
            self._lines.close(patience=0)
            self._lines = None


def instead(offered: Sequence[int]) -> int:
    """Return the move of a seat whose program gives none: the pass, else the end of the turn, else the first offered.

    Args:
        offered: The offered action ids, in order.
    """
    return next((move for move in (PASS, END) if move in offered), offered[0])


def _checked_words(command: str) -> list[str]:
    """Return the words of a command.

    Raises:
        SpecError: If it has none, a quote is not closed, it is no printable line, or there is no such program.
    """
    if os.name != "posix":
        raise SpecError(f"bot: found {shown(os.name)}, expected a system with POSIX pipes and process groups")
    if not command.isprintable():
        raise SpecError(f"command: found {shown(command)}, expected a line of printable characters")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise SpecError(f"command: found {shown(command)} ({str(error).lower()}), expected closed quotes") from None
    if not words or shutil.which(words[0]) is None:
        found = shown(words[0]) if words else "nothing"
        raise SpecError(f"command: found {found}, expected a program on the PATH, or the path of one")
    return words
