"""The exact solver against exhaustive search on the slow reference engine."""

import math

import numpy as np
import pytest

from agents.solver import Share, Solver, first_player_share
from agents.solver.share import share_of
from agents.solver.table import new_table
from red7_env.game import Game, Rules, batch
from red7_env.game.moves import move_text
from red7_env.game.state import ROUND_OVER
from tests.agents.slow_solver import Known, mover_wins, winning_tokens
from tests.reference import Reference

MEAN_NODES = 2200
"""Positions a full deal takes on average: 1,560 when this was written."""


def solved_tokens(solver, state):
    return {move_text(move) for move in np.flatnonzero(solver.winning_moves(state)[0]).tolist()}


def reference_of(game):
    """Return the reference engine's game at the same point, within the turn as well."""
    reference = Reference.from_position(game.position)
    for token in game.turn:
        reference.play(token)
    return reference


def assert_solved_alike(solver, game, known):
    reference = reference_of(game)
    expected = winning_tokens(reference, known)
    assert solved_tokens(solver, game.state) == expected, repr(game)
    assert solver.wins(game.state)[0] == (bool(expected) or game.round_over), repr(game)


def games_along(rules, seed, index, rng):
    """Yield a deal and every position, within turns as well, of a random game from there."""
    game = Game.deal(rules, seed, index)
    while not game.round_over:
        yield game
        game.play(game.moves()[rng.integers(len(game.moves()))])
    yield game


@pytest.mark.parametrize("deck", [(3, 4, 2), (2, 3, 2), (7, 2, 3), (3, 3, 3), (7, 7, 2), (2, 7, 3), (1, 4, 1)])
def test_small_decks_are_solved_as_by_exhaustive_search(deck):
    rng, solver = np.random.default_rng(1), Solver()
    outcomes = set()
    for index in range(25):
        known: Known = {}
        for game in games_along(Rules(deck=deck), 3, index, rng):
            assert_solved_alike(solver, game, known)
            outcomes.add(bool(solver.wins(game.state)[0]))
    assert outcomes == {False, True}


def test_endings_of_the_full_game_are_solved_as_by_exhaustive_search():
    rng, solver = np.random.default_rng(2), Solver()
    sizes, lost = [], 0
    for index in range(120):
        known: Known = {}
        for game in games_along(Rules(), 4, index, rng):
            cards = int(game.state["hand_sizes"].sum())
            if cards <= 8:
                assert_solved_alike(solver, game, known)
                sizes.append(cards)
                lost += not solver.wins(game.state)[0]
    assert max(sizes) == 8
    assert len(sizes) > 300
    assert 0.1 < lost / len(sizes) < 0.9


def test_turns_agree_with_moves():
    solver = Solver()
    for index in range(40):
        for game in games_along(Rules(deck=(7, 7, 4)), 5, index, np.random.default_rng(index)):
            turns = solver.turns(game.state)
            firsts = {move_text(turn[0]) for turn in turns}
            assert firsts | {"#"} == set(game.moves()) | {"#"}
            assert {move_text(turn[0]) for turn, wins in turns.items() if wins} == solved_tokens(solver, game.state)
            for turn, wins in turns.items():
                after = game.copy()
                for move in turn:
                    after.play(move_text(move))
                assert after.round_over or not after.turn
                assert wins == (after.to_move == game.to_move or not solver.wins(after.state)[0])


def test_the_table_size_changes_no_value():
    states = batch.deal(Rules(), 150, seed=6)
    usual = Solver()
    values, moves = usual.wins(states), usual.winning_moves(states)
    for bits in (2, 5, 9, 18):
        other = Solver(bits)
        assert (other.wins(states) == values).all()
        assert (other.winning_moves(states) == moves).all()


def test_a_table_that_was_used_changes_no_value():
    """More solves than the table counts, so that old entries must have been told from new ones, or cleared."""
    states = batch.deal(Rules(deck=(7, 7, 3)), 700, seed=7)
    used = Solver(4)
    expected = np.array([Solver().wins(states[i : i + 1])[0] for i in range(0, 700, 7)])
    assert (used.wins(states)[::7] == expected).all()
    assert (used.wins(states)[::7] == expected).all()


