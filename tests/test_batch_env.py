"""The batched environment: the same games whatever the batch, paid to the last point."""

import copy
import hashlib
import pickle
import subprocess
import sys
from collections import defaultdict
from itertools import count

import numpy as np
import pytest

from red7_env.batch_env import Red7Batch, random_actions
from red7_env.game import Game, IllegalMoveError, Rules, batch
from red7_env.game.moves import PASS
from red7_env.game.state import MATCH_OVER, NOBODY, ROUND_OVER
from red7_env.observation import FEATURES, encode, size
from tests.alignment import all_rules

FULL = [rules for rules in dict.fromkeys(all_rules()) if rules.deck == (7, 7, 7)]
SMALL = Rules(2, "basic", deck=(3, 4, 2))
RICH = Rules(4, "advanced", "revised", match=True)
ARRAYS = ("obs", "mask", "to_move", "rewards", "done", "final_states", "final_rewards", "games", "states")


def chosen(games: Red7Batch) -> np.ndarray:
    """Choose by what is observed alone, so that a game goes on alike wherever it is played."""
    picks = []
    for row, mask in zip(games.obs, games.mask, strict=True):
        offered = [move for move in np.flatnonzero(mask).tolist() if move != PASS] or [PASS]
        word = hashlib.blake2b(row.tobytes(), digest_size=4).digest()
        picks.append(offered[int.from_bytes(word, "little") % len(offered)])
    return np.array(picks)


def everything(games: Red7Batch) -> list[bytes]:
    return [getattr(games, name).tobytes() for name in ARRAYS]


def histories(games: Red7Batch, first_games: int) -> dict[int, str]:
    """Play until the first games of the seed are over; return a hash of all that happened in each."""
    digests = defaultdict(hashlib.sha256)
    over = {}
    while not set(range(first_games)) <= over.keys():
        actions = chosen(games)
        playing = games.games.tolist()
        for slot, game in enumerate(playing):
            seen = games.obs[slot].tobytes(), games.mask[slot].tobytes(), games.states[slot].tobytes()
            digests[game].update(b"".join([*seen, bytes([games.to_move[slot], actions[slot]])]))
        *_, rewards, done = games.step(actions)
        for slot, game in enumerate(playing):
            digests[game].update(rewards[slot].tobytes())
            if done[slot]:
                digests[game].update(games.final_states[slot].tobytes() + games.final_rewards[slot].tobytes())
                over[game] = digests[game].hexdigest()
    return {game: over[game] for game in range(first_games)}


@pytest.mark.parametrize("rules", FULL, ids=str)
def test_a_game_is_the_same_in_every_batch(rules):
    expected = histories(Red7Batch(1, rules, seed=3), 5)
    for num_games, threads in ((4, 1), (5, 3), (64, 2)):
        assert histories(Red7Batch(num_games, rules, seed=3, threads=threads), 5) == expected


def test_a_game_is_the_same_in_every_process():
    code = f"from tests.test_batch_env import *; print(histories(Red7Batch(6, {RICH!r}, seed=9), 6))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert found.strip() == str(histories(Red7Batch(4, RICH, seed=9), 6))


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("rules", FULL, ids=str)
def test_games_are_those_of_the_engine(rules, features):
    games = Red7Batch(3, rules, seed=11, features=features)
    played = [Game.deal(rules, 11, slot) for slot in range(3)]
    for _ in range(120):
        for slot, game in enumerate(played):
            assert games.states[slot].tobytes() == game.state.tobytes()
            assert games.to_move[slot] == game.to_move
            assert (games.mask[slot] == game.mask).all()
            assert (games.obs[slot] == encode(game.view(game.to_move), game.to_move, features)[0]).all()
        actions = chosen(games)
        games.step(actions)
        for slot, game in enumerate(played):
            game.play(int(actions[slot]))
            if game.round_over and rules.match:
                game.next_round()
            assert games.done[slot] == game.over
            if game.over:
                assert games.final_states[slot].tobytes() == game.state.tobytes()
                played[slot] = Game.deal(rules, 11, int(games.games[slot]))


