"""What a trained responder wins on fresh deals from the agent that it learned to beat."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from agents import make
from agents.dmc import Dmc
from agents.table import CHUNK
from experiments.compare.folder import write_json
from experiments.train.dmc_config import RESPONDER, DmcConfig
from experiments.train.evaluation import DEALS_SEED, Strength, strength_of, wins
from experiments.train.folder import BEST, Row
from experiments.train.options import TrainError

FRESH_SEED: Final = 2_000_000_033
"""Seed of the deals of the last measurement; no run trains on them, and no weights are chosen by them."""

MEASURED: Final = "measured.json"


@dataclass(frozen=True)
class Point:
    """An evaluation on the way.

    Attributes:
        seconds: Time the run had taken.
        moves: Turns of the responder that it had learned from, and positions of a fitted start.
        rate: What it won, in %.
        low: The lower end of the 95 % interval.
        high: The upper end.
    """

    seconds: float
    moves: int
    rate: float
    low: float
    high: float


@dataclass(frozen=True)
class Response:
    """The results of a run.

    Attributes:
        against: Spec of the agent.
        rules: What was played.
        command: The command that trains and measures the same.
        wins: What the responder won on fresh deals, from every seat.
        fair: What a copy of the agent would win, in %.
        seconds: Time to train.
        moves: See ``Point``.
        curve: The evaluations on the way.
    """

    against: str
    rules: str
    command: str
    wins: Strength
    fair: float
    seconds: float
    moves: int
    curve: tuple[Point, ...]

    @property
    def nash_conv(self) -> tuple[float, float, float] | None:
        """What both seats together win by best responses, at least, with its interval; only of two players."""
        if self.fair != 100 / 2:
            return None
        rate, low, high = (share / 25 - 2 for share in (self.wins.rate, self.wins.low, self.wins.high))
        return rate, low, high

    def to_json(self) -> dict[str, Any]:
        """Return the results as JSON takes them."""
        return asdict(self) | {"nash_conv": self.nash_conv}


def check_seed(seed: int) -> None:
    """Make sure that training uses other deals than what measures it.

    Raises:
        TrainError: If it does not.
    """
    if seed in {FRESH_SEED, DEALS_SEED}:
        raise TrainError(f"seed: found {seed}, expected another one: its deals are those of the measurements")


def measured(config: DmcConfig, folder: Path, deals: int, told: Callable[[int], None]) -> Strength:
    """Return what a trained responder wins on fresh deals, each played from every seat.

    What is finished is kept in the folder, so a measurement that was stopped goes on.

    Args:
        config: The run.
        folder: Its folder, with the responder.
        deals: How many.
        told: Is told the number of finished deals now and then.

    Raises:
        Red7Error: If an agent cannot play.
    """
    agent, path = make(str(config.against)), folder / MEASURED
    responder = Dmc(model=str(folder / BEST))
    responder.spec = RESPONDER  # so that the agent's chance does not hang on the name of the folder
    won = _kept(path, deals)
    while len(won) < deals:
        told(len(won))
        chunk = range(len(won), min(len(won) + CHUNK, deals))
        won += wins(responder, agent, config.played, chunk, FRESH_SEED).tolist()
        write_json(path, won)
    return strength_of(agent.spec, won)


def curve_of(rows: list[Row]) -> tuple[Point, ...]:
    """Return the evaluations in the log of a run."""
    found = []
    for row in rows:
        ends = {name.split(" ")[0]: value for name, value in row.items() if name.startswith(("rate ", "low ", "high "))}
        if ends:
            found.append(Point(seconds=row["seconds"], moves=row["moves"], **ends))
    return tuple(found)


def _kept(path: Path, deals: int) -> list[float]:
    """Return what was won of each deal that was played before: whole chunks, or all of them."""
    found: Any = []
    with suppress(OSError, ValueError):
        found = json.loads(path.read_text())
    good = isinstance(found, list) and len(found) <= deals and all(isinstance(share, float) for share in found)
    return found if good and (len(found) == deals or len(found) % CHUNK == 0) else []
