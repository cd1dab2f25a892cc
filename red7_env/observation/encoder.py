"""The checked face of the encoder, on arrays of states or views."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7_env.game.batch import checked_states
from red7_env.game.errors import shown
from red7_env.game.rules import Rules
from red7_env.game.state import STATE, States, rules_of
from red7_env.observation.kernels import encode_many
from red7_env.observation.table import Features, layout, size

_RULES_BEGIN = int(STATE.fields["players"][1])  # type: ignore[index]
_RULES_END = int(STATE.fields["hand_size"][1]) + 1  # type: ignore[index]


def encode(
    states: States,
    seats: NDArray[np.integer] | int,
    features: Features = "derived",
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Write what one seat of each game observes.

    Args:
        states: Full states or views, of one and the same rules, shape (N,), N at least 1. Of a full state nothing is
            read that is hidden from the seat; a view must be that seat's own.
        seats: The observing seats, shape (N,), or one for all.
        features: ``"base"`` or ``"derived"``, see ``table``.
        out: Where to write, shape (N, size), C-contiguous, uint8, or another number type that gets a copy.

    Returns:
        ``out``, or a new uint8 array; zeros and ones, shape (N, size).

    Raises:
        ValueError: If an argument is out of range, of another shape or dtype, or no record is given.
    """
    checked_states(states)
    rules = rules_of_all(states)
    chosen = checked_seats(states, seats)
    shape = (len(states), size(rules, features))
    buffer = checked_out(out, shape)
    refused = encode_many(states, chosen, layout(rules, features), buffer)
    if refused >= 0:
        raise ValueError(refusal(states, chosen, refused))
    if out is None:
        return buffer
    if out is not buffer:
        out[:] = buffer
    return out


def rules_of_all(states: States) -> Rules:
    """Return the rules of the first record.

    Raises:
        ValueError: If there is none.
    """
    if not len(states):
        raise ValueError("states: found none, expected at least one")
    return _rules_of_bytes(states[:1].view(np.uint8)[_RULES_BEGIN:_RULES_END].tobytes())


@lru_cache(maxsize=256)
def _rules_of_bytes(rules: bytes) -> Rules:
    """Return the rules of a record's bytes. Cached, since a single game is encoded in a few microseconds."""
    record = np.zeros(1, STATE)
    record.view(np.uint8)[_RULES_BEGIN:_RULES_END] = np.frombuffer(rules, np.uint8)
    return rules_of(record[0])


def checked_seats(states: States, seats: NDArray[np.integer] | int) -> NDArray[np.int64]:
    """Return one seat for each state, as the kernels take them; that the seats exist is for the kernels to check.

    Raises:
        ValueError: If they are no whole numbers or of another shape.
    """
    chosen = np.asarray(seats)
    if chosen.dtype.kind not in "iu" or chosen.shape not in {(), states.shape}:
        raise ValueError(
            f"seats: found {chosen.dtype} of shape {chosen.shape}, expected whole numbers of shape {states.shape}"
        )
    if chosen.shape:
        return np.ascontiguousarray(chosen, np.int64)
    return np.full(states.shape, chosen, np.int64)


def checked_out(out: NDArray[Any] | None, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Return the uint8 buffer to write to: ``out`` itself, or a new one.

    Raises:
        ValueError: If ``out`` has another shape or is not C-contiguous, or cannot be written to.
    """
    if out is None:
        return np.empty(shape, np.uint8)
    if out.shape != shape or not out.flags.c_contiguous or not out.flags.writeable or out.dtype.kind not in "biuf":
        raise ValueError(
            f"out: found {out.dtype} {out.shape}, expected writeable contiguous uint8 (or another number type) {shape}"
        )
    return out if out.dtype == np.uint8 else np.empty(shape, np.uint8)


def refusal(states: States, seats: NDArray[np.int64], game: int) -> str:
    """Return why the kernel refused a game's record."""
    seat, record = int(seats[game]), states[game]
    expected = rules_of_all(states)
    if rules_of_all(states[game : game + 1]) != expected:
        return f"states: found {rules_of(record)} in game {game}, expected {expected} as in game 0"
    if not 0 <= seat < expected.players:
        return f"seats: found {shown(seat)} in game {game}, expected 0 to {expected.players - 1}"
    found = f"the view of seat {record['viewer']}"
    return f"states: found {found} in game {game}, expected a state or the view of seat {seat}"
