"""Folders whose files were damaged since they were written."""

import json
import shutil

import pytest

from experiments import solve
from experiments.compare.cli import main
from experiments.compare.folder import RunFolder

RUN = ["--agents", "random", "greedy", "--deals", "4", "--batch", "2", "--workers", "1"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished")
    assert main([*RUN, "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """Return the folder of a run that was stopped after its first unit."""
    folder = tmp_path_factory.mktemp("begun")
    save = RunFolder.save

    def stop(self, number, result):
        save(self, number, result)
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RunFolder, "save", stop)
        assert main([*RUN, "--out", str(folder)]) == 130
    return folder


def refused(folder, capsys, command=main, words=(*RUN, "--resume")):
    """Return the line with which a folder is refused."""
    capsys.readouterr()
    assert command([*words, "--out", str(folder)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    line = shown.err.splitlines()[-1]
    assert "Traceback" not in shown.err
    assert line.startswith("error: ")
    return line


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",  # noqa: ARG005 - nothing is left
        lambda text: text[:100],
        lambda text: "\0" * len(text),
        lambda text: "[]",  # noqa: ARG005 - nothing is left
        lambda text: json.dumps(json.loads(text) | {"games": []}),
        lambda text: json.dumps(json.loads(text) | {"games": json.loads(text)["games"] * 2}),
        lambda text: json.dumps(json.loads(text) | {"games": 7}),
        lambda text: text.replace("deal", "dial"),
        lambda text: text.replace('deal\\":1', 'deal\\":3'),
        lambda text: text.replace("random", "randem"),
        lambda text: text.replace("winners", "losers"),
    ],
)
def test_a_damaged_unit_is_named(damage, begun, tmp_path, capsys):
    folder = tmp_path / "run"
    shutil.copytree(begun, folder)
    unit = folder / "units" / "0000000.json"
    unit.write_text(damage(unit.read_text()))
    line = refused(folder, capsys)
    assert line.startswith("error: resume: found units/0000000.json in ")
    assert line.endswith(" damaged, expected a finished unit, or this file gone")


def test_without_the_damaged_unit_it_goes_on(begun, finished, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(begun, folder)
    (folder / "units" / "0000000.json").unlink()
    assert main([*RUN, "--resume", "--out", str(folder)]) == 0
    assert (folder / "results.json").read_bytes() == (finished / "results.json").read_bytes()


def test_files_that_are_no_units_are_passed_over(begun, finished, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(begun, folder)
    shutil.copy(folder / "units" / "0000000.json", folder / "units" / "0000099.json")
    (folder / "units" / "notes.json").write_text("{}")
    assert main([*RUN, "--resume", "--out", str(folder)]) == 0
    assert (folder / "results.json").read_bytes() == (finished / "results.json").read_bytes()


@pytest.mark.parametrize("name", ["results.json", "timing.json"])
@pytest.mark.parametrize("content", ["", "{", "[]", '{"agents": {}, "standings": 1}', '{"agents": 3}'])
def test_damaged_results_are_refused(name, content, finished, tmp_path, capsys):
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    (folder / name).write_text(content)
    line = refused(folder, capsys)
    assert line.startswith("error: out: found ")
    assert name in line


@pytest.mark.parametrize("name", ["results.json", "timing.json"])
def test_damaged_solutions_are_refused(name, tmp_path, capsys):
    words = ["--deals", "3", "--rules", "basic@3x4x2:2p", "--agents", "greedy"]
    assert solve.main([*words, "--out", str(tmp_path)]) == 0
    (tmp_path / name).write_text("{}")
    assert name in refused(tmp_path, capsys, solve.main, words)
