import numpy as np
import pytest

from agents import make, make_all
from agents.table import CHUNK, play_deals
from red7_env.game import IllegalMoveError, Rules, batch
from red7_env.game.state import NOBODY


class First:
    """Plays the first offered move, and notes what it was given."""

    name = "first"

    def __init__(self, spec="first"):
        self.spec = spec
        self.viewers = set()
        self.calls = 0

    def act(self, views, masks, rng):
        self.viewers |= set(views["viewer"].tolist())
        self.calls += 1
        assert (views["viewer"] == views["to_move"]).all() or (views["viewer"] == NOBODY).all()
        assert (masks.sum(axis=1) > 1).all()
        rng.random(len(views))
        return masks.argmax(axis=1)


class Answers(First):
    def __init__(self, answer):
        super().__init__("answers")
        self.answer = answer

    def act(self, views, masks, rng):  # noqa: ARG002 - fixed by the protocol
        return self.answer(len(views))


def test_every_deal_is_played_with_all_rotations():
    rules = Rules.parse("basic:3p")
    games = play_deals(make_all(["random", "greedy", "greedy"]), rules, 5, seed=3, first=2)
    assert games.deals.tolist() == [deal for deal in range(2, 7) for _ in range(3)]
    assert games.seats.tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1]] * 5
    assert (np.bitwise_count(games.winners) == 1).all()
    np.testing.assert_allclose(games.shares.sum(axis=1), 1)


def test_shares_belong_to_agents_not_seats():
    # A player who always passes loses wherever it sits.
    never = Answers(lambda count: np.full(count, 99))
    games = play_deals([First(), never], Rules(), 20)
    assert games.shares[:, 0].tolist() == [1] * 40


@pytest.mark.parametrize("text", ["basic:2p", "advanced:2p", "advanced+revised:3p:match"])
def test_moves_replay_to_the_same_end(text):
    rules = Rules.parse(text)
    agents = make_all(["greedy", *["random"] * (rules.players - 1)])
    games = play_deals(agents, rules, 6, seed=1, keep_moves=True)
    for row in range(len(games.deals)):
        state = batch.deal(rules, 1, 1, int(games.deals[row]))
        for move in games.moves[row]:
            batch.play(state, np.array([move]))
            batch.next_round(state)
        assert state["winners"][0] == games.winners[row]
        winners = [seat for seat in range(rules.players) if games.winners[row] >> seat & 1]
        if rules.match:
            assert games.points[row].max() >= rules.target
            assert (games.points[row][winners] == games.points[row].max()).all()
        elif rules.advanced:
            assert np.flatnonzero(games.points[row]).tolist() in (winners, [])
        else:
            assert not games.points[row].any()


def test_chunks_are_the_same_however_they_are_parted():
    agents = make_all(["random", "random:unit=turn"])
    whole = play_deals(agents, Rules(), CHUNK + 40, seed=5, keep_moves=True)
    parts = [
        play_deals(agents, Rules(), deals, seed=5, first=first, keep_moves=True)
        for first, deals in ((CHUNK, 40), (0, CHUNK))
    ]
    assert (whole.winners == np.concatenate([parts[1].winners, parts[0].winners])).all()
    moves = parts[1].moves + parts[0].moves
    assert all((one == other).all() for one, other in zip(whole.moves, moves, strict=True))


@pytest.mark.parametrize("rules", [Rules(), Rules(players=4)])
def test_agents_named_in_another_order_play_the_same_games(rules):
    specs = ["random", "greedy", "random:unit=turn", "greedy"][: rules.players]
    games = play_deals(make_all(specs), rules, 30, seed=6)
    # The seats of one rotation later are those of agents named one place later.
    turned = play_deals(make_all([*specs[1:], specs[0]]), rules, 30, seed=6)
    first = games.shares.reshape(30, rules.players, -1)
    second = turned.shares.reshape(30, rules.players, -1)
    np.testing.assert_array_equal(np.roll(first, -1, axis=1), np.roll(second, 1, axis=2))


def test_a_seed_is_a_game():
    agents = make_all(["random", "random:unit=turn"])
    one, same, other = (play_deals(agents, Rules(), 50, seed=seed).winners for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()


def test_agents_see_views_unless_they_cheat():
    honest, cheat = First("honest"), First("cheat")
    cheat.cheats = True
    play_deals([honest, cheat], Rules(), 4)
    assert honest.viewers == {0, 1}
    assert cheat.viewers == {NOBODY}


def test_decisions_and_time_are_counted_by_agent():
    games = play_deals(make_all(["greedy", "random", "random", "random"]), Rules(players=4), 20)
    assert games.decisions.shape == games.seconds.shape == (4,)
    assert (games.decisions > 0).all()
    assert len(set(games.decisions[1:].tolist())) == 1
    assert (games.seconds > 0).all()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda count: np.zeros(count + 1, np.int64), "answers: found int64"),
        (np.zeros, "answers: found float64"),
        (lambda count: np.full(count, 100), "answers: found"),
        (lambda count: np.full(count, -1), "answers: found id -1, expected one of"),
        (lambda count: np.full(count, 10_000), "answers: found id 10000, expected one of"),
    ],
)
def test_a_bad_answer_is_named(answer, message):
    with pytest.raises(IllegalMoveError, match=message):
        play_deals([Answers(answer), make("greedy")], Rules(), 3)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="agents: found 1, expected 2, one for each seat"):
        play_deals([make("greedy")], Rules(), 1)
    with pytest.raises(ValueError, match="deals: found 0, expected a whole number from 1"):
        play_deals(make_all(["greedy", "greedy"]), Rules(), 0)
    with pytest.raises(ValueError, match="seed: found -1, expected"):
        play_deals(make_all(["greedy", "greedy"]), Rules(), 1, seed=-1)
