"""Agents by name: ``make("rollout:playouts=50")``.

A spec is a name, then options: ``name:option=value:option=value``. Of some agents the last option is a text that may
hold anything, and has no name: ``bot:seconds=2:python my_bot.py``. Every script, config and table names agents this
way, and ``make(agent.spec)`` builds an equal agent again. An agent's module is imported when it is first made, so that
what only learners need (PyTorch) loads with learners only.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from agents.options import Option, SpecError, Value, options_text, parse_options, split_options
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
        text: Name of the option that takes all text after the other options, if there is one.
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
    for option in entry.options:
        if values.get(option.name, option.default) != option.default:
            option.checked(values[option.name])
    text = "" if entry.text is None else f":{values[entry.text]}"
    return name + options_text(values, entry.options) + text


def shortest(spec: str) -> str:
    """Return the shortest spec of the same agent, without making it; two specs of one agent become the same text.

    Raises:
        SpecError: If it names no agent, or options that the agent does not take.
    """
    entry = entry_of(spec)
    return spec_of(entry.name, **_values(entry, spec.partition(":")[2]))


def _values(entry: Entry, text: str) -> dict[str, Value]:
    """Return the keyword arguments for the agent's class."""
    values = {option.name: option.default for option in entry.options}
    if entry.text is None:
        return values | parse_options(text, entry.options)
    options, rest = split_options(text, entry.options)
    if not rest:
        raise SpecError(f"{entry.text}: found nothing, expected {entry.name}:{entry.text.upper()}")
    return values | parse_options(options, entry.options) | {entry.text: rest}


_MILLISECONDS = Option("ms", int, None, "milliseconds to think about a move, instead of a count", 1, 3_600_000)
_TRIES = Option("tries", int, 8, "worlds drawn at most until one fits the last turn; 1 takes any", 1, 1000)

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
        (
            Option("playouts", int, 200, "playouts of each move", 1, 10_000_000),
            _MILLISECONDS,
            _TRIES,
        ),
    ),
    Entry(
        "pimc",
        "agents.pimc:Pimc",
        "sampled worlds, solved with open hands (to a depth where they cannot be)",
        (
            Option("samples", int, 50, "worlds for each decision", 1, 10_000_000),
            Option("depth", int, 2, "turns searched in variants that cannot be solved", 1, 20),
            _MILLISECONDS,
            _TRIES,
        ),
    ),
    Entry(
        "bot",
        "agents.bot:Bot",
        "any program as an agent, over lines of JSON",
        (
            Option("seconds", float, 5.0, "time to answer a request", 0.001, 3600),
            Option("start", float, 10.0, "more time for the first answer after a start", 0, 3600),
        ),
        text="command",
    ),
    Entry(
        "oracle",
        "agents.oracle:Oracle",
        "sees all hands and plays the solver's move: what luck leaves to be won",
        (
            Option("depth", int, 3, "turns searched in variants that cannot be solved", 1, 20),
            Option(
                "lost",
                str,
                "swindle",
                "its turn where all lose in 2-player basic",
                choices=("swindle", "errors", "greedy"),
            ),
        ),
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
            _TRIES,
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
        "the values of dmc and playouts with planned turns in sampled worlds, mixed",
        (
            Option("model", str, None, "file of a dmc model, instead of the one shipped for the rules"),
            Option("playouts", int, 200, "playouts of each turn that gets some", 1, 10_000_000),
            _MILLISECONDS,
            Option("weight", float, 0.4, "of the network's value in the mixture", 0, 1),
            Option("forced", float, 0.5, "weight of wins by force in the rest, where they are known", 0, 1),
            Option("breadth", int, 8, "turns that get playouts: the best by the network's word", 1, 1000),
            _TRIES,
            Option("rival", str, "greedy", "whom the last turn fits in solved worlds", choices=("greedy", "oracle")),
        ),
    ),
    Entry(
        "human",
        "agents.human:Human",
        "a person at the terminal",
        (Option("hint", str, "rollout", "who gives hints; commas for the colons of its own spec"),),
    ),
):
    register(_entry)
