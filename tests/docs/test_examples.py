"""Every example that people may copy is run: those of the pages, of the README and of the docstrings."""

import doctest
import re
import shlex
import tomllib
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec

import pytest

from agents import registry
from experiments.__main__ import COMMANDS
from red7_env import cli
from tests.docs.pages import ROOT, Example, commands, documents, examples

DOCUMENTS = {path.name: path.read_text() for path in documents()}
WITH_DOCTESTS = sorted(
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    for folder in ("red7_env", "agents", "experiments")
    for path in (ROOT / folder).rglob("*.py")
    if ">>> " in path.read_text()
)

SMALLER = {"sb3.md": {"(256": "(8", "=32": "=4", "4_096": "32", "1_000_000": "32"}}
"""What an example does for minutes is done for moments here."""


def run_python(example: Example, names: dict[str, object]) -> None:
    code = "\n" * (example.line - 1) + example.code  # so that a traceback names the line of the page
    exec(compile(code, "example", "exec"), names)  # noqa: S102 - our own documentation


def run_session(example: Example, names: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(example.code, names, "example", None, example.line - 1)
    test.globs = names  # get_doctest has copied them
    failures: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)  # or it looks for pytest's -v
    runner.run(test, out=failures.append, clear_globs=False)
    assert not failures, "".join(failures)


@pytest.mark.parametrize("name", [name for name, text in DOCUMENTS.items() if "```py" in text])
def test_examples_run(name, monkeypatch):
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))  # an example registers an agent
    names: dict[str, object] = {"__name__": "example"}
    text = DOCUMENTS[name]
    for large, small in SMALLER.get(name, {}).items():
        assert large in text
        text = text.replace(large, small)
    for example in examples(text):
        if example.language == "python":
            run_python(example, names)
        elif example.language == "pycon":
            run_session(example, names)


@pytest.mark.parametrize("name", WITH_DOCTESTS)
def test_examples_of_docstrings_run(name):
    package = vars(import_module(name.rpartition(".")[0] or name))  # an example may use what stands beside its module
    done = doctest.testmod(import_module(name), extraglobs=package, verbose=False, optionflags=doctest.ELLIPSIS)
    assert done.failed == 0


def test_sessions_of_the_engine_print_what_the_page_says():
    consoles = [each.code for each in examples(DOCUMENTS["command_line.md"]) if each.language == "console"]
    turns = [turn.splitlines() for console in consoles for turn in console.split("$ ") if turn]
    assert len(turns) >= 6
    for command, *printed in turns:
        assert cli.answer(shlex.split(command)[3:]) == printed


MAKE_TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
COMMAND_LINES = sorted({command for text in DOCUMENTS.values() for command in commands(text)})


@pytest.mark.parametrize("command", COMMAND_LINES)
def test_commands_exist(command, capsys):
    program, *words = shlex.split(command.partition("  #")[0])
    if program == "make":
        assert [word for word in words if "=" not in word and word not in MAKE_TARGETS | {"COMMAND"}] == []
    elif words[:2] == ["-m", "experiments"]:
        assert_taken(words[2:], capsys)
    elif words[:2] == ["-m", "red7_env"]:
        assert set(words[2:3]) <= {*cli._COMMANDS, "serve", "COMMAND"}
    elif words[:1] == ["-m"]:
        assert find_spec(words[1]) is not None
    elif "pip" in program and "install" in words:
        assert_installable(words)


def assert_taken(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Check a command of the experiments, and that it has the options it is given."""
    name, *rest = words or ["COMMAND"]
    if name in {"COMMAND", "NAME"}:
        return
    module = import_module(COMMANDS[name].module)
    method = [word for word in rest[:1] if word in getattr(module, "METHODS", ())]
    with suppress(SystemExit):
        module.main([*method, "--help"])
    known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    assert {word.partition("=")[0] for word in rest if word.startswith("--")} <= known | {"--help"}


def assert_installable(words: list[str]) -> None:
    """Check that the extras of an installation exist."""
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    asked = [extra for word in words for extra in re.findall(r"\[(.*)\]", word)]
    assert {extra for extras in asked for extra in extras.split(",")} <= known.keys()


def test_the_commands_of_the_documents_are_found():
    assert any(command.startswith("make compare") for command in COMMAND_LINES)
    assert len([command for command in COMMAND_LINES if "experiments compare" in command]) >= 4
