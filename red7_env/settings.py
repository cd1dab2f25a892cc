"""The settings that every environment takes, checked once, in one place."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypedDict

import numpy as np
from numpy.typing import DTypeLike

from red7_env.batch_rewards import Reward, checked_reward
from red7_env.game.errors import shown
from red7_env.game.rules import Rules
from red7_env.observation import FEATURES, Features

Illegal = Literal["terminate", "raise", "eliminate"]
RenderMode = Literal["ansi", "human", "svg", "rgb_array"]

RULES_VERSION: Final = 1
"""Changes whenever a ruling or the shuffle does: the games of a seed are comparable within one version."""

ILLEGAL: Final = ("terminate", "raise", "eliminate")
RENDER_MODES: Final = ("ansi", "human", "svg", "rgb_array")

_DTYPES: Final = ("uint8", "float32")
_UINT8: Final = np.dtype(np.uint8)


@dataclass(frozen=True)
class Settings:
    """What an environment plays and how it shows it.

    Attributes:
        rules: The game.
        reward: ``"win"`` or ``"points"``.
        dtype: Of the observations, uint8 or float32.
        features: The pieces of the observation, ``"base"`` or ``"derived"``.
        illegal: What follows a move that is not offered.
        render_mode: ``"ansi"``, ``"human"``, ``"svg"``, ``"rgb_array"`` or None.

    Raises:
        ValueError: If a value does not exist, or does not go with the rules.
    """

    rules: Rules
    reward: Reward = "win"
    dtype: np.dtype[Any] = _UINT8
    features: Features = "derived"
    illegal: Illegal = "terminate"
    render_mode: RenderMode | None = None

    def __post_init__(self) -> None:
        """Check every value."""
        checked_reward(self.reward, self.rules)
        if self.dtype.name not in _DTYPES:
            raise ValueError(f"dtype: found {self.dtype.name}, expected {' or '.join(_DTYPES)}")
        checked_choice("features", self.features, FEATURES)
        checked_choice("illegal", self.illegal, ILLEGAL)
        checked_choice("render_mode", self.render_mode, (*RENDER_MODES, None))

    @property
    def pays_early(self) -> bool:
        """Whether a seat that is out is paid at once: what it loses is then known, and it cannot come back."""
        return self.reward == "win" and not self.rules.match

    @property
    def loss(self) -> float:
        """What a seat is paid that is out of a single round played for the win."""
        return -1 / (self.rules.players - 1)


def checked_choice(name: str, value: Any, choices: Sequence[str | None]) -> None:  # noqa: ANN401 - it is what is checked
    """Check that a value is one of a few.

    Raises:
        ValueError: If it is not.
    """
    if not (value is None or isinstance(value, str)) or value not in choices:
        raise ValueError(f"{name}: found {shown(value)}, expected {' or '.join(map(repr, choices))}")


def checked_dtype(dtype: object) -> np.dtype[Any]:
    """Return a dtype as given by a type, a name or a dtype; which ones there are is for ``Settings`` to check.

    Raises:
        ValueError: If it is none.
    """
    if dtype is None:
        raise ValueError(f"dtype: found None, expected {' or '.join(_DTYPES)}")
    try:
        return np.dtype(dtype)  # type: ignore[call-overload, no-any-return]  # it is what is checked
    except TypeError:
        raise ValueError(f"dtype: found {shown(dtype)}, expected {' or '.join(_DTYPES)}") from None


class Options(TypedDict, total=False):
    """What every environment may be asked for; ``red7_v0`` describes it."""

    num_players: int
    variant: str
    actions: str | None
    match: bool
    reward: Reward
    deck: tuple[int, int, int]
    dtype: DTypeLike
    illegal: Illegal
    render_mode: RenderMode | None
    features: Features


def settings_of(  # noqa: PLR0913 - what there is to choose
    *,
    num_players: int = 2,
    variant: str = "basic",
    actions: str | None = None,
    match: bool = False,
    reward: Reward = "win",
    deck: tuple[int, int, int] = (7, 7, 7),
    dtype: DTypeLike = np.uint8,
    illegal: Illegal = "terminate",
    render_mode: RenderMode | None = None,
    features: Features = "derived",
) -> Settings:
    """Return the settings of an environment's options.

    Raises:
        ValueError: If a value does not exist, or some do not go together.
    """
    rules = Rules(num_players, variant, actions, match, deck)
    return Settings(rules, reward, checked_dtype(dtype), features, illegal, render_mode)
