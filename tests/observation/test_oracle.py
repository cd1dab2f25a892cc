"""The oracle observation: an observation, and everything hidden."""

import numpy as np
import pytest

from red7_env.game import Rules, batch
from red7_env.game.bits import word_of
from red7_env.observation import encode, oracle, oracle_pieces, size
from tests.alignment import all_rules
from tests.observation.walk import each_seat, scattered

RULES = [rules for rules in dict.fromkeys(all_rules()) if rules.deck in {(7, 7, 7), (3, 4, 2)}]


def parts_of(vector: np.ndarray, rules: Rules, deck: bool) -> dict[str, np.ndarray]:
    return {piece.name: vector[piece.slice].reshape(piece.shape) for piece in oracle_pieces(rules, "base", deck)}


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_it_shows_hands_and_deck(rules):
    states, seats = each_seat(scattered(rules, 20, seed=10), rules.players)
    vectors = oracle(states, seats, deck=True)
    assert (vectors[:, : size(rules, "base")] == encode(states, seats, "base")).all()
    for state, seat, vector in zip(states, seats, vectors, strict=True):
        parts = parts_of(vector, rules, deck=True)
        for steps, plane in enumerate(parts["other_hands"], 1):
            other = (seat + steps) % rules.players
            assert word_of(np.flatnonzero(plane).tolist()) == state["hands"][other]
        if "deck_numbers" in parts:
            deck = state["pile"][49 - int(state["deck_size"]) :]
            assert parts["deck_numbers"].sum() == parts["deck_colours"].sum() == len(deck)
            assert (parts["deck_numbers"].argmax(axis=1)[: len(deck)] == deck // 7).all()
            assert (parts["deck_colours"].argmax(axis=1)[: len(deck)] == deck % 7).all()


def test_it_sees_as_the_seat_to_move_by_default():
    states = scattered(Rules(3), 10)
    assert (oracle(states) == oracle(states, states["to_move"])).all()


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_it_writes_into_a_buffer(dtype):
    rules = Rules(2, "advanced")
    states = scattered(rules, 10)
    expected = oracle(states, features="derived", deck=True)
    out = np.full(expected.shape, 7, dtype)
    assert oracle(states, features="derived", deck=True, out=out) is out
    assert (out == expected).all()


def test_a_view_is_refused():
    seen = batch.views(batch.deal(Rules(), 2), 0)
    with pytest.raises(ValueError, match=r"states: found a view, expected full states"):
        oracle(seen, 0)


def test_bad_seats_are_refused():
    with pytest.raises(ValueError, match=r"seats: found 2 in game 0, expected 0 to 1"):
        oracle(batch.deal(Rules(), 1), 2)
