"""Every example that people may copy is run: those of the pages, of the README and of the docstrings."""

import doctest
import inspect
import re
import shlex
from importlib import import_module

import pytest

from red7_env import cli
from tests.docs.pages import ROOT, Example, commands, documents, examples

DOCUMENTS = {path.name: path.read_text() for path in documents()}
WITH_DOCTESTS = sorted(
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    for folder in ("red7_env", "agents", "experiments")
    for path in (ROOT / folder).rglob("*.py")
    if ">>> " in path.read_text()
)


def run_python(example: Example, names: dict[str, object]) -> None:
    code = "\n" * (example.line - 1) + example.code  # so that a traceback names the line of the page
    exec(compile(code, "example", "exec"), names)  # noqa: S102 - our own documentation


def run_session(example: Example, names: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(example.code, names, "example", None, example.line - 1)
    test.globs = names  # get_doctest has copied them
    failures: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=failures.append, clear_globs=False)
    assert not failures, "".join(failures)


@pytest.mark.parametrize("name", [name for name, text in DOCUMENTS.items() if "```py" in text])
def test_examples_run(name):
    names: dict[str, object] = {"__name__": "example"}
    for example in examples(DOCUMENTS[name]):
        if example.language == "python":
            run_python(example, names)
        elif example.language == "pycon":
            run_session(example, names)


@pytest.mark.parametrize("name", WITH_DOCTESTS)
def test_examples_of_docstrings_run(name):
    module = import_module(name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


def test_sessions_of_the_engine_print_what_the_page_says():
    consoles = [each.code for each in examples(DOCUMENTS["command_line.md"]) if each.language == "console"]
    turns = [turn.splitlines() for console in consoles for turn in console.split("$ ") if turn]
    assert len(turns) >= 6
    for command, *printed in turns:
        assert cli.answer(shlex.split(command)[3:]) == printed
