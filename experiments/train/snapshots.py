"""Opponents that the learner was earlier, chosen by how hard they still are (prioritised fictitious self-play).

Vinyals et al., Grandmaster level in StarCraft II using multi-agent reinforcement learning, 2019: an opponent against
which the share of wins is w is chosen with a weight of (1 - w) to some power.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from agents.learned.networks import PolicyValue, as_input, load_weights, masked, weights_of
from agents.learned.player import drawn
from agents.learned.weights import Tensors

_LEAST = 0.02
"""Weight that even the easiest one has."""
_MEMORY = 0.98
"""What an iteration leaves of the count of games before it: what was hard long ago may not be so now."""


class Snapshots:
    """A pool of earlier policies, of which one plays at a time.

    Attributes:
        taken: How many have been taken so far, those that are gone too.
    """

    def __init__(self, size: int, hardness: float, network: PolicyValue, rng: np.random.Generator) -> None:
        """Make an empty pool.

        Args:
            size: The most that are kept.
            hardness: The power.
            network: One of the right shape, for the pool to use.
            rng: The source of chance.
        """
        self.taken = 0
        self._size, self._hardness = size, hardness
        self._network, self._rng = network, rng
        self._weights: list[Tensors] = []
        self._wins: list[float] = []
        self._games: list[float] = []
        self._now = 0

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._weights)

    def rates(self) -> NDArray[np.float64]:
        """Return the learner's share of wins against each, [S] float64, one half where nothing is known."""
        rates: NDArray[np.float64] = (np.array(self._wins) + 1) / (np.array(self._games) + 2)
        return rates

    def take(self, network: PolicyValue) -> None:
        """Add what a network is now; the easiest one goes if there are too many."""
        if len(self) == self._size:
            easiest = int(self.rates().argmax())
            for kept in (self._weights, self._wins, self._games):
                del kept[easiest]
        self._weights.append(weights_of(network))
        self._wins.append(0.0)
        self._games.append(0.0)
        self.taken += 1

    def choose(self) -> None:
        """Choose who plays from now on."""
        weights = (1 - self.rates()) ** self._hardness + _LEAST
        self._now = int(self._rng.choice(len(self), p=weights / weights.sum()))
        self._wins = [_MEMORY * wins for wins in self._wins]
        self._games = [_MEMORY * games for games in self._games]
        load_weights(self._network, self._weights[self._now])

    def note(self, wins: int, games: int) -> None:
        """Note the learner's results against the one that plays."""
        if games:
            self._wins[self._now] += wins
            self._games[self._now] += games

    @torch.inference_mode()
    def moves(self, obs: NDArray[np.uint8], offered: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the moves of the one that plays, drawn by its chances; [N, size] and [N, A] to [N]."""
        if not len(obs):
            return np.zeros(0, np.int64)
        logits = self._network(as_input(obs))[0]
        return drawn(torch.softmax(masked(logits, torch.from_numpy(offered)), dim=1).numpy(), rng)

    def state(self) -> tuple[Tensors, dict[str, Any]]:
        """Return all that is needed to go on."""
        tensors = {
            f"{number}.{name}": array for number, weights in enumerate(self._weights) for name, array in weights.items()
        }
        return tensors, {"taken": self.taken, "wins": self._wins, "games": self._games, "now": self._now}

    def restore(self, tensors: Tensors, values: Mapping[str, Any]) -> None:
        """Take up a state."""
        self.taken, self._now = int(values["taken"]), int(values["now"])
        self._wins, self._games = list(values["wins"]), list(values["games"])
        names = [name.removeprefix("0.") for name in tensors if name.startswith("0.")]
        self._weights = [{name: tensors[f"{number}.{name}"] for name in names} for number in range(len(self._wins))]
