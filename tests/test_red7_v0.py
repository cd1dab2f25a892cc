"""The PettingZoo environment: its API, its games, and that they are the engine's."""

import copy
import gc
import itertools
import json
import logging
import os
import pickle
import subprocess
import sys
import tracemalloc
from operator import itemgetter
from pathlib import Path

import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    BaseWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

import red7_env
from red7_env import red7_v0
from red7_env.game import Game, IllegalMoveError, Red7Error, Rules, parse_position
from red7_env.game.moves import move_words
from red7_env.game.verify import verify_record
from red7_env.observation import OBSERVATION_VERSION, describe, encode, size
from tests.env_cases import VARIANTS, game_hash, hashes, name_of, offered, pettingzoo_test, play, random_policy, steps

every_variant = pytest.mark.parametrize("options", VARIANTS, ids=name_of)
both_makers = pytest.mark.parametrize("make", [red7_v0.env, red7_v0.raw_env])

PASS = 99


def rules_of(options) -> Rules:
    return Rules(options["num_players"], options["variant"], options["actions"], options["match"])


def standard(env):
    """Wrap an environment as PettingZoo's own games are."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(env, illegal_reward=-1)))


# PettingZoo's own tests


@pytest.fixture
def known_to_pettingzoo(monkeypatch):
    """Enter the game in PettingZoo's lists of games with dict observations, without which its tests warn."""
    module = pettingzoo_test("api_test")
    # The last list is of games with masks of zeros: ours are, for an agent that is out.
    for name in ("env_obs_dicts", "env_obs_space", "env_all_zeros_obs"):
        monkeypatch.setattr(module, name, [*getattr(module, name), "red7_v0"])
    return module


@every_variant
def test_pettingzoo_api(options, known_to_pettingzoo):
    known_to_pettingzoo.api_test(red7_v0.env(**options))


@pytest.mark.parametrize("options", [VARIANTS[0], VARIANTS[13], VARIANTS[26]], ids=name_of)
def test_pettingzoo_api_of_the_raw_environment(options, known_to_pettingzoo):
    known_to_pettingzoo.api_test(red7_v0.raw_env(**options, dtype="float32", features="base"))


@every_variant
def test_pettingzoo_seed(options):
    pettingzoo_test("seed_test").seed_test(lambda: red7_v0.env(**options), 500)


@pytest.mark.parametrize("options", [VARIANTS[0], VARIANTS[13], VARIANTS[26]], ids=name_of)
def test_pettingzoo_render_state_and_save(options, capsys):
    pettingzoo_test("render_test").render_test(lambda render_mode: red7_v0.env(**options, render_mode=render_mode))
    state_test = pettingzoo_test("state_test")
    state_test.test_state_space(red7_v0.env(**options))
    logging.disable(logging.WARNING)  # it plays without masks
    try:
        state_test.test_state(red7_v0.env(**options), 20)
    finally:
        logging.disable(logging.NOTSET)
    pettingzoo_test("save_obs_test").test_save_obs(red7_v0.env(**options))
    assert "did not save the observations" in capsys.readouterr().out  # they are no images


@every_variant
@both_makers
def test_many_random_games(options, make):
    env = make(**options)
    choose = random_policy(3)
    env.reset(seed=11)
    for _ in range(2 if options["match"] else 10):
        paid = play(env, choose)
        assert set(paid) == set(env.possible_agents)
        assert env.agents == []
        assert sum(paid.values()) == pytest.approx(0)
        env.reset()


# The games are the engine's


@every_variant
def test_alignment_with_game(options):
    """Games 0, 1 and 2 of a seed are those of ``Game``, move by move, also as seen by the seats that do not move."""
    rules, choose = rules_of(options), random_policy(1)
    env = red7_v0.raw_env(**options)
    for index in range(3):
        env.reset(seed=None if index else 17)
        game = Game.deal(rules, 17, index)
        while not game.over:
            if env.terminations[env.agent_selection]:
                env.step(None)
                continue
            assert env.agent_selection == f"player_{game.to_move}"
            assert env.position() == game.position
            for seat in range(rules.players):
                seen = env.observe(f"player_{seat}")
                assert (seen["observation"] == encode(game.view(seat), seat)[0]).all()
                assert (seen["action_mask"] == (game.mask if seat == game.to_move else 0)).all()
            assert game.mask.any()
            move = choose(game.mask)
            env.step(move)
            game.play(move)
            while rules.match and game.round_over and not game.over:
                game.next_round()
        assert all(env.terminations.values())
        assert env.position() == game.position
        assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)
        assert [env.rewards[f"player_{seat}"] > 0 for seat in range(rules.players) if seat in game.winners]


