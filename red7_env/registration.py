"""The names under which Gymnasium and PettingZoo make the environments; importing ``red7_env`` registers them."""

import gymnasium
import pettingzoo

GYM_ID = "Red7-v0"
AEC_ID = "red7-v0"


def register_all() -> None:
    """Register every environment by the name of its module, which is imported when the first one is made."""
    if GYM_ID not in gymnasium.registry:
        gymnasium.register(GYM_ID, entry_point="red7_env.gym_env:Red7GymEnv")
    if AEC_ID not in pettingzoo.aec_registry:
        pettingzoo.register("aec", AEC_ID, entry_point="red7_env.red7_v0:env")
