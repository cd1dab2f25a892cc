"""Views: nothing hidden in them, everything public; and worlds that fit them, all equally likely."""

import math
import random
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from red7_env.game import Game, Rules, batch
from red7_env.game.bits import cards_of, word_of
from red7_env.game.cards import cards_text, parse_cards
from red7_env.game.state import NOBODY, PILE_SIZE, UNKNOWN, States
from tests.alignment import all_rules, random_position
from tests.reference import Reference
from tests.statistics import all_cards_once, assert_fits, piles_of_cards

HIDDEN = ("hands", "pile", "rng", "viewer")


def known(game: Game, seat: int) -> str:
    return cards_text(cards_of(game.state[0]["known"][seat]))


def known_on_deck(game: Game) -> str:
    state = game.state[0]
    top = PILE_SIZE - int(state["deck_size"])
    return cards_text(state["pile"][top : top + int(state["deck_known"])].tolist())


def moments(rules: Rules, seed: int, count: int = 12) -> States:
    """Return the states of some random games after every move."""
    chance = random.Random(f"{rules} {seed}")
    states = []
    for index in range(count):
        game = Game.deal(rules, seed, index)
        while not game.round_over:
            states.append(game.state.copy())
            moves = game.moves()
            game.play(chance.choice([move for move in moves if move != "#"] or moves))
        states.append(game.state.copy())
    return np.concatenate(states)


# What is hidden


@pytest.mark.parametrize("rules", list(all_rules()), ids=str)
def test_a_view_hides_all_that_it_must_and_nothing_else(rules):
    states = moments(rules, seed=1, count=3)
    for seat in range(rules.players):
        seen = batch.views(states, seat)
        own = np.arange(4) == seat
        assert (seen["hands"] == np.where(own, states["hands"], 0)).all()
        tops = PILE_SIZE - states["deck_size"].astype(int)
        hidden = np.arange(PILE_SIZE) >= (tops + states["deck_known"])[:, None]
        assert (seen["pile"] == np.where(hidden, UNKNOWN, states["pile"])).all()
        assert not seen["rng"].any()
        assert (seen["viewer"] == seat).all()
        for name in states.dtype.names:
            assert name in HIDDEN or (seen[name] == states[name]).all(), name
        # What is public of a hand is in it (or was, when its seat went out).
        assert not (states["known"] & ~states["hands"]).any()


def test_a_game_and_a_batch_have_the_same_views():
    game = Game.deal(Rules(3), seed=1)
    for seat in range(3):
        assert game.view(seat).tobytes() == batch.views(game.state, seat).tobytes()
    states = batch.deal(Rules(3), 5, seed=1)
    each = batch.views(states, np.array([0, 1, 2, 1, 0]))
    assert each["viewer"].tolist() == [0, 1, 2, 1, 0]
    assert each[3].tobytes() == batch.views(states, 1)[3].tobytes()


def test_a_view_is_no_window_into_the_game():
    game = Game.deal(Rules())
    before = game.state.tobytes()
    seen = game.view(0)
    seen["hands"] = 0
    seen["pile"] = 7
    assert game.state.tobytes() == before


# What is public: cards that were seen on their way


STORY = "advanced+revised - V1R7V6I6:R2/O2G3R3Y7:Y4V4B4/R6O5V7:G1 0 B7B6"


