"""Cards and their text form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from red7_env.game.cards import (
    NUM_CARDS,
    card_colour,
    card_id,
    card_number,
    card_text,
    card_words,
    cards_text,
    parse_card,
    parse_cards,
)
from red7_env.game.errors import NotationError, shown

CARDS = range(NUM_CARDS)


def test_a_greater_id_is_a_higher_card():
    assert [card_text(card) for card in (0, 1, 6, 7, 41, 42, 48)] == ["V1", "I1", "R1", "V2", "R6", "V7", "R7"]
    assert sorted(CARDS, key=lambda card: (card_number(card), "VIBGYOR".index(card_text(card)[0]))) == list(CARDS)


@pytest.mark.parametrize("card", CARDS)
def test_text_and_parts_rebuild_a_card(card):
    assert parse_card(card_text(card)) == card
    assert card_id(card_number(card), card_colour(card)) == card
    assert card_text(np.uint8(card)) == card_text(card)


def test_words():
    assert [card_words(card) for card in (0, 24, 48)] == ["violet 1", "green 4", "red 7"]


@given(st.lists(st.sampled_from(CARDS), unique=True))
def test_lists_round_trip_in_their_order(cards):
    assert parse_cards(cards_text(cards)) == cards


def test_lists():
    assert cards_text([48, 19, 0]) == "R7O3V1"
    assert (cards_text([]), parse_cards("-")) == ("-", [])


@pytest.mark.parametrize(
    "text", ["", "R", "7", "r7", "R8", "R0", "7R", "R77", "X1", " R7", "R7 ", "R\u0667", "R\uff17"]
)
def test_what_is_no_card_is_refused(text):
    with pytest.raises(NotationError, match=r"^card: found .*, expected a card"):
        parse_card(text)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "found nothing, expected cards such as R7O3V1, or -"),
        ("R7R", "found 'R', expected a card"),
        ("R7-", "found '-', expected a card"),
        ("--", "found '--', expected a card"),
        ("R7,O3", "found ',O', expected a card"),
        ("R7O3R7", "found R7 twice, expected each card once"),
        pytest.param("R7O3V1" * 1000, "found R7 twice", id="long"),
        ("R7\nO3", r"found '\\nO', expected a card"),
    ],
)
def test_what_is_no_list_is_refused(text, fault):
    with pytest.raises(NotationError, match=f"^deck: {fault}"):
        parse_cards(text, "deck")


@pytest.mark.parametrize("card", [-1, 49, 10**30])
def test_an_id_that_is_no_card_is_refused(card):
    with pytest.raises(NotationError, match=r"^card: found id .*, expected 0 to 48$"):
        card_text(card)


@pytest.mark.parametrize(
    "value",
    ["a\nb\r\x00\x85\u2028\ud800", "x" * 10**6, "\U0001f600" * 100, 10**5000, None, True, 1e300, [[1] * 9**5], {}],
    ids=lambda value: type(value).__name__,
)
def test_anything_is_shown_on_one_short_line_of_ascii(value):
    text = shown(value)
    assert text.isascii()
    assert text.isprintable()
    assert len(text) < 70


def test_plain_values_are_shown_as_they_are():
    values = ["R7", "it's", 7, None, True, 2.5, []]
    assert [shown(value) for value in values] == ["'R7'", '"it\'s"', "7", "None", "True", "2.5", "a value of type list"]
