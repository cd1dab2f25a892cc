"""Agents by name: ``make("rollout:playouts=50")``.

A spec is a name, then options: ``name:option=value:option=value``. Every script, config and table names agents this
way, and ``make(agent.spec)`` builds an equal agent again. An agent's module is imported when it is first made, so that
what only learners need (PyTorch) loads with learners only.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from agents.options import Option, SpecError, Value, options_text, parse_options
from agents.protocol import Agent
from red7_env.game.errors import shown


@dataclass(frozen=True)
class Entry:
    """What the registry knows of an agent before it is imported.

    Attributes:
        name: Its name in specs.
        target: Module and class, ``"agents.greedy:Greedy"``; the class takes the options as keyword arguments.
        summary: What it does, in a line.
        options: Its options, in the order of the spec.
        cheats: Whether it has to be given full states instead of views: no player, but a yardstick.
        text: Name of the one option that takes all text after the first colon, if there is one (no others then).
    """

    name: str
    target: str
    summary: str
    options: tuple[Option, ...] = ()
    cheats: bool = False
    text: str | None = None


_ENTRIES: dict[str, Entry] = {}


def register(entry: Entry) -> None:
    """Add an agent to the registry.

    Raises:
        SpecError: If the name is taken.
    """
    if entry.name in _ENTRIES:
        raise SpecError(f"agent: found {shown(entry.name)} again, expected a name that is not taken")
    _ENTRIES[entry.name] = entry


def entries() -> tuple[Entry, ...]:
    """Return all entries, in the order of their registration."""
    return tuple(_ENTRIES.values())


def entry_of(spec: str) -> Entry:
    """Return the entry that a spec names; its options are not looked at.

    Raises:
        SpecError: If there is none.
    """
    name = str(spec).partition(":")[0]
    if name not in _ENTRIES:
        raise SpecError(f"agent: found {shown(name)}, expected one of {', '.join(sorted(_ENTRIES))}")
    return _ENTRIES[name]


def make(spec: str) -> Agent:
    """Return the agent of a spec.

    Raises:
        SpecError: If it names no agent, or options that the agent does not take.
    """
    entry = entry_of(spec)
    values = _values(entry, spec.partition(":")[2])
    module, _, name = entry.target.partition(":")
    agent: Agent = getattr(import_module(module), name)(**values)
    return agent


def make_all(specs: Iterable[str]) -> list[Agent]:
    """Return the agents of several specs.

    Raises:
        SpecError: If one of them cannot be made.
    """
    return [make(spec) for spec in specs]


def spec_of(name: str, **values: Value) -> str:
    """Return the shortest spec of an agent with these option values, for the agent's own class.

    Raises:
        SpecError: If there is no such agent, or a value is out of range.
    """
    entry = entry_of(name)
    if entry.text is not None:
        return f"{name}:{values[entry.text]}"
    for option in entry.options:
        if values.get(option.name, option.default) != option.default:
            option.checked(values[option.name])
    return name + options_text(values, entry.options)


def _values(entry: Entry, text: str) -> dict[str, Value]:
    """Return the keyword arguments for the agent's class."""
    if entry.text is None:
        return {option.name: option.default for option in entry.options} | parse_options(text, entry.options)
    if not text:
        raise SpecError(f"{entry.text}: found nothing, expected {entry.name}:{entry.text.upper()}")
    return {entry.text: text}


_MILLISECONDS = Option("ms", int, None, "milliseconds to think about a move, instead of a count", 1, 3_600_000)

for _entry in (
    Entry(
        "random",
        "agents.uniform:Random",
        "uniform over the offered moves, or over whole turns",
        (Option("unit", str, "move", "what is chosen uniformly", choices=("move", "turn")),),
    ),
    Entry(
        "greedy",
        "agents.greedy:Greedy",
        "keeps its cards: the cheapest turn that leads",
        (Option("choice", str, "lowest", "what decides among equals", choices=("lowest", "freedom")),),
    ),
    Entry(
        "rollout",
        "agents.rollout:Rollout",
        "flat Monte Carlo: sampled worlds, each move played out by greedy",
        (Option("playouts", int, 200, "playouts of each move", 1, 10_000_000), _MILLISECONDS),
    ),
    Entry(
        "pimc",
        "agents.pimc:Pimc",
        "sampled worlds, solved with open hands (to a depth where they cannot be)",
        (
            Option("samples", int, 50, "worlds for each decision", 1, 10_000_000),
            Option("depth", int, 2, "turns searched in variants that cannot be solved", 1, 20),
            _MILLISECONDS,
        ),
    ),
    Entry(
        "oracle",
        "agents.oracle:Oracle",
        "sees all hands and plays the solver's move: what luck leaves to be won",
        (Option("depth", int, 3, "turns searched in variants that cannot be solved", 1, 20),),
        cheats=True,
    ),
    Entry(
        "ismcts",
        "agents.ismcts:Ismcts",
        "single-observer information-set tree search",
        (
            Option("iterations", int, 2000, "worlds sampled, one path through the tree each", 1, 10_000_000),
            Option("exploration", float, 0.5, "weight of rarely tried moves", 0, 100),
            _MILLISECONDS,
        ),
    ),
    Entry(
        "ppo",
        "agents.ppo:Ppo",
        "a policy network that learned by self-play",
        (
            Option("model", str, None, "path of the model instead of the shipped one"),
            Option("temperature", float, 0.0, "0 plays the likeliest move, 1 each with its chance", 0, 100),
        ),
    ),
    Entry(
        "dmc",
        "agents.dmc:Dmc",
        "plays the turn whose outcome a network values most",
        (
            Option("model", str, None, "file of the model, instead of the one shipped for the rules"),
            Option("temperature", float, 0.0, "chance among turns: 0 for the best one", 0, 1000),
        ),
    ),
    Entry(
        "netroll",
        "agents.netroll:Netroll",
        "the values of dmc and greedy playouts in sampled worlds, mixed",
        (
            Option("model", str, None, "file of a dmc model, instead of the one shipped for the rules"),
            Option("playouts", int, 200, "playouts of each turn that gets some", 1, 10_000_000),
            _MILLISECONDS,
            Option("weight", float, 0.5, "of the network's value in the mixture", 0, 1),
            Option("breadth", int, 8, "turns that get playouts: the best by the network's word", 1, 1000),
        ),
    ),
):
    register(_entry)
