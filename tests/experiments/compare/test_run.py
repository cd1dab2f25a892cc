import json
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import pytest

from agents import registry
from agents.greedy import Greedy
from agents.options import SpecError
from experiments.compare import cli
from experiments.compare.cli import LEAGUE, LEARNED, main
from experiments.compare.config import checked_agents
from red7_env.game import Rules
from red7_env.game.verify import verify_lines
from tests.experiments.compare.league import RESULT_FILES, compare, files_of, lines_of

ROOT = Path(__file__).resolve().parents[3]
SMALL = "--agents random random:unit=turn --deals 30 --batch 10 --records 3"
LONG = "--agents random random:unit=turn --deals 1500 --batch 5 --records 2"
MATCH = "--agents random greedy random:unit=turn --rules advanced+revised:3p:match --deals 6 --batch 4 --records 6"
DUEL = "--agents greedy random:unit=turn --rules basic:4p --design duel --deals 40 --batch 20 --records 2"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    assert compare(folder, SMALL + " --workers 1") == 0
    return folder


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    folder = tmp_path_factory.mktemp("match")
    assert compare(folder, MATCH + " --workers 1") == 0
    return folder


@pytest.fixture(scope="module")
def duel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("duel")
    assert compare(folder, DUEL + " --workers 1") == 0
    return folder


def test_a_run_leaves_its_files_and_no_others(small):
    assert {path.name for path in small.iterdir()} == {*RESULT_FILES, "timing.json"}
    for name in ("cross_table.png", "ratings.png"):
        assert (small / name).read_bytes().startswith(b"\x89PNG")


def test_the_number_of_workers_does_not_matter(small, tmp_path):
    assert compare(tmp_path / "two", SMALL + " --workers 2") == 0
    assert files_of(tmp_path / "two") == files_of(small)


def test_the_order_of_the_agents_does_not_matter(small, tmp_path):
    other = SMALL.replace("random random:unit=turn", "random:unit=turn random:unit=move")
    assert compare(tmp_path / "other", other + " --workers 1") == 0
    assert files_of(tmp_path / "other") == files_of(small)


def test_who_else_plays_does_not_matter(small, tmp_path):
    more = SMALL.replace("--agents", "--agents greedy")
    assert compare(tmp_path / "more", more + " --workers 1") == 0
    found = [
        game | {"table": 0} for game in lines_of(tmp_path / "more", "games.jsonl") if "greedy" not in game["seats"]
    ]
    assert found == lines_of(small, "games.jsonl")


def test_another_seed_plays_other_games(small, tmp_path):
    assert compare(tmp_path / "seed", SMALL + " --seed 2 --workers 1") == 0
    assert files_of(tmp_path / "seed")["games.jsonl"] != files_of(small)["games.jsonl"]


def started(folder: Path, units: int, **pipes: int) -> subprocess.Popen[str]:
    """Start a long run with two workers, in a session of its own, and return when it has finished so many units."""
    command = [sys.executable, "-m", "experiments", "compare", *LONG.split(), "--workers", "2", "--out", str(folder)]
    process = subprocess.Popen(command, cwd=ROOT, text=True, start_new_session=True, **pipes)
    end = time.monotonic() + 120
    while len(list(folder.glob("units/0*.json"))) < units:
        assert process.poll() is None, "it ended too soon"
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.002)
    return process


