"""Wins by force: every turn has its place in the solver's list, and in a world that is known the answer is exact."""

import numpy as np
import pytest

from agents.forced import NOWHERE, ForcedWins
from agents.learned.afterstates import make_turns
from agents.oracle_beliefs import LARGEST_HAND
from agents.solver import Solver
from red7_env.game import batch
from red7_env.game.moves import PASS
from tests.agents.cases import positions, seen, turns_of

OPEN = "basic@4x4x7:2p"
"""All cards are dealt, so what a seat does not see is its rival's hand."""


def some(text, count, seed):
    """Return states, and for each its view."""
    states = positions(text, count, seed=seed)
    return states, [seen(states[i : i + 1]) for i in range(count)]


def counted(view, worlds):
    """Return the turns of a view and in how many worlds each wins by force."""
    turns, forced = turns_of(view), ForcedWins()
    wins = np.zeros(len(turns), np.int64)
    forced.count(view, np.array([5], np.uint64), forced.places(view, turns), worlds, 1, wins)
    return turns, wins


def wins_after(states, turn):
    """Return whether the seat to move wins by force after a turn in each full state."""
    after, movers = states.copy(), states["to_move"].copy()
    make_turns(after, np.repeat(turn[None], len(states), axis=0))
    return Solver().wins(after) == (after["to_move"] == movers)


@pytest.mark.parametrize("text", ["basic:2p", OPEN, "basic@5x3x2:2p"])
def test_every_turn_but_the_pass_has_a_place_of_its_own(text):
    for view in some(text, 60, seed=1)[1]:
        turns = turns_of(view)
        places = ForcedWins().places(view, turns)
        assert ((places == NOWHERE) == (turns[:, 0] == PASS)).all()
        assert len(set(places)) == len(places)


def test_where_only_one_world_fits_the_answer_is_the_solvers():
    states, views = some(OPEN, 40, seed=2)
    found = []
    for i, view in enumerate(views):
        turns, wins = counted(view, 3)
        assert set(wins) <= {0, 3}
        assert [bool(count) for count in wins] == [wins_after(states[i : i + 1], turn)[0] for turn in turns]
        found += list(wins)
    assert 0.1 < np.mean(found) / 3 < 0.9


def test_many_worlds_give_the_chance_of_a_win():
    for view in some("basic:2p", 3, seed=3)[1]:
        turns, wins = counted(view, 400)
        worlds = batch.determinise(np.repeat(view, 400), seed=8)
        for turn, count in list(zip(turns, wins, strict=True))[:4]:
            assert abs(count / 400 - wins_after(worlds, turn).mean()) < 0.12  # two samples of 400


def test_worlds_that_the_oracle_would_have_left_otherwise_are_passed_over():
    states = positions("basic:2p", 120, seed=4, kept=0.04)
    rivals_hands = states["hand_sizes"][np.arange(120), 1 - states["to_move"]]
    states = states[(states["turn"] > 1) & (rivals_hands <= LARGEST_HAND)]
    assert len(states) > 8
    differ = 0
    for i in range(8):
        view = seen(states[i : i + 1])
        turns, shares = turns_of(view), []
        for tries in (1, 8):
            forced, wins = ForcedWins(swindled=True), np.zeros(len(turns), np.int64)
            forced.count(view, np.array([5], np.uint64), forced.places(view, turns), 60, tries, wins)
            shares.append(wins / 60)
        differ += bool(np.abs(shares[0] - shares[1]).max() > 0.1)
    assert differ > 4
