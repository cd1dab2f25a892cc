"""The environments: batches, PettingZoo's loop beside other games of PettingZoo, Gymnasium's, and SB3's share.

A batch is measured by its step alone, which checks the moves, does them and writes observations and masks; the moves
are chosen outside of the measured time. A loop over a single environment is measured with everything a random player
does, by the same code for every game: ``last``, the choice among the offered moves, ``step``, and ``reset`` in the end.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final

import numpy as np

from experiments.benchmark.measure import Figure, Kind, Measurement, Run, UnavailableError, repeated
from red7_env.game import Rules
from red7_env.observation import Features

NUM_GAMES: Final = 1024
BATCHES: Final[tuple[tuple[str, Features], ...]] = (
    ("basic:2p", "base"),
    ("basic:2p", "derived"),
    ("basic:4p", "base"),
    ("basic:4p", "derived"),
    ("advanced:2p", "derived"),
    ("advanced+revised:2p", "derived"),
    ("advanced+revised:4p", "base"),
    ("advanced+revised:4p", "derived"),
    ("advanced+first:4p", "derived"),
    ("advanced:2p:match", "derived"),
    ("advanced+revised:4p:match", "derived"),
)
AEC_RULES: Final = ("basic:2p", "advanced+revised:4p")
PEERS: Final = {
    "connect_four": "pettingzoo.classic.connect_four.connect_four",
    "tictactoe": "pettingzoo.classic.tictactoe.tictactoe",
    "leduc_holdem": "pettingzoo.classic.rlcard_envs.leduc_holdem",
    "texas_holdem": "pettingzoo.classic.rlcard_envs.texas_holdem",
}
"""Other games of PettingZoo, by the module that has their ``env`` and ``raw_env``."""
LOOPS: Final = ("raw_env", "env")

_STEPS = 500


def _batch(rules: Rules, features: Features) -> Run:
    from red7_env.batch_env import Red7Batch

    games = Red7Batch(NUM_GAMES, rules, seed=1, features=features)
    actions = np.zeros(NUM_GAMES, np.int64)

    def work() -> dict[str, int]:
        games.step(actions)
        return {"moves": NUM_GAMES}

    return repeated(work, before=lambda: np.copyto(actions, games.random_actions()))


def _chance(width: int) -> np.ndarray:
    """Return random numbers, [_STEPS, width]: the offered move with the greatest one is chosen."""
    return np.random.default_rng(1).random((_STEPS, width), np.float32)


def _aec_loop(env: Any) -> Run:  # noqa: ANN401 - any game of PettingZoo
    env.reset(seed=1)
    chance = _chance(env.action_space(env.agent_selection).n)

    def work() -> dict[str, int]:
        for row in chance:
            observation, _, terminated, truncated, _ = env.last()
            env.step(None if terminated or truncated else int((row * observation["action_mask"]).argmax()))
            if not env.agents:
                env.reset()
        return {"steps": _STEPS}

    return repeated(work)


def _options(rules: Rules) -> dict[str, Any]:
    """Return the arguments that make an environment play these rules."""
    return {
        "num_players": rules.players,
        "variant": rules.variant,
        "actions": rules.actions,
        "match": rules.match,
        "deck": rules.deck,
    }


def _red7(rules: Rules, loop: str) -> Run:
    from red7_env import red7_v0

    return _aec_loop(getattr(red7_v0, loop)(**_options(rules)))


class _StandIn(ModuleType):
    """A module that has every name, since some annotations name its classes."""

    def __getattr__(self, name: str) -> "_StandIn":
        return _StandIn(name)


@contextmanager
def _drawable() -> Iterator[None]:
    """Let modules be imported that draw with pygame, also where it is not installed: nothing is drawn here."""
    missing = find_spec("pygame") is None
    if missing:
        sys.modules["pygame"] = _StandIn("pygame")
    try:
        yield
    finally:
        if missing:
            del sys.modules["pygame"]


def _peer(module: str, loop: str) -> Run:
    if "rlcard" in module and find_spec("rlcard") is None:
        raise UnavailableError("rlcard is not installed")
    with _drawable():
        make = getattr(import_module(module), loop)
    return _aec_loop(make())


def _gymnasium(rules: Rules) -> Run:
    from red7_env.gym_env import Red7GymEnv

    env = Red7GymEnv(seat="rotate", **_options(rules))
    env.reset(seed=1)
    chance = _chance(rules.num_moves)

    def work() -> dict[str, int]:
        for row in chance:
            _, _, terminated, truncated, _ = env.step(np.int64((row * env.action_masks()).argmax()))
            if terminated or truncated:
                env.reset()
        return {"steps": _STEPS}

    return repeated(work)


def _vector(rules: Rules) -> Run:
    from agents.registry import make
    from red7_env.batch_env import random_actions
    from red7_env.vector_env import Red7VectorEnv

    env = Red7VectorEnv(NUM_GAMES, opponents=make("greedy"), seat="rotate", **_options(rules))
    env.reset(seed=1)
    actions = np.zeros(NUM_GAMES, np.int64)

    def work() -> dict[str, int]:
        env.step(actions)
        return {"steps": NUM_GAMES}

    return repeated(work, before=lambda: np.copyto(actions, random_actions(env.seats.mask, 1)))


def measurements() -> list[Measurement]:
    """Return the measurements of the environments."""
    moves, steps = (Figure("moves", Kind.RATE),), (Figure("steps", Kind.RATE),)
    batches = f"batched move, observation and mask at N={NUM_GAMES}"
    found = [
        Measurement(batches, f"{text} {features}", moves, partial(_batch, Rules.parse(text), features))
        for text, features in BATCHES
    ]
    aec = "PettingZoo loop of one game"
    for loop in LOOPS:
        found += [
            Measurement(aec, f"{loop} red7_v0 {text}", steps, partial(_red7, Rules.parse(text), loop), like="python")
            for text in AEC_RULES
        ]
        found += [
            Measurement(aec, f"{loop} {name}", steps, partial(_peer, module, loop), like="python")
            for name, module in PEERS.items()
        ]
    learner = "Gymnasium: one seat against others"
    for text in AEC_RULES:
        rules = Rules.parse(text)
        found += [
            Measurement(learner, f"Red7GymEnv, random others {text}", steps, partial(_gymnasium, rules), like="python"),
            Measurement(learner, f"N={NUM_GAMES}, greedy others {text}", steps, partial(_vector, rules)),
        ]
    return found
