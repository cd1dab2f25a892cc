"""Is it good to begin? ``python -m experiments solve``: deals of two players, solved with open hands and played.

For every deal the solver tells whether the player who acts first wins against every defence, all hands open; beside it
stands who won the same deal when one agent played both seats. Shares have Wilson's 95 % intervals over the deals. The
time of the solver is CPU time, without the deal and without what is compiled at first use.

A run's folder holds ``config.json``, ``deals.jsonl`` (a line a deal), ``results.json``, ``results.md`` and
``timing.json``, the only one that differs from run to run.
"""

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents import Agent, make_all
from agents.solver import Share, Solver, is_solvable
from agents.solver.share import share_of
from agents.solver.solver import SOLVED
from agents.table import CHUNK, play_deals
from experiments.arguments import INTERRUPTED, WORKED, Parser, status_of, whole
from experiments.compare.config import checked_agents, commit, short_hash, sources_hash, versions
from experiments.compare.folder import RESULTS, TIMING, RunFolder, write_json, write_text
from experiments.compare.progress import Progress
from experiments.compare.units import Unit
from red7_env.game import Red7Error, Rules, batch
from red7_env.game.errors import shown
from red7_env.game.state import blank_states

FORMAT: Final = "red7-solve/1"
PERFECT: Final = "perfect play"
ROWS, TABLE = "deals.jsonl", "results.md"
_DEALS = 20_000
_AGENTS = ("random", "random:unit=turn", "greedy")
_FOLDER = Path("results", "solve")


@dataclass(frozen=True)
class Config:
    """What is solved and played.

    Attributes:
        rules: By which rules.
        deals: The number of deals.
        seed: Of the deals and of all chance.
        agents: Who plays both seats, by spec.
    """

    rules: Rules
    deals: int
    seed: int
    agents: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """Return what decides the results, as it is written to ``config.json``."""
        asked = {"rules": str(self.rules), "deals": self.deals, "seed": self.seed, "agents": list(self.agents)}
        return {"format": FORMAT, **asked, "versions": versions(), "sources": sources_hash()}