@pytest.mark.parametrize(
    ("turns", "hands", "deck"),
    [
        ("+V1", "-/-/-", "-"),
        ("+V1 ^Y4", "-/-/-", "Y4"),
        ("+V1 ^Y4 >I6 .", "-/-/-", "Y4"),
        ("+V1 ^Y4 >I6 *", "Y4/-/-", "-"),  # the advanced draw of a known card
        ("+V1 ^Y4 >I6 *; +G3", "Y4/-/-", "-"),  # a 3 that draws an unknown one
        ("+V1 ^Y4 >I6 *; #", "Y4/-/-", "-"),
        ("+V1 ^Y4 >I6 .; +G3", "-/Y4/-", "-"),  # a 3 that draws a known card
        ("+V1 ^Y4 >I6 .; +G3 >Y4", "-/-/-", "-"),
        ("+V1 ^Y4 >I6 .; +G3 .; #; +V6 >R7 .", "-/Y4/-", "-"),
        ("+V1 ^Y4 >I6 .; +G3 .; #; +R7 ~R2 .; #", "-/Y4/-", "-"),  # who goes out had it
        ("+V1 ^Y4 >I6 .; +Y7 _V4", "-/-/-", "V4Y4"),  # the last one put lies on top
        ("+V1 ^Y4 >I6 .; +Y7 _V4 >R3 *", "-/V4/-", "Y4"),
        ("+V1 ^Y4 >I6 .; +Y7 ~V4", "-/-/-", "Y4"),
        ("+V1 ^Y4 >I6 .; #", "-/-/-", "Y4"),
    ],
)
def test_cards_that_were_seen_on_their_way_are_known(turns, hands, deck):
    game = Game.from_position(STORY, turns)
    assert "/".join(known(game, seat) for seat in range(3)) == hands
    assert known_on_deck(game) == deck
    slow = Reference.from_position(STORY)
    for token in turns.replace(";", " ").split():
        slow.play(token)
    assert [set(split(text)) for text in hands.split("/")] == [slow.known_in_hand(seat) for seat in range(3)]
    assert split(deck) == slow.known_on_deck()
    for seat in range(3):  # every seat sees the same of it, and the own hand besides
        assert known_on_deck(Game(game.view(seat), [])) == deck
        assert game.view(seat)["known"].tobytes() == game.state["known"].tobytes()


def split(text: str) -> list[str]:
    return [cards_text([card]) for card in parse_cards(text)]


def test_a_seat_that_goes_out_leaves_its_palette_shown_and_its_hand_hidden():
    game = Game.from_position(STORY, "+V1 ^Y4 >I6 .; +G3 .; #; +V6 >R7 .; #")
    seen = game.view(0)[0]
    assert cards_text(cards_of(seen["palettes"][1])) == "B4V4G3"
    assert cards_text(cards_of(seen["palettes"][2])) == "G1"
    assert seen["hand_sizes"].tolist() == [0, 4, 3, 0]
    assert not seen["hands"][1:].any()
    # Its own hand it still knows.
    assert cards_text(cards_of(game.view(1)["hands"][0, 1])) == "Y7Y4R3O2"


def test_a_new_deal_makes_all_that_was_known_unknown():
    game = Game.from_position(f"{STORY} -/-/-", "+V1 ^Y4 >I6 .; +G3 .; #; #")
    assert known(game, 1) == "Y4"
    game.next_round()
    assert not game.state["known"].any()
    assert not game.state["deck_known"].any()


# Worlds that fit


@pytest.mark.parametrize("rules", list(all_rules()), ids=str)
def test_a_world_fits_its_view_and_has_all_cards_once(rules):
    states = moments(rules, seed=2, count=3)
    for seat in range(rules.players):
        seen = batch.views(states, seat)
        worlds = batch.determinise(seen, seed=3)
        assert batch.views(worlds, seat).tobytes() == seen.tobytes()
        assert all_cards_once(worlds, rules)
        assert (worlds["viewer"] == NOBODY).all()
        own_turn = states["to_move"] == seat
        assert (batch.offers(worlds)[own_turn] == batch.offers(states)[own_turn]).all()
        assert len(np.unique(worlds["rng"])) == len(worlds)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_worlds_of_written_positions_leave_cards_out_as_the_position_does(players):
    """Nobody knows which cards a seat holds that is out of a position's text: they are in no place."""
    seats = "/".join(["V1R7:R2", "O2G3:Y4", "x", "R6O5:G1"][:players])
    game = Game.from_position(f"advanced V3 {seats} 0 B7B6")
    worlds = batch.determinise(np.repeat(game.view(0), 4000), seed=1)
    assert batch.views(worlds, 0).tobytes() == np.repeat(game.view(0), 4000).tobytes()
    piles = piles_of_cards(worlds)
    hidden = [card for card in range(49) if card not in parse_cards("V3V1R7R2Y4" + ("G1" if players == 4 else ""))]
    weights = np.array([2, *([2] if players == 4 else []), 1, 1, 0])
    weights[-1] = len(hidden) - weights.sum()
    for card in hidden:
        piles_used, counts = np.unique(piles[:, card], return_counts=True)
        assert piles_used.tolist() == [1, *([3] if players == 4 else []), 8, 9, 255]
        assert_fits(counts, weights, cards_text([card]))


