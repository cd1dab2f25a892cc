"""Beliefs: a world fits a rival's last turn exactly if greedy, or a lost oracle, can have come from somewhere to it."""

import numpy as np
import pytest

from agents import make, make_all
from agents.beliefs import fits_greedy, likely_world
from agents.greedy import greedy_moves
from agents.jit import kernel
from agents.oracle_beliefs import LARGEST_HAND, fits_lost_oracle
from agents.solver import Solver
from agents.solver.search import new_room
from agents.table import play_deals
from red7_env.game import STATE, Rules, batch
from red7_env.game.bits import cards_of, word_of
from red7_env.game.keys import RED, keys_of
from red7_env.game.moves import DISCARD, END, PLAY
from red7_env.game.state import ROUND_OVER, START, UNKNOWN


@kernel
def fits_many(worlds, room, fits):
    for i in range(len(worlds)):
        room[0] = worlds[i]
        fits[i] = fits_greedy(worlds[i], room[0])


@kernel
def fit_oracle_many(worlds, past, room, fits):
    for i in range(len(worlds)):
        past[0] = worlds[i]
        fits[i] = fits_lost_oracle(worlds[i], past[0], room)


@kernel
def draw_many(views, worlds, unseen, tries, drawn):
    stream = np.uint64(3)
    for i in range(len(views)):
        stream = likely_world(views[i], worlds, unseen, stream, tries)
        drawn[i] = worlds[0]


def fits(worlds):
    found = np.zeros(len(worlds), np.bool_)
    fits_many(worlds, np.zeros(1, STATE), found)
    return found


def fits_oracle(worlds):
    found = np.zeros(len(worlds), np.bool_)
    fit_oracle_many(worlds, np.zeros(1, STATE), new_room(9), found)
    return found


def drawn(views, tries):
    found = np.zeros(len(views), STATE)
    draw_many(views, np.zeros(2, STATE), np.zeros(49, np.uint8), tries, found)
    return found


def along_games(text, count, seed, strays=0.0):
    """Return all states of games between greedy players, with a share of random moves."""
    rng, states, found = np.random.default_rng(seed), batch.deal(Rules.parse(text), count, seed), []
    while len(states):
        found.append(states.copy())
        masks = batch.offers(states)
        chance = (masks * rng.random(masks.shape)).argmax(axis=1)
        batch.play(states, np.where(rng.random(len(states)) < strays, chance, greedy_moves(states)))
        states = states[states["phase"] < ROUND_OVER]
    return np.concatenate(found)


def views_of(states):
    return batch.views(states, states["to_move"].astype(np.int64))


@pytest.mark.parametrize("text", ["basic:2p", "basic:3p", "basic:4p", "basic@5x6x5:2p"])
def test_what_a_greedy_rival_holds_always_fits(text):
    states = along_games(text, 300, seed=1)
    assert fits(states).all()
    assert not fits(drawn(views_of(states), 1)).all()  # but other hands do not


@pytest.mark.parametrize("text", ["advanced:2p", "basic+revised:2p"])
def test_all_worlds_fit_where_the_position_before_is_not_known(text):
    assert fits(drawn(views_of(along_games(text, 30, seed=2, strays=0.3)), 1)).all()


@pytest.mark.parametrize("text", ["basic:2p", "basic:3p", "basic@5x5x4:2p"])
def test_it_fits_exactly_if_greedy_gets_there_from_some_position(text):
    worlds = drawn(views_of(along_games(text, 12, seed=3, strays=0.2)), 1)
    worlds = worlds[(worlds["phase"] == START) & (worlds["turn"] > 1)]
    expected = [greedy_gets_there(world) for world in np.split(worlds, len(worlds))]
    assert 0.3 < np.mean(expected) < 0.95
    assert fits(worlds).tolist() == expected


def greedy_gets_there(world):
    """Set up all positions before the last turn, let greedy make it, and look whether the table is the same."""
    seats, mover = int(world["players"][0]), int(world["to_move"][0])
    seat = (mover - 1) % seats
    if not int(world["seats_in"][0]) >> seat & 1:
        return True  # who was out before is not known
    palette = cards_of(int(world["palettes"][0, seat]))
    canvas = world["pile"][0, : world["canvas_size"][0]].tolist()
    return any(
        same_table(greedy_turn(before(world, seat, played, canvas, discarded=discarded)), world)
        for played in (None, *palette)
        for discarded in (False, True)
        if possible(world, seat, played=played is not None, discarded=discarded)
    )


def possible(world, seat, *, played, discarded):
    """Tell whether a seat that has spent what it has can have made such a turn, among as many turns as it had."""
    if not (played or discarded):
        return False
    plays = len(cards_of(int(world["palettes"][0, seat]))) - 1
    discards = int(world["hand_size"][0]) - plays - len(cards_of(int(world["hands"][0, seat])))
    if discarded > discards or played > plays:
        return False
    seats, turn = int(world["players"][0]), int(world["turn"][0])
    if int(world["seats_in"][0]).bit_count() < seats:
        return True
    turns = len(range(turn - 1, 0, -seats))
    others = turns - 1  # these took what is left, one card or two of different kinds each
    plays, discards = plays - played, discards - discarded
    return max(plays, discards) <= others <= plays + discards


