import pytest

from agents.learned.networks import load_network
from agents.learned.shipped import FOLDER, shipped, shipped_path, shipped_rules
from agents.learned.weights import KINDS, ModelError
from red7_env.game import Rules

MODELS = sorted(path.stem for path in FOLDER.glob("*.safetensors"))


@pytest.mark.parametrize("stem", MODELS)
def test_a_shipped_model_is_small_fits_its_name_and_has_a_card(stem):
    path = FOLDER / f"{stem}.safetensors"
    info, _ = load_network(path, stem.partition("-")[0])
    assert shipped(info.kind, info.rules) == path
    assert path.stat().st_size < 4_000_000
    assert str(info.rules) in path.with_suffix(".md").read_text()


def test_what_is_not_shipped_is_refused():
    rules = Rules.parse("basic@3x4x2:2p")
    assert not shipped_path("ppo", rules).exists()
    with pytest.raises(ModelError, match=r"model: found no shipped ppo for basic@3x4x2:2p \(there is .*\), expected"):
        shipped("ppo", rules)
    with pytest.raises(ModelError, match="kind: found 'sarsa'"):
        shipped_rules("sarsa")
    assert {f"{kind}-{rules}" for kind in KINDS for rules in shipped_rules(kind)} == set(MODELS)
