"""What the tests of the environments share: every game there is, random play, and the hash of a whole game."""

import hashlib
import random
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from red7_env import red7_v0

VARIANTS = [
    {"num_players": players, "variant": variant, "actions": actions, "match": match}
    for players in (2, 3, 4)
    for variant, matches in (("basic", (False,)), ("advanced", (False, True)))
    for actions in (None, "revised", "first")
    for match in matches
]
"""Every combination of players, variant, edition and match."""


def name_of(options: dict[str, Any]) -> str:
    """Return a test's name for these arguments."""
    edition = f"+{options['actions']}" if options["actions"] else ""
    return f"{options['variant']}{edition}:{options['num_players']}p{':match' if options['match'] else ''}"


def offered(mask: np.ndarray) -> list[int]:
    return np.flatnonzero(mask).tolist()


def random_policy(seed: int) -> Callable[[np.ndarray], int]:
    choose = random.Random(seed).choice
    return lambda mask: choose(offered(mask))


def steps(env: Any, choose: Callable[[np.ndarray], int]) -> Iterator[tuple[str, Any]]:
    """Play a game that has been reset to its end, and yield agent and ``last()`` before each step."""
    for agent in env.agent_iter():
        seen = env.last()
        yield agent, seen
        observation, _, terminated, truncated, _ = seen
        env.step(None if terminated or truncated else choose(observation["action_mask"]))


def play(env: Any, choose: Callable[[np.ndarray], int]) -> dict[str, float]:
    """Play a game that has been reset to its end; return what each agent was paid."""
    paid: dict[str, float] = {}
    for agent, (_, reward, terminated, _, _) in steps(env, choose):
        if terminated:
            paid[agent] = reward
    return paid


def game_hash(env: Any, choose: Callable[[np.ndarray], int]) -> str:
    """Play a game that has been reset to its end; return the hash of all that could be seen on the way."""
    digest = hashlib.sha256()
    for agent, (observation, reward, terminated, truncated, _) in steps(env, choose):
        digest.update(f"{agent} {reward} {terminated} {truncated} {env.rewards}".encode())
        digest.update(observation["observation"].tobytes() + observation["action_mask"].tobytes())
        digest.update(env.state().tobytes())
    digest.update(env.record().encode())
    return digest.hexdigest()


def hashes(variants: list[dict[str, Any]], games: int = 3) -> list[str]:
    """Return the hashes of the first games of seed 5 of each variant."""
    found = []
    for options in variants:
        env = red7_v0.env(**options)
        choose = random_policy(7)
        for game in range(games):
            env.reset(seed=None if game else 5)
            found.append(game_hash(env, choose))
    return found


def pettingzoo_test(name: str) -> ModuleType:
    """Import one of PettingZoo's own tests; they import deprecated games of theirs, which warns."""
    from importlib import import_module

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return import_module(f"pettingzoo.test.{name}")
