"""Lines to a program and back, without ever waiting longer, or keeping more, than a limit."""

import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector

from agents.bot.child import PATIENCE, Child
from agents.bot.faults import CRASH, FLOOD, SILENCE, Fault
from red7_env.game.errors import shown

MAX_LINE = 65536
"""The longest line that is read, in bytes. An answer has some 30."""
_CHUNK = 65536
_TAIL = 2048
_KILLED = -signal.SIGKILL


class Lines:
    """A running program that is written and read line by line.

    Its messages on standard error are read too, so that it is never held up by them; the last ones are kept to tell
    why it ended.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Start the program.

        Raises:
            Fault: If it cannot be started.
        """
        self._child = Child(command)
        self._selector = DefaultSelector()
        self._selector.register(self._child.stdout, EVENT_READ)
        self._selector.register(self._child.stderr, EVENT_READ)
        self._unsent = bytearray()
        self._received = bytearray()
        self._blocked = False
        self._tail = b""

    @property
    def ours(self) -> bool:
        """Whether this process started the program; a forked one shares the pipes, and must leave them alone."""
        return self._child.owner == os.getpid()

    @property
    def pid(self) -> int:
        """The number of the program's process."""
        return self._child.pid

    def send(self, line: bytes) -> None:
        """Write a line, as much of it as the program takes now; ``receive`` writes the rest.

        Raises:
            Fault: If the program does not read any more.
        """
        self._unsent += line + b"\n"
        self._write()

    def receive(self, seconds: float) -> bytes:
        """Return the next line, without its end.

        Raises:
            Fault: If the program ends, writes a line too long, or no whole line within the time.
        """
        end = time.monotonic() + seconds
        while (line := self._taken()) is None:
            left = end - time.monotonic()
            if left <= 0:
                raise Fault(SILENCE, f"no answer within {seconds:g} s (an answer must be flushed)")
            self._exchange(left)
        return line

    def close(self, patience: float = PATIENCE) -> None:
        """End the program."""
        self._selector.close()
        self._child.end(patience)

    def _taken(self) -> bytes | None:
        """Take the first line that was received, if it is whole."""
        line, newline, rest = self._received.partition(b"\n")
        if len(line) > MAX_LINE:
            raise Fault(FLOOD, f"found a line of more than {MAX_LINE} bytes, expected an answer")
        if not newline:
            return None
        self._received = rest
        return bytes(line)

    def _exchange(self, seconds: float) -> None:
        """Wait until something can be read or written, and do so."""
        for key, _ in self._selector.select(seconds):
            if key.fileobj is self._child.stdin:
                self._write()
            elif key.fileobj is self._child.stdout:
                if not (data := os.read(key.fd, _CHUNK)):
                    raise self._crash()
                self._received += data
            elif not self._hear():
                self._selector.unregister(key.fileobj)

    def _write(self) -> None:
        """Write what the program takes now; what it does not take waits in the selector."""
        try:
            sent = os.write(self._child.stdin.fileno(), self._unsent[:_CHUNK])
        except BlockingIOError:
            sent = 0
        except OSError:  # nobody reads
            raise self._crash() from None
        del self._unsent[:sent]
        if self._unsent and not self._blocked:
            self._selector.register(self._child.stdin, EVENT_WRITE)
        elif self._blocked and not self._unsent:
            self._selector.unregister(self._child.stdin)
        self._blocked = bool(self._unsent)

    def _hear(self) -> bool:
        """Read some messages and keep the last; return False at their end."""
        data = os.read(self._child.stderr.fileno(), _CHUNK)
        self._tail = (self._tail + data)[-_TAIL:]
        return data != b""

    def _crash(self) -> Fault:
        """End the program and return how it ended."""
        with suppress(BlockingIOError):
            self._hear()
        self._selector.close()
        status = self._child.end(0)
        ended = (
            "it closed its input or output, or was killed" if status == _KILLED else f"it ended with status {status}"
        )
        lines = self._tail.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), None)
        return Fault(CRASH, ended if last is None else f"{ended}, and said {shown(last)}")
