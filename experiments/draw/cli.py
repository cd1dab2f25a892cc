"""The command line of pictures: ``python -m experiments draw``."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from experiments.arguments import WORKED, Parser, status_of, whole
from experiments.replay.cli import line_of
from experiments.replay.replay import called
from red7_env.game import Game, Red7Error
from red7_env.game.errors import shown
from red7_env.game.moves import split_turns
from red7_env.game.record import read_record
from red7_env.game.verify import replay_record
from red7_env.render import film, picture
from red7_env.render.animation import KINDS
from red7_env.render.theme import THEMES
from red7_env.stages import stages

_FILMS: Final = frozenset(KINDS) - {".png"}


class DrawError(Red7Error):
    """A picture that cannot be drawn as it was asked for."""


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status.

    Args:
        arguments: The words after ``python -m experiments draw``.
    """
    return status_of(_draw, arguments, ValueError, ImportError)


def _draw(arguments: Sequence[str]) -> int:
    chosen = _parser().parse_args(arguments)
    game, names = _game(chosen)
    if chosen.out.suffix.lower() in _FILMS:
        frames = film(game, chosen.out, seat=chosen.seat, names=names, theme=chosen.theme, by_move=chosen.by_move)
        print(f"{chosen.out}: {frames} frames of {game.rules}")
        return WORKED
    all_stages = list(stages(game))
    if chosen.step is not None and chosen.step >= len(all_stages):
        raise DrawError(f"--step: found {chosen.step}, expected 0 to {len(all_stages) - 1}")
    state = all_stages[-1 if chosen.step is None else chosen.step].state
    drawn = picture(state, chosen.seat, names=names, theme=chosen.theme)
    drawn.save(chosen.out)
    print(f"{chosen.out}: {drawn.scene.title}")
    return WORKED


def _game(chosen: argparse.Namespace) -> tuple[Game, list[str] | None]:
    """Return what is to be drawn, and the players' names if they are known."""
    if " " in chosen.what.strip():
        split_turns(chosen.turns or "#")  # a fault in them is told before one of the game
        return Game.from_position(chosen.what.strip(), chosen.turns), None
    if chosen.turns:
        raise DrawError(f"--turns: found {shown(chosen.turns)} with a record, expected them with a position")
    line, _ = line_of(Path(chosen.what), chosen.line)
    record = read_record(line)
    game = replay_record(record)
    return game, called(record["players"], game)


def _parser() -> Parser:
    parser = Parser(
        prog="python -m experiments draw",
        allow_abbrev=False,
        description="Draw a position or a step of a recorded game as .svg or .png, or a whole game as .gif or .apng.",
    )
    parser.add_argument(
        "what", metavar="POSITION|RECORD", help="a position in quotes, a file of records, or its folder"
    )
    parser.add_argument("-o", "--out", type=Path, default=Path("table.svg"), help="the picture or film (table.svg)")
    parser.add_argument("--turns", default="", metavar="TOKENS", help="moves from the position, turns separated by ;")
    parser.add_argument("--line", type=whole(1), default=1, metavar="N", help="which record of the file, from 1 (1)")
    parser.add_argument("--step", type=whole(0), metavar="N", help="which step of the game, from 0 (the last)")
    parser.add_argument("--seat", type=whole(0), help="whose eyes to see with (all hands)")
    parser.add_argument("--theme", choices=THEMES, default=THEMES[0], help="(auto: as the reader's system is)")
    parser.add_argument("--by-move", action="store_true", help="in a film, a frame for every move")
    return parser
