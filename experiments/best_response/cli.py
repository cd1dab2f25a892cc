"""The command line of learned best responses: ``python -m experiments best-response``."""

import re
import shlex
import sys
import traceback
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from agents import make
from agents.learned.shipped import shipped, shipped_path
from agents.learned.weights import load_model
from experiments.arguments import FAILED, INTERRUPTED, WORKED, Parser, status_of, whole
from experiments.best_response import report
from experiments.best_response.measure import Response, check_seed, curve_of, measured
from experiments.compare.config import checked_agents
from experiments.compare.pool import WorkerError, try_out
from experiments.train.config import described
from experiments.train.dmc_config import CHANCE, PRESETS, SHIPPED, DmcConfig
from experiments.train.folder import BEST, TrainFolder, unused
from experiments.train.options import TrainError, add_options, changed, config_of, told
from experiments.train.progress import Progress
from experiments.train.run import train
from red7_env.game.errors import shown

DEALS: Final = 2000
_LEARNER: Final = "dmc"
_FOLDER = Path("results", "best-response")
_NEEDS = ("torch", "safetensors", "matplotlib")


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status.

    Args:
        arguments: The words after ``python -m experiments best-response``.
    """
    return status_of(_stoppable, arguments)


def _stoppable(arguments: Sequence[str]) -> int:
    """Train and measure; say how to go on where it is stopped, and where in its code an agent failed."""
    try:
        return _respond(arguments)
    except KeyboardInterrupt:
        print("best-response: stopped; --resume goes on", file=sys.stderr)
        return INTERRUPTED
    except WorkerError as error:
        print("".join(traceback.format_exception(error)) + f"error: {error}", file=sys.stderr)
        return FAILED


def _respond(arguments: Sequence[str]) -> int:
    chosen = vars(_parser().parse_args(arguments))
    missing = [package for package in _NEEDS if find_spec(package) is None]
    if missing:
        raise TrainError(f"packages: found no {' and no '.join(missing)}, expected pip install -e '.[train,league]'")
    out, resume, preset, deals = (chosen.pop(word) for word in ("out", "resume", "preset", "deals"))
    given = [word for word, value in {**chosen, "out": out, "deals": deals}.items() if value is not None]
    if resume is None:
        config = _config(preset, chosen)
        return _begin(config, out or _named(config), deals or DEALS)
    if given:
        raise TrainError(f"resume: found {given[0]} too, expected nothing else: the run goes on as begun")
    return _go_on(resume)


def _config(preset: str, chosen: Mapping[str, Any]) -> DmcConfig:
    """Return the run that was asked for. A responder begins with what the project ships, where nothing else is said.

    Raises:
        Red7Error: If there is no such run.
    """
    layers: list[Mapping[str, Any]] = [PRESETS[preset], chosen]
    config = config_of(DmcConfig, *layers)
    if config.against is None:
        raise TrainError("against: found none, expected the agent to respond to")
    if not config.responds:
        raise TrainError(f"against-share: found {config.against_share:g}, expected 1: all games are against that agent")
    start = config.start
    if chosen["start"] is None and shipped_path(_LEARNER, config.played).is_file():
        start = SHIPPED
    if start != CHANCE:
        path = shipped(_LEARNER, config.played) if start == SHIPPED else Path(start)
        info = load_model(path, _LEARNER).info
        layers.insert(1, {"start": start, "hidden": info.hidden, "features": info.features, "fitted": 0.0})
    config = config_of(DmcConfig, *layers)
    checked_agents([str(config.against)], cheating=False)  # a yardstick that sees all hands is no policy
    config.check()
    check_seed(config.seed)
    try_out(make(str(config.against)), config.played)
    return config


def _begin(config: DmcConfig, path: Path, deals: int) -> int:
    """Begin a run."""
    folder = TrainFolder(path)
    words = {"command": _command(config, deals), "response": {"deals": deals}}
    folder.begin(described(_LEARNER, config) | words)
    return _run(config, folder, deals, str(words["command"]))


def _go_on(path: Path) -> int:
    """Go on with the run in a folder."""
    folder = TrainFolder(path)
    description = folder.take_up()
    asked = description.get("response")
    if not isinstance(asked, dict) or not isinstance(asked.get("deals"), int):
        folder.close()
        raise TrainError(f"resume: found no responder in {shown(str(path))}, expected the folder of one")
    config = config_of(DmcConfig, description["config"])
    return _run(config, folder, asked["deals"], str(description["command"]))


def _run(config: DmcConfig, folder: TrainFolder, deals: int, command: str) -> int:
    """Train and measure what is not there yet, and say how it went."""
    from experiments.train.dmc import learner

    progress = Progress("best-response")
    try:
        if not folder.finished:
            where = f"{config.rules} in {folder.path}"
            print(f"best-response: learns to beat {config.against} in {where}", file=sys.stderr, flush=True)
            train(learner(config), config, folder, progress)
        response = _measured(config, folder, deals, command, progress)
        report.write(response, folder.path)
    finally:
        progress.close()
        folder.close()
    print(report.markdown(response))
    print(f"results: {folder.path}, with the responder in {BEST}")
    return WORKED


def _measured(config: DmcConfig, folder: TrainFolder, deals: int, command: str, progress: Progress) -> Response:
    """Return what the responder wins on fresh deals, with its curve."""
    rows = folder.rows()

    def told(done: int) -> None:
        progress.show(f"measured on {done} of {deals} fresh deals")

    return Response(
        against=str(config.against),
        rules=str(config.played),
        command=command,
        wins=measured(config, folder.path, deals, told),
        fair=100 / config.played.players,
        seconds=rows[-1]["seconds"],
        moves=rows[-1]["moves"],
        curve=curve_of(rows),
    )


def _command(config: DmcConfig, deals: int) -> str:
    """Return the command that makes this run, but for its folder."""
    words = [f"--{name.replace('_', '-')} {shlex.quote(text)}" for name, text in changed(config).items()]
    return " ".join(["python -m experiments best-response", *words, f"--deals {deals}"])


def _named(config: DmcConfig) -> Path:
    """Return a folder that does not exist yet, named after what is in it."""
    words = re.sub(r"[^A-Za-z0-9+=.]+", "-", f"{config.against}-{config.rules}")[:100]
    return unused(_FOLDER, f"{words}-seed{config.seed}")


def _parser() -> Parser:
    parser = Parser(
        prog="python -m experiments best-response",
        allow_abbrev=False,
        description="Freeze an agent, let a responder learn to beat it, and measure on fresh deals what it wins: a "
        "best response wins at least as much. The responder is a run of train dmc, whose options these are.",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where the run goes (a name under results/best-response)"
    )
    parser.add_argument("--resume", type=Path, metavar="DIR", help="go on with the run in this folder")
    parser.add_argument("--deals", type=whole(1, 10_000_000), help=f"fresh deals of the last measurement ({DEALS})")
    parser.add_argument("--preset", choices=tuple(PRESETS), default=next(iter(PRESETS)), help=told(PRESETS))
    add_options(parser, DmcConfig)
    return parser
