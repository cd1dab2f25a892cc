"""Golden game records, byte for byte. ``tests.golden`` makes them."""

import json

import pytest

from red7_env.cli import answer
from red7_env.game.moves import split_turn
from tests.golden import FOLDER, GAMES, files, lines
from tests.reference import Reference


def test_every_file_is_made_and_none_is_left_over():
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(files())


@pytest.mark.parametrize("name", files())
def test_the_engine_writes_the_same_bytes(name):
    assert lines(files()[name]).encode("ascii") == (FOLDER / name).read_bytes()


@pytest.mark.parametrize("name", files())
def test_the_command_line_verifies_them(name):
    assert answer(["verify", str(FOLDER / name)]) == [f"ok: {GAMES * len(files()[name])} games"]


@pytest.mark.parametrize("name", files())
def test_the_reference_plays_them(name):
    for line in (FOLDER / name).read_text().splitlines():
        for number, log in enumerate(json.loads(line)["rounds"]):
            slow = Reference.from_position(log["position"])
            for turn in log["turns"]:
                for token in split_turn(turn):
                    assert token in slow.offered(), (number, turn)
                    slow.play(token)
            assert slow.winner == log["winner"]


def test_every_kind_of_move_and_end_is_in_them():
    """So that a change of any of them would be noticed."""
    records = [json.loads(line) for name in files() for line in (FOLDER / name).read_text().splitlines()]
    turns = [turn for record in records for log in record["rounds"] for turn in log["turns"]]
    assert {token[0] for turn in turns for token in turn.split()} == set("+>^~_*.#")
    assert any(turn.split()[0][0] == "+" and turn.endswith("#") for turn in turns)  # a draw in hope of no use
    assert max(len(record["rounds"]) for record in records) >= 4
    assert {seat for record in records for seat in record["winners"]} == {0, 1, 2, 3}
    assert any(log["scored"] == "-" for record in records for log in record["rounds"])
