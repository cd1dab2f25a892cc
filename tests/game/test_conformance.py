"""The worked cases that every implementation of these rules must reproduce, in full, against ``Game``."""

import json
from pathlib import Path

import pytest

from red7_env.game import Game
from red7_env.game.cards import card_number, cards_text

CASES = json.loads((Path(__file__).parents[1] / "data" / "conformance.json").read_text())["cases"]
LED = [case for case in CASES if case["kind"] == "leader" and case["leader"] != "none"]
LEADERLESS = [case for case in CASES if case["leader"] == "none"]
POSITIONS = [case for case in CASES if case["kind"] == "position"]


def case_id(case):
    return f"{case['name']}-{case['position']}".replace(" ", "_")[:60]


def test_no_case_is_left_out():
    assert (len(POSITIONS), len(CASES) - len(POSITIONS)) == (36, 32)
    assert {case["kind"] for case in CASES} == {"leader", "position"}


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_leader(case):
    leader = Game.from_position(case["position"]).leader
    assert ("none" if leader is None else str(leader)) == case["leader"]


@pytest.mark.parametrize("case", LED, ids=case_id)
def test_the_leader_s_cards_and_points(case):
    cards = Game.from_position(case["position"]).best_set(int(case["leader"]))
    assert cards_text(cards) == case["scored"]
    assert sum(map(card_number, cards)) == case["points"]


@pytest.mark.parametrize("case", [case for case in LEADERLESS if case["kind"] == "leader"], ids=case_id)
def test_without_a_leader_nobody_has_a_card_that_counts(case):
    game = Game.from_position(case["position"])
    assert all(game.best_set(seat) == [] for seat in range(game.rules.players))


@pytest.mark.parametrize("case", POSITIONS, ids=case_id)
def test_offered_moves(case):
    game = Game.from_position(case["position"])
    assert game.position == case["position"]
    assert " ".join(game.moves()) == case["moves"]


@pytest.mark.parametrize("case", POSITIONS, ids=case_id)
def test_perft_at_every_depth(case):
    game = Game.from_position(case["position"])
    before = game.state.tobytes()
    assert [game.perft(depth) for depth in range(len(case["perft"]) + 1)] == [1, *case["perft"]]
    assert game.state.tobytes() == before


@pytest.mark.parametrize("case", POSITIONS, ids=case_id)
def test_a_whole_round_to_its_end(case):
    game = Game.from_position(case["position"])
    for turn in case["round"]:
        assert not game.round_over
        for token in turn.split():
            assert token in game.moves()
            game.play(token)
    assert game.rounds[0].turns == case["round"]
    assert (game.round_over, game.moves(), game.perft(3)) == (True, [], 1)
    assert game.position == case["end"]
    assert game.winner == game.to_move == case["winner"]
    cards = game.best_set(case["winner"])
    assert (cards_text(cards), sum(map(card_number, cards))) == (case["scored"], case["points"])
    assert Game.from_position(case["end"]).winner == case["winner"]
    assert Game.from_position(case["position"], "; ".join(case["round"])) == game
