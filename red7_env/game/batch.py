"""Many games at once, on arrays of state records: the checked NumPy face of the kernels.

All games of an array are played by the same rules, those of its first record.
"""

import numpy as np
from numpy.typing import NDArray

from red7_env.game import kernels
from red7_env.game.convert import dealt
from red7_env.game.errors import IllegalMoveError
from red7_env.game.moves import NUM_MOVES, NUM_MOVES_NO_ACTIONS, move_text, move_words
from red7_env.game.rules import Rules
from red7_env.game.seeds import checked_seed, whole
from red7_env.game.state import NO_ACTIONS, NOBODY, STATE, States

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
        out: Where to write, shape (N, number of moves), int8, C-contiguous.

    Returns:
        Masks by action id, shape (N, 101) or with actions (N, 248), int8, 1 = offered; all 0 once a round is over.

    Raises:
        ValueError: If an array has another shape or dtype.
    """
    checked_states(states)
    width = NUM_MOVES_NO_ACTIONS if len(states) and states[0]["edition"] == NO_ACTIONS else NUM_MOVES
    if out is None:
        out = np.empty((len(states), width), np.int8)
    elif out.shape != (len(states), width) or out.dtype != np.int8 or not out.flags.c_contiguous:
        raise ValueError(f"out: found {out.dtype} {out.shape}, expected contiguous int8 {(len(states), width)}")
    kernels.offer_many(states, out.view(np.uint8))
    return out


def play(states: States, actions: NDArray[np.integer], mask: Mask | None = None) -> None:
    """Do one move in every game, in place; a round that ends stays as it ended (see ``next_round``).

    Args:
        states: Full states, shape (N,).
        actions: Action ids, shape (N,).
        mask: What ``offers`` returned for these states, to save computing it again.

    Raises:
        IllegalMoveError: If a move is not offered; no game has changed then.
        ValueError: If an array has another shape or dtype.
    """
    checked_states(states)
    actions = np.ascontiguousarray(actions, np.int64)
    if actions.shape != states.shape:
        raise ValueError(f"actions: found shape {actions.shape}, expected {states.shape}")
    mask = offers(states) if mask is None else mask
    refused = kernels.apply_many(states, actions, mask.view(np.uint8))
    if refused >= 0:
        raise IllegalMoveError(f"game {refused}: {refusal(int(actions[refused]), mask[refused])}")


def next_round(states: States) -> None:
    """Take each match whose round is over to the next round or its end, in place; other games stay as they are."""
    checked_states(states)
    kernels.next_round_many(states)


def views(states: States, seats: NDArray[np.integer] | int) -> States:
    """Return what one seat of each game knows.

    Args:
        states: Full states, shape (N,).
        seats: The seat for each game, shape (N,), or one for all.

    Returns:
        Views, shape (N,), dtype ``STATE``; see the module ``views``.

    Raises:
        ValueError: If there is no such seat, or an array has another shape or dtype.
    """
    checked_states(states)
    chosen = np.ascontiguousarray(np.broadcast_to(np.asarray(seats, np.int64), states.shape))
    if len(states) and not (chosen.min() >= 0 and chosen.max() < states[0]["players"]):
        raise ValueError(f"seats: found {chosen.min()} to {chosen.max()}, expected 0 to {states[0]['players'] - 1}")
    seen = states.copy()
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
        raise ValueError("views: found a full state, expected views")
    worlds = seen.copy()
    kernels.determinise_many(worlds, checked_seed(seed), checked_seed(first, "first"))
    return worlds


def playout(states: States, seed: int, first: int = 0) -> int:
    """Play every game to its end, matches included, by uniformly random offered moves, in place; return the moves made.

    Raises:
        ValueError: If a number is out of range, or an array has another shape or dtype.
    """
    checked_states(states)
    return int(kernels.playout_many(states, checked_seed(seed), checked_seed(first, "first")))


def checked_states(states: States) -> None:
    """Check what the kernels trust.

    Raises:
        ValueError: Unless it is a C-contiguous vector of ``STATE``.
    """
    if states.dtype != STATE or states.ndim != 1 or not states.flags.c_contiguous:
        raise ValueError(f"states: found {states.dtype} {states.shape}, expected a contiguous vector of STATE")


def refusal(action: int, mask: Mask) -> str:
    """Return the words for a move that is not offered: what was found, and what was expected."""
    offered = " ".join(move_text(move) for move in np.flatnonzero(mask).tolist())
    known = f"{move_text(action)} ({move_words(action)})" if 0 <= action < NUM_MOVES else f"id {action}"
    return f"found {known}, expected {f'one of {offered}' if offered else 'no move: the round is over'}"
