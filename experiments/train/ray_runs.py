"""Training runs on a Ray cluster: an actor each, whose folder comes back to this machine as it grows.

The nodes need not share a disk. An actor trains in a process of its own, in a folder of its node; every second or so
this machine fetches the files that have changed. A run whose actor is lost, with its node or alone, goes on on another
from the checkpoint that was fetched last, as does one that is taken up later, here or on a cluster.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agents import make_all
from agents.table import play_deals
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
from experiments.train.evaluation import YARDSTICKS
from experiments.train.folder import CHECKPOINT, RESULT
from experiments.train.options import TrainError
from experiments.train.seeds import Run
from red7_env.game import Rules

Files = dict[str, bytes]
"""Contents by path within a run's folder."""
Stamps = dict[str, tuple[int, int]]
"""Time and size of files as they were fetched last."""

_PATIENCE = 1.0
_LAST_READ: Final = (RESULT, CHECKPOINT)
"""What says that other files are complete is read before them and written after them."""


@dataclass(frozen=True)
class News:
    """What has become of a run since it was asked last.

    Attributes:
        status: Its exit status, None while it runs.
        said: What it has said so far.
        files: What has changed.
        stamps: Of all files.
    """

    status: int | None
    said: bytes
    files: Files
    stamps: Stamps


class Trainer:
    """What trains on a node."""

    def __init__(self, folder: str) -> None:
        """Begin.

        Args:
            folder: Where the command was given, so that paths mean the same where the node has it.
        """
        with suppress(OSError):
            os.chdir(folder)
        self._home = tempfile.TemporaryDirectory(prefix="red7-train-")
        self._path = Path(self._home.name) / "run"
        self._log = Path(self._home.name) / "log"
        self._process: subprocess.Popen[bytes]

    def begin(self, run: Run, files: Files, expected: Mapping[str, str], *, compiles: bool) -> str | None:
        """Start training.

        Args:
            run: What is trained.
            files: What is there of it already.
            expected: ``code_identity`` of the process that hands out the runs.
            compiles: Whether code may have to be compiled on this node, which its workers do only once.

        Returns:
            What keeps this worker from training, if anything does.
        """
        fault = difference(code_identity(), expected)
        if fault is not None:
            return fault
        if compiles:
            with first_of_the_node() as first:
                if first:
                    _compile()
        write_files(self._path, files)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "experiments.tied", "train", *run.words(self._path)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        return None

    def news(self, known: Stamps) -> News:
        """Return what has become of the run; ``known`` files are left out where they have not changed."""
        status = self._process.poll()
        files, stamps = read_files(self._path, known)
        found = News(status, self._log.read_bytes(), files, stamps)
        if status is not None:
            self._home.cleanup()  # a worker is ended by killing it
        return found


class RayRuns:
    """Trains on a cluster; ``run`` is a ``seeds.Runner``."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._expected = code_identity()

    def run(self, runs: Sequence[Run], workers: int) -> None:
        """Make all runs, so many at a time.

        Raises:
            TrainError: If one fails; the others are ended then.
            ClusterError: If the cluster is not fit for it.
        """
        import ray

        waiting, losses = deque(runs), Counter[str]()
        running: list[_Remote] = []
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    running.append(_Remote(waiting.popleft(), self._expected, compiles=self._cluster.ships))
                time.sleep(_PATIENCE)
                for remote in list(running):
                    try:
                        going = remote.look()
                    except ray.exceptions.RayTaskError as error:
                        raise unfit(error) from error
                    except ray.exceptions.RayError as error:
                        going = False
                        waiting.appendleft(remote.run)
                        losses[str(remote.run.folder)] += 1
                        if losses[str(remote.run.folder)] == MOST_LOSSES:
                            raise unfit(error) from error
                    if not going:
                        running.remove(remote)
                        remote.end()
        finally:
            for remote in running:
                remote.end()


class _Remote:
    """A run on some node, seen from here."""

    def __init__(self, run: Run, expected: Mapping[str, str], *, compiles: bool) -> None:
        self.run = run
        self._actor = actor(Trainer, str(Path.cwd()), cpus=run.threads)
        there, _ = read_files(run.folder, {})
        self._known: Stamps = {}
        self._begun = False
        self._answer = self._actor.begin.remote(run, there, expected, compiles=compiles)

    def look(self) -> bool:
        """Take what has come from the run, and return whether it goes on.

        Raises:
            TrainError: If it has failed.
            ClusterError: If its worker is not fit for it.
        """
        import ray

        done, _ = ray.wait([self._answer], timeout=0)
        if not done:
            return True
        found = ray.get(self._answer)
        if self._begun:
            self._take(found)
            if found.status is not None:
                return False
        elif found is not None:
            raise ClusterError(found)
        self._begun = True
        self._answer = self._actor.news.remote(self._known)
        return True

    def end(self) -> None:
        """End the worker, and with it what it has started."""
        import ray

        with suppress(Exception):  # the cluster may be gone, and with it the worker
            ray.kill(self._actor)

    def _take(self, news: News) -> None:
        write_files(self.run.folder, news.files)
        self.run.log.write_bytes(news.said)
        self._known = news.stamps
        if news.status:
            raise TrainError(self.run.failure())


def read_files(path: Path, known: Stamps) -> tuple[Files, Stamps]:
    """Return the files of a folder that are not as they are known, and the stamps of all, in the order of reading."""
    names = [file.relative_to(path).as_posix() for file in sorted(path.rglob("*")) if _is_kept(file)]
    files: Files = {}
    stamps: Stamps = {}
    for name in sorted(names, key=lambda name: (name not in _LAST_READ, name != RESULT, name)):
        with suppress(FileNotFoundError):  # renamed meanwhile
            status = (path / name).stat()
            stamps[name] = status.st_mtime_ns, status.st_size
            if known.get(name) != stamps[name]:
                files[name] = (path / name).read_bytes()
    return files, stamps


def write_files(path: Path, files: Files) -> None:
    """Write files into a folder, each all or nothing, in the opposite order of reading."""
    for name, content in reversed(files.items()):
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{target.name}.part")
        beside.write_bytes(content)
        beside.replace(target)


def _is_kept(file: Path) -> bool:
    return file.is_file() and not file.name.startswith(".")


def _compile() -> None:
    """Call what every run calls: the environment, and the agents that it is measured against."""
    from red7_env.compile import warm_up

    warm_up()
    play_deals(make_all(YARDSTICKS), Rules(), 1)
