"""That set-up compiles everything, so that no first game has to wait."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FORGOTTEN = """
import importlib, pkgutil, sys

from numba.core.caching import NullCache
from numba.core.registry import CPUDispatcher

package = importlib.import_module(sys.argv[1])
importlib.import_module(f"{package.__name__}.compile").warm_up()
for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
    if found.name.startswith("agents.exact"):
        continue  # few ever need exact analysis: it compiles when first used
    module = sys.modules.get(found.name)
    for name, kernel in vars(module or package).items():
        entry = isinstance(kernel, CPUDispatcher) and not isinstance(kernel._cache, NullCache)
        if entry and kernel.py_func.__module__ == found.name and not kernel.signatures:
            print(found.name, name)
"""


@pytest.mark.parametrize("package", ["red7_env", "agents"])
def test_set_up_compiles_every_kernel(package):
    command = [sys.executable, "-c", FORGOTTEN, package]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == ""
