"""Learned best responses: what a run writes, that it shows a weakness, and that a stopped run goes on as it was."""

import json

import numpy as np
import pytest

from agents import make
from agents.learned.weights import load_tensors
from agents.table import play_deals
from experiments import __main__ as commands
from experiments.best_response import cli, measure
from experiments.best_response.measure import DEALS_SEED, FRESH_SEED, MEASURED, Response
from experiments.best_response.report import CURVE, PICTURE, RESPONSE, TABLE, markdown
from experiments.train import dmc
from experiments.train.dmc_config import PRESETS
from experiments.train.evaluation import Strength
from experiments.train.folder import BEST, LAST, RESULT
from experiments.train.options import TrainError, config_of
from red7_env.game import Rules

RULES = "basic@4x4x3:2p"
TINY = ["--rules", RULES, "--preset", "tiny", "--tensorboard", "no", "--eval-deals", "30", "--deals", "300"]
SHORT = [*TINY, "--against", "random", "--moves", "3000", "--rows", "1000", "--games", "64", "--save-every", "0"]


def run(*words):
    return commands.main(["best-response", *map(str, words)])


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the folder of a run that nothing disturbed."""
    path = tmp_path_factory.mktemp("best") / "whole"
    assert run(*SHORT, "--out", path) == 0
    return path


def results(path):
    """Return what a run found, but for the time it took."""
    found = json.loads((path / RESPONSE).read_text())
    for timed in (found, *found["curve"]):
        del timed["seconds"]
    return found


def test_a_run_writes_what_it_found(whole):
    found = results(whole)
    assert (found["against"], found["rules"], found["wins"]["deals"], found["fair"]) == ("random", RULES, 300, 50)
    assert found["wins"]["low"] <= found["wins"]["rate"] <= found["wins"]["high"]
    assert found["nash_conv"][0] == pytest.approx(4 * found["wins"]["rate"] / 100 - 2)
    assert found["moves"] >= 3000
    assert len(found["curve"]) >= 3
    assert found["curve"][-1]["moves"] == found["moves"]
    lines = (whole / CURVE).read_text().splitlines()
    assert lines[0] == "seconds,moves,rate,low,high"
    assert len(lines) == 1 + len(found["curve"])
    assert (whole / PICTURE).read_bytes().startswith(b"\x89PNG")
    assert f"    {found['command']}\n" in (whole / TABLE).read_text()


def test_the_responder_is_an_agent_and_was_measured_on_deals_of_no_other_use(whole):
    agent, rules = make(f"dmc:model={whole / BEST}"), Rules.parse(RULES)
    agent.spec = "responder"
    games = play_deals([agent, make("random")], rules, 300, seed=FRESH_SEED)
    shares = games.shares[:, 0].reshape(300, 2).mean(axis=1)
    assert json.loads((whole / MEASURED).read_text()) == shares.tolist()
    assert results(whole)["wins"]["rate"] == pytest.approx(100 * shares.mean())
    assert len({FRESH_SEED, DEALS_SEED, 1}) == 3


def test_the_command_makes_the_same_run(whole, tmp_path):
    command = results(whole)["command"]
    assert command.startswith("python -m experiments best-response --rules ")
    assert run(*command.split()[4:], "--out", tmp_path / "again") == 0
    same(whole, tmp_path / "again")


def same(one, other):
    assert results(one) == results(other)
    for name in (BEST, LAST):
        first, second = load_tensors(one / name)[0], load_tensors(other / name)[0]
        assert first.keys() == second.keys()
        assert all(np.array_equal(array, second[key]) for key, array in first.items())


class EndError(Exception):
    """Stands for a sudden end."""


def test_a_run_that_ends_suddenly_goes_on_as_if_nothing_had_happened(whole, tmp_path, monkeypatch):
    path = tmp_path / "parts"
    with monkeypatch.context() as patched:
        patched.setattr(dmc.DmcLearner, "advance", ending_after(3, dmc.DmcLearner.advance))
        with pytest.raises(EndError):
            run(*SHORT, "--out", path)
    with monkeypatch.context() as patched:  # the next end comes in the measurement, after its first chunk
        patched.setattr(measure, "wins", ending_after(1, measure.wins))
        with pytest.raises(EndError):
            run("--resume", path)
    assert (path / RESULT).is_file()
    assert len(json.loads((path / MEASURED).read_text())) == 256
    assert not (path / RESPONSE).exists()
    assert run("--resume", path) == 0
    same(whole, path)


def ending_after(calls, function):
    """Return a function that can be called so many times."""
    left = [calls]

    def called(*given, **named):
        if not left[0]:
            raise EndError
        left[0] -= 1
        return function(*given, **named)

    return called


def raising(error):
    def fail(*given):  # noqa: ARG001 - whatever it is called with
        raise error

    return fail


def test_ctrl_c_says_how_to_go_on(whole, monkeypatch, capsys):
    with monkeypatch.context() as patched:
        patched.setattr(measure, "strength_of", raising(KeyboardInterrupt))
        assert run("--resume", whole) == 130
    assert capsys.readouterr().err == "best-response: stopped; --resume goes on\n"
    before = (whole / RESPONSE).read_bytes()
    assert run("--resume", whole) == 0  # nothing is left to do; it is shown again
    assert (whole / RESPONSE).read_bytes() == before
    assert "At least" in capsys.readouterr().out


def test_it_finds_what_random_play_gives_away(tmp_path, capsys):
    words = ["--against", "random", "--moves", "40000", "--games", "256", "--evaluations", "2"]
    assert run(*TINY, *words, "--out", tmp_path / "run") == 0
    found = results(tmp_path / "run")
    assert found["wins"]["low"] > 60
    assert found["nash_conv"][1] > 0.4
    assert "No weakness" not in capsys.readouterr().out


@pytest.mark.parametrize("rules", ["basic@4x4x3:3p", "advanced+revised@4x5x3:2p:match"])
def test_it_works_by_other_rules(rules, tmp_path):
    words = ["--against", "greedy", "--rules", rules, "--moves", "600", "--rows", "200", "--games", "16"]
    assert run(*TINY, *words, "--evaluations", "1", "--eval-deals", "4", "--deals", "6", "--out", tmp_path / "run") == 0
    found = results(tmp_path / "run")
    assert found["fair"] == 100 / Rules.parse(rules).players
    assert (found["nash_conv"] is None) == (Rules.parse(rules).players > 2)


def test_only_the_learner_learns():
    made = dmc.DmcLearner(cli._config("tiny", asked(against="greedy", rules=RULES, games="33")))
    steps = []
    step = made._step

    def noted(states, games, epsilon, rng):
        found = step(states, games, epsilon, rng)
        steps.append(found)
        return found

    made._step = noted
    for first in (0, 33):
        made._self_play(0.1, np.random.default_rng(1))
        seats = np.concatenate([found.seats for found in steps])
        games = np.concatenate([found.games for found in steps])
        assert (seats == (first + games) % 2).all()
        assert len(set(games.tolist())) > 16  # a game may end before the learner's turn comes
        steps.clear()


def test_a_share_of_the_games_can_be_self_play():
    words = asked(against="greedy", rules=RULES, games="4000", against_share="0.25")
    made = dmc.DmcLearner(config_of(dmc.DmcConfig, PRESETS["tiny"], words))
    learning = made._learning(4000, np.random.default_rng(1))
    assert 0.7 < (learning == -1).mean() < 0.8
    assert (learning[learning >= 0] == np.flatnonzero(learning >= 0) % 2).all()
    with pytest.raises(TrainError, match=r"against-share: found 0\.25 without against, expected an agent there"):
        config_of(dmc.DmcConfig, {"against_share": "0.25"}).check()


def asked(**words):
    return dict.fromkeys(cli.DmcConfig.__dataclass_fields__) | words


def test_it_begins_with_what_the_project_ships_where_it_can():
    full = cli._config("standard", asked(against="greedy"))
    assert (full.start, full.fitted) == ("shipped", 0)
    assert full.hidden == dmc._start("shipped", dmc.DmcLearner(full).info).info.hidden
    assert cli._config("standard", asked(against="greedy", start="chance")).start == "chance"
    small = cli._config("standard", asked(against="greedy", rules=RULES))
    assert (small.start, small.fitted) == ("chance", 0.3)


def test_a_fair_share_shows_no_weakness():
    even = Response("greedy", "basic:3p", "command", Strength("greedy", 35, 32, 38, 100), 100 / 3, 60.0, 1000, ())
    text = markdown(even)
    assert "No weakness is shown" in text
    assert "NashConv" not in text
    assert "where a copy of the agent wins 33.3 %" in text


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        ("", "against: found none, expected the agent to respond to"),
        ("--against nobody", "agent: found 'nobody', expected one of"),
        ("--against human", "agents: found 'human', expected agents that play without a person"),
        ("--against oracle", "agents: found 'oracle', which sees all hands"),
        ("--against ppo --rules basic:3p", "agents: ppo does not play basic:3p: model: found no shipped ppo"),
        ("--against pimc:ms=5 --moves 100", "against: found 'pimc:ms=5' with moves, expected one that a seed repeats"),
        (f"--against greedy --seed {FRESH_SEED}", f"seed: found {FRESH_SEED}, expected another one"),
        ("--against greedy --against-share 0.5", "against-share: found 0.5, expected 1"),
        ("--against greedy --start /no/where", "model: found '/no/where' (No such file or directory)"),
        ("--against greedy --deals 0", "--deals: found '0', expected a whole number from 1"),
        ("--against greedy --budget soon", "budget: found 'soon', expected a time"),
        ("--resume /no/where", "resume: found no run in '/no/where', expected the folder of one"),
        ("--resume /no/where --seed 2", "resume: found seed too, expected nothing else"),
    ],
)
def test_bad_input_is_refused_in_one_line(words, refusal, capsys):
    assert run(*words.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"error: {refusal}")
    assert printed.err.count("\n") == 1
