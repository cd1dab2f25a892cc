"""Replays: a recorded game as one HTML page, with what agents and the solver think of every decision."""

from experiments.replay.replay import Replay, ReplayError

__all__ = ["Replay", "ReplayError"]
