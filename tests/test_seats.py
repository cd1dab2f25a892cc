"""Batches of games with learners: the games are those of the engine, and every learner sees how its game ends."""

import copy
import hashlib
import pickle
import re
import tracemalloc

import numpy as np
import pytest

from agents import make
from red7_env.game import Game, IllegalMoveError, Rules
from red7_env.game.moves import PASS
from red7_env.game.state import ROUND_OVER, STATE
from red7_env.lineups import name_of as opponent_name
from red7_env.opponents import RandomMoves
from red7_env.seats import LearnerSeats
from tests.env_cases import VARIANTS, name_of
from tests.seat_cases import Ended, Hashed, Quitter, choices, learner_game, picked, seats

every_variant = pytest.mark.parametrize("options", VARIANTS, ids=name_of)
some_variants = pytest.mark.parametrize("options", [VARIANTS[0], VARIANTS[11], VARIANTS[26]], ids=name_of)
PAID = [(options, "win") for options in VARIANTS] + [
    (options, "points") for options in VARIANTS if options["variant"] == "advanced"
]


def rules_of(options):
    return Rules(options["num_players"], options["variant"], options["actions"], options["match"])


def random_step(games, rng):
    chances = rng.random(games.mask.shape) * games.mask
    games.step(chances.argmax(axis=1))


def trajectory_hash(games, steps):
    """Play on by the masks; return the hash of all that was seen."""
    digest = hashlib.sha256()
    for _ in range(steps):
        games.step(choices(games.mask))
        for seen in (games.obs, games.mask, games.rewards, games.done, games.slots, games.final_obs()):
            digest.update(seen.tobytes())
    return digest.hexdigest()


def pickled(games):
    return pickle.loads(pickle.dumps(games))  # noqa: S301 - just written


# The games are those of the engine


class Follower:
    """Plays the games of one slot by the readable engine beside the slot."""

    def __init__(self, rules, opponents, reward, number, ahead):
        self.rules, self.opponents, self.reward = rules, opponents, reward
        self.number, self.ahead = number - ahead, ahead
        self.ended = None
        self.begin()

    def begin(self):
        """Go on to the next game that comes to the learner."""
        self.shown = Ended
        while isinstance(self.shown, type | Ended):
            self.number += self.ahead
            self.seat = self.number % self.rules.players
            self.play = learner_game(Game.deal(self.rules, 3, self.number), self.seat, self.opponents, self.reward)
            self.shown = next(self.play)

    def step(self):
        self.ended, self.shown = None, next(self.play)
        if isinstance(self.shown, Ended):
            self.ended = self.shown
            self.begin()


@pytest.mark.parametrize(("options", "reward"), PAID, ids=str)
def test_games_are_those_of_the_engine_move_by_move(options, reward):
    rules = rules_of(options)
    opponents = [Hashed(number) for number in range(rules.players - 1)]
    games = seats(5, opponents, reward=reward, **options)
    games.reset(3)
    followers = [Follower(rules, opponents, reward, number, 5) for number in range(5)]
    for _ in range(60):
        shown = [np.stack(rows) for rows in zip(*(follower.shown for follower in followers), strict=True)]
        assert (games.obs == shown[0]).all()
        assert (games.mask == shown[1]).all()
        assert games.slots["game"].tolist() == [follower.number for follower in followers]
        assert games.slots["seat"].tolist() == [follower.seat for follower in followers]
        games.step(choices(games.mask))
        for follower in followers:
            follower.step()
        ended = [follower.ended for follower in followers]
        assert games.done.tolist() == [end is not None for end in ended]
        assert games.rewards.tolist() == [end.reward if end else 0 for end in ended]
        last = [(slot, end) for slot, end in enumerate(ended) if end]
        for (slot, end), seen in zip(last, games.final_obs(), strict=True):
            assert (seen == end.observation).all()
            assert games.final_states[slot : slot + 1].tobytes() == end.game.state.tobytes()


def test_an_agent_plays_the_same_in_a_batch_and_alone():
    greedy, rules = make("greedy"), Rules()
    games = seats(64, greedy)
    games.reset(3)
    followers = [Follower(rules, [greedy], "win", number, 64) for number in range(64)]
    for _ in range(30):
        games.step(choices(games.mask))
        for follower in followers:
            follower.step()
        assert (games.obs == np.stack([follower.shown[0] for follower in followers])).all()


