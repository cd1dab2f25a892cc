"""Whole turns are those of the rules, and what is known after each is what the seat then sees."""

import numpy as np
import pytest

from agents.learned.afterstates import MOST_MOVES, MOST_TURNS, NO_MOVE, list_afterstates, make_turns
from agents.turns import STACK_SIZE, count_turns
from red7_env.game import STATE, Rules, batch
from red7_env.game.bits import cards_of
from red7_env.game.moves import DRAW, PASS
from red7_env.game.state import ROUND_OVER
from red7_env.observation import encode, pieces, size
from red7_env.observation.table import layout
from tests.agents.cases import VARIANTS, positions, seen


class Lists:
    """The turns of some views."""

    def __init__(self, text, views, rows=4 * MOST_TURNS):
        rules = Rules.parse(text)
        self.turns, self.after = np.zeros((rows, MOST_MOVES), np.uint8), np.zeros(rows, STATE)
        self.values, self.ends = np.zeros(rows), np.zeros(len(views), np.int64)
        self.out = np.full((rows, size(rules)), 7, np.uint8)
        room = np.zeros(MOST_MOVES + 1, STATE)
        self.done = list_afterstates(
            views, 0, layout(rules), room, self.turns, self.after, self.values, self.ends, self.out
        )

    def of(self, view):
        """Return the rows of a view."""
        return range(self.ends[view - 1] if view else 0, self.ends[view])


def moves_of(turn):
    return [int(move) for move in turn if move != NO_MOVE]


@pytest.fixture(scope="module", params=VARIANTS)
def text(request):
    return request.param


def test_what_is_known_after_a_turn_is_what_its_seat_then_sees(text):
    states = positions(text, 20, seed=2)
    views = seen(states)
    lists = Lists(text, views)
    assert lists.done == len(views)
    drawn = 0
    for game in range(len(views)):
        seat = int(views["to_move"][game])
        for row in lists.of(game):
            real = states[game : game + 1].copy()
            for move in moves_of(lists.turns[row]):
                batch.play(real, np.array([move]))
            known, after = batch.views(real, seat)[0], lists.after[row : row + 1]
            unseen = int(known["hands"][seat]) & ~int(after["hands"][0][seat])
            drawn += len(cards_of(unseen))
            assert len(cards_of(unseen)) <= 1
            if unseen:
                known["hands"][seat] ^= np.uint64(unseen)
            if real["phase"][0] == ROUND_OVER and real["match"][0]:
                batch.next_round(real)
                known["scored"], known["round"] = after["scored"][0], after["round"][0]
                known["phase"], known["winners"] = after["phase"][0], after["winners"][0]
            if not unseen or moves_of(lists.turns[row])[-1] == DRAW:
                assert known.tobytes() == after[0].tobytes()
            inputs = next(piece.start for piece in pieces(Rules.parse(text)) if piece.name == "offered_plays")
            assert (lists.out[row, :inputs] == encode(after, seat)[0, :inputs]).all()
    assert (drawn > 0) == (Rules.parse(text).advanced or Rules.parse(text).actions is not None)


def test_there_are_as_many_turns_as_the_count_says(text):
    states = positions(text, 40, seed=3)
    views = seen(states)
    # A 3 that draws a card of a known place ends the counted turn and not the listed one.
    views = views[views["deck_known"] == 0]
    counts = np.zeros((len(views), Rules.parse(text).num_moves), np.int64)
    count_turns(views, np.zeros(STACK_SIZE, STATE), counts)
    lists = Lists(text, views)
    passes = batch.offers(views).sum(axis=1) > 1
    for game in range(len(views)):
        firsts = [int(lists.turns[row, 0]) for row in lists.of(game)]
        assert len({tuple(lists.turns[row]) for row in lists.of(game)}) == len(firsts)
        if views["match"][game] and passes[game]:
            firsts.remove(PASS) if PASS in firsts else None
        assert len(firsts) == counts[game].sum()


def test_listing_goes_on_where_room_ended():
    views = seen(positions("basic:2p", 60, seed=4))
    whole, part = Lists("basic:2p", views), Lists("basic:2p", views, MOST_TURNS + 100)
    assert 0 < part.done < len(views)
    assert (part.turns[: part.ends[part.done - 1]] == whole.turns[: part.ends[part.done - 1]]).all()


def test_turns_are_made_in_full_states(text):
    states = positions(text, 10, seed=6)
    views = seen(states)
    lists = Lists(text, views)
    rows = np.array([lists.of(game)[-1] for game in range(len(views))])
    made, plain = states.copy(), states.copy()
    make_turns(made, lists.turns[rows])
    for game, row in enumerate(rows):
        for move in moves_of(lists.turns[row]):
            one = plain[game : game + 1].copy()
            batch.play(one, np.array([move]))
            plain[game : game + 1] = one
    assert made.tobytes() == plain.tobytes()


def test_a_certain_outcome_is_known():
    views = seen(positions("basic@6x6x2:2p", 200, seed=7))
    lists = Lists("basic@6x6x2:2p", views)
    rows = lists.ends[-1]
    over = lists.after["phase"][:rows] == ROUND_OVER
    won = over & (lists.after["winner"][:rows] == np.repeat(views["to_move"], np.diff(lists.ends, prepend=0)))
    assert over.any()
    assert (lists.values[:rows][won] == 1).all()
    assert (lists.values[:rows][over & ~won] == 0).all()
    assert np.isnan(lists.values[:rows][~over]).all()
