"""The policy and value network as an ``RLModule`` that gives moves which are not offered no chance."""

from typing import Any

from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from agents.learned.networks import PolicyValue, masked
from experiments.rllib.masked import MASK, OBSERVATION

Batch = dict[str, Any]


class MaskedPolicy(TorchRLModule, ValueFunctionAPI):
    """A masked policy; ``model_config`` has ``hidden``, the widths of its layers.

    RLlib's ``PPOTorchLearner`` trains it: that asks for a distribution of moves and for values, and nothing else.

    Attributes:
        network: As of ``train ppo``, so that its weights may be stored as a model of ``ppo``.
    """

    def setup(self) -> None:
        """Make the network; RLlib calls this once."""
        space: Any = self.observation_space
        moves: Any = self.action_space
        settings: Any = self.model_config
        self.network = PolicyValue(space[OBSERVATION].shape[0], int(moves.n), settings["hidden"])

    def compute_values(self, batch: Batch, embeddings: Any = None) -> Tensor:  # noqa: ANN401, ARG002 - as RLlib calls it
        """Return what the network expects to be paid: [N] float32."""
        values: Tensor = self.network(batch[Columns.OBS][OBSERVATION])[1]
        return values

    def _forward(self, batch: Batch, **_: Any) -> dict[str, Tensor]:  # noqa: ANN401 - as RLlib calls it
        """Return the logits of the moves, [N, A] float32, for exploring, playing and training alike."""
        seen = batch[Columns.OBS]
        logits = self.network(seen[OBSERVATION])[0]
        return {Columns.ACTION_DIST_INPUTS: masked(logits, seen[MASK] != 0)}