def test_games_are_the_same_in_every_process():
    code = "from tests.env_cases import VARIANTS, hashes; print(*hashes(VARIANTS))"
    command = [sys.executable, "-c", code]
    options = {"cwd": Path(__file__).resolve().parents[1], "env": {**os.environ, "PYTHONHASHSEED": "1"}}
    other = subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout.split()
    assert other == hashes(VARIANTS)
    assert len(set(other)) == len(other)


def test_seeds_and_numbers():
    env = red7_v0.raw_env()
    env.reset()
    first = env.position()
    env.reset()
    assert env.position() != first
    env.reset(seed=2**64 - 1)
    zero = env.position()
    env.reset()
    assert env.position() == Game.deal(Rules(), 2**64 - 1, 1).position
    env.reset(seed=np.int64(5))
    assert env.position() == Game.deal(Rules(), 5).position != zero
    for seed in (-1, 2**64, 1.0, "1", True):
        with pytest.raises(ValueError, match="seed: found"):
            env.reset(seed=seed)
    assert env.position() == Game.deal(Rules(), 5).position


# Rewards and eliminations


@pytest.mark.parametrize(
    ("options", "reward"),
    [(options, "win") for options in VARIANTS]
    + [(options, "points") for options in VARIANTS if options["variant"] == "advanced"],
)
def test_rewards_are_zero_sum(options, reward):
    env = red7_v0.raw_env(**options, reward=reward)
    choose = random_policy(9)
    env.reset(seed=2)
    for _ in range(2 if options["match"] else 8):
        paid = play(env, choose)
        scores, winners = env.game().scores, env.game().winners
        assert sum(paid.values()) == pytest.approx(0)
        for seat, points in enumerate(scores):
            other = (sum(scores) - points) / (len(scores) - 1)
            win = 1 if seat in winners else -1 / (len(scores) - 1)
            expected = points - other if reward == "points" else win
            if reward == "points" or len(winners) == 1:
                assert paid[f"player_{seat}"] == pytest.approx(expected)
        env.reset()


def find_elimination(env, order, attempts=4000):
    """Play until the seats go out in this order, each by a pass; return what was seen at each step."""
    choose = random_policy(0)
    env.reset(seed=0)
    for _ in range(attempts):
        left, seen = list(order), []
        for agent, last in steps(env, lambda mask, left=left: pick(env, mask, left, choose)):
            if last[2]:
                seen.append((agent, last[1], len(env.agents)))
        # The last loser and the winner leave at the same time, in the order of their seats.
        early, winner = [int(agent[-1]) for agent, _, _ in seen[:-2]], max(seen, key=itemgetter(1))[0]
        if early == [*order[:-1]] and int(winner[-1]) not in order:
            return seen
        env.reset()
    raise AssertionError(f"no game in {attempts} with the order {order}")


def pick(env, mask, left, choose):
    """Pass when it is the seat's time to go out, else stay in if that is offered."""
    seat = int(env.agent_selection[-1])
    if left and seat == left[0] and mask[PASS]:
        left.pop(0)
        return PASS
    others = mask.copy()
    others[PASS] = 0
    return choose(others if others.any() else mask)


@pytest.mark.parametrize("actions", [None, "revised"])
@pytest.mark.parametrize("players", [3, 4])
def test_every_order_of_elimination(players, actions):
    env = red7_v0.env(num_players=players, actions=actions)
    for order in itertools.permutations(range(players), players - 1):
        seen = find_elimination(env, order)
        winner = f"player_{({*range(players)} - {*order}).pop()}"
        assert {agent: reward for agent, reward, _ in seen} == pytest.approx(
            {f"player_{seat}": -1 / (players - 1) for seat in order} | {winner: 1.0}
        )
        # Each agent that is out has left before the next one moves; the last two leave together.
        assert [count for _, _, count in seen] == [*range(players, 0, -1)]
        assert env.agents == []


