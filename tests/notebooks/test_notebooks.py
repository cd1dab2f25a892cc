"""Every notebook runs in a fresh kernel, without an error or a warning, and shows what was committed."""

import re

import pytest

from notebooks.comparison import faults
from notebooks.execution import FOLDER, executed, paths, read, text_of

NAMES = [path.stem for path in paths()]
LARGEST = 600_000


@pytest.mark.parametrize("name", NAMES)
def test_it_shows_what_was_committed(name):
    kept = read(FOLDER / f"{name}.ipynb")
    made = executed(kept)
    assert faults(kept, made) == []
    assert made.metadata == kept.metadata


@pytest.mark.parametrize("name", NAMES)
def test_its_file_is_small_and_written_by_the_command(name):
    path = FOLDER / f"{name}.ipynb"
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) <= LARGEST
    assert text == text_of(read(path))
    assert [cell.id for cell in read(path).cells if not cell.source.strip()] == []


def test_all_are_listed():
    listed = re.findall(r"^\| `(\w+)` \|", (FOLDER / "README.md").read_text(), re.MULTILINE)
    assert listed == NAMES
