"""Many games at once: the same as one by one, and nothing that is not an array of games gets through."""

import numpy as np
import pytest

from red7_env.game import STATE, Game, IllegalMoveError, Rules, RulesError, batch
from red7_env.game.moves import END, PASS, parse_move
from red7_env.game.state import MATCH_OVER, ROUND_OVER, States
from tests.alignment import all_rules

ACTIONS = Rules(3, "advanced", "revised")
MATCH = Rules(2, "advanced", "first", match=True, deck=(4, 4, 3))


def random_moves(states: States, seed: int) -> np.ndarray:
    """Choose one of the offered moves in each game."""
    chance = np.random.default_rng(seed)
    masks = batch.offers(states)
    return (masks * (1 + chance.random(masks.shape))).argmax(1)


def finished(rules: Rules, count: int, seed: int) -> States:
    """Return games at the end of their first round."""
    states = batch.deal(rules, count, seed)
    while (states["phase"] < ROUND_OVER).any():
        going = states[states["phase"] < ROUND_OVER]
        batch.play(going, random_moves(going, seed))
        states[states["phase"] < ROUND_OVER] = going
    return states


# The same as one by one


@pytest.mark.parametrize("rules", list(all_rules()), ids=str)
def test_a_batch_does_what_single_games_do(rules):
    games = [Game.deal(rules, 5, index) for index in range(8)]
    states = batch.deal(rules, 8, seed=5)
    for step in range(200):
        masks = batch.offers(states)
        assert masks.shape == (8, rules.num_moves)
        assert (masks == np.stack([game.mask for game in games])).all()
        for seat in range(rules.players):
            single = np.concatenate([game.view(seat) for game in games])
            assert batch.views(states, seat).tobytes() == single.tobytes()
        going = states["phase"] < ROUND_OVER
        if not going.any():
            break
        part, moves = states[going], random_moves(states[going], step)
        batch.play(part, moves, masks[going])
        states[going] = part
        for index, move in zip(np.flatnonzero(going), moves, strict=True):
            games[index].play(int(move))
    assert not going.any()
    batch.next_round(states)
    for game, state in zip(games, states, strict=True):
        if rules.match:
            game.next_round()
        assert game.state[0].tobytes() == state.tobytes()


def test_masks_are_zero_and_one_and_hold_the_offered_tokens():
    states = batch.deal(ACTIONS, 50, seed=1)
    batch.play(states, random_moves(states, 1))
    masks = batch.offers(states)
    assert masks.dtype == np.int8
    assert set(np.unique(masks)) == {0, 1}
    for index in range(50):
        game = Game.from_state(states[index])
        assert np.flatnonzero(masks[index]).tolist() == sorted(map(parse_move, game.moves()))


def test_offers_of_views_are_those_of_the_states():
    states = batch.deal(ACTIONS, 50, seed=1)
    seen = batch.views(states, states["to_move"])
    assert (batch.offers(seen) == batch.offers(states)).all()


def test_playouts_reach_the_end_by_offered_moves():
    for rules in (Rules(), ACTIONS, MATCH):
        states = batch.deal(rules, 200, seed=3)
        moves = batch.playout(states, seed=4)
        assert moves > 200
        assert (states["phase"] == (MATCH_OVER if rules.match else ROUND_OVER)).all()
        assert (states["winners"] > 0).all()
        assert batch.playout(states, seed=5) == 0


def test_playouts_choose_each_offered_move_equally_often():
    """At the last choice of a round, a move or the pass decides who wins."""
    game = Game.from_position("basic - R7:R1/O2:O3 0 -")
    assert game.moves() == ["#", "+R7"]
    states = np.repeat(game.state, 20_000)
    batch.playout(states, seed=1)
    # Seat 1 cannot beat R7 and goes out.
    won = int((states["winner"] == 0).sum())
    assert abs(won - 10_000) < 5 * 71


def test_finished_games_are_offered_nothing_and_refuse_every_move():
    states = finished(ACTIONS, 10, seed=2)
    assert not batch.offers(states).any()
    before = states.tobytes()
    for action in (0, END, PASS, 247):
        with pytest.raises(IllegalMoveError, match=r"^game 0: found .*, expected no move: the round is over$"):
            batch.play(states, np.full(10, action))
    assert states.tobytes() == before


