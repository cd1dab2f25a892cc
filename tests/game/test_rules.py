"""``Rules``: values, what follows from them, the text form."""

import copy
import pickle
from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given

from red7_env.game.cards import card_number, cards_text
from red7_env.game.errors import RulesError
from red7_env.game.rules import Rules
from tests.strategies import rules


@given(rules())
def test_every_form_rebuilds_the_rules(played):
    assert Rules.parse(str(played)) == played
    assert Rules.from_field(played.field, played.players, played.match) == played
    assert eval(repr(played)) == played  # noqa: S307 - that is what a repr is for
    assert pickle.loads(pickle.dumps(played)) == copy.deepcopy(played) == played  # noqa: S301
    assert hash(Rules.parse(str(played))) == hash(played)


@given(rules())
def test_what_follows(played):
    assert played.num_cards == len(played.deck_cards) == len(set(played.deck_cards))
    assert list(played.deck_cards) == sorted(played.deck_cards)
    assert played.deck_points == sum(map(card_number, played.deck_cards))
    full = {2: 40, 3: 35, 4: 30}[played.players]
    assert played.target == floor(Fraction(full * played.deck_points, 196) + Fraction(1, 2)) > 0
    assert played.num_moves == (101 if played.actions is None else 248)
    assert played.advanced == (played.variant == "advanced")
    assert (played.colours, played.numbers, played.hand_size) == played.deck


def test_defaults():
    assert Rules() == Rules(2, "basic", None, False, (7, 7, 7)) == Rules.parse("basic")
    assert len(Rules().deck_cards) == 49


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("basic:2p", Rules()),
        ("advanced:match", Rules(variant="advanced", match=True)),
        ("basic+first:3p", Rules(3, actions="first")),
        ("advanced+revised@3x4x2:4p:match", Rules(4, "advanced", "revised", True, (3, 4, 2))),
        ("basic@7x7x7", Rules()),
        ("basic@7x7x23", Rules(deck=(7, 7, 23))),
    ],
)
def test_texts(text, expected):
    assert Rules.parse(text) == expected


@pytest.mark.parametrize(("players", "target"), [(2, 40), (3, 35), (4, 30)])
def test_targets_of_the_full_deck(players, target):
    assert Rules(players, "advanced", match=True).target == target


def test_small_decks_hold_the_highest_colours_and_the_lowest_numbers():
    assert cards_text(Rules(deck=(3, 2, 1)).deck_cards) == "Y1O1R1Y2O2R2"


def test_values_are_kept_as_plain_ones():
    played = Rules(np.int64(3), np.str_("advanced"), np.str_("first"), deck=[np.int8(5), 5, 5])
    assert repr(played) == "Rules(players=3, variant='advanced', actions='first', match=False, deck=(5, 5, 5))"


@pytest.mark.parametrize("text", ["", "basic", "advanced+first@3x4x2"])
def test_the_number_of_players_in_a_field_is_checked(text):
    for players in (1, 5, 2.0, True, None):
        with pytest.raises(RulesError):
            Rules.from_field(text, players)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"players": 1}, "players: found 1, expected a whole number from 2 to 4"),
        ({"players": 5}, "players: found 5, expected a whole number from 2 to 4"),
        ({"players": 2.0}, "players: found 2.0, expected a whole number"),
        ({"players": True}, "players: found True, expected a whole number"),
        ({"players": "2"}, "players: found '2', expected a whole number"),
        ({"players": np.arange(3)}, "players: found a value of type ndarray, expected a whole number"),
        pytest.param({"players": 10**6000}, "players: found a huge integer, expected a whole number", id="huge"),
        ({"variant": "Basic"}, "variant: found 'Basic', expected 'basic' or 'advanced'"),
        ({"variant": None}, "variant: found None, expected 'basic' or 'advanced'"),
        ({"variant": ["basic"]}, "variant: found a value of type list, expected"),
        ({"actions": "2014"}, "actions: found '2014', expected 'revised' or 'first' or None"),
        ({"actions": ""}, "actions: found '', expected 'revised' or 'first' or None"),
        ({"actions": True}, "actions: found True, expected"),
        ({"match": 1, "variant": "advanced"}, "match: found 1, expected True or False"),
        ({"match": True}, "match: found True with basic, expected advanced in a match"),
        ({"deck": (7, 7)}, r"deck shape: found 2 values, expected \(colours, numbers, hand size\)"),
        ({"deck": "777"}, "deck shape: found '777', expected"),
        ({"deck": (8, 7, 7)}, "deck shape: colours: found 8, expected a whole number from 1 to 7"),
        ({"deck": (7, 0, 7)}, "deck shape: numbers: found 0, expected a whole number from 1 to 7"),
        ({"deck": (7, 7, 0)}, "deck shape: hand size: found 0, expected a whole number from 1 to 49"),
        ({"deck": (7, 7, 7.0)}, "deck shape: hand size: found 7.0, expected"),
        ({"deck": (3, 4, 6)}, "deck shape: found 3x4x6 with 12 cards, expected at least 14 for 2 players"),
        ({"deck": (3, 4, 3), "players": 4}, "deck shape: found 3x4x3 with 12 cards, expected at least 16 for 4"),
    ],
)
def test_values_that_make_no_rules_are_refused(arguments, fault):
    with pytest.raises(RulesError, match=f"^{fault}") as caught:
        Rules(**arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "variant: found '', expected basic or advanced"),
        ("Basic", "variant: found 'Basic', expected basic or advanced"),
        (" basic", "variant: found ' basic', expected"),
        ("basic+", "actions: found '', expected revised or first after \\+"),
        ("basic+second", "actions: found 'second', expected revised or first"),
        ("basic+revised+first", "actions: found 'revised\\+first', expected"),
        ("basic@", "deck shape: found '', expected CxNxH such as 3x4x2 after @"),
        ("basic@3x4", "deck shape: found '3x4', expected CxNxH"),
        ("basic@3x4x2x1", "deck shape: found '3x4x2x1', expected CxNxH"),
        ("basic@03x4x2", "deck shape: found '03x4x2', expected CxNxH"),
        ("basic@3x4x-2", "deck shape: found '3x4x-2', expected CxNxH"),
        ("basic@8x4x2", "deck shape: colours: found 8, expected a whole number from 1 to 7"),
        ("basic@\u0663x4x2", r"deck shape: found '\\u0663x4x2', expected CxNxH"),
        ("basic@3x4x2+revised", "deck shape: found '3x4x2\\+revised', expected CxNxH"),
        ("basic@1x2x1", "deck shape: found 1x2x1 with 2 cards, expected at least 4 for 2 players"),
        ("basic:5p", "players: found '5', expected 2, 3 or 4"),
        ("basic:02p", "players: found '02', expected 2, 3 or 4"),
        ("basic:2", "rules: found 'basic:2', expected a rules field, then :2p"),
        ("basic:2p\n", r"rules: found 'basic:2p\\n', expected"),
        ("basic:match", "match: found True with basic, expected advanced"),
        ("advanced:match:2p", "rules: found 'advanced:match:2p', expected"),
        pytest.param("x" * 10**6, "variant: found 'xxx.*\\.\\.\\., expected", id="long"),
        (None, "rules: found None, expected"),
    ],
)
def test_texts_that_are_no_rules_are_refused(text, fault):
    with pytest.raises(RulesError, match=f"^{fault}") as caught:
        Rules.parse(text)
    assert "\n" not in str(caught.value)