def test_slots_take_turns_with_the_games_of_the_seed():
    games = Red7Batch(3, SMALL, seed=5)
    begun = [[slot] for slot in range(3)]
    for _ in range(200):
        games.step(games.random_actions())
        for slot in np.flatnonzero(games.done):
            begun[slot].append(int(games.games[slot]))
            assert games.states[slot].tobytes() == batch.deal(SMALL, 1, 5, first=begun[slot][-1])[0].tobytes()
    for slot, numbers in enumerate(begun):
        assert numbers == [slot + 3 * turn for turn in range(len(numbers))]
        assert len(numbers) > 10


def expected_win_rewards(state: np.void, players: int) -> list[float]:
    winners = [seat for seat in range(players) if state["winners"] >> seat & 1]
    pot = [1.0] + [-1 / (players - 1)] * (players - 1)
    share = sum(pot[: len(winners)]) / len(winners)
    return [share if seat in winners else -1 / (players - 1) for seat in range(players)]


def expected_point_rewards(state: np.void) -> list[float]:
    """Return the points' rewards by the engine's own scores."""
    points = Game.from_state(np.array([state])).scores
    return [own - (sum(points) - own) / (len(points) - 1) for own in points]


KINDS = [(rules, reward) for rules in FULL for reward in ("win", "points") if reward == "win" or rules.advanced]


@pytest.mark.parametrize(("rules", "reward"), KINDS, ids=str)
def test_every_game_pays_out_and_sums_to_zero(rules, reward):
    games = Red7Batch(64, rules, seed=2, reward=reward)
    paid = np.zeros((64, rules.players))
    ended = 0
    while ended < 100:
        before = games.states["seats_in"].copy()
        games.step(games.random_actions())
        paid += games.rewards
        still = np.where(games.done, games.final_states["seats_in"], games.states["seats_in"])
        check_early_losses(games, before, still)
        for slot in np.flatnonzero(games.done):
            state = games.final_states[slot]
            if reward == "points":
                expected = expected_point_rewards(state)
            else:
                expected = expected_win_rewards(state, rules.players)
            assert paid[slot] == pytest.approx(expected, abs=1e-5)
            assert games.final_rewards[slot] == pytest.approx(expected, abs=1e-5)
            assert sum(expected) == pytest.approx(0, abs=1e-9)
            assert state["phase"] == (MATCH_OVER if rules.match else ROUND_OVER)
            paid[slot] = 0
            ended += 1


def check_early_losses(games: Red7Batch, before: np.ndarray, still: np.ndarray) -> None:
    """A seat that goes out of a single round loses at once; nothing else is paid before the end."""
    players = games.rules.players
    for slot in np.flatnonzero(~games.done):
        gone = [before[slot] >> seat & ~still[slot] >> seat & 1 for seat in range(players)]
        early = not games.rules.match and games.reward == "win"
        expected = [-1 / (players - 1) if early and out else 0 for out in gone]
        assert games.rewards[slot] == pytest.approx(expected)


def test_a_shared_win_shares_the_sum():
    rules = Rules(3, "advanced", match=True, deck=(7, 2, 3))
    games = Red7Batch(256, rules, seed=1)
    shared = 0
    for _ in range(300):
        games.step(games.random_actions())
        for slot in np.flatnonzero(games.done):
            winners = int(games.final_states[slot]["winners"]).bit_count()
            shared += winners > 1
            assert games.rewards[slot].max() == pytest.approx({1: 1, 2: 0.25, 3: 0}[winners], abs=1e-6)
    assert shared > 3


def test_one_move_can_put_several_seats_out():
    """Whoever has no card left when the turn comes round is out with the same move."""
    games = Red7Batch(256, Rules(4, "basic", deck=(7, 7, 1)), seed=1)
    most = 0
    for _ in range(40):
        games.step(games.random_actions())
        most = max(most, int((games.rewards < 0).sum(axis=1).max()))
    assert most == 3


