"""The picture of a position, light and dark."""

from pathlib import Path
from typing import Final

from red7_env.game import Game
from red7_env.render import picture

POSITION: Final = (
    "advanced+revised G6O3Y5B6 O7Y7I7R4B4I4O2:G4G3/G7R6O6O4V4R2:I5Y4/V7Y6G2I2O1Y1V1:O5B3 "
    "0 V3G5R7B7B2I1B1G1R5I6Y3I3V5V6R1R3Y2V2B5"
)
"""A round that three of ``greedy`` play, after six turns."""
NAMES: Final = ("Ann", "Ben", "Cleo")


def draw(folder: Path) -> list[Path]:
    """Draw the position in both themes and return the files."""
    paths = [folder / "table-light.svg", folder / "table-dark.svg"]
    picture(Game.from_position(POSITION), names=NAMES, theme="light").save(paths[0])
    picture(Game.from_position(POSITION), names=NAMES, theme="dark").save(paths[1])
    return paths
