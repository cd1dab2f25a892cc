"""The folder of a run: its configuration, the units that are finished, and in the end the results.

Everything is written to another name first and then renamed, so whatever bears its right name is whole, also after a
``kill -9``. While a run goes on there is one file a unit in ``units/``; at its end they become ``games.jsonl``,
``records.jsonl`` and ``timing.json``, and ``results.json``, written last, says that it is complete.
"""

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO

from experiments.compare.config import CompareError
from experiments.compare.units import Result
from red7_env.game.errors import shown

try:
    import fcntl
except ImportError:  # Windows has no such locks; there two runs in one folder are the user's own care
    fcntl = None  # type: ignore[assignment]

CONFIG, RESULTS, GAMES, RECORDS, TIMING = "config.json", "results.json", "games.jsonl", "records.jsonl", "timing.json"
_UNITS = "units"


class RunFolder:
    """A folder that one run holds.

    Attributes:
        path: Where it is.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: IO[bytes] | None = None
        self._made = False

    def begin(self, config: dict[str, object], commit: str | None, *, resume: bool) -> None:
        """Take the folder for a run.

        Args:
            config: What decides the results.
            commit: The commit of the code, to be noted.
            resume: Whether to go on with what the folder holds.

        Raises:
            CompareError: If it cannot be written, holds something else, or is in use.
        """
        try:
            self._made = not self.path.exists()
            self.path.mkdir(parents=True, exist_ok=True)
            if (self.path / CONFIG).is_file():
                self._take_up(config, resume=resume)
            elif any(not entry.name.startswith(".") for entry in self.path.iterdir()):
                raise CompareError(f"out: found other files in {shown(str(self.path))}, expected an empty folder")
            else:
                write_json(self.path / CONFIG, config | {"commit": commit})
            self._hold()
            if not self.finished:
                (self.path / _UNITS).mkdir(exist_ok=True)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise CompareError(
                f"out: found {shown(str(self.path))} ({reason}), expected a folder to write to"
            ) from None

    @property
    def finished(self) -> bool:
        """Whether the results are complete."""
        return (self.path / RESULTS).is_file()

    def close(self) -> None:
        """Let others take the folder."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def leave_no_trace(self) -> None:
        """Take back what ``begin`` wrote if nothing has been played, so that another run may have the folder."""
        if self.done() or self.finished:
            return
        self.drop_units()
        with suppress(OSError):
            (self.path / CONFIG).unlink()
            if self._made:
                self.path.rmdir()

    def done(self) -> list[int]:
        """Return the numbers of the finished units."""
        found = (path.stem for path in (self.path / _UNITS).glob("*.json"))
        return sorted(int(stem) for stem in found if stem.isascii() and stem.isdigit())

    def save(self, number: int, result: Result) -> None:
        """Keep what a unit left."""
        write_text(self._unit(number), json.dumps(asdict(result)))

    def load(self, number: int) -> Result:
        """Return what a finished unit left.

        Raises:
            CompareError: If its file does not hold that.
        """
        try:
            return Result(**json.loads(self._unit(number).read_text()))
        except (ValueError, TypeError):
            raise self.damaged(number) from None

    def damaged(self, number: int) -> CompareError:
        """Return the error that says that the file of a unit does not hold what was written there."""
        found = f"{_UNITS}/{self._unit(number).name} in {shown(str(self.path))}"
        return CompareError(f"resume: found {found} damaged, expected a finished unit, or this file gone")

    def merge(self, numbers: Iterable[int], workers: int) -> tuple[dict[str, object], dict[str, int]]:
        """Join units into the final files, in order; return what was measured of time, and the faults by spec."""
        seconds: dict[str, float] = {}
        decisions: dict[str, int] = {}
        faults: Counter[str] = Counter()
        wall = 0.0
        with _whole(self.path / GAMES) as games, _whole(self.path / RECORDS) as records:
            for number in numbers:
                result = self.load(number)
                games.writelines(f"{line}\n" for line in result.games)
                records.writelines(f"{line}\n" for line in result.records)
                wall += result.wall
                faults.update(result.faults)
                for spec, spent in result.seconds.items():
                    seconds[spec] = seconds.get(spec, 0.0) + spent
                    decisions[spec] = decisions.get(spec, 0) + result.decisions[spec]
        thought = {
            spec: {
                "decisions": decisions[spec],
                "seconds": round(seconds[spec], 3),
                "ms": round(1000 * seconds[spec] / max(1, decisions[spec]), 4),
            }
            for spec in sorted(seconds)
        }
        timing: dict[str, object] = {"agents": thought, "unit_seconds": round(wall, 3), "workers": workers}
        write_json(self.path / TIMING, timing)
        return timing, dict(sorted(faults.items()))

    def finish(self, results: dict[str, object]) -> None:
        """Write the results, after which the run is complete, and drop the units."""
        write_json(self.path / RESULTS, results)
        self.drop_units()

    def drop_units(self) -> None:
        """Delete the files of the units."""
        shutil.rmtree(self.path / _UNITS, ignore_errors=True)

    def read(self, name: str) -> dict[str, object]:
        """Return what one of the folder's JSON files holds.

        Raises:
            CompareError: If it is no JSON object.
        """
        try:
            found = json.loads((self.path / name).read_text())
        except (OSError, ValueError):
            found = None
        if not isinstance(found, dict):
            raise CompareError(f"out: found {name} in {shown(str(self.path))} unreadable, expected a JSON object")
        return found

    def _take_up(self, config: dict[str, object], *, resume: bool) -> None:
        """Check that an earlier run in this folder may be gone on with."""
        if not resume:
            raise CompareError(
                f"out: found a comparison in {shown(str(self.path))}, expected an empty folder, or --resume to go on"
            )
        earlier = self.read(CONFIG)
        for key, value in config.items():
            if earlier.get(key) != value:
                found, expected = json.dumps(value), json.dumps(earlier.get(key))
                raise CompareError(f"resume: found {key} {found}, expected {expected} as the run was begun with")

    def _hold(self) -> None:
        try:
            self._lock = hold(self.path / CONFIG)
        except BlockingIOError:
            raise CompareError(f"out: found {shown(str(self.path))} in use, expected no other run in it") from None

    def _unit(self, number: int) -> Path:
        return self.path / _UNITS / f"{number:07}.json"


def hold(path: Path) -> IO[bytes]:
    """Lock an existing file for this process until what is returned is closed.

    Raises:
        BlockingIOError: If another process holds it.
    """
    file = path.open("rb+")
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise
    return file


def write_json(path: Path, value: object) -> None:
    """Write a value as JSON, all or nothing."""
    write_text(path, json.dumps(value, indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text file, all or nothing."""
    with _whole(path) as file:
        file.write(text)


@contextmanager
def _whole(path: Path) -> Iterator[IO[str]]:
    """Open a text file that gets its name when everything is written, and on the disk."""
    beside = path.with_name(f".{path.name}.part")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
