"""Red7 in OpenSpiel. Importing this module registers the game ``red7``.

    import pyspiel
    import red7_env.openspiel

    game = pyspiel.load_game("red7(rules=basic@3x3x2)")

What is played is a single round of 2 to 4 ``players`` by the ``rules`` of a position's first field: ``basic``,
``advanced``, with ``+revised`` or ``+first`` for the actions and ``@CxNxH`` for a small deck. The winner gets 1, every
other seat ``-1 / (players - 1)``. Actions are the ids of the moves, as everywhere in this package.

All chance is explicit, so exact algorithms work on small decks. First the deck is dealt: card by card, from the lowest,
chance says whether it goes to a hand (outcomes 0 .. players - 1), to a palette (players .. 2 * players - 1) or to the
deck (2 * players), in proportion to the places left. So every deal is met once, whatever the order in which cards
would be handed out. The order of the deck stays open: a draw of a card that nobody has seen is an outcome of its own,
the card's id. What a seat may know is never decided by chance before it is played.

Information states have perfect recall: the hand that was dealt, the palettes, every move, and the cards that the seat
drew. Observations are the ``base`` pieces of this package's own (``red7_env.observation``), by name.
``resample_from_infostate`` draws a history that the seat cannot tell from the real one, uniformly over all such deals
and draws, for information-set searches.

This package alone needs OpenSpiel: ``pip install red7-env[openspiel]``.
"""

from red7_env.openspiel.game import Red7Game
from red7_env.openspiel.observer import Red7Observer
from red7_env.openspiel.state import Red7State

__all__ = ["Red7Game", "Red7Observer", "Red7State"]
