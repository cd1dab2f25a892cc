"""A run: what is learned is kept after every iteration, and measured in the end."""

from collections.abc import Iterator
from pathlib import Path

from agents import spec_of
from agents.learned.networks import weights_of
from agents.learned.player import NetPlayer
from agents.learned.weights import ModelInfo, save_model
from experiments.compare.folder import write_json
from experiments.rllib.learn import Settings, built, iterate, network_of
from experiments.train.evaluation import evaluate

LOG, MODEL = "log.json", "model.safetensors"
_DEALS = 250


def run(settings: Settings, iterations: int, path: Path) -> Iterator[str]:
    """Learn, and yield lines that say how it goes.

    Args:
        settings: What is learned.
        iterations: How long.
        path: The folder for the log and the model.
    """
    info, rows = ModelInfo("ppo", settings.rules, hidden=settings.hidden), []
    with built(settings) as algorithm:
        for told in iterate(algorithm, iterations):
            rows.append(told._asdict())
            write_json(path / LOG, rows)
            network = network_of(algorithm)
            save_model(path / MODEL, info, weights_of(network))
            yield f"{told.number}: {told.games} games, mean reward {told.reward:+.3f}, {told.seconds:.1f} s"
        player = NetPlayer(network, settings.rules, info.features)
        for strength in evaluate(player, settings.rules, _DEALS):
            yield f"wins % against {strength}"
    yield f"it plays as {spec_of('ppo', model=str(path / MODEL))}"
