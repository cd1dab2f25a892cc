"""Whole numbers as users give them: seeds, counts, seats."""

import operator
from typing import SupportsIndex

import numpy as np

from red7_env.game.errors import shown

_MAX_SEED = 2**64 - 1


def whole(value: SupportsIndex, name: str, high: int | None = None) -> int:
    """Return a whole number from 0 to ``high`` as a plain integer.

    Raises:
        ValueError: If it is anything else; bool and 2.0 are no whole numbers.
    """
    try:
        number = -1 if isinstance(value, bool | np.bool) else operator.index(value)
    except TypeError:
        number = -1
    if number < 0 or (high is not None and number > high):
        wanted = "a whole number from 0" if high is None else f"0 to {high}"
        raise ValueError(f"{name}: found {shown(value)}, expected {wanted}")
    return number


def checked_seed(seed: SupportsIndex, name: str = "seed") -> np.uint64:
    """Return a seed, or the number of a game, as the kernels take it.

    Raises:
        ValueError: Unless it is a whole number from 0 to 2**64 - 1.
    """
    return np.uint64(whole(seed, name, _MAX_SEED))
