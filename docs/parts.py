"""The parts of pages that are made from the code: each function returns Markdown.

A page asks for one with a line ``[[name]]`` or ``[[name argument]]``; see ``generated``.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial
from importlib import import_module
from io import StringIO
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any, Final
from unittest.mock import patch

from agents import Entry, Option, entries
from experiments.__main__ import COMMANDS
from red7_env import cli
from red7_env.game import Rules
from red7_env.game.cards import COLOUR_NAMES, NUM_COLOURS, NUM_NUMBERS, card_id, card_text, card_words
from red7_env.game.moves import NUM_MOVES, move_text, move_words
from red7_env.observation import describe, size
from red7_env.settings import settings_of

PLAYERS: Final = (2, 3, 4)
KINDS: Final = tuple(
    f"{variant}{edition}{match}"
    for variant, match in (("basic", ""), ("advanced", ""), ("advanced", ":match"))
    for edition in ("", "+revised", "+first")
)
"""All kinds of rules that an observation depends on, as ``Rules.parse`` reads them but for the number of players."""

_ROOT: Final = Path(__file__).resolve().parents[1]
_HELP_COLUMNS: Final = "90"


def cards() -> str:
    """Return the ids of all cards: a row a colour, the highest first."""
    rows = [
        [f"{COLOUR_NAMES[colour]} `{card_text(colour)[0]}`", *(card_id(number, colour) for number in _numbers())]
        for colour in reversed(range(NUM_COLOURS))
    ]
    return table(["", *map(str, _numbers())], rows)


def actions() -> str:
    """Return the action ids, in blocks of one kind of move."""
    rows = []
    for _, block in groupby(range(NUM_MOVES), key=lambda move: move_text(move)[0]):
        moves = list(block)
        first, last = moves[0], moves[-1]
        card = f"{card_text(last - first)} ({card_words(last - first)})" if last > first else ""
        ids = f"{first}-{last}" if card else str(first)
        words = move_words(last).replace(card, f"card i - {first}" if first else "card i") if card else move_words(last)
        rows.append([ids, f"`{move_text(last)}`", words])
    return table(["ids", "token", "move"], rows)


def sizes() -> str:
    """Return how long an observation is and how many moves there are, by kind of rules."""
    rows = []
    for kind in KINDS:
        all_rules = [rules_of_kind(kind, players) for players in PLAYERS]
        cells = [f"{size(rules, 'base')} / {size(rules)}" for rules in all_rules]
        rows.append([f"`{kind}`", *cells, all_rules[0].num_moves])
    return table(["rules", *(f"{players} players" for players in PLAYERS), "moves"], rows)


def observation(kind: str) -> str:
    """Return the observation tables of one kind of rules, in a tab for each number of players."""
    tabs = []
    for players in PLAYERS:
        rules = rules_of_kind(kind, players)
        base, derived = size(rules, "base"), size(rules)
        words = f"`{rules}`: {derived} bits, of which `base` is the first {base}."
        text = _indented(f"{words}\n\n{describe(rules)}")
        tabs.append(f'=== "{players} players"\n\n{text}')
    return "\n\n".join(tabs)


def agents() -> str:
    """Return all agents of the registry: a line each."""
    rows = [
        [f"[`{entry.name}`](#{entry.name})", entry.summary + (" (cheats)" if entry.cheats else ""), _spec_form(entry)]
        for entry in entries()
    ]
    return table(["agent", "what it does", "options and their defaults"], rows)


def agents_in_full() -> str:
    """Return a section for each agent: its options, and the docstring of its module."""
    return "\n\n".join(map(_agent, entries()))


def experiments() -> str:
    """Return a section for each command of ``python -m experiments``, with what ``--help`` prints."""
    return "\n\n".join(
        _command(name, command.about, import_module(command.module)) for name, command in COMMANDS.items()
    )


def command_line() -> str:
    """Return what ``python -m red7_env --help`` prints."""
    return f"```text\n{_printed(lambda: cli.main(['--help']))}\n```"


def arguments() -> str:
    """Return the arguments that every environment takes, with their defaults."""
    defaults = settings_of.__kwdefaults__ or {}
    shown = {name: "uint8" if name == "dtype" else repr(value).replace("'", '"') for name, value in defaults.items()}
    return "`" + "`, `".join(f"{name}={value}" for name, value in shown.items()) + "`"


def extras() -> str:
    """Return the extras of the package and what they install."""
    listed: Mapping[str, list[str]] = _project()["optional-dependencies"]
    rows = [[f"`{name}`", ", ".join(map(_name_of, packages))] for name, packages in listed.items()]
    return table(["extra", "installs"], rows)


def citation() -> str:
    """Return the entry of ``CITATION.cff`` as BibTeX."""
    entry = (_ROOT / "CITATION.cff").read_text(encoding="utf-8")
    title, author, version, licence = (_cited(field, entry) for field in ("title", "  - name", "version", "license"))
    return (
        "```bibtex\n@software{red7_env,\n"
        f"  author  = {{{{{author}}}}},\n  title   = {{{title}}},\n  version = {{{version}}},\n"
        f"  license = {{{licence}}}\n}}\n```"
    )


def table(headings: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def rules_of_kind(kind: str, players: int) -> Rules:
    """Return the rules of one of ``KINDS`` for a number of players."""
    field, _, match = kind.partition(":")
    return Rules.from_field(field, players, bool(match))


PARTS: Final[Mapping[str, Callable[..., str]]] = {
    part.__name__: part
    for part in (
        actions,
        agents,
        agents_in_full,
        arguments,
        cards,
        citation,
        command_line,
        experiments,
        extras,
        observation,
        sizes,
    )
}
"""What a page can ask for, by name."""


def _numbers() -> range:
    return range(1, NUM_NUMBERS + 1)


def _agent(entry: Entry) -> str:
    options = table(["option", "default", "takes", "meaning"], map(_option_row, entry.options))
    module = entry.target.partition(":")[0]
    parts = [f"### `{entry.name}` {{ #{entry.name} }}", options if entry.options else "", _docstring_of(module)]
    return "\n\n".join(filter(None, parts))


def _docstring_of(module: str) -> str:
    """Return the directive that puts a module's docstring here, and nothing else of it."""
    return (
        f"::: {module}\n    options:\n      show_root_heading: false\n      show_root_toc_entry: false\n"
        "      members: false\n      heading_level: 3"
    )


