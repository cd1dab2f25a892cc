"""The parts of pages that are made from the code, and the extension that puts them there."""

import re

import pytest
from markdown import Markdown

from agents import entries
from docs import parts
from docs.generated import Generated
from experiments.__main__ import COMMANDS
from red7_env.game import Rules
from red7_env.game.moves import NUM_MOVES
from red7_env.observation import describe, size
from tests.docs.pages import PAGES, ROOT


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table.splitlines()[2:]]


def html(text: str) -> str:
    return Markdown(extensions=[Generated(), "tables", "pymdownx.superfences"]).convert(text)


def test_cards():
    table = rows(parts.cards())
    assert [row[0] for row in table][:2] == ["red `R`", "orange `O`"]
    assert table[0][7] == "48"
    assert table[6][1] == "0"


def test_actions_are_the_whole_space_without_gaps():
    ends = [row[0].split("-") for row in rows(parts.actions())]
    assert [int(low) for low, *_ in ends] == [0, *(int(block[-1]) + 1 for block in ends[:-1])]
    assert int(ends[-1][-1]) == NUM_MOVES - 1


def test_actions_in_words():
    assert rows(parts.actions())[1] == ["49-97", "`>R7`", "discard card i - 49 to the canvas"]


def test_every_kind_of_rules_has_its_tables():
    asked = re.findall(r"^\[\[observation (.+)\]\]$", (PAGES / "observations.md").read_text(), re.MULTILINE)
    assert tuple(asked) == parts.KINDS
    table = parts.observation("advanced+first:match").replace("\n    ", "\n")
    for players in (2, 3, 4):
        rules = Rules(players, "advanced", "first", match=True)
        assert f"\n{describe(rules)}\n" in table + "\n"
        assert f"`{rules}`: {size(rules)} bits, of which `base` is the first {size(rules, 'base')}." in table


def test_sizes():
    assert rows(parts.sizes())[0] == ["`basic`", "224 / 584", "282 / 796", "340 / 1008", "101"]


def test_every_agent_is_listed_with_its_options():
    listed, in_full = parts.agents(), parts.agents_in_full()
    for entry in entries():
        assert f"[`{entry.name}`](#{entry.name}) | {entry.summary}" in listed
        assert f"### `{entry.name}` {{ #{entry.name} }}" in in_full
        for option in entry.options:
            assert f"| `{option.name}` |" in in_full


def test_every_command_is_listed_with_its_help():
    text = parts.experiments()
    for name in COMMANDS:
        assert f"usage: python -m experiments {name}" in text


def test_the_citation_names_the_version():
    version = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert f"version = {{{version[1]}}}" in parts.citation()


def test_a_line_asks_for_a_part():
    assert "<td>48</td>" in html("[[cards]]")
    assert html("[[cards]] and more") == "<p>[[cards]] and more</p>"


def test_a_part_that_does_not_exist_ends_the_build():
    with pytest.raises(KeyError, match="cardz"):
        html("[[cardz]]")


def test_examples_of_docstrings_are_code():
    assert "<blockquote>" not in html("Words.\n\n>>> 1 + 1\n2\n\nMore.")
    assert html("Words.\n\n>>> 1 + 1\n2\n\nMore.").endswith("<p>More.</p>")
    fenced = "```pycon\n>>> 1 + 1\n2\n```\n\nMore."
    assert html(fenced) == html(">>> 1 + 1\n2\n\nMore.")


def test_a_heading_has_no_full_stop():
    assert html("# Red7.") == "<h1>Red7</h1>"
    assert html("# And so on...") == "<h1>And so on...</h1>"
