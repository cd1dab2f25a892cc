"""Moves in words."""

import re
from itertools import pairwise

import pytest

from experiments.replay.words import begun, told
from red7_env.game import Game
from red7_env.stages import stages
from tests.experiments.replay.games import VARIANTS, finished

NAMES = ("Ann", "Bob", "Cy", "Di")


def words_of(game, names=NAMES):
    all_stages = list(stages(game))
    called = names[: game.rules.players]
    return [begun(all_stages[0], called), *(told(one, other, called) for one, other in pairwise(all_stages))]


@pytest.mark.parametrize(
    ("position", "turns", "expected"),
    [
        ("basic - R5G6:R7/B1:Y4 1 -", "#", ["Bob passes and is out. Ann wins the round."]),
        (
            "basic - R7O2:R6/I2:O7 0 R1",
            "+R7 .",
            ["Ann plays R7 (red 7) to the palette.", "Ann ends the turn."],
        ),
        (
            "basic - R7:R6/-:O7 0 R1",
            "+R7 .",
            [
                "Ann plays R7 (red 7) to the palette.",
                "Ann ends the turn. Bob has no card left and is out. Ann wins the round.",
            ],
        ),
        (
            "advanced - G7R2:G6G4/I2:R7 0 Y1B1",
            ">G7 *",
            ["Ann discards G7 (green 7) to the canvas: the rule is green, most even cards.", "Ann draws a card."],
        ),
        (
            "advanced - G7R2:G6G4/I2:R7 0 Y1B1",
            ">G7 .; #",
            [
                "Ann discards G7 (green 7) to the canvas: the rule is green, most even cards.",
                "Ann declines the draw.",
                "Bob passes and is out. Ann wins the round and scores G6G4 (10 points).",
            ],
        ),
        (
            "basic+revised - R3B5:R6/I2I1:O5 1 R1",
            "#",
            ["Bob passes and is out. Ann wins the round."],
        ),
    ],
)
def test_words(position, turns, expected):
    assert words_of(Game.from_position(position, turns))[1:] == expected


def test_actions_in_words():
    one = Game.from_position("basic+revised - R1R3:O7/I2I3:R6Y6 0 Y1B1", "+R1 ^R6 .; +I3")
    found = words_of(one)
    assert found[2] == "Ann puts R6 (red 6) of Bob on top of the deck."
    assert found[4] == "Bob plays I3 (indigo 3) to the palette and draws R6 (red 6), as all know for the 3."
    seven = Game.from_position("basic+revised - R7R1:B2Y4/I2I3:R6Y6 0 Y1B1", "+R7 ~B2 .")
    assert (
        words_of(seven)[2]
        == "Ann puts B2 (blue 2) of the own palette on the canvas: the rule is blue, most different colours."
    )
    deck = Game.from_position("basic+revised - R7R1:B2Y4/I2I3:R6Y6 0 Y1B1", "+R7 _B2 .")
    assert words_of(deck)[2] == "Ann puts B2 (blue 2) of the own palette on top of the deck."


def test_a_match_ends_in_words():
    game = finished("advanced+revised:2p:match")
    found = words_of(game)
    assert found.count("The next round is dealt.") == len(game.rounds) - 1
    assert re.search(
        r"wins the round and scores \S+ \(\d+ points\)\. The match is over, \d+ to \d+ points: ", found[-1]
    )
    assert f"{game.scores[0]} to {game.scores[1]} points" in found[-1]


@pytest.mark.parametrize("rules", VARIANTS)
def test_words_tell_no_hidden_card(rules):
    """A card may be named when it was played or put somewhere by the move, or was known to all."""
    game = finished(rules)
    all_stages, words = list(stages(game)), words_of(game)
    for stage, sentence in zip(all_stages, words[1:], strict=False):
        if stage.move is None or "scores" in sentence:
            continue
        state = stage.state[0]
        named = set(re.findall(r"\b[ROYGBIV][1-7]\b", sentence))
        assert len(named) <= 1 + bool(state["deck_known"])
