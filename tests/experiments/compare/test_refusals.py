import os

import pytest

from agents import Entry, registry
from experiments.compare import pool
from experiments.compare.cli import main
from experiments.compare.folder import RunFolder
from tests.experiments.compare.league import compare


def die(pipe, config):  # noqa: ARG001 - as a worker is called
    """Be a worker that dies while it plays."""
    pipe.recv()
    os._exit(7)


RUN = ["--agents", "random", "greedy", "--deals", "4", "--workers", "1"]


def refused(capsys, *words):
    """Return the one line with which a command is refused."""
    assert main(words) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    (line,) = shown.err.splitlines()
    assert line.startswith("error: ")
    return line


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--agents", "clever", "random"], "agent: found 'clever', expected one of"),
        (["--agents", "random:unit=day", "greedy"], "unit: found 'day'"),
        (["--agents", "random"], "agents: found 1, expected at least 2 for basic:2p"),
        (["--agents", "random", "random:unit=move"], "agents: found 'random' twice"),
        (["--agents", "random", "greedy", "--rules", "basic:3p"], "agents: found 2, expected at least 3 for basic:3p"),
        (["--agents", "random", "--rules", "basic:3p", "--design", "duel"], "expected at least 2"),
        (["--agents", "random", "greedy", "--rules", "chess"], "variant: found 'chess'"),
        (["--agents", "random", "greedy", "--rules", "basic:5p"], "players: found '5'"),
        (["--deals", "0"], "--deals: found '0', expected a whole number from 1"),
        (["--deals", "many"], "--deals: found 'many'"),
        (["--seed", "-1"], "--seed"),
        (["--workers", "0"], "--workers: found '0', expected a whole number from 1 to 1024"),
        (["--design", "random"], "--design"),
        (["--until-separated", "never"], "--until-separated"),
        (["--speed", "9"], "unrecognized arguments: --speed 9"),
        (["greedy"], "unrecognized arguments: greedy"),
    ],
)
def test_bad_words_are_refused_in_one_line(words, expected, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert expected in refused(capsys, *words)
    assert not any(tmp_path.iterdir())


def test_who_cheats_needs_leave(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(registry._ENTRIES, "spy", Entry("spy", "agents.greedy:Greedy", "sees all", cheats=True))
    words = ["--agents", "spy", "random", "--deals", "4", "--workers", "1", "--out", str(tmp_path / "out")]
    assert "which sees all hands, expected --allow-cheating" in refused(capsys, *words)
    assert main([*words, "--allow-cheating"]) == 0
    assert "--allow-cheating" in (tmp_path / "out" / "results.md").read_text()


@pytest.mark.parametrize("spec", ["human", "human:hint=greedy"])
def test_a_person_does_not_play_in_leagues(spec, capsys):
    """The workers are other processes, with no terminal, and ask for many games at once."""
    assert f"found '{spec}', expected agents that play without a person" in refused(capsys, "--agents", spec, "random")


def test_a_folder_that_cannot_be_written(capsys, tmp_path):
    (tmp_path / "file").write_text("")
    assert "expected a folder to write to" in refused(capsys, *RUN, "--out", str(tmp_path / "file"))
    assert "expected a folder to write to" in refused(capsys, *RUN, "--out", str(tmp_path / "file" / "out"))


def test_a_folder_of_other_things(capsys, tmp_path):
    (tmp_path / "diary.txt").write_text("")
    assert "found other files" in refused(capsys, *RUN, "--out", str(tmp_path))


def test_a_folder_of_another_run(capsys, tmp_path):
    assert compare(tmp_path, " ".join(RUN)) == 0
    capsys.readouterr()
    assert "expected an empty folder, or --resume" in refused(capsys, *RUN, "--out", str(tmp_path))
    other = [*RUN, "--out", str(tmp_path), "--resume", "--seed", "2"]
    assert refused(capsys, *other) == "error: resume: found seed 2, expected 1 as the run was begun with"
    (tmp_path / "config.json").write_text("{")
    assert "unreadable" in refused(capsys, *RUN, "--out", str(tmp_path), "--resume")


def test_a_refused_run_leaves_its_folder_to_others(capsys, tmp_path):
    bad, folder = ["--agents", "bot:no-such-program", "random", "--deals", "4", "--workers", "1"], tmp_path / "out"
    assert main([*bad, "--out", str(folder)]) == 2
    assert not folder.exists()
    folder.mkdir()
    assert main([*bad, "--out", str(folder)]) == 2
    assert not any(folder.iterdir())
    assert main([*RUN, "--out", str(folder)]) == 0
    capsys.readouterr()
    assert "expected an empty folder" in refused(capsys, *bad, "--out", str(folder))
    assert (folder / "results.json").exists()


def test_a_folder_in_use(capsys, tmp_path):
    folder = RunFolder(tmp_path / "out")
    folder.begin({"seed": 1}, None, resume=False)
    with pytest.raises(ValueError, match="in use"):
        RunFolder(tmp_path / "out").begin({"seed": 1}, None, resume=True)
    folder.close()
    folder.begin({"seed": 1}, None, resume=True)
    folder.close()
    assert capsys.readouterr().err == ""


class Stubborn:
    """Plays a card that it may not have."""

    name = spec = "stubborn"

    def act(self, views, masks, rng):  # noqa: ARG002 - fixed by the protocol
        return masks.argmin(axis=1)


def test_an_agent_that_breaks_the_rules_ends_the_run(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(registry._ENTRIES, "stubborn", Entry("stubborn", f"{__name__}:Stubborn", "no player"))
    words = ["--agents", "stubborn", "random", "--deals", "4", "--workers", "1", "--out", str(tmp_path / "out")]
    assert main(words) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("error: table 0, deals 0 to 3: IllegalMoveError: stubborn: found +")


def test_an_agent_that_cannot_be_made_ends_the_run(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(registry._ENTRIES, "ghost", Entry("ghost", "agents.no_such_module:Ghost", "not there"))
    words = ["--agents", "ghost", "random", "--deals", "4", "--out", str(tmp_path / "out")]
    assert main(words) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("error: agents: ghost cannot be made: ModuleNotFoundError")


def test_the_death_of_a_worker_ends_the_run(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "_serve", die)
    assert main([*RUN, "--workers", "2", "--batch", "2", "--out", str(tmp_path / "out")]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("error: worker: found it dead (exit status 7) in deals from ")


def test_help_says_what_there_is(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "--until-separated" in capsys.readouterr().out
