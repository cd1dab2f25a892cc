"""Who plays the seats around a learner in a batch of games: one lineup for all, or several by share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from red7_env.game.errors import shown
from red7_env.game.state import States
from red7_env.observation import encode
from red7_env.opponents import Opponent, Policy, checked_opponents
from red7_env.settings import Settings

Lineup: TypeAlias = "Opponent | Policy | Sequence[Opponent | Policy] | None"
"""The opponents of one game: one for all other seats, or one a seat in turn order after the learner's."""

Opponents: TypeAlias = "Lineup | Mapping[Any, float]"
"""One lineup for all games, or lineups with the share of the games that each is to play.

A mapping's keys are single opponents, tuples of them, or None for random moves.
"""


class Asked:
    """Lets a function from an observation dict to an action id play a batch, one call a game."""

    def __init__(self, policy: Policy, settings: Settings) -> None:
        """Wrap a function.

        Args:
            policy: The function.
            settings: How observations are shown to it.
        """
        self.policy = policy
        self._settings = settings

    def act(self, views: States, masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:  # noqa: ARG002 - fixed by the protocol
        """Return the function's move for every view; see ``Opponent``."""
        seen = encode(views, views["to_move"], self._settings.features).astype(self._settings.dtype, copy=False)
        moves = [self.policy({"observation": row, "action_mask": mask.copy()}) for row, mask in zip(seen, masks)]  # noqa: B905 - one a view each
        return np.array(moves, np.int64)


@dataclass(frozen=True)
class Lineups:
    """Lineups as the kernels read them.

    Attributes:
        opponents: All opponents, each once, whatever number of lineups it is in.
        names: One text a lineup, the opponents' specs or names.
        seating: [L, players - 1] int64, the place in ``opponents`` of who sits so many seats after the learner.
        shares: [L] float64, the shares of this and all lineups before it; the last is 1.
    """

    opponents: list[Opponent]
    names: list[str]
    seating: NDArray[np.int64]
    shares: NDArray[np.float64]


def lineups_of(opponents: Opponents, settings: Settings) -> Lineups:
    """Return the lineups that a setting asks for.

    Raises:
        ValueError: If a lineup is too short or too long, somebody cannot play, or a share is no positive number.
    """
    count = settings.rules.players - 1
    shares = opponents if isinstance(opponents, Mapping) else {(): 1.0}
    lineups = list(shares) if isinstance(opponents, Mapping) else [opponents]
    listed = [checked_opponents(lineup, count) for lineup in lineups]
    distinct = {id(opponent): opponent for lineup in listed for opponent in lineup}
    places = {key: place for place, key in enumerate(distinct)}
    return Lineups(
        opponents=[_batched(opponent, settings) for opponent in distinct.values()],
        names=[", ".join(dict.fromkeys(map(name_of, lineup))) for lineup in listed],
        seating=np.array([[places[id(opponent)] for opponent in lineup] for lineup in listed], np.int64),
        shares=_cumulated(list(shares.values())),
    )


def name_of(opponent: object) -> str:
    """Return what an opponent is called: its spec if it has one, else the name of the function or class."""
    for name in (getattr(opponent, "spec", None), getattr(opponent, "__name__", None)):
        if isinstance(name, str):
            return name
    return type(opponent).__name__


def _batched(opponent: "Opponent | Policy", settings: Settings) -> Opponent:
    if isinstance(opponent, Opponent):
        return opponent
    function: Callable[[dict[str, NDArray[Any]]], Any] = opponent
    return Asked(function, settings)


def _cumulated(shares: Sequence[object]) -> NDArray[np.float64]:
    """Return the running sums of shares, scaled to end with 1."""
    for share in shares:
        good = isinstance(share, int | float | np.number) and not isinstance(share, bool)
        if not good or not 0 < share < float("inf"):  # type: ignore[operator]  # it is a number
            raise ValueError(f"opponents: found the share {shown(share)}, expected a number above 0")
    if not shares:
        raise ValueError("opponents: found none with a share, expected at least one")
    sums = np.cumsum(np.array(shares, np.float64))
    return np.asarray(sums / sums[-1])
