"""Numba decorators of this project, over a cache of machine code that cannot go stale.

Numba's own cache notices an edit only in the file of the cached function, not in the functions and tables it was
compiled with. Here the cache folder is named by a hash of every source file the machine code may depend on, so an
edited source always compiles anew, and a return to older sources finds the older code again.

The folder lies in ``$RED7_CACHE_DIR``, else ``$XDG_CACHE_HOME/red7_env``, else ``~/.cache/red7_env``. The first use
of changed sources compiles for some seconds and says so on standard error, once a process.
"""

import atexit
import contextlib
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config, event

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).resolve().parent.parent
_KEEP_UNUSED_SECONDS = 30 * 24 * 3600
_HASH_LENGTH = 24
_FOLDER_NAME = re.compile(f"[0-9a-f]{{{_HASH_LENGTH}}}")


def _sources_hash(roots: Iterable[Path]) -> str:
    """Hash every Python source below ``roots`` and the settings that change the code made from it."""
    digest = hashlib.sha256()
    settings = (numba.__version__, np.__version__, sys.version, os.environ.get("NUMBA_BOUNDSCHECK", ""))
    digest.update(repr(settings).encode())
    for root in roots:
        for path in sorted(root.rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0")
            digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()[:_HASH_LENGTH]


def _cache_base() -> Path:
    """Return where all folders with machine code lie; absolute, since a process may change its folder later."""
    chosen = os.environ.get("RED7_CACHE_DIR")
    if chosen:
        return Path(chosen).expanduser().absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").absolute() / "red7_env"


def _say(text: str) -> None:
    """Write a line to standard error, if there is one; standard output belongs to the caller."""
    if sys.stderr is not None:
        print(f"red7_env: {text}", file=sys.stderr, flush=True)


def _prune(base: Path, kept: Path) -> None:
    """Delete sibling folders of ours that no process has used for a month."""
    for other in base.iterdir():
        # Whoever names a folder for the cache may keep other things in it.
        ours = _FOLDER_NAME.fullmatch(other.name) is not None
        with contextlib.suppress(FileNotFoundError):  # another process prunes too
            if ours and other != kept and time.time() - other.stat().st_mtime > _KEEP_UNUSED_SECONDS:
                shutil.rmtree(other, ignore_errors=True)


def _cache_folder(roots: Iterable[Path]) -> str:
    """Return the folder for machine code from these sources; a throw-away one where none can be written."""
    try:
        base = _cache_base()
        folder = base / _sources_hash(roots)
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _prune(base, folder)
        os.utime(folder)
        # A probe, because a folder of another user's may exist and still refuse files.
        with tempfile.TemporaryFile(dir=folder):
            return str(folder)
    except (OSError, RuntimeError) as fault:  # RuntimeError: no home folder to be found
        _say(f"no cache for compiled code, it is compiled in every process ({fault})")
        thrown_away = tempfile.mkdtemp(prefix="red7_env-")
        atexit.register(shutil.rmtree, thrown_away, ignore_errors=True)
        return thrown_away


class _Announcement(event.Listener):
    """Say once a process that code is being compiled: silence for half a minute looks like a hang."""

    def __init__(self) -> None:
        self._said = False

    def on_start(self, event: Any) -> None:  # noqa: ANN401 - numba's events are untyped
        module = event.data["dispatcher"].py_func.__module__
        if not self._said and module.split(".")[0] in {"red7_env", "agents"}:
            self._said = True
            _say("compiling, once for this version (up to 40 s) ...")

    def on_end(self, event: Any) -> None:  # noqa: ANN401 - numba's events are untyped
        """Nothing to do; the base class asks for it."""


event.register("numba:compile", _Announcement())  # type: ignore[no-untyped-call]  # numba has no types here


def compiler(*roots: Path) -> Callable[[Function], Function]:
    """Return the decorator that compiles kernels, cached on disk by a hash of all sources below ``roots``.

    Args:
        roots: Source folders beside this package whose code the kernels use.

    Returns:
        A decorator for nopython functions. The compiled code releases the GIL.
    """
    folder = _cache_folder((_PACKAGE, *roots))

    def decorate(function: Function) -> Function:
        # Numba reads the folder when a function is decorated; other packages keep theirs.
        before = vars(config)["CACHE_DIR"]
        vars(config)["CACHE_DIR"] = folder
        try:
            return cast("Function", numba.njit(cache=True, nogil=True)(function))
        finally:
            vars(config)["CACHE_DIR"] = before

    return decorate


kernel = compiler()
"""Decorator of the engine's entry points."""


def inlined(function: Function) -> Function:
    """Compile a small helper so that LLVM merges it into each caller (faster by 10 to 20 %)."""
    return cast("Function", numba.njit(forceinline=True)(function))


def helper(function: Function) -> Function:
    """Compile a larger helper, called from kernels and shared by them."""
    return cast("Function", numba.njit(nogil=True)(function))
