"""pimc and oracle: they play what the solver finds, and search to a depth where it cannot solve."""

import itertools
import time

import numpy as np
import pytest

from agents import make, make_all
from agents.oracle import Oracle
from agents.pimc import Pimc
from agents.solver import Solver
from agents.solver.deep import new_path, search_worlds
from agents.solver.sampled import PLAYED_OUT
from agents.table import play_deals
from agents.turns import MAX_OFFER
from red7_env.game import STATE, Game, Rules, batch
from red7_env.game.bits import cards_of, word_of
from red7_env.game.moves import PASS, move_text
from red7_env.game.state import NOBODY, ROUND_OVER, rules_of

OPEN = Rules(deck=(4, 5, 9))
"""All cards are dealt, so each player knows the other's hand."""


def along_random_games(rules, count, seed):
    """Return states of seats to move at every point of some random games."""
    rng, states = np.random.default_rng(seed), batch.deal(rules, count, seed)
    found = []
    while len(states):
        found.append(states.copy())
        masks = batch.offers(states)
        batch.play(states, (masks * rng.random(masks.shape)).argmax(axis=1))
        states = states[states["phase"] < ROUND_OVER]
    return np.concatenate(found)


def views_of(states):
    return batch.views(states, states["to_move"].astype(np.int64))


def chosen(agent, states, seed=0):
    views = states if isinstance(agent, Oracle) else views_of(states)
    return agent.act(views, batch.offers(views), np.random.default_rng(seed))


@pytest.mark.parametrize("agent", [Pimc(samples=1), Oracle(), Oracle(lost="errors"), Oracle(lost="greedy")])
def test_known_hands_are_played_without_an_error(agent):
    states = along_random_games(OPEN, 12, seed=1)
    states = states[states["hand_sizes"].sum(axis=1) <= 14]
    winning = Solver().winning_moves(states)
    moves = chosen(agent, states)
    won = winning.any(axis=1)
    assert 0.1 < won.mean() < 0.9
    assert winning[np.arange(len(states)), moves][won].all()


def worth_in_all_worlds(view, greedy):
    """Return, for each move, what its best turn is worth in the mean of all worlds of a view."""
    unseen = sorted(set(rules_of(view[0]).deck_cards) - set(seen_cards(view[0])))
    rival = 1 - int(view[0]["to_move"])
    worth: dict[tuple[int, ...], float] = {}
    hands = list(itertools.combinations(unseen, int(view[0]["hand_sizes"][rival])))
    for hand in hands:
        world = view.copy()
        world["viewer"] = NOBODY
        world["hands"][0, rival] = word_of(hand)
        for turn, wins in Solver().turns(world).items():
            played_out = played_out_by(world, turn, greedy)
            worth[turn] = worth.get(turn, 0) + (1 - PLAYED_OUT) * wins + PLAYED_OUT * played_out
    return {
        move: max(value for turn, value in worth.items() if turn[0] == move) / len(hands)
        for move in {turn[0] for turn in worth}
    }


def played_out_by(world, turn, agents):
    """Tell whether the mover wins if it makes a turn and the first agent goes on for it, the second for the rivals."""
    seat, after = int(world[0]["to_move"]), world.copy()
    for move in turn:
        batch.play(after, np.array([move]))
    while after[0]["phase"] < ROUND_OVER:
        batch.play(after, greedy_move_of(after, agents[int(after[0]["to_move"] != seat)]))
    return int(after[0]["winner"]) == seat


def seen_cards(view):
    cards = cards_of(int(view["hands"][view["to_move"]])) + view["pile"][: view["canvas_size"]].tolist()
    return cards + [card for palette in view["palettes"] for card in cards_of(int(palette))]


def test_pimc_chooses_what_wins_in_most_worlds():
    states = along_random_games(Rules(deck=(3, 4, 4)), 14, seed=3)
    states = states[batch.offers(states).sum(axis=1) > 1]
    moves, greedy = chosen(Pimc(samples=300, tries=1), states), make_all(["greedy:choice=freedom", "greedy"])
    assert len(moves) > 30
    for state, move in zip(states, moves, strict=True):
        worth = worth_in_all_worlds(views_of(np.array([state])), greedy)
        # The error of a mean of 300 worlds is below 0.03, and nearly the same for all moves.
        assert worth.get(move, 0) >= max(worth.values()) - 0.08, Game.from_state(np.array([state]))


@pytest.mark.parametrize(("lost", "counted"), [("swindle", False), ("errors", True)])
def test_a_lost_oracle_leaves_the_rival_the_most_ways_to_err(lost, counted):
    states = batch.deal(Rules(deck=(7, 7, 4)), 60, seed=5)
    solver = Solver()
    states = states[~solver.wins(states) & (batch.offers(states).sum(axis=1) > 2)]
    moves = chosen(Oracle(lost=lost), states)
    assert len(moves) > 10
    for state, move in zip(states, moves, strict=True):
        errors: dict[int, float] = {}
        for turn in solver.turns(np.array([state])):
            after = Game.from_state(np.array([state]))
            for part in turn:
                after.play(move_text(part))
            answers = solver.turns(after.state)
            number = len(answers) - sum(answers.values())
            errors[turn[0]] = max(errors.get(turn[0], 0.0), number if counted else number / len(answers))
        assert errors[move] == pytest.approx(max(errors.values()))


def test_without_swindles_a_lost_oracle_plays_as_greedy():
    states = batch.deal(Rules(), 60, seed=5)
    states = states[~Solver().wins(states) & (batch.offers(states).sum(axis=1) > 2)]
    greedy = make("greedy").act(views_of(states), batch.offers(states), np.random.default_rng(0))
    assert (chosen(make("oracle:lost=greedy"), states) == greedy).all()
    assert (chosen(Oracle(), states) != greedy).any()