def test_a_killed_run_goes_on_to_the_same_results(tmp_path):
    assert compare(tmp_path / "whole", LONG + " --workers 1") == 0
    broken = tmp_path / "broken"
    process = started(broken, 20, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (broken / "results.json").exists()
    done = len(list(broken.glob("units/*.json")))
    assert 20 <= done < 300
    assert compare(broken, LONG + " --workers 1 --resume") == 0
    assert files_of(broken) == files_of(tmp_path / "whole")


def test_workers_end_when_the_parent_is_killed(tmp_path):
    process = started(tmp_path / "orphans", 3, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    process.kill()
    # The workers hold the other end of this pipe: it closes when the last of them has ended.
    process.communicate(timeout=60)


def test_ctrl_c_stops_with_one_line_and_leaves_what_is_done(tmp_path):
    process = started(tmp_path / "stopped", 3, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert "--resume goes on with" in err.splitlines()[-1]


def test_a_deal_is_the_same_from_every_seat(small, match, duel):
    for folder in (small, match, duel):
        played = defaultdict(list)
        deals = defaultdict(set)
        for record in lines_of(folder, "records.jsonl"):
            played[record["table"], record["deal"]].append(record)
            deals[record["deal"]].add(record["rounds"][0]["position"])
        assert all(len(positions) == 1 for positions in deals.values())
        assert len({position for positions in deals.values() for position in positions}) == len(deals)
        for games in played.values():
            seats = [record["players"] for record in games]
            assert len(seats) == len(seats[0])
            assert all(sorted(column) == sorted(seats[0]) for column in zip(*seats, strict=True))


@pytest.mark.parametrize(("name", "games"), [("small", 6), ("match", 18), ("duel", 16)])
def test_records_verify(name, games, request):
    with (request.getfixturevalue(name) / "records.jsonl").open("rb") as lines:
        assert verify_lines(lines) == games


def test_games_agree_with_their_records(small, match, duel):
    for folder in (small, match, duel):
        games = {(game["table"], game["deal"], *game["seats"]): game for game in lines_of(folder, "games.jsonl")}
        for record in lines_of(folder, "records.jsonl"):
            rounds = record["rounds"]
            tokens = [turn.split(" ") for log in rounds for turn in log["turns"]]
            found = games[record["table"], record["deal"], *record["players"]]
            assert found["winners"] == record["winners"]
            assert found["scores"] == record["scores"]
            assert (found["rounds"], found["turns"], found["moves"]) == (
                len(rounds),
                len(tokens),
                sum(map(len, tokens)),
            )
            assert found["first"] == int(rounds[0]["position"].split(" ")[3])


def test_a_single_advanced_round_has_its_points(tmp_path):
    words = "--agents random greedy --rules advanced:2p --deals 5 --batch 5 --records 5 --workers 1"
    assert compare(tmp_path / "out", words) == 0
    scores = [game["scores"] for game in lines_of(tmp_path / "out", "games.jsonl")]
    assert scores == [record["scores"] for record in lines_of(tmp_path / "out", "records.jsonl")]
    assert any(map(sum, scores))
    assert "points a game" in (tmp_path / "out" / "results.md").read_text()


def test_a_sequential_run_stops_early_and_the_same_on_any_workers(tmp_path):
    words = "--agents greedy random --deals 2000 --batch 20 --until-separated"
    assert compare(tmp_path / "one", words + " --workers 1") == 0
    assert compare(tmp_path / "two", words + " --workers 2") == 0
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    games = lines_of(tmp_path / "one", "games.jsonl")
    assert 40 <= len(games) <= 400
    assert "told apart" in (tmp_path / "one" / "results.md").read_text()


def test_finished_results_are_shown_again(small, capsys):
    before = files_of(small)
    assert compare(small, SMALL + " --resume") == 0
    shown = capsys.readouterr()
    assert "were there already" in shown.err
    assert "Standings" in shown.out
    assert files_of(small) == before


def test_the_default_folder_is_that_of_the_configuration(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["--agents", "random", "greedy", "--deals", "4", "--workers", "1"]
    assert main(words) == 0
    first = capsys.readouterr().out
    assert main(words) == 0
    assert capsys.readouterr().out == first
    assert main([*words, "--seed", "9"]) == 0
    assert len(list((tmp_path / "results" / "compare").iterdir())) == 2


def test_the_command_in_the_results_plays_them_again(duel, tmp_path):
    text = (duel / "results.md").read_text()
    (command,) = [line.strip() for line in text.splitlines() if line.startswith("    python")]
    words = command.removeprefix("python -m experiments compare ")
    assert compare(tmp_path / "again", words + " --workers 1") == 0
    assert files_of(tmp_path / "again") == files_of(duel)


class Clumsy(Greedy):
    """Counts faults as an agent does that is another program."""

    def __init__(self):
        super().__init__()
        self.faults = {}

    def act(self, views, masks, rng):
        self.faults["crash"] = self.faults.get("crash", 0) + 1
        return super().act(views, masks, rng)


def test_faults_are_told(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(registry._ENTRIES, "clumsy", registry.Entry("clumsy", f"{__name__}:Clumsy", "errs"))
    words = "--agents clumsy random --deals 4 --batch 2 --workers 1"
    assert compare(tmp_path / "out", words) == 0
    shown = capsys.readouterr().out
    count = int(shown.split("faults: clumsy: ")[1].split()[0])
    decisions = json.loads((tmp_path / "out" / "timing.json").read_text())["agents"]["clumsy"]["decisions"]
    assert 2 < count <= decisions
    assert f"- faults: clumsy: {count}" in (tmp_path / "out" / "results.md").read_text()
    assert compare(tmp_path / "out", words + " --resume") == 0
    assert f"faults: clumsy: {count}" in capsys.readouterr().out


def test_the_default_league_names_known_agents():
    assert checked_agents(LEAGUE, cheating=False) == tuple(sorted(LEAGUE))


class Choosy(Greedy):
    """Has learned one game only, as a learned agent does."""

    def act(self, views, masks, rng):
        if views["players"][0] != 2:
            raise SpecError("model: found none")
        return super().act(views, masks, rng)


def test_a_learned_agent_is_in_the_default_league_if_it_knows_the_rules(monkeypatch, capsys):
    for name in LEARNED:
        monkeypatch.delitem(registry._ENTRIES, name, raising=False)
    monkeypatch.setitem(registry._ENTRIES, "dmc", registry.Entry("dmc", f"{__name__}:Choosy", "chooses"))
    assert cli._league(Rules()) == [*LEAGUE, "dmc"]
    assert capsys.readouterr().err == ""
    assert cli._league(Rules(players=3)) == [*LEAGUE]
    assert capsys.readouterr().err == "compare: without dmc: agents: greedy does not play basic:3p: model: found none\n"


def test_an_agent_that_does_not_know_the_rules_is_refused_in_one_line(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(registry._ENTRIES, "dmc", registry.Entry("dmc", f"{__name__}:Choosy", "chooses"))
    words = "--agents dmc random --rules basic:3p --design duel --deals 4"
    assert compare(tmp_path / "out", words) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error == "error: agents: greedy does not play basic:3p: model: found none"
