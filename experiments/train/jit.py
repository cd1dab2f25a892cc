"""Decorator of the compiled parts of learners; their cache is keyed by the sources of all that they call."""

from pathlib import Path

import agents
from red7_env.game.jit import compiler

kernel = compiler(Path(agents.__file__).resolve().parent, Path(__file__).resolve().parent)