def test_a_seat_that_is_out_leaves_at_once_and_the_rest_play_on():
    env = red7_v0.env(num_players=3)
    env.reset(seed=1)
    first = env.agent_selection
    env.step(PASS)
    assert env.agent_selection == first
    observation, reward, terminated, truncated, _ = env.last()
    assert (reward, terminated, truncated) == (-0.5, True, False)
    assert type(terminated) is bool
    assert not observation["action_mask"].any()
    assert env.rewards == {agent: -0.5 if agent == first else 0.0 for agent in env.possible_agents}
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    env.step(None)
    following = f"player_{(int(first[-1]) + 1) % 3}"
    assert env.agent_selection == following
    assert first not in env.agents
    assert first not in env.rewards
    assert env.rewards == dict.fromkeys(env.agents, 0)
    assert set(play(env, random_policy(1))) == set(env.possible_agents) - {first}


def test_in_a_match_a_seat_only_sits_out_the_round():
    env = red7_v0.env(num_players=3, variant="advanced", match=True)
    env.reset(seed=1)
    env.step(PASS)
    assert not any(env.terminations.values())
    while len(env.game().rounds) == 1:
        assert env.agents == env.possible_agents
        env.step(PASS)
    assert not any(env.terminations.values())
    paid = play(env, random_policy(1))
    assert sorted(paid.values()) == [-0.5, -0.5, 1.0]


def test_where_points_are_paid_a_seat_that_is_out_waits_for_them():
    env = red7_v0.env(num_players=3, variant="advanced", reward="points")
    env.reset(seed=1)
    out = env.agent_selection
    env.step(PASS)
    assert env.agent_selection != out
    assert not any(env.terminations.values())
    moved = [agent for agent, last in steps(env, random_policy(1)) if not last[2]]
    assert out not in moved
    assert env.agents == []


# Observations


def test_spaces():
    env = red7_v0.env(num_players=4, actions="first", dtype=np.float32, features="base")
    env.reset(seed=0)
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert space is env.observation_space(agent)
        assert space["observation"].shape == (size(env.settings.rules, "base"),)
        assert env.action_space(agent).n == 248
        assert space.contains(env.observe(agent))
        assert env.observe(agent)["observation"].dtype == np.float32
        assert env.observe(agent)["action_mask"].dtype == np.int8
    assert red7_v0.env().action_space("player_1").n == 101
    assert list(env.action_spaces) == list(env.observation_spaces) == env.possible_agents
    assert env.state_space.contains(env.state())
    with pytest.raises(ValueError, match="agent: found 'player_4', expected player_0 to player_3"):
        env.observe("player_4")
    for ask in (env.observation_space, env.action_space, env.observe):
        with pytest.raises(ValueError, match="agent: found"):
            ask(["player_0"])


def test_float_observations_are_the_same_bits():
    bits, floats = red7_v0.env(), red7_v0.env(dtype="float32")
    bits.reset(seed=4)
    floats.reset(seed=4)
    assert (bits.observe("player_0")["observation"] == floats.observe("player_0")["observation"]).all()


def test_observations_are_fresh_arrays():
    env = red7_v0.raw_env()
    env.reset(seed=3)
    agent = env.agent_selection
    kept = env.observe(agent)
    bytes_before = kept["observation"].tobytes(), kept["action_mask"].tobytes()
    play(env, random_policy(0))
    assert (kept["observation"].tobytes(), kept["action_mask"].tobytes()) == bytes_before
    env.reset(seed=3)
    spoiled = env.observe(agent)
    spoiled["action_mask"][:] = 1
    spoiled["observation"][:] = 0
    assert env.observe(agent)["action_mask"].tobytes() == bytes_before[1]


