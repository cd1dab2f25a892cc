"""``python -m experiments draw``."""

import sys
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from experiments.__main__ import main
from red7_env.game import Game
from red7_env.render import picture
from tests.experiments.replay.games import finished, record

POSITION = "basic V3 R5G6:R7O7I6/B1:Y4V2 0 R2R3"


@pytest.fixture
def records(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_text(record("advanced:2p", names=("ann", "bob")) + "\n" + record("basic+first:3p") + "\n")
    return path


def test_positions(tmp_path, capsys):
    out = tmp_path / "table.svg"
    assert main(["draw", POSITION, "-o", str(out), "--turns", "#", "--theme", "dark"]) == 0
    assert out.read_text() == picture(Game.from_position(POSITION, "#"), theme="dark").svg() + "\n"
    assert (
        capsys.readouterr().out
        == f"{out}: Red7 basic:2p, turn 2: player_1 has won; rule violet: most cards below 4; player_1 leads\n"
    )


def test_steps_of_records(records, tmp_path, capsys):
    out = tmp_path / "table.svg"
    assert main(["draw", str(records), "-o", str(out), "--step", "0", "--seat", "1"]) == 0
    assert out.read_text() == picture(Game.deal(finished("advanced:2p").rules, 2), 1, names=["ann", "bob"]).svg() + "\n"
    assert main(["draw", str(records), "-o", str(tmp_path / "end.png"), "--line", "2"]) == 0
    assert "has won" in capsys.readouterr().out
    with Image.open(tmp_path / "end.png") as image:
        assert image.size == (1600, 1224)


def test_films(records, tmp_path, capsys):
    assert main(["draw", str(records), "-o", str(tmp_path / "game.gif")]) == 0
    turns = len(finished("advanced:2p").rounds[0].turns)
    assert f"{turns + 1} frames of advanced:2p" in capsys.readouterr().out
    with Image.open(tmp_path / "game.gif") as image:
        assert image.n_frames == turns + 1
    assert ET.fromstring(picture(finished("advanced:2p")).svg()) is not None  # noqa: S314 - our own


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["basic -"], "position: found 2 of 5 fields"),
        ([POSITION, "--turns", "+R1"], "move: found +R1"),
        ([POSITION, "--turns", "jump"], "token: found 'jump'"),
        ([POSITION, "--seat", "2"], "seats: found 2 to 2, expected 0 to 1"),
        ([POSITION, "--step", "9"], "--step: found 9, expected 0 to 0"),
        ([POSITION, "--theme", "pink"], "--theme"),
        ([POSITION, "--seat", "me"], "--seat: found 'me', expected a whole number from 0"),
        ([POSITION, "-o", "table.jpg"], "path: found 'table.jpg', expected a name that ends in .svg or .png"),
        ([POSITION, "-o", "/no/such/table.svg"], "out: found a fault (No such file or directory)"),
        (["nothing.jsonl"], "expected a file of records"),
        (["nothing.jsonl", "--turns", "#"], "--turns: found '#' with a record"),
    ],
)
def test_refusals(words, expected, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["draw", *words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    (line,) = shown.err.splitlines()
    assert line.startswith("error: ")
    assert expected in line
    assert not any(tmp_path.iterdir())


def test_without_pillow(records, tmp_path, capsys, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "PIL"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert main(["draw", str(records), "-o", str(tmp_path / "game.gif")]) == 2
    assert capsys.readouterr().err == "error: pillow: found none, expected pip install 'red7-env[render]'\n"
