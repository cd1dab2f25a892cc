"""Tables that are hard to draw, and what is to be found on a picture."""

from collections.abc import Iterator

import numpy as np

from red7_env.game import Game, Rules
from red7_env.render.scene import Box, Label, Scene
from tests.env_cases import VARIANTS, random_policy

FULL = (
    "advanced G1Y1O1R1V2I2B2G2Y2 "
    "R5O5Y5G5B5I5V5R4O4Y4G4:R7O7Y7G7B7I7V7R6O6Y6G6B6/I6:V6B4I4/V4:R3O3Y3/B3:I3V3R2 0 O2V1I1B1"
)
"""A hand of eleven cards, a palette of twelve, four players."""
HUGE = "basic - R5O5Y5G5B5I5V5R4O4Y4G4B4I4V4R3O3Y3G3B3I3V3R2O2:R7O7Y7G7B7I7V7R6O6Y6G6B6I6V6/Y2:G2 0 B2"


def random_tables(options: dict, seed: int = 3) -> Iterator[np.void]:
    """Yield the states of a random game, and each time the view of one seat."""
    rules = Rules(options["num_players"], options["variant"], options["actions"], options["match"])
    game, choose = Game.deal(rules, seed), random_policy(seed)
    while not game.over:
        yield game.state[0]
        yield game.view(int(game.state[0]["turn"]) % rules.players)[0]
        game.play(choose(game.mask))
        if rules.match and game.round_over:
            yield game.state[0]
            game.next_round()
    yield game.state[0]


def hard_tables() -> list[np.void]:
    many = Game.deal(Rules(players=4, variant="advanced", actions="revised", match=True), 2)
    return [Game.from_position(FULL).state[0], Game.from_position(HUGE).state[0], many.state[0], many.view(3)[0]]


def some_variants() -> list[dict]:
    return VARIANTS[::4]


def box_of(label: Label) -> tuple[float, float, float, float]:
    """Return where a label stands at most, in the widest usual fonts: left, top, right, bottom."""
    width = label.size * (0.85 if len(label.text) == 1 else (0.72 if label.bold else 0.62) * len(label.text))
    left = label.x - {"start": 0, "middle": width / 2, "end": width}[label.anchor]
    return left, label.y - 0.75 * label.size, left + width, label.y + 0.2 * label.size


def labels(scene: Scene) -> list[Label]:
    return [shape for shape in scene.shapes if isinstance(shape, Label)]


def boxes(scene: Scene) -> list[Box]:
    return [shape for shape in scene.shapes if isinstance(shape, Box)]
