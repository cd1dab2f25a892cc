"""What follows from the rules, each fact a test, and every way to write a game down and read it again.

The facts of rules.md section 7 are checked in random games of every variant, edition, number of players and deck shape.
"""

import copy
import json
import pickle
import random
import re
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from red7_env.game import STATE, Game, Rules, States, batch
from red7_env.game.bits import cards_of, word_of
from red7_env.game.record import make_record, read_record, record_line
from red7_env.game.state import CHOOSE_OWN, CHOOSE_TAKEN, PILE_SIZE, PLAY_AGAIN, START
from red7_env.game.verify import replay_record, verify_record
from tests.alignment import all_rules
from tests.statistics import all_cards_once
from tests.strategies import games

GREEN_AND_VIOLET = (3, 0)
FIRST_DECKS = {2: 33, 3: 25, 4: 17}


@dataclass
class Turn:
    """A turn that was played.

    Attributes:
        start: The game when it began.
        tokens: What was played.
        within: The game after each token but the last.
        end: The game when it was over.
    """

    start: Game
    tokens: list[str] = field(default_factory=list)
    within: list[Game] = field(default_factory=list)
    end: Game | None = None


def play_turns(rules: Rules, seed: int, rounds: int) -> list[Turn]:
    """Play some rounds at random, mostly without passing where there is a choice."""
    chance = random.Random(f"{rules} {seed}")
    game, turns = Game.deal(rules, seed), []
    while True:
        turn = Turn(game.copy())
        turns.append(turn)
        while turn.end is None:
            moves = game.moves()
            turn.tokens.append(chance.choice([move for move in moves if move != "#"] or moves))
            game.play(turn.tokens[-1])
            if game.turn:
                turn.within.append(game.copy())
            else:
                turn.end = game.copy()
        if game.round_over:
            rounds -= 1
            if rounds == 0 or not rules.match or game.next_round().over:
                return turns


@pytest.fixture(scope="module")
def turns() -> list[Turn]:
    return [turn for rules in all_rules() for seed in range(2) for turn in play_turns(rules, seed, rounds=3)]


def moments(turns: list[Turn]) -> list[Game]:
    return [game for turn in turns for game in (turn.start, *turn.within, turn.end)]


def seats_in(game: Game) -> list[int]:
    return [seat for seat in range(game.rules.players) if game.state[0]["seats_in"] >> seat & 1]


def deck_of(game: Game) -> list[int]:
    state = game.state[0]
    return state["pile"][PILE_SIZE - int(state["deck_size"]) :].tolist()


def canvas_of(game: Game) -> list[int]:
    state = game.state[0]
    return state["pile"][: int(state["canvas_size"])].tolist()


# The facts of section 7


def test_there_is_at_most_one_leader_and_none_only_where_nobody_qualifies(turns):
    leaderless = 0
    for game in moments(turns):
        worths = {seat: (len(cards), max(cards)) for seat in seats_in(game) if (cards := game.best_set(seat))}
        assert len(set(worths.values())) == len(worths)
        assert game.leader == max(worths, key=worths.get, default=None), repr(game)
        if game.leader is None:
            leaderless += 1
            assert game.state[0]["rule"] in GREEN_AND_VIOLET
    assert leaderless


def test_at_the_start_of_a_turn_the_player_to_move_never_leads(turns):
    for turn in turns:
        assert turn.start.leader != turn.start.to_move, repr(turn.start)


def test_a_discard_alone_in_the_colour_in_force_is_never_offered(turns):
    for turn in turns:
        letter = "VIBGYOR"[turn.start.state[0]["rule"]]
        assert not [move for move in turn.start.moves() if move.startswith(f">{letter}")], repr(turn.start)


def test_after_a_play_that_leads_every_discard_in_the_colour_in_force_is_offered(turns):
    offered = 0
    for game in (game for turn in turns for game in turn.within if "." in game.moves() and "*" not in game.moves()):
        rule = int(game.state[0]["rule"])
        same = [
            f">{'VIBGYOR'[rule]}{c // 7 + 1}" for c in cards_of(game.state[0]["hands"][game.to_move]) if c % 7 == rule
        ]
        assert set(same) <= set(game.moves()), repr(game)
        offered += len(same)
    assert offered


def test_a_losing_turn_changes_nothing_but_that_drawn_cards_are_gone(turns):
    drawn = 0
    for turn in turns:
        if turn.tokens[-1] != "#":
            continue
        before, after = turn.start, turn.end
        others = [seat for seat in range(before.rules.players) if seat != before.to_move]
        for name in ("hands", "palettes", "scored", "known", "hand_sizes"):
            assert (before.state[0][name][others] == after.state[0][name][others]).all()
        assert canvas_of(before) == canvas_of(after)
        gone = len(deck_of(before)) - len(deck_of(after))
        assert deck_of(before)[gone:] == deck_of(after)
        assert gone == sum(token[0] == "+" and token[2] == "3" for token in turn.tokens)
        drawn += gone
    assert drawn