def test_a_mask_that_was_written_to_changes_no_offer():
    env = red7_v0.raw_env(illegal="raise")
    env.reset(seed=3)
    mask = env.observe(env.agent_selection)["action_mask"]
    refused = int(np.flatnonzero(mask == 0)[0])
    mask[refused] = 1
    with pytest.raises(IllegalMoveError):
        env.step(refused)


# Copies


def twins(env):
    pickled = pickle.loads(pickle.dumps(env))  # noqa: S301 - its own
    return {"deepcopy": copy.deepcopy(env), "pickle": pickled, "clone": env.clone()}


@pytest.mark.parametrize("wrap", [lambda env: env, standard, lambda env: BaseWrapper(standard(env))])
@both_makers
@pytest.mark.parametrize("options", [VARIANTS[0], VARIANTS[11], VARIANTS[26]], ids=name_of)
def test_copies_go_on_identically(options, make, wrap):
    env = wrap(make(**options))
    env.reset(seed=8)
    choose = random_policy(2)
    for _ in range(4):
        env.step(pick(env, env.last()[0]["action_mask"], [], choose))
    assert not any(env.terminations.values())
    env.action_space("player_0").seed(3)
    copies = twins(env)
    expected = [run_on(env)]
    for name, twin in copies.items():
        assert twin.unwrapped is not env.unwrapped
        assert [run_on(twin)] == expected, name


def run_on(env):
    """Return the hash of the rest of this game, the next one, and a sample."""
    choose = random_policy(4)
    found = [game_hash(env, choose)]
    env.reset()
    return [*found, game_hash(env, choose), env.action_space("player_0").sample()]


@both_makers
def test_copies_before_reset_and_at_the_end(make):
    for twin in twins(make()).values():
        twin.reset(seed=1)
        assert twin.agents
    env = make()
    env.reset(seed=1)
    play(env, random_policy(0))
    for twin in twins(env).values():
        assert twin.agents == []
        twin.reset()
        assert twin.position() == Game.deal(Rules(), 1, 1).position


def test_a_clone_shares_nothing_that_changes():
    env = red7_v0.env(num_players=3, illegal="eliminate")
    env.reset(seed=1)
    before = env.state().tobytes(), env.position(), dict(env.rewards), list(env.agents), env.record()
    for twin in twins(env).values():
        twin.step(100)
        play(twin, random_policy(0))
    assert (env.state().tobytes(), env.position(), dict(env.rewards), list(env.agents), env.record()) == before


# Moves that are not offered


ILLEGAL = [0, 100, 101, 247, 248, -1, 10**30, None, 1.5, "0", np.int64(-1), np.array([1, 2])]


def illegal_case(illegal, **options):
    env = red7_v0.env(illegal=illegal, **options)
    env.reset(seed=3)
    assert env.observe(env.agent_selection)["action_mask"][0] == 0
    return env, env.agent_selection


@pytest.mark.parametrize("action", ILLEGAL, ids=repr)
def test_illegal_raise(action):
    env, agent = illegal_case("raise")
    before = env.state().tobytes(), env.record()
    with pytest.raises(IllegalMoveError) as error:
        env.step(action)
    check_message(str(error.value), agent, action, env.game())
    assert (env.state().tobytes(), env.record(), env.agent_selection) == (*before, agent)
    assert play(env, random_policy(0))


def check_message(message, agent, action, game):
    assert message.isascii()
    assert "\n" not in message
    assert message.startswith(f"{agent}: found ")
    assert all(move in message for move in game.moves())
    if isinstance(action, int) and 0 <= action < 248:
        assert move_words(action) in message


@pytest.mark.parametrize("action", ILLEGAL, ids=repr)
def test_illegal_terminate(action, caplog):
    env, agent = illegal_case("terminate", num_players=3)
    game = env.game()
    env.step(action)
    assert env.terminations == env.truncations == dict.fromkeys(env.possible_agents, True)
    assert env.rewards == {other: -1.0 if other == agent else 0.0 for other in env.possible_agents}
    check_message(env.infos[agent]["illegal"], agent, action, game)
    assert env.infos[agent]["illegal"] in caplog.text
    assert not any(env.observe(other)["action_mask"].any() for other in env.possible_agents)
    paid = play(env, random_policy(0))
    assert paid == {other: -1.0 if other == agent else 0.0 for other in env.possible_agents}
    assert json.loads(env.record())["winners"] == []
    env.reset()
    assert env.observe(env.agent_selection)["action_mask"].any()
    assert env.infos == {other: {} for other in env.possible_agents}


