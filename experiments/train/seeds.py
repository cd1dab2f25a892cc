"""Several seeds of one run side by side, each in a process and a folder of its own, and the curve they make together.

``DIR/seed-K`` is the run of seed K, ``DIR/seed-K.log`` what it said. ``DIR/curve.json`` holds, for each evaluation, the
mean over the seeds, the least and the most; ``DIR/curve.png`` shows it where Matplotlib is installed.
"""

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from itertools import starmap
from pathlib import Path
from typing import Any, Final

from experiments.compare.folder import write_json
from experiments.train.config import TrainConfig
from experiments.train.folder import CONFIG, LOG
from experiments.train.options import TrainError, changed
from red7_env.game.errors import shown

SEEDS: Final = "seeds.json"
CURVE, PICTURE = "curve.json", "curve.png"
_PATIENCE = 0.2
_RATE = "rate "


def begin_seeds(name: str, config: TrainConfig, seeds: int, path: Path, workers: int) -> list[Path]:
    """Train with ``seeds`` seeds from that of a configuration on, and join them.

    Args:
        name: The method.
        config: The run.
        seeds: How many.
        path: An empty folder.
        workers: Processes at a time.

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
    write_json(path / SEEDS, {"method": name, "words": words, "seeds": numbers, "workers": workers})
    return go_on_seeds(name, path)


def go_on_seeds(name: str, path: Path) -> list[Path]:
    """Go on with the runs in a folder, each where it was, and join them; see ``begin_seeds``."""
    told: Any = None
    with suppress(OSError, ValueError):
        told = json.loads((path / SEEDS).read_text())
    if not isinstance(told, dict) or told.get("method") != name:
        raise TrainError(f"resume: found no runs of {name} in {shown(str(path))}, expected some")
    folders = [path / f"seed-{number}" for number in told["seeds"]]
    commands = [
        [sys.executable, "-m", "experiments", "train", name, *_words(folder, number, told["words"])]
        for folder, number in zip(folders, told["seeds"], strict=True)
    ]
    _run_all(commands, folders, told["workers"])
    joined = join(folders)
    write_json(path / CURVE, joined)
    if find_spec("matplotlib") is not None:
        draw(joined, path / PICTURE)
    return folders


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


def _words(folder: Path, seed: int, words: Sequence[str]) -> list[str]:
    """Return the words that begin a run, or go on with it."""
    if (folder / CONFIG).is_file():
        return ["--resume", str(folder)]
    return [*words, f"--seed={seed}", "--out", str(folder)]


def _run_all(commands: Sequence[Sequence[str]], folders: Sequence[Path], workers: int) -> None:
    """Run all commands, so many at a time.

    Raises:
        TrainError: If one fails; the others are ended then.
    """
    waiting = list(zip(commands, folders, strict=True))
    running: list[tuple[subprocess.Popen[bytes], Path]] = []
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                command, folder = waiting.pop(0)
                with folder.with_suffix(".log").open("ab") as log:
                    running.append((subprocess.Popen(command, stdout=log, stderr=log), folder))
            time.sleep(_PATIENCE)
            for process, folder in [pair for pair in running if pair[0].poll() is not None]:
                running.remove((process, folder))
                if process.returncode:
                    said = folder.with_suffix(".log").read_text().splitlines() or [""]
                    raise TrainError(f"{folder.name}: found {shown(said[-1])}, expected a run to its end")
    finally:
        for process, _ in running:
            process.terminate()
        for process, _ in running:
            process.wait()
