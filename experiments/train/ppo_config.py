"""What a run of PPO is told."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from agents import entry_of
from agents.learned.weights import ModelInfo
from experiments.compare.config import INTERACTIVE
from experiments.train.config import TrainConfig
from experiments.train.options import TrainError, option
from red7_env.game.errors import shown


@dataclass(frozen=True, kw_only=True)
class PpoConfig(TrainConfig):
    """The settings of PPO; see ``TrainConfig``.

    Numbers that come in pairs are those of the first and of the last iteration, with a straight line between.
    """

    learner: str = option("own", "own: this project's loop; sb3: MaskablePPO of sb3-contrib", choices=("own", "sb3"))
    start: str | None = option(None, "model to begin with, instead of chance", read=str)
    games: int = option(512, "games that go on together", low=1, high=1_000_000)
    steps: int = option(64, "moves of each game in an iteration", low=8, high=100_000)
    epochs: int = option(3, "passes over the moves of an iteration", low=1, high=100)
    minibatch: int = option(1024, "moves in a step of the optimiser", low=2, high=10_000_000)
    learning_rate: float = option(1e-3, "of Adam, at first", low=0, high=1)
    last_learning_rate: float = option(3e-5, "at last", low=0, high=1)
    entropy: float = option(0.03, "weight of the policy's entropy, at first", low=0, high=10)
    last_entropy: float = option(0.002, "at last", low=0, high=10)
    clip: float = option(0.2, "how far a move's chance may change in an iteration", low=0.001, high=10)
    gae: float = option(0.95, "lambda of the advantages", low=0, high=1)
    value_weight: float = option(0.5, "weight of the value's error", low=0, high=100)
    gradient: float = option(1.0, "the longest gradient", low=0.001, high=1e6)
    average: float = option(
        0.97, "how much of the played weights an iteration keeps; the rest is new", low=0, high=0.9999
    )
    greedy: float = option(0.25, "share of the games against greedy", low=0, high=1)
    snapshots: float = option(0.15, "share of the games against what was learned earlier", low=0, high=1)
    pool: int = option(8, "snapshots that are kept; the easiest goes", low=1, high=100)
    snapshot_count: int = option(20, "snapshots that are taken, evenly over the run", low=1, high=100_000)
    hardness: float = option(2.0, "power of the rate of losses by which a snapshot is chosen", low=0, high=20)
    example: str = option("greedy", "agent whose moves are an example at first")
    example_share: float = option(1.0, "share of the decisions about which the example is asked", low=0.001, high=1)
    kickstart: float = option(1.0, "weight of the example, at first", low=0, high=100)
    kickstart_end: float = option(0.05, "part of the run after which the example has no weight", low=0, high=1)
    critic: str = option("own", "what the value sees, oracle: all hands", choices=("own", "oracle"))
    critic_hidden: int = option(128, "width of the oracle critic's layers", low=1, high=8192)
    magnet: float = option(0.0, "weight of the divergence from the averaged policy", low=0, high=100)

    def model_info(self) -> ModelInfo:
        """Return what its models are for, and in the notes what their value has learned."""
        notes = {"reward": self.reward, "critic": self.critic}
        return ModelInfo("ppo", self.played, self.features, self.hidden, notes=notes)  # type: ignore[arg-type]  # is checked

    def check(self) -> None:
        """Check what hangs together; see ``TrainConfig.check``."""
        super().check()
        example = entry_of(self.example)
        if example.cheats or example.name == INTERACTIVE:
            raise TrainError(
                f"example: found {shown(self.example)}, expected an agent that plays by itself and sees no hidden hands"
            )
        if self.learner == "sb3" and (self.critic != "own" or self.magnet > 0):
            raise TrainError("learner: found sb3 with an oracle critic or a magnet, expected own")
        if self.greedy + self.snapshots > 1:
            raise TrainError(
                f"greedy: found {self.greedy:g} and snapshots {self.snapshots:g}, expected at most 1 together"
            )


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "standard": {},
    "selfplay": {"greedy": 0.0, "snapshots": 0.0, "kickstart": 0.0},
    "magnet": {"magnet": 0.1, "entropy": 0.05, "last_entropy": 0.01, "clip": 0.1},
    "oracle-critic": {"critic": "oracle"},
}
