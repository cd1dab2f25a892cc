"""The cache of machine code: never stale, reused otherwise, and quiet about it."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from red7_env.game import jit

PACKAGE = Path(jit.__file__).parents[1]
ANNOUNCEMENT = "red7_env: compiling, once for this version (up to 40 s) ...\n"
# The best sets of G4 V3 V1 under Violet and Indigo; they depend on functions and tables of another file.
BEST_SETS = """
import numpy as np
from red7_env.game.kernels import best_sets
from red7_env.game.bits import word_of, cards_of
from red7_env.game.state import STATE
state = np.zeros(1, STATE)
state["players"], state["palettes"] = 1, word_of([24, 14, 0])
for rule in (0, 1):
    state["rule"] = rule
    sets = np.zeros((1, 4), np.uint64)
    best_sets(state, sets)
    print(cards_of(sets[0, 0]))
"""
SETS = "[14, 0]\n[24, 14]\n"
LEADERS = """
from red7_env.game.kernels import leaders
leaders(state, np.zeros(1, np.int8))
"""


def run(code: str, folder: Path, cache: str | Path, source: Path = PACKAGE.parent, **settings: str) -> tuple[str, str]:
    """Run code in a process of its own; return what it wrote to standard output and standard error."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**inherited, "PYTHONPATH": str(source), "RED7_CACHE_DIR": str(cache), **settings},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, done.stderr


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_an_edit_in_another_file_compiles_anew_and_its_return_finds_the_older_code(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "red7_env", ignore=shutil.ignore_patterns("__pycache__"))
    cache = tmp_path / "cache"
    keys = tmp_path / "red7_env" / "game" / "keys.py"
    changes = [
        ("LOW_CARDS = U64(0x00000000007F7F7F)", "LOW_CARDS = U64(0x000000000000007F)"),
        ("while top - length >= 0 and", "while length < 1 and top - length >= 0 and"),  # of a table
    ]
    assert run(BEST_SETS, tmp_path, cache, tmp_path) == (SETS, ANNOUNCEMENT)
    assert run(BEST_SETS, tmp_path, cache, tmp_path) == (SETS, "")
    assert len(list(cache.iterdir())) == 1
    for old, new in changes:
        edit(keys, old, new)
    assert run(BEST_SETS, tmp_path, cache, tmp_path) == ("[0]\n[24]\n", ANNOUNCEMENT)
    for old, new in changes:
        edit(keys, new, old)
    assert run(BEST_SETS, tmp_path, cache, tmp_path) == (SETS, "")
    assert len(list(cache.iterdir())) == 2


def test_other_packages_have_caches_of_their_own_sources_too(tmp_path):
    toys = tmp_path / "toys"
    toys.mkdir()
    (toys / "callee.py").write_text(
        "from red7_env.game.jit import inlined\n\n@inlined\ndef more(number):\n    return number + 1\n"
    )
    (toys / "toy.py").write_text(
        "from pathlib import Path\nfrom callee import more\nfrom red7_env.game.jit import compiler\n\n"
        "@compiler(Path(__file__).parent)\ndef twice_more(number):\n    return more(more(number))\n"
    )
    code = f"import sys; sys.path.insert(0, {str(toys)!r}); from toy import twice_more; print(twice_more(1))"
    code += "; print(len(twice_more.stats.cache_hits))"
    assert run(code, tmp_path, tmp_path / "cache") == ("3\n0\n", "")  # of toys nothing is said
    assert run(code, tmp_path, tmp_path / "cache") == ("3\n1\n", "")
    edit(toys / "callee.py", "number + 1", "number + 10")
    assert run(code, tmp_path, tmp_path / "cache") == ("21\n0\n", "")


def test_the_caches_of_other_packages_stay_where_they_are():
    code = "from numba.core import config; before = config.CACHE_DIR; import red7_env.game.kernels;"
    out, _ = run(f"{code} print(before == config.CACHE_DIR)", Path.cwd(), jit._cache_base())
    assert out == "True\n"


def test_compiling_is_said_once_a_process_and_never_on_standard_output(tmp_path):
    cache = tmp_path / "cache"
    assert run(BEST_SETS + LEADERS, tmp_path, cache) == (SETS, ANNOUNCEMENT)
    assert run(BEST_SETS + LEADERS, tmp_path, cache) == (SETS, "")