def test_games_that_are_over_may_lie_between_others():
    mixed = np.concatenate([batch.deal(ACTIONS, 2, seed=1), finished(ACTIONS, 1, seed=1)])
    assert batch.offers(mixed).any(1).tolist() == [True, True, False]
    before = mixed.tobytes()
    with pytest.raises(IllegalMoveError, match=r"^game 2: found # \(pass\), expected no move: the round is over$"):
        batch.play(mixed, np.full(3, PASS))
    assert mixed.tobytes() == before


def test_next_round_leaves_all_but_finished_rounds_of_matches_alone():
    single, dealt = finished(ACTIONS, 4, seed=1), batch.deal(MATCH, 4, seed=1)
    over = finished(MATCH, 4, seed=1)
    ended = batch.deal(MATCH, 4, seed=1)
    batch.playout(ended, seed=1)
    for states in (single, dealt, ended):
        before = states.tobytes()
        batch.next_round(states)
        assert states.tobytes() == before
    batch.next_round(over)
    assert (over["round"] == 1).all()
    assert (over["phase"] != ROUND_OVER).all()


# Illegal moves


def test_points_are_the_best_set_of_the_winner_or_what_was_put_aside():
    for rules in (Rules(3), Rules(3, "advanced"), MATCH):
        states = finished(rules, 20, seed=3)
        found = batch.points(states)
        assert (found.shape, found.dtype) == ((20, rules.players), np.int64)
        for state, points in zip(states, found, strict=True):
            game = Game.from_state(np.array([state]))
            won = sum(card // 7 + 1 for card in game.best_set(game.winner))
            counts = rules.variant == "advanced" and not rules.match
            assert points.tolist() == [won * counts * (seat == game.winner) for seat in range(rules.players)]
        if rules.match:
            batch.next_round(states)
            assert (batch.points(states).sum(axis=1) > 0).any()
        states.flags.writeable = False
        assert (batch.points(states[:0]).shape, batch.points(states).shape) == ((0, 4), found.shape)


def test_one_illegal_move_changes_no_game_and_is_named():
    states = batch.deal(Rules(), 5, seed=3)
    actions = np.full(5, PASS)
    before = states.tobytes()
    offered = [f"{move}" for move in Game.from_state(states[3]).moves()]
    for action, found in ((48, r"\+R7 \(play R7 \(red 7\) to the palette\)"), (END, r"\. \(end the turn\)")):
        assert batch.offers(states)[3, action] == 0
        actions[3] = action
        with pytest.raises(IllegalMoveError, match=rf"^game 3: found {found}, expected one of ") as caught:
            batch.play(states, actions)
        assert all(token in str(caught.value) for token in offered)
        assert states.tobytes() == before


@pytest.mark.parametrize("action", [-1, 101, 247, 248, 2**62, -(2**63)])
def test_ids_that_are_no_moves_of_the_rules_are_refused(action):
    states = batch.deal(Rules(), 2)
    with pytest.raises(IllegalMoveError, match=r"^game 1: found .*, expected one of "):
        batch.play(states, np.array([PASS, action]))


# Buffers


@pytest.mark.parametrize("rules", [Rules(), ACTIONS], ids=str)
def test_offers_are_written_where_they_are_wanted(rules):
    states = batch.deal(rules, 9, seed=1)
    out = np.full((9, rules.num_moves), 7, np.int8)
    assert batch.offers(states, out) is out
    assert (out == batch.offers(states)).all()
    larger = np.full((30, rules.num_moves), 7, np.int8)
    batch.offers(states, larger[10:19])
    assert (larger[10:19] == out).all()
    assert (larger[:10] == 7).all()
    assert (larger[19:] == 7).all()


def test_a_slice_of_the_games_can_be_played():
    states = batch.deal(Rules(), 10, seed=1)
    before = states.copy()
    batch.play(states[3:5], np.full(2, PASS))
    changed = [one.tobytes() != other.tobytes() for one, other in zip(states, before, strict=True)]
    assert np.flatnonzero(changed).tolist() == [3, 4]


def test_no_games_are_fine():
    for rules in (Rules(), ACTIONS):
        states = batch.deal(rules, 0)
        assert states.shape == batch.views(states, 0).shape == (0,)
        assert batch.offers(states).shape == (0, 248)
        out = np.empty((0, rules.num_moves), np.int8)
        assert batch.offers(states, out) is out
        batch.play(states, np.empty(0, int))
        batch.play(states, [], out)
        batch.next_round(states)
        assert batch.determinise(states, seed=0).shape == (0,)
        assert batch.playout(states, seed=0) == 0


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint64, np.int64])
def test_any_whole_numbers_are_moves(dtype):
    states = batch.deal(Rules(), 3)
    batch.play(states, np.full(3, PASS, dtype))
    assert (states["phase"] == ROUND_OVER).all()
    states = batch.deal(Rules(), 3)
    batch.play(states, [PASS, PASS, PASS])
    assert (states["phase"] == ROUND_OVER).all()


