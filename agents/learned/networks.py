"""The networks: small perceptrons over an observation, in PyTorch."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agents.learned.weights import Model, ModelError, ModelInfo, Tensors
from red7_env.observation import pieces, size

GAINS = {"hidden": 2**0.5, "policy": 0.01, "value": 1.0}
"""Of the orthogonal initial weights: a policy that begins near uniform learns faster."""


class PolicyValue(nn.Module):
    """A policy and a value on a shared trunk."""

    def __init__(self, inputs: int, moves: int, hidden: Sequence[int]) -> None:
        """Make the layers.

        Args:
            inputs: Size of the observation.
            moves: Size of the move space.
            hidden: Widths of the trunk's layers.
        """
        super().__init__()
        self.trunk = trunk(inputs, hidden)
        self.policy = linear(hidden[-1], moves, GAINS["policy"])
        self.value = linear(hidden[-1], 1, GAINS["value"])

    def forward(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits and values.

        Args:
            obs: [N, inputs] float32.

        Returns:
            [N, moves] logits of all moves, offered or not, and [N] values.
        """
        seen = self.trunk(obs)
        return self.policy(seen), self.value(seen).squeeze(-1)


class Value(nn.Module):
    """A single number for a position."""

    def __init__(self, inputs: int, hidden: Sequence[int]) -> None:
        """Make the layers; see ``PolicyValue``."""
        super().__init__()
        self.trunk = trunk(inputs, hidden)
        self.value = linear(hidden[-1], 1, GAINS["value"])

    def forward(self, obs: Tensor) -> Tensor:
        """Return the values, [N], of observations [N, inputs] float32."""
        values: Tensor = self.value(self.trunk(obs)).squeeze(-1)
        return values


def trunk(inputs: int, hidden: Sequence[int]) -> nn.Sequential:
    """Return hidden layers, each followed by a ReLU."""
    layers: list[nn.Module] = []
    for width in hidden:
        layers += [linear(inputs, width, GAINS["hidden"]), nn.ReLU()]
        inputs = width
    return nn.Sequential(*layers)


def linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """Return a layer with orthogonal weights of this gain and no offset."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def masked(logits: Tensor, offered: Tensor) -> Tensor:
    """Return logits whose softmax is 0 where a move is not offered.

    Args:
        logits: [N, A] float32.
        offered: [N, A] bool; every row has an offered move.
    """
    return logits.masked_fill(~offered, -1e9)


def network_of(model: Model) -> PolicyValue | Value:
    """Return the network of a stored model, ready to play.

    Raises:
        ModelError: If the weights are not those of its shape.
    """
    network = new_network(model.info)
    needed = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    found = {name: array.shape for name, array in model.weights.items()}
    if found != needed:
        wrong = min(name for name in needed.keys() | found.keys() if found.get(name) != needed.get(name))
        raise ModelError(
            f"model: found {wrong} of shape {found.get(wrong)} for {model.info.rules}, expected {needed.get(wrong)}"
        )
    load_weights(network, model.weights)
    return network.eval()


def new_network(info: ModelInfo) -> PolicyValue | Value:
    """Return a network with initial weights, drawn by PyTorch's generator."""
    if info.kind == "ppo":
        return PolicyValue(inputs_of(info), info.rules.num_moves, info.hidden)
    return Value(inputs_of(info), info.hidden)


def inputs_of(info: ModelInfo) -> int:
    """Return how many numbers of the observation a network reads: ``dmc`` leaves out the offer at its end."""
    if info.kind == "dmc":
        for piece in pieces(info.rules, info.features):
            if piece.name == "offered_plays":
                return piece.start
    return size(info.rules, info.features)


def weights_of(network: nn.Module) -> Tensors:
    """Return copies of a network's weights by name, as they are stored."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in network.state_dict().items()}


def load_weights(network: nn.Module, weights: Tensors) -> None:
    """Give a network these weights; names and shapes have to be its own."""
    network.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in weights.items()})


def load_narrower(network: nn.Module, weights: Tensors) -> None:
    """Give a network what a narrower one of as many layers knows: it then says the same, and has room to learn more.

    The units that are new keep the weights that they have, and what was there before does not listen to them yet
    (function-preserving widening as in Net2Net, Chen et al., ICLR 2016, but with fresh units instead of copies).

    Args:
        network: With its own initial weights.
        weights: By the same names, no array wider than the network's.
    """
    wide = weights_of(network)
    for name, array in weights.items():
        known = tuple(slice(length) for length in array.shape)
        wide[name][known[0]] = 0
        wide[name][known] = array
    load_weights(network, wide)


def as_input(obs: NDArray[np.uint8]) -> Tensor:
    """Return observations [N, size] uint8 as the float32 tensor that networks read."""
    return torch.from_numpy(obs).to(torch.float32)


def load_network(path: Path, kind: str) -> tuple[ModelInfo, PolicyValue | Value]:
    """Return a stored network and what it is for.

    Raises:
        ModelError: If it cannot be read or is not of this kind.
    """
    from agents.learned.weights import load_model

    model = load_model(path, kind)
    return model.info, network_of(model)
