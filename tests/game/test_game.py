"""``Game``: what it says of itself, its log, and what it refuses."""

import numpy as np
import pytest

from red7_env.game import STATE, Game, IllegalMoveError, NotationError, RulesError, parse_position

POSITION = "advanced - R7V3:R1/O2:O3 0 B7B6"


def test_a_turn_is_logged_when_it_is_complete():
    game = Game.from_position(POSITION)
    assert (game.turn, game.rounds[0].turns, game.to_move) == ([], [], 0)
    game.play("+R7")
    assert (game.turn, game.rounds[0].turns, game.to_move) == (["+R7"], [], 0)
    game.play(".")
    assert (game.turn, game.rounds[0].turns, game.to_move) == ([], ["+R7 ."], 1)
    assert (game.rounds[0].winner, game.rounds[0].scored) == (None, None)
    game.play("#")
    assert (game.rounds[0].winner, game.rounds[0].scored) == (0, "R7")
    assert (game.over, game.winner, game.winners, game.scores) == (True, 0, [0], [7, 0])


def test_within_a_turn_the_position_is_the_one_at_its_start():
    game = Game.from_position(POSITION)
    game.play("+R7")
    assert game.position == POSITION


def test_basic_scores_nothing():
    game = Game.from_position("basic - x/O2:O3 1 -")
    assert (game.scores, game.rounds[0].scored) == ([0, 0], "-")


def test_moves_can_be_tokens_or_ids():
    one, other = Game.from_position(POSITION), Game.from_position(POSITION)
    one.play("+R7")
    other.play(48)
    assert one == other
    other = Game.from_position(POSITION)
    other.play(np.uint8(48))
    assert one == other


def test_games_are_equal_if_they_stand_alike():
    game = Game.from_position(POSITION)
    assert game == Game.from_position(parse_position(POSITION))
    assert game != Game.from_position(POSITION, "+R7")
    assert game != Game.from_position(POSITION.replace("B7B6", "B6B7"))  # the deck is hidden, but not to the game
    assert game != POSITION
    with pytest.raises(TypeError):
        hash(game)


def test_the_log_of_a_game_begins_where_it_was_begun():
    game = Game.from_state(Game.from_position(POSITION, "+R7 .").state)
    assert game.rounds[0].position == "advanced - V3:R7R1/O2:O3 1 B7B6"
    assert game.rounds[0].turns == []


# What is refused


@pytest.mark.parametrize(
    ("move", "fault"),
    [
        (-1, "move: found id -1, expected 0 to 247"),
        (248, "move: found id 248, expected 0 to 247"),
        (10**30, "move: found id a huge integer, expected 0 to 247"),
        (48.0, r"move: found id 48\.0, expected 0 to 247"),
        (48.9, r"move: found id 48\.9, expected 0 to 247"),
        (True, "move: found id True, expected 0 to 247"),
        (None, "move: found id None, expected 0 to 247"),
        (b"+R7", "move: found id a value of type bytes, expected 0 to 247"),
        (["+R7"], "move: found id a value of type list, expected 0 to 247"),
        ("48", r"token: found '48', expected one of \+R7 .*"),
        ("+r7", r"token: found '\+r7', expected one of \+R7 .*"),
        ("", "token: found '', expected one of .*"),
    ],
)
def test_what_is_no_move_is_refused(move, fault):
    game = Game.from_position(POSITION)
    before = game.state.tobytes()
    with pytest.raises(NotationError, match=f"^{fault}$"):
        game.play(move)
    assert (game.state.tobytes(), game.turn) == (before, [])


@pytest.mark.parametrize("move", [".", "*", ">R7", "+R1", "+V3", "^O3", "~R1", 98, 150, 247])
def test_what_is_not_offered_is_refused(move):
    game = Game.from_position(POSITION)
    before = game.state.tobytes()
    with pytest.raises(IllegalMoveError, match=r"^move: found .*, expected one of \+R7 #$"):
        game.play(move)
    assert (game.state.tobytes(), game.turn) == (before, [])


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"seed": -1}, "seed: found -1, expected 0 to 18446744073709551615"),
        ({"seed": 0.5}, r"seed: found 0\.5, expected 0 to 18446744073709551615"),
        ({"index": 2**64}, "index: found a huge integer, expected 0 to 18446744073709551615"),
        ({"index": "1"}, "index: found '1', expected 0 to 18446744073709551615"),
        ({"rules": "basic"}, r"rules: found 'basic', expected Rules, such as Rules\.parse\('basic:2p'\)"),
        ({"rules": (7, 7, 7)}, "rules: found a value of type tuple, expected Rules, .*"),
    ],
)
def test_wrong_deals_are_refused(arguments, fault):
    with pytest.raises((ValueError, RulesError), match=f"^{fault}$"):
        Game.deal(**arguments)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"position": None}, "position: found None, expected text"),
        ({"position": 7}, "position: found 7, expected text"),
        ({"position": b"basic"}, "position: found a value of type bytes, expected text"),
        ({"turns": None}, "turns: found None, expected text"),
        ({"turns": ["+R7"]}, "turns: found a value of type list, expected text"),
        ({"turns": "+R7; #"}, r"token: found '\+R7' as the last of a turn that it does not complete, .*"),
        ({"turns": "+R7 . #"}, r"token: found '#' after '\.' had completed the turn, .*"),
        ({"turns": "+R7 .;"}, "turn 2 of 2: found no token, expected some.*"),
        ({"seed": -1}, "seed: found -1, expected 0 to 18446744073709551615"),
        ({"rng": 2**64}, "rng: found a huge integer, expected 0 to 18446744073709551615"),
        ({"rounds_before": -1}, "rounds_before: found -1, expected 0 to 65535"),
        ({"rounds_before": 65536}, "rounds_before: found 65536, expected 0 to 65535"),
        ({"rounds_before": 1.0}, r"rounds_before: found 1\.0, expected 0 to 65535"),
    ],
)
def test_wrong_beginnings_are_refused(arguments, fault):
    with pytest.raises((ValueError, NotationError, IllegalMoveError), match=f"^{fault}$"):
        Game.from_position(**{"position": POSITION, **arguments})


@pytest.mark.parametrize(
    ("state", "found"),
    [
        (None, "None, expected one STATE record"),
        ("basic", "'basic', expected one STATE record"),
        (np.zeros(1), "a value of type ndarray, expected one STATE record"),
        (np.zeros(3, STATE), "3 records, expected one"),
        (np.zeros(0, STATE), "0 records, expected one"),
        (np.zeros(1, STATE), "the view of seat 0, expected a full state"),
    ],
)
def test_wrong_states_are_refused(state, found):
    with pytest.raises(ValueError, match=f"^state: found {found}$"):
        Game.from_state(state)


@pytest.mark.parametrize("depth", [-1, 1001, 1.0, True, None, "2"])
def test_wrong_depths_are_refused(depth):
    with pytest.raises(ValueError, match=r"^depth: found .*, expected 0 to 1000$"):
        Game.deal().perft(depth)


def test_best_sets_of_seats_that_are_out_or_do_not_exist_are_refused():
    game = Game.from_position("basic - R7:R1/x/O2:O3 0 -")
    for seat in (-1, 3, 1.0, None):
        with pytest.raises(ValueError, match=r"^seat: found .*, expected 0 to 2$"):
            game.best_set(seat)
    with pytest.raises(ValueError, match=r"^seat: found seat 1, which is out, expected a seat that is in$"):
        game.best_set(1)
