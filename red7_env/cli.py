"""The command line: ``python -m red7_env COMMAND ...``, for checks by hand and other programs.

Each command is a function from its arguments, as text, to the lines it prints. ``serve`` answers
the same commands line by line. The engine is loaded only once the arguments have been read, so
that malformed input is refused at once.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from red7_env.game.cards import card_number, cards_text
from red7_env.game.errors import IllegalMoveError, NotationError, Red7Error, shown
from red7_env.game.moves import split_turn, split_turns
from red7_env.game.notation import parse_position
from red7_env.game.record import MAX_LINE_BYTES
from red7_env.game.verify import verify_lines

if TYPE_CHECKING:
    from red7_env.game.game import Game

WORKED = 0
REFUSED = 2
INTERRUPTED = 130
"""Exit statuses."""

_MAX_DEPTH = 1000
_MAX_SERVED_BYTES = 64 * 1024
_SERVE = "serve"
_HELP = """\
usage: python -m red7_env COMMAND ...

The card game Red7, for checks by hand and for other programs.

{commands}
  serve
      read one command a line from standard input, its words separated by tabs, and answer each
      with one line (several lines joined by a tab), or with "error: ..."

POSITION is the start of a turn, five or six fields quoted as one argument: rules, canvas, seats
(hand:palette or x, joined by /), seat to move, deck, and in a match the scored cards:
  'basic@3x4x2 - R4O1:Y3/R2Y4:O4 0 R3O3Y2O2R1Y1'
TOKENS are moves, quoted as one argument: '+R5 +Y3 >G6 *'
  +R7 play to the palette         >R7 discard to the canvas
  ^R7 by a 1, to the deck         ~R7, _R7 by a 7, to the canvas or to the deck
  * take the draw                 . end the turn                  # pass

Exit status: 0, or 2 for input that is refused, with one line on standard error.
"""


@dataclass(frozen=True)
class _Command:
    """A command: what it does with how many arguments."""

    run: Callable[..., list[str]]
    arguments: str
    counts: tuple[int, ...]
    about: str


def main(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit status.

    Args:
        arguments: The words after ``python -m red7_env``.
    """
    try:
        return _run(arguments)
    except BrokenPipeError:  # the reader has had enough
        _drop_output()
        return WORKED
    except OSError as error:
        _drop_output()
        return _refuse(f"standard input or output: found a fault ({error.strerror}), expected none")
    except KeyboardInterrupt:
        return INTERRUPTED


def answer(words: Sequence[str]) -> list[str]:
    """Return the lines that a command prints.

    Args:
        words: The command and its arguments.

    Raises:
        Red7Error: If anything about them is refused.
    """
    name = words[0] if words else ""
    command = _COMMANDS.get(name)
    if command is None:
        raise NotationError(f"command: found {shown(name)}, expected one of {' '.join(_COMMANDS)}")
    if len(words) - 1 not in command.counts:
        raise NotationError(
            f"{name}: found {len(words) - 1} arguments, expected {command.arguments}, each quoted as one argument"
        )
    return command.run(*words[1:])


def serve(lines: BinaryIO) -> None:
    """Answer one command a line, each with one line that is written at once, until the end.

    Args:
        lines: Where the commands are read from, words separated by tabs.
    """
    for line in _served_lines(lines):
        try:
            _write("\t".join(answer(_served_words(line))))
        except Red7Error as error:
            _write(f"error: {error}")


def _run(arguments: Sequence[str]) -> int:
    if any(word in {"-h", "--help"} for word in arguments[:2]):
        _write(_help())
        return WORKED
    if list(arguments) == [_SERVE]:
        if sys.stdin is not None:  # None when it was closed before the start
            serve(sys.stdin.buffer)
        return WORKED
    try:
        _write("\n".join(answer(arguments)))
    except Red7Error as error:
        return _refuse(str(error))
    return WORKED


def _leader(position: str) -> list[str]:
    leader = _game(position).leader
    return ["none" if leader is None else str(leader)]


def _moves(position: str, tokens: str = "") -> list[str]:
    part = split_turn(tokens)
    game = _game(position)
    for token in part:
        game.play(token)
        if game.between_turns:
            raise IllegalMoveError(
                f"token: found {shown(token)}, which completes the turn, expected tokens of an unfinished turn"
            )
    return [" ".join(game.moves())]