def before(world, seat, played, canvas, *, discarded):
    past = world.copy()
    hand, palette = cards_of(int(world["hands"][0, seat])), cards_of(int(world["palettes"][0, seat]))
    if played is not None:
        hand, palette = [*hand, played], [card for card in palette if card != played]
    if discarded:
        hand = [*hand, canvas[-1]]
        past["pile"][0, len(canvas) - 1] = UNKNOWN
        past["canvas_size"] = len(canvas) - 1
        past["rule"] = canvas[-2] % 7 if len(canvas) > 1 else RED
    past["hands"][0, seat], past["palettes"][0, seat] = word_of(hand), word_of(palette)
    past["hand_sizes"][0, seat] = len(hand)
    past["keys"][0, seat] = keys_of(np.uint64(word_of(palette)))
    past["to_move"], past["turn"] = seat, world["turn"] - 1
    return past


def greedy_turn(past):
    turn, after = past["turn"][0], past.copy()
    while after["phase"][0] < ROUND_OVER and after["turn"][0] == turn:
        batch.play(after, greedy_moves(after))
    return after


def same_table(after, world):
    names = ("hands", "palettes", "canvas_size", "rule", "to_move", "phase", "seats_in")
    return all((after[name] == world[name]).all() for name in names)


def winnable_against_the_oracle(text, count, seed):
    """Return states of games between random turns and the oracle: turns of the former that win by force."""
    rules, found = Rules.parse(text), []
    games = play_deals(make_all(["random:unit=turn", "oracle"]), rules, count, seed=seed, keep_moves=True)
    for game, moves in enumerate(games.moves):
        state, seat = batch.deal(rules, 1, seed, int(games.deals[game])), games.seats[game].tolist().index(0)
        for move in moves.tolist():
            if state["to_move"][0] == seat and state["turn"][0] > 1:
                found.append(state.copy())
            batch.play(state, np.array([move]))
    states = np.concatenate(found)
    return states[Solver().wins(states)]


@pytest.mark.parametrize("text", ["basic:2p", "basic@5x5x4:2p"])
def test_what_a_lost_oracle_holds_always_fits(text):
    states = winnable_against_the_oracle(text, 60, seed=6)
    assert len(states) > 40
    assert fits_oracle(states).all()
    worlds = drawn(views_of(states), 1)
    assert not fits_oracle(worlds[Solver().wins(worlds)]).all()  # but other hands do not


def test_it_fits_exactly_if_some_position_before_had_no_better_swindle():
    worlds = drawn(views_of(winnable_against_the_oracle("basic:2p", 60, seed=7)), 1)
    worlds = worlds[Solver().wins(worlds) & (worlds["phase"] == START)]
    is_asked = worlds["hand_sizes"][np.arange(len(worlds)), 1 - worlds["to_move"]] <= LARGEST_HAND
    assert fits_oracle(worlds[~is_asked]).all()
    asked = worlds[is_asked]
    expected = [oracle_gets_there(world) for world in np.split(asked, len(asked))]
    assert 0.3 < np.mean(expected) < 0.95
    assert fits_oracle(asked).tolist() == expected


def oracle_gets_there(world):
    """Set up all positions before the last turn, and look whether no turn left a greater part of errors."""
    seat = 1 - int(world["to_move"][0])
    canvas = world["pile"][0, : world["canvas_size"][0]].tolist()
    for played in (None, *cards_of(int(world["palettes"][0, seat]))):
        for discarded in (False, True):
            if possible(world, seat, played=played is not None, discarded=discarded):
                shares = shares_of_errors(before(world, seat, played, canvas, discarded=discarded))
                play = () if played is None else (PLAY + played,)
                turn = (*play, DISCARD + canvas[-1] if discarded else END)
                if 1 > shares.get(turn, 0) >= max(shares.values()) - 1e-9:
                    return True
    return False


def shares_of_errors(past):
    """Return which part of the answers to each turn loses, 1 for a turn that wins."""
    solver, shares = Solver(), {}
    for turn in solver.turns(past):
        after = past.copy()
        for move in turn:
            batch.play(after, np.array([move]))
        answers = solver.turns(after)
        shares[turn] = 1 - sum(answers.values()) / len(answers) if answers else 1.0
    return shares


def test_more_tries_draw_worlds_that_fit_more_often():
    views = views_of(along_games("basic:2p", 200, seed=4))
    shares = [fits(drawn(views, tries)).mean() for tries in (1, 2, 8)]
    assert shares[0] + 0.05 < shares[1] < shares[2] - 0.02
    assert shares[2] > 0.97


@pytest.mark.parametrize("spec", ["rollout:playouts=20", "pimc:samples=3", "ismcts:iterations=100"])
def test_searches_play_other_games_with_other_worlds(spec):
    agents = make_all([spec, f"{spec}:tries=1", "greedy"])
    assert agents[0].spec == make(spec).spec != agents[1].spec
    games = [play_deals([agent, agents[2]], Rules(), 20, seed=5) for agent in agents[:2]]
    assert (games[0].shares != games[1].shares).any()
