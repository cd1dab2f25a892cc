"""Where a benchmark ran: what its figures depend on besides the code."""

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Final

import red7_env

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES: Final = ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo", "stable-baselines3", "torch")


def facts() -> dict[str, str]:
    """Return what is known of the machine and the software, each fact as text under its name."""
    versions = {name: version for name in _PACKAGES if (version := _version(name))}
    return {
        "cpu": _cpu(),
        "cores": f"{_usable_cores()} of {os.cpu_count()}",
        "load": _load(),
        "system": platform.platform(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **versions,
        "red7_env": red7_env.__version__,
        "commit": _commit(),
    }


def _cpu() -> str:
    """Return the name of the processor, as Linux gives it where there is one."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()


def _usable_cores() -> int:
    """Return the number of cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _load() -> str:
    """Return how many processes wanted to run in the last minute, on average."""
    return f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _commit() -> str:
    """Return the commit of this checkout, marked if files differ from it."""
    commit = _git("rev-parse", "--short=12", "HEAD")
    if not commit:
        return "unknown"
    return f"{commit} with changes" if _git("status", "--porcelain") else commit


def _git(*arguments: str) -> str:
    """Return what git answers, or nothing where there is no git or no repository."""
    try:
        done = subprocess.run(["git", *arguments], cwd=_ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
