"""Several runs side by side, each in a process and a folder of its own, and the curve that seeds make together.

The processes are on this machine, or on the nodes of a Ray cluster (``ray_runs``).

``DIR/seed-K`` is the run of seed K, ``DIR/seed-K.log`` what it said. ``DIR/curve.json`` holds, for each evaluation, the
mean over the seeds, the least and the most; ``DIR/curve.png`` shows it where Matplotlib is installed. In a sweep each
setting has a folder ``DIR/OPTION=VALUE`` of its own, which holds what ``DIR`` holds otherwise.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product, starmap
from pathlib import Path
from typing import Any, Final, TypeAlias

from experiments.compare.folder import hold, write_json
from experiments.train.config import TrainConfig
from experiments.train.folder import CONFIG, LOG
from experiments.train.options import TrainError, changed
from red7_env.game.errors import shown

SEEDS: Final = "seeds.json"
CURVE, PICTURE = "curve.json", "curve.png"
_PATIENCE = 0.2
_RATE = "rate "


@dataclass(frozen=True)
class Run:
    """One of the runs.

    Attributes:
        method: What trains.
        seed: Of all chance.
        options: The other options, as words.
        folder: Where it belongs.
    """

    method: str
    seed: int
    options: tuple[str, ...]
    folder: Path

    @property
    def log(self) -> Path:
        """The file for what it says."""
        return self.folder.with_suffix(".log")

    @property
    def threads(self) -> int:
        """How many threads it has."""
        found = [word.partition("=")[2] for word in self.options if word.startswith("--threads=")]
        return int(found[-1]) if found else 1

    def words(self, folder: Path) -> list[str]:
        """Return the words after ``train`` that begin the run in a folder, or go on with it there."""
        if (folder / CONFIG).is_file():
            return [self.method, "--resume", str(folder)]
        return [self.method, *self.options, f"--seed={self.seed}", "--out", str(folder)]

    def failure(self) -> str:
        """Return what is to be said when it has failed: the last line of its own."""
        said = self.log.read_text(errors="replace").splitlines() or [""]
        return f"{self.folder.name}: found {shown(said[-1])}, expected a run to its end"


Setting: TypeAlias = tuple[str, ...]
"""Options, as words, in which some of the runs differ from the others."""
Runner: TypeAlias = Callable[[Sequence[Run], int], None]
"""What makes runs, so many at a time: ``run_here``, or ``ray_runs.RayRuns.run``."""


def begin_seeds(  # noqa: PLR0913, PLR0917 - what there is to say of runs
    name: str,
    config: TrainConfig,
    seeds: int,
    path: Path,
    workers: int,
    runner: Runner | None = None,
    settings: Sequence[Setting] = ((),),
) -> list[Path]:
    """Train with ``seeds`` seeds from that of a configuration on, in every setting, and join those of each.

    Args:
        name: The method.
        config: The run.
        seeds: How many.
        path: An empty folder.
        workers: Runs at a time.
        runner: Who makes them, ``run_here`` if left out.
        settings: What is tried, see ``settings_of``; the runs of each have a folder of their own.

    Returns:
        The folders of the runs.

    Raises:
        TrainError: If the folder is not empty, or a run fails.
    """
    path.mkdir(parents=True, exist_ok=True)
    if any(not entry.name.startswith(".") for entry in path.iterdir()):
        raise TrainError(f"out: found files in {shown(str(path))}, expected an empty folder, or --resume")
    words = [f"--{word.replace('_', '-')}={text}" for word, text in changed(config).items() if word != "seed"]
    numbers = [config.seed + number for number in range(seeds)]
    told = {"method": name, "words": words, "seeds": numbers, "workers": workers, "settings": list(map(list, settings))}
    write_json(path / SEEDS, told)
    return go_on_seeds(name, path, workers, runner)


def go_on_seeds(name: str, path: Path, workers: int | None = None, runner: Runner | None = None) -> list[Path]:
    """Go on with the runs in a folder, each where it was, and join them; see ``begin_seeds``.

    Args:
        name: The method.
        path: The folder.
        workers: Runs at a time, None for as many as it was begun with.
        runner: Who makes them, wherever they were begun.
    """
    told: Any = None
    with suppress(OSError, ValueError):
        told = json.loads((path / SEEDS).read_text())
    if not isinstance(told, dict) or told.get("method") != name:
        raise TrainError(f"resume: found no runs of {name} in {shown(str(path))}, expected some")
    settings = [tuple(setting) for setting in told["settings"]]
    runs = [
        Run(name, number, (*told["words"], *setting), folder_of(path, setting) / f"seed-{number}")
        for setting in settings
        for number in told["seeds"]
    ]
    try:
        lock = hold(path / SEEDS)
    except BlockingIOError:
        raise TrainError(f"out: found {shown(str(path))} in use, expected no other runs in it") from None
    with lock:
        for setting in settings:
            folder_of(path, setting).mkdir(exist_ok=True)
        (runner or run_here)(runs, workers or told["workers"])
        for setting in settings:
            _write_curve(folder_of(path, setting), told["seeds"])
    return [run.folder for run in runs]


def settings_of(sweeps: Sequence[str], options: Sequence[str]) -> list[Setting]:
    """Return all settings of a sweep.

    Args:
        sweeps: Options with the values that are tried, as in ``"rate=1e-3,3e-4"``; several are combined in all ways.
        options: Names of what can be tried.

    Raises:
        TrainError: If a text is none of that form, or an option or a value is given twice.
    """
    tried: list[list[str]] = []
    for text in sweeps:
        name, _, values = text.partition("=")
        words = [f"--{name}={value}" for value in values.split(",") if value]
        if name.replace("-", "_") not in options:
            known = " ".join(option.replace("_", "-") for option in options)
            raise TrainError(f"sweep: found option {shown(name)}, expected one of {known}")
        if not words or len({*words}) < len(words) or any(each[0].startswith(f"--{name}=") for each in tried):
            raise TrainError(f"sweep: found {shown(text)}, expected values to try, each once, as in rate=1e-3,3e-4")
        tried.append(words)
    return list(product(*tried))


def folder_of(path: Path, setting: Setting) -> Path:
    """Return the folder of a setting's runs: that of all runs where there is but one setting."""
    return path / re.sub(r"[^A-Za-z0-9=.,+-]+", "-", ",".join(word.removeprefix("--") for word in setting))