@pytest.mark.parametrize("action", ILLEGAL, ids=repr)
def test_illegal_eliminate(action, caplog):
    env, agent = illegal_case("eliminate", num_players=3)
    game = env.game()
    env.step(action)
    check_message(env.infos[agent]["illegal"], agent, action, game)
    assert env.infos[agent]["illegal"] in caplog.text
    assert env.terminations == {other: other == agent for other in env.possible_agents}
    paid = play(env, random_policy(0))
    assert paid[agent] == -0.5
    assert sum(paid.values()) == pytest.approx(0)
    verify_record(json.loads(env.record()))


def test_illegal_eliminate_in_the_middle_of_a_turn_takes_it_back():
    env = red7_v0.env(variant="advanced", actions="revised", match=True, num_players=3, illegal="eliminate")
    env.reset(seed=1)
    choose = random_policy(5)
    forfeits = 0
    for agent in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        mask = observation["action_mask"]
        if terminated or mask[PASS] or forfeits == 5:
            env.step(None if terminated else choose(mask))
            assert not any(env.infos.values())
            continue
        forfeits += 1
        parts, rounds = seats_of(env), len(env.game().rounds)
        env.step(PASS)
        assert "illegal" in env.infos[agent]
        if len(env.game().rounds) == rounds:
            parts[int(agent[-1])] = "x"
            assert seats_of(env) == parts
    assert forfeits == 5
    verify_record(json.loads(env.record()))


def seats_of(env):
    """Return what each seat holds at the start of the turn, as text."""
    return env.position().split()[2].split("/")


def test_the_checks_are_those_of_the_standard_wrappers():
    """Step by step the same as PettingZoo's wrappers around an environment without checks of its own."""
    own, wrapped = red7_v0.env(num_players=3), standard(red7_v0.raw_env(num_players=3, illegal="raise"))
    for seed in range(20):
        own.reset(seed=seed)
        wrapped.reset(seed=seed)
        choose = random_policy(seed)
        for count in itertools.count():
            assert own.agents == wrapped.agents
            if not own.agents:
                break
            (seen, *rest), (wrapped_seen, *wrapped_rest) = own.last(), wrapped.last()
            infos = rest.pop(), wrapped_rest.pop()
            assert rest == wrapped_rest
            assert (seen["observation"] == wrapped_seen["observation"]).all()
            assert own.rewards == wrapped.rewards
            assert own.agent_selection == wrapped.agent_selection
            assert infos == ({}, {}) or "illegal" in infos[0]
            action = None if rest[1] else 100 if count == seed else choose(seen["action_mask"])
            own.step(action)
            wrapped.step(action)


# The order of calls


@pytest.mark.parametrize("make", [red7_v0.env, lambda: standard(red7_v0.raw_env())], ids=["own", "standard"])
def test_before_reset(make):
    env = make()
    for name in ("agents", "rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents"):
        with pytest.raises(AttributeError, match="cannot be accessed before reset"):
            getattr(env, name)
    for call in (
        lambda: env.step(0),
        lambda: env.observe("player_0"),
        env.state,
        env.render,
        env.agent_iter,
    ):
        with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before"):
            call()
    assert not hasattr(env, "no_such_thing")


@pytest.mark.parametrize("make", [red7_v0.env, lambda: standard(red7_v0.raw_env())], ids=["own", "standard"])
def test_a_loop_without_a_step(make):
    env = make()
    env.reset(seed=0)
    with pytest.raises(AssertionError, match=r"need to call step\(\) or reset\(\)"):
        for _ in env.agent_iter():
            pass
    env.reset()
    assert len(list(zip(range(3), env.agent_iter(1), strict=False))) == 1


