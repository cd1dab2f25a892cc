"""The command that tells how often the first player wins."""

import json

import numpy as np
import pytest

from agents import make
from agents.solver import Solver, first_player_share
from agents.table import play_deals
from experiments import solve
from experiments.solve import PERFECT, main
from red7_env.game import Rules, batch

SMALL = ["--deals", "300", "--seed", "5"]


def run(folder, *words):
    return main([*words, "--out", str(folder)])


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("solved")
    assert run(folder, *SMALL) == 0
    return folder


def rows_of(folder):
    return [json.loads(line) for line in (folder / "deals.jsonl").read_text().splitlines()]


def test_a_run_leaves_its_files(solved):
    names = {"config.json", "deals.jsonl", "results.json", "results.md", "timing.json"}
    assert {path.name for path in solved.iterdir()} == names
    config = json.loads((solved / "config.json").read_text())
    assert (config["deals"], config["seed"], config["rules"]) == (300, 5, "basic:2p")
    assert config["versions"]["numba"]
    timing = json.loads((solved / "timing.json").read_text())
    assert 0.001 < timing["solver_ms_a_deal"] < 100
    assert timing["positions_a_deal"] > 1


def test_rows_are_what_solver_and_agents_do(solved):
    states = batch.deal(Rules(), 300, 5)
    first = states["to_move"]
    rows = rows_of(solved)
    assert [row["deal"] for row in rows] == list(range(300))
    assert [row["first"] for row in rows] == first.tolist()
    assert [row["wins"][PERFECT] for row in rows] == Solver().wins(states).tolist()
    for spec in ("greedy", "random:unit=turn"):
        games = play_deals([make(spec), make(spec)], Rules(), 300, seed=5)
        winners = np.log2(games.winners[::2]).astype(int)
        assert [row["wins"][spec] for row in rows] == (winners == first).tolist()


def test_shares_are_those_of_the_rows(solved):
    results = json.loads((solved / "results.json").read_text())["first_player"]
    rows = rows_of(solved)
    for name, share in results.items():
        assert share["wins"] == sum(row["wins"][name] for row in rows)
        assert share["low"] < share["share"] == share["wins"] / 300 < share["high"]
    assert results[PERFECT] == first_player_share(300, seed=5)._asdict()
    assert list(results) == [PERFECT, "greedy", "random", "random:unit=turn"]
    text = (solved / "results.md").read_text()
    assert all(f"| {name} | {100 * share['share']:.1f} [" in text for name, share in results.items())


def test_finished_results_are_shown_again_and_others_refused(solved, capsys):
    before = {path.name: path.read_bytes() for path in solved.iterdir()}
    assert run(solved, *SMALL) == 0
    assert "wins % of the first to act" in capsys.readouterr().out
    assert {path.name: path.read_bytes() for path in solved.iterdir()} == before
    assert run(solved, "--deals", "200", "--seed", "5") == 2
    assert "found deals 200, expected 300" in capsys.readouterr().err


def test_a_refused_or_stopped_run_keeps_nothing(tmp_path, monkeypatch):
    folder = tmp_path / "out"
    assert run(folder, "--deals", "3", "--agents", "bot:no-such-program") == 2
    assert not folder.exists()

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(solve, "_judge", stop)
        assert run(folder, "--deals", "3", "--rules", "basic@3x4x2:2p") == 130
    assert not folder.exists()


def test_other_decks_and_the_default_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["--deals", "20", "--rules", "basic@4x4x3:2p", "--agents", "greedy"]) == 0
    assert len(list((tmp_path / "results" / "solve").iterdir())) == 1
    assert "greedy" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--rules", "advanced:2p"], "rules: found advanced:2p, expected 2-player basic without actions"),
        (["--rules", "basic:3p"], "rules: found basic:3p, expected 2-player basic"),
        (["--rules", "chess"], "variant: found 'chess'"),
        (["--deals", "0"], "--deals: found '0', expected a whole number from 1"),
        (["--seed", "x"], "--seed: found 'x'"),
        (["--agents", "oracle"], "oracle"),
        (["--agents", "nobody"], "agent: found 'nobody'"),
        (["--speed"], "unrecognized arguments: --speed"),
    ],
)
def test_bad_words_are_refused_in_one_line(words, expected, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert expected in printed.err
    assert printed.err.count("\n") == 1
    assert not any(tmp_path.iterdir())