def test_a_turn_with_actions_is_5s_then_one_other_card_with_its_action_then_a_discard(turns):
    play = re.compile(r"(\+.5 )*(\+.[^5] ([\^~_].. )?)?(>.. )?([*.#] )?")
    for turn in turns:
        text = " ".join(turn.tokens) + " "
        if turn.start.rules.actions is None:
            assert re.fullmatch(r"(\+.. )?(>.. )?([*.#] )?", text), text
        else:
            assert play.fullmatch(text), text


def test_all_cards_are_always_in_exactly_one_place(turns):
    by_rules: dict[Rules, list[States]] = {}
    for game in moments(turns):
        by_rules.setdefault(game.rules, []).append(game.state)
    for rules, states in by_rules.items():
        assert all_cards_once(np.concatenate(states), rules), str(rules)


def test_no_palette_of_a_player_who_is_in_is_ever_empty(turns):
    for game in moments(turns):
        assert game.state[0]["palettes"][seats_in(game)].all(), repr(game)


@pytest.mark.parametrize("rules", list(all_rules()), ids=str)
def test_the_deck_after_the_first_deal_has_the_cards_that_are_left(rules):
    left = rules.num_cards - rules.players * (rules.hand_size + 1)
    assert (batch.deal(rules, 10, seed=1)["deck_size"] == left).all()
    if rules.deck == (7, 7, 7):
        assert left == FIRST_DECKS[rules.players]


# What section 6 says of every turn


def test_who_stays_in_leads_at_the_end_of_the_own_turn(turns):
    for turn in turns:
        if turn.tokens[-1] != "#":
            assert turn.start.to_move in seats_in(turn.end)
            # Those who go out for want of cards may be gone already; that takes nothing from a lead.
            assert turn.end.leader == turn.start.to_move, repr(turn.end)


def test_the_pass_is_offered_at_every_start_and_within_a_turn_only_alone(turns):
    alone = 0
    for turn in turns:
        assert "#" in turn.start.moves()
        for game in turn.within:
            assert "#" not in game.moves() or game.moves() == ["#"]
            alone += game.moves() == ["#"]
    assert alone


def test_only_a_discard_without_a_draw_and_a_pass_end_a_turn_by_themselves(turns):
    for turn in turns:
        assert turn.tokens[-1][0] in ">.*#"
        for token, game in zip(turn.tokens, turn.within, strict=False):
            if token[0] == ">":
                assert game.moves() == ["*", "."]


def test_a_pending_action_is_all_that_is_offered(turns):
    signs = {PLAY_AGAIN: "+", CHOOSE_TAKEN: "^", CHOOSE_OWN: "~_"}
    seen = set()
    for game in (game for turn in turns for game in turn.within):
        phase = int(game.state[0]["phase"])
        if phase in signs:
            seen.add(phase)
            assert {move[0] for move in game.moves()} <= set(signs[phase]), repr(game)
            assert game.moves(), repr(game)
    assert seen == signs.keys()


# Only what the seat may know


def shuffled(game: Game, seat: int, chance: random.Random, known_too: bool = False) -> States:
    """Return the state with all cards shuffled that the seat does not see.

    Args:
        game: The game.
        seat: The seat.
        chance: The source of the shuffle.
        known_too: Whether to shuffle the publicly known cards on the deck as well, among those of the deck.
    """
    state = game.state.copy()
    record = state[0]
    start = PILE_SIZE - int(record["deck_size"]) + int(record["deck_known"])
    others = [other for other in range(game.rules.players) if other != seat]
    hidden = record["pile"][start:].tolist()
    for other in others:
        hidden += cards_of(int(record["hands"][other]) & ~int(record["known"][other]))
    chance.shuffle(hidden)
    for other in others:
        known = int(record["known"][other])
        size = int(record["hands"][other]).bit_count() - known.bit_count()
        record["hands"][other] = known | word_of(hidden[:size])
        hidden = hidden[size:]
    record["pile"][start:] = hidden
    if known_too:
        deck = record["pile"][PILE_SIZE - int(record["deck_size"]) :].tolist()
        chance.shuffle(deck)
        record["pile"][PILE_SIZE - int(record["deck_size"]) :] = deck
    return state


