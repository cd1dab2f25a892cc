"""An extension of Python-Markdown that puts into the pages what is made from the code when they are built.

- A line ``[[name]]`` or ``[[name argument]]`` becomes what the function of that name in ``parts`` returns, so that no
  table of the site can go out of date.
- Examples that docstrings write after ``>>>`` become code; Markdown would take them for quotations.
- A heading loses the full stop that the first line of a docstring must end with.
"""

import re
from collections.abc import Iterator
from typing import Final

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

from docs.parts import PARTS

_PART: Final = re.compile(r"\[\[(\w+)(?: (.+))?\]\]")
_FENCE: Final = re.compile(r"\s*(```|~~~)")
_HEADING: Final = re.compile(r"#+ .*[^.](?=\.$)")
_BEFORE_FENCES_ARE_READ: Final = 31


class Generated(Extension):
    """Adds these steps to a Markdown parser."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 - Markdown's name
        """Register both before the parser reads fenced code."""
        md.preprocessors.register(_Parts(md), "red7_parts", _BEFORE_FENCES_ARE_READ + 0.5)
        md.preprocessors.register(_Docstrings(md), "red7_docstrings", _BEFORE_FENCES_ARE_READ)


class _Parts(Preprocessor):
    """Replaces lines that ask for a part."""

    def run(self, lines: list[str]) -> list[str]:
        """Return the lines with all parts in their places."""
        return [made for line in lines for made in _made(line)]


class _Docstrings(Preprocessor):
    """Fences examples after ``>>>``, and takes the full stop off headings."""

    def run(self, lines: list[str]) -> list[str]:
        """Return the lines with a fence around each example that has none."""
        return [heading[0] if (heading := _HEADING.match(line)) else line for line in _fenced(lines)]


def makeExtension(**settings: object) -> Generated:  # noqa: N802 - Markdown's name
    """Return the extension, as Markdown asks for it."""
    return Generated(**settings)  # type: ignore[no-untyped-call]  # the parser's own class is untyped


def _made(line: str) -> list[str]:
    asked = _PART.fullmatch(line)
    if asked is None:
        return [line]
    name, argument = asked.groups()
    return (PARTS[name](argument) if argument else PARTS[name]()).splitlines()


def _fenced(lines: list[str]) -> Iterator[str]:
    in_fence, example = False, ""
    for line in lines:
        if example and not line.strip():
            yield example
            example = ""
        if _FENCE.match(line):
            in_fence = not in_fence
        elif not example and not in_fence and line.lstrip().startswith(">>> "):
            example = line[: len(line) - len(line.lstrip())] + "```"
            yield f"{example}pycon"
        yield line
    if example:
        yield example
