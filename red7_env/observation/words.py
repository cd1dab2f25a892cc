"""Observations in words: the printed table of pieces, and a vector turned back into what it says."""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7_env.game.cards import cards_text
from red7_env.game.rules import Rules
from red7_env.observation.table import Features, Piece, pieces

_HEADINGS = ("bits", "piece", "shape", "kind", "what it holds")


def split(vector: NDArray[Any], rules: Rules, features: Features = "derived") -> dict[str, NDArray[Any]]:
    """Return the named pieces of observations.

    Args:
        vector: Shape (..., size).
        rules: What is played.
        features: ``"base"`` or ``"derived"``.

    Returns:
        Views of ``vector`` by name, each of shape (..., *piece.shape).

    Raises:
        ValueError: If the last axis has another length.
    """
    table = pieces(rules, features)
    if vector.shape[-1:] != (table[-1].slice.stop,):
        raise ValueError(f"vector: found shape {vector.shape}, expected {table[-1].slice.stop} numbers by {rules}")
    return {piece.name: vector[..., piece.slice].reshape(*vector.shape[:-1], *piece.shape) for piece in table}


def describe(rules: Rules, features: Features = "derived") -> str:
    """Return the table of pieces as text: one line each, in Markdown."""
    lines = [_HEADINGS, tuple("---" for _ in _HEADINGS)]
    for piece in pieces(rules, features):
        shape = " x ".join(map(str, piece.shape))
        words = f"{piece.words}: {', '.join(piece.labels)}" if piece.labels else piece.words
        lines.append((f"{piece.start}-{piece.slice.stop - 1}", f"`{piece.name}`", shape, piece.kind, words))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def explain(vector: NDArray[Any], rules: Rules, features: Features = "derived") -> str:
    """Return an observation in words, one line a piece.

    >>> from red7_env.game import Rules, batch
    >>> rules = Rules()
    >>> print(explain(encode(batch.deal(rules, 1), 0, "base")[0], rules, "base").splitlines()[0])
    phase: start of the turn

    Args:
        vector: Shape (size,), any number type.
        rules: What is played.
        features: ``"base"`` or ``"derived"``.

    Raises:
        ValueError: If it is not one vector of that length.
    """
    parts = split(vector, rules, features)
    if vector.ndim != 1:
        raise ValueError(f"vector: found shape {vector.shape}, expected a single observation")
    return "\n".join(f"{piece.name}: {_words_of(piece, parts[piece.name])}" for piece in pieces(rules, features))


def _words_of(piece: Piece, bits: NDArray[Any]) -> str:
    """Return the values of a piece; of several, those that say something, each after its labels."""
    if not piece.axes:
        return _value(piece, bits)
    entries = []
    for place in product(*(range(len(labels)) for labels in piece.axes)):
        value = _value(piece, bits[place])
        if value not in {"-", "0"}:
            labels = " ".join(labels[index] for labels, index in zip(piece.axes, place, strict=True))
            entries.append(f"{labels} {value}")
    return "; ".join(entries) or "-"


def _value(piece: Piece, bits: NDArray[Any]) -> str:
    """Return one value in words; ``-`` for an empty set or no choice."""
    if piece.kind == "cards":
        return cards_text(np.flatnonzero(bits)[::-1].tolist())
    if piece.kind == "count":
        ones = int(np.count_nonzero(bits))
        return str(piece.levels[ones - 1]) if ones else "0"
    return ", ".join(piece.labels[place] for place in np.flatnonzero(bits)) or "-"
