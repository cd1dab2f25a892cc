"""The render modes of the environments, and what they show of themselves in a notebook."""

import subprocess
import sys

import numpy as np
import pytest
from gymnasium.utils import passive_env_checker

from red7_env import Red7Batch, red7_v0
from red7_env.game import Game, Rules
from red7_env.gym_env import Red7GymEnv
from red7_env.render import picture
from red7_env.sb3 import Red7VecEnv
from red7_env.vector_env import Red7VectorEnv


def test_pettingzoo():
    for mode, expected in (("svg", "<svg"), ("ansi", "Red7 basic:3p")):
        env = red7_v0.env(num_players=3, render_mode=mode)
        env.reset(seed=1)
        assert env.render().startswith(expected)
    env = red7_v0.env(num_players=3, render_mode="rgb_array")
    assert env._repr_svg_() is None
    env.reset(seed=1)
    assert (env.render() == picture(env.game()).pixels()).all()
    assert env._repr_svg_() == picture(env.game()).svg()


def test_gymnasium_shows_what_the_learner_sees():
    env = Red7GymEnv(render_mode="rgb_array", seat=1)
    assert env._repr_svg_() is None
    env.reset(seed=1)
    seen = picture(env.game(), seat=1)
    assert (env.render() == seen.pixels()).all()
    assert env._repr_svg_() == seen.svg() != picture(env.game()).svg()
    passive_env_checker.env_render_passive_checker(env)
    env = Red7GymEnv(render_mode="svg", seat=1)
    env.reset(seed=1)
    assert env.render() == seen.svg()


@pytest.mark.parametrize("mode", ["svg", "rgb_array"])
def test_vector(mode):
    envs = Red7VectorEnv(3, render_mode=mode, seat="rotate")
    envs.reset(seed=1)
    shown = envs.render()
    assert len(shown) == 3
    for frame, view in zip(shown, envs.seats.views(), strict=True):
        one = picture(view.reshape(1))
        assert frame == one.svg() if mode == "svg" else (frame == one.pixels()).all()


def test_stable_baselines():
    env = Red7VecEnv(2, render_mode="rgb_array", seed=1)
    env.reset()
    images = env.get_images()
    assert [image.shape for image in images] == [(460, 800, 3)] * 2
    assert env.render().shape[2] == 3
    with pytest.raises(ValueError, match="render_mode: found 'svg', expected 'human', 'rgb_array' or None"):
        Red7VecEnv(2, render_mode="svg")


def test_batches_show_their_first_games():
    games = Red7Batch(20, Rules(players=3), seed=1)
    text = games._repr_svg_()
    assert text.count("Red7 basic:3p, all hands") == 12
    assert "the first 12 of 20 games" in text
    assert Red7Batch(1)._repr_svg_().count("Red7 basic:2p, all hands") == 1


def test_a_game_shows_itself_whatever_was_imported():
    code = (
        "import sys; from red7_env.game import Game; game = Game.deal(); "
        "assert not any(name.startswith('red7_env.render') for name in sys.modules); print(game._repr_svg_())"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == Game.deal()._repr_svg_()


def test_pixels_are_alike_in_every_frame():
    env = red7_v0.env(variant="advanced", match=True, render_mode="rgb_array")
    env.reset(seed=1)
    shapes = set()
    for _ in env.agent_iter(30):
        observation, _, over, _, _ = env.last()
        env.step(None if over else int(np.flatnonzero(observation["action_mask"])[-1]))
        shapes.add(env.render().shape)
    assert len(shapes) == 1
