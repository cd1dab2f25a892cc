"""A network's first layer on positions that differ little: each turn's is that of the first turn, amended.

The turns of one view leave most of what is seen as it was, so some dozens of columns of the weights are added or
taken away instead of multiplying all of them (as NNUE does in chess and shogi; Nasu, 2018). The sums are the same but
for the order in which they are rounded.
"""

import numpy as np

from agents.jit import inlined, kernel
from red7_env.game.bits import I64, ONE, U64, ZERO, low_bit


@inlined
def _add(out: np.ndarray, row: int, columns: np.ndarray, column: int, sign: np.float32) -> None:
    for unit in range(out.shape[1]):
        out[row, unit] += sign * columns[column, unit]


@kernel
def first_layer(words: np.ndarray, ends: np.ndarray, columns: np.ndarray, offsets: np.ndarray, out: np.ndarray) -> None:
    """Write the sums of the first layer, before the ReLU.

    Args:
        words: [M, W] uint64, the observations, eight bytes of 0 or 1 a word; those beyond the inputs are 0.
        ends: [N] int64, the row after the last turn of each view.
        columns: [inputs, width] float32, the weights of each input.
        offsets: [width] float32.
        out: [M, width] float32.
    """
    plus, minus = np.float32(1.0), np.float32(-1.0)
    first = 0
    for i in range(len(ends)):
        out[first] = offsets
        for word in range(words.shape[1]):
            left = words[first, word]
            while left != ZERO:
                _add(out, first, columns, 8 * word + I64(low_bit(left) >> U64(3)), plus)
                left &= left - ONE
        for row in range(first + 1, ends[i]):
            out[row] = out[first]
            for word in range(words.shape[1]):
                new = words[row, word]
                left = new ^ words[first, word]
                while left != ZERO:
                    bit = low_bit(left)
                    sign = plus if (new >> bit) & ONE != ZERO else minus
                    _add(out, row, columns, 8 * word + I64(bit >> U64(3)), sign)
                    left &= left - ONE
        first = ends[i]
