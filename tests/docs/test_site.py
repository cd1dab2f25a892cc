"""The site is built without a warning, and needs nothing from elsewhere."""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from agents import entries
from experiments.__main__ import COMMANDS
from tests.docs.pages import PAGES, ROOT

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
"""What makes a browser load something, by element and attribute."""


class Found(HTMLParser):
    """The addresses that a page loads from, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs).get(LOADED.get(tag, ""))
        self.loaded += [found] if found else []

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the site from a copy of its sources, so that nothing is written beside them."""
    folder = tmp_path_factory.mktemp("docs")
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("mkdocs.yml", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    for name in ("red7_env", "agents", "experiments", "notebooks"):
        (folder / name).symlink_to(ROOT / name)
    command = [sys.executable, "-W", "error", "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done, folder / "site"


def test_it_is_built_without_a_warning(built):
    done, _ = built
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    assert [line for line in lines if not line.startswith(("Build ", "No issues found"))] == []


def test_every_page_is_there_and_in_the_navigation(built):
    _, site = built
    names = {path.stem for path in PAGES.glob("*.md")}
    assert {path.stem for path in site.glob("*.html")} == names | {"404"}
    listed = set(re.findall(r": (\w+)\.md$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))
    assert listed == names


def test_pages_load_nothing_from_elsewhere(built):
    _, site = built
    pages = {path: Found(path.read_text()) for path in site.glob("*.html")}
    loaded = {(path.name, address) for path, page in pages.items() for address in page.loaded}
    assert len(loaded) > len(pages)
    assert [found for found in loaded if "//" in found[1]] == []
    assert [found for found in loaded if not is_there(site, found[1])] == []
    sheets = [path.read_text() for path in site.rglob("*.css")]
    assert [sheet for sheet in sheets if re.search(r"url\(['\"]?(https?:)?//|@import", sheet)] == []


def is_there(site: Path, address: str) -> bool:
    return address.startswith("/") or (site / re.split("[?#]", address)[0]).exists()  # 404.html is served from anywhere


def test_docstrings_tables_and_lists_are_in_the_pages(built):
    _, site = built
    text = {path.stem: Found(path.read_text()).text for path in site.glob("*.html")}
    assert "Return a full state that fits each view" in text["arrays"]
    assert "a turn is worth, one after the other" in text["agents"]
    assert all(entry.summary in text["agents"] for entry in entries())
    assert all(f"python -m experiments {name}" in text["experiments"] for name in COMMANDS)
    assert "advanced+first:4p:match" in text["observations"]
    assert not any("[[" in line for page in text.values() for line in page.splitlines() if line.endswith("]]"))


def test_the_search_works_without_a_server(built):
    _, site = built
    assert (site / "search.js").read_text().startswith("var __index = ")
    assert 'src="./javascripts/worker.js"' in (site / "index.html").read_text()