@pytest.mark.parametrize("rival", ["greedy", "random"])
def test_the_oracle_wins_whatever_is_won(rival):
    rules = Rules(deck=(7, 7, 5))
    games = play_deals_openly(Oracle(), make(rival), rules, 80, seed=6)
    states = batch.deal(rules, 80, seed=6)
    first = Solver().wins(states)
    for seat in (0, 1):
        won = first == (states["to_move"] == seat)
        assert games[seat][won].all()
        assert 20 < won.sum() < 60


def play_deals_openly(oracle, rival, rules, deals, seed):
    """Return, for each seat, in which deals the oracle wins from there."""
    results = []
    for seat in (0, 1):
        states = batch.deal(rules, deals, seed)
        while (live := states["phase"] < ROUND_OVER).any():
            masks = batch.offers(states[live])
            moves = rival.act(views_of(states[live]), masks, np.random.default_rng(0))
            own = states[live]["to_move"] == seat
            moves[own] = oracle.act(states[live][own], masks[own], np.random.default_rng(0))
            after = states[live]
            batch.play(after, moves, masks)
            states[live] = after
        results.append(states["winner"] == seat)
    return results


def test_a_search_to_the_end_finds_what_the_solver_finds():
    states = along_random_games(Rules(deck=(4, 5, 3)), 25, seed=7)
    sums = searched(states, depth=8)
    solver = Solver()
    winning = solver.winning_moves(states)
    for k, state in enumerate(states):
        offered = np.flatnonzero(batch.offers(states[k : k + 1])[0])
        if len(offered) > 1:
            expected = winning[k, offered]
            assert (sums[k, : len(offered)] == expected).all(), Game.from_state(np.array([state]))


def searched(states, depth):
    sums = np.zeros((len(states), MAX_OFFER))
    streams, worlds = np.zeros(len(states), np.uint64), np.zeros(2, STATE)
    search_worlds(states, streams, 1, 1, depth, worlds, new_path(depth), sums)
    return sums


def worth_by_recursion(game, seats_turn, depth, greedy):
    """Return what a position is worth to every seat: max^n in plain Python, greedy's move first, strict gains only."""
    state = game.state[0]
    if game.round_over or int(state["turn"]) - seats_turn >= depth:
        return worth_by_greedy(game.state, greedy)
    offered = game.move_ids()
    first = int(greedy_move_of(game.state, greedy)[0])
    best = None
    for move in [
        first,
        *(move for move in offered if move not in {first, PASS}),
    ]:
        after = game.copy()
        after.play(move_text(move))
        values = worth_by_recursion(after, seats_turn, depth, greedy)
        if best is None or values[game.to_move] > best[game.to_move]:
            best = values
        if best[game.to_move] >= 1:
            break
    return best


def greedy_move_of(state, greedy):
    view = views_of(state)
    return greedy.act(view, batch.offers(view), np.random.default_rng(0))


def worth_by_greedy(state, greedy):
    """Return what a position is worth to every seat if greedy plays on; single rounds only."""
    end = state.copy()
    while end[0]["phase"] < ROUND_OVER:
        batch.play(end, greedy_move_of(end, greedy))
    return (np.arange(4) == end[0]["winner"]).astype(float)


@pytest.mark.parametrize(
    ("text", "depth"),
    [("basic:3p", 1), ("advanced:2p", 1), ("basic+first@4x5x3:2p", 2), ("advanced+revised@4x5x3:3p", 1)],
)
def test_the_search_to_a_depth_is_that_of_a_plain_recursion(text, depth):
    greedy, rules = make("greedy"), Rules.parse(text)
    states = along_random_games(rules, 9, seed=8)[::3]
    sums = searched(states, depth)
    checked = 0
    for k in range(len(states)):
        game = Game.from_state(states[k : k + 1])
        offered = game.move_ids()
        if len(offered) == 1:
            continue
        for n, move in enumerate(offered):
            if move == PASS:
                continue
            after = game.copy()
            after.play(move_text(move))
            expected = worth_by_recursion(after, int(states[k]["turn"]), depth, greedy)[game.to_move]
            assert sums[k, n] == expected, (repr(game), move_text(move))
            checked += 1
    assert checked > 20


def test_deeper_search_beats_random_turns_in_other_variants():
    for text in ("basic:3p", "advanced+revised:2p"):
        rules = Rules.parse(text)
        agents = make_all(["pimc:samples=4:depth=1"] + ["random:unit=turn"] * (rules.players - 1))
        games = play_deals(agents, rules, 40, seed=9)
        assert games.shares[:, 0].mean() > 1 / rules.players + 0.2


def test_pimc_beats_greedy():
    games = play_deals(make_all(["pimc:samples=12", "greedy"]), Rules(), 150, seed=10)
    assert games.shares[:, 0].mean() > 0.53


def test_time_is_a_budget():
    views = views_of(batch.deal(Rules(), 3, seed=11))
    masks = batch.offers(views)
    agent = make("pimc:ms=20")
    agent.act(views, masks, np.random.default_rng(0))
    start = time.perf_counter()
    moves = agent.act(views, masks, np.random.default_rng(0))
    assert 0.06 <= time.perf_counter() - start < 3
    assert (masks[np.arange(3), moves] == 1).all()


def test_the_oracle_refuses_views():
    views = views_of(batch.deal(Rules(), 2))
    with pytest.raises(ValueError, match="states: found views, expected full states"):
        Oracle().act(views, batch.offers(views), np.random.default_rng(0))
