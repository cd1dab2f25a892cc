"""Pictures of the table; nothing in ``game`` knows of them.

>>> from red7_env.render import film, picture
>>> picture(game, seat=0).save("table.svg")
>>> film(game, "game.gif")
"""

from red7_env.render.animation import film
from red7_env.render.pictures import Picture, picture

__all__ = ["Picture", "film", "picture"]
