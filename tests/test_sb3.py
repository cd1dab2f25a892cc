"""The Stable-Baselines3 VecEnv: its API, what MaskablePPO makes of it, and policies as opponents."""

import copy
import pickle
import re

import numpy as np
import pytest

from red7_env.game import IllegalMoveError
from red7_env.game.moves import PASS
from red7_env.opponents import RandomMoves
from red7_env.vector_env import Red7VectorEnv
from tests.env_cases import VARIANTS, name_of
from tests.seat_cases import Hashed, choices

pytest.importorskip("sb3_contrib")

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv, VecNormalize

from red7_env.gym_env import Red7GymEnv
from red7_env.sb3 import PolicyOpponent, Red7VecEnv

some_variants = pytest.mark.parametrize("options", [VARIANTS[0], VARIANTS[11], VARIANTS[26]], ids=name_of)


@pytest.fixture(autouse=True)
def one_thread():
    """Keep torch from taking every core for networks this small."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def learner(env, **settings):
    defaults = {"gamma": 1.0, "n_steps": 8, "batch_size": 64, "n_epochs": 2, "seed": 1, "device": "cpu"}
    return MaskablePPO("MlpPolicy", env, policy_kwargs={"net_arch": [32]}, **(defaults | settings))


def step(env):
    return env.step(choices(np.stack(env.env_method("action_masks"))))


# The API


@pytest.mark.parametrize("options", VARIANTS, ids=name_of)
def test_the_api(options):
    env = Red7VecEnv(5, opponents=Hashed(), seat="rotate", seed=3, **options)
    assert isinstance(env, VecEnv)
    single = Red7GymEnv(**options)
    assert (env.observation_space, env.action_space) == (single.observation_space, single.action_space)
    assert is_masking_supported(env)
    observations = env.reset()
    ended = 0
    for _ in range(60):
        masks = get_action_masks(env)
        assert (masks == env.seats.mask).all()
        assert masks.dtype == bool
        assert all(row in env.observation_space for row in observations)
        observations, rewards, dones, infos = env.step(choices(masks))
        assert observations.shape == (5, *env.observation_space.shape)
        assert (rewards.dtype, dones.dtype) == (np.float32, bool)
        for reward, done, info in zip(rewards, dones, infos, strict=True):
            assert ("terminal_observation" in info) == done
            if done:
                ended += 1
                assert info["terminal_observation"] in env.observation_space
                assert info["TimeLimit.truncated"] is False
                assert info["episode"]["r"] == pytest.approx(reward)
                assert info["episode"]["l"] > 0
                assert info["opponents"] == "Hashed"
            else:
                assert info == {}
                assert reward == 0
    assert ended or options["match"]
    env.close()


@some_variants
def test_games_are_those_of_the_gymnasium_vector_environment(options):
    arguments = {"opponents": {Hashed(1): 1, RandomMoves(): 1}, "seat": "random"} | options
    env, other = Red7VecEnv(6, seed=5, **arguments), Red7VectorEnv(6, **arguments)
    found, (expected, info) = env.reset(), other.reset(seed=5)
    for _ in range(40):
        assert (found == expected).all()
        actions = choices(info["action_mask"])
        found, rewards, dones, infos = env.step(actions)
        expected, other_rewards, terminations, _, info = other.step(actions)
        assert (rewards == other_rewards.astype(np.float32)).all()
        assert (dones == terminations).all()
        for slot in np.flatnonzero(dones):
            assert (infos[slot]["terminal_observation"] == info["final_obs"][slot]).all()
            told = info["final_info"]
            assert (infos[slot]["game"], infos[slot]["seat"]) == (told["game"][slot], told["seat"][slot])


@some_variants
def test_one_game_at_a_time_is_the_single_environment(options):
    arguments = {"opponents": Hashed(), "seat": 1} | options
    env, single = Red7VecEnv(1, seed=5, **arguments), DummyVecEnv([lambda: Red7GymEnv(**arguments)])
    single.seed(5)
    found, expected = env.reset(), single.reset()
    for _ in range(60):
        assert (found == expected).all()
        assert (get_action_masks(env) == get_action_masks(single)).all()
        actions = choices(get_action_masks(env))
        (found, *paid, infos), (expected, *other_paid, other_infos) = env.step(actions), single.step(actions)
        assert [array.tolist() for array in paid] == [array.tolist() for array in other_paid]
        if paid[1][0]:
            assert (infos[0]["terminal_observation"] == other_infos[0]["terminal_observation"]).all()


def test_nothing_is_copied_that_sb3_does_not_keep():
    env = Red7VecEnv(4, opponents=Hashed(), seed=1)
    observations = env.reset()
    assert all(np.shares_memory(row, env.seats.mask) for row in env.env_method("action_masks"))
    assert np.shares_memory(env.action_masks(), env.seats.mask)
    assert np.shares_memory(observations, env.seats.obs)
    before = observations.copy()
    _, rewards, dones, _ = step(env)
    assert (observations == before).all()
    kept = dones.copy(), rewards.copy()
    step(env)
    assert (dones == kept[0]).all()
    assert (rewards == kept[1]).all()


def test_attributes_and_methods():
    env = Red7VecEnv(3, opponents=Hashed(), seed=1)
    env.reset()
    assert env.has_attr("action_masks")
    assert not env.has_attr("no_such_thing")
    assert env.get_attr("num_envs", indices=[0, 2]) == [3, 3]
    assert len(env.env_method("action_masks", indices=1)) == 1
    assert env.env_method("set_opponents", Hashed(2)) == [None] * 3
    env.set_attr("note", "kept")
    assert env.get_attr("note") == ["kept"] * 3
    with pytest.raises(ValueError, match=re.escape("indices: found 1 of 3, expected all")):
        env.set_attr("note", "lost", indices=0)
    assert env.env_is_wrapped(Monitor) == [True] * 3
    assert env.env_is_wrapped(VecNormalize) == [False] * 3


def test_seeds():
    env = Red7VecEnv(3, opponents=Hashed(), seed=8)
    first = env.reset().copy()
    games = env.seats.slots["game"].tolist()
    env.reset()
    assert (env.seats.slots["game"] > games).all()
    env.seed(8)
    assert (env.reset() == first).all()
    assert env.seats.slots["game"].tolist() == games
    learner(env, seed=8).learn(24)
    assert env.seats.seed == 8
    unseeded = [Red7VecEnv(2) for _ in range(2)]
    for each in unseeded:
        each.reset()
    assert unseeded[0].seats.seed != unseeded[1].seats.seed


def test_what_is_refused():
    env = Red7VecEnv(2, illegal="raise", seed=1)
    with pytest.raises(RuntimeError, match=re.escape("expected reset() first")):
        env.step(np.zeros(2, int))
    env.reset()
    with pytest.raises(IllegalMoveError, match=re.escape("game in slot 0: found * (take the draw), expected one of ")):
        env.step(np.array([100, PASS]))
    env.set_options({"position": "?"})
    with pytest.raises(ValueError, match="options: found a value of type dict, expected none"):
        env.reset()
    with pytest.raises(ValueError, match="render_mode: found 'ansi'"):
        Red7VecEnv(2, render_mode="ansi")
    with pytest.raises(ValueError, match="seed: found -1"):
        Red7VecEnv(2, seed=-1)


def test_a_move_that_is_not_offered_is_told_of():
    env = Red7VecEnv(2, seed=1)
    env.reset()
    _, rewards, dones, infos = env.step(np.array([100, PASS]))
    assert (rewards[0], dones[0]) == (-1, True)
    assert infos[0]["illegal"].startswith("found * (take the draw), expected one of ")
    assert "illegal" not in infos[1]


def test_rendering(capsys):
    env = Red7VecEnv(2, render_mode="human", seed=1)
    env.reset()
    shown = capsys.readouterr().out
    assert "\n\n" in shown
    assert "??" in shown
    silent = Red7VecEnv(2, seed=1)
    silent.reset()
    with pytest.warns(UserWarning, match="no `render_mode`"):
        silent.render()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301 - just written
def test_copies_go_on_identically(copied):
    env = Red7VecEnv(4, opponents={Hashed(): 1, RandomMoves(): 1}, seed=1, num_players=3)
    env.reset()
    step(env)
    twin = copied(env)
    for _ in range(20):
        found, expected = step(twin), step(env)
        assert all((one == other).all() for one, other in zip(found[:3], expected[:3], strict=True))
    assert all(np.shares_memory(row, twin.seats.mask) for row in twin.env_method("action_masks"))


# Learning


@pytest.mark.parametrize(
    "options",
    [{}, {"num_players": 4, "dtype": "float32"}, {"variant": "advanced", "actions": "revised", "match": True}],
    ids=str,
)
def test_maskable_ppo_learns(options):
    env = Red7VecEnv(16, seat="rotate", seed=1, **options)
    model = learner(env).learn(384)
    buffer = model.rollout_buffer
    assert model.num_timesteps == 384
    # What was collected is what the masks allow, and every reward stands where an episode ends.
    rows, moves = np.indices(buffer.actions.shape[:1])[0], buffer.actions.reshape(-1).astype(int)
    assert buffer.action_masks.reshape(len(rows), -1)[rows, moves].all()
    if not options.get("match"):
        assert {float(entry["r"] > 0) for entry in model.ep_info_buffer} == {0, 1}


def test_what_is_learned_from_is_what_was_played():
    """The rollout buffer holds the transitions of the games, in order, with rewards where games end."""
    shown, masks, paid, done, collected = [], [], [], [], []

    class Watched(Red7VecEnv):
        def step_wait(self):
            shown.append(self.seats.obs.copy())
            masks.append(self.seats.mask.copy())
            result = super().step_wait()
            paid.append(result[1].copy())
            done.append(result[2].copy())
            return result

    class Collected(BaseCallback):
        def _on_step(self):
            return True

        def _on_rollout_end(self):
            # Training shuffles the buffer.
            collected.append(copy.deepcopy(self.model.rollout_buffer))

    learner(Watched(8, opponents=Hashed(), seat="rotate", seed=1)).learn(128, callback=Collected())
    assert len(collected) == 2
    for name, expected in (("observations", shown), ("action_masks", masks), ("rewards", paid)):
        assert (np.concatenate([getattr(buffer, name) for buffer in collected]) == np.stack(expected)).all()
    begun = np.concatenate([buffer.episode_starts for buffer in collected])
    assert (begun[1:] == np.stack(done)[:-1]).all()
    assert ((np.stack(paid) != 0) == np.stack(done)).all()
    assert np.stack(done).sum() > 6


def test_evaluation_sees_whole_games():
    env = Red7VecEnv(8, opponents=Hashed(), seat="rotate", seed=1)
    model = learner(env)
    rewards, lengths = evaluate_policy(model, env, n_eval_episodes=40, return_episode_rewards=True)
    assert len(rewards) == len(lengths) == 40
    assert set(rewards) == {-1.0, 1.0}


# Policies as opponents


@some_variants
def test_a_policy_plays_against_itself(options):
    env = Red7VecEnv(8, seat="rotate", seed=1, **options)
    model = learner(env)
    live = PolicyOpponent(model, name="live")
    env.set_opponents({live: 1, live.frozen("old"): 1})
    model.learn(128)
    assert list(env.seats.lineup_names) == ["live", "old"]


def test_a_policy_answers_as_the_model_itself_would():
    env = Red7VecEnv(16, opponents=Hashed(), seed=1)
    model = learner(env)
    env.reset()
    views, masks, rng = env.seats.views(), env.seats.mask, np.random.default_rng(1)
    expected, _ = model.predict(env.seats.obs, action_masks=masks, deterministic=True)
    assert (PolicyOpponent(model, deterministic=True).act(views, masks, rng) == expected).all()
    assert (PolicyOpponent(model.policy, deterministic=True).act(views, masks, rng) == expected).all()
    with torch.no_grad():
        seen = torch.as_tensor(env.seats.obs)
        chances = model.policy.get_distribution(seen, action_masks=masks).distribution.probs.numpy()
    opponent = PolicyOpponent(model)
    counts = np.zeros(masks.shape)
    for _ in range(2000):
        counts[np.arange(16), opponent.act(views, masks, rng)] += 1
    assert not counts[masks == 0].any()
    assert np.abs(counts / 2000 - chances).max() < 0.06


def test_a_frozen_policy_does_not_learn_and_a_live_one_does():
    env = Red7VecEnv(16, opponents=Hashed(), seed=1)
    model = learner(env, learning_rate=0.05)
    live = PolicyOpponent(model)
    frozen = live.frozen()
    env.reset()
    views, masks = env.seats.views(), env.seats.mask.copy()

    def moves(opponent):
        return opponent.act(views, masks, np.random.default_rng(3)).tolist()

    before = moves(live)
    assert moves(frozen) == before
    model.learn(256)
    assert moves(frozen) == before != moves(live)
    again = live.frozen("again")
    assert moves(again) == moves(live)
    assert again.name == "again"


def test_a_policy_of_other_observations_is_refused():
    model = learner(Red7VecEnv(2, features="base", seed=1))
    env = Red7VecEnv(2, seed=2)
    env.reset()
    views, masks = env.seats.views(), env.seats.mask
    with pytest.raises(ValueError, match=re.escape("policy: found one for observations of shape")):
        PolicyOpponent(model).act(views, masks, np.random.default_rng(1))
    fitting = Red7VecEnv(2, opponents=PolicyOpponent(model, features="base"), seed=2)
    fitting.reset()
    step(fitting)
