"""Observations in words, and back."""

import doctest

import numpy as np
import pytest

from red7_env.game import Game, Rules, batch
from red7_env.game.cards import parse_cards
from red7_env.observation import FEATURES, Piece, encode, explain, pieces, split, words
from tests.alignment import all_rules
from tests.observation.walk import each_seat, scattered

RULES = [rules for rules in dict.fromkeys(all_rules()) if rules.deck in {(7, 7, 7), (3, 4, 2)}]


def put_value(piece: Piece, text: str, bits: np.ndarray) -> None:
    """Set the bits of one value from its words."""
    if piece.kind == "cards":
        bits.reshape(-1)[parse_cards(text)] = 1
    elif piece.kind == "count":
        bits[:] = [level <= int(text) for level in piece.levels]
    elif text != "-":
        bits[[piece.labels.index(label) for label in text.split(", ")]] = 1


def put_row(piece: Piece, text: str, bits: np.ndarray) -> None:
    """Find the row that an entry such as ``second next red 3`` speaks of, and set its bits."""
    place = []
    for labels in piece.axes:
        index, label = max(((i, label) for i, label in enumerate(labels) if text.startswith(f"{label} ")))
        place.append(index)
        text = text.removeprefix(f"{label} ")
    put_value(piece, text, bits[tuple(place)])


def read(text: str, rules: Rules, features: str) -> np.ndarray:
    """Return the vector that was explained."""
    parts = []
    for line, piece in zip(text.splitlines(), pieces(rules, features), strict=True):
        name, value = line.split(": ")
        assert name == piece.name
        bits = np.zeros(piece.shape, np.uint8)
        if not piece.axes:
            put_value(piece, value, bits)
        elif value != "-":
            for entry in value.split("; "):
                put_row(piece, entry, bits)
        parts.append(bits.reshape(-1))
    return np.concatenate(parts)


@pytest.mark.parametrize("features", FEATURES)
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_words_say_all(rules, features):
    states, seats = each_seat(scattered(rules, 12, seed=9), rules.players)
    for vector in encode(states, seats, features):
        assert (read(explain(vector, rules, features), rules, features) == vector).all()


def test_words_of_a_position():
    game = Game.from_position("basic B2 R4O1:Y3/R2Y4:O4 0 R3O3Y2O2R1Y1", "+O1")
    expected = """\
phase: after the play
to_move: next
seats_in: own, next
rule: blue
hand_sizes: own 2; next 1
hand: Y4R2
palettes: own O4; next Y3O1
canvas: B2"""
    vector = encode(game.state, 1, "base")[0]
    assert explain(vector, game.rules, "base") == expected
    assert explain(vector.astype(np.float32), game.rules, "base") == expected


def test_split_gives_views():
    rules = Rules(3)
    vectors = encode(batch.deal(rules, 4), 0).reshape(2, 2, -1)
    parts = split(vectors, rules)
    assert parts["palettes"].shape == (2, 2, 3, 7, 7)
    parts["hand"][:] = 9
    assert (split(vectors, rules)["hand"] == 9).all()


def test_a_vector_of_another_length_is_refused():
    with pytest.raises(ValueError, match=r"vector: found shape \(5,\), expected 584 numbers by basic:2p"):
        explain(np.zeros(5), Rules())
    with pytest.raises(ValueError, match=r"vector: found shape \(2, 584\), expected a single observation"):
        explain(np.zeros((2, 584)), Rules())


def test_the_examples_in_the_docstrings():
    assert doctest.testmod(words, extraglobs={"encode": encode}).failed == 0
