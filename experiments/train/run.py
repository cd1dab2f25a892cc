"""The loop around every learner: time, evaluations, log, checkpoints, and an end that can be gone on from."""

import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

from agents import Agent
from agents.learned.weights import ModelInfo, Tensors
from experiments.train.clock import Clock
from experiments.train.config import TrainConfig
from experiments.train.evaluation import Strength, evaluate
from experiments.train.folder import BEST, LAST, Row, TrainFolder
from experiments.train.progress import Progress, clock


class Learner(Protocol):
    """What learns.

    Attributes:
        info: What its network is for.
        clock: Where its time goes.
        moves: Moves that it has seen made, from its beginning.
    """

    info: ModelInfo
    clock: Clock
    moves: int

    def advance(self, done: float) -> Row:
        """Do one iteration and return what there is to tell.

        Args:
            done: The part of the run that is done, 0 to 1, for schedules.
        """
        ...

    def player(self) -> Agent:
        """Return the agent that it has become, as it is to be measured."""
        ...

    def weights(self) -> Tensors:
        """Return the weights with which that agent plays."""
        ...

    def state(self) -> tuple[Tensors, dict[str, Any]]:
        """Return all that it needs to go on: arrays by name, and values that JSON can hold."""
        ...

    def restore(self, tensors: Tensors, values: Mapping[str, Any]) -> None:
        """Take up a state."""
        ...


@dataclass
class Standing:
    """How far the loop is.

    Attributes:
        done: The part of the run that is done, 0 to 1.
        seconds: Time the run took so far, evaluations and all, in all processes.
        iterations: So many.
        evaluations: So many.
        best: The best share of wins against the last of ``TrainConfig.yardsticks``, in %.
        strengths: The last evaluation.
    """

    done: float = 0.0
    seconds: float = 0.0
    iterations: int = 0
    evaluations: int = 0
    best: float = -1.0
    strengths: list[dict[str, Any]] = field(default_factory=list)

    def measured(self) -> list[Strength]:
        """Return the last evaluation as it was made."""
        return [Strength(**strength) for strength in self.strengths]


class Interrupted(KeyboardInterrupt):
    """The run was stopped by Ctrl-C, after a checkpoint."""


def train(learner: Learner, config: TrainConfig, folder: TrainFolder, progress: Progress) -> Standing:
    """Let a learner learn to the end of its budget.

    Args:
        learner: Who learns, fresh; it takes up the folder's checkpoint if there is one.
        config: The run.
        folder: Its folder, taken.
        progress: Where it shows how far it is.

    Returns:
        How the run ended.

    Raises:
        Interrupted: If it was stopped.
    """
    standing = _taken_up(learner, folder)
    folder.open_log(standing.iterations, tensorboard=config.tensorboard)
    begin, saved = time.monotonic() - standing.seconds, time.monotonic()
    with _stop_gently() as stop:
        while standing.done < 1:
            row = learner.advance(standing.done)
            standing.iterations += 1
            standing.seconds = time.monotonic() - begin
            standing.done = _done(learner, config, standing)
            if standing.done * config.evaluations >= standing.evaluations + 1:
                with learner.clock.time("evaluation"):
                    row |= _evaluated(learner, config, folder, standing)
                standing.evaluations = int(standing.done * config.evaluations)
                standing.seconds = time.monotonic() - begin
            _tell(row, learner, folder, standing, progress)
            if stop or time.monotonic() - saved >= config.save_every:
                _save(learner, folder, standing)
                saved = time.monotonic()
            if stop:
                raise Interrupted
    _finish(learner, config, folder, standing)
    return standing


def _taken_up(learner: Learner, folder: TrainFolder) -> Standing:
    """Return where an earlier process was, after giving the learner its state."""
    found = folder.checkpoint()
    if found is None:
        return Standing()
    tensors, values = found
    learner.restore(tensors, values["learner"])
    return Standing(**values["standing"])


def _done(learner: Learner, config: TrainConfig, standing: Standing) -> float:
    """Return the part of the run that is done."""
    if config.seconds is not None:
        return min(1.0, standing.seconds / config.seconds)
    return min(1.0, learner.moves / (config.moves or 1))


def _evaluated(learner: Learner, config: TrainConfig, folder: TrainFolder, standing: Standing) -> Row:
    """Measure the strength, keep the model if it is the best so far, and return what goes into the log."""
    strengths = evaluate(learner.player(), config.played, config.eval_deals, config.yardsticks)
    standing.strengths = [asdict(strength) for strength in strengths]
    judged = strengths[-1].rate
    if judged > standing.best:
        standing.best = judged
        folder.save_model(BEST, _with_notes(learner.info, standing), learner.weights())
    return {f"{end} {strength.opponent}": round(getattr(strength, end), 3) for strength in strengths for end in _ENDS}


_ENDS = ("rate", "low", "high")


def _tell(row: Row, learner: Learner, folder: TrainFolder, standing: Standing, progress: Progress) -> None:
    """Write a row of the log and show the line."""
    shares = learner.clock.shares()
    speed = learner.moves / max(standing.seconds, 1e-9)
    told = {"iteration": standing.iterations, "seconds": round(standing.seconds, 3), "moves": learner.moves}
    told |= {"moves/s": round(speed, 1)} | {f"time {name}": round(share, 4) for name, share in shares.items()}
    folder.log(told | row)
    left = clock(standing.seconds * (1 - standing.done) / standing.done) if standing.done > 0 else "?"
    work = " ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items())
    measured = ", ".join(map(str, standing.measured())) or "not measured yet"
    progress.show(f"{left} left, {learner.moves:,} moves, {speed:,.0f}/s, {work} | {measured}")


def _save(learner: Learner, folder: TrainFolder, standing: Standing) -> None:
    tensors, values = learner.state()
    folder.save(tensors, {"learner": values, "standing": asdict(standing)})


def _finish(learner: Learner, config: TrainConfig, folder: TrainFolder, standing: Standing) -> None:
    """Write the last model and say that the run is complete."""
    _save(learner, folder, standing)
    folder.save_model(LAST, _with_notes(learner.info, standing), learner.weights())
    folder.finish(asdict(standing) | {"moves": learner.moves, "rules": config.rules})


def _with_notes(info: ModelInfo, standing: Standing) -> ModelInfo:
    told = {"seconds": f"{standing.seconds:.0f}", "iterations": str(standing.iterations)}
    return replace(info, notes=dict(info.notes) | told)


@contextmanager
def _stop_gently() -> Iterator[list[bool]]:
    """Yield a list that is empty until Ctrl-C is pressed; pressed again, it interrupts at once."""
    stop: list[bool] = []

    def note(number: int, frame: object) -> None:  # noqa: ARG001 - as signal handlers are called
        if stop:
            raise KeyboardInterrupt
        stop.append(True)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
