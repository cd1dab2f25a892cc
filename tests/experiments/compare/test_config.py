import shlex

import pytest

from experiments.compare.config import checked_agents, commit, files_named, is_timed, short_hash, sources_hash
from tests.experiments.compare.league import config_of


def test_specs_are_shortened_and_sorted():
    chosen = ["rollout:playouts=200", "random:unit=move", "random:unit=turn"]
    assert checked_agents(chosen, cheating=False) == ("random", "random:unit=turn", "rollout")


@pytest.mark.parametrize(
    ("spec", "timed"), [("greedy", False), ("rollout:playouts=9", False), ("rollout:ms=20", True), ("random", False)]
)
def test_the_clock_is_noticed(spec, timed):
    assert is_timed(spec) is timed


def test_a_file_that_a_spec_names_is_part_of_the_configuration(tmp_path):
    script = tmp_path / "bot.py"
    script.write_text("one")
    spec = f"bot:python {script}"
    before = files_named([spec])
    assert list(before) == [str(script)]
    script.write_text("two")
    assert files_named([spec]) != before
    assert files_named(["random:unit=turn", "x:" + "y" * 5000, "bot:cat 'x"]) == {}


@pytest.mark.parametrize("start", ["bot:python {}", "bot:{} --level 3", "bot:seconds=2:{}", "bot:run --net={}"])
def test_files_with_blanks_in_their_names_are_noticed(start, tmp_path):
    script = tmp_path / "my bot.py"
    script.write_text("one")
    assert str(script) in files_named([start.format(f"'{script}'")])


def test_every_setting_changes_the_hash():
    plain = config_of(["greedy", "random"])
    others = [
        config_of(["greedy", "random:unit=turn"]),
        config_of(["greedy", "random"], "basic:3p"),
        config_of(["greedy", "random"], deals=7),
        config_of(["greedy", "random"], design="duel"),
        config_of(["greedy", "random"], records=5),
        config_of(["greedy", "random"], stop="top"),
    ]
    assert len({short_hash(each.to_json()) for each in [plain, *others]}) == len(others) + 1
    assert short_hash(config_of(["random", "greedy"]).to_json()) == short_hash(plain.to_json())


def test_the_code_is_identified():
    assert len(sources_hash()) == 16
    head = commit()
    assert head is None or len(head.removesuffix("+")) == 40


def test_the_command_is_quoted_for_a_shell():
    config = config_of(["greedy", "random"], "advanced+first:4p:match", design="duel", stop="top", records=3)
    words = shlex.split(config.command())
    assert words[:4] == ["python", "-m", "experiments", "compare"]
    assert words[-2:] == ["--records", "3"]
    assert "duel" in words
    assert "top" in words