def test_worlds_fit_the_views_of_any_positions_within_turns_too():
    for number in range(300):
        chance = random.Random(number)
        game = Game.from_position(random_position(chance))
        for _ in range(chance.randrange(6)):
            if not game.round_over:
                game.play(chance.choice(game.moves()))
        for seat in range(game.rules.players):
            seen = np.repeat(game.view(seat), 3)
            worlds = batch.determinise(seen, seed=number)
            assert batch.views(worlds, seat).tobytes() == seen.tobytes(), repr(game)
            if seat == game.to_move:
                assert (batch.offers(worlds) == game.mask).all(), repr(game)


def busy_state() -> States:
    """Return a state in which cards are known in another hand and on the deck, and a seat is out."""
    rules = Rules(4, "advanced", "revised")
    for seed in range(1000):
        for state in moments(rules, seed, 1):
            known_to_others = state["known"][np.arange(4) != state["to_move"]].any()
            if known_to_others and state["deck_known"] and state["seats_in"] != 15 and state["phase"] < 6:
                return state.reshape(1).copy()
    raise AssertionError("no such state")


def test_every_unseen_card_lies_in_each_free_place_equally_often():
    state = busy_state()
    viewer = int(state["to_move"][0])
    worlds = batch.determinise(np.repeat(batch.views(state, viewer), 20_000), seed=8)
    free = np.zeros(256, int)
    for seat in range(4):
        if seat != viewer:
            free[seat] = state["hand_sizes"][0, seat] - int(state["known"][0, seat]).bit_count()
    free[8 + int(state["deck_known"][0]) : 8 + int(state["deck_size"][0])] = 1
    piles = piles_of_cards(worlds)
    moving = np.flatnonzero((piles != piles[0]).any(0))
    assert len(moving) == free.sum()
    for card in moving:
        assert_fits(np.bincount(piles[:, card], minlength=256)[free > 0], free[free > 0], cards_text([card]))


def test_all_layouts_are_equally_likely():
    game = Game.deal(Rules(3, deck=(3, 3, 1)), seed=4)
    worlds = batch.determinise(np.repeat(game.view(1), 24_000), seed=5)
    piles, counts = np.unique(piles_of_cards(worlds), axis=0, return_counts=True)
    hidden = sum(piles[:, card].min() != piles[:, card].max() for card in range(49))
    assert hidden == 5  # two hands of one card and the deck of three
    assert len(piles) == 120
    assert_fits(counts, 1, "layouts")


def mover_hands(game: Game, viewer: int, count: int) -> dict[int, int]:
    """Return how often each hand of the seat to move comes up in worlds that fit."""
    worlds = batch.determinise(np.repeat(game.view(viewer), count), seed=6)
    hands, counts = np.unique(worlds["hands"][:, game.to_move], return_counts=True)
    return dict(zip(hands.tolist(), counts.tolist(), strict=True))


def could_have_played(game: Game, viewer: int) -> set[int]:
    """Return, by the slow reference, the hands with which the seat to move could have made its moves of this turn."""
    position = game.position.split()
    seats = position[2].split("/")
    before, palette = seats[game.to_move].split(":")
    hidden = parse_cards(before) + parse_cards(position[4])
    if game.rules.players == 3:
        hidden += parse_cards(seats[3 - game.to_move - viewer].split(":")[0])
    shown = [card for token in game.turn if token[0] == "+" for card in parse_cards(token[1:])]
    fitting = set()
    for rest in combinations(sorted(set(hidden) - set(shown)), len(parse_cards(before)) - len(shown)):
        seats[game.to_move] = f"{cards_text([*shown, *rest])}:{palette}"
        deck = [card for card in hidden if card not in (*shown, *rest)][: len(parse_cards(position[4]))]
        other = 3 - game.to_move - viewer
        if game.rules.players == 3:
            left = [card for card in hidden if card not in (*shown, *rest, *deck)]
            seats[other] = f"{cards_text(left)}:{seats[other].split(':')[1]}"
        slow = Reference.from_position(" ".join([*position[:2], "/".join(seats), position[3], cards_text(deck)]))
        if all(play_if_offered(slow, token) for token in game.turn):
            fitting.add(word_of(rest))
    return fitting


def play_if_offered(slow: Reference, token: str) -> bool:
    offered = token in slow.offered()
    if offered:
        slow.play(token)
    return offered


