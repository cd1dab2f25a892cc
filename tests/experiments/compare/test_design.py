from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

from experiments.compare.design import seatings, tables_of

AGENTS = ["e", "d", "c", "b", "a"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everyone_meets_everyone_equally_often(players):
    tables = tables_of(AGENTS, players, "balanced")
    met = Counter(pair for table in tables for pair in combinations(sorted(table.agents), 2))
    assert len(met) == len(AGENTS) * (len(AGENTS) - 1) // 2
    assert len(set(met.values())) == 1


def test_two_players_are_a_round_robin():
    assert {table.agents for table in tables_of(AGENTS, 2, "balanced")} == set(combinations("abcde", 2))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("design", ["balanced", "duel"])
def test_every_place_takes_every_seat_once_a_deal(players, design):
    for table in tables_of(AGENTS[:4], players, design):
        for rotations in seatings(table, np.arange(7)):
            assert rotations.shape == (players, players)
            for row in rotations:
                assert sorted(row) == sorted(table.places)
            for column in rotations.T:
                assert sorted(column) == sorted(table.places)


@pytest.mark.parametrize("players", [3, 4])
def test_everyone_sits_after_everyone_equally_often(players):
    (table,) = tables_of(AGENTS[:players], players, "balanced")
    follows = Counter(
        (row[seat], row[(seat + 1) % players])
        for rotations in seatings(table, np.arange(12))
        for row in rotations.tolist()
        for seat in range(players)
    )
    assert set(follows) == set(permutations(range(players), 2))
    assert len(set(follows.values())) == 1


def test_in_a_duel_one_sits_alone():
    tables = tables_of(["a", "b", "c"], 4, "duel")
    assert {table.agents for table in tables} == set(permutations("abc", 2))
    assert all([table.copies(0), table.copies(1)] == [1, 3] for table in tables)


def test_the_order_of_the_agents_does_not_matter():
    assert tables_of(AGENTS, 3, "balanced") == tables_of(sorted(AGENTS), 3, "balanced")
