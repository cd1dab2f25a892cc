"""The card game Red7 as a reinforcement-learning environment.

>>> from red7_env import red7_v0
>>> env = red7_v0.env(num_players=2)

``red7_v0`` is the PettingZoo environment and its documentation page, ``Red7Batch`` plays many games as arrays,
``Game`` and ``Rules`` are the game itself. Importing this package registers ``Red7-v0`` with Gymnasium and ``red7-v0``
with PettingZoo.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from red7_env.registration import register_all

if TYPE_CHECKING:
    from red7_env.batch_env import Red7Batch
    from red7_env.game import Game, Rules

__version__ = "0.1.0"

__all__ = ["Game", "Red7Batch", "Rules", "__version__"]

# Loaded when first asked for, so that a program that only wants a registered name does not wait for the compiler.
_LAZY = {"Red7Batch": "red7_env.batch_env", "Game": "red7_env.game", "Rules": "red7_env.game"}

register_all()


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module attribute is anything
    """Load what is asked for by name."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)
