"""The command line of the league: ``python -m experiments compare``."""

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from experiments.arguments import FAILED, INTERRUPTED, WORKED, Parser, status_of, whole
from experiments.cluster import FORMS, joined
from experiments.compare import report
from experiments.compare.config import (
    STOPS,
    CompareError,
    Config,
    checked_agents,
    checked_seats,
    commit,
    registered,
    short_hash,
)
from experiments.compare.design import DESIGNS
from experiments.compare.folder import RunFolder
from experiments.compare.pool import WorkerError, agent_cache, set_threads, try_out
from experiments.compare.ray_pool import RayPool
from experiments.compare.run import Outcome, run
from red7_env.game import Red7Error, Rules
from red7_env.game.errors import shown

LEAGUE = ("random", "random:unit=turn", "greedy", "rollout", "pimc", "ismcts")
LEARNED = ("ppo", "dmc")
"""Who plays when no agents are named; the learned ones if there is a model for the rules."""
DEALS, LEAGUE_DEALS = 2000, 250
"""Deals when agents are named, and when they are not: the default league is to end within five minutes on two cores."""
BATCH = 50
_RECORDED = 10
_NEEDS = ("choix", "matplotlib")
_FOLDER = Path("results", "compare")


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status.

    Args:
        arguments: The words after ``python -m experiments compare``.
    """
    return status_of(_traced, arguments)


def _traced(arguments: Sequence[str]) -> int:
    """Compare, and where an agent or a worker fails say where in its code."""
    try:
        return _compare(arguments)
    except WorkerError as error:
        trace = getattr(error, "__notes__", [])  # from another process
        if error.__cause__ is not None:
            trace = traceback.format_exception(error.__cause__)
        print("".join(trace) + f"error: {error}", file=sys.stderr)
        return FAILED


def _compare(arguments: Sequence[str]) -> int:
    chosen = _parser().parse_args(arguments)
    missing = [name for name in _NEEDS if find_spec(name) is None]
    if missing:
        raise CompareError(f"packages: found no {' and no '.join(missing)}, expected pip install -e '.[league]'")
    config = _config(chosen)
    described = config.to_json()
    path = chosen.out or _FOLDER / f"{str(config.rules).replace(':', '-')}-{short_hash(described)}"
    folder = RunFolder(path)
    # The folder of the default name belongs to exactly this comparison, so going on in it needs no word.
    folder.begin(described, commit(), resume=chosen.resume or chosen.out is None)
    try:
        print(_greeting(config, folder), file=sys.stderr, flush=True)
        outcome = _run(config, folder, chosen.workers, chosen.ray)
    except KeyboardInterrupt:
        again = "the same command again" if chosen.out is None else "--resume"
        print(f"compare: stopped; {again} goes on with {len(folder.done())} units", file=sys.stderr)
        return INTERRUPTED
    except Red7Error:
        folder.leave_no_trace()
        raise
    finally:
        folder.close()
    _show(outcome, folder)
    return WORKED


def _run(config: Config, folder: RunFolder, workers: int | None, address: str | None) -> Outcome:
    """Play what the folder lacks, in processes of this machine or on a cluster."""
    if address is None or folder.finished:
        return run(config, folder, workers or cores())
    with joined(address, workers, set_threads(), cores()) as cluster:
        return run(config, folder, cluster.workers, RayPool(cluster).played)


def _config(chosen: argparse.Namespace) -> Config:
    """Return the comparison that was asked for.

    Raises:
        Red7Error: If there is no such comparison.
    """
    rules = Rules.parse(chosen.rules)
    deals = chosen.deals or (DEALS if chosen.agents else LEAGUE_DEALS)
    specs = [spec for group in chosen.agents for spec in group] if chosen.agents else _league(rules)
    agents = checked_agents(specs, cheating=chosen.allow_cheating)
    checked_seats(agents, rules, chosen.design)
    return Config(
        agents=agents,
        rules=rules,
        deals=deals,
        seed=chosen.seed,
        batch=chosen.batch,
        design=chosen.design,
        records=min(deals, chosen.records),
        stop=chosen.until_separated,
    )


def _league(rules: Rules) -> list[str]:
    """Return who plays when no agents are named; say of learned agents why they do not."""
    specs, agent_of = list(LEAGUE), agent_cache()
    for spec in registered(LEARNED):
        try:
            try_out(agent_of(spec), rules)
            specs.append(spec)
        except Red7Error as error:
            print(f"compare: without {spec}: {error}", file=sys.stderr)
    return specs


def _greeting(config: Config, folder: RunFolder) -> str:
    where = shown(str(folder.path))
    if folder.finished:
        return f"compare: these results were there already, in {where}"
    going_on = f", going on with {done} units" if (done := len(folder.done())) else ""
    return f"compare: {', '.join(config.agents)} play {config.deals} deals of {config.rules}{going_on}"


def _show(outcome: Outcome, folder: RunFolder) -> None:
    print(report.text(outcome.summary, outcome.timing))
    print(f"results: {folder.path}/results.md, with figures, CSV and games beside it")


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _parser() -> Parser:
    parser = Parser(
        prog="python -m experiments compare",
        allow_abbrev=False,
        description="Play agents against each other on the same deals from every seat, and rate them. Without "
        f"arguments: {', '.join(LEAGUE)} in two players, basic, and {' and '.join(LEARNED)} if they have learned it.",
    )
    parser.add_argument("--agents", action="append", nargs="+", metavar="SPEC", help="who plays; may be repeated")
    parser.add_argument("--rules", default="basic:2p", help="such as advanced+revised:4p:match (basic:2p)")
    parser.add_argument("--deals", type=whole(1, 10_000_000), help=f"({DEALS}; without --agents {LEAGUE_DEALS})")
    parser.add_argument("--seed", type=whole(0), default=1, help="of the deals and of all chance (1)")
    parser.add_argument("--workers", type=whole(1, 1024), help="processes; no influence on results (all cores)")
    parser.add_argument("--ray", metavar="ADDRESS", help=f"play on a Ray cluster: {FORMS}")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the results go (a name under results/compare)")
    parser.add_argument("--resume", action="store_true", help="go on with the run in --out")
    parser.add_argument(
        "--design",
        choices=DESIGNS,
        default=DESIGNS[0],
        help="balanced: all sets of agents; duel: each alone against copies of each other (balanced)",
    )
    parser.add_argument(
        "--until-separated",
        nargs="?",
        choices=STOPS,
        const=STOPS[0],
        help="stop as soon as all agents, or the top one from the rest, are told apart, by a sequential test",
    )
    parser.add_argument("--batch", type=whole(1, 100_000), default=BATCH, help=f"deals in a unit of work ({BATCH})")
    parser.add_argument(
        "--records",
        type=whole(0),
        default=_RECORDED,
        metavar="DEALS",
        help=f"record all games of so many deals in full ({_RECORDED})",
    )
    parser.add_argument("--allow-cheating", action="store_true", help="let agents that see all hands take part")
    return parser
