"""The engine's Numba decorators, for the kernels of agents: their cache is keyed by the sources of both packages."""

from pathlib import Path

from red7_env.game.jit import compiler, helper, inlined

__all__ = ["helper", "inlined", "kernel"]

kernel = compiler(Path(__file__).resolve().parent)
"""Decorator of the agents' compiled entry points."""
