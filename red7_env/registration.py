"""The names under which Gymnasium and PettingZoo make the environments; importing ``red7_env`` registers them.

It also enters who draws games for notebooks: the game itself imports nothing of drawing.
"""

from typing import TYPE_CHECKING

import gymnasium
import pettingzoo

from red7_env.game import pictures

if TYPE_CHECKING:
    from red7_env.game.game import Game

GYM_ID = "Red7-v0"
AEC_ID = "red7-v0"


def register_all() -> None:
    """Register every environment by the name of its module, which is imported when the first one is made."""
    if GYM_ID not in gymnasium.registry:
        gymnasium.register(
            GYM_ID,
            entry_point="red7_env.gym_env:Red7GymEnv",
            vector_entry_point="red7_env.vector_env:Red7VectorEnv",
        )
    if AEC_ID not in pettingzoo.aec_registry:
        pettingzoo.register("aec", AEC_ID, entry_point="red7_env.red7_v0:env")
    pictures.drawer = _draw


def _draw(game: "Game") -> str:
    from red7_env.render.pictures import picture

    return picture(game).svg()
