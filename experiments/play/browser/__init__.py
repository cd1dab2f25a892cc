"""A game in the browser: ``python -m experiments play --browser``.

The loop of the game runs as at the terminal and asks a ``desk`` instead; ``server`` hands the desk's pages to the
browser and the person's answers to the desk. Only the standard library serves, on this machine alone.
"""

from experiments.play.browser.desk import Desk, Visitor
from experiments.play.browser.server import serving

__all__ = ["Desk", "Visitor", "serving"]