def _write_curve(path: Path, seeds: Sequence[int]) -> None:
    """Join the runs in a folder, and draw their curve."""
    joined = join([path / f"seed-{number}" for number in seeds])
    write_json(path / CURVE, joined)
    if find_spec("matplotlib") is not None:
        draw(joined, path / PICTURE)


def join(folders: Sequence[Path]) -> list[dict[str, float]]:
    """Return a row for each evaluation that all runs have made: means over the runs, and the ends of the rates."""
    measured = []
    for folder in folders:
        rows = [json.loads(line) for line in (folder / LOG).read_text().splitlines()]
        measured.append([row for row in rows if _opponents(row)])
    return list(starmap(_joined, zip(*measured, strict=False)))


def draw(joined: Sequence[dict[str, float]], path: Path) -> None:
    """Draw the joined curve as a PNG file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    moves = [row["moves"] for row in joined]
    for opponent in _opponents(joined[0]) if joined else []:
        axes.plot(moves, [row[f"rate {opponent}"] for row in joined], marker=".", label=f"against {opponent}")
        least, most = ([row[f"{end} {opponent}"] for row in joined] for end in ("least", "most"))
        axes.fill_between(moves, least, most, alpha=0.2)
    axes.set(xlabel="moves", ylabel="wins, %")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150, metadata={"Software": None})


def _opponents(row: Mapping[str, Any]) -> list[str]:
    """Return who a row's strengths were measured against, none if it has no strengths."""
    return [name.removeprefix(_RATE) for name in row if name.startswith(_RATE)]


def _joined(*rows: dict[str, float]) -> dict[str, float]:
    """Return what the runs measured at one time as one row."""
    found = {name: sum(row[name] for row in rows) / len(rows) for name in ("seconds", "moves")}
    for opponent in _opponents(rows[0]):
        rates = [row[f"rate {opponent}"] for row in rows]
        found |= {f"rate {opponent}": sum(rates) / len(rates)}
        found |= {f"least {opponent}": min(rates), f"most {opponent}": max(rates)}
    return {name: round(value, 3) for name, value in found.items()}


def run_here(runs: Sequence[Run], workers: int) -> None:
    """Make all runs, so many at a time, in processes of this machine.

    Raises:
        TrainError: If one fails; the others are ended then.
    """
    waiting = list(runs)
    running: list[tuple[subprocess.Popen[bytes], Run]] = []
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                run = waiting.pop(0)
                command = [sys.executable, "-m", "experiments", "train", *run.words(run.folder)]
                with run.log.open("ab") as log:
                    running.append((subprocess.Popen(command, stdout=log, stderr=log), run))
            time.sleep(_PATIENCE)
            for process, run in [pair for pair in running if pair[0].poll() is not None]:
                running.remove((process, run))
                if process.returncode:
                    raise TrainError(run.failure())
    finally:
        for process, _ in running:
            process.terminate()
        for process, _ in running:
            process.wait()
