"""What every training run is told, whatever learns."""

import platform
from dataclasses import dataclass

from experiments.compare.config import commit, versions
from experiments.train.evaluation import YARDSTICKS
from experiments.train.options import TrainError, changed, duration, option, texts_of, widths
from red7_env.batch_rewards import checked_reward
from red7_env.game import Rules
from red7_env.observation import FEATURES

FORMAT = "red7-train/1"
BUDGET = 900.0
"""Seconds of a run that is told neither time nor moves."""
_MOST = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """What all learners have in common; each adds its own settings.

    Attributes are described by their ``option``.
    """

    rules: str = option("basic:2p", "what is played, such as advanced+revised:4p:match")
    seed: int = option(1, "of the deals and of all chance", low=0, high=_MOST)
    budget: float | None = option(
        None, "time to train, 2m, 15m or 1h; schedules run along with it (15m)", low=1, high=1e7, read=duration
    )
    moves: int | None = option(
        None, "moves to train for instead of a time, so that a run can be repeated bit by bit", low=1, read=int
    )
    reward: str = option("win", "what is learned for", choices=("win", "points"))
    features: str = option("derived", "pieces of the observation", choices=FEATURES)
    hidden: tuple[int, ...] = option((256, 256), "widths of the network's layers", read=widths)
    threads: int = option(1, "threads of PyTorch; with more than one no run can be repeated", low=1, high=256)
    evaluations: int = option(15, "how often the strength is measured, evenly over the run", low=1, high=10_000)
    eval_deals: int = option(500, "deals of an evaluation, each played from all seats", low=1, high=1_000_000)
    save_every: float = option(60.0, "time between checkpoints", low=0, high=1e6, read=duration)
    tensorboard: bool = option(default=True, about="whether to write TensorBoard scalars too")

    @property
    def played(self) -> Rules:
        """The rules as a value.

        Raises:
            RulesError: If there are none of that text.
        """
        return Rules.parse(self.rules)

    @property
    def yardsticks(self) -> tuple[str, ...]:
        """Specs of who the strength is measured against; the last one decides which model is the best."""
        return YARDSTICKS

    def check(self) -> None:
        """Check what hangs together.

        Raises:
            Red7Error: If something does not exist or go together.
        """
        try:
            checked_reward(self.reward, self.played)
        except ValueError as error:
            raise TrainError(str(error)) from None
        if self.budget is not None and self.moves is not None:
            raise TrainError(f"moves: found {self.moves} with a budget of {self.budget:g} s, expected one of the two")

    @property
    def seconds(self) -> float | None:
        """Seconds to train, or None if moves are counted."""
        return None if self.moves is not None else (self.budget or BUDGET)


def described(learner: str, config: TrainConfig) -> dict[str, object]:
    """Return what is written into ``config.json``."""
    return {
        "format": FORMAT,
        "learner": learner,
        "config": texts_of(config),
        "command": command(learner, config),
        "versions": versions(),
        "machine": platform.processor() or platform.machine(),
        "commit": commit(),
    }


def command(learner: str, config: TrainConfig) -> str:
    """Return the command that makes this run, but for its folder."""
    words = [f"--{name.replace('_', '-')} {text}" for name, text in changed(config).items()]
    return " ".join([f"python -m experiments train {learner}", *words])
