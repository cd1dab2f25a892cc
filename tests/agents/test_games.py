"""The one loop in which agents play games: what it notes, and whom it asks for what."""

import numpy as np
import pytest

from agents import make
from agents.games import Player, play_games
from red7_env.game import Game, Rules, batch
from red7_env.game.state import NOBODY
from tests.agents.test_table import First


def played(text, specs, deals, keep=0, seed=4):
    rules = Rules.parse(text)
    players = [Player(make(spec), np.random.default_rng(number)) for number, spec in enumerate(specs)]
    seats = (np.arange(deals)[:, None] + np.arange(rules.players)) % len(players)
    states = batch.deal(rules, deals, seed)
    before = states.copy()
    found = play_games(states, seats, players, keep)
    assert (states == before).all()
    return found


@pytest.mark.parametrize("text", ["basic:2p", "advanced+revised:3p", "advanced+first:4p:match"])
def test_notes_are_those_of_the_games_played_again(text):
    found = played(text, ["random", "greedy", "random:unit=turn"], 12, keep=12)
    for number, history in enumerate(found.histories):
        game = Game.deal(Rules.parse(text), 4, number)
        assert game.to_move == found.first[number]
        for move in history.tolist():
            game.play(move)
            if game.round_over and not game.over:
                game.next_round()
        assert game.over
        assert (game.state == found.states[number]).all()
        assert found.moves[number] == len(history)
        assert found.turns[number] == sum(len(log.turns) for log in game.rounds)


def test_only_the_first_games_are_kept():
    whole, some, none = (played("basic:2p", ["random", "greedy"], 9, keep=count) for count in (9, 4, 0))
    assert [len(each.histories) for each in (whole, some, none)] == [9, 4, 0]
    assert all((one == other).all() for one, other in zip(whole.histories, some.histories, strict=False))
    assert (whole.states == none.states).all()
    assert len(played("basic:2p", ["greedy"], 3, keep=100).histories) == 3


def test_a_player_is_asked_once_a_step_for_all_its_games():
    first, other = First("one"), First("other")
    states = batch.deal(Rules(), 40)
    seats = np.tile([0, 1], (40, 1))
    found = play_games(
        states, seats, [Player(first, np.random.default_rng(1)), Player(other, np.random.default_rng(2))]
    )
    assert first.calls <= found.moves.max()
    assert found.decisions.sum() < found.moves.sum()  # a single offered move is no question
    assert first.viewers | other.viewers == {0, 1}


def test_one_that_cheats_sees_full_states():
    spy = First("spy")
    spy.cheats = True
    play_games(batch.deal(Rules(), 3), np.zeros((3, 2), np.int64), [Player(spy, np.random.default_rng(1))])
    assert spy.viewers == {NOBODY}
