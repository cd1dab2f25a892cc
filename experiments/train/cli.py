"""The command line of training: ``python -m experiments train ppo``."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from agents.learned.weights import ModelError
from experiments.arguments import INTERRUPTED, WORKED, Parser, status_of, whole
from experiments.cluster import FORMS, Cluster, joined
from experiments.compare.cli import cores
from experiments.train.config import TrainConfig, described
from experiments.train.folder import BEST, TrainFolder, unused
from experiments.train.options import TrainError, add_options, config_of, told
from experiments.train.progress import Progress, clock
from experiments.train.run import Interrupted, Standing, train
from experiments.train.seeds import CURVE, SEEDS, Runner, Setting, begin_seeds, go_on_seeds, settings_of
from red7_env.game.errors import shown

_FOLDER = Path("results", "train")


class Method(NamedTuple):
    """A way to learn.

    Attributes:
        config: Module and class of its configuration, a ``TrainConfig``; the module's ``PRESETS`` maps names to values.
        learner: Module and function that makes a ``run.Learner`` of a configuration.
        needs: Packages that it imports.
        about: What it is, in a few words.
    """

    config: str
    learner: str
    needs: tuple[str, ...]
    about: str


METHODS: Final[Mapping[str, Method]] = {
    "ppo": Method(
        "experiments.train.ppo_config:PpoConfig",
        "experiments.train.ppo:learner",
        ("torch", "safetensors"),
        "proximal policy optimisation by self-play",
    ),
    "dmc": Method(
        "experiments.train.dmc_config:DmcConfig",
        "experiments.train.dmc:learner",
        ("torch", "safetensors"),
        "Deep Monte Carlo: the values of whole turns, first of greedy play, then of self-play",
    ),
}


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status.

    Args:
        arguments: The words after ``python -m experiments train``.
    """
    try:
        return status_of(_train, arguments)
    except Interrupted:
        print("train: stopped; --resume goes on", file=sys.stderr)
        return INTERRUPTED


def _train(arguments: Sequence[str]) -> int:
    name = arguments[0] if arguments else ""
    if name in {"-h", "--help"}:
        listed = "\n".join(f"  {name:6}{method.about}" for name, method in METHODS.items())
        print(f"usage: python -m experiments train METHOD ...\n\n{listed}\n\n`... METHOD --help` lists the options.")
        return WORKED
    if name not in METHODS:
        raise TrainError(f"method: found {shown(name) if name else 'none'}, expected one of {' '.join(METHODS)}")
    method = METHODS[name]
    kind, presets = _of(method.config), import_module(method.config.partition(":")[0]).PRESETS
    chosen = vars(_parser(name, kind, presets).parse_args(arguments[1:]))
    missing = [package for package in method.needs if find_spec(package) is None]
    if missing:
        raise TrainError(f"packages: found no {' and no '.join(missing)}, expected pip install -e '.[train]'")
    words = ("out", "resume", "preset", "seeds", "sweep", "ray")
    out, resume, preset, seeds, sweeps, ray = (chosen.pop(word) for word in words)
    if resume is None:
        settings = settings_of(sweeps, [word for word in chosen if word != "seed"])
        for setting in settings:
            tried = vars(_parser(name, kind, presets).parse_args(list(setting)))
            config_of(kind, presets[preset], chosen, {word: tried[word] for word in chosen if tried[word]}).check()
        return _begin(name, config_of(kind, presets[preset], chosen), out, seeds, settings, ray)
    others = {**chosen, "out": out, "sweep": sweeps or None}
    given = [word for word, value in others.items() if value is not None]
    if given:
        raise TrainError(f"resume: found {given[0]} too, expected nothing else: the run goes on as begun")
    return _go_on(name, kind, resume, ray)


