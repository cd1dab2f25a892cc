"""Pinned counts of move sequences: any change of what is offered shows here. ``tests.perft`` makes them."""

import json

import numpy as np
import pytest

from red7_env.game import STATE, Game
from red7_env.game.kernels import perft as perft_kernel
from tests import reference
from tests.perft import PINNED, WANTED

CASES = json.loads(PINNED.read_text())
REFERENCE_COUNT = 300


def case_id(case):
    return case["position"].replace(" ", "_")[:40]


def test_every_kind_of_game_is_pinned():
    played = [Game.from_position(case["position"]).rules for case in CASES]
    assert [str(rules) for rules in played] == [str(rules) for rules in WANTED for _ in range(2)]
    assert max(count for case in CASES for count in case["counts"]) > 100_000


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_the_engine_counts_what_is_pinned(case):
    game = Game.from_position(case["position"])
    before = repr(game)
    assert [game.perft(depth) for depth in range(len(case["counts"]) + 1)] == [1, *case["counts"]]
    assert repr(game) == before


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_the_reference_counts_the_same(case):
    slow = reference.Reference.from_position(case["position"])
    for depth, count in enumerate(case["counts"], 1):
        if count > REFERENCE_COUNT:
            break
        assert reference.perft(slow, depth) == count


@pytest.mark.parametrize("case", CASES[::5], ids=case_id)
def test_counts_add_up_over_the_first_moves(case):
    game = Game.from_position(case["position"])
    for depth, count in enumerate(case["counts"][:6], 1):
        parts = []
        for move in game.move_ids():
            after = game.copy()
            after.play(move)
            parts.append(after.perft(depth - 1))
        assert sum(parts) == count


def test_counts_within_a_turn_are_those_that_follow():
    game = Game.from_position("basic - R7R3:V1/B1:R6 0 -", "+R7")
    assert game.moves() == [".", ">R3"]
    assert [game.perft(depth) for depth in range(4)] == [1, 2, 2, 2]


def test_a_round_that_is_over_counts_once_at_any_depth():
    game = Game.from_position("basic - x/B1:R6 1 -")
    assert [game.perft(depth) for depth in (0, 1, 2, 1000)] == [1, 1, 1, 1]


def test_the_kernel_writes_only_on_its_stack():
    stack = np.concatenate([Game.deal().state, np.zeros(3, STATE)])
    first = stack[0].tobytes()
    assert perft_kernel(stack[:3], 2) == Game.deal().perft(2)
    assert stack[0].tobytes() == first
    assert not any(stack[3].tobytes())
