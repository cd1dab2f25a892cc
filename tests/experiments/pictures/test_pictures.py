"""The pictures of README and documentation: those that are checked in are those that the command draws."""

import json
import re
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from agents.learned.shipped import FOLDER as MODELS
from experiments.__main__ import main
from experiments.pictures import cli, curves, league, page
from experiments.pictures.page import screenshot
from experiments.replay import Replay
from tests.browser import chromium
from tests.experiments.replay.games import finished

DRAWN = ("table-light.svg", "table-dark.svg", "league.svg", "curves.svg")
MOST_BYTES = 150_000


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures") / "new"
    assert main(["pictures", "table", "league", "curves", "-o", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("name", DRAWN)
def test_what_is_checked_in_is_what_the_command_draws(name, drawn):
    kept = cli.FOLDER / name
    assert (drawn / name).read_bytes() == kept.read_bytes(), "make pictures"
    assert ET.parse(kept).getroot().tag.endswith("svg")  # noqa: S314 - our own


def test_pictures_are_small():
    sizes = {path.name: path.stat().st_size for path in cli.FOLDER.iterdir()}
    assert sizes.keys() == {*DRAWN, "replay.png"}
    assert max(sizes.values()) < MOST_BYTES
    with Image.open(cli.FOLDER / "replay.png") as image:
        assert image.size == page.SIZE


def test_readme_and_documentation_show_pictures_that_exist():
    texts = [path.read_text() for path in (cli.ROOT / "docs" / "pages").glob("*.md")]
    shown = {name for text in texts for name in re.findall(r"images/([a-z-]+\.(?:svg|png))", text)}
    assert shown == {path.name for path in cli.FOLDER.iterdir()}
    for name in re.findall(r"docs/pages/images/([a-z-]+\.\w+)", (cli.ROOT / "README.md").read_text()):
        assert (cli.FOLDER / name).is_file()


def test_every_curve_is_that_of_a_shipped_model():
    points = curves.read()
    assert points
    for point in points:
        assert (MODELS / f"{point.model}.safetensors").is_file()
        assert point.low <= point.rate <= point.high
    assert len(set(points)) == len(points)


def evaluated(moves, rate):
    ends = {"rate": rate, "low": rate - 1, "high": rate + 1}
    return {"moves": moves} | {f"{end} {name}": value for name in curves.YARDSTICKS for end, value in ends.items()}


def run(folder, *rows):
    folder.mkdir()
    (folder / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Return where curves and league are kept in this test."""
    monkeypatch.setattr(curves, "KEPT", tmp_path / "curves.csv")
    monkeypatch.setattr(curves.read, "__defaults__", (tmp_path / "curves.csv",))
    monkeypatch.setattr(league, "KEPT", tmp_path / "league.json")
    return tmp_path


def test_curves_are_taken_from_runs_that_go_on_from_each_other(kept):
    first = run(kept / "a", {"moves": 5}, evaluated(10, 40.0), {"moves": 20})
    second = run(kept / "b", evaluated(7, 55.0))
    words = ["--curve", f"dmc-basic-4p={first},{second}", "--curve", f"dmc-basic-2p={second}"]
    assert main(["pictures", "curves", "-o", str(kept / "out"), *words]) == 0
    points = [(point.model, point.moves, point.opponent, point.rate) for point in curves.read()]
    assert points == [
        (model, moves, name, rate)
        for model, moves, rate in (("dmc-basic-2p", 7, 55), ("dmc-basic-4p", 10, 40), ("dmc-basic-4p", 27, 55))
        for name in curves.YARDSTICKS
    ]
    curves.keep("dmc-basic-4p", [second])
    assert [point.moves for point in curves.read()] == [7] * 4


def test_results_are_kept(kept):
    results = league.read(cli.ROOT / "experiments" / "pictures" / "league.json")
    folder = kept / "run"
    folder.mkdir()
    (folder / "results.json").write_text(json.dumps(results.to_json()))
    league.keep(folder)
    assert league.read(kept / "league.json") == results


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["cat"], "PICTURE: found 'cat', expected some of table, league, curves, replay"),
        (["--curve", "dmc"], "--curve: found 'dmc', expected MODEL=DIR"),
        (["--curve", "dmc-basic-2p=/no/where"], "curve: found no evaluation in '/no/where'"),
        (["--league", "/no/where"], "league: found '/no/where/results.json' unreadable"),
        (["table", "-o", "/proc/none"], "out: found a fault"),
    ],
)
def test_refusals(words, message, capsys):
    assert main(["pictures", *words]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1


@pytest.mark.parametrize("dark", [False, True])
def test_a_screenshot_shows_the_page(dark, tmp_path):
    chromium()
    path = tmp_path / "page.png"
    screenshot(Replay(finished("basic:2p")), path, step=2, dark=dark, size=(500, 400))
    with Image.open(path) as image:
        assert image.size == (500, 400)
        colours = image.convert("RGB").getcolors(1 << 16)
    common = max(colours)[1]
    assert (sum(common) < 200) == dark
    assert len(colours) > 20


def test_without_a_browser_it_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "BROWSERS", ("no-such-browser",))
    with pytest.raises(ValueError, match="replay: found no Chromium, expected one"):
        screenshot(Replay(finished("basic:2p")), tmp_path / "page.png")
