"""A program as a child process, of which nothing is left when it is ended, or when we are killed."""

import os
import signal
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from subprocess import DEVNULL, PIPE, Popen
from typing import IO, cast

from agents.bot.faults import CRASH, Fault

PATIENCE = 1.0
"""Seconds that a program is given to end by itself once its input is closed."""

# Waits for the end of its input, which comes when this process ends in whatever way; then the group is killed.
_GUARD = 'read -r _; kill -s KILL -- "-$1"'


class Child:
    """A running program in a process group of its own, with pipes that never block us.

    It is ended by ``end``, when this object is collected, when this process exits, and when this process is killed:
    then by a guard, a shell that waits for that. In a forked process a copy of this object leaves the program alone.

    Attributes:
        stdin: Its input.
        stdout: Its output.
        stderr: Its messages.
        owner: The process that started it.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Start the program.

        Args:
            command: The program and its arguments; no shell reads them.

        Raises:
            Fault: If it cannot be started.
        """
        self.owner = os.getpid()
        try:
            self._guard, self._process = _started(command)
        except (OSError, ValueError) as error:  # ValueError: a zero byte in an argument
            raise Fault(CRASH, f"it cannot be started ({getattr(error, 'strerror', None) or error})") from None
        self.stdin = cast("IO[bytes]", self._process.stdin)
        self.stdout = cast("IO[bytes]", self._process.stdout)
        self.stderr = cast("IO[bytes]", self._process.stderr)
        for pipe in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(pipe.fileno(), False)
        self._ending = weakref.finalize(self, _end, self._process, self._guard, self.owner, PATIENCE)

    @property
    def pid(self) -> int:
        """The number of its process, and of its group."""
        return self._process.pid

    def end(self, patience: float = PATIENCE) -> int | None:
        """Close its input, give it time to end, then kill what is left of it.

        Args:
            patience: Seconds that it is given.

        Returns:
            Its exit status, or the signal that ended it as a negative number; None in a forked process.
        """
        if self._ending.detach() is not None:
            _end(self._process, self._guard, self.owner, patience)
        return self._process.returncode


def _started(command: Sequence[str]) -> tuple[Popen[bytes], Popen[bytes]]:
    """Start a program, and the guard that kills it when we are gone."""
    process = Popen(  # noqa: S603 - to run a program of the user's choice is what a bot is for
        command, stdin=PIPE, stdout=PIPE, stderr=PIPE, bufsize=0, start_new_session=True
    )
    try:
        guard = Popen(  # noqa: S603 - a number is all that it is given
            ["/bin/sh", "-c", _GUARD, "red7-bot-guard", str(process.pid)],
            stdin=PIPE,
            stdout=DEVNULL,
            stderr=DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
    except BaseException:
        _kill(process)
        raise
    return guard, process


def _end(process: Popen[bytes], guard: Popen[bytes], owner: int, patience: float) -> None:
    if os.getpid() != owner:
        return
    _closed(process.stdin)
    if patience:
        _await_end(process, patience)
    guard.kill()  # first, or it could meet another group with the number of this one
    guard.wait()
    _closed(guard.stdin)
    _kill(process)


def _await_end(process: Popen[bytes], patience: float) -> None:
    """Wait until a program has closed its output, as it does when it ends; what it still writes is thrown away."""
    end = time.monotonic() + patience
    with DefaultSelector() as selector:
        for pipe in (process.stdout, process.stderr):
            selector.register(cast("IO[bytes]", pipe), EVENT_READ)
        while (left := end - time.monotonic()) > 0:
            for key, _ in selector.select(left):
                if os.read(key.fd, 65536) == b"":
                    selector.unregister(key.fileobj)
                    if key.fileobj is process.stdout:
                        return


def _kill(process: Popen[bytes]) -> None:
    """Kill a program's group, before its own end is noted: until then nothing else can have the group's number."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        _closed(pipe)


def _closed(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        with suppress(OSError):
            pipe.close()
