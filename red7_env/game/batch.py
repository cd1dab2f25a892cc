"""Many games at once, on arrays of state records: the checked NumPy face of the kernels.

All games of an array are played by the same rules, those of its first record. Shapes, dtypes and numbers are checked;
the bytes of the records are trusted.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7_env.game import kernels
from red7_env.game.convert import dealt
from red7_env.game.errors import IllegalMoveError, shown
from red7_env.game.moves import NUM_MOVES, NUM_MOVES_NO_ACTIONS, move_text, move_words
from red7_env.game.rules import Rules
from red7_env.game.seeds import checked_seed, whole
from red7_env.game.state import MAX_SEATS, NO_ACTIONS, NOBODY, STATE, States, copy_of

Mask = NDArray[np.int8]


def deal(rules: Rules, count: int, seed: int = 0, first: int = 0) -> States:
    """Return games ``first .. first + count - 1`` of a seed.

    Args:
        rules: What is played.
        count: Number of games.
        seed: 0 to 2**64 - 1.
        first: Number of the first game; game k of a seed is the same however it is dealt.

    Returns:
        States, shape (count,), each at the start of its first turn.

    Raises:
        ValueError: If a number is out of range.
    """
    return dealt(rules, whole(count, "count"), int(checked_seed(seed)), int(checked_seed(first, "first")))


def offers(states: States, out: Mask | None = None) -> Mask:
    """Return what each seat to move is offered.

    Args:
        states: States or views of seats to move, shape (N,).
        out: Where to write, shape (N, number of moves), int8, C-contiguous and writable.

    Returns:
        Masks by action id, shape (N, 101) or with actions (N, 248), int8, 1 = offered; all 0 once a round is over.
        Without any game nothing tells the width, and it is 248.

    Raises:
        ValueError: If an array has another shape or dtype.
    """
    checked_states(states)
    if not len(states) and out is not None:
        return out
    shape = (len(states), _width(states))
    if out is None:
        out = np.empty(shape, np.int8)
    else:
        _check_array(out, "out", np.dtype(np.int8), shape, written=True)
    # Another type of array, such as a read-only one, would be compiled for anew.
    odd = kernels.offer_many(states if _is_plain(states) else states.copy(), out.view(np.uint8))
    if odd >= 0:
        raise ValueError(f"states: found game {odd} with actions and game 0 without, expected the same rules in all")
    return out


def play(states: States, actions: NDArray[np.integer], mask: Mask | None = None) -> None:
    """Do one move in every game, in place; a round that ends stays as it ended (see ``next_round``).

    Args:
        states: Full states, shape (N,).
        actions: Action ids, shape (N,).
        mask: What ``offers`` returned for these states, to save computing it again.

    Raises:
        IllegalMoveError: If a move is not offered; no game has changed then.
        ValueError: If a record is a view, or an array has another shape or dtype.
    """
    checked_states(states, written=True)
    actions = _whole_numbers(actions, "actions", states.shape)
    if not len(states):
        return
    if mask is None:
        mask = offers(states)
    else:
        _check_array(mask, "mask", np.dtype(np.int8), (len(states), _width(states)))
        mask = mask if mask.flags.writeable else mask.copy()
    refused = kernels.apply_many(states, actions, mask.view(np.uint8))
    if refused >= 0:
        _check_full(states[refused : refused + 1])
        raise IllegalMoveError(f"game {refused}: {refusal(int(actions[refused]), mask[refused])}")


def next_round(states: States) -> None:
    """Take each match whose round is over to the next round or its end, in place; other games stay as they are.

    Raises:
        ValueError: If a record is a view, or an array has another shape or dtype.
    """
    checked_states(states, written=True)
    _check_full(states)
    kernels.next_round_many(states)


def points(states: States) -> NDArray[np.int64]:
    """Return the points of every seat: of a match so far, of a finished advanced round, else 0.

    Args:
        states: States or views, shape (N,).

    Returns:
        Shape (N, players), int64; without any game nothing tells the players, and there are 4.

    Raises:
        ValueError: If the array has another shape or dtype.
    """
    checked_states(states)
    found = np.zeros((len(states), int(states[0]["players"]) if len(states) else MAX_SEATS), np.int64)
    kernels.points_many(states if _is_plain(states) else copy_of(states), found)
    return found


def views(states: States, seats: NDArray[np.integer] | int) -> States:
    """Return what one seat of each game knows.

    Args:
        states: Full states, shape (N,).
        seats: The seat for each game, shape (N,), or one for all.

    Returns:
        Views, shape (N,), dtype ``STATE``; see the module ``views``.

    Raises:
        ValueError: If there is no such seat, a record is a view already, or an array has another shape or dtype.
    """
    checked_states(states)
    _check_full(states)
    chosen = _whole_numbers(seats, "seats", states.shape)
    if len(states) and not (chosen.min() >= 0 and chosen.max() < states[0]["players"]):
        raise ValueError(f"seats: found {chosen.min()} to {chosen.max()}, expected 0 to {states[0]['players'] - 1}")
    seen = copy_of(states)
    kernels.hide_many(seen, chosen)
    return seen


def determinise(seen: States, seed: int, first: int = 0) -> States:
    """Return a full state that fits each view, uniformly over all that do.

    "Fits" is about where the cards can be, and that the seat to move could have made the moves of its present turn; it
    draws no conclusions from what a player would hardly have done.

    Args:
        seen: Views, shape (N,); repeat one to draw many worlds.
        seed: 0 to 2**64 - 1.
        first: Number of the first world; world k of a seed and view is always the same.

    Raises:
        ValueError: If a record is no view, or an array has another shape or dtype.
    """
    checked_states(seen)
    if len(seen) and (seen["viewer"] == NOBODY).any():
        raise ValueError("states: found a full state, expected views")
    worlds = copy_of(seen)
    kernels.determinise_many(worlds, checked_seed(seed), checked_seed(first, "first"))
    return worlds


def playout(states: States, seed: int, first: int = 0) -> int:
    """Play every game to its end, matches included, by uniformly random offered moves, in place; return the moves made.

    Raises:
        ValueError: If a record is a view, a number is out of range, or an array has another shape or dtype.
    """
    checked_states(states, written=True)
    _check_full(states)
    return int(kernels.playout_many(states, checked_seed(seed), checked_seed(first, "first")))


def checked_states(states: States, *, written: bool = False) -> None:
    """Check what the kernels trust.

    Args:
        states: What must be a C-contiguous vector of ``STATE``.
        written: Whether it must be writable too.

    Raises:
        ValueError: If it is not.
    """
    _check_array(states, "states", STATE, None, written=written)


def refusal(action: int, mask: Mask) -> str:
    """Return the words for a move that is not offered: what was found, and what was expected."""
    offered = " ".join(move_text(move) for move in np.flatnonzero(mask).tolist())
    known = f"{move_text(action)} ({move_words(action)})" if 0 <= action < NUM_MOVES else f"id {action}"
    return f"found {known}, expected {f'one of {offered}' if offered else 'no move: the round is over'}"


def _check_array(
    array: object, name: str, dtype: np.dtype[Any], shape: tuple[int, int] | None, *, written: bool = False
) -> None:
    """Check for a C-contiguous array of this dtype and shape; a shape of None stands for any vector."""
    form = "STATE" if dtype == STATE else dtype.name
    expected = f"a contiguous vector of {form}" if shape is None else f"contiguous {form} {shape}"
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{name}: found {shown(array)}, expected {expected}")  # noqa: TRY004 - as all bad arguments
    fits = array.ndim == 1 if shape is None else array.shape == shape
    if array.dtype != dtype or not fits or not array.flags.c_contiguous:
        found = "STATE" if array.dtype == STATE else array.dtype.name
        gaps = "" if array.flags.c_contiguous else ", not contiguous"
        raise ValueError(f"{name}: found {found} {array.shape}{gaps}, expected {expected}")
    if written and not array.flags.writeable:
        raise ValueError(f"{name}: found a read-only array, expected one to write to")


def _is_plain(states: States) -> bool:
    """Tell whether the kernels are compiled for arrays like this one already."""
    return states.flags.writeable and states.flags.aligned


def _check_full(states: States) -> None:
    if (states["viewer"] != NOBODY).any():
        raise ValueError("states: found a view, expected full states")


def _width(states: States) -> int:
    """Return the number of moves of the rules that are played."""
    return NUM_MOVES_NO_ACTIONS if len(states) and states[0]["edition"] == NO_ACTIONS else NUM_MOVES


def _whole_numbers(values: object, name: str, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Return one number for each game as the kernels take them; a single number stands for all."""
    array = np.asarray(values)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name}: found {array.dtype.name}, expected whole numbers")
    if array.shape not in {(), shape}:
        raise ValueError(f"{name}: found shape {array.shape}, expected {shape}")
    return np.ascontiguousarray(np.broadcast_to(array, shape), np.int64)
