"""The Gymnasium environment: its API, its transitions, and that they are those of the PettingZoo environment."""

import copy
import pickle
import re
import zlib

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from red7_env import red7_v0
from red7_env.game import Game, IllegalMoveError, Red7Error, Rules
from red7_env.gym_env import Red7GymEnv
from red7_env.observation import encode
from red7_env.opponents import RandomMoves
from red7_env.vector_env import Red7VectorEnv
from tests.env_cases import VARIANTS, name_of, offered, random_policy
from tests.env_cases import play as play_aec
from tests.seat_cases import Quitter

every_variant = pytest.mark.parametrize("options", VARIANTS, ids=name_of)
some_variants = pytest.mark.parametrize("options", [VARIANTS[0], VARIANTS[11], VARIANTS[26]], ids=name_of)

PASS = 99


class Recorder(RandomMoves):
    """Plays at random and keeps what it was shown."""

    def __init__(self):
        self.seen = []

    def act(self, views, masks, rng):
        self.seen.append((views.copy(), masks.copy()))
        return super().act(views, masks, rng)


def first_offered(observation):
    return offered(observation["action_mask"])[0]


def play(env, choose, **reset):
    """Play a game; return the steps' rewards and the last info."""
    _, info = env.reset(**reset)
    rewards = []
    while True:
        assert info["action_mask"].any()
        _, reward, terminated, truncated, info = env.step(choose(info["action_mask"]))
        rewards.append(reward)
        assert type(terminated) is type(truncated) is bool
        assert not truncated
        if terminated:
            return rewards, info


@every_variant
def test_checkers(options):
    from stable_baselines3.common.env_checker import check_env as check_for_sb3

    env = gymnasium.make("red7_env:Red7-v0", seat="rotate", **options).unwrapped
    check_env(env, skip_render_check=True)
    check_for_sb3(env)


@some_variants
def test_checkers_with_rendering(options, capsys):
    for mode in ("ansi", "human", "rgb_array"):
        check_env(gymnasium.make("Red7-v0", render_mode=mode, seat="random", **options).unwrapped)
    assert "learner" not in capsys.readouterr().out


def test_registered_with_gymnasium():
    for name in ("Red7-v0", "red7_env:Red7-v0"):
        env = gymnasium.make(name, num_players=3, dtype="float32", features="base")
        assert isinstance(env.unwrapped, Red7GymEnv)
        assert env.observation_space.dtype == np.float32
        assert env.action_space.n == 101
    assert gymnasium.make("Red7-v0", actions="first").action_space.n == 248


@pytest.mark.parametrize(
    ("options", "reward"),
    [(options, "win") for options in VARIANTS]
    + [(options, "points") for options in VARIANTS if options["variant"] == "advanced"],
)
def test_every_game_ends_with_a_reward_that_the_learner_sees(options, reward):
    """From every seat, win or loss, and the same as the seat is paid by the PettingZoo environment for this game."""
    players = options["num_players"]
    env = Red7GymEnv(seat="rotate", reward=reward, opponents=by_hash, **options)
    games = 12 if options["match"] else 80
    # Games that end before the learner is asked are passed over, so a few more are needed.
    paid = paid_by_aec(red7_v0.raw_env(reward=reward, **options), games + 20)
    signs = {seat: set() for seat in range(players)}
    env.reset(seed=1)
    while env._game < games:
        rewards, info = play(env, move_by_hash)
        assert not any(rewards[:-1])
        assert rewards[-1] == paid[env._game - 1][f"player_{info['seat']}"]
        signs[info["seat"]].add(np.sign(rewards[-1]))
        assert (rewards[-1] > 0) == (info["seat"] in info["winners"]) or reward == "points"
    if not options["match"]:
        assert all({-1, 1} <= found for found in signs.values())


def move_by_hash(mask):
    """Choose by nothing but the mask, so that all environments play the same."""
    moves = offered(mask)
    return moves[zlib.crc32(mask.tobytes()) % len(moves)]


def by_hash(observation):
    return move_by_hash(observation["action_mask"])


def paid_by_aec(env, games):
    """Return what each agent was paid in the first games of seed 1, all of whose moves are chosen by hash."""
    env.reset(seed=1)
    paid = []
    for _ in range(games):
        paid.append(play_aec(env, move_by_hash))
        env.reset()
    return paid


@some_variants
def test_a_transition_runs_to_the_learners_next_move(options):
    recorder = Recorder()
    env = Red7GymEnv(opponents=recorder, seat="rotate", **options)
    choose = random_policy(1)
    for game in range(4):
        observation, info = env.reset(seed=None if game else 9)
        over = False
        while not over:
            log = env.game()
            assert log.to_move == info["to_move"] == env.seat == info["seat"]
            assert (info["action_mask"] == log.mask).all()
            assert (observation == encode(log.view(env.seat), env.seat)[0]).all()
            assert (env.action_masks() == log.mask.astype(bool)).all()
            assert env.action_masks().dtype == bool
            observation, _, over, _, info = env.step(choose(info["action_mask"]))
        assert not env.action_masks().any()
        assert not info["action_mask"].any()
    assert recorder.seen
    for view, mask in recorder.seen:
        assert view["viewer"][0] == view["to_move"][0]
        assert mask.shape == (1, env.action_space.n)
        assert mask.any()