@pytest.mark.parametrize("threads", [1, 2])
def test_an_action_not_offered_is_refused_and_nothing_changes(threads):
    games = Red7Batch(6, RICH, seed=4, threads=threads)
    for _ in range(30):
        games.step(games.random_actions())
    before = everything(games)
    actions = games.random_actions()
    offered = np.flatnonzero(games.mask[4])
    for action in (int(np.flatnonzero(games.mask[4] == 0)[0]), -1, 248, 2**40, -(2**62)):
        actions[4] = action
        with pytest.raises(IllegalMoveError, match=r"^game 4: found ") as raised:
            games.step(actions)
        assert everything(games) == before
        assert str(raised.value).count("\n") == 0
    assert " expected one of " in str(raised.value)
    actions[4] = offered[0]
    games.step(actions)
    assert everything(games) != before


def test_a_refusal_names_the_move_in_words():
    games = Red7Batch(1, SMALL)
    with pytest.raises(
        IllegalMoveError, match=r"game 0: found \+V1 \(play V1 \(violet 1\) to the palette\), expected one"
    ):
        games.step(np.zeros(1, int))


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.zeros(3, int), r"actions: found int64 of shape \(3,\), expected whole numbers of shape \(2,\)"),
        (np.zeros((2, 1), int), r"actions: found int64 of shape \(2, 1\)"),
        (np.zeros(2), r"actions: found float64 of shape \(2,\)"),
        (np.zeros(2, bool), r"actions: found bool of shape \(2,\)"),
    ],
)
def test_bad_actions_are_named(actions, message):
    with pytest.raises(ValueError, match=message):
        Red7Batch(2).step(actions)


def test_all_whole_numbers_are_taken_for_actions():
    games = Red7Batch(2)
    for dtype in (np.int8, np.int32, np.uint64):
        games.step(games.random_actions().astype(dtype))
    games.step(games.random_actions().tolist())