@some_variants
def test_games_do_not_depend_on_the_size_of_the_batch(options):
    """Game k has the same course, seat and lineup in a batch of 4 and of 12."""
    opponents = {Hashed(1): 1, Hashed(2): 2}
    courses = []
    for size in (4, 12):
        games, found, course = seats(size, opponents, **options), {}, {}
        games.reset(8)
        for _ in range(150 if options["match"] else 60):
            for slot, (game, seat, lineup, _) in enumerate(games.slots.tolist()):
                seen = games.obs[slot].tobytes() + games.mask[slot].tobytes()
                course.setdefault(game, [(seat, lineup)]).append(hashlib.sha256(seen).digest())
            games.step(choices(games.mask))
            for slot in np.flatnonzero(games.done):
                game = int(games.final_slots["game"][slot])
                found[game] = (course[game], games.rewards[slot], games.final_states[slot].tobytes())
        courses.append(found)
    both = courses[0].keys() & courses[1].keys()
    assert len(both) >= 3
    assert all(courses[0][game] == courses[1][game] for game in both)


@some_variants
def test_the_same_seed_gives_the_same_games(options):
    opponents = {RandomMoves(): 1.0, Hashed(): 1.0}
    games = seats(6, opponents, seat="random", **options)
    hashes = []
    for seed in (5, 6, 5):
        games.reset(seed)
        hashes.append(trajectory_hash(games, 40))
    assert hashes[0] == hashes[2] != hashes[1]


def test_without_a_seed_each_slot_goes_on_to_its_next_game():
    games = seats(3, Hashed())
    games.reset(1)
    games.reset()
    assert games.slots["game"].tolist() == [3, 4, 5]
    with pytest.raises(ValueError, match=re.escape("seed: found None, expected 0 to 18446744073709551615")):
        seats(3).reset()


# Every learner sees how its game ends


@pytest.mark.parametrize(("options", "reward"), PAID, ids=str)
def test_every_game_ends_with_a_reward_from_every_seat(options, reward):
    players, rng = options["num_players"], np.random.default_rng(2)
    games = seats(24, reward=reward, **options)
    games.reset(4)
    signs = {seat: set() for seat in range(players)}
    for _ in range(600):
        random_step(games, rng)
        assert not games.rewards[~games.done].any()
        for slot in np.flatnonzero(games.done):
            signs[int(games.final_slots["seat"][slot])].add(np.sign(games.rewards[slot]))
            assert games.slots["moves"][slot] == 0
        if all({-1, 1} <= found for found in signs.values()):
            break
    assert all({-1, 1} <= found for found in signs.values())
    assert reward == "points" or all(found == {-1, 1} for found in signs.values()) or options["match"]


def test_a_learner_that_is_out_of_a_round_is_done_while_the_others_play_on():
    games = seats(8, Hashed(), num_players=4)
    games.reset(1)
    games.step(np.full(8, PASS))
    assert games.done.all()
    assert games.rewards.tolist() == [-1 / 3] * 8
    assert (games.final_states["phase"] < ROUND_OVER).all()
    assert (games.final_slots["moves"] == 1).all()
    assert games.slots["game"].tolist() == [game + 8 for game in range(8)]
    assert games.mask.any(axis=1).all()


def test_a_learner_that_is_out_waits_for_the_end_where_points_are_paid():
    games = seats(8, Hashed(), num_players=4, variant="advanced", reward="points")
    games.reset(1)
    games.step(np.full(8, PASS))
    assert games.done.all()
    assert (games.final_states["phase"] == ROUND_OVER).all()
    assert (games.rewards < 0).any()


def test_a_learner_that_is_out_sits_out_the_round_of_a_match():
    games = seats(8, Hashed(), num_players=3, variant="advanced", match=True)
    games.reset(1)
    games.step(np.full(8, PASS))
    assert not games.done.any()
    assert (games._states["round"] == 1).all()


