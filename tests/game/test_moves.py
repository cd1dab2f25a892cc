"""Moves: ids, tokens, words, and turns of tokens."""

import numpy as np
import pytest

from red7_env.game import moves
from red7_env.game.errors import NotationError
from red7_env.game.moves import move_text, move_words, parse_move, split_turn, split_turns


def test_every_move_has_its_own_token_and_words():
    tokens = [move_text(move) for move in range(moves.NUM_MOVES)]
    assert [parse_move(token) for token in tokens] == list(range(moves.NUM_MOVES))
    assert len({move_words(move) for move in range(moves.NUM_MOVES)}) == moves.NUM_MOVES


@pytest.mark.parametrize(
    ("move", "token", "words"),
    [
        (moves.PLAY, "+V1", "play V1 (violet 1) to the palette"),
        (48, "+R7", "play R7 (red 7) to the palette"),
        (moves.DISCARD + 24, ">G4", "discard G4 (green 4) to the canvas"),
        (moves.END, ".", "end the turn"),
        (moves.PASS, "#", "pass"),
        (moves.DRAW, "*", "take the draw"),
        (moves.TAKE + 16, "^B3", "put B3 (blue 3) from another palette on top of the deck"),
        (moves.TO_CANVAS + 13, "~R2", "put R2 (red 2) from the own palette on the canvas"),
        (moves.TO_DECK + 13, "_R2", "put R2 (red 2) from the own palette on top of the deck"),
    ],
)
def test_tokens_and_words(move, token, words):
    assert move_text(np.int64(move)) == token
    assert move_words(move) == words
    assert parse_move(token) == move


def test_the_space_without_actions_is_a_prefix():
    assert parse_move("*") == moves.NUM_MOVES_NO_ACTIONS - 1
    assert move_text(moves.NUM_MOVES_NO_ACTIONS) == "^V1"


@pytest.mark.parametrize("token", ["", "R7", "+", "+R8", "+r7", "++R7", ".R7", "-R7", "+R7 ", "..", "pass", "\uff0bR7"])
def test_what_is_no_token_is_refused(token):
    with pytest.raises(NotationError, match=r"^token: found .*, expected one of "):
        parse_move(token)


@pytest.mark.parametrize("move", [-1, 248, 10**30])
@pytest.mark.parametrize("function", [move_text, move_words])
def test_an_id_that_is_no_move_is_refused(function, move):
    with pytest.raises(NotationError, match=r"^move: found id .*, expected 0 to 247$"):
        function(move)


def test_turns_are_split_at_spaces_and_semicolons():
    assert split_turn("+R5 +Y3 >G6 *") == ["+R5", "+Y3", ">G6", "*"]
    assert split_turn("") == split_turn("  ") == []
    assert split_turns("+R5 >G6; #;.") == [["+R5", ">G6"], ["#"], ["."]]


@pytest.mark.parametrize("text", ["+R5\t>G6", "+R5\n", "+R5\u00a0>G6", "+R5,>G6", "+R5;>G6"])
def test_other_separators_in_a_turn_are_refused(text):
    with pytest.raises(NotationError, match=r"^token: found "):
        split_turn(text)


@pytest.mark.parametrize(("text", "place"), [("", "1 of 1"), (";", "1 of 2"), ("#;", "2 of 2"), ("#; ;#", "2 of 3")])
def test_an_empty_turn_is_refused(text, place):
    with pytest.raises(NotationError, match=f"^turn {place}: found no token, expected some"):
        split_turns(text)
