"""How a policy network plays: its likeliest move, or moves by chance."""

from typing import Final, cast

import numpy as np
import torch
from numpy.typing import NDArray

from agents.learned.networks import PolicyValue, as_input, masked
from agents.protocol import Masks, Moves
from red7_env.game import Rules, States
from red7_env.game.moves import PASS
from red7_env.observation import Features, encode

ARGMAX: Final = 0.0
"""The temperature at which the likeliest move is always played."""


def without_pass(masks: Masks, rules: Rules) -> NDArray[np.bool_]:
    """Return the moves worth a thought: in basic the voluntary pass only loses, so it is left out where it can be.

    Args:
        masks: [N, A] int8, 1 = offered.
        rules: What is played.

    Returns:
        [N, A] bool, a new array; every row has a move.
    """
    chosen = masks.astype(np.bool_)
    if not rules.advanced:
        chosen[:, PASS] &= masks.sum(axis=1) == 1
    return chosen


def drawn(chances: NDArray[np.floating], rng: np.random.Generator) -> Moves:
    """Return one column of each row, [N] int64, drawn with the chance of its weight, and never one of no weight.

    Args:
        chances: [N, A] weights, none negative.
        rng: The source of chance.
    """
    sums = chances.cumsum(axis=1, dtype=np.float64)
    # The first column whose sum exceeds a number below the last sum has a weight.
    marks = np.minimum(rng.random(len(chances)) * sums[:, -1], np.nextafter(sums[:, -1], 0))
    return cast("Moves", (sums > marks[:, None]).argmax(axis=1).astype(np.int64, copy=False))


def shares_of(paid: NDArray[np.float64], players: int) -> NDArray[np.float64]:
    """Return which part of the win, 0 to 1, is worth what is paid: a share s pays (s * n - 1) / (n - 1) among n."""
    shares: NDArray[np.float64] = np.clip((paid * (players - 1) + 1) / players, 0, 1)
    return shares


class NetPlayer:
    """Lets a policy network play.

    Attributes:
        name: What it is called.
        spec: The same.
        rules: What it plays.
    """

    def __init__(
        self,
        network: PolicyValue,
        rules: Rules,
        features: Features,
        *,
        temperature: float = ARGMAX,
        judges: bool = True,
        name: str = "network",
    ) -> None:
        """Seat a network.

        Args:
            network: Of a policy and a value.
            rules: What it plays.
            features: The pieces of the observation that it reads.
            temperature: ``ARGMAX`` plays the likeliest move; 1 each with its chance; more is flatter.
            judges: Whether its value has learned what the environment pays for a win; see ``values``.
            name: What it is called.
        """
        self.name = self.spec = name
        self._network = network
        self.rules = rules
        self._features: Features = features
        self._temperature = temperature
        self._judges = judges

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:
        """Return a move for every view; see ``protocol.Agent``."""
        if not len(views):
            return np.zeros(0, np.int64)
        if self._temperature == ARGMAX:
            best: Moves = self._log_chances(views, masks).argmax(axis=1).astype(np.int64, copy=False)
            return best
        return drawn(self.policy(views, masks), rng)

    def policy(self, views: States, masks: Masks) -> NDArray[np.float64]:
        """Return the probability of every move; see ``protocol.PolicyAgent``."""
        if not len(views):
            return np.zeros(masks.shape)
        log_chances = self._log_chances(views, masks).astype(np.float64)
        if self._temperature == ARGMAX:
            certain: NDArray[np.float64] = np.eye(masks.shape[1])[log_chances.argmax(axis=1)]
            return certain
        chances = np.exp(log_chances) * (masks != 0)
        return cast("NDArray[np.float64]", chances / chances.sum(axis=1, keepdims=True))

    def values(self, views: States, masks: Masks) -> NDArray[np.float64]:  # noqa: ARG002 - the view holds the offer
        """Return what each seat to move expects to win; see ``protocol.ValueAgent``.

        The network has learned what is paid: 1 for a win, -1 / (players - 1) for a loss, and in between where a win is
        shared. It estimates that among those it learned with, who play by chance, and it may overshoot a little.
        """
        if not len(views) or not self._judges:
            return np.full(len(views), np.nan)
        with torch.inference_mode():
            paid = self._network(self._seen(views))[1].numpy().astype(np.float64)
        return shares_of(paid, self.rules.players)

    def _log_chances(self, views: States, masks: Masks) -> NDArray[np.float32]:
        scale = self._temperature or 1.0
        with torch.inference_mode():
            logits = self._network(self._seen(views))[0] / scale
            offered = torch.from_numpy(without_pass(masks, self.rules))
            return cast("NDArray[np.float32]", torch.log_softmax(masked(logits, offered), dim=1).numpy())

    def _seen(self, views: States) -> torch.Tensor:
        return as_input(encode(views, views["to_move"], self._features))