@pytest.mark.parametrize("make", [red7_v0.env, lambda: standard(red7_v0.raw_env())], ids=["own", "standard"])
def test_a_step_after_the_end_warns(make, caplog, capsys):
    env = make()
    env.reset(seed=0)
    play(env, random_policy(0))
    env.step(0)
    assert "step() called after all agents are terminated" in caplog.text + capsys.readouterr().out


# Text forms


@every_variant
def test_records_can_be_verified(options):
    env = red7_v0.env(**options)
    for seed in range(3):
        env.reset(seed=seed)
        play(env, random_policy(seed))
        record = json.loads(env.record([f"name {seat}" for seat in range(options["num_players"])]))
        verify_record(record)
        assert (record["seed"], record["index"]) == (seed, 0)


def test_the_record_of_a_game_under_way():
    env = red7_v0.env()
    env.reset(seed=2)
    play_to = next(move for move in offered(env.observe(env.agent_selection)["action_mask"]) if move < 49)
    env.step(play_to)
    record = json.loads(env.record())
    assert record["players"] == env.possible_agents
    assert record["rounds"][0]["turns"] == [" ".join(env.game().turn)]
    assert record["rounds"][0]["winner"] is None
    assert record["winners"] == []
    with pytest.raises(Red7Error, match="winner"):
        verify_record(record)
    with pytest.raises(Red7Error, match="players: found 1 names, expected 2"):
        env.record(["one"])
    with pytest.raises(Red7Error, match="players"):
        env.record("ab")


@every_variant
def test_a_game_can_begin_at_a_position(options):
    env, again = red7_v0.env(**options), red7_v0.env(**options)
    env.reset(seed=6)
    choose = random_policy(6)
    for count, _ in enumerate(steps(env, choose)):
        if count == 7:
            break
    if not env.agents or all(env.terminations.values()):
        env.reset()
    env.agents, game = env.possible_agents, env.game()
    turns = " ".join(game.turn)
    again.reset(seed=0, options={"position": env.position(), "turns": turns, "other": 1})
    assert again.position() == env.position()
    assert again.game().turn == game.turn
    assert not again.terminations[f"player_{game.to_move}"]
    assert (again.observe(f"player_{game.to_move}")["action_mask"] == game.mask).all()
    out = [seat for seat, part in enumerate(env.position().split()[2].split("/")) if part == "x"]
    early = not options["match"]
    assert [again.terminations[f"player_{seat}"] for seat in out] == [early] * len(out)
    paid = play(again, choose)
    assert sum(paid.values()) == pytest.approx(0)
    assert again.game().rounds[0].position == env.position()
    again.reset(options={"position": parse_position(env.position())})
    assert again.position() == env.position()


def test_a_position_that_is_refused_leaves_the_game_alone():
    env = red7_v0.env()
    env.reset(seed=1)
    before = env.record()
    over = "basic - R7:R6/x 0 -"
    for position, message in [
        ("nonsense", "position"),
        (over, "a game that is over"),
        ("advanced - R7:R6/R5:R4 0 -", "found advanced:2p, expected basic:2p"),
        (7, "position"),
    ]:
        with pytest.raises(Red7Error, match=message):
            env.reset(options={"position": position})
        assert env.record() == before
    with pytest.raises(IllegalMoveError):
        env.reset(options={"position": env.position(), "turns": "*"})
    with pytest.raises(Red7Error, match="turns: found a value of type list"):
        env.reset(options={"position": env.position(), "turns": ["#"]})
    assert env.record() == before


def test_a_match_can_begin_where_a_round_has_ended():
    env = red7_v0.env(variant="advanced", match=True)
    env.reset(seed=1, options={"position": "advanced - R7:R6/x 0 O1O2O3O4O5O6O7Y1Y2Y3Y4Y5Y6Y7G1G2G3G4G5G6G7 -/-"})
    assert env.game().rounds[0].winner == 0
    assert len(env.game().rounds) == 2
    assert env.agents == env.possible_agents