def test_a_learner_that_is_out_is_terminated_at_once():
    env = Red7GymEnv(num_players=4)
    env.reset(seed=5)
    _, reward, terminated, _, info = env.step(PASS)
    assert (reward, terminated) == (-1 / 3, True)
    assert info["winners"] == []
    assert not env.game().over
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(PASS)


def test_where_points_are_paid_the_game_goes_on_to_its_end():
    env = Red7GymEnv(num_players=4, variant="advanced", reward="points")
    env.reset(seed=5)
    _, reward, terminated, _, info = env.step(PASS)
    assert terminated
    assert reward == -sum(info["scores"]) / 3
    assert env.game().over


def test_a_learner_that_is_out_sits_out_the_round_of_a_match():
    env = Red7GymEnv(num_players=3, variant="advanced", match=True)
    env.reset(seed=5)
    _, reward, terminated, _, info = env.step(PASS)
    assert (reward, terminated) == (0.0, False)
    assert len(env.game().rounds) == 2
    assert info["action_mask"].any()


def test_a_game_that_never_asks_the_learner_is_passed_over():
    env = Red7GymEnv(opponents=lambda _: PASS)
    numbers = []
    env.reset(seed=0)
    for _ in range(30):
        numbers.append(env._game - 1)
        assert env.game().to_move == env.seat
        env.reset()
    skipped = set(range(numbers[-1])) - set(numbers)
    assert skipped
    assert all(Game.deal(Rules(), 0, number).to_move == 1 for number in skipped)


# Seats and opponents


def test_seats():
    assert [Red7GymEnv(num_players=3, seat=2).reset(seed=0)[1]["seat"]] == [2]
    env = Red7GymEnv(num_players=3, seat="rotate", opponents=first_offered)  # nobody passes, so no game is passed over
    assert [env.reset(seed=None if game else 4)[1]["seat"] for game in range(7)] == [0, 1, 2, 0, 1, 2, 0]
    assert env.reset(seed=4)[1]["seat"] == 0
    assert env.reset(options={"seat": 1})[1]["seat"] == 1
    env = Red7GymEnv(num_players=3, seat="random")
    first = [env.reset(seed=None if game else 4)[1]["seat"] for game in range(20)]
    env.reset(seed=5)
    assert set(first) == {0, 1, 2}
    assert [env.reset(seed=None if game else 4)[1]["seat"] for game in range(20)] == first


@pytest.mark.parametrize("seat", ["rotate", "random"])
@pytest.mark.parametrize("players", [2, 3])
def test_a_game_seats_the_learner_as_in_a_batch(players, seat):
    """Also if games are passed over, because all others pass before the learner is asked."""
    one = Red7GymEnv(num_players=players, seat=seat, opponents=Quitter())
    many = Red7VectorEnv(1, num_players=players, seat=seat, opponents=Quitter())
    told = many.reset(seed=9)[1]
    seats = []
    for game in range(30):
        info = one.reset(seed=None if game else 9)[1]
        assert (one._game - 1, info["seat"]) == (told["game"][0], told["seat"][0])
        assert seat == "random" or info["seat"] == (one._game - 1) % players
        seats.append(info["seat"])
        while True:
            done = many.step(np.array([offered(told["action_mask"][0])[0]]))
            told = done[4]
            if done[2][0]:
                break
    assert one._game > 33
    assert set(seats) == set(range(players))


def test_each_opponent_has_its_seat():
    agents = [Recorder() for _ in range(3)]
    env = Red7GymEnv(num_players=4, seat="rotate", opponents=agents, variant="advanced", match=True)
    for game in range(4):
        env.reset(seed=None if game else 3)
        for distance, agent in enumerate(agents, 1):
            assert {int(view["viewer"][0]) for view, _ in agent.seen} <= {(env.seat + distance) % 4}
        play(env, random_policy(0), options={"seat": env.seat})
        for distance, agent in enumerate(agents, 1):
            assert {int(view["viewer"][0]) for view, _ in agent.seen} == {(env.seat + distance) % 4}
            agent.seen.clear()


def test_opponents_may_be_functions():
    shown = []

    def policy(observation):
        shown.append(observation)
        return first_offered(observation)

    env = Red7GymEnv(num_players=3, opponents=[policy, RandomMoves()], dtype="float32")
    for game in range(5):
        play(env, random_policy(game), seed=game)
    assert shown
    assert all(env.observation_space.contains(seen["observation"]) for seen in shown)
    assert all(seen["action_mask"].dtype == np.int8 for seen in shown)


