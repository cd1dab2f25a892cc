"""The command line of the benchmark: ``python -m experiments benchmark``."""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from experiments.arguments import INTERRUPTED, WORKED, Parser, status_of, whole
from experiments.benchmark import calibration, machine, suite
from experiments.benchmark.measure import Results, measure
from experiments.benchmark.report import document, table
from red7_env.game.errors import Red7Error, shown

_RUNS, _QUICK_RUNS = 7, 3
_SECONDS, _QUICK_SECONDS = 0.05, 0.01


def main(arguments: Sequence[str]) -> int:
    """Measure, print the table and return the exit status.

    Args:
        arguments: The words after ``benchmark``.
    """
    return status_of(_measure, arguments, written="json")


def _measure(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    results = _results(options)
    runs = options.runs or (_QUICK_RUNS if options.quick else _RUNS)
    seconds = _QUICK_SECONDS if options.quick else _SECONDS
    facts = machine.facts()
    progress, status = _Progress(), WORKED
    try:
        measure(results, runs, seconds, progress.tell)
    except KeyboardInterrupt:
        status = INTERRUPTED
    progress.end("interrupted: this is what was measured so far" if status else "")
    print(table(results, facts))
    if options.json is not None:
        settings = {"runs": runs, "seconds_a_run": seconds, "quick": options.quick}
        options.json.write_text(json.dumps(document(results, facts, settings), indent=1) + "\n", encoding="utf-8")
    return status


def _parser() -> Parser:
    parser = Parser("python -m experiments benchmark", description="Measure the speed of the game on this machine.")
    parser.add_argument("--json", type=_writable, metavar="FILE", help="also write everything measured, run by run")
    parser.add_argument("--quick", action="store_true", help="few and short runs, and nothing that takes seconds")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="measure only what has NAME in its heading or name; may be given several times",
    )
    parser.add_argument(
        "--runs", type=whole(1), metavar="N", help=f"runs of each (default {_RUNS}, quick {_QUICK_RUNS})"
    )
    return parser


def _results(options: argparse.Namespace) -> Results:
    """Return what is to be measured.

    Raises:
        Red7Error: If nothing is.
    """
    measurements = suite.chosen(options.only)
    if len(measurements) == len(calibration.measurements()):
        sections = ", ".join(dict.fromkeys(each.section for each in suite.chosen([])))
        raise Red7Error(
            f"--only: found {shown(options.only[0])}, expected a part of a name or of a heading: {sections}"
        )
    results = Results(measurements)
    if options.quick:
        results.left_out = {each.title: "left out of a quick benchmark" for each in measurements if each.slow}
    return results


def _writable(text: str) -> Path:
    """Return the path of a file that can be written, which is tried before minutes are spent on measuring."""
    path = Path(text)
    try:
        path.open("a", encoding="utf-8").close()
    except (OSError, ValueError) as error:  # ValueError for a name that no file can have
        fault = getattr(error, "strerror", None) or "not a file name"
        raise argparse.ArgumentTypeError(
            f"found {shown(text)} ({fault}), expected a file that can be written"
        ) from None
    return path


class _Progress:
    """What is being done, on standard error: one line that changes on a terminal, elsewhere a line a round."""

    def __init__(self) -> None:
        self._round = ""
        self._changes = sys.stderr.isatty()

    def tell(self, round_: str, detail: str) -> None:
        """Show a round and what is being done in it."""
        if self._changes:
            print(
                f"\r\x1b[K{round_}: {detail}"[: shutil.get_terminal_size().columns], end="", file=sys.stderr, flush=True
            )
        elif round_ != self._round:
            print(f"{round_} ...", file=sys.stderr, flush=True)
        self._round = round_

    def end(self, note: str) -> None:
        """Clear the line, or leave a note."""
        print("\r\x1b[K" * self._changes + note, end="\n" if note else "", file=sys.stderr, flush=True)
