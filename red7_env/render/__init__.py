"""Pictures of the table; nothing in ``game`` knows of them.

>>> from red7_env.game import Game
>>> picture(Game.deal(seed=7), seat=0)
<Picture: Red7 basic:2p, turn 1: player_...; rule red: highest card; player_... leads>

A picture is shown by a notebook, and ``save("table.svg")`` or ``save("table.png")`` writes it to a file;
``film(game, "game.gif")`` writes a whole game.
"""

from red7_env.render.animation import film
from red7_env.render.pictures import Picture, picture

__all__ = ["Picture", "film", "picture"]
