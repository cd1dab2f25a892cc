"""Pictures as pixels, and films."""

import sys

import numpy as np
import pytest
from PIL import Image

from red7_env.game import Game, Rules
from red7_env.render import film, picture
from red7_env.render.pixels import pixels
from red7_env.render.scene import Box, Label, Scene
from red7_env.render.table import table_scene
from red7_env.render.theme import DARK, LIGHT
from red7_env.stages import stages
from tests.env_cases import random_policy
from tests.render.tables import hard_tables


def rgb(colour):
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def finished(rules, seed=1):
    game, choose = Game.deal(rules, seed), random_policy(seed)
    while not game.over:
        game.play(choose(game.mask))
        if rules.match and game.round_over:
            game.next_round()
    return game


@pytest.mark.parametrize(("theme", "colours"), [("light", LIGHT), ("dark", DARK), ("auto", LIGHT)])
def test_colours_are_where_they_belong(theme, colours):
    scene = Scene(40, 20, (Box(0, 0, 40, 20, "paper"), Box(10, 5, 20, 10, "card-red", 2, "leader", 2)), "")
    image = pixels(scene, theme)
    assert image.shape == (20, 40, 3)
    assert image.dtype == np.uint8
    assert image[1, 1].tolist() == rgb(colours["paper"])
    assert image[10, 20].tolist() == rgb(colours["card-red"])
    assert image[5, 20].tolist() == image[10, 10].tolist() == rgb(colours["leader"])


def test_letters_are_drawn_without_fonts_of_the_machine():
    for anchor, columns in (("start", slice(50, 100)), ("middle", slice(25, 75)), ("end", slice(0, 51))):
        image = pixels(Scene(100, 20, (Label(50, 15, "Red7", 14, "ink", anchor),), ""))
        inked = (image != rgb(LIGHT["paper"])).any(axis=2)
        assert inked.sum() > 50
        assert inked[:, columns].sum() == inked.sum()


@pytest.mark.parametrize("number", range(4))
def test_tables(number):
    scene = table_scene(hard_tables()[number])
    assert pixels(scene).shape == (scene.height, scene.width, 3)
    assert pixels(scene, scale=0.5).shape == (scene.height // 2, scene.width // 2, 3)


def test_png_files(tmp_path):
    game = Game.deal(Rules(), 1)
    picture(game).save(tmp_path / "table.PNG", scale=1)
    with Image.open(tmp_path / "table.PNG") as image:
        assert (np.asarray(image) == picture(game).pixels()).all()


@pytest.mark.parametrize("suffix", [".gif", ".apng", ".png"])
def test_films(suffix, tmp_path):
    game = finished(Rules(players=3, variant="advanced"))
    turns = len(game.rounds[0].turns)
    path = tmp_path / f"game{suffix}"
    assert film(game, path, scale=0.25, seconds=0.5) == turns + 1
    with Image.open(path) as image:
        assert image.n_frames == turns + 1
        assert image.info["duration"] == 500
        image.seek(turns)
        assert image.info["duration"] == 1500
        last = np.asarray(image.convert("RGB")).astype(int)
    expected = pixels(table_scene(game.state[0]), scale=0.25).astype(int)
    assert np.abs(last - expected).mean() < 3


def test_films_by_move_and_from_a_seat(tmp_path):
    game = finished(Rules(variant="advanced", actions="revised", match=True))
    moves = sum(len(turn.split()) for log in game.rounds for turn in log.turns)
    count = film(game, tmp_path / "open.png", scale=0.1, by_move=True)
    assert count == moves + len(game.rounds)
    assert film(game, tmp_path / "seat.png", scale=0.1, by_move=True, seat=0) == count
    assert (tmp_path / "open.png").read_bytes() != (tmp_path / "seat.png").read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"path": "a.mp4"}, "path: found 'a.mp4', expected a name that ends in .gif, .png, .apng"),
        ({"seat": 2}, "seat: found 2, expected"),
        ({"theme": "red"}, "theme: found 'red'"),
        ({"names": ["one"]}, "names: found 1, expected 2"),
    ],
)
def test_films_that_are_refused(options, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        film(Game.deal(Rules()), **{"path": tmp_path / "a.gif", **options})


def test_without_pillow(monkeypatch, tmp_path):
    for name in [name for name in sys.modules if name.partition(".")[0] == "PIL"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "PIL", None)
    game = Game.deal(Rules())
    assert picture(game).svg()
    for call in (lambda: picture(game).pixels(), lambda: film(game, tmp_path / "game.gif")):
        with pytest.raises(ImportError) as error:
            call()
        assert str(error.value) == "pillow: found none, expected pip install 'red7-env[render]'"


# Stages


@pytest.mark.parametrize(
    "rules", ["basic:2p", "advanced:3p", "basic+first:4p", "advanced+revised:2p:match", "advanced+first:4p:match"]
)
def test_stages_tell_the_whole_game(rules):
    game = finished(Rules.parse(rules))
    told = list(stages(game))
    again = Game.deal(game.rules, 1)
    for stage in told:
        if again.rules.match and again.round_over and stage.move is not None:
            again.next_round()
        if stage is told[-1] and again.rules.match:
            again.next_round()
        state = again.state.copy()
        state["rng"] = stage.state["rng"]
        assert state.tobytes() == stage.state.tobytes()
        assert stage.position == again.position
        assert list(stage.turn) == again.turn
        if stage.move is not None:
            again.play(stage.move)
    assert again.over
    assert sum(stage.move is None for stage in told) == len(game.rounds)


def test_stages_of_games_under_way():
    game = Game.deal(Rules(variant="advanced", match=True), 1)
    for _ in range(7):
        game.play(game.moves()[-1])
        assert list(stages(game))[-1].state[0]["turn"] == game.state[0]["turn"]
        if game.round_over:
            assert [stage.move for stage in stages(game)][-1] is None
            game.next_round()
    begun = Game.from_position(game.position, rounds_before=3)
    assert next(stages(begun)).state[0]["round"] == 3


def test_stages_of_a_record_that_knows_more_than_a_position():
    game = Game.deal(Rules(actions="revised"), 1)
    state = game.state.copy()
    state[0]["deck_known"] = 1
    with pytest.raises(ValueError, match="found one made from a state record"):
        list(stages(Game.from_state(state)))
