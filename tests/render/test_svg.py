"""Pictures as SVG."""

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from red7_env.game import Game, Rules, batch
from red7_env.game.cards import COLOUR_NAMES
from red7_env.render import picture
from red7_env.render.scene import Box, Label, Scene, grid
from red7_env.render.svg import svg
from red7_env.render.table import table_scene
from red7_env.render.theme import DARK, LIGHT
from tests.render.tables import hard_tables

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text):
    return ET.fromstring(text)  # noqa: S314 - our own text


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_every_shape_is_an_element(theme):
    for state in hard_tables():
        scene = table_scene(state)
        root = parsed(svg(scene, theme))
        assert root.tag == f"{SVG}svg"
        assert root.get("viewBox") == f"0 0 {scene.width} {scene.height}"
        assert root.find(f"{SVG}title").text == root.get("aria-label") == scene.title
        assert len(root.findall(f"{SVG}rect")) == sum(isinstance(shape, Box) for shape in scene.shapes)
        texts = [element.text or "" for element in root.findall(f"{SVG}text")]
        assert texts == [shape.text for shape in scene.shapes if isinstance(shape, Label)]
        assert (root.find(f"{SVG}style") is not None) == (theme == "auto")


def test_themes():
    scene = table_scene(Game.deal(Rules(), 1).state[0])
    light, dark, auto = (svg(scene, theme) for theme in ("light", "dark", "auto"))
    assert LIGHT["paper"] in light
    assert DARK["paper"] not in light
    assert DARK["paper"] in dark
    assert LIGHT["paper"] not in dark
    style = parsed(auto).find(f"{SVG}style").text
    assert style.startswith("@media (prefers-color-scheme:dark){")
    used = set(re.findall(r'class="([^"]*)"', auto)) - {"red7 red7-auto"}
    for name in {name for names in used for name in names.split()}:
        assert f".red7-auto .{name}{{" in style
    assert set(re.findall(r"\.(\S+) \.", style)) == {"red7-auto"}


@pytest.mark.parametrize("bad", ["<script>alert(1)</script>", 'a" onload="x', "\x00\x07\ud800\ufffe", "]]>&"])
def test_names_cannot_break_out(bad):
    root = parsed(svg(table_scene(Game.deal(Rules(), 1).state[0], [bad, "b"])))
    assert {element.tag for element in root.iter()} == {
        f"{SVG}{tag}" for tag in ("svg", "title", "style", "rect", "text")
    }
    assert not any(name.startswith("on") for element in root.iter() for name in element.attrib)


def luminance(colour):
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """Return the contrast of two colours as WCAG 2 defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_stand_out(theme):
    pairs = [("ink", "panel"), ("muted", "panel"), ("muted", "paper"), ("accent-ink", "accent"), ("back-ink", "back")]
    pairs += [(f"print-{name}", f"card-{name}") for name in COLOUR_NAMES] + [
        ("ink", f"out-{name}") for name in COLOUR_NAMES
    ]
    for ink, ground in pairs:
        assert contrast(theme[ink], theme[ground]) >= 4.5, (ink, ground)
    assert contrast(theme["leader"], theme["panel"]) >= 7


def test_a_grid_holds_every_table():
    states = batch.deal(Rules(players=3), 5, 1)
    scenes = [table_scene(state) for state in states]
    whole = grid(scenes, 2, title="five")
    assert len(whole.shapes) == 1 + sum(len(scene.shapes) for scene in scenes)
    assert all(0 <= shape.x <= whole.width and 0 <= shape.y <= whole.height for shape in whole.shapes)
    papers = [shape for shape in whole.shapes if isinstance(shape, Box) and shape.fill == "paper"]
    assert len({(paper.x, paper.y) for paper in papers}) == 5
    parsed(svg(whole))


def test_pictures_of_games_and_records(tmp_path):
    game = Game.deal(Rules(players=3), 1)
    assert picture(game).svg() == picture(game.state).svg() == game._repr_svg_() == picture(game)._repr_svg_()
    assert picture(game, 1).svg() == picture(game.view(1)).svg() != picture(game).svg()
    assert "all hands" in picture(game).svg()
    assert repr(picture(game)).startswith("<Picture: Red7 basic:3p, turn 1: player_")
    many = picture(batch.deal(Rules(), 4), names=["a", "b"])
    assert many.svg().count("Red7 basic:2p, all hands") == 4
    many.save(tmp_path / "many.svg")
    assert parsed((tmp_path / "many.svg").read_text()).find(f"{SVG}title").text == "4 games"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda game: picture(game, 3), "seats: found 3 to 3, expected 0 to 2"),
        (lambda game: picture(game, theme="blue"), "theme: found 'blue', expected 'auto', 'light' or 'dark'"),
        (lambda game: picture(game.state[:0]), "states: found 0, expected 1 to 100"),
        (lambda _: picture(batch.deal(Rules(), 101)), "states: found 101, expected 1 to 100"),
        (lambda _: picture(np.zeros(2)), "states: found float64"),
        (lambda game: picture(game).save("table.jpg"), "path: found 'table.jpg', expected a name that ends in .svg or"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call(Game.deal(Rules(players=3), 1))


def test_numbers_are_short():
    text = svg(Scene(10, 10, (Box(1 / 3, 2.50, 1, 10.0, "ink"),), "x"), "light")
    assert 'x="0.33" y="2.5" width="1" height="10"' in text
