"""Matches: targets, ends, scores, and the way from round to round."""

import random
from fractions import Fraction
from itertools import product
from math import floor

import numpy as np
import pytest

from red7_env.game import Game, NotationError, Rules, batch, parse_position
from red7_env.game.bits import cards_of
from red7_env.game.cards import card_number, cards_text, parse_cards
from red7_env.game.state import MATCH_OVER, ROUND_OVER
from tests.alignment import all_rules
from tests.statistics import cards_in

MATCHES = [rules for rules in all_rules() if rules.match]
FULL_TARGETS = {2: 40, 3: 35, 4: 30}


def play_round(game: Game, seed: int = 0) -> None:
    chance = random.Random(seed)
    while not game.round_over:
        game.play(chance.choice(game.moves()))


def over(text: str) -> Game:
    """Return the game of a position whose round is over, scored and gone on from."""
    return Game.from_position(text).next_round()


# The target


def test_the_target_scales_with_the_points_in_the_deck_halves_up():
    tried = 0
    for players, colours, numbers in product((2, 3, 4), range(1, 8), range(1, 8)):
        if players * 2 > colours * numbers:
            continue
        rules = Rules(players, "advanced", match=True, deck=(colours, numbers, 1))
        points = sum(map(card_number, rules.deck_cards))
        expected = floor(Fraction(FULL_TARGETS[players] * points, 196) + Fraction(1, 2))
        assert int(batch.deal(rules, 1)[0]["target"]) == rules.target == expected
        tried += 1
    assert tried > 100


@pytest.mark.parametrize(
    ("shape", "players", "target"),
    [
        ((7, 7, 7), 2, 40),
        ((7, 7, 7), 3, 35),
        ((7, 7, 7), 4, 30),
        ((7, 3, 4), 3, 8),  # 7.5, the half is rounded up
        ((7, 6, 3), 2, 30),  # exactly
        ((4, 7, 3), 2, 23),  # 22.86
        ((3, 4, 2), 2, 6),  # 6.12
    ],
)
def test_targets(shape, players, target):
    assert Rules(players, "advanced", match=True, deck=shape).target == target


@pytest.mark.parametrize(("before", "ended"), [("R7O7Y7G7R4", False), ("R7O7Y7G7R5", True), ("R7O7Y7G7B7R1", True)])
def test_a_match_ends_when_the_target_is_reached_or_passed(before, ended):
    """The winner's V7 makes 39, 40 or 43 points."""
    game = over(f"advanced V1 -:V7V2/x 0 - {before}/-")
    assert game.scores[0] == sum(map(card_number, parse_cards(before))) + 2
    game = over(f"advanced - V1:V7/x 0 - {before}/-")
    assert game.scores[0] == sum(map(card_number, parse_cards(before))) + 7
    assert (game.over, game.winners) == ((True, [0]) if ended else (False, []))


@pytest.mark.parametrize(("more", "ended"), [("R3O3Y3", True), ("R3O3", False)])
def test_a_match_ends_when_fewer_cards_are_left_than_are_dealt(more, ended):
    """Of 49 cards 7 + 7 + 1 and these are scored: 31 or 32 are left for four seats, who need 32.

    The winner of the round has 7 points then, and the one of the match 14.
    """
    ones, twos = ("".join(f"{letter}{number}" for letter in "ROYGBIV") for number in (1, 2))
    game = over(f"advanced - -:R7/x/x/x 0 - -/{ones}/{twos}/{more}")
    assert game.over is ended
    assert game.winners == ([2] if ended else [])
    if not ended:
        assert game.state[0]["deck_size"] == 0
        assert game.position.split()[5] == f"R7/{ones}/{twos}/{more}"


