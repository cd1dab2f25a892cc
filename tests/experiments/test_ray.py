"""Work on a Ray cluster: the results of local workers, whatever happens to the cluster's."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from importlib import util
from pathlib import Path

import numpy as np
import pytest

from agents import make
from agents.learned.weights import load_model
from agents.table import play_deals
from experiments import cluster
from experiments.cluster import LOCAL, MOST_LOSSES, Cluster, ClusterError, difference, joined
from experiments.compare import ray_pool
from experiments.compare.pool import Failure, WorkerError
from experiments.compare.ray_pool import Player, RayPool, identity
from experiments.compare.units import units_of
from experiments.tied import CUT
from experiments.train import ray_runs
from experiments.train.cli import main as train
from experiments.train.folder import BEST, CHECKPOINT, LAST, RESULT
from experiments.train.ray_runs import Trainer
from experiments.train.seeds import CURVE
from red7_env.game import Rules
from tests.experiments.compare.league import compare, config_of, files_of
from tests.experiments.train.test_cli import SHORT

ray = pytest.importorskip("ray")

WORDS = "--agents random random:unit=turn --deals 60 --batch 2 --records 4"
CONFIG = replace(config_of(["random", "random:unit=turn"], deals=60, records=4), batch=2)
"""The same."""
UNITS = units_of(CONFIG)
NOTES = "RED7_TEST_NOTES"
"""Environment variable: a folder for what the players of these tests have to tell."""


@pytest.fixture(scope="module")
def notes(tmp_path_factory):
    return tmp_path_factory.mktemp("notes")


@pytest.fixture(scope="module")
def local(notes):
    """A Ray of two CPUs that all tests of this module share: starting one takes longer than they do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(NOTES, str(notes))
        patch.setenv("RAY_health_check_period_ms", "500")  # or a lost node would be missed only after a while
        patch.setenv("RAY_health_check_timeout_ms", "500")
        with joined(LOCAL, 2, {}, 2) as found:
            (notes / "first").write_text(ray.get_runtime_context().get_node_id())
            yield found


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a comparison that was played in this process."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    assert compare(folder, WORDS + " --workers 1") == 0
    return folder