def _option_row(option: Option) -> list[str]:
    default = "not in use" if option.default is None else f"`{option.default}`"
    return [f"`{option.name}`", default, option.expected, option.summary]


def _spec_form(entry: Entry) -> str:
    given = [f"`{option.name}={'...' if option.default is None else option.default}`" for option in entry.options]
    return ", ".join(given) + (f", then `:{entry.text.upper()}`" if entry.text else "")


def _command(name: str, about: str, module: ModuleType) -> str:
    """Return the section of a command; one with ``METHODS`` has the help of each of them as well."""
    methods: Iterable[str] = getattr(module, "METHODS", ())
    asked = [["--help"], *([method, "--help"] for method in methods)]
    helps = [_printed(partial(module.main, words)) for words in asked]
    texts = [f"```text\n{text}\n```" for text in helps]
    return "\n\n".join([f"### `{name}` {{ #{name} }}", _sentence(about), *texts])


def _printed(run: Callable[[], object]) -> str:
    """Return what a call prints, in lines of a fixed width and without colours."""
    out = StringIO()
    with patch.dict("os.environ", {"COLUMNS": _HELP_COLUMNS, "NO_COLOR": "1"}), redirect_stdout(out):
        try:
            run()
        except SystemExit as end:  # argparse's way to end after its help
            if end.code:
                raise
    return out.getvalue().strip()


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


def _name_of(requirement: str) -> str:
    return requirement.partition(">")[0].partition("[")[0]


def _cited(field: str, entry: str) -> str:
    found = re.search(rf"^{field}: (.+)$", entry, re.MULTILINE)
    if found is None:
        raise ValueError(f"CITATION.cff: found no {field.strip(' -')}, expected one")
    return found[1].strip('"')


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.splitlines())