@pytest.mark.parametrize(
    ("scored", "winners"),
    [
        ("R6O6Y6G6B6I6R4/O7Y7G7B7R5", [0, 1]),  # 40 and 33 + 7
        ("R6O6Y6G6B6I6R5/O7Y7G7B7R4", [0]),  # 41, which no match that was played goes on with, and 32 + 7
        ("-/R6O6Y6G6B6I6R4", [1]),
    ],
)
def test_the_highest_score_wins_and_equal_scores_share_it(scored, winners):
    game = over(f"advanced B1 x/-:R7 1 - {scored}")
    assert game.over
    assert game.winners == winners


def test_three_can_share_a_win():
    game = over("advanced B1 -:R7/x/x/x 0 - R6O6Y6B5/O7Y7B7V7R2/G7I7R5O5Y5V1/-")
    assert (game.scores, game.winners) == ([30, 30, 30, 0], [0, 1, 2])


# Scores


def test_a_winner_without_a_card_that_counts_scores_nothing():
    game = over("advanced V1 V2:R7/x 0 - -/-")
    assert (game.over, game.scores, game.position.split()[5]) == (False, [0, 0], "-/-")


def test_only_the_winner_scores():
    game = over("advanced O1 -:R5V5R2/x 0 - O6/V6")
    assert game.scores == [16, 6]


@pytest.mark.parametrize("rules", MATCHES, ids=str)
def test_scored_cards_are_never_dealt_again_and_scores_only_grow(rules):
    game, rounds = Game.deal(rules, seed=6), 0
    while not game.over:
        play_round(game, rounds)
        winner, best = game.winner, game.best_set(game.winner)
        before = [cards_of(word) for word in game.state[0]["scored"]]
        scores = game.scores
        game.next_round()
        rounds += 1
        after = [cards_of(word) for word in game.state[0]["scored"]]
        scored = {card for cards in after for card in cards}
        assert sorted(after[winner]) == sorted(before[winner] + best)
        assert [cards for seat, cards in enumerate(after) if seat != winner] == [
            cards for seat, cards in enumerate(before) if seat != winner
        ]
        gain = sum(map(card_number, best))
        assert game.scores == [score + gain * (seat == winner) for seat, score in enumerate(scores)]
        assert int(game.state[0]["round"]) == rounds
        if not game.over:
            held = cards_in(game.state["hands"]).any(1) | cards_in(game.state["palettes"]).any(1)
            assert not scored & set(np.flatnonzero(held[0]).tolist())
            position = parse_position(game.position)
            assert not scored & set(position.deck)
            assert len(scored) + sum(len(pile) for _, _, pile in position.piles() if pile not in position.scored) == (
                rules.num_cards
            )
            assert (position.canvas, int(game.state[0]["rule"])) == ((), 6)
    left = rules.num_cards - len(scored)
    assert max(game.scores) >= rules.target or left < rules.players * (rules.hand_size + 1)
    assert [game.scores[seat] for seat in game.winners] == [max(game.scores)] * len(game.winners)
    assert len(game.rounds) == rounds


def test_seats_that_are_out_come_back_in_the_next_round():
    game = Game.deal(Rules(4, "advanced", match=True), seed=1)
    while not game.round_over:
        game.play("#")
    game.next_round()
    assert int(game.state[0]["seats_in"]) == 15
    assert "x" not in game.position


def test_every_round_starts_next_to_the_highest_palette_card():
    states = batch.deal(Rules(3, "advanced", match=True), 300, seed=2)
    for _ in range(3):
        while (states["phase"] < ROUND_OVER).any():
            going = states["phase"] < ROUND_OVER
            part = states[going]
            batch.play(part, np.full(len(part), 99))
            states[going] = part
        batch.next_round(states)
        states = states[states["phase"] != MATCH_OVER]
        assert (states["to_move"] == (states["palettes"][:, :3].argmax(1) + 1) % 3).all()


# Going on


def test_between_rounds_the_scored_cards_stand_as_before_the_round():
    game = Game.deal(Rules(2, "advanced", match=True), seed=3)
    play_round(game)
    assert game.position.split()[5] == "-/-"
    end = game.position
    game.next_round()
    assert game.position != end
    assert game.position.split()[5] != "-/-"