def test_games_that_end_before_the_learner_moves_are_passed_over():
    games = seats(4, Quitter(), seat=0)
    games.reset(0)
    seen = []
    for _ in range(20):
        seen += games.slots["game"].tolist()
        assert (games._states["to_move"] == 0).all()
        games.step(np.full(4, PASS))
    passed = set(range(max(seen))) - set(seen)
    begun_by_other = [Game.deal(Rules(), 0, game).to_move == 1 for game in sorted(passed)]
    assert len(passed) > 20
    assert np.mean(begun_by_other[: len(passed) // 2]) == 1
    assert games.passed_over > 20
    assert games.final_slots["moves"].tolist() == [1] * 4


# Opponents


def test_opponents_are_shown_views_of_their_own_and_real_choices():
    class Watcher(Hashed):
        asked = 0

        def act(self, views, masks, rng):
            assert views.dtype == STATE
            assert (views["viewer"] == views["to_move"]).all()
            assert (masks.sum(axis=1) > 1).all()
            assert masks.flags.c_contiguous
            assert isinstance(rng, np.random.Generator)
            self.asked += len(views)
            return super().act(views, masks, rng)

    watcher = Watcher()
    games = seats(16, watcher, num_players=3, variant="advanced", actions="revised")
    games.reset(1)
    trajectory_hash(games, 10)
    assert watcher.asked > 100


def test_lineups_share_the_games():
    greedy, other = make("greedy"), Hashed()
    games = seats(4000, {greedy: 3, (other, greedy): 1, None: 4}, num_players=3)
    games.reset(0)
    parts = np.bincount(games.slots["lineup"]) / 4000
    assert np.abs(parts - [3 / 8, 1 / 8, 4 / 8]).max() < 0.03
    assert list(games.lineup_names) == ["greedy", "Hashed, greedy", "RandomMoves"]
    assert len(games._lineups.opponents) == 3


def test_opponents_sit_in_turn_order_after_the_learner():
    class Noting(Hashed):
        def __init__(self):
            super().__init__()
            self.seats = set()

        def act(self, views, masks, rng):
            self.seats |= set(views["to_move"].tolist())
            return super().act(views, masks, rng)

    noting = [Noting() for _ in range(3)]
    games = seats(4, noting, seat=2, num_players=4)
    games.reset(3)
    trajectory_hash(games, 20)
    assert [noted.seats for noted in noting] == [{3}, {0}, {1}]


def test_functions_may_play():
    shown = []

    def last_offered(observation):
        shown.append(observation)
        return np.flatnonzero(observation["action_mask"])[-1]

    class Last:
        def act(self, _views, masks, _rng):
            return np.array([np.flatnonzero(mask)[-1] for mask in masks])

    hashes = []
    for opponent in (last_offered, Last()):
        games = seats(8, opponent, features="base")
        games.reset(2)
        hashes.append(trajectory_hash(games, 15))
    assert hashes[0] == hashes[1]
    assert shown[0]["observation"].shape == games.obs.shape[1:]
    assert opponent_name(last_offered) == "last_offered"


def test_other_opponents_take_over_at_once():
    first, second = Hashed(1), Hashed(2)
    games, fresh = (seats(8, opponent, **VARIANTS[0]) for opponent in (first, second))
    games.set_opponents(second)
    for each in (games, fresh):
        each.reset(3)
    assert trajectory_hash(games, 10) == trajectory_hash(fresh, 10)
    games.set_opponents({first: 1, second: 1})
    assert set(games.slots["lineup"].tolist()) == {0, 1}
    with pytest.raises(ValueError, match="opponents: found"):
        games.set_opponents({first: -1})
    trajectory_hash(games, 5)


@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        ([Hashed()] * 2, "opponents: found 2, expected one for all other seats, or 3"),
        ({(Hashed(), Hashed()): 1}, "opponents: found 2, expected one for all other seats, or 3"),
        ("greedy", "opponents: found 'greedy', expected"),
        ({Hashed(): 0}, "opponents: found the share 0, expected a number above 0"),
        ({Hashed(): float("nan")}, "opponents: found the share nan, expected a number above 0"),
        ({Hashed(): "all"}, "opponents: found the share 'all', expected a number above 0"),
        ({}, "opponents: found none with a share, expected at least one"),
    ],
    ids=range(7),  # the same in every process, unlike the text of an object
)
def test_opponents_that_are_refused(opponents, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        seats(2, opponents, num_players=4)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda masks: np.zeros(len(masks)), "opponents: found moves float64 of shape"),
        (lambda _: np.zeros(1, int), "opponents: found moves int64 of shape (1,), expected whole numbers of shape"),
        (lambda masks: masks.argmin(axis=1), r"opponent at seat 1 of game"),
        (lambda masks: np.full(len(masks), 500), "found id 500, expected one of"),
    ],
)
def test_answers_that_are_refused(answer, message):
    class Wrong:
        def act(self, _views, masks, _rng):
            return answer(masks)

    games = seats(16, Wrong(), seat=0)
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        games.reset(1)
    assert "\n" not in str(caught.value)
    with pytest.raises(RuntimeError, match=re.escape("expected reset() first")):
        games.step(choices(games.mask))
    games.set_opponents(Hashed())
    games.reset(1)
    trajectory_hash(games, 3)


# Moves that are not offered


