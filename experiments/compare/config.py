"""What a comparison plays, and by which code: everything that decides how the games come out."""

import hashlib
import json
import platform
import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import agents
import red7_env
from agents import entries, entry_of, shortest
from experiments.compare.design import DESIGNS
from red7_env.game import Red7Error, Rules
from red7_env.game.errors import shown

FORMAT = "red7-compare/1"
STOPS = ("all", "top")
INTERACTIVE = "human"

_PACKAGES = ("red7-env", "numpy", "numba", "scipy", "choix", "matplotlib", "torch", "stable-baselines3", "sb3-contrib")
_ROOT = Path(__file__).resolve().parents[2]


class CompareError(Red7Error):
    """A comparison that cannot be played as it was asked for."""


@dataclass(frozen=True)
class Config:
    """A comparison.

    Attributes:
        agents: Their specs in the shortest form, sorted; the order in which they were named does not matter.
        rules: What is played.
        deals: The number of deals, and with ``stop`` the most.
        seed: Seed of the deals and of all chance.
        batch: Deals that are played together, in one unit of work.
        design: Who plays whom, one of ``design.DESIGNS``.
        records: Of so many deals, from the first, all games are recorded move by move.
        stop: None, or what has to be told apart for an early stop: ``"all"`` pairs, or the ``"top"`` from the rest.
    """

    agents: tuple[str, ...]
    rules: Rules
    deals: int
    seed: int
    batch: int
    design: str = DESIGNS[0]
    records: int = 0
    stop: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return what decides the results, as it is written to ``config.json``."""
        return {
            "format": FORMAT,
            "agents": list(self.agents),
            "rules": str(self.rules),
            "deals": self.deals,
            "seed": self.seed,
            "batch": self.batch,
            "design": self.design,
            "records": self.records,
            "stop": self.stop,
            "versions": versions(),
            "sources": sources_hash(),
            "files": files_named(self.agents),
        }

    def command(self) -> str:
        """Return the command that plays this comparison, but for workers and folder."""
        words = [f"--agents {shlex.quote(spec)}" for spec in self.agents]
        words.append(f"--rules {self.rules} --deals {self.deals} --seed {self.seed} --batch {self.batch}")
        if self.design != DESIGNS[0]:
            words.append(f"--design {self.design}")
        if self.stop is not None:
            words.append(f"--until-separated {self.stop}")
        if any(entry_of(spec).cheats for spec in self.agents):
            words.append("--allow-cheating")
        return f"python -m experiments compare {' '.join(words)} --records {self.records}"


def checked_agents(specs: Iterable[str], *, cheating: bool) -> tuple[str, ...]:
    """Return the specs in their shortest form, sorted.

    Raises:
        CompareError: If one is given twice, cheats without leave, or waits for a person.
        SpecError: If one names no agent, or has options that the agent does not take.
    """
    chosen: list[str] = []
    for spec in specs:
        entry = entry_of(spec)
        short = shortest(spec)
        if short in chosen:
            raise CompareError(f"agents: found {shown(short)} twice, expected different agents")
        if entry.name == INTERACTIVE:
            raise CompareError(f"agents: found {shown(spec)}, expected agents that play without a person")
        if entry.cheats and not cheating:
            raise CompareError(f"agents: found {shown(spec)}, which sees all hands, expected --allow-cheating with it")
        chosen.append(short)
    return tuple(sorted(chosen))


def checked_seats(chosen: tuple[str, ...], rules: Rules, design: str) -> None:
    """Make sure that there are enough agents for a table.

    Raises:
        CompareError: If there are not.
    """
    needed = rules.players if design == DESIGNS[0] else 2
    if len(chosen) < needed:
        hint = ", or --design duel, one agent against copies of another" if 2 <= len(chosen) < needed else ""
        raise CompareError(f"agents: found {len(chosen)}, expected at least {needed} for {rules}{hint}")


def is_timed(spec: str) -> bool:
    """Tell whether an agent's moves hang on the clock or another program, so that no seed repeats them."""
    entry = entry_of(spec)
    return entry.text is not None or any(part.startswith("ms=") for part in spec.split(":")[1:])


def registered(names: Iterable[str]) -> list[str]:
    """Return those of some specs whose agents are in the registry."""
    known = {entry.name for entry in entries()}
    return [spec for spec in names if spec.partition(":")[0] in known]


def short_hash(config: dict[str, object]) -> str:
    """Return eight hexadecimal digits that stand for a configuration."""
    return hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()[:8]


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that can have a say in the results."""
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def sources_hash() -> str:
    """Return a hash of every file of the game, the agents (networks too) and the comparison itself."""
    digest = hashlib.sha256()
    for root in (red7_env.__file__, agents.__file__, __file__):
        folder = Path(root).resolve().parent
        for path in _sources(folder):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def files_named(specs: Iterable[str]) -> dict[str, str]:
    """Return a hash of every file that a spec names, a network or a bot's script, by its path as it stands there."""
    words = {word for spec in specs for word in _words(spec) if word}
    return {word: hashlib.sha256(Path(word).read_bytes()).hexdigest()[:16] for word in sorted(words) if _is_file(word)}


def commit() -> str | None:
    """Return the commit of the checkout, with a ``+`` if files differ from it; None where git cannot tell."""
    try:
        head = _git("rev-parse", "HEAD")
        return head + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return None


def _sources(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in {".pyc", ".nbi", ".nbc"}:
            yield path


def _words(spec: str) -> Iterator[str]:
    """Yield all that may be a path in a spec, with and without the quotes of a command."""
    yield from re.split(r"[:=\s]", spec)[1:]
    with suppress(ValueError):  # a quote that is not closed
        for word in shlex.split(spec.partition(":")[2]):
            yield from (word, *re.split(r"[:=]", word))


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):  # too long, or a zero byte
        return False


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=_ROOT, capture_output=True, text=True, check=True, timeout=30)
    return done.stdout.strip()
