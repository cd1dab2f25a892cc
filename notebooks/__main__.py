"""``python -m notebooks``: run notebooks anew and keep what they show, or check that they show it still."""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from experiments.arguments import Parser
from experiments.compare.folder import write_text
from notebooks.comparison import faults
from notebooks.execution import NotebookError, executed, paths, read, text_of
from red7_env.game import Red7Error

WORKED, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses."""


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status.

    Args:
        arguments: The words after ``python -m notebooks``.
    """
    try:
        chosen = _parser().parse_args(arguments)
        files = paths(chosen.names)
    except Red7Error as error:
        print(f"error: {error}", file=sys.stderr)
        return REFUSED
    good = [_run(path, check=chosen.check) for path in files]
    return WORKED if all(good) else FAILED


def _run(path: Path, *, check: bool) -> bool:
    """Run a notebook, say how it went, and return whether it went well; keep what it shows unless it is checked."""
    begun, before = time.perf_counter(), _cpu()
    kept = read(path)
    try:
        made = executed(kept)
    except NotebookError as error:
        print(f"{path.name}: found an error, expected none:\n{error}", file=sys.stderr)
        return False
    if not check:
        write_text(path, text_of(made))
    found = faults(kept if check else made, made)
    print(
        f"{path.name}: {'; '.join(found) or 'good'} ({time.perf_counter() - begun:.0f} s, "
        f"{_cpu() - before:.0f} s of CPU time, {len(text_of(made)) // 1000} kB)",
        file=sys.stderr if found else sys.stdout,
        flush=True,
    )
    return not found


def _cpu() -> float:
    """Return the CPU seconds of this process and of those that it started and that have ended."""
    return sum(os.times()[:4])


def _parser() -> Parser:
    parser = Parser(
        prog="python -m notebooks", allow_abbrev=False, description="Run notebooks and keep what they show."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="such as 01_tour (all)")
    parser.add_argument(
        "--check", action="store_true", help="change nothing; tell what they show otherwise than before"
    )
    return parser


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
