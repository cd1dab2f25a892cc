"""The compiled encoder against a plain one, and what it does with its arguments."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from red7_env.game import STATE, Game, Rules, batch
from red7_env.game.convert import state_of
from red7_env.observation import FEATURES, encode, pieces, size
from red7_env.observation.table import known_depth
from tests.alignment import all_rules
from tests.observation.slow import Slow
from tests.observation.walk import each_seat, scattered, walk
from tests.strategies import positions

RULES = list(dict.fromkeys(all_rules()))
FULL = [rules for rules in RULES if rules.deck == (7, 7, 7)]
ROUND = Rules(2, "basic")
RICH = Rules(4, "advanced", "revised", match=True)


def assert_alike(states, seats, rules, features):
    fast = encode(states, seats, features)
    seen = batch.views(states, seats)
    assert (encode(seen, seats, features) == fast).all()
    for view, vector in zip(seen, fast, strict=True):
        expected = Slow(view, rules).vector(features)
        wrong = [piece.name for piece in pieces(rules, features) if (vector != expected)[piece.slice].any()]
        assert wrong == [], view


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_base_is_as_the_plain_encoder_makes_it(rules):
    assert_alike(*each_seat(scattered(rules, 20), rules.players), rules, "base")


@pytest.mark.parametrize("rules", FULL, ids=str)
def test_derived_is_as_the_plain_encoder_makes_it(rules):
    assert_alike(*each_seat(scattered(rules, 8, seed=1), rules.players), rules, "derived")


@pytest.mark.parametrize("rules", [rules for rules in RULES if rules.num_cards < 49], ids=str)
def test_derived_is_as_the_plain_encoder_makes_it_with_small_decks(rules):
    assert_alike(*each_seat(scattered(rules, 4, seed=2), rules.players), rules, "derived")


@settings(max_examples=60)
@given(positions())
def test_a_written_position_is_encoded_as_well(position):
    states = state_of(position)
    assert_alike(*each_seat(states, position.rules.players), position.rules, "derived")


def test_rare_states_are_among_them():
    phases, known, out = set(), 0, 0
    for rules in FULL:
        states = scattered(rules, 100_000)
        phases |= set(states["phase"].tolist())
        known = max(known, int(states["deck_known"].max()))
        out += int(((states["seats_in"] != (1 << rules.players) - 1) & (states["phase"] < 6)).sum())
    assert phases == set(range(8))
    assert known >= 4
    assert out > 1000


@pytest.mark.parametrize("rules", [rules for rules in RULES if rules.actions], ids=str)
def test_no_more_cards_are_known_on_the_deck_than_have_room(rules):
    assert max(int(states["deck_known"].max()) for states in walk(rules, 16, 80, seed=3)) <= known_depth(rules)


def test_as_many_known_cards_as_can_be_are_written():
    states = Game.deal(RICH).state.copy()
    states["deck_known"] = known_depth(RICH)
    seats = np.arange(1)
    assert_alike(states, seats, RICH, "base")


def test_more_known_cards_than_can_be_spoil_nothing():
    states = Game.deal(RICH).state.copy()
    states["deck_known"] = states["deck_size"]
    assert (encode(states, 0)[0] <= 1).all()


@pytest.mark.parametrize(("rules", "features"), list(product([ROUND, Rules(3, "advanced"), RICH], FEATURES)))
def test_nothing_is_written_beside_the_buffer(rules, features):
    states = scattered(rules, 50)
    length = size(rules, features)
    around = np.full(50 * length + 32, 7, np.uint8)
    out = around[16:-16].reshape(50, length)
    assert encode(states, 0, features, out) is out
    assert (out == encode(states, 0, features)).all()
    assert (around[:16] == 7).all()
    assert (around[-16:] == 7).all()
    # Each row is exact by itself: a row written alone leaves its neighbours as they are.
    out[:] = 7
    encode(states[3:4], 0, features, out[3:4])
    assert (out[2] == 7).all()
    assert (out[4] == 7).all()


def test_seats_may_differ():
    states = scattered(RICH, 12)
    seats = np.arange(12) % 4
    together = encode(states, seats)
    for row, (state, seat) in enumerate(zip(states, seats, strict=True)):
        assert (encode(np.array([state]), int(seat))[0] == together[row]).all()


def test_base_is_the_beginning_of_derived():
    states = scattered(RICH, 12)
    assert (encode(states, 1)[:, : size(RICH, "base")] == encode(states, 1, "base")).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.bool_])
def test_other_number_types_get_a_copy(dtype):
    states = scattered(ROUND, 5)
    out = np.full((5, size(ROUND)), 1, dtype)
    assert encode(states, 0, out=out) is out
    assert out.dtype == dtype
    assert (out == encode(states, 0)).all()


def rotated(states, players, steps):
    """Return the same games with every seat moved on."""
    turned = states.copy()
    for field in ("hands", "palettes", "keys", "scored", "known", "hand_sizes"):
        turned[field][:, :players] = np.roll(states[field][:, :players], steps, axis=1)
    everyone = (1 << players) - 1
    for field in ("seats_in", "winners"):
        bits = states[field].astype(int)
        turned[field] = ((bits << steps) | (bits >> (players - steps))) & everyone
    turned["to_move"] = (states["to_move"] + steps) % players
    turned["winner"] = np.where(states["winner"] == 255, 255, (states["winner"] + steps) % players)
    return turned


@pytest.mark.parametrize("rules", [rules for rules in FULL if rules.players > 2], ids=str)
def test_seats_are_relative(rules):
    states = scattered(rules, 20)
    for seat in range(rules.players):
        for steps in range(1, rules.players):
            there = rotated(states, rules.players, steps)
            assert (encode(there, (seat + steps) % rules.players) == encode(states, seat)).all()


def test_read_only_states_are_encoded():
    states = scattered(ROUND, 3)
    expected = encode(states, 0)
    states.flags.writeable = False
    assert (encode(states, 0) == expected).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"states": np.zeros(0, STATE)}, r"states: found none, expected at least one"),
        ({"states": np.zeros((1, 1), STATE)}, r"states: found .*, expected a contiguous vector of STATE"),
        ({"seats": 2}, r"seats: found 2 in game 0, expected 0 to 1"),
        ({"seats": -1}, r"seats: found -1 in game 0, expected 0 to 1"),
        ({"seats": np.array([0, 0, 5])}, r"seats: found 5 in game 2, expected 0 to 1"),
        ({"seats": np.zeros(2, int)}, r"seats: found int64 of shape \(2,\), expected whole numbers of shape \(3,\)"),
        ({"seats": 0.0}, r"seats: found float64 of shape \(\), expected whole numbers"),
        ({"features": "all"}, r"features: found 'all', expected 'base' or 'derived'"),
        ({"out": np.zeros((3, 5), np.uint8)}, r"out: found uint8 \(3, 5\), expected .* \(3, 584\)"),
        ({"out": np.zeros((584, 3), np.uint8).T}, r"out: found uint8 \(3, 584\), expected writeable contiguous"),
        ({"out": np.zeros((3, 584), "U1")}, r"out: found <U1"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    arguments = {"states": batch.deal(ROUND, 3), "seats": 0} | arguments
    with pytest.raises(ValueError, match=message):
        encode(**arguments)


def test_a_view_of_another_seat_is_refused():
    seen = batch.views(batch.deal(ROUND, 2), np.array([0, 1]))
    with pytest.raises(ValueError, match=r"states: found the view of seat 1 in game 1, expected .* the view of seat 0"):
        encode(seen, 0)


def test_games_of_other_rules_are_refused():
    states = np.concatenate([batch.deal(ROUND, 1), batch.deal(Rules(4), 1)])
    with pytest.raises(ValueError, match=r"states: found basic:4p in game 1, expected basic:2p as in game 0"):
        encode(states, 0)
