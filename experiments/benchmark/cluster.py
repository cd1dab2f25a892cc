"""What a Ray cluster costs and gives: ``python -m experiments.benchmark.cluster [--ray ADDRESS] [--workers 1 2 ...]``.

Four figures say how far a comparison scales. A *worker* costs CPU time before its first unit; a *call* takes a round
trip, during which its worker waits; each *unit* costs CPU time of the process that hands out the work, which no number
of workers shares; and what a unit of work itself takes is up to ``--batch`` and the agents. With units of ``t`` seconds
at most ``t`` / (time of a unit at the hub) workers are kept busy.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from experiments.arguments import WORKED, Parser, status_of, whole
from experiments.benchmark.machine import facts
from experiments.cluster import FORMS, LOCAL, Cluster, actor, joined
from experiments.compare.cli import cores
from experiments.compare.config import Config, checked_agents
from experiments.compare.pool import Play, played, set_threads
from experiments.compare.ray_pool import Player, RayPool
from experiments.compare.units import units_of
from red7_env.game import Rules

_AGENTS: Final = ("greedy", "rollout:playouts=20")
_CALLS: Final = 300


class Speed(NamedTuple):
    """How fast units were played: units and games a second, CPU seconds here a unit, and seconds a unit there."""

    units: float
    games: float
    hub: float
    unit: float


class Clocked(Player):
    """A worker that tells the CPU time of its process."""

    def used(self) -> float:
        """Return the CPU seconds that it has used so far."""
        return time.process_time()

    def nothing(self) -> None:
        """Do nothing."""


def main(arguments: Sequence[str]) -> int:
    """Measure, print, and return the exit status."""
    return status_of(_measure, arguments)


def _measure(arguments: Sequence[str]) -> int:
    chosen = _parser().parse_args(arguments)
    with joined(chosen.ray, None, set_threads(), cores()) as cluster:
        for line in lines(cluster, chosen):
            print(line, flush=True)
    return WORKED


def lines(cluster: Cluster, chosen: argparse.Namespace) -> Iterator[str]:
    """Measure one thing after another, and yield a line for each."""
    import ray

    nodes = len(ray.nodes())  # type: ignore[no-untyped-call]
    yield f"a cluster of {nodes} nodes and {cluster.cpus()} CPUs"
    yield "here: " + ", ".join(f"{name} {value}" for name, value in facts().items())
    config = Config(checked_agents(_AGENTS, cheating=False), Rules(), chosen.deals, seed=1, batch=chosen.batch)
    list(played(units_of(config)[:1], config, 1))  # whatever is to be compiled here is compiled
    before = time.perf_counter()
    worker = actor(Clocked, ".")
    cost = ray.get(worker.used.remote())
    yield f"a worker: {cost:.2f} CPU s, there after {time.perf_counter() - before:.1f} s"
    took = sorted(_timed(lambda: ray.get(worker.nothing.remote())) for _ in range(_CALLS))
    yield f"a call: {1000 * took[0]:.2f} ms at best, {1000 * statistics.median(took):.2f} ms in the median"
    ray.kill(worker)
    ways: list[tuple[str, Play, int]] = [("this process", played, 1), ("processes", played, cores())]
    ways += [("on Ray", RayPool(Cluster(count, cluster.ships)).played, count) for count in chosen.workers]
    for name, play, count in ways:
        found = speed(play, config, count)
        yield (
            f"{count} {name}: {found.games:.0f} games/s, {found.units:.1f} units/s of {found.unit:.3f} s, "
            f"{1000 * found.hub:.2f} CPU ms a unit at the hub"
        )


def speed(play: Play, config: Config, workers: int) -> Speed:
    """Return how fast a comparison is played, from its first result to its last."""
    units = units_of(config)
    results = play(units, config, workers)
    next(results)  # by then some workers are there
    begun, used = time.perf_counter(), time.process_time()
    walls = [result.wall for _, result in results]
    took, hub = time.perf_counter() - begun, time.process_time() - used
    games = 2 * config.batch * len(walls)
    return Speed(len(walls) / took, games / took, hub / len(walls), statistics.mean(walls))


def _timed(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def _parser() -> Parser:
    parser = Parser(
        prog="python -m experiments.benchmark.cluster", allow_abbrev=False, description="What a Ray cluster gives."
    )
    parser.add_argument("--ray", default=LOCAL, metavar="ADDRESS", help=f"the cluster: {FORMS} (local)")
    parser.add_argument("--workers", type=whole(1, 1024), nargs="+", default=[1, 2], help="on Ray (1 2)")
    parser.add_argument("--deals", type=whole(10, 10_000_000), default=1000, help="(1000)")
    parser.add_argument("--batch", type=whole(1, 100_000), default=50, help="deals in a unit (50)")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
