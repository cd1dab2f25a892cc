"""``python -m experiments COMMAND ...``: the command line of the experiments.

Each command is a module with a function ``main(arguments) -> exit status``, imported only when it is called for.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

from experiments.arguments import INTERRUPTED, REFUSED, WORKED
from red7_env.game.errors import shown


class Command(NamedTuple):
    """A command: the module that runs it, and what it does in a few words."""

    module: str
    about: str


COMMANDS: Final[Mapping[str, Command]] = {
    "benchmark": Command("experiments.benchmark.cli", "measure the speed of the game on this machine"),
    "best-response": Command(
        "experiments.best_response.cli", "let a learner show what can be won from an agent, at least"
    ),
    "compare": Command("experiments.compare.cli", "play agents against each other and rate them"),
    "draw": Command("experiments.draw.cli", "draw a position or a recorded game, as a picture or a film"),
    "exploitability": Command("experiments.exploitability.cli", "measure agents exactly on small decks"),
    "pictures": Command("experiments.pictures.cli", "draw the pictures of README and documentation"),
    "play": Command("experiments.play.cli", "play at the terminal or in a browser, against any agents"),
    "replay": Command("experiments.replay.cli", "write a recorded game as a page to step through"),
    "rllib": Command("experiments.rllib.cli", "let RLlib learn, an example of action masks on a Ray cluster"),
    "solve": Command("experiments.solve", "tell how often the first player wins, under perfect play and other"),
    "train": Command("experiments.train.cli", "let agents learn by playing themselves: PPO, Deep Monte Carlo"),
}


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit status.

    Args:
        arguments: The words after ``python -m experiments``: the command's name and its own arguments.
    """
    name = arguments[0] if arguments else ""
    if name in {"-h", "--help"}:
        print(_help())
        return WORKED
    command = COMMANDS.get(name)
    if command is None:
        found = shown(name) if arguments else "none"
        print(f"error: command: found {found}, expected one of {' '.join(COMMANDS)}", file=sys.stderr)
        return REFUSED
    try:
        return int(import_module(command.module).main(arguments[1:]))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has had enough
        _drop_output()
        return WORKED


def _help() -> str:
    width = max(map(len, COMMANDS))
    listed = "\n".join(f"  {name:{width}}  {command.about}" for name, command in COMMANDS.items())
    usage = "usage: python -m experiments COMMAND ..."
    return f"{usage}\n\n{listed}\n\n`python -m experiments COMMAND --help` says how each is used."


def _drop_output() -> None:
    """Let what is still to be written vanish, or Python would complain about it when it ends."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
