"""The environment as RLlib takes it: one seat, with the mask of the offer beside the observation."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

import agents
from red7_env.game import Rules
from red7_env.gym_env import Red7GymEnv

OBSERVATION, MASK = "observation", "action_mask"

Seen: TypeAlias = dict[str, NDArray[Any]]
"""``observation``: [size] float32, and ``action_mask``: [A] int8, 1 = offered."""


class MaskedRed7(gymnasium.Env[Seen, np.int64]):
    """A seat of Red7 that changes from game to game, against an agent at the others.

    Attributes:
        observation_space: ``Dict`` of the two arrays of ``Seen``.
        action_space: ``Discrete`` of the action ids.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Set the game up; a move that is not offered raises.

        Args:
            config: RLlib's ``env_config``: ``rules``, a text as of ``Rules.parse``, and ``opponent``, an agent's spec.
        """
        rules = Rules.parse(config["rules"])
        self._game = Red7GymEnv(
            opponents=agents.make(config["opponent"]),
            seat="rotate",
            num_players=rules.players,
            variant=rules.variant,
            actions=rules.actions,
            match=rules.match,
            deck=rules.deck,
            dtype=np.float32,
        )
        mask = spaces.Box(0, 1, (rules.num_moves,), np.int8)
        both = {OBSERVATION: self._game.observation_space, MASK: mask}
        self.observation_space = spaces.Dict(both)  # type: ignore[assignment]  # dict is invariant in its values
        self.action_space = self._game.action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin a game; see ``Red7GymEnv.reset``."""
        observation, info = self._game.reset(seed=seed, options=options)
        return _seen(observation, info), info

    def step(self, action: np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Do a move; see ``Red7GymEnv.step``."""
        observation, reward, terminated, truncated, info = self._game.step(action)
        return _seen(observation, info), reward, terminated, truncated, info


def _seen(observation: NDArray[Any], info: Mapping[str, Any]) -> Seen:
    return {OBSERVATION: observation, MASK: info["action_mask"]}
