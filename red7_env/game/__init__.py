"""The game of Red7 itself: cards, rules, states, moves, rounds, matches, notation and records.

``Game`` plays one game; ``batch`` plays many at once; both use the same compiled kernels on the same state record.
Nothing here knows of reinforcement learning, drawing or files.
"""

from red7_env.game import batch
from red7_env.game.errors import IllegalMoveError, NotationError, RecordError, Red7Error, RulesError
from red7_env.game.game import Game, RoundLog
from red7_env.game.notation import Position, Seat, format_position, parse_position
from red7_env.game.rules import Rules
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
