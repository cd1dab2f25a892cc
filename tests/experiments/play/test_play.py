"""Whole sessions at the terminal, typed from a script."""

import io
import json
import os
import re
import sys

import pytest

from experiments.__main__ import main as experiments
from experiments.play.cli import main
from red7_env.cli import main as red7
from red7_env.game import Game, Rules
from red7_env.game.notation import parse_position
from tests.agents.typing_person import Player, Screen, typed

SMALL = "basic@3x4x2 - R4O1:Y3/R2Y4:O4 0 R3O3Y2O2R1Y1"


@pytest.fixture
def session(monkeypatch, capsys):
    """Return a function that plays a session and returns what was printed.

    Lines are typed, or ``games`` are played by somebody who takes the first move each time.
    """

    def run(words, *lines, games=0, stream=None, status=0, **habits):
        screen = Screen()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", screen)
            patch.setattr(sys, "stdin", Player(screen, games, **habits) if games else stream or typed(*lines))
            assert main(words.split() if isinstance(words, str) else words) == status
        printed = screen.getvalue()
        fault = re.sub(r"red7_env: compiling.*\n", "", capsys.readouterr().err)  # as after a change of the sources
        assert fault == "" or status == 2
        assert "\x1b" not in printed
        return fault if status == 2 else printed

    return run


def verified(path, count, capsys):
    assert red7(["verify", str(path)]) == 0
    assert capsys.readouterr().out == f"ok: {count} games\n"
    return [json.loads(line) for line in path.read_text().splitlines()]


GAMES = [
    ("basic", ["greedy"]),
    ("basic", ["greedy", "random", "random:unit=turn"]),
    ("advanced", ["greedy", "greedy"]),
    ("advanced:2p:match", ["random:unit=turn"]),
    ("basic+first", ["greedy", "random"]),
    ("advanced+revised:match", ["greedy", "random:unit=turn", "greedy"]),
    ("advanced+first@5x6x4:match", ["rollout:playouts=2", "greedy"]),
]


