"""The shape of the repository: who may import whom, what an import loads, and which version it is."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import red7_env

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

# A module imports from its own layer and from those after it.
LAYERS = ("docs", "notebooks", "experiments", "agents", "red7_env", "red7_env.game")
GAME_MAY_IMPORT = {"numpy", "numba", "llvmlite"}  # llvmlite is the part of numba that writes machine code
EXTRAS = (
    "torch",
    "matplotlib",
    "choix",
    "stable_baselines3",
    "pygame",
    "ray",
    "pyspiel",
    "open_spiel",
    "zensical",
    "PIL",
)
IMPORT_SECONDS = 1.5


def is_within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def layer_of(module: str) -> str | None:
    """Return the lowest layer that holds the module."""
    return next((layer for layer in reversed(LAYERS) if is_within(module, layer)), None)


def module_of(path: str) -> str:
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(path: str) -> list[str]:
    """Return the package that relative imports in this file start from."""
    return list(PurePosixPath(path).parent.parts)


def imports(path: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield line and absolute name of every import, also those under TYPE_CHECKING or inside functions."""
    for node in ast.walk(ast.parse(source, path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            package = package_of(path)
            base = package[: len(package) - node.level + 1] if node.level else []
            base += node.module.split(".") if node.module else []
            for alias in node.names:
                yield node.lineno, ".".join([*base, alias.name])
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in {
            "__import__",
            "import_module",
            "importlib.import_module",
        }:
            name = node.args[0] if node.args else None
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                yield node.lineno, name.value


def fault_of(module: str, imported: str) -> str | None:
    """Say what is wrong with this import, if anything is."""
    top = imported.partition(".")[0]
    own, other = layer_of(module), layer_of(imported)
    fault = None
    if is_within(module, "tests.reference"):
        if not is_within(imported, "tests.reference") and top not in sys.stdlib_module_names:
            fault = "the reference engine stands alone"
    elif own and top == "tests":
        fault = "nothing imports tests"
    elif own and other and LAYERS.index(other) < LAYERS.index(own):
        fault = "imports only point downwards"
    elif own == "red7_env.game" and not other and top not in GAME_MAY_IMPORT | sys.stdlib_module_names:
        fault = "the game needs numpy and numba only"
    return fault


def violations(sources: Mapping[str, str]) -> list[str]:
    """Check the sources, given by their path from the root of the repository."""
    return [
        f"{path}:{line}: imports {imported}: {fault}"
        for path, source in sources.items()
        for line, imported in imports(path, source)
        if (fault := fault_of(module_of(path), imported))
    ]


def code_of(notebook: Path) -> str:
    """Return the Python of a notebook, without the lines that are commands to IPython."""
    cells = json.loads(notebook.read_text())["cells"]
    lines = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code").splitlines()
    return "\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in lines)


def repository() -> dict[str, str]:
    folders = [ROOT / name for name in (*(layer for layer in LAYERS if "." not in layer), "tests")]
    scripts = {path: path.read_text() for folder in folders for path in sorted(folder.rglob("*.py"))}
    notebooks = {path: code_of(path) for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}
    return {path.relative_to(ROOT).as_posix(): source for path, source in (scripts | notebooks).items()}


def test_imports_point_downwards():
    sources = repository()
    assert {"red7_env/__init__.py", "agents/__init__.py", "experiments/__init__.py"} <= sources.keys()
    assert any(path.startswith("red7_env/game/") for path in sources)
    assert violations(sources) == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("red7_env/game/rules.py", "import red7_env.red7_v0"),
        ("red7_env/game/rules.py", "from red7_env import red7_v0"),
        ("red7_env/game/rules.py", "from .. import red7_v0"),
        ("red7_env/game/rules.py", "from ..observation import encode"),
        ("red7_env/game/__init__.py", "from .. import observation"),
        ("red7_env/game/rules.py", "import gymnasium"),
        ("red7_env/game/rules.py", "def late():\n    from pandas import DataFrame"),
        ("red7_env/game/rules.py", "if TYPE_CHECKING:\n    import pettingzoo"),
        ("red7_env/__init__.py", "from agents.registry import make"),
        ("red7_env/red7_v0.py", "import importlib\nimportlib.import_module('experiments.compare')"),
        ("agents/search.py", "import os, experiments.compare"),
        ("agents/ppo/train.py", "from ...experiments import train"),
        ("experiments/compare.py", "import notebooks.plots"),
        ("agents/search.py", "from tests.reference import game"),
        ("notebooks/plots.py", "import tests"),
        ("notebooks/plots.py", "from docs.parts import table"),
        ("tests/reference/game.py", "from red7_env.game import rules"),
        ("tests/reference/game.py", "import numpy"),
        ("tests/reference/game.py", "from ..conftest import settings"),
    ],
)
def test_a_planted_violation_is_found(path, source):
    found = violations({path: source})
    assert len(found) == 1
    assert found[0].startswith(f"{path}:")


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("red7_env/game/rules.py", "from . import cards\nfrom .cards import name\nimport red7_env.game.state"),
        ("red7_env/game/rules.py", "import numpy as np\nfrom numba import njit\nfrom llvmlite import ir\nimport re"),
        ("red7_env/game/__init__.py", "from .rules import Rules"),
        ("red7_env/__init__.py", "from .game import Rules\nfrom red7_env.game import Game\nimport gymnasium"),
        ("agents/search.py", "import red7_env\nfrom .base import Agent\nimport torch"),
        ("experiments/compare.py", "from agents import make\nfrom red7_env.game import Game"),
        ("notebooks/plots.py", "import experiments.compare, agents, red7_env"),
        ("tests/test_rules.py", "from red7_env.game import rules\nfrom tests.reference import game"),
        ("tests/reference/game.py", "from . import cards\nfrom dataclasses import dataclass"),
        ("agents/testsuite.py", "import testsuite, gameplay, red7_environment"),
    ],
)
def test_a_rightful_import_is_not_blamed(path, source):
    assert violations({path: source}) == []


def run_python(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("module", ["red7_env", "red7_env.game", "red7_env.game.game", "red7_env.render"])
def test_import_loads_no_extra(module):
    code = f"import sys, {module}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    assert set(EXTRAS).isdisjoint(run_python(code).split())


def test_import_is_quick():
    """CPU time from the start of the interpreter, which other processes on the machine hardly change."""
    code = "import red7_env, time; print(time.process_time())"
    run_python(code)  # fills the caches
    best = min(float(run_python(code)) for _ in range(5))
    assert best <= IMPORT_SECONDS


def test_versions_agree():
    citation = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    changes = re.search(r"^## \[(\d\S*)\] - ", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert citation is not None
    assert changes is not None
    assert {citation[1], changes[1], red7_env.__version__} == {PYPROJECT["project"]["version"]}


def test_every_requirement_that_make_installs_is_pinned():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = {
        name.lower().replace("_", "-"): Version(version)
        for name, version in (line.split("==") for line in lines if line and not line.startswith("#"))
    }
    extras = PYPROJECT["project"]["optional-dependencies"]
    made = [
        text
        for name in ("dev", "docs", "league", "openspiel", "ray", "render", "train", "bench")
        for text in extras[name]
    ]
    for text in [*PYPROJECT["project"]["dependencies"], *made]:
        requirement = Requirement(text)
        assert pins[requirement.name.lower()] in requirement.specifier, text


def test_the_wheel_holds_the_environment_only():
    assert PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"] == {"packages": ["red7_env"]}
    core = {Requirement(text).name for text in PYPROJECT["project"]["dependencies"]}
    assert core == {"numpy", "numba", "gymnasium", "pettingzoo"}
