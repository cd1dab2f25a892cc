"""Counting move sequences, the usual check of a move generator."""

from .game import Reference


def perft(game: Reference, depth: int) -> int:
    """Count the token sequences of length ``depth``; one that ends the round earlier counts once.

    The game itself is left as it is.
    """
    if depth == 0 or game.round_over:
        return 1
    tokens = game.offered()
    if depth == 1:
        return len(tokens)
    total = 0
    for token in tokens:
        after = game.copy()
        after.play(token)
        total += perft(after, depth - 1)
    return total