@dataclass
class Found:
    """What is known of the deals so far.

    Attributes:
        first: The seat that acts first in each deal.
        wins: For perfect play and each agent whether that seat won each deal.
        solving: CPU seconds of the solver.
        nodes: Positions that it reached.
    """

    first: list[int] = field(default_factory=list)
    wins: dict[str, list[bool]] = field(default_factory=dict)
    solving: float = 0.0
    nodes: int = 0

    def add(self, name: str, wins: NDArray[np.bool_]) -> None:
        """Note who won some more deals."""
        self.wins.setdefault(name, []).extend(wins.tolist())

    def rows(self) -> Iterator[str]:
        """Yield a line of JSON a deal."""
        for deal, first in enumerate(self.first):
            won = {name: wins[deal] for name, wins in self.wins.items()}
            yield json.dumps({"deal": deal, "first": first, "wins": won}, separators=(",", ":")) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status.

    Args:
        arguments: The words after ``python -m experiments solve``.
    """
    return status_of(_solve, arguments)


def _solve(arguments: Sequence[str]) -> int:
    chosen = _parser().parse_args(arguments)
    agents = checked_agents(chosen.agents, cheating=False)
    config = Config(_checked_rules(chosen.rules), chosen.deals, chosen.seed, agents)
    described = config.to_json()
    folder = RunFolder(chosen.out or _FOLDER / f"{str(config.rules).replace(':', '-')}-{short_hash(described)}")
    # What is there already is shown again: the same deals come out the same.
    folder.begin(described, commit(), resume=True)
    try:
        if not folder.finished:
            _write(folder, _found(config), f"{config.rules}, {config.deals} deals of seed {config.seed}")
    except KeyboardInterrupt:
        folder.leave_no_trace()
        print("solve: stopped; nothing is kept", file=sys.stderr)
        return INTERRUPTED
    except Red7Error:
        folder.leave_no_trace()
        raise
    finally:
        folder.close()
    print(_shown_again(folder))
    print(f"results: {folder.path}/{TABLE}, with a line a deal beside it")
    return WORKED


def _shown_again(folder: RunFolder) -> str:
    """Return the results that a folder holds as text.

    Raises:
        Red7Error: If they are damaged.
    """
    try:
        return text(folder.read(RESULTS), folder.read(TIMING))
    except (LookupError, TypeError, AttributeError):
        raise Red7Error(
            f"out: found {RESULTS} or {TIMING} in {shown(str(folder.path))} damaged, expected what a finished run wrote"
        ) from None


def _checked_rules(words: str) -> Rules:
    rules = Rules.parse(words)
    if not is_solvable(blank_states(rules)):
        raise Red7Error(f"rules: found {rules}, expected {SOLVED}")
    return rules


def _found(config: Config) -> Found:
    """Solve and play all deals, in chunks."""
    found, solver, players = Found(), Solver(), make_all(config.agents)
    solver.wins(batch.deal(config.rules, 1))  # whatever is to be compiled is compiled
    solver.nodes = 0
    starts = range(0, config.deals, CHUNK)
    units = [Unit(number, 0, start, min(CHUNK, config.deals - start)) for number, start in enumerate(starts)]
    progress = Progress(units, [], workers=1, name="solve")
    try:
        for unit in units:
            begun = time.perf_counter()
            _judge(found, solver, config, unit, players)
            progress.advance(unit, time.perf_counter() - begun)
    finally:
        progress.close()
    found.nodes = solver.nodes
    return found


def _judge(found: Found, solver: Solver, config: Config, unit: Unit, players: Sequence[Agent]) -> None:
    """Solve and play some deals."""
    states = batch.deal(config.rules, unit.count, config.seed, unit.first)
    first = states["to_move"].astype(np.int64)
    found.first += first.tolist()
    begun = time.process_time()
    wins = solver.wins(states)
    found.solving += time.process_time() - begun
    found.add(PERFECT, wins)
    for agent in players:
        games = play_deals([agent, agent], config.rules, unit.count, seed=config.seed, first=unit.first)
        # Both seats are the agent's, so the second rotation of a deal is but the same deal again.
        found.add(agent.spec, (games.winners[::2] >> first & 1).astype(np.bool_))


def _write(folder: RunFolder, found: Found, title: str) -> None:
    """Write the files of a run."""
    shares = {name: share_of(sum(wins), len(wins)) for name, wins in found.wins.items()}
    results: dict[str, object] = {
        "title": title,
        "first_player": {name: share._asdict() for name, share in shares.items()},
    }
    deals = len(found.first)
    timing = {"solver_ms_a_deal": 1000 * found.solving / deals, "positions_a_deal": found.nodes / deals}
    write_text(folder.path / ROWS, "".join(found.rows()))
    write_json(folder.path / TIMING, timing)
    write_text(folder.path / TABLE, markdown(results))
    folder.finish(results)


def _lines(results: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the rows of the table: who plays, and how often the first player wins."""
    rows = [("both seats play", "wins % of the first to act")]
    for name, fields in results["first_player"].items():
        share = Share(**fields)
        rows.append((name, f"{100 * share.share:.1f} [{100 * share.low:.1f}, {100 * share.high:.1f}]"))
    return rows


def text(results: Mapping[str, Any], timing: Mapping[str, Any]) -> str:
    """Return the results as they are shown in a terminal."""
    lines = _lines(results)
    width = max(len(name) for name, _ in lines)
    table = [f"{name:{width}}  {share:>26}" for name, share in lines]
    speed = f"{timing['solver_ms_a_deal']:.3f} ms of CPU time and {timing['positions_a_deal']:.0f} positions a deal"
    return "\n".join([f"{results['title']}, with 95 % intervals", "", *table, "", f"solved in {speed}"])


def markdown(results: Mapping[str, Any]) -> str:
    """Return the results as ``results.md`` holds them."""
    header, *rows = [f"| {name} | {share} |" for name, share in _lines(results)]
    note = (
        "Perfect play is with open hands: the player who acts first wins so many deals against every defence. The "
        "other rows are the same deals with the agent at both seats. Intervals are Wilson's, 95 %."
    )
    return "\n".join([f"# {results['title']}: is it good to begin?", "", header, "| --- | ---: |", *rows, "", note, ""])


def _parser() -> Parser:
    parser = Parser(
        prog="python -m experiments solve",
        allow_abbrev=False,
        description="How often the player who acts first wins: with perfect play and open hands, and among agents.",
    )
    parser.add_argument("--deals", type=whole(1, 10_000_000), default=_DEALS, help=f"({_DEALS})")
    parser.add_argument("--seed", type=whole(0), default=0, help="of the deals and of all chance (0)")
    parser.add_argument("--rules", default="basic:2p", help=f"{SOLVED}, with any deck (basic:2p)")
    parser.add_argument(
        "--agents", nargs="+", default=_AGENTS, metavar="SPEC", help=f"who plays both seats ({' '.join(_AGENTS)})"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the results go (a name under results/solve)")
    return parser
