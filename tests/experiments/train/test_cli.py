"""What the command line of training takes, writes and refuses."""

import json

import pytest

from agents.learned.weights import load_model
from experiments import __main__ as commands
from experiments.train.config import command
from experiments.train.folder import BEST, CHECKPOINT, CONFIG, LAST, RESULT
from experiments.train.options import config_of, texts_of
from experiments.train.ppo_config import PRESETS, PpoConfig
from tests.experiments.train.cases import TINY, tiny

SHORT = ["--rules", "basic@3x4x2:2p", "--moves", "600", "--games", "16", "--steps", "8", "--hidden", "8"]
SHORT += ["--evaluations", "1", "--eval-deals", "4"]


def run(*words):
    return commands.main(["train", *map(str, words)])


def test_a_run_writes_what_it_says(tmp_path, capsys):
    path = tmp_path / "run"
    assert run("ppo", *SHORT, "--out", path) == 0
    printed = capsys.readouterr()
    assert str(path / BEST) in printed.out
    written = json.loads((path / CONFIG).read_text())
    assert written["config"]["games"] == "16"
    assert written["command"].startswith("python -m experiments train ppo --rules basic@3x4x2:2p")
    assert {"versions", "commit"} <= written.keys()
    result = json.loads((path / RESULT).read_text())
    assert result["done"] == 1
    assert {strength["opponent"] for strength in result["strengths"]} == {"random:unit=turn", "greedy"}
    for name in (BEST, LAST):
        assert load_model(path / name, "ppo").info.hidden == (8,)
    assert list((path / "tensorboard").iterdir())
    assert run("ppo", *SHORT, "--out", path) == 2
    assert "expected an empty folder, or --resume" in capsys.readouterr().err


def test_a_time_is_kept(tmp_path, capsys):
    assert run("ppo", *SHORT[:2], *SHORT[4:], "--budget", "2s", "--out", tmp_path / "run") == 0
    assert 2 <= json.loads((tmp_path / "run" / RESULT).read_text())["seconds"] < 30
    capsys.readouterr()


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_exist(preset):
    config_of(PpoConfig, PRESETS[preset]).check()


def test_a_configuration_comes_back_from_its_texts_and_its_command():
    config = tiny(budget=None, learning_rate=0.000123, tensorboard=False)
    assert config_of(PpoConfig, texts_of(config)) == config
    typed = command("ppo", config).split()[5:]
    names = [word.removeprefix("--").replace("-", "_") for word in typed[::2]]
    assert config_of(PpoConfig, dict(zip(names, typed[1::2], strict=True))) == config
    assert set(TINY) <= set(names)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "method: found none, expected one of ppo"),
        (["pp\no"], r"method: found 'pp\no', expected one of ppo"),
        (["ppo", "--rules", "poker"], "variant: found 'poker', expected basic or advanced"),
        (["ppo", "--budget", "soon"], "budget: found 'soon', expected a time such as 90s, 2m or 1h from 1 to 1e+07"),
        (["ppo", "--budget", "0"], "budget: found '0', expected a time"),
        (["ppo", "--budget", "nan"], "budget: found 'nan', expected a time"),
        (["ppo", "--games", "0"], "games: found '0', expected a whole number from 1 to 1e+06"),
        (["ppo", "--games", "1.5"], "games: found '1.5', expected a whole number"),
        (["ppo", "--hidden", "8,"], "hidden: found '8,', expected widths such as 256,256"),
        (["ppo", "--critic", "me"], "critic: found 'me', expected own or oracle"),
        (["ppo", "--tensorboard", "maybe"], "tensorboard: found 'maybe', expected yes or no"),
        (["ppo", "--preset", "none"], "--preset: invalid choice: 'none'"),
        (["ppo", "--epoch", "3"], "unrecognized arguments: --epoch 3"),
        (["ppo", "--moves", "5", "--budget", "2m"], "moves: found 5 with a budget of 120 s, expected one of the two"),
        (["ppo", "--reward", "points"], "reward: found 'points' with basic, expected 'win'"),
        (["ppo", "--greedy", "0.9"], "greedy: found 0.9 and snapshots 0.15, expected at most 1 together"),
        (["ppo", "--example", "nobody"], "agent: found 'nobody', expected one of"),
        (["ppo", "--example", "oracle"], "example: found 'oracle', expected an agent that plays by itself"),
        (["ppo", "--example", "human"], "example: found 'human', expected an agent that plays by itself"),
        (["ppo", "--learner", "sb3", "--magnet", "1"], "learner: found sb3 with an oracle critic or a magnet"),
        (["ppo", "--resume", "/no/where"], "resume: found no run in '/no/where', expected the folder of one"),
        (["ppo", "--resume", "/no/where", "--seed", "2"], "resume: found seed too, expected nothing else"),
        (["ppo", "--moves", "5", "--out", "/proc/no"], "out: found '/proc/no' (No such file or directory), expected"),
    ],
)
def test_refusals_are_one_line(words, message, capsys):
    assert run(*words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"error: {message}")
    assert printed.err.count("\n") == 1


def test_help_lists_every_option(capsys):
    assert run("--help") == 0
    assert "ppo" in capsys.readouterr().out
    with pytest.raises(SystemExit) as end:
        run("ppo", "--help")
    assert end.value.code == 0
    printed = capsys.readouterr().out
    assert all(f"--{name.replace('_', '-')}" in printed for name in PpoConfig.__dataclass_fields__)


def test_a_damaged_checkpoint_is_refused(tmp_path, capsys):
    path = tmp_path / "run"
    assert run("ppo", *SHORT, "--out", path) == 0
    (path / RESULT).unlink()
    (path / CHECKPOINT).write_bytes((path / CHECKPOINT).read_bytes()[:-20])
    capsys.readouterr()
    assert run("ppo", "--resume", path) == 2
    printed = capsys.readouterr().err.splitlines()
    assert printed[-1].startswith("error: resume: found ")
