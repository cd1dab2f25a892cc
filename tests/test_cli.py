"""The command line: what it prints, what it refuses, and how it ends."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from red7_env import cli
from red7_env.cli import answer, main, serve
from red7_env.game import Game, Rules
from red7_env.game.errors import Red7Error
from red7_env.game.record import MAX_LINE_BYTES, make_record, record_line

CASES = json.loads((Path(__file__).parent / "data" / "conformance.json").read_text())["cases"]
POSITION = (
    "basic - Y7R6V5R4R2I2V1:V7/R7I6O5Y5O4Y1G1:I3 1 R3B2R5Y3Y2O3G7V4G5V6B6B4G4V3O2G6I5I7I4G3O6B1Y6G2O7B7V2O1Y4R1B5I1B3"
)
SMALL = "advanced R1 R5R2:R3/O2:O3 1 Y1"
OVER = "advanced R1 x/O2:O6O3 1 Y1"
COMMANDS = "leader moves apply score perft verify"


def case_id(case):
    return case["name"].replace(" ", "-")


def run(*arguments, **options):
    """Run the command line as another program would."""
    return subprocess.run(
        [sys.executable, "-m", "red7_env", *arguments], capture_output=True, timeout=120, check=False, **options
    )


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """Let the engine be compiled, which is announced on standard error, before anything looks there."""
    answer(["leader", POSITION])


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """A file of three records."""
    lines = []
    for seed in range(3):
        game = Game.deal(Rules(variant="advanced"), seed)
        while not game.over:
            game.play(game.moves()[-1])
        lines.append(record_line(make_record(game, ["first", "second"], seed)))
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


# What is printed


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_the_worked_cases(case):
    position = case["position"]
    assert answer(["leader", position]) == [case["leader"]]
    if case["kind"] == "leader":
        if case["leader"] != "none":
            assert answer(["score", position, case["leader"]]) == [f"{case['scored']} {case['points']}"]
        return
    assert answer(["moves", position]) == [case["moves"]]
    for depth, count in enumerate(case["perft"], 1):
        assert answer(["perft", position, str(depth)]) == [str(count)]
    end, winner = answer(["apply", position, "; ".join(case["round"])])
    assert (end, winner) == (case["end"], f"winner {case['winner']}")
    assert answer(["score", end, str(case["winner"])]) == [f"{case['scored']} {case['points']}"]


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (["leader", POSITION], ["0"]),
        (["leader", "basic V5 -:R6/-:O6 0 -"], ["none"]),
        (["moves", POSITION], ["# +I6 +O4 +R7"]),
        (["moves", POSITION, ""], ["# +I6 +O4 +R7"]),
        (["moves", POSITION, "+R7"], [". >I6 >O4 >O5 >Y1 >Y5"]),
        (["moves", POSITION, " +R7 "], [". >I6 >O4 >O5 >Y1 >Y5"]),
        (["moves", OVER], [""]),
        (["moves", "basic - -:R6/R1:O6 0 -"], ["#"]),
        (["apply", SMALL, "#"], ["advanced R1 R5R2:R3/x 0 Y1", "winner 0"]),
        (["apply", "advanced R1 R5R2:R3/O2R7:O3 1 Y1", "+R7 ."], ["advanced R1 R5R2:R3/O2:R7O3 0 Y1"]),
        (["score", SMALL, "0"], ["R3 3"]),
        (["score", "basic V5 -:R6/-:O6 0 -", "1"], ["- 0"]),
        (["score", OVER, "1"], ["O6 6"]),
        (["perft", POSITION, "0"], ["1"]),
        (["perft", POSITION, "01"], ["4"]),
        (["perft", OVER, "0"], ["1"]),
        (["perft", OVER, "1000"], ["1"]),
    ],
)
def test_answers(words, lines):
    assert answer(words) == lines


def test_after_a_round_of_a_match_its_scored_cards_stand_as_before_it():
    lines = answer(["apply", "advanced R1 R5R2:R3/O2:O3 1 Y1 -/R7", "#"])
    assert lines == ["advanced R1 R5R2:R3/x 0 Y1 -/R7", "winner 0"]


def test_verify(records, tmp_path):
    assert answer(["verify", str(records)]) == ["ok: 3 games"]
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert answer(["verify", str(empty)]) == ["ok: 0 games"]


# What is refused


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ([], f"command: found '', expected one of {COMMANDS}"),
        ([""], f"command: found '', expected one of {COMMANDS}"),
        (["fly"], f"command: found 'fly', expected one of {COMMANDS}"),
        (["Leader", POSITION], "command: found 'Leader', expected one of"),
        (["serve"], "command: found 'serve', expected one of"),
        (["leader"], "leader: found 0 arguments, expected POSITION, each quoted"),
        (["leader", *POSITION.split()], "leader: found 5 arguments, expected POSITION"),
        (["moves"], r"moves: found 0 arguments, expected POSITION \[TOKENS\]"),
        (["apply", POSITION], "apply: found 1 arguments, expected POSITION TOKENS"),
        (["leader", "-"], "position: found 1 of 5 fields"),
        (["leader", "-x - -:R6/-:O6 0 -"], "rules: variant: found '-x', expected basic or advanced"),
        (["moves", POSITION, "+R8"], r"token: found '\+R8', expected one of \+R7"),
        (["moves", POSITION, "+R1"], r"move: found \+R1 \(play R1 \(red 1\) to the palette\), expected one of "),
        (["moves", POSITION, "#"], "token: found '#', which completes the turn, expected tokens of an unfinished"),
        (["moves", POSITION, "+R7 . #"], r"token: found '\.', which completes the turn"),
        (["moves", POSITION, "+R7; #"], r"token: found '\+R7;', expected one of"),
        (["moves", OVER, "#"], r"move: found # \(pass\), expected no move: the round is over"),
        (["apply", POSITION, ""], "turn 1 of 1: found no token, expected some"),
        (["apply", POSITION, "#;"], "turn 2 of 2: found no token, expected some"),
        (["apply", POSITION, "# ; ; #"], "turn 2 of 3: found no token, expected some"),
        (["apply", POSITION, "+R7"], r"token: found '\+R7' as the last of a turn that it does not complete, expected"),
        (["apply", POSITION, "+R7; #"], r"token: found '\+R7' as the last of a turn that it does not complete"),
        (["apply", POSITION, "+R7 . #"], r"token: found '#' after '\.' had completed the turn, expected no more"),
        (["apply", POSITION, "#; #"], r"move: found # \(pass\), expected no move: the round is over"),
        (["score", POSITION, "2"], "SEAT: found '2', expected a seat that is in: 0 1"),
        (["score", POSITION, "-1"], "SEAT: found '-1', expected a seat that is in: 0 1"),
        (["score", OVER, "0"], "SEAT: found '0', expected a seat that is in: 1"),
        (["score", OVER, "\u0661"], r"SEAT: found '\\u0661', expected a seat that is in: 1"),
        (["perft", POSITION, "-1"], "DEPTH: found '-1', expected a whole number from 0 to 1000"),
        (["perft", POSITION, ""], "DEPTH: found '', expected a whole number"),
        (["perft", POSITION, "1.0"], "DEPTH: found '1.0', expected a whole number"),
        (["perft", POSITION, "\u00b2"], r"DEPTH: found '\\xb2', expected a whole number"),
        (["perft", POSITION, "1001"], "DEPTH: found '1001', expected a whole number"),
        pytest.param(["perft", POSITION, "9" * 9999], "DEPTH: found '999", id="huge"),
        (["verify", "no/such\nfile"], r"FILE: found 'no/such\\nfile' \(No such file or directory\), expected"),
        (["verify", "a\0b"], r"FILE: found 'a\\x00b' \(not a file name\), expected a file"),
        (["verify", "\ud800"], r"FILE: found '\\ud800' \(not a file name\), expected a file"),
        (["verify", ""], "FILE: found '' "),
        (["verify", "."], r"FILE: found '\.' \(Is a directory\), expected a file"),
    ],
)
def test_refusals(words, fault):
    with pytest.raises(Red7Error, match=f"^{fault}") as caught:
        answer(words)
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()


def test_verify_names_line_round_and_turn(records, tmp_path):
    lines = records.read_text().splitlines()
    wrong = json.loads(lines[1])
    wrong["rounds"][0]["turns"][0] = "+R7 +R7"
    path = tmp_path / "wrong.jsonl"
    path.write_text("\n".join([lines[0], json.dumps(wrong), lines[2]]))
    with pytest.raises(Red7Error, match=r"^line 2: round 1, turn 1: "):
        answer(["verify", str(path)])


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that opens but cannot be read")
def test_a_file_that_cannot_be_read_is_refused():
    with pytest.raises(Red7Error, match=r"^FILE: found '/proc/self/mem' \(Input/output error\)"):
        answer(["verify", "/proc/self/mem"])


def test_verify_reads_no_more_of_a_line_than_it_must(tmp_path):
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.truncate(100 * MAX_LINE_BYTES)
    with pytest.raises(Red7Error, match=r"^line 1: record: found a longer line, expected at most"):
        answer(["verify", str(path)])


# The process


def test_what_worked_goes_to_standard_output(capsys):
    assert main(["apply", SMALL, "#"]) == 0
    assert capsys.readouterr() == ("advanced R1 R5R2:R3/x 0 Y1\nwinner 0\n", "")


def test_what_is_refused_goes_to_standard_error(capsys):
    assert main(["leader", "basic\n"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: position: found 1 of 5 fields")
    assert err.endswith("\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize("arguments", [["-h"], ["--help"], ["moves", "--help"], ["serve", "-h"]])
def test_help_names_every_command(capsys, arguments):
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for command in (*COMMANDS.split(), "serve"):
        assert f"\n  {command}" in out
    assert max(map(len, out.splitlines())) <= 100


def test_the_position_in_the_help_is_one(capsys):
    main(["--help"])
    position = capsys.readouterr().out.split("'")[1::2]
    assert answer(["moves", next(text for text in position if text.startswith("basic"))])


def test_exit_status():
    result = run("moves", POSITION, "+R7")
    assert (result.returncode, result.stdout) == (0, b". >I6 >O4 >O5 >Y1 >Y5\n")
    result = run("moves", POSITION, "+R8")
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.startswith(b"error: token: found '+R8', expected one of")
    assert result.stderr.count(b"\n") == 1
    assert run().returncode == run("serve", "now").returncode == run("-x").returncode == 2


@pytest.mark.skipif(os.name != "posix", reason="arguments are bytes on POSIX only")
def test_arguments_that_are_not_utf_8_are_refused():
    result = run("leader", b"basic \xff")
    assert result.returncode == 2
    assert result.stderr.count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk_is_one_line():
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - no file to speak of
        result = subprocess.run(
            [sys.executable, "-m", "red7_env", "--help"], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert result.returncode == 2
    assert result.stderr.startswith(b"error: standard input or output: found a fault (No space left on device)")
    assert result.stderr.count(b"\n") == 1


# Serve


def served(data: bytes, capsys) -> list[str]:
    serve(io.BytesIO(data))
    out, err = capsys.readouterr()
    assert err == ""
    assert out.endswith("\n") or not data
    return out.split("\n")[:-1]


def test_serve_answers_each_line(capsys, records):
    commands = [
        f"moves\t{POSITION}\t+R7",
        f"moves\t{POSITION}\t",
        f"moves\t{POSITION}",
        f"apply\t{SMALL}\t#",
        f"moves\t{OVER}\r",
        f"verify\t{records}",
        f"leader\t{POSITION}",
    ]
    assert served("\n".join(commands).encode(), capsys) == [
        ". >I6 >O4 >O5 >Y1 >Y5",
        "# +I6 +O4 +R7",
        "# +I6 +O4 +R7",
        "advanced R1 R5R2:R3/x 0 Y1\twinner 0",
        "",
        "ok: 3 games",
        "0",
    ]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b" ",
        b"\t",
        b"serve",
        b"leader",
        b"leader " + POSITION.encode(),
        b"leader\t" + POSITION.encode() + b"\t",
        b"apply\t" + POSITION.encode(),
        b"verify\tno such file",
        b"verify\t\xff\0",
        b"\0",
        b"\xff\xfe",
        b"--help",
        b"leader\t" + POSITION.encode() + b"\r\r",
        pytest.param(b"x" * 10**6, id="long"),
        pytest.param(b"\xf0\x9f\x98\x80" * 10**5, id="long-unicode"),
    ],
)
def test_serve_refuses_in_one_line_and_goes_on(line, capsys):
    error, answered = served(line + b"\nleader\t" + POSITION.encode() + b"\n", capsys)
    assert error.startswith("error: ")
    assert error.isprintable()
    assert answered == "0"


def test_serve_ends_with_its_input(capsys):
    assert served(b"", capsys) == []
    assert served(b"x" * (cli._MAX_SERVED_BYTES + 1), capsys)[0].startswith("error: command: found a longer line")


def test_serve_answers_at_once_and_ends_well():
    with subprocess.Popen(
        [sys.executable, "-m", "red7_env", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        for _ in range(3):
            process.stdin.write(b"leader\t" + POSITION.encode() + b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"0\n"
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait(60) == 0


def test_serve_ends_quietly_when_nobody_reads():
    with subprocess.Popen(
        [sys.executable, "-m", "red7_env", "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        process.stdin.write(b"x\n" * 10)
        process.stdin.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""
