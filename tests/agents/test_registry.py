import subprocess
import sys
from pathlib import Path

import pytest

from agents import Entry, Option, SpecError, entries, make, register, shortest, spec_of
from agents.registry import _ENTRIES

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("spec", "shortest_spec"),
    [
        ("greedy", "greedy"),
        ("random:unit=move", "random"),
        ("random:unit=turn", "random:unit=turn"),
        ("rollout:playouts=200", "rollout"),
        ("rollout:ms=20:playouts=7", "rollout:playouts=7:ms=20"),
        ("ismcts:iterations=50:exploration=1", "ismcts:iterations=50:exploration=1"),
        ("ismcts:exploration=0.123456789", "ismcts:exploration=0.123456789"),
        ("bot:start=10:seconds=3:sh -c a:b=c", "bot:seconds=3:sh -c a:b=c"),
        ("bot:sh seconds=5:start=10:", "bot:sh seconds=5:start=10:"),
    ],
)
def test_a_spec_comes_back_in_its_shortest_form(spec, shortest_spec):
    agent = make(spec)
    assert agent.spec == shortest_spec
    assert agent.name == spec.partition(":")[0]
    assert make(shortest_spec).spec == shortest_spec
    assert shortest(spec) == shortest_spec


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "agent: found '', expected one of "),
        ("gredy", "agent: found 'gredy', expected one of "),
        (None, "agent: found 'None', expected one of "),
        ("gre\nedy", r"agent: found 'gre\nedy', expected one of "),
        ("greedy:playouts=3", "option: found 'playouts=3', expected one of choice=..."),
        ("rollout:", None),
        ("rollout:playout=3", "option: found 'playout=3', expected one of playouts=..., ms=..."),
        ("rollout:playouts", "option: found 'playouts', expected one of playouts=..., ms=..."),
        ("rollout:playouts=3:", "option: found '', expected one of playouts=..., ms=..."),
        ("rollout:playouts=", "playouts: found '', expected a whole number from 1 to 10000000"),
        ("rollout:playouts=many", "playouts: found 'many', expected a whole number from 1 to 10000000"),
        ("rollout:playouts=0", "playouts: found '0', expected a whole number from 1 to 10000000"),
        ("rollout:playouts=1_0", "playouts: found '1_0', expected a whole number from 1 to 10000000"),
        ("rollout:playouts=2.5", "playouts: found '2.5', expected a whole number from 1 to 10000000"),
        ("rollout:playouts=3:playouts=4", "playouts: found twice, expected once"),
        ("random:unit=card", "unit: found 'card', expected move or turn"),
        ("ismcts:exploration=nan", "exploration: found 'nan', expected a number from 0 to 100"),
        ("ismcts:exploration=-1", "exploration: found '-1', expected a number from 0 to 100"),
    ],
)
def test_a_bad_spec_ends_in_one_clear_line(spec, message):
    if message is None:
        assert make(spec).spec == "rollout"
        return
    with pytest.raises(SpecError) as error:
        make(spec)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_the_error_lists_every_agent():
    with pytest.raises(SpecError) as error:
        make("nobody")
    assert str(error.value).endswith(", ".join(sorted(entry.name for entry in entries())))


def test_an_agent_checks_its_own_options_too():
    with pytest.raises(SpecError, match="playouts: found 0, expected a whole number"):
        spec_of("rollout", playouts=0)
    with pytest.raises(SpecError, match="playouts: found True, expected a whole number"):
        spec_of("rollout", playouts=True)


class Echo:
    """An agent with one option that takes all the text there is."""

    name = "echo"

    def __init__(self, *, command):
        self.spec = spec_of(self.name, command=command)


@pytest.fixture
def echo(monkeypatch):
    monkeypatch.setattr("agents.registry._ENTRIES", dict(_ENTRIES))
    register(Entry("echo", f"{__name__}:Echo", "says it again", text="command"))


@pytest.mark.usefixtures("echo")
def test_a_text_option_takes_the_rest_of_the_spec():
    assert make("echo:python bot.py --a=b:c").spec == "echo:python bot.py --a=b:c"
    with pytest.raises(SpecError, match="command: found nothing, expected echo:COMMAND"):
        make("echo")


@pytest.mark.usefixtures("echo")
def test_a_name_is_given_once():
    with pytest.raises(SpecError, match="agent: found 'echo' again, expected a name that is not taken"):
        register(Entry("echo", "x:Y", "another"))


def test_options_without_an_upper_end_say_so():
    assert Option("size", int, 1, "", low=2).expected == "a whole number from 2"


def test_the_registry_loads_no_agent():
    code = (
        "import sys, agents; agents.entries(); "
        "print(*(name for name in sys.modules if name.startswith('agents.') or name == 'torch'))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(loaded.split()) == {"agents.options", "agents.protocol", "agents.registry"}