def test_an_opponent_cannot_change_the_game_by_what_it_is_given():
    class Vandal(RandomMoves):
        def act(self, views, masks, rng):
            moves = super().act(views, masks, rng)
            views["hands"] = 0
            masks[:] = 1
            return moves

    def play_hash(opponent):
        env = Red7GymEnv(opponents=opponent, num_players=3)
        play(env, random_policy(0), seed=2)
        return env.record()

    assert play_hash(Vandal()) == play_hash(RandomMoves())


def test_an_opponent_that_makes_no_offered_move_is_named():
    env = Red7GymEnv(opponents=lambda _: 100, seat=0)
    seed = next(seed for seed in range(99) if Game.deal(Rules(), seed).to_move == 1)
    with pytest.raises(IllegalMoveError, match=r"opponent at seat 1: found \* \(take the draw\), expected one of"):
        env.reset(seed=seed)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 2}, "seat: found 2, expected 0 to 1, 'rotate' or 'random'"),
        ({"seat": "first"}, "seat: found 'first'"),
        ({"seat": True}, "seat: found True"),
        ({"opponents": [RandomMoves()] * 2}, "opponents: found 2, expected one for all other seats, or 1"),
        ({"opponents": "greedy"}, "opponents: found 'greedy'"),
        ({"opponents": [3]}, "opponents: found 3"),
        ({"num_players": 7}, "players: found 7"),
        ({"reward": "points"}, "reward: found 'points' with basic"),
        ({"illegal": "x"}, "illegal: found 'x'"),
    ],
)
def test_settings_that_do_not_exist(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Red7GymEnv(**options)


# The game


@some_variants
def test_the_same_seed_gives_the_same_games(options):
    def records():
        env = Red7GymEnv(seat="random", **options)
        found = []
        for game in range(3):
            play(env, random_policy(game), seed=None if game else 12)
            found.append(env.record())
        return found

    assert records() == records()


@some_variants
def test_copies_go_on_identically(options):
    env = gymnasium.make("Red7-v0", seat="random", **options)
    _, info = env.reset(seed=4)
    env.step(max(move for move in offered(info["action_mask"]) if move != PASS))
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]  # noqa: S301 - its own
    expected = rest(env)
    assert [rest(twin) for twin in copies] == [expected] * 2


def rest(env):
    """Play this game and the next one to their ends; return their records."""
    choose, records = random_policy(8), []
    over = env.unwrapped._over
    for _ in range(2):
        while not over:
            over = env.step(choose(env.unwrapped.action_masks()))[2]
        records.append(env.unwrapped.record())
        env.reset()
        over = False
    return records


def test_positions():
    env = Red7GymEnv(num_players=3, seat=1)
    env.reset(seed=1)
    position = env.position()
    again = Red7GymEnv(num_players=3, seat=1, opponents=lambda _: PASS)
    again.reset(seed=3, options={"position": position})
    assert again.position() == position
    assert again.game().to_move == 1
    with pytest.raises(ValueError, match="ends before the learner's move"):
        again.reset(options={"position": position.replace(" 1 ", " 2 ")})
    with pytest.raises(Red7Error, match="position"):
        again.reset(options={"position": "nonsense"})


@pytest.mark.parametrize("action", [100, 101, -1, 10**30, 1.5, None])
def test_illegal_moves(action):
    for illegal, reward in (("terminate", -1.0), ("eliminate", -0.5)):
        env = Red7GymEnv(num_players=3, illegal=illegal)
        env.reset(seed=1)
        observation, paid, terminated, truncated, info = env.step(action)
        assert (paid, terminated, truncated) == (reward, True, False)
        assert re.match(r"found .*, expected one of ", info["illegal"])
        assert env.observation_space.contains(observation)
        env.reset()
        assert env.action_masks().any()
    env = Red7GymEnv(illegal="raise")
    env.reset(seed=1)
    before = env.record()
    with pytest.raises(IllegalMoveError, match=r"action: found .*, expected one of"):
        env.step(action)
    assert env.record() == before


def test_rendering_shows_what_the_learner_sees(monkeypatch, capsys):
    monkeypatch.setenv("NO_COLOR", "1")
    env = Red7GymEnv(render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text.count("??") == env.game().state[0]["hand_sizes"][1]
    assert "\x1b" not in text
    env = Red7GymEnv(render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    assert capsys.readouterr().out == 2 * (text + "\n")
    with pytest.warns(UserWarning, match="render_mode"):
        assert Red7GymEnv().render() is None


def test_records():
    env = Red7GymEnv(seat=1)
    play(env, random_policy(0), seed=1)
    assert '"players": ["opponent", "learner"]' in env.record()
    assert '"players": ["a", "b"]' in env.record(["a", "b"])


# The example of the documentation page


def test_the_example_of_the_page_runs(capsys):
    code = re.search(r"```python\n(.*?)```", red7_v0.__doc__, re.DOTALL)[1]
    assert len(code.splitlines()) <= 20
    small = code.replace("20_000", "256").replace("n_eval_episodes=100", "n_eval_episodes=4")
    assert small != code
    exec(compile(small, "example", "exec"), {})  # noqa: S102 - our own documentation
    assert re.fullmatch(r"wins \d+ % against random moves\n", capsys.readouterr().out)
