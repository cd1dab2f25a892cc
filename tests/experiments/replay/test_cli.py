"""``python -m experiments replay``."""

import json

import pytest

from experiments.__main__ import main
from experiments.replay import Replay
from tests.experiments.compare.league import compare
from tests.experiments.replay.games import record


@pytest.fixture
def records(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_text(record() + "\n" + record("advanced+revised:4p") + "\n")
    return path


def test_a_page_is_written(records, tmp_path, capsys):
    out = tmp_path / "game.html"
    assert main(["replay", str(records), "-o", str(out), "--explain", "greedy", "--explain", "rollout:playouts=2"]) == 0
    shown = capsys.readouterr()
    assert shown.err == "replay: the first of several records; --line chooses another\n"
    assert "of basic:2p, a against b" in shown.out
    assert out.read_text() == Replay(record(), ["greedy", "rollout:playouts=2"]).html()


def test_a_line_is_chosen(records, tmp_path, capsys):
    assert main(["replay", str(records), "-o", str(tmp_path / "game.html"), "--line", "2"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "advanced+revised:4p" in shown.out


def test_games_of_a_comparison(tmp_path, capsys):
    assert compare(tmp_path / "run", "--agents random greedy --deals 4 --workers 1") == 0
    capsys.readouterr()
    assert main(["replay", str(tmp_path / "run"), "--line", "3", "-o", str(tmp_path / "game.html")]) == 0
    assert "greedy" in capsys.readouterr().out


def test_help(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["replay", "--help"])
    assert ended.value.code == 0
    assert "--explain SPEC" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--line", "3"], "line: found 3, expected 1 to 2 in '"),
        (["--line", "0"], "--line: found '0', expected a whole number from 1"),
        (["--explain", "nobody"], "agent: found 'nobody', expected one of"),
        (["--explain", "pimc:samples=x"], "samples: found 'x'"),
        (["--seed", "-"], "--seed"),
        (["--speed"], "unrecognized arguments: --speed"),
        (["-o", "/no/such/folder/game.html"], "out: found a fault (No such file or directory), expected none"),
    ],
)
def test_bad_words_are_refused_in_one_line(words, expected, records, capsys):
    out = records.with_name("game.html")
    assert expected in refused(capsys, str(records), "-o", str(out), *words)
    assert not out.exists()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "empty, expected a file of records"),
        (b"{", "record: found a fault at character 1"),
        (b"\xff\n", "record: found a byte that is not UTF-8"),
        (b"[]\n", "record: found a value of type list, expected a JSON object"),
        (b'{"format": "red7-record/2"}', "format: found 'red7-record/2'"),
        (b" " * (4 * 1024 * 1024 + 2), "record: found a longer line"),
    ],
)
def test_bad_files_are_refused_in_one_line(content, expected, tmp_path, capsys):
    path = tmp_path / "records.jsonl"
    path.write_bytes(content)
    assert expected in refused(capsys, str(path), "-o", str(tmp_path / "game.html"))
    assert not (tmp_path / "game.html").exists()


def test_a_lie_is_refused_in_one_line(tmp_path, capsys):
    lie = json.loads(record())
    lie["rounds"][0]["turns"][0] = "+R7 <script>\n"
    (tmp_path / "lie.json").write_text(json.dumps(lie))
    assert "round 1, turn 1: token: found" in refused(capsys, str(tmp_path / "lie.json"))


def test_files_that_are_not_there(tmp_path, capsys):
    assert "(No such file or directory), expected a file of records" in refused(capsys, str(tmp_path / "nothing"))
    assert "expected a file of records" in refused(capsys, str(tmp_path))
    assert "not a file name" in refused(capsys, "a\0b")


def refused(capsys, *words):
    """Return the one line with which a command is refused."""
    assert main(["replay", *words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    line = shown.err.splitlines()[-1]
    assert line.startswith("error: ")
    assert len(shown.err.splitlines()) <= 2  # a note that there are several records may come before it
    return line
