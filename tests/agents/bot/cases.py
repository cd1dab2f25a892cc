"""Bots for the tests, and what they are asked."""

import shlex
import sys
from pathlib import Path

from agents.bot import Bot
from red7_env.game import States, batch
from tests.agents.bot import hostile
from tests.agents.cases import positions, seen

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = shlex.join([sys.executable, str(ROOT / "agents" / "example_bot.py")])


def hostile_bot(way: str, *words: object, **times: float) -> Bot:
    """Return a bot that does something its own way, with times that do not matter unless they are given."""
    assert way in hostile.WAYS
    # Without its site-packages Python starts twice as fast.
    command = shlex.join([sys.executable, "-IS", hostile.__file__, way, *map(str, words)])
    return Bot(command=command, **{"seconds": 30.0, "start": 30.0} | times)


def asked(text: str, count: int, seed: int = 0) -> tuple[States, batch.Mask]:
    """Return views of seats to move, and what they are offered."""
    views = seen(positions(text, count, seed))
    return views, batch.offers(views)
