"""Several seeds side by side."""

import json
import shutil

import pytest

from experiments.train import cli
from experiments.train.folder import BEST, CONFIG, LAST, LOG, RESULT
from experiments.train.seeds import CURVE, SEEDS, draw, join
from tests.experiments.train.test_cli import SHORT


def log(folder, rates):
    folder.mkdir()
    rows = [{"iteration": 0, "seconds": 1, "moves": 5}]
    for number, rate in enumerate(rates, 1):
        told = {f"rate {name}": rate + more for name, more in (("random:unit=turn", 10), ("greedy", 0))}
        rows.append({"iteration": number, "seconds": 2 * number, "moves": 10 * number} | told)
    (folder / LOG).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def test_runs_are_joined_as_far_as_all_have_come(tmp_path):
    joined = join([log(tmp_path / "a", [40, 50, 60]), log(tmp_path / "b", [44, 58])])
    assert [row["rate greedy"] for row in joined] == [42, 54]
    assert [(row["least greedy"], row["most greedy"]) for row in joined] == [(40, 44), (50, 58)]
    assert [row["moves"] for row in joined] == [10, 20]
    assert joined[1]["rate random:unit=turn"] == 64
    pytest.importorskip("matplotlib")
    draw(joined, tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_seeds_make_a_run_each_and_are_resumed(tmp_path, capsys):
    path = tmp_path / "runs"
    assert cli.main(["ppo", *SHORT, "--tensorboard", "no", "--seeds", "2", "--seed", "5", "--out", str(path)]) == 0
    assert f"2 runs, their curve:\n{path / CURVE}\n" in capsys.readouterr().out
    assert json.loads((path / SEEDS).read_text())["seeds"] == [5, 6]
    models = [(path / f"seed-{seed}" / LAST).read_bytes() for seed in (5, 6)]
    assert models[0] != models[1]
    assert len(json.loads((path / CURVE).read_text())) == 1

    shutil.rmtree(path / "seed-6")
    (path / "seed-5" / RESULT).unlink()
    assert cli.main(["ppo", "--resume", str(path)]) == 0
    assert (path / "seed-6" / BEST).exists()
    assert (path / "seed-5" / RESULT).exists()
    assert cli.main(["ppo", *SHORT, "--seeds", "2", "--out", str(path)]) == 2
    assert "expected an empty folder, or --resume" in capsys.readouterr().err


def test_a_sweep_tries_all_settings_with_all_seeds(tmp_path, capsys):
    path = tmp_path / "runs"
    sweeps = ["--sweep", "epochs=1,2", "--sweep", "learning-rate=1e-3"]
    assert cli.main(["ppo", *SHORT, "--tensorboard", "no", *sweeps, "--seeds", "2", "--out", str(path)]) == 0
    folders = [path / f"epochs={epochs},learning-rate=1e-3" for epochs in (1, 2)]
    printed = capsys.readouterr().out.splitlines()
    assert printed == ["4 runs, their curves:", *(str(folder / CURVE) for folder in folders)]
    for folder, epochs in zip(folders, (1, 2), strict=True):
        assert len(json.loads((folder / CURVE).read_text())) == 1
        for seed in (1, 2):
            config = json.loads((folder / f"seed-{seed}" / CONFIG).read_text())["config"]
            assert (config["epochs"], config["seed"]) == (str(epochs), str(seed))

    shutil.rmtree(folders[1] / "seed-2")
    assert cli.main(["ppo", "--resume", str(path)]) == 0
    assert (folders[1] / "seed-2" / RESULT).exists()


@pytest.mark.parametrize(
    ("sweep", "message"),
    [
        ("speed=1,2", "sweep: found option 'speed', expected one of rules budget"),
        ("seed=1,2", "sweep: found option 'seed', expected one of"),
        ("epochs", "sweep: found 'epochs', expected values to try, each once"),
        ("epochs=1,1", "sweep: found 'epochs=1,1', expected values to try, each once"),
        ("epochs=1,none", "epochs: found 'none'"),
    ],
)
def test_sweeps_are_checked_before_anything_begins(sweep, message, tmp_path, capsys):
    path = tmp_path / "runs"
    assert cli.main(["ppo", *SHORT, "--sweep", sweep, "--out", str(path)]) == 2
    assert message in capsys.readouterr().err
    assert not path.exists()


def test_a_run_that_fails_is_named(tmp_path, capsys):
    words = [*SHORT, "--seeds", "2", "--start", "/no/where", "--out", str(tmp_path / "runs")]
    assert cli.main(["ppo", *words]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("error: seed-")
    assert "/no/where" in printed