# Settings


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 5}, "players: found 5"),
        ({"num_players": "2"}, "players: found '2'"),
        ({"variant": "expert"}, "variant: found 'expert'"),
        ({"actions": "third"}, "actions: found 'third'"),
        ({"actions": True}, "actions: found True"),
        ({"match": True}, "match: found True with basic"),
        ({"match": 1}, "match: found 1"),
        ({"reward": "points"}, "reward: found 'points' with basic"),
        ({"reward": "score"}, "reward: found 'score', expected 'win' or 'points'"),
        ({"deck": (8, 7, 7)}, "deck shape: colours: found 8"),
        ({"deck": (2, 2, 7)}, "deck shape: found 2x2x7"),
        ({"dtype": "int64"}, "dtype: found int64, expected uint8 or float32"),
        ({"dtype": None}, "dtype: found None"),
        ({"dtype": "no type"}, "dtype: found 'no type'"),
        ({"illegal": "ignore"}, "illegal: found 'ignore', expected 'terminate' or 'raise' or 'eliminate'"),
        ({"illegal": None}, "illegal: found None"),
        ({"render_mode": "window"}, "render_mode: found 'window'"),
        ({"features": ["base"]}, "features: found a value of type list"),
    ],
)
def test_settings_that_do_not_exist(options, message):
    with pytest.raises(ValueError, match=message) as error:
        red7_v0.env(**options)
    assert "\n" not in str(error.value)


def test_small_decks():
    env = red7_v0.env(deck=(3, 4, 2), num_players=3)
    env.reset(seed=0)
    assert " basic@3x4x2 "[1:-1] == env.position().split()[0]
    assert sum(play(env, random_policy(0)).values()) == pytest.approx(0)


# Names


def test_registered_with_pettingzoo():
    assert pettingzoo.make("aec", "red7-v0", num_players=3).possible_agents == ["player_0", "player_1", "player_2"]
    assert isinstance(pettingzoo.make("aec", "red7_v0"), red7_v0.raw_env)
    red7_env.register_all()  # again, without a warning


def test_metadata():
    assert str(red7_v0.env()) == "red7_v0"
    assert red7_v0.env().metadata["observation_version"] == OBSERVATION_VERSION
    assert red7_v0.env().metadata["is_parallelizable"] is False
    assert repr(red7_v0.raw_env(num_players=3)) == "<Red7Env basic:3p>"
    assert red7_v0.env().unwrapped.unwrapped.max_num_agents == 2


def test_import_loads_no_extra():
    code = "import sys; from red7_env import red7_v0, gym_env; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"torch", "matplotlib", "stable_baselines3", "pygame", "ray"}.isdisjoint(loaded)


def test_importing_the_package_loads_no_kernels():
    code = "import sys, red7_env; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"numba", "red7_env.red7_v0"}.isdisjoint(loaded)


# The documentation page


def test_the_page_has_the_observation_table():
    assert f"\n\n{describe(Rules())}\n\n" in red7_v0.__doc__


def test_the_page_has_the_arguments_with_their_defaults():
    import inspect

    rows = [line.split("|") for line in red7_v0.__doc__.partition("## Arguments")[2].splitlines() if line[:3] == "| `"]
    documented = {row[1].strip(" `"): row[2].strip(" `").replace('"', "'") for row in rows}
    parameters = inspect.signature(red7_v0.env).parameters
    arguments = {name: repr(parameter.default) for name, parameter in parameters.items()}
    arguments["dtype"] = "uint8"
    assert dict(list(documented.items())[: len(arguments)]) == arguments


def test_the_page_has_the_version():
    rules, observation = (red7_v0.env().metadata[name] for name in ("rules_version", "observation_version"))
    assert f"(rules {rules}, observation {observation})" in red7_v0.__doc__


# Memory


def grown(games):
    """Return by how many bytes memory has grown after so many games."""
    env = red7_v0.env(num_players=3, variant="advanced", actions="revised")
    choose = random_policy(0)
    env.reset(seed=0)
    for _ in range(20):
        play(env, choose)
        env.reset()
    gc.collect()
    tracemalloc.start()
    try:
        for _ in range(games):
            play(env, choose)
            env.reset()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_memory_stays_flat():
    assert grown(300) < 40_000


@pytest.mark.slow
def test_memory_stays_flat_over_100_000_games():
    assert grown(100_000) < 40_000
