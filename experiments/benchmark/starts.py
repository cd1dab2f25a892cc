"""How long a process takes until the game is there: CPU time from the start of the interpreter."""

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from experiments.benchmark.measure import Figure, Kind, Measurement, Run, Sample

_ROOT = Path(__file__).resolve().parents[2]
_SECTION = "start of a process"
_WARM_UP = "from red7_env.game.compile import warm_up; warm_up()"
_STARTS: Final = {
    "python alone": "",
    "import numba": "import numba",
    "import red7_env": "import red7_env",
    "import red7_env.game": "from red7_env.game import Game",
    "every kernel, from the cache": _WARM_UP,
}


def _child(code: str, cache: str | None = None) -> Sample:
    """Return the CPU time that a new interpreter takes to run some code.

    Args:
        code: What it runs.
        cache: The folder of compiled code, if not the usual one.
    """
    command = [sys.executable, "-c", f"{code}\nimport time; print(time.process_time_ns())"]
    environment = dict(os.environ) if cache is None else {**os.environ, "RED7_CACHE_DIR": cache}
    done = subprocess.run(command, cwd=_ROOT, env=environment, capture_output=True, check=True)
    return Sample(int(done.stdout), {"starts": 1})


def _start(code: str) -> Run:
    return lambda _: _child(code)


def _compile() -> Run:
    def run(_: float) -> Sample:
        with tempfile.TemporaryDirectory() as empty:
            return _child(_WARM_UP, empty)

    return run


def measurements() -> list[Measurement]:
    """Return the measurements of starts; the one that compiles everything is slow."""
    each = (Figure("starts", Kind.TIME),)
    cached = [Measurement(_SECTION, name, each, partial(_start, code), like="python") for name, code in _STARTS.items()]
    first = Measurement(_SECTION, "every kernel, compiled", each, _compile, like="python", max_runs=1, slow=True)
    return [*cached, first]