def _apply(position: str, tokens: str) -> list[str]:
    turns = split_turns(tokens)
    game = _game(position)
    for turn in turns:
        game.play_turn(turn)
    return [game.position, f"winner {game.winner}"] if game.round_over else [game.position]


def _score(position: str, seat: str) -> list[str]:
    seats = [str(number) for number, held in enumerate(parse_position(position).seats) if held]
    if seat not in seats:
        raise NotationError(f"SEAT: found {shown(seat)}, expected a seat that is in: {' '.join(seats)}")
    cards = _game(position).best_set(int(seat))
    return [f"{cards_text(cards)} {sum(map(card_number, cards))}"]


def _perft(position: str, depth: str) -> list[str]:
    plain = depth.isascii() and depth.isdigit() and len(depth) <= len(str(_MAX_DEPTH))
    if not plain or int(depth) > _MAX_DEPTH:
        raise NotationError(f"DEPTH: found {shown(depth)}, expected a whole number from 0 to {_MAX_DEPTH}")
    return [str(_game(position).perft(int(depth)))]


def _verify(path: str) -> list[str]:
    return [f"ok: {verify_lines(_record_lines(path))} games"]


_COMMANDS = {
    "leader": _Command(_leader, "POSITION", (1,), "print the leading seat, or none"),
    "moves": _Command(
        _moves,
        "POSITION [TOKENS]",
        (1, 2),
        "print the offered moves, after TOKENS of the present turn",
    ),
    "apply": _Command(
        _apply,
        "POSITION TOKENS",
        (2,),
        "print the position after the complete turns in TOKENS, separated by ';',\n"
        "      and the winner when the round is over",
    ),
    "score": _Command(_score, "POSITION SEAT", (2,), "print the cards that SEAT would score now, and their points"),
    "perft": _Command(_perft, "POSITION DEPTH", (2,), "print the number of sequences of DEPTH moves"),
    "verify": _Command(_verify, "FILE", (1,), "replay the game records in FILE, one a line, and compare everything"),
}


def _game(position: str) -> "Game":
    """Set up a game; the text is read before the engine is loaded."""
    parsed = parse_position(position)
    from red7_env.game.game import Game

    return Game.from_position(parsed)


def _help() -> str:
    commands = (f"  {name} {command.arguments}\n      {command.about}" for name, command in _COMMANDS.items())
    return _HELP.format(commands="\n".join(commands)).rstrip()


def _record_lines(path: str) -> Iterator[bytes]:
    """Yield the lines of a file; of a line that is too long just so much that it is refused."""
    try:
        with Path(path).open("rb") as file:
            while line := file.readline(MAX_LINE_BYTES + 1):
                yield line
    except (OSError, ValueError) as error:  # ValueError for a name that no file can have
        fault = getattr(error, "strerror", None) or "not a file name"
        raise NotationError(f"FILE: found {shown(path)} ({fault}), expected a file with one record a line") from None


def _served_lines(lines: BinaryIO) -> Iterator[bytes]:
    """Yield the lines to serve; of one that is too long just so much that it is refused."""
    while line := lines.readline(_MAX_SERVED_BYTES + 1):
        rest = line
        while len(rest) > _MAX_SERVED_BYTES and not rest.endswith(b"\n"):
            rest = lines.readline(_MAX_SERVED_BYTES + 1)
        yield line


def _served_words(line: bytes) -> list[str]:
    """Return the words of a served line. Bytes that are not UTF-8 end up in no valid word."""
    if len(line) > _MAX_SERVED_BYTES:
        raise NotationError(f"command: found a longer line, expected at most {_MAX_SERVED_BYTES} bytes")
    text = line.decode("utf-8", "surrogateescape")
    return text.removesuffix("\n").removesuffix("\r").split("\t")


def _write(text: str) -> None:
    """Write a line to standard output at once."""
    if sys.stdout is not None:  # None when it was closed before the start
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def _refuse(message: str) -> int:
    """Write one line on standard error and return the exit status."""
    if sys.stderr is not None:
        sys.stderr.write(f"error: {message}\n")
    return REFUSED


def _drop_output() -> None:
    """Let what is still to be written vanish, or Python would complain about it when it ends."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
