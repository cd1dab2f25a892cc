"""Compile everything the environments need, once, with the time it took: ``python -m red7_env.compile``."""

import time

from red7_env import red7_v0
from red7_env.batch_env import Red7Batch
from red7_env.game.compile import warm_up as warm_up_game
from red7_env.game.rules import Rules
from red7_env.gym_env import Red7GymEnv
from red7_env.vector_env import Red7VectorEnv


def warm_up() -> float:
    """Call the compiled code of the game and its environments once; return the seconds that took (once cached, few)."""
    start = time.perf_counter()
    warm_up_game()
    single = red7_v0.env()
    single.reset(seed=0)
    for agent in single.possible_agents:
        mask = single.observe(agent)["action_mask"]
        if agent == single.agent_selection:
            move = int(mask.argmax())
    single.step(move)
    single.state()
    learner = Red7GymEnv(illegal="eliminate")
    learner.reset(seed=0)
    position = learner.position()
    learner.step(-1)
    learner.reset(options={"position": position})
    batch = Red7Batch(2, Rules())
    batch.step(batch.random_actions())
    vector = Red7VectorEnv(2)
    vector.reset(seed=0)
    vector.step(vector.action_masks().argmax(axis=1))
    return time.perf_counter() - start


if __name__ == "__main__":
    print(f"red7_env: compiled code is ready ({warm_up():.1f} s)")