def test_buffers_are_used_in_place():
    storage = np.full((3, 8, size(RICH, "base")), 9, np.uint8)
    mask = np.full((8, RICH.num_moves), 9, np.int8)
    games = Red7Batch(8, RICH, 7, features="base", obs=storage[1], mask=mask)
    own = Red7Batch(8, RICH, 7, features="base")
    for _ in range(20):
        actions = own.random_actions()
        obs, *_ = games.step(actions)
        own.step(actions)
        assert np.shares_memory(obs, storage[1])
        assert games.mask is mask
        assert (storage[1] == own.obs).all()
        assert (mask == own.mask).all()
    assert (storage[[0, 2]] == 9).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_games": 0}, r"num_games: found 0, expected a whole number from 1"),
        ({"num_games": -1}, r"num_games: found -1, expected a whole number from 0"),
        ({"num_games": 2.5}, r"num_games: found 2.5"),
        ({"threads": 0}, r"threads: found 0, expected a whole number from 1"),
        ({"seed": -1}, r"seed: found -1"),
        ({"features": "raw"}, r"features: found 'raw', expected 'base' or 'derived'"),
        ({"reward": "score"}, r"reward: found 'score', expected 'win' or 'points'"),
        ({"reward": "points"}, r"reward: found 'points' with basic, expected 'win': a basic round has no points"),
        ({"reward": ["win"]}, r"reward: found a value of type list, expected 'win' or 'points'"),
        (
            {"obs": np.zeros((2, 3), np.uint8)},
            r"obs: found uint8 \(2, 3\), expected writeable contiguous uint8 \(2, 584\)",
        ),
        ({"obs": np.zeros((2, 584), np.float32)}, r"obs: found float32"),
        ({"obs": np.zeros((584, 2), np.uint8).T}, r"obs: found uint8"),
        ({"mask": np.zeros((2, 101), np.uint8)}, r"mask: found uint8 \(2, 101\), expected writeable contiguous int8"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        Red7Batch(**{"num_games": 2} | arguments)


def play_on(games: Red7Batch, steps: int) -> list[bytes]:
    for _ in range(steps):
        games.step(games.random_actions())
    return everything(games)


def pickled(games: Red7Batch) -> Red7Batch:
    twin: Red7Batch = pickle.loads(pickle.dumps(games))  # noqa: S301 - its own bytes
    return twin


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("copied", [Red7Batch.clone, copy.deepcopy, pickled])
def test_a_copy_goes_on_alike_and_by_itself(copied, threads):
    games = Red7Batch(7, RICH, seed=6, threads=threads)
    play_on(games, 33)
    twin, still = copied(games), everything(games)
    assert everything(twin) == still
    later = play_on(twin, 40)
    assert everything(games) == still
    assert play_on(games, 40) == later


def test_reset_goes_on_to_the_next_games_or_begins_a_seed():
    games = Red7Batch(4, RICH, seed=8)
    begun = everything(games)
    play_on(games, 25)
    obs, mask, to_move = games.reset(8)
    assert everything(games)[:3] == begun[:3] == [obs.tobytes(), mask.tobytes(), to_move.tobytes()]
    assert not games.done.any()
    assert not games.rewards.any()
    games.reset()
    assert games.games.tolist() == [4, 5, 6, 7]
    assert games.states.tobytes() == batch.deal(RICH, 4, 8, first=4).tobytes()
    games.reset(2**64 - 1)
    assert games.states.tobytes() == batch.deal(RICH, 4, 2**64 - 1).tobytes()


def test_states_cannot_be_written():
    games = Red7Batch(2)
    with pytest.raises(ValueError, match="read-only"):
        games.states["to_move"] = 0
    assert len(games) == 2
    assert repr(games) == "<Red7Batch of 2 games of basic:2p, seed 0>"


def test_views_and_observations_of_any_seat():
    games = Red7Batch(5, Rules(3), seed=1)
    play_on(games, 9)
    assert (games.observe(games.to_move) == games.obs).all()
    assert (games.observe(2) == encode(games.states.copy(), 2)).all()
    assert games.views().tobytes() == batch.views(games.states.copy(), games.to_move).tobytes()
    assert (games.views(1)["viewer"] == 1).all()
    assert (games.states["viewer"] == NOBODY).all()


@pytest.mark.parametrize("rules", [Rules(3), Rules(2, "basic", "revised")], ids=str)
def test_random_actions_are_uniform_over_the_offer(rules):
    mask = np.repeat(Red7Batch(1, rules, seed=3).mask, 40_000, axis=0)
    drawn = np.bincount(random_actions(mask, seed=1), minlength=rules.num_moves)
    offered = mask[0] == 1
    assert not drawn[~offered].any()
    expected = 40_000 / offered.sum()
    assert (np.abs(drawn[offered] - expected) < 5 * expected**0.5).all()
    assert (random_actions(mask, seed=1) == random_actions(mask, seed=1)).all()
    for other in (random_actions(mask, seed=2), random_actions(mask, seed=1, step=1)):
        assert (other != random_actions(mask, seed=1)).any()


def test_no_offer_has_no_random_action():
    mask = np.zeros((2, 101), np.int8)
    mask[1, 99] = 1
    assert random_actions(mask, 0).tolist() == [-1, 99]
    with pytest.raises(ValueError, match=r"mask: found uint8 of shape \(2, 101\), expected contiguous int8"):
        random_actions(mask.view(np.uint8), 0)


@pytest.mark.parametrize("rules", FULL, ids=str)
def test_every_mask_offers_something_and_every_observation_is_of_the_mover(rules):
    games = Red7Batch(32, rules, seed=12, features="base")
    for step in count():
        assert games.mask.any(axis=1).all()
        assert (games.obs <= 1).all()
        if step % 10 == 0:
            assert (games.obs == encode(games.views(), games.to_move, "base")).all()
        if step == 60:
            break
        games.step(games.random_actions())
