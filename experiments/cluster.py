"""A Ray cluster to work on. Ray is imported when one is joined, and by no other module of the experiments' commands.

An *address* is ``local`` (a cluster of this machine alone, started for this command and ended with it), ``auto`` (the
one that this machine is a node of), ``host:port`` (the same, by the address of its head) or ``ray://host:port`` (any
cluster, through its Ray Client server).

The code of this checkout goes along: on all clusters but a local one the packages ``red7_env``, ``agents`` and
``experiments`` are sent to each node once (Ray's ``py_modules``). A node where a checkout lies at the same path, as on
this machine or a shared disk, uses that one. The packages that they need, in the same versions, are the nodes' own
affair; whoever hands work out has each worker check all of that.
"""

import logging
import os
import platform
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import agents
import red7_env
from experiments.compare.config import sources_hash, versions
from red7_env.game import Red7Error
from red7_env.game.errors import shown

try:
    import fcntl
except ImportError:  # Windows has no such locks; there workers may compile the same code at the same time
    fcntl = None  # type: ignore[assignment]

LOCAL, AUTO = "local", "auto"
FORMS: Final = "local, auto, host:port or ray://host:port"

MOST_LOSSES: Final = 3
"""After the loss of so many workers in one piece of work, or of so many before they were ready, it is no accident."""

_ADDRESS = re.compile(r"(?P<client>ray://)?(?P<host>[\w.-]+|\[[\da-fA-F:]+\]):(?P<port>\d{1,5})")
_PATIENCE = 10.0
"""Seconds to wait for an address to answer; Ray itself waits for minutes."""
_TRIES = 3
_STORE = 128 * 2**20
"""Bytes of the object store of a local cluster; what workers send is small."""
_VERSION = "version of "
_LEFT_HERE = ["__pycache__", "*.nbi", "*.nbc"]


class ClusterError(Red7Error):
    """A cluster that cannot be worked on."""


@dataclass(frozen=True)
class Cluster:
    """A cluster that this process has joined.

    Attributes:
        asked: Workers that were asked for, None for as many as there are CPUs.
        ships: Whether its workers may run a copy of the code, sent to them, that is still to be compiled.
    """

    asked: int | None
    ships: bool

    def cpus(self) -> int:
        """Return the number of CPUs of all nodes that are alive now."""
        import ray

        return int(ray.cluster_resources().get("CPU", 0))  # type: ignore[no-untyped-call]

    @property
    def workers(self) -> int:
        """How many workers are to be had now, at least 1."""
        return self.asked or max(1, self.cpus())


@contextmanager
def joined(address: str, workers: int | None, settings: Mapping[str, str], cores: int) -> Iterator[Cluster]:
    """Join a cluster for the time of a ``with`` block.

    A process that has joined one already stays with that one, and with the code that it has there.

    Args:
        address: See the module.
        workers: How many there are to be, None for as many as there are CPUs.
        settings: Environment variables for the workers.
        cores: CPUs of a local cluster, if ``workers`` does not say.

    Raises:
        ClusterError: If there is none, or Ray is not installed.
    """
    if find_spec("ray") is None:
        raise ClusterError("packages: found no ray, expected pip install -e '.[ray]'")
    _check(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # a research run tells nobody that it runs
    import ray

    if ray.is_initialized():
        yield Cluster(workers, ships=False)
        return
    choice: dict[str, Any]
    if address == LOCAL:
        os.environ.setdefault("RAY_worker_niceness", "0")  # Ray would let all other work on this machine go first
        choice = {"num_cpus": workers or cores, "include_dashboard": False, "object_store_memory": _STORE}
    else:
        choice = {"runtime_env": {"py_modules": _packages(), "excludes": _LEFT_HERE, "env_vars": dict(settings)}}
    _connect(address, choice)
    try:
        yield Cluster(workers, ships=address != LOCAL)
    finally:
        ray.shutdown()


def _connect(address: str, choice: Mapping[str, Any]) -> None:
    """Connect to a cluster, or start a local one.

    Raises:
        ClusterError: If that fails; a machine under load may be too slow for Ray's patience, and is tried again.
    """
    import ray

    for left in reversed(range(_TRIES if address == LOCAL else 1)):
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **choice)
        except Exception as error:
            if not left:
                reason = (str(error).splitlines() or [type(error).__name__])[0]
                raise ClusterError(f"ray: found no cluster at {shown(address)} ({reason}), expected {FORMS}") from error
        else:
            return


def actor(kind: type, *values: object, cpus: int = 1) -> Any:  # noqa: ANN401 - Ray makes its class at run time
    """Start an actor of a class on a free CPU of the cluster, as soon as there is one."""
    import ray

    return ray.remote(num_cpus=cpus, max_restarts=0, max_task_retries=0)(kind).remote(*values)


def code_identity() -> dict[str, str]:
    """Return what all processes that work together have to have alike: sources and package versions."""
    found = {f"{_VERSION}{name}": version for name, version in versions().items() if name != "red7-env"}
    return {"sources": sources_hash()} | found


def difference(found: Mapping[str, str], expected: Mapping[str, str]) -> str | None:
    """Return how a worker differs, None if it does not; a package that it lacks is missed by whom it matters to."""
    for name, value in expected.items():
        there = found.get(name)
        if there != value and not (there is None and name.startswith(_VERSION)):
            return f"ray: found {name} {there or 'missing'} on {platform.node()}, expected {value} as here"
    return None


@contextmanager
def first_of_the_node() -> Iterator[bool]:
    """Yield whether this worker is the first to ask on its node; the others wait until that one is through.

    So what is compiled is compiled once a node. The lock is on this file, of which the workers of a node share a copy.
    """
    with Path(__file__).open("rb") as file:
        first = True
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                fcntl.flock(file, fcntl.LOCK_SH)
                first = False
        yield first


def unfit(error: Exception) -> ClusterError:
    """Return what is wrong with a worker as one line: the last of what Ray tells of it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    last = lines[-1] if lines else type(error).__name__
    return ClusterError(f"ray: found a worker that fails ({last}), expected one that works")


def _check(address: str) -> None:
    """Make sure that an address is one, and that somebody listens there.

    Raises:
        ClusterError: If not.
    """
    if address in {LOCAL, AUTO}:
        return
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise ClusterError(f"ray: found {shown(address)}, expected {FORMS}")
    try:
        socket.create_connection((found["host"].strip("[]"), int(found["port"])), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ClusterError(f"ray: found no cluster at {shown(address)} ({reason}), expected {FORMS}") from None


def _packages() -> list[str]:
    """Return the folders of the packages that workers need."""
    return [str(Path(file).resolve().parent) for file in (red7_env.__file__, agents.__file__, __file__)]