def note(name):
    """Leave a note; return whether it is the first of that name."""
    try:
        (Path(os.environ[NOTES]) / name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


class Mortal(Player):
    """Dies once, in the middle of its work."""

    def play(self, unit, config):
        if unit.number == 7 and note("died"):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().play(unit, config)


class Doomed(Player):
    """Dies of a certain unit, whoever is given it."""

    def play(self, unit, config):
        if unit.number == 3:
            note(f"doomed-{os.getpid()}")
            os.kill(os.getpid(), signal.SIGKILL)
        return super().play(unit, config)


class Slow(Player):
    """Notes what it plays where, and waits until two nodes are at work; away from the first it takes very long."""

    def play(self, unit, config):
        node = ray.get_runtime_context().get_node_id()
        note(f"node-{node}-{unit.number}")
        wait_for(lambda: len(nodes_at_work(Path(os.environ[NOTES]))) > 1)
        if node != (Path(os.environ[NOTES]) / "first").read_text():
            time.sleep(60)
        return super().play(unit, config)


class Wrong(Player):
    """Has other sources."""

    def ready(self, config, expected, *, compiles):
        return super().ready(config, {**expected, "sources": "0"}, compiles=compiles)


class Broken(Player):
    """Raises."""

    def ready(self, config, expected, *, compiles):  # noqa: ARG002 - as a player is called
        raise OSError("no disk")


class Clumsy(Player):
    """Has agents that fail."""

    def play(self, unit, config):  # noqa: ARG002 - as a player is called
        return Failure("table 0: it fell", "Traceback ...\n")


def test_a_worker_is_killed_and_the_results_are_those_of_local_workers(local, whole, tmp_path, monkeypatch, notes):  # noqa: ARG001 - it is joined
    monkeypatch.setattr(ray_pool, "Player", Mortal)
    assert compare(tmp_path / "out", WORDS + " --ray local --workers 2") == 0
    assert (notes / "died").exists()
    assert files_of(tmp_path / "out") == files_of(whole)


def test_a_comparison_goes_on_where_it_was_stopped(local, whole, monkeypatch, tmp_path, capsys):  # noqa: ARG001 - it is joined
    broken = tmp_path / "out"
    monkeypatch.setattr(ray_pool, "Player", Doomed)
    assert compare(broken, WORDS + " --ray local --workers 1") == 1
    assert f"worker: found {MOST_LOSSES} lost in deals from 6, expected none" in capsys.readouterr().err
    assert len(list((broken / "units").iterdir())) == 3
    monkeypatch.setattr(ray_pool, "Player", Player)
    assert compare(broken, WORDS + " --ray local --workers 1 --resume") == 0
    assert files_of(broken) == files_of(whole)


def test_nodes_may_join_and_be_lost(local, whole, monkeypatch, notes):
    monkeypatch.setattr(ray_pool, "Player", Slow)
    monkeypatch.setattr(ray_pool, "_LOOK", 0.2)
    found, node = {}, started_node()
    try:
        wait_for(lambda: local.cpus() == 3)
        pool = RayPool(Cluster(None, ships=False))
        for unit, result in pool.played(UNITS, CONFIG, 1):
            found[unit.number] = result.games
            if node.poll() is None:  # the first result comes when two nodes are at work
                os.killpg(node.pid, signal.SIGKILL)
                node.wait()
    finally:
        if node.poll() is None:
            os.killpg(node.pid, signal.SIGKILL)
    games = [line for number in sorted(found) for line in found[number]]
    assert games == (whole / "games.jsonl").read_text().splitlines()
    assert len(nodes_at_work(notes)) == 2
    assert len(list(notes.glob("node-*"))) > len(UNITS), "no unit was lost with the node"


def nodes_at_work(notes):
    return {path.name.split("-")[1] for path in notes.glob("node-*")}


def started_node():
    """Start another node of one CPU, in a session of its own."""
    address = ray.get_runtime_context().gcs_address
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", f"--address={address}", "--num-cpus=1", "--block"]
    store = f"--object-store-memory={100 * 2**20}"
    return subprocess.Popen(
        [*command, store], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def wait_for(holds):
    end = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("player", "kind", "message"),
    [
        (Wrong, ClusterError, r"ray: found sources [0-9a-f]{16} on .*, expected 0 as here"),
        (Broken, ClusterError, r"ray: found a worker that fails \(OSError: no disk\)"),
        (Clumsy, WorkerError, "table 0: it fell"),
    ],
    ids=["wrong", "broken", "clumsy"],
)
def test_a_worker_that_is_not_fit_ends_the_run(player, kind, message, local, monkeypatch):
    monkeypatch.setattr(ray_pool, "Player", player)
    with pytest.raises(kind, match=message):
        list(RayPool(local).played(UNITS, CONFIG, 1))


SENT = """
import sys
from pathlib import Path

from experiments import cluster
from experiments.compare.config import sources_hash


class Sent:
    def sources(self, root):
        sys.path[:] = [path for path in sys.path if path != root]  # as on a node that has no checkout there
        import experiments
        from experiments.compare.config import sources_hash

        return str(Path(experiments.__file__).parents[1]), sources_hash()


with cluster.joined(sys.argv[1], None, {"OMP_NUM_THREADS": "1"}, 1) as found:
    import ray

    root = str(Path.cwd())
    place, sources = ray.get(cluster.actor(Sent).sources.remote(root))
    print(found.workers, found.ships, place != root, sources == sources_hash())
"""


def test_the_code_goes_along_to_the_nodes_of_a_cluster(local):
    address = ray.get_runtime_context().gcs_address
    command = [sys.executable, "-c", SENT, address]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.splitlines()[-1] == f"{local.cpus()} True True True"


def test_what_differs_is_named(tmp_path):
    model = tmp_path / "model.safetensors"
    model.write_bytes(b"1")
    config = replace(CONFIG, agents=(f"ppo:{model}", "random"))
    here = identity(config)
    assert here.keys() >= {"sources", "version of numpy", "version of numba", f"file {model}"}
    assert "version of red7-env" not in here
    assert difference(here, here) is None
    assert "found version of numpy 1.0" in difference({**here, "version of numpy": "1.0"}, here)
    model.write_bytes(b"2")
    assert f"found file {model}" in difference(identity(config), here)
    model.unlink()
    assert f"found file {model} missing" in difference(identity(config), here)
    assert difference({name: value for name, value in here.items() if name != "version of numpy"}, here) is None


@pytest.mark.parametrize("address", ["somewhere", "http://host:1", "host:", ":1", "a:b", "host:999999x", ""])
def test_an_address_has_to_be_one(address):
    with pytest.raises(ClusterError, match=r"ray: found .*, expected local, auto, host:port or ray://host:port"):
        cluster._check(address)


def test_an_address_where_nobody_listens_is_refused_at_once(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}"):
        assert compare(tmp_path / "out", f"{WORDS} --ray {address}") == 2
        assert f"error: ray: found no cluster at '{address}' (Connection refused)" in capsys.readouterr().err
        assert not (tmp_path / "out").exists()


def test_without_ray_a_line_says_what_to_install(tmp_path, capsys, monkeypatch):
    find = util.find_spec
    monkeypatch.setattr(cluster, "find_spec", lambda name: None if name == "ray" else find(name))
    assert compare(tmp_path / "out", WORDS + " --ray local") == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "error: packages: found no ray, expected pip install -e '.[ray]'"
    )