@pytest.mark.parametrize(("rules", "opponents"), GAMES, ids=[f"{rules}-{len(others) + 1}p" for rules, others in GAMES])
def test_games_of_every_kind(rules, opponents, session, tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    words = f"--rules {rules} --opponents {' '.join(opponents)} --seed 5 --record {path}"
    out = session(f"{words} --hint greedy", games=3, hints=True)
    assert max(len(line) for line in out.splitlines() if str(path) not in line) <= 80
    assert f"3 games recorded in {path}" in out.replace("\n    ", " ")
    records = verified(path, 3, capsys)
    seats = set()
    for number, record in enumerate(records):
        seat = record["players"].index("human")
        seats.add(seat)
        assert record["players"][seat + 1 :] + record["players"][:seat] == opponents
        assert (record["seed"], record["index"]) == (5, number)
        parsed = Rules.parse(rules)
        expected = Rules(len(opponents) + 1, parsed.variant, parsed.actions, parsed.match, parsed.deck)
        assert Game.deal(expected, 5, number).position == record["rounds"][0]["position"]
    assert len(seats) > 1
    assert out.count("Hint of greedy: ") > 3


@pytest.mark.parametrize("rules", ["advanced+revised", "basic+first"])
def test_what_happened_is_told(rules, session, tmp_path, capsys):
    """Every turn of the record is told, in order, with the cards of its moves."""
    path = tmp_path / "games.jsonl"
    out = session(f"--opponents greedy greedy --rules {rules} --seed 11 --seat 0 --record {path}", games=1)
    said = [line for line in re.sub(r"\n    ", " ", out).splitlines() if re.match(r"(Seat \d|You) .*\.$", line)]
    told = [line for line in said if not re.search(r"won the|^You drew|^You cannot", line)]
    (record,) = verified(path, 1, capsys)
    turns = record["rounds"][0]["turns"]
    assert len(told) == len(turns)
    first = int(record["rounds"][0]["position"].split()[3])
    assert told[0].startswith("You" if first == 0 else f"Seat {first} (greedy)")
    for line, turn in zip(told, turns, strict=True):
        assert re.search(".*".join(re.findall(r"[A-Z]\d", turn)), line)
        assert ("passed and" in line) == turn.endswith("#")


def test_a_known_game_in_words(session):
    out = session(["--position", SMALL, "--seat", "0"], "+R4 >O1", "q")
    assert "You played R4, then discarded O1: the rule is orange (most of one number)." in out
    assert "Seat 1 (greedy) " in out


def test_the_end_of_a_game_is_told(session):
    out = session(["--position", SMALL, "--seat", "0"], "#", "y", "x", "q")
    assert "You passed and are out.\nSeat 1 (greedy) has won the round.\nSeat 1 (greedy) has won the game." in out
    assert out.count("n: the next game, q: quit.") == 2
    out = session(["--position", "advanced - R7O7:R6/O4:V5 1 -", "--seat", "0"], "q")
    assert "Seat 1 (greedy) passed and is out.\nYou have won the round and score R6: 6 points.\n" in out
    out = session(
        ["--position", "advanced - R7:R6/O5:V5/V4:B3 2 -", "--seat", "2", "--opponents", "greedy", "greedy"], "#", "y"
    )
    assert "You passed and are out." in out


def test_a_match_is_told(session):
    out = session("--rules advanced:match --seed 2", games=1)
    assert re.search(r"advanced:2p:match, round 2 begins; (you|seat \d \(greedy\)) to move\.", out)
    assert re.search(r"Points \(40 end the match\): ", out)
    assert re.search(r"(You have|Seat \d \(greedy\) has) won the game with \d+ points\.", out)


def test_a_seat_without_cards_is_told(session):
    out = session(
        ["--position", "basic - V1:R6/-:R5/O7Y7:V2 2 -", "--opponents", "greedy", "greedy", "--seat", "2"], "+O7 ."
    )
    assert re.search(r"Seat 1 \(greedy\) has no cards left and is out\.", out.replace("\n    ", " "))


def test_the_seed_decides_all_but_the_person(session):
    words = "--opponents random random --rules advanced+revised --seed 4"
    assert session(words, games=2) == session(words, games=2)
    dealt = session("--opponents greedy --seed 4 --deal 3", "q")
    assert "seed 4, deal 3: you are seat" in dealt
    assert "--seed 4 --deal 3 deals it again" in dealt.replace("\n    ", " ")
    shown = re.search(r"seed (\d+), deal 0", session("--opponents greedy", "q"))
    assert shown is not None
    assert {session("--opponents greedy --seat 1", "q").count("you are seat 1") for _ in range(3)} == {1}


@pytest.mark.parametrize("ending", [[], ["q"]])
def test_leaving_keeps_the_game_and_resume_goes_on(ending, session, tmp_path, capsys):
    """A game left after every answer comes out as one that was never left."""
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    words = "--opponents greedy greedy --rules advanced+revised@5x6x4:match --seed 6 --record"
    session(f"{words} {whole}", games=1)
    (expected,) = verified(whole, 1, capsys)
    out = session(f"{words} {parts}", "1", *ending)
    assert f"--record {parts} --resume" in out
    for _ in range(400):
        if parts.read_text():
            break
        out = session(f"--record {parts} --resume", *["1", "y"] * 12, *ending)  # at least a turn
        assert "goes on" in out
    record, *_ = verified(parts, 1, capsys)
    assert record == expected
    assert [path.name for path in sorted(tmp_path.iterdir()) if path.name.startswith("parts")] == ["parts.jsonl"]


def test_a_drawn_card_stays_drawn(session, tmp_path):
    """Leaving in the midst of a turn does not bring back the choice before the draw."""
    path = tmp_path / "games.jsonl"
    for seed in range(20):
        path.with_name("games.jsonl.unfinished").unlink(missing_ok=True)
        out = session(f"--rules basic+revised --seed {seed} --seat 0 --record {path}", "h", "q")
        threes = re.findall(r"(\+\S3)  play \S3, draw a card", out)
        if threes:
            break
    out = session(f"--resume --record {path}", threes[0], "y", "q")
    drawn = re.search(r"You drew (\S\S)\.", out)
    assert drawn is not None
    again = session(f"--resume --record {path}", "u", "q")
    assert "you have seen the card that you drew" in again
    assert drawn[1] in re.search(r"hand    (.*)", again)[1]


def test_an_interrupt_ends_with_its_status(session, tmp_path):
    class Interrupted(io.StringIO):
        def readline(self, *_):
            raise KeyboardInterrupt

    path = tmp_path / "games.jsonl"
    out = session(f"--record {path} --seed 1", stream=Interrupted(), status=130)
    assert "goes on with" in out
    assert "you to move" in session(f"--record {path} --resume")


def test_a_second_game_after_a_resumed_one(session, tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    session(f"--opponents random --rules basic@4x4x3 --seed 3 --deal 7 --record {path}")
    out = session(f"--resume --record {path}", games=2)
    assert "seed 3, deal 8" in out
    assert [record["index"] for record in verified(path, 2, capsys)] == [7, 8]


def test_a_record_is_appended_to_what_is_there(session, tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    for _ in range(2):
        session(f"--rules basic@4x4x3 --seed 3 --record {path}", games=1)
    verified(path, 2, capsys)


def test_a_record_begins_a_line_of_its_own(session, tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    session(f"--record {path}", games=1)
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    session(f"--record {path}", games=1)
    verified(path, 2, capsys)


def test_after_the_last_deal_comes_the_first(session):
    greetings = re.findall("deal [0-9]+", session(f"--seed 3 --deal {2**64 - 1}", games=2))
    assert greetings == [f"deal {2**64 - 1}", "deal 0"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_no_record(session, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "(not a plain file), expected a file to append to" in session(f"--record {tmp_path / 'pipe'}", status=2)


def test_a_position_can_be_a_deal(session, tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    position = Game.deal(Rules(), 9).position
    session(["--position", position, "--record", str(path)], games=1)
    (record,) = verified(path, 1, capsys)
    assert record["rounds"][0]["position"] == position
    assert record["players"][parse_position(position).to_move] == "human"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--opponents clever", "agent: found 'clever', expected one of"),
        ("--opponents greedy:x=1", "option: found 'x=1'"),
        ("--opponents human", "opponents: found 'human', expected agents"),
        ("--opponents oracle", "opponents: found 'oracle', which sees all hands, expected --allow-cheating"),
        ("--opponents greedy greedy greedy greedy", "opponents: found 4, expected 1 to 3"),
        ("--opponents greedy --rules basic:3p", "rules: found 3 players, expected 2, one more than opponents"),
        ("--rules chess", "variant: found 'chess'"),
        ("--rules basic@3x4x5 --opponents greedy random", "deck shape: found 3x4x5"),
        ("--seat 2", "seat: found 2, expected 0 to 1"),
        ("--seat 4", "--seat: found '4', expected a whole number from 0 to 3"),
        ("--seed -1", "--seed"),
        ("--seed 1.5", "--seed: found '1.5', expected a whole number from 0"),
        ("--hint oracle", "hint: found 'oracle', expected an agent that sees no more"),
        ("--hint clever", "agent: found 'clever'"),
        ("--position chess", "position: found"),
        (["--position", SMALL, "--rules", "basic"], "rules: found with --position"),
        (["--position", SMALL, "--deal", "0"], "deal: found with --position"),
        (["--position", SMALL, "--opponents", "greedy", "greedy"], "opponents: found 2, expected 1 for 2 seats"),
        (["--position", "basic - -:R1/x 0 -"], "position: found a round that is over"),
        (
            ["--position", "basic - G1:R1/x/G2:R2 0 -", "--opponents", "greedy", "greedy", "--seat", "1"],
            "seat: found 1, which is out at this position",
        ),
        (
            ["--position", "basic R7 R4:Y3/R2:O4 0 -", "--record", "games"],
            "record: found a position that is no deal, expected no --record",
        ),
        ("--resume", "resume: found no --record"),
        ("--resume --record none", "resume: found 'none.unfinished' (No such file or directory)"),
        ("--resume --record none --seed 1", "seed: found with --resume, expected the saved game to say"),
        ("--record .", "record: found '.' (Is a directory), expected a file to append to"),
        ("--record no/such/folder", "record: found 'no/such/folder' (No such file or directory)"),
        ("--speed 9", "unrecognized arguments: --speed 9"),
    ],
)
def test_bad_words_are_refused_in_one_line(words, expected, session, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = session(words, status=2)
    assert line.startswith("error: ")
    assert line.count("\n") == 1
    assert expected in line
    assert not any(tmp_path.iterdir())


def test_a_cheat_with_leave_is_given_all_hands(session):
    session("--opponents oracle:depth=1 --rules basic@4x4x3 --allow-cheating --seed 1", games=1)


def test_an_unfinished_game_is_not_overwritten(session, tmp_path):
    path = tmp_path / "games.jsonl"
    session(f"--record {path}")
    assert "found an unfinished game" in session(f"--record {path}", status=2)


@pytest.mark.parametrize(
    "damage",
    [
        lambda kept: {},  # noqa: ARG005 - nothing is left
        lambda kept: [kept],
        lambda kept: kept | {"players": ["greedy", "greedy"]},
        lambda kept: kept | {"players": ["human", "no-such-agent"]},
        lambda kept: kept | {"rounds": []},
        lambda kept: kept | {"rounds": kept["rounds"] * 2},
        lambda kept: kept | {"rng": -1},
        lambda kept: kept | {"rng": "x"},
        lambda kept: kept | {"deal": "x"},
        lambda kept: kept | {"deal": -1},
        lambda kept: kept | {"deal": float("inf")},
        lambda kept: kept | {"seed": -1},
        lambda kept: kept | {"seed": float("inf")},
        lambda kept: kept | {"seed": 2**64},
        lambda kept: kept | {"seed": None},
        lambda kept: kept | {"rounds": [kept["rounds"][0] | {"turns": ["+R9"]}]},
        lambda kept: kept | {"rounds": [kept["rounds"][0] | {"turns": 7}]},
        lambda kept: kept | {"rounds": [kept["rounds"][0] | {"position": "basic"}]},
    ],
)
def test_damaged_games_are_refused_in_one_line(damage, session, tmp_path):
    path = tmp_path / "games.jsonl"
    session(f"--record {path} --seed 2")
    unfinished = tmp_path / "games.jsonl.unfinished"
    unfinished.write_text(json.dumps(damage(json.loads(unfinished.read_text()))))
    line = session(f"--record {path} --resume", status=2)
    assert line.count("\n") == 1
    assert line.startswith(("error: resume: found a fault in ", "error: agent: found 'no-such-agent'"))
    unfinished.write_bytes(b"\xff{")
    assert "not written by this program" in session(f"--record {path} --resume", status=2)


def test_help(capsys):
    with pytest.raises(SystemExit) as ended:
        experiments(["play", "--help"])
    assert ended.value.code == 0
    assert "--opponents SPEC" in capsys.readouterr().out
