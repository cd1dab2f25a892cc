"""The command under a terminal of its own."""

import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 300.0
"""Seconds without a word after which the command counts as hanging; kernels may have to be compiled first."""


class Terminal:
    """The command at the other end of a pseudo-terminal."""

    def __init__(self, *words, **environment):
        self.master, slave = pty.openpty()
        command = [sys.executable, "-m", "experiments", "play", *words]
        kept = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS"}}
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=kept | environment,
            preexec_fn=own_terminal,  # noqa: PLW1509 - this process has no other threads
        )
        os.close(slave)
        self.shown = ""

    def until(self, pattern):
        """Read up to a pattern, and return what was read."""
        start = len(self.shown)
        while not re.search(pattern, self.shown[start:]):
            self.shown += self._read().decode()
        return self.shown[start:]

    def type(self, text):
        os.write(self.master, text.encode())

    def status(self):
        try:
            while data := self._read():
                self.shown += data.decode()
        except OSError:  # so the end of a pseudo-terminal is told
            pass
        os.close(self.master)
        return self.process.wait()

    def _read(self):
        if not select.select([self.master], [], [], PATIENCE)[0]:
            self.process.kill()
            pytest.fail(f"no word for {PATIENCE} s after: {self.shown[-500:]!r}")
        return os.read(self.master, 4096)


def own_terminal():
    """Make standard input the terminal whose keys send signals."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.mark.parametrize("plain", [False, True])
def test_a_terminal(plain, tmp_path):
    path = tmp_path / "games.jsonl"
    words = ["--seed", "3", "--seat", "0", "--opponents", "greedy", "greedy", "--record", str(path)]
    terminal = Terminal(*words, **({"NO_COLOR": "1"} if plain else {}))
    shown = terminal.until(r"Your move \(\? for help\): ")
    assert ("\x1b[38;5;16;48;5;" in shown) is not plain
    terminal.type("nonsense\n")
    assert "found 'nonsense'" in terminal.until("for help\\): ")
    if plain:
        terminal.type("\x04")  # the end of the input
        assert terminal.status() == 0
    else:
        terminal.type("\x03")  # Ctrl-C
        assert terminal.status() == 130
    assert "--resume" in terminal.shown
    assert "Traceback" not in terminal.shown
    assert path.with_name("games.jsonl.unfinished").exists()
