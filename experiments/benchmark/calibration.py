"""Fixed loops that have nothing to do with the game: how fast this machine is, to compare figures from two machines.

A benchmark's figures divided by those of the loop that resembles it say how much work something is, whatever machine
it ran on, as far as one number can. **These loops must never change**, or figures from before are lost.
"""

from pathlib import Path
from typing import Final

import numpy as np

from experiments.benchmark.measure import Figure, Kind, Measurement, Run, repeated
from red7_env.game.bits import U64
from red7_env.game.jit import compiler

SECTION: Final = "calibration"
_COMPILED_STEPS = 1_000_000
_ARRAY_LENGTH = 4096
_ARRAY_PASSES = 100
_PYTHON_STEPS = 100_000
_MODULUS = 2**31 - 1

kernel = compiler(Path(__file__).parent)


@kernel
def compiled_loop(steps: int, word: U64) -> U64:
    """Hash a word again and again, and count the bits of its lowest byte one by one.

    Like the game's kernels it is integer arithmetic in registers with short loops whose length cannot be predicted.
    """
    total = U64(0)
    for _ in range(steps):
        word += U64(0x9E3779B97F4A7C15)
        mixed = (word ^ (word >> U64(30))) * U64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> U64(27))) * U64(0x94D049BB133111EB)
        left = (mixed ^ (mixed >> U64(31))) & U64(0xFF)
        while left != U64(0):
            left &= left - U64(1)
            total += mixed >> left
    return total


def numpy_loop(values: np.ndarray, passes: int) -> None:
    """Xorshift every element in place; ``values``: [4096] uint64, small enough for the first-level cache."""
    for _ in range(passes):
        values ^= values << U64(13)
        values ^= values >> U64(7)
        values ^= values << U64(17)


def python_loop(steps: int) -> int:
    """Run a multiplicative generator over small integers and a list."""
    word, seen = 1, [0] * 64
    for _ in range(steps):
        word = word * 48271 % _MODULUS
        seen[word & 63] += 1
    return seen[0]


def _compiled() -> Run:
    def work() -> dict[str, int]:
        compiled_loop(_COMPILED_STEPS, U64(1))
        return {"steps": _COMPILED_STEPS}

    return repeated(work)


def _numpy() -> Run:
    values = np.arange(1, _ARRAY_LENGTH + 1, dtype=np.uint64)

    def work() -> dict[str, int]:
        numpy_loop(values, _ARRAY_PASSES)
        return {"steps": _ARRAY_LENGTH * _ARRAY_PASSES}

    return repeated(work)


def _python() -> Run:
    def work() -> dict[str, int]:
        python_loop(_PYTHON_STEPS)
        return {"steps": _PYTHON_STEPS}

    return repeated(work)


def measurements() -> list[Measurement]:
    """Return the calibration loops."""
    step = (Figure("steps", Kind.TIME),)
    return [
        Measurement(SECTION, "compiled", step, _compiled),
        Measurement(SECTION, "numpy", step, _numpy, like="numpy"),
        Measurement(SECTION, "python", step, _python, like="python"),
    ]
