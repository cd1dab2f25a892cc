"""The game of Red7 itself: cards, rules, states, moves, rounds, matches, notation and records.

``Game`` plays one game; ``batch`` plays many at once; both use the same compiled kernels on the same state record.
Nothing here knows of reinforcement learning, drawing or files.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from red7_env.game.errors import IllegalMoveError, NotationError, RecordError, Red7Error, RulesError
from red7_env.game.notation import Position, Seat, format_position, parse_position
from red7_env.game.rules import Rules

if TYPE_CHECKING:
    from red7_env.game import batch
    from red7_env.game.game import Game, RoundLog
    from red7_env.game.state import STATE, States

__all__ = [
    "STATE",
    "Game",
    "IllegalMoveError",
    "NotationError",
    "Position",
    "RecordError",
    "Red7Error",
    "RoundLog",
    "Rules",
    "RulesError",
    "Seat",
    "States",
    "batch",
    "format_position",
    "parse_position",
]

# What needs the compiler is loaded when first asked for: reading a text, or a module beside it, does not wait for it.
_LAZY = {"Game": "game", "RoundLog": "game", "STATE": "state", "States": "state", "batch": "batch"}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module attribute is anything
    """Load what is asked for by name."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_LAZY[name]}")
    value = module if name == _LAZY[name] else getattr(module, name)
    globals()[name] = value
    return value