def _begin(  # noqa: PLR0913, PLR0917 - what there is to say of runs
    name: str, config: TrainConfig, out: Path | None, seeds: int, settings: Sequence[Setting], ray: str | None
) -> int:
    """Begin a run, or several that differ in their seed or setting; on a cluster a single one is several too."""
    config.check()
    path = out or unused(_FOLDER, f"{name}-{config.rules.replace(':', '-')}-seed{config.seed}")
    if ray is not None:
        with joined(ray, None, {}, cores()) as cluster:
            return _side_by_side(begin_seeds(name, config, seeds, path, cluster.workers, _on(cluster), settings))
    if seeds > 1 or any(settings):
        return _side_by_side(begin_seeds(name, config, seeds, path, cores(), settings=settings))
    folder = TrainFolder(path)
    folder.begin(described(name, config))
    return _run(name, config, folder)


def _go_on(name: str, kind: type[TrainConfig], path: Path, ray: str | None) -> int:
    """Go on with the run in a folder, or with several, wherever they were begun."""
    if ray is not None:
        if not (path / SEEDS).is_file():
            raise TrainError(f"resume: found no {SEEDS} in {shown(str(path))}, expected runs of --seeds for a cluster")
        with joined(ray, None, {}, cores()) as cluster:
            return _side_by_side(go_on_seeds(name, path, cluster.workers, _on(cluster)))
    if (path / SEEDS).is_file():
        return _side_by_side(go_on_seeds(name, path))
    folder = TrainFolder(path)
    description = folder.take_up()
    if description.get("learner") != name:
        folder.close()
        raise TrainError(f"resume: found a run of {shown(description.get('learner'))}, expected one of {name}")
    if folder.finished:
        folder.close()
        print(f"train: this run is complete, in {shown(str(path))}", file=sys.stderr)
        return WORKED
    return _run(name, config_of(kind, description["config"]), folder)


def _on(cluster: Cluster) -> Runner:
    """Return what makes runs on a cluster."""
    from experiments.train.ray_runs import RayRuns

    return RayRuns(cluster).run


def _run(name: str, config: TrainConfig, folder: TrainFolder) -> int:
    """Train in a folder, and say how it went."""
    print(f"train: {name} learns {config.rules} in {folder.path}", file=sys.stderr, flush=True)
    progress = Progress(name)
    try:
        standing = train(_of(METHODS[name].learner)(config), config, folder, progress)
    except ModelError as error:
        raise TrainError(str(error)) from None
    finally:
        progress.close()
        folder.close()
    print(_summary(standing, folder))
    return WORKED


def _side_by_side(folders: Sequence[Path]) -> int:
    """Say how several runs went."""
    curves = sorted({folder.parent / CURVE for folder in folders})
    print(f"{len(folders)} runs, their {'curve' if len(curves) == 1 else 'curves'}:", *curves, sep="\n")
    return WORKED


def _summary(standing: Standing, folder: TrainFolder) -> str:
    measured = ", ".join(map(str, standing.measured()))
    return f"{clock(standing.seconds)}: {measured}; the best, {standing.best:.1f} %, is {folder.path / BEST}"


def _of(target: str) -> Any:  # noqa: ANN401 - a class or function
    """Return what ``module:name`` stands for."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def _parser(name: str, kind: type[TrainConfig], presets: Mapping[str, Mapping[str, Any]]) -> argparse.ArgumentParser:
    parser = Parser(prog=f"python -m experiments train {name}", allow_abbrev=False, description=METHODS[name].about)
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the run goes (a name under results/train)")
    parser.add_argument("--resume", type=Path, metavar="DIR", help="go on with the run in this folder")
    parser.add_argument(
        "--seeds", type=whole(1, 1000), default=1, metavar="N", help="runs side by side, of seed, seed + 1 ... (1)"
    )
    parser.add_argument(
        "--sweep",
        action="append",
        default=[],
        metavar="OPTION=VALUES",
        help="runs side by side that differ in an option, as in rate=1e-3,3e-4; several are combined in all ways",
    )
    parser.add_argument("--ray", metavar="ADDRESS", help=f"train on the nodes of a Ray cluster: {FORMS}")
    parser.add_argument("--preset", choices=tuple(presets), default=next(iter(presets)), help=told(presets))
    add_options(parser, kind)
    return parser
