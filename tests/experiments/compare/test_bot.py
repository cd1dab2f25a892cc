"""A league with programs in it, good and bad ones."""

import shlex
import sys

import pytest

from experiments.compare import pool
from experiments.compare.cli import main
from experiments.compare.folder import RunFolder
from red7_env.game.verify import verify_lines
from tests.agents.bot import hostile
from tests.agents.bot.cases import EXAMPLE
from tests.experiments.compare.league import files_of, lines_of

BOT = f"bot:{EXAMPLE}"
RUN = ["--agents", BOT, "random", "--deals", "8", "--batch", "2", "--records", "2"]


def compare(folder, *words):
    return main([*words, "--out", str(folder)])


@pytest.fixture(scope="module")
def league(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bots") / "out"
    assert compare(folder, *RUN, "--workers", "1") == 0
    return folder


def test_a_bot_is_named_by_its_spec_everywhere(league, capsys):
    assert compare(league, *RUN, "--resume") == 0
    assert BOT in capsys.readouterr().out
    for name, key in (("games.jsonl", "seats"), ("records.jsonl", "players")):
        assert {seat for line in lines_of(league, name) for seat in line[key]} == {BOT, "random"}
    with (league / "records.jsonl").open("rb") as lines:
        assert verify_lines(lines) == 4
    text = (league / "results.md").read_text()
    assert f"| {BOT} |" in text
    assert f"use the clock or another program: {BOT}." in text


def test_the_number_of_workers_does_not_matter(league, tmp_path):
    assert compare(tmp_path / "two", *RUN, "--workers", "2") == 0
    assert files_of(tmp_path / "two") == files_of(league)


def test_the_command_in_the_results_plays_them_again(league, tmp_path):
    text = (league / "results.md").read_text()
    (command,) = [line.strip() for line in text.splitlines() if line.startswith("    python")]
    words = shlex.split(command.removeprefix("python -m experiments compare "))
    assert compare(tmp_path / "again", *words, "--workers", "1") == 0
    assert files_of(tmp_path / "again") == files_of(league)


def test_a_stopped_league_goes_on(league, tmp_path, monkeypatch):
    saved = RunFolder.save

    def save(folder, number, result):
        saved(folder, number, result)
        if number == 1:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(RunFolder, "save", save)
        assert compare(tmp_path / "out", *RUN, "--workers", "1") == 130
    assert compare(tmp_path / "out", *RUN, "--workers", "1", "--resume") == 0
    assert files_of(tmp_path / "out") == files_of(league)


@pytest.mark.parametrize(("way", "workers"), [("crash_at_start", "2"), ("not_offered", "1"), ("flood", "1")])
def test_a_league_goes_on_without_a_bad_bot(way, workers, tmp_path, capfd):
    bad = f"bot:{shlex.join([sys.executable, hostile.__file__, way])}"
    words = ["--agents", bad, "random", "--deals", "8", "--batch", "4", "--records", "8", "--workers", workers]
    assert compare(tmp_path / "out", *words) == 0
    printed = capfd.readouterr()
    assert f"{bad}: " in printed.err
    assert f"faults: {bad}: " in printed.out
    with (tmp_path / "out" / "records.jsonl").open("rb") as lines:
        assert verify_lines(lines) == 16
    won = [game["winners"][0] for game in lines_of(tmp_path / "out", "games.jsonl")]
    assert len(won) == 16


def test_a_program_that_is_not_there_is_refused(tmp_path, capsys):
    assert compare(tmp_path / "out", "--agents", "bot:no-such-program", "random", "--deals", "4") == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == ("error: command: found 'no-such-program', expected a program on the PATH, or the path of one")


def test_any_text_can_be_drawn_and_listed(tmp_path):
    """A spec with what tables and figures take for their own marks."""
    odd = f"{BOT} '$a_{{' '|' $b"
    assert compare(tmp_path / "out", "--agents", odd, "random", "--deals", "2", "--workers", "1") == 0
    assert {seat for line in lines_of(tmp_path / "out", "games.jsonl") for seat in line["seats"]} == {odd, "random"}
    assert pool.agent_cache()(odd).spec == odd
    lines = (tmp_path / "out" / "results.md").read_text().splitlines()
    rows = [line.replace(r"\|", "") for line in lines if line.startswith("| bot")]
    columns = [line.count("|") for line in lines if line.startswith("| ---")]
    assert [row.count("|") for row in rows] == columns
