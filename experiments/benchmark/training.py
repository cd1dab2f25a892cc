"""How much of the time of MaskablePPO the environment takes, the greedy opponent inside it included.

All on one core, PyTorch too. The batches of the optimiser are large, as 256 learners ask for: at SB3's small default
ones it would be slower, and the share of the environment less.
"""

import time
from collections.abc import Callable
from functools import wraps
from importlib.util import find_spec
from typing import Any, Final

from experiments.benchmark.measure import Figure, Kind, Measurement, Run, Sample, UnavailableError

LEARNERS: Final = 256
SETTINGS: Final[dict[str, Any]] = {
    "n_steps": 32,
    "batch_size": 1024,
    "n_epochs": 4,
    "gamma": 1.0,
    "seed": 1,
    "device": "cpu",
}
"""Of MaskablePPO."""

_NEEDED: Final = ("torch", "stable_baselines3", "sb3_contrib")
_OF_THE_ENVIRONMENT: Final = ("reset", "step_async", "step_wait", "env_method", "action_masks")


class _Stopwatch:
    """Sums up the CPU time spent in functions, calls from one to the other counted once."""

    def __init__(self) -> None:
        self.ns = 0
        self._running = False

    def timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with its time counted."""

        @wraps(function)
        def counted(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - whatever the function takes and returns
            if self._running:
                return function(*args, **kwargs)
            self._running = True
            start = time.process_time_ns()
            try:
                return function(*args, **kwargs)
            finally:
                self.ns += time.process_time_ns() - start
                self._running = False

        return counted


def _share() -> Run:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise UnavailableError(f"{missing[0]} is not installed")
    import torch
    from sb3_contrib import MaskablePPO

    from agents.registry import make
    from red7_env.sb3 import Red7VecEnv

    env = Red7VecEnv(LEARNERS, opponents=make("greedy"), seat="rotate", seed=1)
    watch = _Stopwatch()
    for name in _OF_THE_ENVIRONMENT:
        setattr(env, name, watch.timed(getattr(env, name)))
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    model = MaskablePPO("MlpPolicy", env, **SETTINGS)
    torch.set_num_threads(threads)
    moves = LEARNERS * model.n_steps

    def run(_: float) -> Sample:
        torch.set_num_threads(1)
        watch.ns, start = 0, time.process_time_ns()
        model.learn(moves)
        total = time.process_time_ns() - start
        torch.set_num_threads(threads)
        return Sample(watch.ns, {"training": total, "moves": moves})

    return run


def measurements() -> list[Measurement]:
    """Return the measurements of training: the environment's share, and its speed within."""
    figures = (Figure("training", Kind.SHARE), Figure("moves", Kind.RATE))
    section = f"environment within MaskablePPO, {LEARNERS} learners"
    return [Measurement(section, "greedy opponent basic:2p", figures, _share, max_runs=3, slow=True)]