def test_read_only_games_can_be_looked_at_but_not_played():
    """The bytes of a file or of another process are such games; compiled code would write to them all the same."""
    data = batch.deal(Rules(), 3).tobytes()
    copy = bytes(bytearray(data))
    states = np.frombuffer(data, STATE)
    assert batch.offers(states).any()
    assert batch.determinise(batch.views(states, 1), seed=1).flags.writeable
    for call in (
        lambda: batch.play(states, np.full(3, PASS)),
        lambda: batch.next_round(states),
        lambda: batch.playout(states, seed=1),
    ):
        with pytest.raises(ValueError, match=r"^states: found a read-only array, expected one to write to$"):
            call()
    assert data == copy


def test_unaligned_games_can_be_looked_at():
    states = batch.deal(Rules(), 3)
    unaligned = np.frombuffer(b"x" + states.tobytes(), STATE, offset=1)
    assert not unaligned.flags.aligned
    assert (batch.offers(unaligned) == batch.offers(states)).all()


# What is refused


def calls(states: object) -> list:
    return [
        lambda: batch.offers(states),
        lambda: batch.play(states, [PASS] * 4),
        lambda: batch.next_round(states),
        lambda: batch.views(states, 0),
        lambda: batch.determinise(states, 0),
        lambda: batch.playout(states, 0),
    ]


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        (lambda states: states[::2], r"STATE \(2,\), not contiguous"),
        (lambda states: states[::-1], r"STATE \(4,\), not contiguous"),
        (lambda states: states.reshape(2, 2), r"STATE \(2, 2\)"),
        (lambda states: states[0], "a value of type void"),
        (lambda states: states[:1].reshape(()), r"STATE \(\)"),
        (lambda states: states["hands"], r"uint64 \(4, 4\), not contiguous"),
        (lambda _: np.zeros(4), r"float64 \(4,\)"),
        (lambda _: np.zeros(4, STATE.newbyteorder()), r"\w+ \(4,\)"),
        (lambda _: np.zeros(4, object), r"object \(4,\)"),
        (list, "a value of type list"),
        (lambda states: Game.from_state(states[:1]), "a value of type Game"),
        (lambda _: None, "None"),
        (lambda _: "basic", "'basic'"),
    ],
)
def test_what_is_no_vector_of_games_is_refused(wrong, found):
    for call in calls(wrong(batch.deal(Rules(), 4))):
        with pytest.raises(ValueError, match=rf"^states: found {found}, expected a contiguous vector of STATE$"):
            call()


def test_games_with_and_without_actions_do_not_go_together():
    """The masks have no room for the actions: they would be written over other memory."""
    mixed = np.concatenate([batch.deal(Rules(), 3), batch.deal(Rules(actions="revised"), 3)])
    message = r"^states: found game 3 with actions and game 0 without, expected the same rules in all$"
    with pytest.raises(ValueError, match=message):
        batch.offers(mixed)
    with pytest.raises(ValueError, match=message):
        batch.play(mixed, np.full(6, PASS))


def test_views_are_no_games_to_play():
    seen = batch.views(batch.deal(Rules(), 3), 1)
    before = seen.tobytes()
    for call in (
        lambda: batch.play(seen, np.full(3, PASS)),
        lambda: batch.next_round(seen),
        lambda: batch.playout(seen, seed=1),
        lambda: batch.views(seen, 0),
    ):
        with pytest.raises(ValueError, match=r"^states: found a view, expected full states$"):
            call()
    assert seen.tobytes() == before


