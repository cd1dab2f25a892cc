"""``ppo``: a policy network that learned by self-play, see ``experiments train ppo``.

``ppo`` plays the model that comes with the project for the rules at hand; ``ppo:model=PATH`` plays another. By default
it makes its likeliest move; ``ppo:temperature=1`` makes each move with its chance.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from agents.learned.shipped import shipped
from agents.learned.weights import ModelError, check_rules
from agents.protocol import Masks, Moves
from agents.registry import spec_of
from red7_env.game import Rules, States
from red7_env.game.state import rules_of

if TYPE_CHECKING:
    from agents.learned.player import NetPlayer


class Ppo:
    """Plays a policy network."""

    name = "ppo"

    def __init__(self, *, model: str | None = None, temperature: float = 0.0) -> None:
        """Choose the network and how it plays.

        Args:
            model: Path of a model; the shipped one for the rules if left out.
            temperature: 0: the likeliest move; 1: each move with its chance.

        Raises:
            ModelError: If PyTorch is missing, or the model cannot be read.
        """
        missing = [package for package in ("torch", "safetensors") if find_spec(package) is None]
        if missing:
            raise ModelError(f"ppo: found no {missing[0]}, expected pip install -e '.[train]'")
        self.spec = spec_of(self.name, model=model, temperature=temperature)
        self._path = model
        self._temperature = temperature
        self._players: dict[Rules, NetPlayer] = {}
        if model is not None:
            player = self._load(Path(model), None)
            self._players[player.rules] = player

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:
        """Return a move for every view; see ``protocol.Agent``.

        Raises:
            ModelError: If there is no model for these rules.
        """
        return self._player(views).act(views, masks, rng) if len(views) else np.zeros(0, np.int64)

    def policy(self, views: States, masks: Masks) -> NDArray[np.float64]:
        """Return the probability of every move; see ``protocol.PolicyAgent``.

        Raises:
            ModelError: If there is no model for these rules.
        """
        return self._player(views).policy(views, masks) if len(views) else np.zeros(masks.shape)

    def values(self, views: States, masks: Masks) -> NDArray[np.float64]:
        """Return what each seat to move expects to win, by the network's value; see ``protocol.ValueAgent``.

        It is NaN if the network has learned for points, or its value was not learned (with an oracle critic).

        Raises:
            ModelError: If there is no model for these rules.
        """
        return self._player(views).values(views, masks) if len(views) else np.zeros(0)

    def _player(self, views: States) -> "NetPlayer":
        """Return who plays the rules of these views."""
        rules = rules_of(views[0])
        if rules not in self._players:
            path = shipped(self.name, rules) if self._path is None else Path(self._path)
            self._players[rules] = self._load(path, rules)
        return self._players[rules]

    def _load(self, path: Path, rules: Rules | None) -> "NetPlayer":
        """Return the player of a file; it has to be for these rules, if any are given."""
        from agents.learned.networks import PolicyValue, load_network
        from agents.learned.player import NetPlayer

        info, network = load_network(path, self.name)
        if rules is not None:
            check_rules(info, rules)
        if not isinstance(network, PolicyValue):
            raise ModelError(f"model: found {path.name} without a policy, expected one of {self.name}")
        judges = info.notes.get("reward", "win") == "win" and info.notes.get("critic", "own") == "own"
        return NetPlayer(
            network, info.rules, info.features, temperature=self._temperature, judges=judges, name=self.spec
        )
