"""What a seat observes, as a vector of zeros and ones.

``pieces`` is the table of its named parts, ``encode`` writes it from states or views, ``split`` cuts it back into the
parts, ``describe`` prints the table and ``explain`` a vector. ``oracle`` is the exception: it shows hidden cards too.
"""

from red7_env.observation.encoder import encode
from red7_env.observation.omniscient import oracle
from red7_env.observation.table import FEATURES, Features, Piece, oracle_pieces, pieces, size
from red7_env.observation.words import describe, explain, split

OBSERVATION_VERSION = 1
"""Changes whenever a bit of the layout does."""

__all__ = [
    "FEATURES",
    "OBSERVATION_VERSION",
    "Features",
    "Piece",
    "describe",
    "encode",
    "explain",
    "oracle",
    "oracle_pieces",
    "pieces",
    "size",
    "split",
]
