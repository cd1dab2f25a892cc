"""What stands on a picture of the table, and where."""

from collections import Counter
from itertools import combinations, pairwise

import pytest

from red7_env.game import Game, Rules
from red7_env.game.bits import cards_of
from red7_env.game.cards import COLOUR_LETTERS, card_colour, card_number
from red7_env.game.state import PILE_SIZE
from red7_env.render import cards
from red7_env.render.scene import Box, Label
from red7_env.render.table import hand_of, table_scene
from red7_env.render.words import best_sets_of, leader_of
from tests.env_cases import VARIANTS, name_of
from tests.render.tables import box_of, boxes, hard_tables, labels, random_tables, some_variants

LONG = ["a name that is far too long for its place", "W" * 40, "<b>&amp;\n", "\N{SNOWMAN}" * 30]


def faces(scene):
    """Return letter and number of every card that is face up, in order."""
    texts = labels(scene)
    return [(a.text, b.text) for a, b in pairwise(texts) if a.bold and len(a.text) == 1 and b.text in {*"1234567"}]


def written(ids):
    return [(COLOUR_LETTERS[card_colour(card)], str(card_number(card))) for card in ids]


def on_table(state):
    """Return the cards of a state or view that everybody or its viewer may see, as they are shown."""
    size, deck, known = (int(state[name]) for name in ("canvas_size", "deck_size", "deck_known"))
    pile = state["pile"].tolist()
    shown = [*pile[max(0, size - 6) : size], *pile[PILE_SIZE - deck :][: min(5, known)]]
    for seat in range(int(state["players"])):
        shown += cards_of(state["palettes"][seat]) + cards_of(state["hands"][seat] | state["known"][seat])
    return shown


@pytest.mark.parametrize("options", VARIANTS, ids=name_of)
def test_every_card_is_shown_once_and_no_hidden_one(options):
    for state in random_tables(options):
        scene = table_scene(state)
        assert Counter(faces(scene)) == Counter(written(on_table(state)))
        backs = [box for box in boxes(scene) if box.width == cards.WIDTH - 10]
        hidden = sum(hand_of(state, seat).count(cards.BACK) for seat in range(int(state["players"])))
        assert len(backs) == hidden + (state["deck_size"] > 0)


@pytest.mark.parametrize("options", some_variants(), ids=name_of)
def test_texts_never_overlap(options):
    for state in list(random_tables(options))[::5]:
        assert_readable(table_scene(state))


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("names", [None, LONG])
def test_hard_tables_are_readable(number, names):
    state = hard_tables()[number]
    assert_readable(table_scene(state, names and names[: int(state["players"])]))


def assert_readable(scene):
    placed = [(label, box_of(label)) for label in labels(scene) if label.text]
    for label, (left, top, right, bottom) in placed:
        assert left >= 0, label
        assert top >= 0, label
        assert right <= scene.width, label
        assert bottom <= scene.height, label
    for (one, a), (other, b) in combinations(placed, 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, (one, other)
    for index, label in enumerate(scene.shapes):
        if isinstance(label, Label):  # what is drawn later must not cover it
            left, top, right, bottom = box_of(label)
            middle = (left + right) / 2, (top + bottom) / 2
            assert not any(covers(shape, *middle) for shape in scene.shapes[index:]), label


def covers(shape, x, y):
    is_filled = isinstance(shape, Box) and shape.fill is not None
    return is_filled and shape.x < x < shape.x + shape.width and shape.y < y < shape.y + shape.height


@pytest.mark.parametrize("options", some_variants(), ids=name_of)
def test_rings_mark_the_sets_that_count(options):
    for state in random_tables(options):
        scene, leader = table_scene(state), leader_of(state)
        sets = [len(cards_of(word)) for word in best_sets_of(state)]
        rings = [box for box in boxes(scene) if box.width == cards.WIDTH + 6]
        assert len(rings) == sum(sets)
        assert sum(ring.stroke == "leader" for ring in rings) == (0 if leader is None else sets[leader])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pictures_of_a_game_have_one_size(players):
    options = {"num_players": players, "variant": "advanced", "actions": "revised", "match": True}
    assert len({(scene.width, scene.height) for scene in map(table_scene, random_tables(options))}) == 1


def test_words():
    game = Game.from_position("advanced V3 R5G6:R7O7I6/B1:Y4V2/x 1 R2R3 R6/-/O6")
    texts = [label.text for label in labels(table_scene(game.state[0], ["ann", "bob", "cy"]))]
    for text in (
        "The rule is violet",
        "Most cards below 4",
        "bob to move",
        "bob leads",
        "canvas: 1 card",
        "deck: 2 cards",
        "hand: 2 cards",
        "scored: 1 card",
        "6 of 35 points",
        "round 1, turn 1",
        "Red7 advanced:3p:match, all hands",
        "out",
    ):
        assert text in texts
    assert texts.count("leads") == texts.count("to move") == 1
    assert "Red7 advanced:3p:match, as seat 2 sees it" in [label.text for label in labels(table_scene(game.view(2)[0]))]


def test_the_end_is_told():
    game = Game.from_position("basic V3 R5G6:R7O7I6/B1:Y4V2 0 R2R3", "#")
    scene = table_scene(game.state[0])
    texts = [label.text for label in labels(scene)]
    assert {"player_1 has won", "won", "out"} <= set(texts)
    assert "player_1 has won; rule violet" in scene.title


def test_nobody_leads():
    game = Game.from_position("basic V3 R5G6:R7O7I6/B1:Y4 0 R2R3")
    assert "nobody leads" in [label.text for label in labels(table_scene(game.state[0]))]


def test_names_must_fit_the_seats():
    with pytest.raises(ValueError, match="names: found 3, expected 2"):
        table_scene(Game.deal(Rules()).state[0], ["a", "b", "c"])
