import json
from dataclasses import replace

import numpy as np
import pytest

from agents.learned.networks import load_network, new_network, weights_of
from agents.learned.weights import ModelError, ModelInfo, check_rules, check_same, load_model, save_model, save_tensors
from red7_env.game import Rules
from red7_env.observation import OBSERVATION_VERSION

INFO = ModelInfo("ppo", Rules.parse("basic@3x4x2:2p"), "base", (8, 6), notes={"command": "python -m nothing"})


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "model.safetensors"
    save_model(path, INFO, weights_of(new_network(INFO)))
    return path


def test_a_model_comes_back_as_it_was(path):
    model = load_model(path, "ppo")
    assert model.info == INFO
    info, network = load_network(path, "ppo")
    assert info == INFO
    assert all((array == model.weights[name]).all() for name, array in weights_of(network).items())
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def message(path, kind=None):
    with pytest.raises(ModelError) as error:
        load_network(path, kind or "ppo")
    text = str(error.value)
    assert text.startswith("model: found ")
    assert ", expected " in text
    assert "\n" not in text
    return text


def test_what_is_no_model_is_refused(path, tmp_path):
    whole = path.read_bytes()
    for damaged in (b"", b"\0" * 100, whole[:50], whole[:-10], b"\xff" * 8 + whole[8:], whole[8:]):
        path.write_bytes(damaged)
        message(path)
    message(tmp_path / "nowhere")
    message(tmp_path)


@pytest.mark.parametrize("header", ["", "{}", "[]", "7", '{"format": "red7-model/1"}', '{"format": "other"}'])
def test_another_header_is_refused(path, header):
    save_tensors(path, {"a": np.zeros(3, np.float32)}, {"red7": header})
    message(path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kind", "sarsa"),
        ("rules", "poker:2p"),
        ("features", "all"),
        ("hidden", [0]),
        ("hidden", [10**9]),
        ("hidden", "wide"),
        ("observation_version", None),
        ("observation_version", OBSERVATION_VERSION + 1),
        ("notes", 7),
    ],
)
def test_a_header_that_does_not_fit_is_refused(path, key, value):
    weights = load_model(path).weights
    save_tensors(path, weights, {"red7": json.dumps(INFO.to_json() | {key: value})})
    message(path)


def test_another_version_of_the_observation_says_so(path):
    save_model(path, replace(INFO, observation_version=0), load_model(path).weights)
    assert f"observation version 0 in '{path}'"[:40] in message(path)


def test_the_wrong_kind_is_refused(path):
    assert "found kind 'ppo'" in message(path, "dmc")


def test_other_rules_are_refused():
    check_rules(INFO, INFO.rules)
    with pytest.raises(ModelError, match="found one for basic@3x4x2:2p, expected one for basic:2p"):
        check_rules(INFO, Rules())


def test_another_shape_is_refused():
    check_same(INFO, replace(INFO, notes={}))
    with pytest.raises(ModelError, match="model: found base and layers of 8,6, expected base and layers of 8"):
        check_same(INFO, replace(INFO, hidden=(8,)))
    with pytest.raises(ModelError, match="found one for basic@3x4x2:2p, expected one for basic:2p"):
        check_same(INFO, replace(INFO, rules=Rules()))


def test_weights_of_another_shape_are_refused(path):
    weights = load_model(path).weights
    for wrong in (
        {**weights, "more": np.zeros(1, np.float32)},
        {name: array for name, array in weights.items() if name != "policy.bias"},
        {**weights, "policy.bias": np.zeros(7, np.float32)},
    ):
        save_model(path, INFO, wrong)
        message(path)


@pytest.mark.parametrize("wrong", [np.float32("nan"), np.float32("inf"), np.float64(0), np.int32(0)])
def test_damaged_numbers_are_refused(path, wrong):
    weights = load_model(path).weights
    save_model(path, INFO, {**weights, "value.bias": np.array([wrong])})
    assert "'value.bias'" in message(path)


def test_a_write_that_fails_leaves_what_was_there(path, monkeypatch):
    before = path.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        save_model(path, INFO, {})
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]
