"""Workers on a Ray cluster: an actor a CPU, which come and go with the nodes.

A unit comes out the same on whichever worker, so one whose worker is lost, alone or with its node, is simply given to
another. Workers are started for CPUs that join the cluster too. Before a worker is given units it checks that it has
the same sources, package versions and files as the process that hands them out.
"""

import os
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from experiments.cluster import (
    MOST_LOSSES,
    Cluster,
    ClusterError,
    actor,
    code_identity,
    difference,
    first_of_the_node,
    unfit,
)
from experiments.compare.config import Config, files_named
from experiments.compare.pool import Failure, Played, WorkerError, agent_cache, answer, checked, wake
from experiments.compare.units import Result, Unit, units_of

_LOOK, _NOTICE = 5.0, 30.0
"""Seconds between looks at how large the cluster is, and before it is said that no CPU is free."""


class RayPool:
    """Plays units on a cluster; ``played`` is a ``pool.Play``."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def played(self, units: Sequence[Unit], config: Config, workers: int) -> Played:
        """Play units and yield each as soon as it is finished; closing the iterator ends the workers.

        Args:
            units: What is to be played; begun in this order.
            config: The comparison.
            workers: How many there are to begin with.

        Raises:
            WorkerError: If an agent fails, or a unit has cost ``MOST_LOSSES`` workers.
            ClusterError: If a worker is not fit for the work.
        """
        waiting, losses = deque(units), Counter[int]()
        crew = _Crew(self._cluster, config, workers)
        try:
            while waiting or crew.busy:
                crew.hire(len(waiting))
                finished = []
                for unit, sent in crew.returned():
                    if sent is not None:
                        finished.append((unit, sent))
                        continue
                    losses[unit.number] += 1
                    if losses[unit.number] == MOST_LOSSES:
                        raise WorkerError(f"worker: found {MOST_LOSSES} lost in deals from {unit.first}, expected none")
                    waiting.appendleft(unit)
                crew.give(waiting)
                for unit, sent in finished:
                    yield unit, checked(sent)
        finally:
            crew.dismiss()


class Player:
    """What a worker is: an object in a process on some node."""

    def __init__(self, folder: str) -> None:
        """Begin.

        Args:
            folder: Where the command was given, so that paths in specs mean the same where the node has it.
        """
        with suppress(OSError):
            os.chdir(folder)
        self._agent_of = agent_cache()

    def ready(self, config: Config, expected: Mapping[str, Any], *, compiles: bool) -> str | None:
        """Make ready to play.

        Args:
            config: The comparison.
            expected: ``identity`` of the process that hands out the units.
            compiles: Whether code may have to be compiled on this node, which its workers do only once.

        Returns:
            What keeps this worker from playing, if anything does.
        """
        fault = difference(identity(config), expected)
        if fault is None and compiles:
            with first_of_the_node() as first:
                if first:
                    wake(units_of(config), config)
        return fault

    def play(self, unit: Unit, config: Config) -> Result | Failure:
        """Play a unit; see ``pool.answer``."""
        return answer(unit, config, self._agent_of)


def identity(config: Config) -> dict[str, Any]:
    """Return what has to be the same in all processes that play a comparison."""
    return code_identity() | {f"file {name}": value for name, value in files_named(config.agents).items()}


class _Crew:
    """The workers of a cluster, and what each is doing.

    Attributes:
        busy: The worker and the unit of each answer that is waited for.
    """

    def __init__(self, cluster: Cluster, config: Config, workers: int) -> None:
        self._cluster, self._config, self._wanted = cluster, config, workers
        self._expected = identity(config)
        self._starting: dict[Any, Any] = {}
        self._idle: list[Any] = []
        self.busy: dict[Any, tuple[Any, Unit]] = {}
        self._failed = 0
        self._looked = self._worked = time.monotonic()

    def hire(self, waiting: int) -> None:
        """Start as many workers as there are CPUs, and units left for them."""
        now = time.monotonic()
        if now - self._looked >= _LOOK:
            self._looked, self._wanted = now, self._cluster.workers
        there = len(self._starting) + len(self._idle) + len(self.busy)
        for _ in range(min(self._wanted, waiting + len(self.busy)) - there):
            worker = actor(Player, str(Path.cwd()))
            self._starting[worker.ready.remote(self._config, self._expected, compiles=self._cluster.ships)] = worker

    def give(self, waiting: deque[Unit]) -> None:
        """Give units to workers that have none."""
        while waiting and self._idle:
            worker, unit = self._idle.pop(), waiting.popleft()
            self.busy[worker.play.remote(unit, self._config)] = worker, unit

    def returned(self) -> Iterator[tuple[Unit, Result | Failure | None]]:
        """Wait a while, and yield the units that are through: what was sent, None if the worker was lost.

        Raises:
            ClusterError: If a worker that was started is not fit for the work.
        """
        import ray

        done, _ = ray.wait([*self._starting, *self.busy], num_returns=1, timeout=_LOOK)
        for ref in done:
            if ref in self._starting:
                self._started(ref)
                continue
            worker, unit = self.busy.pop(ref)
            try:
                sent: Result | Failure = ray.get(ref)
            except ray.exceptions.RayTaskError as error:
                raise unfit(error) from error
            except ray.exceptions.RayError:
                yield unit, None
            else:
                self._idle.append(worker)
                yield unit, sent
        self._say_if_idle()

    def dismiss(self) -> None:
        """End all workers."""
        import ray

        workers = [*self._starting.values(), *self._idle, *(worker for worker, _ in self.busy.values())]
        for worker in workers:
            with suppress(Exception):  # the cluster may be gone, and with it the worker
                ray.kill(worker)

    def _started(self, ref: Any) -> None:  # noqa: ANN401 - a reference of Ray's
        """Take up a worker that is ready, or is not going to be."""
        import ray

        worker = self._starting.pop(ref)
        try:
            fault = ray.get(ref)
        except ray.exceptions.RayTaskError as error:
            raise unfit(error) from error
        except ray.exceptions.RayError as error:
            self._failed += 1
            if self._failed == MOST_LOSSES:
                raise unfit(error) from error
            return
        if fault is not None:
            raise ClusterError(fault)
        self._failed = 0
        self._idle.append(worker)

    def _say_if_idle(self) -> None:
        """Tell if nobody has been at work for a while."""
        now = time.monotonic()
        if self._idle or self.busy:
            self._worked = now
        elif now - self._worked >= _NOTICE:
            self._worked = now
            print("ray: no worker yet: the cluster has no free CPU, or is starting one", file=sys.stderr, flush=True)
