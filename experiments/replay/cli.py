"""The command line of replays: ``python -m experiments replay``."""

import sys
from collections.abc import Sequence
from pathlib import Path

from experiments.arguments import WORKED, Parser, status_of, whole
from experiments.replay.replay import Replay, ReplayError
from red7_env.game.errors import shown
from red7_env.game.record import MAX_LINE_BYTES

_RECORDS = "records.jsonl"


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status.

    Args:
        arguments: The words after ``python -m experiments replay``.
    """
    return status_of(_replay, arguments, ValueError, ImportError)


def _replay(arguments: Sequence[str]) -> int:
    chosen = _parser().parse_args(arguments)
    line, is_only = line_of(chosen.record, chosen.line or 1)
    if not is_only and chosen.line is None:
        print("replay: the first of several records; --line chooses another", file=sys.stderr)
    replay = Replay(line, chosen.explain, seed=chosen.seed, report=_report)
    replay.save(chosen.out)
    print(f"{chosen.out}: {len(replay.stages)} steps of {replay.game.rules}, {' against '.join(replay.names)}")
    return WORKED


def line_of(path: Path, number: int) -> tuple[bytes, bool]:
    """Return one line of a record file, and whether it is the only one.

    Args:
        path: The file, or the folder of a comparison.
        number: The line, from 1.

    Raises:
        ReplayError: If there is no such file or line.
    """
    try:
        with (path / _RECORDS if path.is_dir() else path).open("rb") as file:
            for count in range(number):
                line = file.readline(MAX_LINE_BYTES + 1)
                if not line:
                    raise _no_line(path, number, count)
            return line, number == 1 and not file.readline(1)
    except ReplayError:
        raise
    except (OSError, ValueError) as error:  # ValueError for a name that no file can have
        fault = getattr(error, "strerror", None) or "not a file name"
        raise ReplayError(f"RECORD: found {shown(str(path))} ({fault}), expected a file of records") from None


def _no_line(path: Path, number: int, count: int) -> ReplayError:
    if not count:
        return ReplayError(f"RECORD: found {shown(str(path))} empty, expected a file of records")
    return ReplayError(f"line: found {number}, expected 1 to {count} in {shown(str(path))}")


def _report(spec: str, done: int, count: int) -> None:
    """Tell a person who waits how far an agent is."""
    if sys.stderr.isatty():
        print(f"\r{spec}: {done} of {count} decisions", end="\n" if done == count else "", file=sys.stderr, flush=True)


def _parser() -> Parser:
    parser = Parser(
        prog="python -m experiments replay",
        allow_abbrev=False,
        description="Write a recorded game as one HTML page to step through, with what agents think of each decision.",
    )
    parser.add_argument("record", type=Path, metavar="RECORD", help="a file of records, or the folder of a comparison")
    parser.add_argument("-o", "--out", type=Path, default=Path("replay.html"), help="the page (replay.html)")
    parser.add_argument("--line", type=whole(1), metavar="N", help="which record of the file, from 1 (the first)")
    parser.add_argument(
        "--explain", action="append", default=[], metavar="SPEC", help="an agent that explains; may be repeated"
    )
    parser.add_argument("--seed", type=whole(0), default=0, help="of the agents' chance (0)")
    return parser