def test_ray_is_loaded_when_it_is_asked_for():
    code = "import sys, experiments.compare.cli, experiments.train.cli; print('ray' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_rllib_learns_with_masks_and_its_model_plays(local, tmp_path, capsys):  # noqa: ARG001 - it is joined
    pytest.importorskip("torch")
    from experiments.rllib.cli import main

    words = "--rules basic@3x4x3:2p --opponent random --iterations 3 --steps 512 --runners 1"
    assert main([*words.split(), "--out", str(tmp_path / "out")]) == 0
    *iterations, _, _, last = capsys.readouterr().out.splitlines()
    assert len(iterations) == 3
    rows = json.loads((tmp_path / "out" / "log.json").read_text())
    assert all(row["games"] > 20 and abs(row["reward"]) < 1 for row in rows)
    spec = last.removeprefix("it plays as ")
    games = play_deals([make(spec), make("random")], Rules.parse("basic@3x4x3:2p"), 5)
    assert len(games.winners) == 10


def test_rllib_is_refused_in_one_line(capsys):
    from experiments.rllib.cli import main

    assert main(["--opponent", "clever"]) == 2
    assert capsys.readouterr().err.startswith("error: agent: found 'clever'")
    assert main(["--ray", "nowhere"]) == 2
    assert capsys.readouterr().err.startswith("error: ray: found 'nowhere'")


def test_moves_that_are_not_offered_have_no_chance():
    pytest.importorskip("torch")
    import torch

    from experiments.rllib.learn import Settings, config_of
    from experiments.rllib.masked import MASK, MaskedRed7

    settings = Settings(rules=Rules.parse("basic@3x4x3:2p"), opponent="random", hidden=(8,), runners=0)
    env = MaskedRed7({"rules": str(settings.rules), "opponent": settings.opponent})
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    module = config_of(settings).rl_module_spec
    module.observation_space, module.action_space = env.observation_space, env.action_space
    batch = {"obs": {name: torch.from_numpy(array[None].copy()) for name, array in seen.items()}}
    built = module.build()
    chances = torch.softmax(built.forward_exploration(batch)["action_dist_inputs"][0], dim=0)
    assert (chances[seen[MASK] == 0] == 0).all()
    assert (chances[seen[MASK] == 1] > 0).all()
    assert built.compute_values(batch).shape == (1,)


class Interrupted(Trainer):
    """Dies once, when it has something to tell that a run can go on from."""

    def news(self, known):
        found = super().news(known)
        if (CHECKPOINT in known or found.status is not None) and note("trainer-died"):
            os.kill(os.getpid(), signal.SIGKILL)
        return found


def test_a_run_on_a_cluster_learns_as_here_though_its_worker_dies(local, tmp_path, monkeypatch, notes):  # noqa: ARG001 - it is joined
    pytest.importorskip("torch")
    short = [*SHORT, "--tensorboard", "no", "--moves", "3000", "--save-every", "0"]
    monkeypatch.setattr(ray_runs, "Trainer", Interrupted)
    there, here = tmp_path / "there", tmp_path / "here"
    assert train(["ppo", *short, "--seed", "5", "--ray", "local", "--out", str(there)]) == 0
    assert (notes / "trainer-died").exists()
    assert train(["ppo", *short, "--seed", "5", "--out", str(here)]) == 0
    for name in (BEST, LAST):
        found, expected = (load_model(path / name, "ppo").weights for path in (there / "seed-5", here))
        assert found.keys() == expected.keys()
        assert all(np.array_equal(found[key], expected[key]) for key in found)
    assert (there / CURVE).exists()
    assert train(["ppo", "--resume", str(there), "--ray", "local"]) == 0
    assert train(["ppo", "--resume", str(here), "--ray", "local"]) == 2


def test_files_are_read_and_written_so_that_what_is_complete_comes_last(tmp_path):
    (tmp_path / "a" / "tensorboard").mkdir(parents=True)
    for name in ("best.safetensors", "tensorboard/events", "config.json", CHECKPOINT, RESULT, ".log.part"):
        (tmp_path / "a" / name).write_text(name)
    files, stamps = ray_runs.read_files(tmp_path / "a", {})
    assert list(files)[:2] == [RESULT, CHECKPOINT]
    assert set(files) == {"best.safetensors", "tensorboard/events", "config.json", CHECKPOINT, RESULT}
    ray_runs.write_files(tmp_path / "b", files)
    assert ray_runs.read_files(tmp_path / "b", {})[0] == files
    (tmp_path / "a" / CHECKPOINT).write_text("later")
    assert ray_runs.read_files(tmp_path / "a", stamps)[0] == {CHECKPOINT: b"later"}


def test_a_command_that_is_tied_ends_with_its_starter(tmp_path):
    words = [*SHORT, "--moves", "100000000", "--out", str(tmp_path / "out")]
    command = [sys.executable, "-m", "experiments.tied", "train", "ppo", *words]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert b"learns" in process.stderr.readline()
    process.stdin.close()
    assert process.wait(timeout=120) == CUT
    process.stderr.close()