def test_a_refused_move_changes_nothing():
    games = seats(6, Hashed(), illegal="raise")
    games.reset(1)
    games.step(choices(games.mask))
    before = pickle.dumps(games)
    actions = choices(games.mask)
    actions[4] = games.mask[4].argmin()
    with pytest.raises(IllegalMoveError, match=r"^game in slot 4: found \S+ \(.*\), expected one of ") as caught:
        games.step(actions)
    assert "\n" not in str(caught.value)
    assert pickle.dumps(games) == before


def test_a_game_is_terminated_by_a_move_that_is_not_offered():
    games = seats(6, Hashed(), num_players=3)
    games.reset(1)
    actions = choices(games.mask)
    actions[2], actions[5] = -7, 10**12
    views = games.views()
    games.step(actions)
    assert games.rewards[[2, 5]].tolist() == [-1, -1]
    assert games.done[[2, 5]].all()
    assert sorted(games.refusals) == [2, 5]
    assert games.refusals[2].startswith("found id -7, expected one of ")
    assert games.final_states["hands"][2, games.final_slots["seat"][2]] == views["hands"][2, views["viewer"][2]]
    games.step(choices(games.mask))
    assert games.refusals == {}


def test_a_turn_is_taken_back_by_a_move_that_is_not_offered():
    """A play is taken back, and the learner passes; what follows is the same as if it had passed at once."""
    options = {"num_players": 3, "variant": "advanced", "match": True}
    games, passing = (seats(8, Hashed(), illegal="eliminate", **options) for _ in range(2))
    for each in (games, passing):
        each.reset(1)
    plays = np.array([picked(mask, 0) for mask in games.mask])
    games.step(plays)
    unfinished = np.flatnonzero(games.views()["last"] < 49)
    assert len(unfinished) > 2
    actions = choices(games.mask)
    actions[unfinished] = PASS
    assert not games.mask[unfinished, PASS].any()
    games.step(actions)
    passing.step(np.full(8, PASS))
    assert sorted(games.refusals) == unfinished.tolist()
    assert (games.obs[unfinished] == passing.obs[unfinished]).all()


@pytest.mark.parametrize(
    ("actions", "found"),
    [
        (np.zeros(3), "float64 of shape (3,)"),
        (np.zeros((3, 1), int), "int64 of shape (3, 1)"),
        (5, "int64 of shape ()"),
        (np.zeros(3, bool), "bool of shape (3,)"),
    ],
)
def test_actions_of_another_shape_or_dtype(actions, found):
    games = seats(3)
    games.reset(1)
    with pytest.raises(ValueError, match=re.escape(f"actions: found {found}, expected whole numbers of shape (3,)")):
        games.step(actions)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_games": 0}, "num_envs: found 0, expected a whole number from 1"),
        ({"num_games": 2.5}, "num_envs: found 2.5, expected a whole number from 0"),
        ({"seat": 2}, "seat: found 2, expected 0 to 1, 'rotate' or 'random'"),
        ({"seat": True}, "seat: found True, expected 0 to 1"),
        ({"seat": "first"}, "seat: found 'first', expected 0 to 1"),
        ({"reward": "points"}, "reward: found 'points' with basic"),
    ],
    ids=str,
)
def test_arguments_that_are_refused(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        seats(**({"num_games": 2} | arguments))


# Buffers and copies


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_an_observation_lasts_until_the_step_after_the_next(dtype):
    games = seats(16, Hashed(), dtype=dtype)
    games.reset(1)
    assert games.obs.dtype == dtype
    first, kept = games.obs, games.obs.copy()
    games.step(choices(games.mask))
    assert not np.shares_memory(games.obs, first)
    assert (first == kept).all()
    games.step(choices(games.mask))
    assert games.obs is first
    assert games.final_obs().dtype == dtype


@some_variants
@pytest.mark.parametrize("copied", [copy.deepcopy, pickled, LearnerSeats.clone])
def test_copies_go_on_identically(options, copied):
    games = seats(5, {RandomMoves(): 1, Hashed(): 1}, illegal="eliminate", **options)
    games.reset(6)
    trajectory_hash(games, 7)
    twin = copied(games)
    expected = trajectory_hash(games, 30)
    assert trajectory_hash(twin, 30) == expected


def test_many_games_leave_memory_flat():
    games = seats(256, make("greedy"), num_players=3)
    games.reset(1)
    rng = np.random.default_rng(1)
    ended, used = 0, []
    tracemalloc.start()
    try:
        for _ in range(2):
            for _ in range(600):
                random_step(games, rng)
                ended += int(games.done.sum())
            used.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert ended > 30_000
    assert used[1] - used[0] < 50_000
