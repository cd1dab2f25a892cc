"""The Gymnasium vector environment: its API, and that it plays the games of the single environments."""

import copy
import re

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from red7_env import red7_v0
from red7_env.game import Game, IllegalMoveError
from red7_env.game.moves import PASS
from red7_env.gym_env import Red7GymEnv
from red7_env.vector_env import Red7VectorEnv
from tests.env_cases import VARIANTS, name_of
from tests.seat_cases import Hashed, choices

every_variant = pytest.mark.parametrize("options", VARIANTS, ids=name_of)
some_variants = pytest.mark.parametrize("options", [VARIANTS[0], VARIANTS[11], VARIANTS[26]], ids=name_of)


def made(num_envs=4, **arguments):
    return gymnasium.make_vec("red7_env:Red7-v0", num_envs, vectorization_mode="vector_entry_point", **arguments)


def step(envs):
    return envs.step(choices(envs.unwrapped.seats.mask))


def same(found, expected):
    """Tell whether two infos agree in what both of them tell."""
    for key in found.keys() & expected.keys():
        if isinstance(found[key], dict):
            same(found[key], expected[key])
        elif found[key].dtype == object:
            for one, other in zip(found[key], expected[key], strict=True):
                assert np.array_equal(one, other)
        else:
            assert np.array_equal(found[key], expected[key]), key
    return True


