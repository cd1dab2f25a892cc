"""The command line of the experiments."""

import sys
from types import ModuleType

import pytest

from experiments import __main__ as commands


def test_help_lists_every_command(capsys):
    assert commands.main(["--help"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed and command.about in printed for name, command in commands.COMMANDS.items())


@pytest.mark.parametrize("arguments", [[], ["bench"], ["benchmark\n"], [""]])
def test_an_unknown_command_is_refused_in_one_line(arguments, capsys):
    assert commands.main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: command: found ")
    assert printed.err.count("\n") == 1


@pytest.fixture
def planted(monkeypatch):
    """Return the arguments that a planted command was called with; what it does is in its attribute ``outcome``."""
    module = ModuleType("experiments.planted")
    module.calls, module.outcome = [], 0

    def main(arguments):
        module.calls.append(list(arguments))
        if isinstance(module.outcome, type):
            raise module.outcome
        return module.outcome

    module.main = main
    monkeypatch.setitem(sys.modules, module.__name__, module)
    planted = {"planted": commands.Command(module.__name__, "do as told"), "broken": commands.Command("no.module", "-")}
    monkeypatch.setattr(commands, "COMMANDS", planted)
    return module


def test_a_command_gets_its_own_arguments_and_only_its_module_is_imported(planted):
    planted.outcome = 7
    assert commands.main(["planted", "--option", "value"]) == 7
    assert planted.calls == [["--option", "value"]]


def test_an_interrupt_ends_with_the_usual_status(planted):
    planted.outcome = KeyboardInterrupt
    assert commands.main(["planted"]) == 130