@pytest.mark.parametrize(
    ("actions", "fault"),
    [
        ([PASS], r"actions: found shape \(1,\), expected \(3,\)"),
        (np.full((3, 1), PASS), r"actions: found shape \(3, 1\), expected \(3,\)"),
        ([99.0] * 3, "actions: found float64, expected whole numbers"),
        ([99.7] * 3, "actions: found float64, expected whole numbers"),
        ([float("nan")] * 3, "actions: found float64, expected whole numbers"),
        (["99"] * 3, r"actions: found str\d+, expected whole numbers"),
        ([True] * 3, "actions: found bool, expected whole numbers"),
        ([None] * 3, "actions: found object, expected whole numbers"),
    ],
)
def test_wrong_actions_are_refused(actions, fault):
    states = batch.deal(Rules(), 3)
    before = states.tobytes()
    with pytest.raises(ValueError, match=f"^{fault}$"):
        batch.play(states, actions)
    assert states.tobytes() == before


@pytest.mark.parametrize(
    ("seats", "fault"),
    [
        (2, "seats: found 2 to 2, expected 0 to 1"),
        (-1, "seats: found -1 to -1, expected 0 to 1"),
        ([0, 1, 2], "seats: found 0 to 2, expected 0 to 1"),
        ([0, 1], r"seats: found shape \(2,\), expected \(3,\)"),
        (0.5, "seats: found float64, expected whole numbers"),
        ("0", r"seats: found str\d+, expected whole numbers"),
        (None, "seats: found object, expected whole numbers"),
    ],
)
def test_wrong_seats_are_refused(seats, fault):
    with pytest.raises(ValueError, match=f"^{fault}$"):
        batch.views(batch.deal(Rules(), 3), seats)


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        (lambda mask: mask[:2], r"int8 \(2, 101\)"),
        (lambda mask: mask[:1], r"int8 \(1, 101\)"),
        (lambda _: np.zeros((3, 248), np.int8), r"int8 \(3, 248\)"),
        (lambda mask: mask.astype(bool), r"bool \(3, 101\)"),
        (lambda mask: mask.astype(float), r"float64 \(3, 101\)"),
        (np.asfortranarray, r"int8 \(3, 101\), not contiguous"),
        (lambda _: np.zeros((3, 202), np.int8)[:, ::2], r"int8 \(3, 101\), not contiguous"),
        (lambda mask: mask.ravel(), r"int8 \(303,\)"),
        (lambda mask: mask.tolist(), "a value of type list"),
    ],
)
def test_wrong_masks_and_buffers_are_refused(wrong, found):
    states = batch.deal(Rules(), 3)
    before = states.tobytes()
    mask = wrong(batch.offers(states))
    expected = r"expected contiguous int8 \(3, 101\)"
    with pytest.raises(ValueError, match=rf"^mask: found {found}, {expected}$"):
        batch.play(states, np.full(3, PASS), mask)
    with pytest.raises(ValueError, match=rf"^out: found {found}, {expected}$"):
        batch.offers(states, mask)
    assert states.tobytes() == before


def test_a_read_only_mask_can_be_played_but_not_written():
    states = batch.deal(Rules(), 3)
    mask = batch.offers(states)
    mask.flags.writeable = False
    batch.play(states.copy(), np.full(3, PASS), mask)
    with pytest.raises(ValueError, match=r"^out: found a read-only array, expected one to write to$"):
        batch.offers(states, mask)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"count": -1}, "count: found -1, expected a whole number from 0"),
        ({"count": 2.0}, "count: found 2.0, expected a whole number from 0"),
        ({"count": True}, "count: found True, expected a whole number from 0"),
        ({"count": "3"}, "count: found '3', expected a whole number from 0"),
        ({"seed": -1}, "seed: found -1, expected 0 to 18446744073709551615"),
        ({"seed": 2**64}, "seed: found a huge integer, expected 0 to 18446744073709551615"),
        ({"first": 1.5}, "first: found 1.5, expected 0 to 18446744073709551615"),
        ({"rules": "basic"}, "rules: found 'basic', expected Rules, such as .*"),
        ({"rules": None}, "rules: found None, expected Rules, such as .*"),
    ],
)
def test_wrong_deals_are_refused(arguments, fault):
    with pytest.raises((ValueError, RulesError), match=f"^{fault}$"):
        batch.deal(**{"rules": Rules(), "count": 3, **arguments})


def test_random_numpy_integers_are_numbers():
    assert batch.deal(Rules(), np.int64(2), np.uint64(2**63), np.uint8(3)).shape == (2,)
