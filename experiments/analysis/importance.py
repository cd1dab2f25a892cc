"""How much each piece of the observation matters to a model: permutation importance.

After Breiman, Machine Learning 45 (2001). The rows of one piece are shuffled among the decisions, which leaves its
distribution as it is and cuts its bond with everything else. How much worse the model then is, is what the piece was
worth to it. Pieces that tell the same (of ``derived`` many follow from others) share their worth, so a small one is no
proof that the knowledge is useless.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from red7_env.observation import Piece

Floats = NDArray[np.float64]


class Importance(NamedTuple):
    """What a piece is worth.

    Attributes:
        piece: Its name.
        loss: How much the loss grows without it, in the mean over the shuffles.
        low: The least growth over the shuffles.
        high: The greatest.
    """

    piece: str
    loss: float
    low: float
    high: float


def permutation_importance(
    loss: Callable[[NDArray[np.uint8]], float],
    observations: NDArray[np.uint8],
    pieces: Sequence[Piece],
    *,
    repeats: int = 5,
    seed: int = 0,
) -> list[Importance]:
    """Return what each piece is worth, the greatest first.

    Args:
        loss: From observations [D, size] to the model's loss on them: its Brier score, its cross entropy to the moves
            played, or the distance of its policy from that without shuffling.
        observations: [D, size] uint8; left as they are.
        pieces: The table of the observation.
        repeats: Shuffles of each piece.
        seed: Seed of the shuffles.
    """
    rng = np.random.default_rng(seed)
    whole = loss(observations)
    found = []
    for piece in pieces:
        bits = slice(piece.start, piece.start + piece.size)
        growths = []
        for _ in range(repeats):
            shuffled = observations.copy()
            shuffled[:, bits] = observations[rng.permutation(len(observations)), bits]
            growths.append(loss(shuffled) - whole)
        found.append(Importance(piece.name, float(np.mean(growths)), min(growths), max(growths)))
    return sorted(found, key=lambda one: -one.loss)
