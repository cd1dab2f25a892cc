"""Seeds and game numbers as users give them."""

import numpy as np

from red7_env.game.errors import shown

_MAX_SEED = 2**64 - 1


def checked_seed(seed: object, name: str = "seed") -> np.uint64:
    """Return a seed, or the number of a game, as the kernels take it.

    Raises:
        ValueError: Unless it is a whole number from 0 to 2**64 - 1.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed <= _MAX_SEED:
        raise ValueError(f"{name}: found {shown(seed)}, expected a whole number from 0 to 2**64 - 1")
    return np.uint64(seed)