@every_variant
def test_the_api(options):
    envs = made(5, seat="rotate", **options)
    assert isinstance(envs, Red7VectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.spec.id == "Red7-v0"
    assert envs.num_envs == 5
    assert envs.single_action_space == Red7GymEnv(**options).action_space
    assert envs.single_observation_space == Red7GymEnv(**options).observation_space
    assert envs.observation_space.shape == (5, *envs.single_observation_space.shape)
    observations, info = envs.reset(seed=3)
    for _ in range(40):
        assert observations in envs.observation_space
        assert (info["action_mask"] == envs.action_masks()).all()
        assert envs.action_masks().dtype == bool
        actions = choices(info["action_mask"])
        assert actions in envs.action_space
        observations, rewards, terminations, truncations, info = envs.step(actions)
        assert [array.dtype for array in (rewards, terminations, truncations)] == [float, bool, bool]
        assert rewards.shape == terminations.shape == truncations.shape == (5,)
        assert not truncations.any()
        assert ("final_obs" in info) == terminations.any()
        if terminations.any():
            assert (info["_final_obs"] == terminations).all()
            assert [last is not None for last in info["final_obs"]] == terminations.tolist()
            assert all(last in envs.single_observation_space for last in info["final_obs"][terminations])
            assert not info["final_info"]["action_mask"].any()
    envs.close()


def test_it_is_what_make_vec_makes():
    assert isinstance(gymnasium.make_vec("Red7-v0", num_envs=2), Red7VectorEnv)
    assert made(2, dtype="float32", features="base").reset(seed=1)[0].dtype == np.float32
    assert "Red7-v0" in repr(made(2))


@every_variant
def test_one_game_at_a_time_is_the_single_environment(options):
    """With Gymnasium's own autoreset around it, down to the last observation and the infos."""
    arguments = {"opponents": Hashed(), "seat": options["num_players"] - 1} | options
    single = SyncVectorEnv([lambda: Red7GymEnv(**arguments)], autoreset_mode=AutoresetMode.SAME_STEP)
    batched = made(1, **arguments)
    expected, found = single.reset(seed=7), batched.reset(seed=7)
    ended = 0
    for _ in range(100):
        assert (found[0] == expected[0]).all()
        assert same(found[-1], expected[-1])
        expected, found = single.step(choices(found[-1]["action_mask"])), step(batched)
        assert all((one == other).all() for one, other in zip(found[1:4], expected[1:4], strict=True))
        ended += int(found[2][0])
        if found[2][0]:
            assert (found[4]["final_obs"][0] == expected[4]["final_obs"][0]).all()
            assert found[4]["final_info"].keys() >= expected[4]["final_info"].keys() - {"to_move", "_to_move"}
    assert ended


@some_variants
def test_games_are_those_of_the_pettingzoo_environment(options):
    """Slot by slot and move by move, every other seat played by the same opponent."""
    envs, opponent, seat = made(3, opponents=Hashed(), **options), Hashed(), 0
    observations, info = envs.reset(seed=11)
    aec = [red7_v0.raw_env(**options) for _ in range(3)]
    for game, env in zip(info["game"], aec, strict=True):
        env.reset(seed=11)
        for _ in range(game):
            env.reset()
    playing = set(range(3))
    while playing:
        actions = choices(info["action_mask"])
        for number in playing:
            play_to(aec[number], seat, opponent)
            shown = aec[number].observe("player_0")
            assert (shown["observation"] == observations[number]).all()
            assert (shown["action_mask"] == info["action_mask"][number]).all()
            aec[number].step(actions[number])
        observations, rewards, terminations, _, info = envs.step(actions)
        for number in sorted(playing & set(np.flatnonzero(terminations).tolist())):
            play_to(aec[number], seat, opponent)
            assert aec[number].terminations["player_0"]
            assert aec[number].rewards["player_0"] == rewards[number]
            playing.remove(number)


def play_to(env, seat, opponent):
    """Let the opponent play the other seats until the learner is to step."""
    while env.agent_selection != f"player_{seat}":
        agent = env.agent_selection
        if env.terminations[agent]:
            if env.terminations[f"player_{seat}"]:
                return
            env.step(None)
            continue
        game = Game.from_state(env._table.states)
        env.step(int(opponent.act(game.view(game.to_move), game.mask[None], None)[0]))


def test_wrappers_of_gymnasium():
    envs = RecordEpisodeStatistics(made(6, opponents=Hashed()))
    envs.reset(seed=1)
    lengths = []
    for _ in range(30):
        _, rewards, terminations, _, info = step(envs)
        if terminations.any():
            assert (info["episode"]["r"][terminations] == rewards[terminations]).all()
            lengths += info["episode"]["l"][terminations].tolist()
    assert envs.episode_count == len(lengths) > 10
    listed = DictInfoToList(made(6, opponents=Hashed()))
    listed.reset(seed=1)
    for _ in range(10):
        _, _, terminations, _, infos = step(listed)
        assert [("final_info" in info) for info in infos] == terminations.tolist()
        assert all(info["final_info"]["winners"] in ([0], [1]) for info in infos if "final_info" in info)


def test_what_is_returned_is_copied_unless_told_otherwise():
    for copied in (True, False):
        envs = made(4, opponents=Hashed(), copy=copied)
        observations, info = envs.reset(seed=1)
        before = observations.copy(), info["action_mask"].copy()
        assert np.shares_memory(observations, envs.unwrapped.seats.obs) != copied
        step(envs)
        assert (observations == before[0]).all()
        assert (info["action_mask"] == before[1]).all() == copied
        step(envs)
        assert (observations == before[0]).all() == copied


def test_resets():
    envs = made(3, opponents=Hashed())
    with pytest.raises(gymnasium.error.ResetNeeded, match="expected reset"):
        envs.step(np.zeros(3, int))
    first = envs.reset(seed=4)
    assert first[1]["game"].tolist() == [0, 1, 2]
    assert envs.reset()[1]["game"].tolist() == [3, 4, 5]
    again = envs.reset(seed=4)
    assert (again[0] == first[0]).all()
    unseeded = made(3).reset()[1]["game"].tolist()  # a game can be over before the learner's first move
    assert len(set(unseeded)) == 3
    with pytest.raises(ValueError, match=re.escape("options: found position, expected none")):
        envs.reset(options={"position": "?"})
    with pytest.raises(ValueError, match=re.escape("seed: found -1, expected 0 to")):
        envs.reset(seed=-1)


def test_moves_that_are_not_offered():
    envs = made(3, opponents=Hashed(), num_players=3)
    envs.reset(seed=1)
    actions = choices(envs.action_masks())
    actions[1] = 100
    _, rewards, terminations, _, info = envs.step(actions)
    assert (rewards[1], terminations[1]) == (-1, True)
    assert info["final_info"]["illegal"][1].startswith("found * (take the draw), expected one of ")
    assert info["final_info"]["winners"][1] == []
    assert info["final_info"]["_illegal"].tolist() == [False, True, False]
    strict = made(3, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="game in slot 1: found"):
        strict.step(actions)


def test_a_move_that_only_costs_the_round_is_told_of_as_well():
    envs = made(2, opponents=Hashed(), num_players=3, variant="advanced", match=True, illegal="eliminate")
    envs.reset(seed=1)
    _, _, terminations, _, info = envs.step(np.array([100, PASS]))
    assert not terminations.any()
    assert info["_illegal"].tolist() == [True, False]
    assert "final_info" not in info


def test_rendering(capsys):
    envs = made(3, render_mode="ansi")
    envs.reset(seed=1)
    texts = envs.render()
    assert len(texts) == 3
    assert all("??" in text for text in texts)
    human = made(2, render_mode="human")
    human.reset(seed=1)
    step(human)
    assert capsys.readouterr().out.count("\n\n") >= 2
    silent = made(2)
    silent.reset(seed=1)
    with pytest.warns(UserWarning, match="render: found render_mode None"):
        assert silent.render() is None


def test_opponents_change_and_copies_go_on():
    envs = made(4, opponents=Hashed(1), num_players=3, seat="random")
    envs.reset(seed=2)
    envs.unwrapped.set_opponents({Hashed(2): 1, Hashed(3): 1})
    twin = copy.deepcopy(envs)
    for _ in range(20):
        found, expected = step(twin), step(envs)
        assert all((one == other).all() for one, other in zip(found[:4], expected[:4], strict=True))
    assert set(found[4]["lineup"].tolist()) <= {0, 1}
