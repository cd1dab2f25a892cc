"""PPO of RLlib on its new API stack, with the masked environment and module."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from agents.learned.networks import PolicyValue
from experiments.rllib.masked import MaskedRed7
from experiments.rllib.module import MaskedPolicy
from red7_env.game import Rules


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What is learned.

    Attributes:
        rules: What is played.
        opponent: Spec of the agent at all other seats.
        steps: Moves of the learner in an iteration.
        runners: Actors of the cluster that play; 0 plays in this process.
        games: Games that each of them plays at a time.
        hidden: Widths of the network's layers.
        learning_rate: Of Adam.
        seed: Of all chance.
    """

    rules: Rules
    opponent: str
    steps: int = 4096
    runners: int = 2
    games: int = 16
    hidden: tuple[int, ...] = (256, 256)
    learning_rate: float = 5e-4
    seed: int = 1

    def to_json(self) -> dict[str, object]:
        """Return them as JSON takes them."""
        return asdict(self) | {"rules": str(self.rules)}


class Iteration(NamedTuple):
    """What an iteration has to tell: its number, the games played to their end, their mean reward, and its seconds."""

    number: int
    games: int
    reward: float
    seconds: float


def config_of(settings: Settings) -> PPOConfig:
    """Return RLlib's configuration; Ray has to be connected before it builds."""
    return (
        PPOConfig()
        .environment(MaskedRed7, env_config={"rules": str(settings.rules), "opponent": settings.opponent})
        .env_runners(num_env_runners=settings.runners, num_envs_per_env_runner=settings.games)
        .learners(num_learners=0)  # in this process; more share the batches of a large network
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedPolicy, model_config={"hidden": settings.hidden}))
        .training(
            gamma=1.0,  # a game has no discount
            lambda_=0.95,
            lr=settings.learning_rate,
            entropy_coeff=0.01,
            use_kl_loss=False,
            train_batch_size_per_learner=settings.steps,
            minibatch_size=min(settings.steps, 1024),
            num_epochs=4,
        )
        .debugging(seed=settings.seed, log_level="ERROR")
    )


@contextmanager
def built(settings: Settings) -> Iterator[Algorithm]:
    """Build the algorithm for the time of a ``with`` block."""
    algorithm = config_of(settings).build_algo()
    try:
        yield algorithm
    finally:
        algorithm.stop()


def iterate(algorithm: Algorithm, iterations: int) -> Iterator[Iteration]:
    """Learn, and tell of each iteration."""
    for number in range(1, iterations + 1):
        begun = time.monotonic()
        played: dict[str, Any] = algorithm.train()["env_runners"]
        games, reward = int(played["num_episodes"]), float(played["episode_return_mean"])
        yield Iteration(number, games, reward, time.monotonic() - begun)


def network_of(algorithm: Algorithm) -> PolicyValue:
    """Return the network as it is now."""
    module = algorithm.get_module()
    assert isinstance(module, MaskedPolicy)  # noqa: S101 - as ``config_of`` says
    return module.network
