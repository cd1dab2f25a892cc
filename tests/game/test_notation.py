"""Positions as text."""

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from red7_env.game.errors import NotationError
from red7_env.game.notation import Position, Seat, format_position, parse_position
from red7_env.game.rules import Rules
from tests.strategies import positions

CASES = json.loads((Path(__file__).parents[1] / "data" / "conformance.json").read_text())["cases"]
MATCH = "advanced O6 R4O1:Y3/R2Y4:O4 0 R3O3 R7O7/-"


@given(positions())
def test_every_form_rebuilds_the_position(position):
    text = format_position(position)
    assert parse_position(text) == position
    assert format_position(parse_position(text)) == str(position) == text
    assert eval(repr(position)) == position  # noqa: S307 - that is what a repr is for
    assert pickle.loads(pickle.dumps(position)) == copy.deepcopy(position) == position  # noqa: S301


@given(positions(), st.randoms(use_true_random=False))
def test_cards_in_hands_palettes_and_scored_are_read_in_any_order(position, rng):
    def mixed(cards: str) -> str:
        pairs = [cards[start : start + 2] for start in range(0, len(cards), 2)]
        return "".join(rng.sample(pairs, len(pairs)))

    fields = str(position).split(" ")
    for place in (2, *range(5, len(fields))):
        fields[place] = "/".join(":".join(map(mixed, part.split(":"))) for part in fields[place].split("/"))
    assert parse_position(" ".join(fields)) == position


@pytest.mark.parametrize("text", [case[key] for case in CASES if "end" in case for key in ("position", "end")])
def test_the_worked_cases_round_trip(text):
    assert format_position(parse_position(text)) == text


def test_the_parts_of_a_position():
    position = parse_position("advanced+first@3x4x2 O1R2 O3R4:Y3/x/-:R3Y4 2 Y1O2 R1Y2/-/O4")
    assert position.rules == Rules(3, "advanced", "first", True, (3, 4, 2))
    assert position == Position(
        rules=position.rules,
        canvas=(5, 13),
        seats=(Seat((27, 19), (18,)), None, Seat((), (25, 20))),
        to_move=2,
        deck=(4, 12),
        scored=((11, 6), (), (26,)),
    )


def test_values_are_kept_as_plain_ones_in_order():
    position = Position(
        Rules(),
        np.array([3]),
        [Seat(np.array([1, 2]), [np.uint8(5)]), Seat([], [7])],
        np.int64(1),
        np.array([9, 8]),
    )
    assert repr(position.seats) == "(Seat(hand=(2, 1), palette=(5,)), Seat(hand=(), palette=(7,)))"
    assert (position.canvas, position.to_move, position.deck) == ((3,), 1, (9, 8))


