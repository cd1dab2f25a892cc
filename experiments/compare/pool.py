"""Workers: processes that play units, one pipe each.

A worker that finds its pipe closed ends by itself, so that none is left behind when the parent is killed.
"""

import os
import signal
import traceback
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TypeAlias

import numpy as np

from agents import Agent, make
from agents.games import Player
from experiments.compare.config import CompareError, Config, is_timed
from experiments.compare.design import tables_of
from experiments.compare.units import Result, Unit, play_unit
from red7_env.game import Red7Error, Rules, batch

_PATIENCE = 10
"""Seconds that a worker is given to end."""
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


Played: TypeAlias = Generator[tuple[Unit, Result], None, None]
"""Units with their results, as they are finished."""
Play: TypeAlias = Callable[[Sequence[Unit], Config, int], Played]
"""What plays units of a comparison with so many workers: ``played`` here, ``ray_pool.RayPool.played`` elsewhere."""


class WorkerError(Red7Error):
    """A unit that could not be played: an agent failed, or a worker was killed."""


@dataclass(frozen=True)
class Failure:
    """What a worker sends when an agent raises."""

    message: str
    trace: str


@dataclass
class _Worker:
    """A process, our end of its pipe, and what it is playing."""

    process: BaseProcess
    pipe: Connection
    unit: Unit


def played(units: Sequence[Unit], config: Config, workers: int) -> Played:
    """Play units and yield each as soon as it is finished; closing the iterator ends the workers.

    Args:
        units: What is to be played; begun in this order.
        config: The comparison.
        workers: The number of processes; 1 plays in this one.

    Raises:
        WorkerError: If an agent fails or a worker dies.
    """
    set_threads()
    if workers == 1:
        return _played_here(units, config)
    return _played_by_workers(units, config, min(workers, len(units)))


def set_threads() -> dict[str, str]:
    """Give this process and those it starts one thread for sums, unless the user has said otherwise; return how many.

    A network's sums depend on how many threads share them, so each worker has one, however many workers there are.
    """
    return {name: os.environ.setdefault(name, "1") for name in _THREADS}


def agent_cache() -> Callable[[str], Agent]:
    """Return a function that makes the agent of a spec once and then returns the same one.

    It raises SpecError if the spec is refused, and WorkerError if the agent fails otherwise.
    """
    known: dict[str, Agent] = {}

    def agent_of(spec: str) -> Agent:
        if spec not in known:
            try:
                known[spec] = make(spec)
            except Red7Error:
                raise
            except Exception as error:
                raise WorkerError(f"agents: {spec} cannot be made: {type(error).__name__}: {error}") from error
        return known[spec]

    return agent_of


def try_out(agent: Agent, rules: Rules) -> None:
    """Ask an agent for a first move, since a learned one may have no model for these rules.

    Raises:
        CompareError: If it refuses.
        WorkerError: If it fails.
    """
    states = batch.deal(rules, 1)
    player = Player(agent, np.random.default_rng(0))
    seen = states if player.sees_all else batch.views(states, states["to_move"])
    try:
        agent.act(seen, batch.offers(seen), player.rng)
    except Red7Error as error:
        raise CompareError(f"agents: {agent.spec} does not play {rules}: {error}") from error
    except Exception as error:
        raise WorkerError(f"agents: {agent.spec}: {type(error).__name__}: {error}") from error


def attempt(unit: Unit, config: Config, agent_of: Callable[[str], Agent]) -> Result:
    """Play a unit in this process.

    Raises:
        WorkerError: If an agent fails; its cause is what the agent raised.
    """
    try:
        return play_unit(unit, config, agent_of)
    except Exception as error:
        place = f"table {unit.table}, deals {unit.first} to {unit.first + unit.count - 1}"
        raise WorkerError(f"{place}: {type(error).__name__}: {error}") from error


def wake(units: Sequence[Unit], config: Config) -> None:
    """Let each agent play a deal, unless it lives by the clock, so that all code is compiled before workers need it.

    Workers that start together would all compile the same code.

    Raises:
        SpecError: If an agent cannot be made.
        WorkerError: If one fails.
    """
    agent_of = agent_cache()
    fresh = {spec for spec in config.agents if not is_timed(spec)}
    tables = tables_of(config.agents, config.rules.players, config.design)
    for unit in units[: len(tables)]:
        specs = set(tables[unit.table].agents)
        if specs & fresh and not any(map(is_timed, specs)):
            attempt(replace(unit, count=1), config, agent_of)
            fresh -= specs


def _played_here(units: Sequence[Unit], config: Config) -> Played:
    agent_of = agent_cache()
    for unit in units:
        yield unit, attempt(unit, config, agent_of)


def _played_by_workers(units: Sequence[Unit], config: Config, workers: int) -> Played:
    waiting = deque(units)
    busy: dict[object, _Worker] = {}
    idle: list[_Worker] = []
    try:
        while waiting and len(busy) < workers:
            worker = _start(config, waiting.popleft())
            busy[worker.pipe] = worker
        while busy:
            for pipe in wait([worker.pipe for worker in busy.values()]):
                worker = busy.pop(pipe)
                unit, result = worker.unit, _received(worker)
                if waiting:
                    worker.unit = waiting.popleft()
                    worker.pipe.send(worker.unit)
                    busy[worker.pipe] = worker
                else:
                    worker.pipe.close()
                    idle.append(worker)
                yield unit, result
    finally:
        for worker in busy.values():
            worker.process.kill()
            worker.pipe.close()
        for worker in [*busy.values(), *idle]:
            worker.process.join(_PATIENCE)


def _start(config: Config, unit: Unit) -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, config), daemon=True)
    process.start()
    theirs.close()  # or the worker's death would leave this pipe open
    ours.send(unit)
    return _Worker(process, ours, unit)


def _serve(pipe: Connection, config: Config) -> None:
    """Play what comes down the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the parent ends us
    agent_of = agent_cache()
    try:
        while True:
            pipe.send(answer(pipe.recv(), config, agent_of))
    except (EOFError, OSError):
        return


def answer(unit: Unit, config: Config, agent_of: Callable[[str], Agent]) -> Result | Failure:
    """Play a unit in a worker, and return what it sends back."""
    try:
        return attempt(unit, config, agent_of)
    except WorkerError as error:
        return Failure(str(error), "".join(traceback.format_exception(error.__cause__)))


def _received(worker: _Worker) -> Result:
    try:
        return checked(worker.pipe.recv())
    except (EOFError, OSError):
        worker.process.join()
        raise WorkerError(
            f"worker: found it dead (exit status {worker.process.exitcode}) in deals from {worker.unit.first}, "
            "expected its results; --resume goes on from the last finished unit"
        ) from None


def checked(sent: Result | Failure) -> Result:
    """Return the result that a worker has sent.

    Raises:
        WorkerError: If it has sent a failure.
    """
    if isinstance(sent, Failure):
        error = WorkerError(sent.message)
        error.add_note(sent.trace)
        raise error
    return sent
