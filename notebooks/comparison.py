"""Whether a notebook shows what it showed when it was committed.

Text has to be the same to the letter: all chance comes from seeds. Of a picture as pixels only its kind is compared,
for another machine or version may draw it a little differently. A cell with the tag ``varies`` shows what depends on
the machine, such as times or the outcome of training; of all its outputs only the kinds are compared.
"""

from collections.abc import Iterator
from difflib import unified_diff
from itertools import zip_longest
from typing import Any, Final

from notebooks.execution import Notebook

VARIES: Final = "varies"
_PIXELS: Final = "image/png"


def faults(kept: Notebook, made: Notebook) -> list[str]:
    """Return what is wrong with a notebook, one text for each fault.

    Args:
        kept: As it was committed.
        made: The same, run anew.
    """
    return [*_not_run_in_order(kept), *_warnings(made), *_changes(kept, made)]


def _code(notebook: Notebook) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _not_run_in_order(kept: Notebook) -> Iterator[str]:
    counts = [cell.execution_count for cell in _code(kept)]
    if counts != list(range(1, len(counts) + 1)):
        yield f"cells: found them run as {counts}, expected each once, from top to bottom"


def _warnings(made: Notebook) -> Iterator[str]:
    for cell in _code(made):
        for output in cell.outputs:
            if output.get("name") == "stderr":
                yield f"cell {cell.execution_count}: found a warning, expected none:\n{output.text}"


def _changes(kept: Notebook, made: Notebook) -> Iterator[str]:
    for before, after in zip(_code(kept), _code(made), strict=True):
        varies = VARIES in after.metadata.get("tags", ())
        pair = [[_told(output, varies=varies) for output in cell.outputs] for cell in (before, after)]
        for old, new in zip_longest(*pair, fillvalue=""):
            if old != new:
                lines = unified_diff(old.splitlines(), new.splitlines(), "committed", "run anew", n=1, lineterm="")
                told = "\n".join(lines)
                yield f"cell {after.execution_count}: found other outputs than were committed:\n{told}"


def _told(output: Any, *, varies: bool) -> str:  # noqa: ANN401 - a dictionary of nbformat
    """Return of an output what has to stay the same."""
    if output.output_type == "stream":
        return f"{output.name}:\n" + ("" if varies else output.text)
    parts = sorted(output.get("data", {}).items())
    return "\n".join(kind if varies or kind == _PIXELS else f"{kind}:\n{value}" for kind, value in parts)
