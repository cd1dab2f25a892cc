"""What a learned value says of the turns of many seats: each is listed, and the position after it judged."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from agents.learned.afterstates import MOST_MOVES, MOST_TURNS, list_afterstates
from agents.learned.first_layer import first_layer
from agents.learned.networks import Value, inputs_of, load_network
from agents.learned.weights import ModelInfo
from red7_env.game import STATE, States
from red7_env.observation import size
from red7_env.observation.table import layout

_ROWS = 8 * MOST_TURNS
"""Turns that are judged in one go."""


@dataclass(frozen=True)
class Listed:
    """The turns of some views, one behind the other. The arrays are overwritten by the next ones.

    Attributes:
        views: Which views of the call these are.
        ends: [n] int64, the row after the last turn of each view.
        turns: [M, MOST_MOVES] uint8, their moves.
        values: [M] float64, the part of the game that the mover can expect to win, 0 to 1.
        sure: [M] bool, whether that is certain by the rules and not the network's word.
        seen: [M, inputs] uint8, what the mover sees after each turn, as the network reads it.
    """

    views: slice
    ends: NDArray[np.int64]
    turns: NDArray[np.uint8]
    values: NDArray[np.float64]
    sure: NDArray[np.bool_]
    seen: NDArray[np.uint8]


class TurnValues:
    """Lists turns and asks a network what they are worth.

    Attributes:
        info: What the network is for.
        inputs: How many numbers it reads.
    """

    def __init__(self, info: ModelInfo, network: Value) -> None:
        """Make room.

        Args:
            info: What the network is for.
            network: It returns logits of the part of the game that is won.
        """
        self.info = info
        self.inputs = inputs_of(info)
        self._network = network
        self._layout = layout(info.rules, info.features)
        self._room, self._after = np.zeros(MOST_MOVES + 1, STATE), np.zeros(_ROWS, STATE)
        self._turns = np.zeros((_ROWS, MOST_MOVES), np.uint8)
        self._values = np.zeros(_ROWS)
        # Rows of whole words, so that they are compared eight bytes at a time.
        self._out = np.zeros((_ROWS, -(-size(info.rules, info.features) // 8) * 8), np.uint8)
        self._sums = np.zeros((_ROWS, info.hidden[0]), np.float32)
        self.renew()

    def renew(self) -> None:
        """Take up the network's weights anew, after they have changed."""
        layer = cast("nn.Linear", self._network.trunk[0])
        self._columns = np.ascontiguousarray(layer.weight.detach().numpy().T)
        self._offsets = layer.bias.detach().numpy().copy()

    def of(self, views: States) -> Iterator[Listed]:
        """Yield the turns of views in their order, as many views at a time as there is room for.

        Args:
            views: [N] views of the seats to move, by the network's rules.
        """
        ends = np.empty(len(views), np.int64)
        first = 0
        while first < len(views):
            until = list_afterstates(
                views, first, self._layout, self._room, self._turns, self._after, self._values, ends, self._out
            )
            rows = int(ends[until - 1])
            seen, values = self._out[:rows, : self.inputs], self._values[:rows]
            sure = ~np.isnan(values)
            yield Listed(
                slice(first, until),
                ends[first:until],
                self._turns[:rows],
                np.where(sure, values, self.judged(rows, ends[first:until])),
                sure,
                seen,
            )
            first = until

    def judged(self, rows: int, ends: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the network's values, 0 to 1, of the listed positions.

        Args:
            rows: How many there are.
            ends: [n] int64, the row after the last turn of each view.
        """
        first_layer(self._out[:rows].view(np.uint64), ends, self._columns, self._offsets, self._sums)
        with torch.inference_mode():
            hidden = self._network.trunk[1:](torch.from_numpy(self._sums[:rows]))
            logits = self._network.value(hidden).squeeze(-1)
            values: NDArray[np.float64] = torch.sigmoid(logits).numpy().astype(np.float64)
        return values


def load_values(path: Path) -> TurnValues:
    """Return what a stored network says of turns.

    Raises:
        ModelError: If it cannot be read, or is not of kind ``dmc``.
    """
    info, network = load_network(path, "dmc")
    assert isinstance(network, Value)  # noqa: S101 - the kind says so
    return TurnValues(info, network)
