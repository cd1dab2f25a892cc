"""The command line of the RLlib example: ``python -m experiments rllib``."""

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from agents import make
from experiments.arguments import INTERRUPTED, WORKED, Parser, status_of, whole
from experiments.cluster import FORMS, LOCAL, ClusterError, joined
from experiments.compare.cli import cores
from experiments.compare.config import commit, short_hash, versions
from experiments.compare.folder import write_json
from experiments.compare.pool import set_threads
from red7_env.game import Rules

CONFIG = "config.json"
_FOLDER = Path("results", "rllib")


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status.

    Args:
        arguments: The words after ``python -m experiments rllib``.
    """
    try:
        return status_of(_learn, arguments)
    except KeyboardInterrupt:
        print("rllib: stopped; the model of the last iteration is kept", file=sys.stderr)
        return INTERRUPTED


def _learn(arguments: Sequence[str]) -> int:
    chosen = _parser().parse_args(arguments)
    rules = Rules.parse(chosen.rules)
    make(chosen.opponent)  # refuses here, in one line, what there is not
    missing = [name for name in ("ray", "torch", "safetensors") if find_spec(name) is None]
    if missing:
        raise ClusterError(f"packages: found no {' and no '.join(missing)}, expected pip install -e '.[ray,train]'")
    with joined(chosen.ray, None if chosen.ray != LOCAL else chosen.runners + 1, set_threads(), cores()):
        from experiments.rllib.learn import Settings
        from experiments.rllib.run import run

        settings = Settings(
            rules=rules, opponent=chosen.opponent, steps=chosen.steps, runners=chosen.runners, seed=chosen.seed
        )
        described = settings.to_json() | {"iterations": chosen.iterations, "versions": versions()}
        path = chosen.out or _FOLDER / f"{str(rules).replace(':', '-')}-{short_hash(described)}"
        path.mkdir(parents=True, exist_ok=True)
        write_json(path / CONFIG, described | {"commit": commit()})
        for line in run(settings, chosen.iterations, path):
            print(line, flush=True)
    return WORKED


def _parser() -> Parser:
    parser = Parser(
        prog="python -m experiments rllib",
        allow_abbrev=False,
        description="PPO of RLlib learns to beat an agent: an example of its RLModules, Learners and action masks.",
    )
    parser.add_argument("--rules", default="basic:2p", help="such as advanced+revised:4p:match (basic:2p)")
    parser.add_argument("--opponent", default="greedy", metavar="SPEC", help="at all other seats (greedy)")
    parser.add_argument("--iterations", type=whole(1, 1_000_000), default=50, help="(50)")
    parser.add_argument("--steps", type=whole(64, 10_000_000), default=4096, help="moves in an iteration (4096)")
    parser.add_argument("--runners", type=whole(0, 1024), default=1, help="actors that play; 0: this process (1)")
    parser.add_argument("--seed", type=whole(0, 2**31 - 1), default=1, help="of all chance (1)")
    parser.add_argument("--ray", default=LOCAL, metavar="ADDRESS", help=f"the cluster: {FORMS} (local)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the run goes (a name under results/rllib)")
    return parser
