"""Who may sit at the other seats of a single-agent environment."""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from red7_env.game.errors import shown
from red7_env.game.state import States


@runtime_checkable
class Opponent(Protocol):
    """Something that plays a batch of seats at once, as every agent of this project does."""

    def act(self, views: States, masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a move for every view.

        Args:
            views: [N] records, each what the seat to move knows.
            masks: [N, number of moves] int8, 1 = offered.
            rng: The only source of chance.

        Returns:
            [N] int64 action ids, each of them offered.
        """
        ...


Policy: TypeAlias = Callable[[dict[str, NDArray[Any]]], Any]
"""A function from an observation dict, as PettingZoo's ``observe`` returns it, to an action id."""


class RandomMoves:
    """Plays each offered move with the same chance."""

    def act(self, views: States, masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a random offered move for every view; see ``Opponent``."""
        counts = masks.cumsum(axis=1, dtype=np.int64)
        ranks = (rng.random(len(views)) * counts[:, -1]).astype(np.int64)
        moves: NDArray[np.int64] = (counts > ranks[:, None]).argmax(axis=1)
        return moves


def checked_opponents(opponents: object, count: int) -> "list[Opponent | Policy]":
    """Return one opponent for each of ``count`` seats, in turn order after the learner's.

    Args:
        opponents: None for random moves, one opponent for all seats, or a sequence with one a seat. An opponent is an
            ``Opponent`` or a ``Policy``.
        count: Number of seats.

    Raises:
        ValueError: If there are more or fewer, or one cannot play.
    """
    if opponents is None:
        opponents = RandomMoves()
    listed: list[Any] = list(opponents) if isinstance(opponents, list | tuple) else [opponents] * count
    if len(listed) != count:
        raise ValueError(f"opponents: found {len(listed)}, expected one for all other seats, or {count}")
    for opponent in listed:
        if not isinstance(opponent, Opponent) and not callable(opponent):
            raise ValueError(  # noqa: TRY004 - bad settings are ValueErrors here
                f"opponents: found {shown(opponent)}, expected objects with act(views, masks, rng) or functions"
            )
    return listed