@pytest.mark.parametrize(
    "text",
    [
        "basic - -:R6/-:O6 0 -",
        "basic - x/R1:R6 1 -",
        "basic@7x7x7 - -:R6/-:O6 0 -",
        "advanced - -:R6/-:O6 0 -",
        MATCH,
    ],
)
def test_empty_hands_an_empty_deck_and_the_end_of_a_round_are_fine(text):
    assert parse_position(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        # missing, extra and empty fields
        ("", "position: found an empty field in '', expected rules canvas seats"),
        ("basic", "position: found 1 of 5 fields, missing canvas, seats, to move, deck, expected"),
        ("basic - -:R6/-:O6 0", "position: found 4 of 5 fields, missing deck, expected"),
        (f"{MATCH} -", "position: found 7 fields, extra from '-' on, expected"),
        ("basic - -:R6/-:O6 0 - ", "position: found an empty field in"),
        (" basic - -:R6/-:O6 0 -", "position: found an empty field in"),
        ("basic  - -:R6/-:O6 0 -", "position: found an empty field in"),
        ("basic\t-\t-:R6/-:O6\t0\t-", "position: found 1 of 5 fields"),
        ("basic - -:R6/-:O6 0 -\n", r"deck: found '-\\n', expected a card"),
        ("basic\u00a0- -:R6/-:O6 0 -", "position: found 4 of 5 fields"),
        pytest.param("x" * 10**6, "position: found 1000000 characters, expected at most 1000", id="long"),
        (None, "position: found None, expected text"),
        # rules
        ("Basic - -:R6/-:O6 0 -", "rules: variant: found 'Basic', expected basic or advanced"),
        ("basic+x - -:R6/-:O6 0 -", "rules: actions: found 'x', expected revised or first"),
        ("basic:2p - -:R6/-:O6 0 -", "rules: variant: found 'basic:2p', expected"),
        ("basic@8x1x1 - -:R6/-:O6 0 -", "rules: deck shape: colours: found 8, expected"),
        ("basic@3x4x6 - -:R4/-:O4 0 -", "rules: deck shape: found 3x4x6 with 12 cards, expected at least 14"),
        ("basic@3x4x2 - -:R4/-:O4/-:R3/-:R1/-:R2 0 -", "seats: found 5, expected 2 to 4"),
        # cards
        ("basic G8 -:R6/-:O6 0 -", "canvas: found 'G8', expected a card"),
        ("basic - r1:R6/-:O6 0 -", "seats: hand of seat 0: found 'r1', expected a card"),
        ("basic - -:R6/-:O 0 -", "seats: palette of seat 1: found 'O', expected a card"),
        ("basic - -:R6/-:O6 0 R1-", "deck: found '-', expected a card"),
        ("advanced - -:R6/-:O6 0 - R1/Q1", "scored: found 'Q1', expected a card"),
        ("basic - -:R\uff16/-:O6 0 -", r"seats: palette of seat 0: found 'R\\uff16', expected a card"),
        ("basic - :R6/-:O6 0 -", "seats: hand of seat 0: found nothing, expected cards"),
        ("basic - -:R6/-: 0 -", "seats: palette of seat 1: found nothing, expected cards"),
        ("basic@3x4x2 - -:R5/-:O4 0 -", "seats: found R5 in the palette of seat 0, expected cards in the deck's shape"),
        ("basic@3x4x2 G1 -:R4/-:O4 0 -", "canvas: found G1 in the canvas, .* the colours ROY with numbers from 1 to 4"),
        # a card written twice
        ("basic - R1R1:R6/-:O6 0 -", "seats: hand of seat 0: found R1 twice, expected each card once"),
        ("basic - R6:R6/-:O6 0 -", "seats: found R6 twice, in the hand of seat 0 and in the palette of seat 0"),
        ("basic R6 -:R6/-:O6 0 -", "seats: found R6 twice, in the canvas and in the palette of seat 0"),
        ("basic - -:R6/-:O6 0 R1R1", "deck: found R1 twice"),
        ("basic - -:R6/-:O6 0 R6", "deck: found R6 twice, in the palette of seat 0 and in the deck"),
        ("advanced - -:R6/-:O6 0 R1 -/R1", "scored: found R1 twice, in the deck and in the scored cards of seat 1"),
        # seats
        ("basic - -:R6 0 -", "seats: found 1, expected 2 to 4, joined by /"),
        ("basic - -:R6/ 0 -", "seats: found '' for seat 1, expected hand:palette, or x when out"),
        ("basic - -:R6/O6 0 -", "seats: found 'O6' for seat 1, expected hand:palette"),
        ("basic - -:R6/X 0 -", "seats: found 'X' for seat 1, expected hand:palette"),
        ("basic - -:R6/-:O6:- 0 -", "seats: palette of seat 1: found ':-', expected a card"),
        ("basic - x/x 0 -", "seats: found every seat out, expected at least one that is in"),
        ("basic - R1:-/-:O6 0 -", "seats: found an empty palette of seat 0, which is in, expected at least one card"),
        # the seat to move
        ("basic - -:R6/-:O6 2 -", "to move: found '2', expected a seat: 0 1"),
        ("basic - -:R6/-:O6 -1 -", "to move: found '-1', expected a seat"),
        ("basic - -:R6/-:O6 01 -", "to move: found '01', expected a seat"),
        ("basic - -:R6/-:O6 \u0661 -", r"to move: found '\\u0661', expected a seat"),
        ("basic - x/-:O6 0 -", "to move: found seat 0, which is out, expected a seat that is in"),
        # the sixth field
        ("basic - -:R6/-:O6 0 - -/-", "scored: found with basic, expected with advanced only"),
        ("advanced - -:R6/-:O6 0 - -", "scored: found 1 parts, expected 2, one a seat"),
        ("advanced - -:R6/-:O6 0 - -/-/-", "scored: found 3 parts, expected 2, one a seat"),
        ("advanced - -:R6/-:O6 0 - R1/", "scored: found nothing, expected cards"),
    ],
)
def test_what_is_no_position_is_refused(text, fault):
    with pytest.raises(NotationError, match=f"^{fault}") as caught:
        parse_position(text)
    message = str(caught.value)
    assert message.isascii()
    assert message.isprintable()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"seats": (Seat((), (1,)),)}, "seats: found 1 seats, expected 2"),
        ({"to_move": 2}, "to move: found seat 2, expected 0 to 1"),
        ({"to_move": -1}, "to move: found seat -1, expected 0 to 1"),
        ({"scored": ((), ())}, "scored: found outside of a match, expected in a match only"),
        ({"rules": Rules(variant="advanced", match=True)}, "scored: found nothing, expected the scored cards"),
        ({"deck": (49,)}, "deck: found card id 49 in the deck, expected cards in the deck's shape"),
        ({"deck": (-1,)}, "deck: found card id -1 in the deck, expected cards in the deck's shape"),
        ({"deck": (8, 8)}, "deck: found I2 twice, in the deck and in the deck, expected each card once"),
    ],
)
def test_parts_that_make_no_position_are_refused(changes, fault):
    parts = {"rules": Rules(), "canvas": (), "seats": (Seat((), (1,)), Seat((), (2,))), "to_move": 0, "deck": ()}
    with pytest.raises(NotationError, match=f"^{fault}"):
        Position(**(parts | changes))
