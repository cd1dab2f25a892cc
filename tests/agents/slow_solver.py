"""Exhaustive search on the slow reference engine: no pruning, no ordering, none of the solver's code."""

from tests.reference import Reference

Known = dict[tuple[str, int], bool]


def with_token(game: Reference, token: str) -> Reference:
    after = game.copy()
    after.play(token)
    return after


def mover_wins(game: Reference, known: Known) -> bool:
    """Tell whether the seat to move wins from the start of its turn."""
    if game.round_over:
        return True
    key = (game.position(), game.to_move)
    if key not in known:
        known[key] = any(keeps_win(game, token, known) for token in game.offered())
    return known[key]


def keeps_win(game: Reference, token: str, known: Known) -> bool:
    """Tell whether the seat to move still wins after a token."""
    after = with_token(game, token)
    if after.round_over:
        return after.winner == game.to_move
    if after.turn_tokens:
        return any(keeps_win(after, following, known) for following in after.offered())
    return not mover_wins(after, known)


def winning_tokens(game: Reference, known: Known) -> set[str]:
    return set() if game.round_over else {token for token in game.offered() if keeps_win(game, token, known)}
