"""The pages of the documentation, and the examples in them."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "pages"

_FENCE = re.compile(r"^(?P<margin> *)```(?P<language>\w*)\n(?P<code>.*?)^(?P=margin)```$", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"^ {4,}((?:make|python|pip|\S+/python|\S+/pip) .+)$", re.MULTILINE)
_INLINE = re.compile(r"`((?:make|python -m) [^`]+)`")


@dataclass(frozen=True)
class Example:
    """A fenced block: its language, its code, and the line of the page where the code begins."""

    language: str
    code: str
    line: int


def documents() -> list[Path]:
    """Return all that people read: the pages, and the Markdown files beside the code."""
    return [*sorted(PAGES.glob("*.md")), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md"))]


def examples(text: str) -> list[Example]:
    return [
        Example(found["language"], found["code"], text.count("\n", 0, found.start("code")) + 1)
        for found in _FENCE.finditer(text)
    ]


def commands(text: str) -> list[str]:
    """Return the shell commands of a page: after ``$`` in consoles, in indented blocks and in the text."""
    consoles = [
        line[2:]
        for each in examples(text)
        if each.language == "console"
        for line in each.code.splitlines()
        if line.startswith("$ ")
    ]
    return [*consoles, *_INDENTED.findall(text), *_INLINE.findall(text)]
