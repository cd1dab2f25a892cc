import json

import pytest

from agents.bot.words import PHASES, words_of
from red7_env.game import batch
from red7_env.game.bits import word_of
from red7_env.game.cards import COLOUR_NAMES, card_text, parse_cards
from red7_env.game.moves import parse_move
from red7_env.game.state import NOBODY, PILE_SIZE, UNKNOWN, rules_of
from tests.agents.cases import VARIANTS, positions, seen, view_of


def test_a_view_in_words():
    position = "advanced+revised O3 R5Y4V2:B6G1/R7I2:O6/x 0 B3R2Y5 R4O4/-/B7"
    assert words_of(view_of(position)) == [
        {
            "rules": "advanced+revised:3p:match",
            "seat": 0,
            "round": 1,
            "turn": 1,
            "phase": "start",
            "played": "-",
            "hoped": False,
            "rule": "orange",
            "canvas": "O3",
            "seats_in": [0, 1],
            "palettes": ["B6G1", "O6", "-"],
            "hands": ["R5Y4V2", "????", "-"],
            "known": ["-", "-", "-"],
            "deck": "??????",
            "scored": ["R4O4", "-", "B7"],
            "target": 35,
        }
    ]


def test_a_card_that_all_saw_put_on_the_deck_and_drawn_is_shown():
    """A 7 puts B6 on the deck; who then draws it by a 3 holds it, as everyone knows."""
    position = "basic+revised - R7Y2V2:B6G1/R3I2V5:O6 0 B3R2Y5"
    (words,) = words_of(view_of(position, "+R7"))
    assert (words["phase"], words["played"]) == ("move a card", "R7")
    (words,) = words_of(view_of(position, "+R7 _B6 ."))
    assert (words["seat"], words["deck"], words["turn"]) == (1, "B6??????", 2)
    (words,) = words_of(view_of(position, "+R7 _B6 .; +R3"))
    assert (words["hoped"], words["hands"], words["deck"]) == (True, ["????", "B6V5I2"], "??????")
    assert words["known"] == ["-", "B6"]


def test_no_views_have_no_words():
    assert words_of(seen(positions("basic:2p", 1))[:0]) == []


@pytest.mark.parametrize("text", VARIANTS)
def test_hidden_cards_are_not_in_the_words(text):
    states = positions(text, 60, seed=2)
    views = seen(states)
    written = words_of(views)
    assert words_of(seen(batch.determinise(views, seed=11))) == written
    for state, view, words in zip(states, views, written, strict=True):
        rest = json.dumps(words | {"seat": 0, "rules": ""})
        for seat in range(state["players"]):
            hidden = int(state["hands"][seat] & ~view["hands"][seat] & ~view["known"][seat])
            assert not any(card_text(card) in rest for card in range(49) if hidden >> (card + card // 7) & 1)
        unknown = state["pile"][view["pile"] == UNKNOWN].tolist()
        assert not any(card_text(card) in rest for card in unknown if card != UNKNOWN)


def cards(text):
    """Return the cards of a list that may end in hidden ones, and how many there are in all."""
    known = text.replace("??", "")
    assert known + "??" * text.count("??") == text
    return parse_cards(known or "-"), len(text) // 2 if text != "-" else 0


@pytest.mark.parametrize("text", VARIANTS)
def test_all_that_a_seat_knows_is_in_the_words(text):
    views = seen(positions(text, 60, seed=3))
    for view, words in zip(views, words_of(views), strict=True):
        players = range(view["players"])
        for seat in players:
            hand, size = cards(words["hands"][seat])
            assert word_of(hand) == view["hands"][seat] | view["known"][seat]
            assert size == view["hand_sizes"][seat]
            assert word_of(parse_cards(words["palettes"][seat])) == view["palettes"][seat]
            assert word_of(parse_cards(words["known"][seat])) == view["known"][seat]
        pile = view["pile"].tolist()
        assert parse_cards(words["canvas"]) == pile[: view["canvas_size"]]
        known, size = cards(words["deck"])
        assert (known, size) == (pile[PILE_SIZE - size : PILE_SIZE - size + view["deck_known"]], view["deck_size"])
        assert sum(1 << seat for seat in words["seats_in"]) == view["seats_in"]
        assert words["seat"] == view["viewer"] == view["to_move"] != NOBODY
        assert (words["turn"], words["round"]) == (view["turn"], view["round"] + 1)
        assert words["rule"] == COLOUR_NAMES[view["rule"]]
        assert words["phase"] == PHASES[int(view["phase"])]
        assert words["hoped"] == view["hoped"]
        last = UNKNOWN if words["played"] == "-" else parse_move("+" + words["played"])
        assert last == view["last"]
        rules = rules_of(view)
        assert words["rules"] == str(rules)
        assert words["target"] == (rules.target if rules.match else None)
        scored = words["scored"] if rules.match else ["-"] * rules.players
        assert [word_of(parse_cards(each)) for each in scored] == view["scored"][: rules.players].tolist()