def test_nothing_is_said_where_there_is_no_standard_error(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    jit._say("something")
    assert capsys.readouterr().out == ""


def test_without_a_place_to_write_each_process_compiles_and_leaves_nothing(tmp_path):
    (tmp_path / "file").touch()
    passing = tmp_path / "passing"
    passing.mkdir()
    for _ in range(2):
        out, err = run(BEST_SETS, tmp_path, tmp_path / "file" / "cache", TMPDIR=str(passing))
        assert out == SETS
        no_cache, announcement = err.splitlines(keepends=True)
        assert no_cache.startswith("red7_env: no cache for compiled code, it is compiled in every process (")
        assert announcement == ANNOUNCEMENT
        assert list(passing.iterdir()) == []


def test_a_process_that_changes_its_folder_keeps_its_cache(tmp_path):
    code = f"import os, red7_env.game.kernels\nos.chdir('/')\n{BEST_SETS}"
    assert run(code, tmp_path, "cache") == (SETS, ANNOUNCEMENT)
    assert run(code, tmp_path, "cache") == (SETS, "")
    assert list(tmp_path.iterdir()) == [tmp_path / "cache"]


@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        ({"RED7_CACHE_DIR": "/a/b", "XDG_CACHE_HOME": "/c", "HOME": "/d"}, "/a/b"),
        ({"RED7_CACHE_DIR": "~/b", "HOME": "/d"}, "/d/b"),
        ({"RED7_CACHE_DIR": "", "XDG_CACHE_HOME": "/c", "HOME": "/d"}, "/c/red7_env"),
        ({"RED7_CACHE_DIR": "", "XDG_CACHE_HOME": "", "HOME": "/d"}, "/d/.cache/red7_env"),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="paths as on POSIX")
def test_where_the_cache_lies(monkeypatch, settings, folder):
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert jit._cache_base() == Path(folder)


def test_only_folders_of_machine_code_that_nobody_uses_are_deleted(tmp_path):
    unused, used, kept, foreign = (tmp_path / name for name in ("a" * 24, "b" * 24, "c" * 24, "photographs"))
    for folder in (unused, used, kept, foreign):
        folder.mkdir()
        (folder / "file").touch()
    (tmp_path / ("d" * 24)).touch()  # not even a folder
    month_ago = time.time() - 31 * 24 * 3600
    for folder in (unused, kept, foreign):
        os.utime(folder, (month_ago, month_ago))
    jit._prune(tmp_path, kept)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b" * 24, "c" * 24, "d" * 24, "photographs"]


def test_a_used_cache_counts_as_used(tmp_path, monkeypatch):
    monkeypatch.setenv("RED7_CACHE_DIR", str(tmp_path))
    folder = Path(jit._cache_folder([PACKAGE]))
    os.utime(folder, (0, 0))
    assert Path(jit._cache_folder([PACKAGE])) == folder
    assert time.time() - folder.stat().st_mtime < 3600


GAMES = """
import hashlib
from red7_env.game import batch
from tests.alignment import all_rules
digest = hashlib.sha256()
for rules in all_rules():
    states = batch.deal(rules, 5, seed=9)
    while (states["phase"] < 6).any():
        going = states[states["phase"] < 6]
        offers = batch.offers(going)
        for seat in range(rules.players):
            batch.determinise(batch.views(going, seat), seed=3)
        # The last offered move, so that actions and draws are not left out.
        batch.play(going, offers.shape[1] - 1 - offers[:, ::-1].argmax(1))
        states[states["phase"] < 6] = going
    batch.playout(states, seed=4)
    again = batch.deal(rules, 5, seed=10)
    batch.playout(again, seed=4)
    digest.update(states.tobytes() + again.tobytes())
print(digest.hexdigest())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings", [{"NUMBA_BOUNDSCHECK": "1"}, {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}], ids=str
)
def test_checked_and_generic_machine_code_play_the_same_games(settings, tmp_path):
    expected, _ = run(GAMES, tmp_path, jit._cache_base())
    found, announced = run(GAMES, tmp_path, tmp_path / "cache", **settings)
    assert announced == ANNOUNCEMENT
    assert found == expected
