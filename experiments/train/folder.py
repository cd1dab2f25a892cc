"""The folder of a training run.

- ``config.json``: configuration, command, versions and commit
- ``log.jsonl``: one row an iteration; those with an evaluation have its strengths too
- ``checkpoint.safetensors``: all that the run needs to go on as if nothing had happened
- ``best.safetensors``: the model that was strongest in an evaluation; ``last.safetensors``: that of the end
- ``result.json``: written last, when the run is complete
- ``tensorboard/``: the numbers of the rows

All but the log are written to another name first and then renamed; the log is cut back to the rows that the checkpoint
knows of, so that a run that was killed leaves the same log as one that was not.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from agents.learned.weights import ModelError, ModelInfo, Tensors, load_tensors, save_model, save_tensors
from experiments.compare.folder import hold, write_json
from experiments.train.config import FORMAT
from experiments.train.options import TrainError
from red7_env.game.errors import shown

CONFIG, LOG, RESULT = "config.json", "log.jsonl", "result.json"
CHECKPOINT, BEST, LAST = "checkpoint.safetensors", "best.safetensors", "last.safetensors"

Row = dict[str, Any]
"""What an iteration has to tell: numbers by name, and texts."""


class TrainFolder:
    """A folder that one run holds.

    Attributes:
        path: Where it is.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: IO[bytes] | None = None
        self._log: IO[str] | None = None
        self._writer: Any = None

    def begin(self, description: Mapping[str, object]) -> None:
        """Take an empty folder for a new run.

        Raises:
            TrainError: If it cannot be written, or is not empty.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if any(not entry.name.startswith(".") for entry in self.path.iterdir()):
                raise TrainError(f"out: found files in {shown(str(self.path))}, expected an empty folder, or --resume")
            write_json(self.path / CONFIG, dict(description))
            self._take()
        except OSError as error:
            raise self._fault(error) from None

    def take_up(self) -> dict[str, Any]:
        """Take the folder of a run that was begun earlier, and return its description.

        Raises:
            TrainError: If there is no run in it, or another process is at it.
        """
        found: Any = None
        with suppress(OSError, ValueError):
            found = json.loads((self.path / CONFIG).read_text())
        if not isinstance(found, dict) or found.get("format") != FORMAT or not isinstance(found.get("config"), dict):
            raise TrainError(f"resume: found no run in {shown(str(self.path))}, expected the folder of one")
        try:
            self._take()
        except OSError as error:
            raise self._fault(error) from None
        return found

    @property
    def finished(self) -> bool:
        """Whether the run is complete."""
        return (self.path / RESULT).is_file()

    def checkpoint(self) -> tuple[Tensors, dict[str, Any]] | None:
        """Return what was saved last, None if nothing was.

        Raises:
            TrainError: If it cannot be read.
        """
        path = self.path / CHECKPOINT
        if not path.exists():
            return None
        try:
            tensors, texts = load_tensors(path)
            return tensors, json.loads(texts["values"])
        except (ModelError, KeyError, ValueError) as error:
            raise TrainError(f"resume: found {shown(str(path))} damaged ({error}), expected a checkpoint") from None

    def save(self, tensors: Tensors, values: Mapping[str, Any]) -> None:
        """Write a checkpoint in the place of the one before."""
        save_tensors(self.path / CHECKPOINT, tensors, {"values": json.dumps(values)})

    def save_model(self, name: str, info: ModelInfo, weights: Tensors) -> None:
        """Write a model that agents can play."""
        save_model(self.path / name, info, weights)

    def rows(self) -> list[Row]:
        """Return the log."""
        path = self.path / LOG
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def open_log(self, rows: int, *, tensorboard: bool) -> None:
        """Go on with the log after so many rows."""
        path = self.path / LOG
        kept = path.read_bytes().splitlines(keepends=True)[:rows] if path.exists() else []
        path.write_bytes(b"".join(kept))
        self._log = path.open("a", encoding="utf-8")
        if tensorboard:
            self._writer = _writer(self.path / "tensorboard", rows)

    def log(self, row: Row) -> None:
        """Add a row."""
        if self._log is not None:
            self._log.write(json.dumps(row) + "\n")
            self._log.flush()
        if self._writer is not None:
            for name, value in row.items():
                if isinstance(value, int | float):
                    self._writer.add_scalar(name, value, row["iteration"])

    def finish(self, result: Mapping[str, object]) -> None:
        """Say that the run is complete."""
        write_json(self.path / RESULT, dict(result))

    def close(self) -> None:
        """Let others take the folder."""
        for file in (self._log, self._writer, self._lock):
            if file is not None:
                file.close()
        self._log = self._writer = self._lock = None

    def _take(self) -> None:
        try:
            self._lock = hold(self.path / CONFIG)
        except BlockingIOError:
            raise TrainError(f"out: found {shown(str(self.path))} in use, expected no other run in it") from None

    def _fault(self, error: OSError) -> TrainError:
        reason = error.strerror or type(error).__name__
        return TrainError(f"out: found {shown(str(self.path))} ({reason}), expected a folder to write to")


def unused(parent: Path, name: str) -> Path:
    """Return a folder in ``parent`` that does not exist yet, of this name or with a number behind it."""
    tries = (parent / (name if number == 1 else f"{name}-{number}") for number in range(1, 10_000))
    return next(path for path in tries if not path.exists())


def _writer(path: Path, rows: int) -> Any:  # noqa: ANN401 - TensorBoard may not be installed
    """Return a TensorBoard writer that takes back what was written after so many rows, None without TensorBoard."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(path), purge_step=rows + 1)
