"""The table as text."""

import io
import re

import numpy as np
import pytest

from red7_env import red7_v0
from red7_env.game import Game, Rules, batch
from red7_env.game.bits import cards_of
from red7_env.game.cards import card_text
from red7_env.render.ansi import draw, wants_colour
from tests.env_cases import VARIANTS, name_of, random_policy


def test_a_picture():
    game = Game.from_position("advanced V3 R5G6:R7O7I6/B1:Y4V2/x 1 R2R3")
    assert draw(game.state[0]) == (
        "Red7 advanced:3p, turn 1: player_1 to move\n"
        "rule    violet: most cards below 4\n"
        "canvas  V3   deck  2 cards\n"
        "  player_0\n"
        "    palette R7 O7 I6\n"
        "    hand    G6 R5\n"
        "> player_1 (leads)\n"
        "    palette Y4 V2*\n"
        "    hand    B1\n"
        "  player_2 (out)\n"
        "    palette -\n"
        "    hand    -"
    )


@pytest.mark.parametrize("options", VARIANTS, ids=name_of)
def test_pictures_of_whole_games(options):
    """All hands of a state, the own hand and only what is known of the others in a view, nothing else by colours."""
    rules = Rules(options["num_players"], options["variant"], options["actions"], options["match"])
    game, choose = Game.deal(rules, 3), random_policy(3)
    while not game.over:
        state = game.state[0]
        text = draw(state)
        assert re.sub(r"\x1b\[[0-9;]*m", "", draw(state, colour=True)) == text
        assert "??" not in text
        hands = [line for line in text.splitlines() if line.startswith("    hand")]
        palettes = [line for line in text.splitlines() if line.startswith("    palette")]
        for seat in range(rules.players):
            assert hands[seat].split()[1:] == ([card_text(c) for c in cards_of(state["hands"][seat])] or ["-"])
            shown = [word.rstrip("*") for word in palettes[seat].split()[1:]]
            assert shown == ([card_text(c) for c in cards_of(state["palettes"][seat])] or ["-"])
        view = draw(game.view(0)[0])
        hidden = sum(int(state["hand_sizes"][s]) - len(cards_of(state["known"][s])) for s in range(1, rules.players))
        assert view.count("??") == hidden
        assert view.splitlines()[:2] == text.splitlines()[:2]
        game.play(choose(game.mask))
        if rules.match and game.round_over:
            game.next_round()
    assert f"player_{game.winner} has won" in draw(game.state[0])


def test_a_long_canvas_is_cut():
    states = batch.deal(Rules(), 1)
    states[0]["pile"][:12] = np.arange(12)
    states[0]["canvas_size"] = 12
    assert "canvas  .. B1" in draw(states[0])


def test_no_color(monkeypatch):
    env = red7_v0.env(render_mode="ansi")
    env.reset(seed=1)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in env.render()
    monkeypatch.setenv("NO_COLOR", "")  # empty counts as not set: no-color.org
    assert "\x1b[" in env.render()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in env.render()
    monkeypatch.delenv("NO_COLOR")
    assert wants_colour()
    assert not wants_colour(io.StringIO())


def test_human_mode_prints_after_every_step(capsys):
    env = red7_v0.env(render_mode="human")
    env.reset(seed=1)
    env.step(99)
    assert env.render() is None
    out = capsys.readouterr().out
    assert out.count("Red7 basic:2p, turn") == 3
    assert "\x1b[" not in out


def test_without_a_mode_rendering_warns():
    env = red7_v0.env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode None"):
        assert env.render() is None