def test_solving_is_deterministic_and_leaves_the_states_alone():
    states = batch.deal(Rules(), 50, seed=8)
    before = states.tobytes()
    first, second = Solver(), Solver()
    assert (first.wins(states) == second.wins(states)).all()
    assert first.nodes == second.nodes
    assert (first.winning_moves(states) == second.winning_moves(states)).all()
    assert states.tobytes() == before


def test_few_positions_are_reached():
    solver, deals = Solver(), 500
    solver.wins(batch.deal(Rules(), deals, seed=9))
    assert solver.nodes / deals < MEAN_NODES


def test_won_positions_have_winning_moves():
    states, solver = batch.deal(Rules(), 300, seed=10), Solver()
    moves = solver.winning_moves(states)
    assert (moves.any(axis=1) == solver.wins(states)).all()
    assert (moves <= batch.offers(states)).all()


def test_large_hands_are_solved():
    states, solver = batch.deal(Rules(deck=(2, 7, 6)), 5, seed=11), Solver()
    small = batch.deal(Rules(), 5, seed=11)
    before = solver.wins(small)
    assert solver.wins(batch.deal(Rules(deck=(4, 5, 9)), 2, seed=11)).shape == (2,)
    assert (solver.wins(small) == before).all()
    assert solver.wins(states).shape == (5,)


def test_a_finished_round_is_won_by_its_winner():
    game = Game.deal(Rules(deck=(3, 4, 2)))
    game.play("#")
    assert game.state["phase"][0] == ROUND_OVER
    assert Solver().wins(game.state).tolist() == [True]
    assert not Solver().winning_moves(game.state).any()
    assert Solver().turns(game.state) == {}


def test_no_states_have_no_answers():
    nothing = batch.deal(Rules(), 0)
    assert Solver().wins(nothing).shape == (0,)
    assert Solver().winning_moves(nothing).shape == (0, 101)


@pytest.mark.parametrize("rules", [Rules(players=3), Rules(variant="advanced"), Rules(actions="revised")])
def test_other_rules_are_refused(rules):
    with pytest.raises(ValueError, match=r"states: found .*, expected 2-player basic without actions"):
        Solver().wins(batch.deal(rules, 2))


def test_views_are_refused():
    views = batch.views(batch.deal(Rules(), 2), 0)
    with pytest.raises(ValueError, match="states: found views, expected full states"):
        Solver().winning_moves(views)


@pytest.mark.parametrize("bits", [1, 29, 2.0, True, "14"])
def test_a_wrong_table_size_is_refused(bits):
    with pytest.raises(ValueError, match=r"bits: found .*, expected [02] to 28"):
        new_table(bits)


def test_several_states_at_once_have_no_turns():
    with pytest.raises(ValueError, match=r"state: found shape \(2,\), expected \(1,\)"):
        Solver().turns(batch.deal(Rules(), 2))


def test_the_first_players_share_is_that_of_the_single_deals():
    rules = Rules(deck=(4, 5, 3))
    share = first_player_share(60, seed=12, rules=rules)
    known: Known = {}
    expected = sum(
        mover_wins(Reference.from_position(Game.deal(rules, 12, index).position), known) for index in range(60)
    )
    assert share == share_of(expected, 60)
    assert share == Share(expected, 60, expected / 60, share.low, share.high)


@pytest.mark.parametrize(("wins", "deals"), [(263, 1000), (1, 12), (9_800, 20_000)])
def test_wilsons_interval_ends_where_the_share_is_just_significant(wins, deals):
    share = share_of(wins, deals)
    for end in (share.low, share.high):
        errors = abs(share.share - end) / math.sqrt(end * (1 - end) / deals)
        assert errors == pytest.approx(1.96, abs=1e-4)
    assert share.low < share.share < share.high


def test_no_deals_have_no_share():
    with pytest.raises(ValueError, match="deals: found 0, expected a whole number from 1"):
        first_player_share(0)