def within_turns(rules: Rules, wanted: str) -> Iterator[Game]:
    """Yield games within a turn whose last token is like ``wanted``, when the turn cannot end yet.

    All seats are in, nothing is known of hidden cards, and no 3 has drawn.
    """
    for index in range(3000):
        game = Game.deal(rules, 21, index)
        chance = random.Random(index)
        while int(game.state[0]["seats_in"]) == 2**rules.players - 1:
            moves = game.moves()
            game.play(chance.choice([move for move in moves if move != "#"] or moves))
            seen = game.state[0]["deck_known"] or game.state[0]["known"].any()
            drew = any(token[0] == "+" and token[2] == "3" for token in game.turn)
            fits = bool(game.turn) and game.turn[-1][0] + game.turn[-1][2:] == wanted
            if fits and not drew and not seen and "." not in game.moves():
                yield game
                break


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        (Rules(deck=(3, 5, 3)), "+4"),  # a discard must follow
        (Rules(2, "advanced", deck=(3, 5, 3)), "+5"),
        (Rules(3, deck=(3, 5, 2)), "+2"),
        (Rules(2, "basic", "revised", deck=(3, 5, 3)), "+5"),  # another play must follow
        (Rules(3, "advanced", "first", deck=(3, 5, 2)), "+5"),
        (Rules(2, "basic", "revised", deck=(3, 5, 3)), "+1"),  # the choice of a 1
        (Rules(2, "basic", "revised", deck=(2, 7, 3)), "+7"),  # and of a 7
    ],
    ids=str,
)
def test_within_a_turn_only_hands_that_could_have_begun_it_come_up_all_equally_often(rules, wanted):
    choosy = 0
    for game in within_turns(rules, wanted):
        viewer = (game.to_move + 1) % rules.players
        expected = could_have_played(game, viewer)
        counts = mover_hands(game, viewer, 40 * len(expected) + 1000)
        assert counts.keys() == expected, repr(game)
        if len(expected) > 1:
            assert_fits(np.array(list(counts.values())), 1, repr(game))
        unseen = rules.num_cards - visible(game.view(viewer))
        choosy += len(expected) < math.comb(unseen, int(game.state[0]["hand_sizes"][game.to_move]))
        if choosy == 3:
            return
    raise AssertionError("found too few turns that tell something about the hand")


def visible(seen: States) -> int:
    """Return how many cards the viewer sees."""
    words = [int(word) for name in ("hands", "palettes") for word in seen[name][0]]
    return sum(word.bit_count() for word in words) + int((seen["pile"] != UNKNOWN).sum())


def test_after_a_draw_in_hope_any_hand_may_be_there():
    """Who has drawn by a 3 has to pass if nothing fits, so the turn says nothing about the hand."""
    game = Game.from_position("basic+revised@3x5x3 - Y3Y2:Y1/R5R4O4:R3 0 O5O3O2O1", "+Y3")
    assert "." not in game.moves()
    counts = mover_hands(game, viewer=1, count=3000)
    unseen = game.rules.num_cards - visible(game.view(1))
    assert len(counts) == math.comb(unseen, 2)
    assert_fits(np.array(list(counts.values())), 1, "hands")


def test_the_mover_itself_and_a_seat_that_is_out_get_worlds_too():
    game = Game.from_position(STORY, "+V1 ^Y4 >I6 .; #; +O5")
    for viewer in (1, 2):
        worlds = batch.determinise(np.repeat(game.view(viewer), 200), seed=1)
        assert batch.views(worlds, viewer).tobytes() == np.repeat(game.view(viewer), 200).tobytes()


# What is refused


def test_worlds_of_full_states_are_refused():
    states = batch.deal(Rules(), 3)
    seen = batch.views(states, 1)
    with pytest.raises(ValueError, match=r"^states: found a full state, expected views$"):
        batch.determinise(np.concatenate([seen, states]), seed=1)
    for seed in (-1, 2**64, 1.5, True, None):
        with pytest.raises(ValueError, match=r"^seed: found .*, expected 0 to 18446744073709551615$"):
            batch.determinise(seen, seed)


def test_a_game_goes_on_from_a_world_but_not_from_a_view():
    game = Game.deal(Rules(), seed=1)
    with pytest.raises(ValueError, match=r"^state: found the view of seat 1, expected a full state$"):
        Game.from_state(game.view(1))
    world = Game.from_state(batch.determinise(game.view(1), seed=2))
    assert world.moves() == Game.from_position(world.position).moves()


@pytest.mark.parametrize("seat", [-1, 2, 1.0, True, None, "0"])
def test_views_of_no_seat_are_refused(seat):
    game = Game.deal(Rules())
    with pytest.raises(ValueError, match=r"^seat: found .*, expected 0 to 1$"):
        game.view(seat)
