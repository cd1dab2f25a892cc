"""The command line for a game at the terminal: ``python -m experiments play``."""

import argparse
import secrets
import shlex
from collections.abc import Sequence
from pathlib import Path

from agents.human import Console, Human, PersonLeftError
from experiments.arguments import INTERRUPTED, WORKED, Parser, status_of, whole
from experiments.play.browser import Desk, Visitor, serving
from experiments.play.loop import play
from experiments.play.saved import Keeper
from experiments.play.settings import (
    DEFAULT_RULES,
    PlayError,
    Sitting,
    checked_opponents,
    dealt,
    made,
    placed,
    rules_for,
)
from red7_env.game import parse_position

_OPPONENTS = ("greedy",)
_HINT = "rollout"
_SEEDS = 2**32
_NEW_GAME = ("opponents", "rules", "position", "seat", "seed", "deal")


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status.

    Args:
        arguments: The words after ``python -m experiments play``.
    """
    return status_of(_play, arguments, written="record")


def _play(arguments: Sequence[str]) -> int:
    chosen = _checked(_parser().parse_args(arguments))
    keeper = Keeper(chosen.record)
    sitting = _resumed(chosen, keeper) if chosen.resume else _first(chosen, keeper)
    return _games(sitting, chosen, keeper)


def _games(sitting: Sitting, chosen: argparse.Namespace, keeper: Keeper) -> int:
    """Play at the terminal, or in a browser."""
    if not chosen.browser:
        return _played(sitting, chosen, keeper, Console(), Human(hint=chosen.hint))
    desk = Desk()
    visitor = Visitor(desk, hint=chosen.hint)
    with serving(desk, chosen.port or 0) as server:
        Console().say(f"Open this address in a browser on this machine; Ctrl-C ends.\n{server.address}", indent=None)
        return _played(sitting, chosen, keeper, desk, visitor)


def _played(sitting: Sitting, chosen: argparse.Namespace, keeper: Keeper, console: Console, person: Human) -> int:
    """Play one game after the other."""
    opponents = made(sitting.players)
    status = WORKED
    try:
        while True:
            if isinstance(console, Desk):
                console.seat(sitting)
            console.say(_greeting(sitting) + ("" if isinstance(console, Desk) else " Type ? for help."))
            play(sitting, person, opponents, console, lambda: keeper.save(sitting))  # noqa: B023 - called at once
            keeper.finish(sitting)
            if not _another(console):
                break
            sitting = sitting.next(chosen.seat)
            keeper.begin(sitting)
    except PersonLeftError:
        pass
    except KeyboardInterrupt:
        console.say()
        status = INTERRUPTED
    outside = Console() if isinstance(console, Desk) else console
    outside.say(_farewell(sitting, keeper), indent=None)  # commands are copied, and better not broken
    return status


def _first(chosen: argparse.Namespace, keeper: Keeper) -> Sitting:
    """Return the first game that was asked for.

    Raises:
        Red7Error: If it cannot be played.
    """
    specs = [spec for group in chosen.opponents or [_OPPONENTS] for spec in group]
    opponents = checked_opponents(specs, cheating=chosen.allow_cheating)
    seed = secrets.randbelow(_SEEDS) if chosen.seed is None else chosen.seed
    if chosen.position is not None:
        for name in ("rules", "deal"):
            if getattr(chosen, name) is not None:
                raise PlayError(f"{name}: found with --position, expected one of the two")
        sitting = placed(parse_position(chosen.position), opponents, seed, chosen.seat)
    else:
        rules = rules_for(chosen.rules or DEFAULT_RULES, len(opponents))
        sitting = dealt(rules, opponents, seed, chosen.deal or 0, chosen.seat)
    keeper.begin(sitting)
    keeper.check()
    return sitting


def _resumed(chosen: argparse.Namespace, keeper: Keeper) -> Sitting:
    """Return the unfinished game.

    Raises:
        PlayError: If there is none, or the command asks for another one.
    """
    for name in _NEW_GAME:
        if getattr(chosen, name) is not None:
            raise PlayError(f"{name}: found with --resume, expected the saved game to say")
    sitting = keeper.resumed()
    checked_opponents(sitting.opponents, cheating=chosen.allow_cheating)
    return sitting


def _greeting(sitting: Sitting) -> str:
    dealt_from = "a written position" if sitting.deal is None else f"seed {sitting.seed}, deal {sitting.deal}"
    return f"Red7, {dealt_from}: you are seat {sitting.seat}."


def _checked(chosen: argparse.Namespace) -> argparse.Namespace:
    """Return the arguments if they go together.

    Raises:
        PlayError: If they do not.
    """
    if chosen.port is not None and not chosen.browser:
        raise PlayError(f"port: found {chosen.port} without --browser, expected both")
    return chosen


def _another(console: Console) -> bool:
    """Ask for another game."""
    while True:
        answer = console.ask("\nn: the next game, q: quit. ").lower()
        if answer in {"n", "q"}:
            return answer == "n"


def _farewell(sitting: Sitting, keeper: Keeper) -> str:
    """Return where the games are, and how the last one can go on."""
    lines = []
    if keeper.path is not None and keeper.finished:
        games = "1 game" if keeper.finished == 1 else f"{keeper.finished} games"
        lines.append(f"{games} recorded in {keeper.path}")
    if keeper.unfinished is not None and keeper.unfinished.exists():
        command = f"python -m experiments play --record {shlex.quote(str(keeper.path))} --resume"
        lines += [f"The unfinished game lies in {keeper.unfinished}; it goes on with", f"  {command}"]
    elif not sitting.game.over:
        lines.append("The unfinished game was not kept: there was no --record.")
        if sitting.deal is not None:
            lines.append(
                f"With the same --opponents and --rules, --seed {sitting.seed} --deal {sitting.deal} deals it again."
            )
    return "\n".join(lines or ["Goodbye."])


def _parser() -> Parser:
    parser = Parser(
        prog="python -m experiments play",
        allow_abbrev=False,
        description="Play Red7 at the terminal or in a browser, against one to three agents.",
    )
    parser.add_argument(
        "--opponents",
        action="append",
        nargs="+",
        metavar="SPEC",
        help=f"one to three agents, in turn order after you; may be repeated ({' '.join(_OPPONENTS)})",
    )
    parser.add_argument("--rules", help=f"such as advanced+revised:match; opponents count ({DEFAULT_RULES})")
    parser.add_argument("--seat", type=whole(0, 3), help="where you sit (the seed chooses, for each game)")
    parser.add_argument("--seed", type=whole(0), help="of the deals and the opponents' chance (any, which is shown)")
    parser.add_argument("--deal", type=whole(0), help="number of the first deal of the seed (0)")
    parser.add_argument("--position", metavar="TEXT", help="begin at a written position")
    parser.add_argument("--hint", default=_HINT, metavar="SPEC", help=f"the agent that gives hints ({_HINT})")
    parser.add_argument("--record", type=Path, metavar="FILE", help="append every finished game, and keep the last one")
    parser.add_argument("--resume", action="store_true", help="go on with the unfinished game of --record")
    parser.add_argument("--browser", action="store_true", help="play in a browser on this machine, not at the terminal")
    parser.add_argument("--port", type=whole(1, 65535), help="of this machine, for --browser (any that is free)")
    parser.add_argument("--allow-cheating", action="store_true", help="let opponents see all hands")
    return parser