def test_at_the_end_of_a_match_the_position_is_that_of_the_last_round_s_end():
    text = "advanced - V1:V7/x 0 - R7O7Y7G7R5/-"
    game = over(text)
    assert game.over
    assert game.position == text
    assert game.scores == [40, 0]


@pytest.mark.parametrize(
    "game",
    [
        Game.deal(Rules()),
        Game.deal(Rules(2, "advanced", match=True)),
        Game.from_position("basic - x/O2:O6 1 -"),
        Game.from_position("advanced - x/O2:O6 1 -"),
        over("advanced - V1:V7/x 0 - R7O7Y7G7R5/-"),
    ],
    ids=["single", "under-way", "basic-over", "advanced-over", "match-over"],
)
def test_there_is_no_next_round_but_between_two_of_a_match(game):
    before = game.state.tobytes()
    message = r"^next round: found no finished round to go on from, expected a match between two rounds$"
    with pytest.raises(ValueError, match=message):
        game.next_round()
    with pytest.raises(ValueError, match=message):
        game.next_round_from(parse_position("advanced - R1:R2/O1:O2 0 - -/-"))
    assert game.state.tobytes() == before


BETWEEN = "advanced - V1:V7/x 0 - R5/-"
DEALT = "advanced - R7V6R2O2Y2G2B2:R3/O7V5R4O4Y4G4B4:O3 1 - V7R5/-"


def test_a_round_can_be_gone_on_with_from_a_written_deal():
    game = Game.from_position(BETWEEN, rng=7, rounds_before=3)
    game.next_round_from(parse_position(DEALT))
    assert (game.position, game.to_move, game.scores, game.round_over) == (DEALT, 1, [12, 0], False)
    assert [log.position for log in game.rounds] == [BETWEEN, DEALT]
    assert (int(game.state[0]["round"]), int(game.state[0]["rng"])) == (4, 7)
    assert eval(repr(game)) == game  # noqa: S307 - that is what a repr is for


@pytest.mark.parametrize(
    ("deal", "fault"),
    [
        (DEALT.replace("V7R5/-", "R5/-"), "scored: found other cards than were scored, expected V7R5/-"),
        (DEALT.replace("V7R5/-", "-/V7R5"), "scored: found other cards than were scored, expected V7R5/-"),
        (
            DEALT.replace("advanced", "advanced+first"),
            r"rules: found advanced\+first:2p:match, expected advanced:2p:.*",
        ),
        (DEALT.replace(" V7R5/-", ""), "rules: found advanced:2p, expected advanced:2p:match as in the round before"),
        ("advanced - R1:R2/O1:O2/x 0 - V7R5/-/-", "rules: found advanced:3p:match, expected advanced:2p:match .*"),
    ],
)
def test_a_deal_that_does_not_go_on_is_refused(deal, fault):
    game = Game.from_position(BETWEEN)
    before = (game.state.tobytes(), game.position, len(game.rounds))
    with pytest.raises(NotationError, match=f"^{fault}$"):
        game.next_round_from(parse_position(deal))
    assert (game.state.tobytes(), game.position, len(game.rounds)) == before


def test_a_match_that_ends_with_the_round_is_not_gone_on_with():
    game = Game.from_position("advanced - V1:V7/x 0 - R7O7Y7G7R5/-")
    with pytest.raises(ValueError, match=r"^round: found another round, expected the end of the match$"):
        game.next_round_from(parse_position("advanced - R1:R2/O1:O2 0 - V7R7O7Y7G7R5/-"))


def test_cards_in_no_field_of_a_position_are_dealt_again():
    game = over("advanced - -:R7/x 0 - -/-")
    assert int(game.state[0]["deck_size"]) == 48 - 16
    assert cards_text(cards_of(game.state[0]["scored"][0])) == "R7"
