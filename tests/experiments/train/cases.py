"""What the tests of training share."""

from typing import Any

from experiments.train.folder import TrainFolder
from experiments.train.options import config_of
from experiments.train.ppo import Ppo, Steps
from experiments.train.ppo_config import PpoConfig
from experiments.train.progress import Progress
from experiments.train.run import Learner, Standing, train

TINY = {
    "rules": "basic@4x4x3:2p",
    "hidden": (24,),
    "games": 32,
    "steps": 16,
    "minibatch": 128,
    "evaluations": 2,
    "eval_deals": 20,
    "moves": 4000,
    "tensorboard": False,
}
"""Settings of a run that takes seconds."""


def tiny(**more: Any) -> PpoConfig:
    return config_of(PpoConfig, TINY, more)


def after(learner: Ppo, iterations: int, done: float = 0.5) -> Steps:
    """Let PPO learn, and return what it played as it stands before the last steps are moved to the front."""
    for _ in range(iterations - 1):
        learner.advance(done)
    learner.steps.next_iteration = lambda: None
    learner.advance(done)
    return learner.steps


class Nowhere:
    """A stream that keeps nothing."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return False


def trained(learner: Learner, config: PpoConfig, path: Any) -> Standing:
    """Train in a folder that may hold a part of the run already."""
    folder = TrainFolder(path)
    if (path / "config.json").exists():
        folder.take_up()
    else:
        folder.begin({"format": "red7-train/1", "learner": "ppo", "config": {}})
    try:
        return train(learner, config, folder, Progress("test", Nowhere()))
    finally:
        folder.close()
