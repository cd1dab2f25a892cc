"""A run that was stopped, killed or split goes on as if nothing had happened."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from agents.learned.weights import load_tensors
from experiments.train import cli
from experiments.train.folder import CHECKPOINT, LAST, LOG, RESULT
from experiments.train.ppo import learner
from experiments.train.run import Interrupted
from tests.experiments.train.cases import TINY, tiny, trained

ROOT = Path(__file__).resolve().parents[3]


class StopError(Exception):
    """Stands for a sudden end."""


def stopped(config, path, after):
    """Train, and end abruptly in an iteration."""
    made = learner(config)
    advance, left = made.advance, [after]

    def once_more(done):
        if not left[0]:
            raise StopError
        left[0] -= 1
        return advance(done)

    made.advance = once_more
    with pytest.raises(StopError):
        trained(made, config, path)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"rules": "advanced+revised@4x5x3:3p:match", "critic": "oracle", "magnet": 0.1, "greedy": 0.2},
        {"learner": "sb3"},
    ],
    ids=["own", "all options", "sb3"],
)
def test_a_resumed_run_equals_an_uninterrupted_one(more, tmp_path):
    config = tiny(save_every=0.0, **more)
    trained(learner(config), config, tmp_path / "whole")
    for after in (3, 1, 2):
        stopped(config, tmp_path / "parts", after)
    trained(learner(config), config, tmp_path / "parts")
    whole, parts = (load_tensors(tmp_path / name / LAST) for name in ("whole", "parts"))
    assert whole[0].keys() == parts[0].keys()
    assert all(np.array_equal(array, parts[0][name]) for name, array in whole[0].items())
    ends = [load_tensors(tmp_path / name / CHECKPOINT)[0] for name in ("whole", "parts")]
    assert all(np.array_equal(array, ends[1][name]) for name, array in ends[0].items())
    logs = [
        [json.loads(line) for line in (tmp_path / name / LOG).read_text().splitlines()] for name in ("whole", "parts")
    ]
    timed = ("seconds", "moves/s", "time")
    kept = [[{k: v for k, v in row.items() if not k.startswith(timed)} for row in rows] for rows in logs]
    assert kept[0] == kept[1]


def words(path):
    config = {**TINY, "save_every": 0, "moves": 30_000}
    options = [f"--{name.replace('_', '-')}={_text(value)}" for name, value in config.items()]
    return [sys.executable, "-m", "experiments", "train", "ppo", *options, "--out", str(path)]


def _text(value):
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def wait_for(path, process):
    deadline = time.monotonic() + 120
    while not path.exists():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.skipif(os.name != "posix", reason="there is no such signal")
def test_a_run_that_was_killed_is_resumed(tmp_path, capsys):
    path = tmp_path / "run"
    with subprocess.Popen(words(path), cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        wait_for(path / CHECKPOINT, process)
        process.send_signal(signal.SIGKILL)
    assert not (path / RESULT).exists()
    assert cli.main(["ppo", "--resume", str(path)]) == 0
    assert (path / RESULT).exists()
    rows = [json.loads(line)["iteration"] for line in (path / LOG).read_text().splitlines()]
    assert rows == list(range(1, len(rows) + 1))
    assert "greedy" in capsys.readouterr().out
    assert cli.main(["ppo", "--resume", str(path)]) == 0
    assert "this run is complete" in capsys.readouterr().err


def test_ctrl_c_stops_after_a_checkpoint(tmp_path):
    config = tiny(save_every=1e6)
    made, before = learner(config), signal.getsignal(signal.SIGINT)
    advance = made.advance

    def interrupted(done):
        if made.iteration == 2:
            signal.raise_signal(signal.SIGINT)
        return advance(done)

    made.advance = interrupted
    with pytest.raises(Interrupted):
        trained(made, config, tmp_path)
    assert json.loads(load_tensors(tmp_path / CHECKPOINT)[1]["values"])["standing"]["iterations"] == 3
    assert signal.getsignal(signal.SIGINT) is before