def test_a_view_depends_only_on_what_the_seat_may_know(turns):
    """Also within a turn, of the others' turn, and of a seat that is out."""
    chance = random.Random(1)
    for game in chance.sample(moments(turns), 4000):
        for seat in range(game.rules.players):
            assert batch.views(shuffled(game, seat, chance), seat).tobytes() == game.view(seat).tobytes(), repr(game)


def test_the_offer_depends_only_on_what_the_mover_may_know(turns):
    """And not on a card on the deck that all have seen: every draw counts as hope."""
    chance = random.Random(2)
    for game in chance.sample(moments(turns), 4000):
        for known_too in (False, True):
            other = batch.offers(shuffled(game, game.to_move, chance, known_too))[0]
            assert (other == game.mask).all(), repr(game)
        assert (batch.offers(game.view(game.to_move))[0] == game.mask).all()


# Written down and read again


def finish(game: Game, seed: int) -> Game:
    """Play a game to its end."""
    chance = random.Random(seed)
    while not game.over:
        if game.round_over:
            game.next_round()
        else:
            game.play(chance.choice(game.moves()))
    return game


def assert_same_game(one: Game, other: Game) -> None:
    """Assert that two games stand alike and go on alike."""
    assert one == other
    assert (one.moves(), one.leader, one.scores) == (other.moves(), other.leader, other.scores)
    assert finish(one, 5) == finish(other, 5)


@given(games())
def test_a_position_rebuilds_the_game_but_for_what_is_known(game):
    again = Game.from_position(game.position)
    assert again.position == game.position
    assert again.round_over == (game.round_over and not game.turn)
    start = Game.from_position(game.rounds[-1].position, "; ".join(game.rounds[-1].turns))
    assert again.moves() == start.moves()
    assert (again.leader, again.to_move) == (start.leader, start.to_move)


@given(games())
def test_a_repr_rebuilds_an_equal_game(game):
    again = eval(repr(game))  # noqa: S307 - that is what a repr is for
    assert repr(again) == repr(game)
    assert (again.turn, again.position) == (game.turn, game.position)
    assert_same_game(again, game)


@given(games())
def test_bytes_rebuild_an_equal_game(game):
    again = Game.from_state(np.frombuffer(game.state.tobytes(), STATE))
    assert eval(repr(again)) == again == game  # noqa: S307 - that is what a repr is for
    if not game.turn:
        assert again.position == game.position
    assert_same_game(again, game)
    assert eval(repr(again)) == again  # noqa: S307


@given(games(), st.sampled_from(["copy", "copy.copy", "deepcopy", "pickle"]))
def test_a_copy_is_an_equal_game_that_goes_on_by_itself(game, how):
    again = {
        "copy": game.copy,
        "copy.copy": lambda: copy.copy(game),
        "deepcopy": lambda: copy.deepcopy(game),
        "pickle": lambda: pickle.loads(pickle.dumps(game)),  # noqa: S301 - our own bytes
    }[how]()
    assert (again.turn, again.rounds, again.rules) == (game.turn, game.rounds, game.rules)
    before = (game.state.tobytes(), game.turn, copy.deepcopy(game.rounds), game.position, game.moves())
    finish(again, 1)
    assert (game.state.tobytes(), game.turn, game.rounds, game.position, game.moves()) == before
    assert finish(game, 1) == again
    assert game.rounds == again.rounds


@settings(max_examples=60)
@given(games())
def test_a_record_rebuilds_the_game_and_is_verified(game):
    finish(game, 3)
    record = make_record(game, [f"player {seat}" for seat in range(game.rules.players)], seed=1)
    line = record_line(record)
    assert read_record(line) == json.loads(line) == record
    verify_record(record)
    again = replay_record(record)
    assert (again.scores, again.winners, again.position) == (game.scores, game.winners, game.position)
    assert make_record(again, record["players"], seed=1) == record


def test_a_turn_under_way_survives_in_every_form():
    """A draw of a 3, the choice of a 1 and a draw to decide on: none of them is in a position's text."""
    for position, turn in (
        ("basic+revised - V3R7:V1/O1:O6 0 B1B2", "+V3"),
        ("basic+revised - V1R6:G3/O1:R7Y2 0 -", "+V1"),
        ("advanced R2 R6R4:V2/O1:O3 0 B1", "+R6 >R4"),
        ("basic+first - R5R7V2:G3/O1:V7Y2 0 -", "+R5"),
    ):
        game = Game.from_position(position, turn)
        assert game.state[0]["phase"] != START
        for again in (eval(repr(game)), game.copy(), pickle.loads(pickle.dumps(game))):  # noqa: S301, S307 - our own
            assert (again, again.turn, again.moves()) == (game, game.turn, game.moves())
