"""The table of pieces: without gaps, by the rules, and changed only with its version."""

import hashlib
from itertools import pairwise

import numpy as np
import pytest

from red7_env.game import Rules
from red7_env.observation import FEATURES, OBSERVATION_VERSION, Piece, describe, oracle_pieces, pieces, size
from red7_env.observation.table import LAYOUT, NAMES, known_depth, layout
from tests.alignment import all_rules

RULES = list(dict.fromkeys(all_rules()))


def assert_in_order(table: tuple[Piece, ...]) -> None:
    assert table[0].start == 0
    for piece, after in pairwise(table):
        assert piece.slice.stop == after.start
    for piece in table:
        assert piece.size > 0
        assert piece.shape[: len(piece.axes)] == tuple(map(len, piece.axes))
        values = piece.shape[len(piece.axes) :]
        assert values == ((7, 7) if piece.kind == "cards" else (len(piece.labels) + len(piece.levels),))
        assert "|" not in piece.words


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_pieces_follow_each_other(rules, features):
    table = pieces(rules, features)
    assert_in_order(table)
    names = [piece.name for piece in table]
    assert names == [name for name in NAMES if name in names]
    assert size(rules, features) == table[-1].slice.stop


@pytest.mark.parametrize("deck", [False, True])
@pytest.mark.parametrize("rules", [Rules(), Rules(4, "advanced", "revised", match=True)], ids=str)
def test_oracle_pieces_come_after_the_others(rules, deck):
    table = oracle_pieces(rules, "derived", deck)
    assert_in_order(table)
    assert table[: len(pieces(rules))] == pieces(rules)
    shows_deck = deck and rules.advanced
    assert [piece.name for piece in table[len(pieces(rules)) :]] == ["other_hands"] + shows_deck * [
        "deck_numbers",
        "deck_colours",
    ]


def names_of(rules: Rules) -> set[str]:
    return {piece.name for piece in pieces(rules)}


def test_what_cannot_occur_is_left_out():
    basic, rich = names_of(Rules()), names_of(Rules(2, "advanced", "revised", match=True))
    assert rich == set(NAMES)
    assert rich - names_of(Rules(2, "advanced", "revised")) == {"round", "points", "scored"}
    assert names_of(Rules(2, "advanced")) - basic == {"deck_size"}
    assert names_of(Rules(2, "basic", "first")) - basic == {
        "deck_size",
        "hoped",
        "deck_top_numbers",
        "deck_top_colours",
        "last_played",
        "known_in_hands",
        "known_in_deck",
        "offered_takes",
        "offered_to_canvas",
        "offered_to_deck",
    }


def test_sets_of_cards_keep_their_shape_with_small_decks():
    for piece in pieces(Rules(2, "advanced", "first", match=True, deck=(3, 4, 2))):
        if piece.kind == "cards":
            assert piece.shape[-2:] == (7, 7)


def test_room_for_known_cards():
    assert known_depth(Rules()) == 0
    assert known_depth(Rules(2, "basic", "revised")) == 14
    assert known_depth(Rules(2, "basic", "first")) == 7
    assert known_depth(Rules(2, "basic", "revised", deck=(3, 4, 2))) == 3


def test_the_layout_is_the_table():
    rules = Rules(3, "advanced", "first")
    record = layout(rules, "base")[0]
    assert record.dtype == LAYOUT
    table = {piece.name: piece for piece in pieces(rules, "base")}
    for name in NAMES:
        assert record[name] == (table[name].start if name in table else -1)
        if name in table and name != "phase":
            assert record[f"{name}_bits"] == table[name].shape[-1]
    assert np.binary_repr(record["phase_bits"]).count("1") == table["phase"].size


def test_a_bad_set_of_features_is_named():
    with pytest.raises(ValueError, match=r"features: found 'raw', expected 'base' or 'derived'"):
        size(Rules(), "raw")


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("rules", [Rules(), Rules(3, "advanced", "revised", match=True)], ids=str)
def test_the_description_has_a_line_for_every_piece(rules, features):
    head, rule, *lines = describe(rules, features).splitlines()
    assert head == "| bits | piece | shape | kind | what it holds |"
    assert set(rule) == set("| -")
    for line, piece in zip(lines, pieces(rules, features), strict=True):
        bits, name, shape, kind, words = line.strip("| ").split(" | ")
        assert bits == f"{piece.start}-{piece.slice.stop - 1}"
        assert name == f"`{piece.name}`"
        assert shape == " x ".join(map(str, piece.shape))
        assert kind == piece.kind
        assert words.startswith(piece.words)


def test_a_change_of_the_layout_is_a_new_version():
    """Pinned: a layout that is not that of version 1 must come with another version, pinned here in its place."""
    table = [
        (str(rules), piece.name, piece.kind, piece.shape, piece.start, piece.labels, piece.levels)
        for rules in RULES
        for piece in oracle_pieces(rules, "derived", deck=True)
    ]
    digest = hashlib.sha256(repr(table).encode()).hexdigest()[:16]
    assert (OBSERVATION_VERSION, digest) == (1, "7b74c509a63cc5e3")
