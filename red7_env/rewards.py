"""What a game pays: zero-sum, so that the rewards of all seats always add up to nothing.

``"win"`` pays the winner 1 and every other of n seats -1/(n-1); if k seats share the win of a match, each has an equal
part of what the others pay. ``"points"`` pays each seat its points less the mean of the other seats' points.
"""

from functools import lru_cache

import numpy as np

from red7_env.game.bits import points_of_word
from red7_env.game.kernels import best_sets
from red7_env.game.state import NOBODY, States


@lru_cache(maxsize=64)
def win_rewards(players: int, winners: int) -> tuple[float, ...]:
    """Return what each seat gets for a game that these seats have won.

    Args:
        players: Number of seats n.
        winners: The k winning seats as bits; k(n-1) is shared out as (n-k) among them, -1/(n-1) goes to the others.
    """
    share = winners.bit_count()
    win = (players - share) / (share * (players - 1))
    return tuple(win if winners >> seat & 1 else -1 / (players - 1) for seat in range(players))


def final_points(states: States) -> list[int]:
    """Return the points of each seat of a finished advanced game: of the match, or of its single round.

    Args:
        states: [1] full state.
    """
    state = states[0]
    if state["match"] or state["winner"] == NOBODY:
        return [points_of_word(word) for word in state["scored"][: state["players"]]]
    sets = np.empty((1, 4), np.uint64)
    best_sets(states, sets)
    return [points_of_word(sets[0, seat]) if seat == state["winner"] else 0 for seat in range(state["players"])]


def point_rewards(points: list[int]) -> tuple[float, ...]:
    """Return each seat's points less the mean of the others'."""
    total, others = sum(points), len(points) - 1
    return tuple(float(own - (total - own) / others) for own in points)


def final_rewards(states: States, reward: str) -> tuple[float, ...]:
    """Return what each seat gets for a finished game.

    Args:
        states: [1] full state of a game that is over.
        reward: ``"win"`` or ``"points"``.
    """
    if reward == "points":
        return point_rewards(final_points(states))
    return win_rewards(int(states[0]["players"]), int(states[0]["winners"]))
