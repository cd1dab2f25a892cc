"""The oracle observation, for centralised critics and yardsticks: it shows what no player may know."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7_env.game.state import NOBODY, States
from red7_env.observation.encoder import checked_out, checked_seats, encode, rules_of_all
from red7_env.observation.kernels import encode_hidden_many
from red7_env.observation.table import Features, oracle_pieces, size


def oracle(
    states: States,
    seats: NDArray[np.integer] | int | None = None,
    *,
    features: Features = "base",
    deck: bool = False,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Write what one seat of each game observes, and then what is hidden from it; see ``oracle_pieces``.

    Args:
        states: Full states of one and the same rules, shape (N,), N at least 1.
        seats: The observing seats, shape (N,), or one for all; the seats to move by default.
        features: The observation that it begins with, ``"base"`` or ``"derived"``.
        deck: Whether to show the order of the deck too, where cards are drawn.
        out: Where to write, shape (N, size), C-contiguous, uint8, or another number type that gets a copy.

    Returns:
        ``out``, or a new uint8 array; zeros and ones, shape (N, size).

    Raises:
        ValueError: If an argument is out of range, of another shape or dtype, or a record is a view.
    """
    rules = rules_of_all(states)
    if (states["viewer"] != NOBODY).any():
        raise ValueError("states: found a view, expected full states: an oracle shows what a view hides")
    chosen = checked_seats(states, states["to_move"] if seats is None else seats)
    table = oracle_pieces(rules, features, deck)
    buffer = checked_out(out, (len(states), table[-1].slice.stop))
    seen = size(rules, features)
    # An observation's row is as long as itself, so it is made apart and copied: the oracle need not be the fastest.
    buffer[:, :seen] = encode(states, chosen, features)
    depths = table[-1].shape[0] if table[-1].name == "deck_colours" else 0
    encode_hidden_many(states, chosen, seen, depths, buffer)
    if out is None:
        return buffer
    if out is not buffer:
        out[:] = buffer
    return out
