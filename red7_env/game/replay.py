"""Playing tokens that came from outside: a part of a turn, or exactly one whole turn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from red7_env.game.errors import IllegalMoveError, shown

if TYPE_CHECKING:
    from red7_env.game.game import Game


def play_part(game: "Game", tokens: Sequence[str]) -> None:
    """Play tokens that leave the present turn unfinished.

    The game is left at the token that is refused.

    Raises:
        NotationError: If a token is not a move.
        IllegalMoveError: If a move is not offered, or a token completes the turn.
    """
    for token in tokens:
        game.play(token)
        if _turn_complete(game):
            raise IllegalMoveError(
                f"token: found {shown(token)}, which completes the turn, expected tokens of an unfinished turn"
            )


def play_turn(game: "Game", tokens: Sequence[str], *, may_stop: bool = False) -> None:
    """Play the tokens of exactly one whole turn, or with ``may_stop`` of a part of one.

    The game is left at the token that is refused.

    Raises:
        NotationError: If a token is not a move.
        IllegalMoveError: If a move is not offered, the turn is complete before the last token, or
            it is not complete after it although it must be.
    """
    for number, token in enumerate(tokens):
        if number and _turn_complete(game):
            raise IllegalMoveError(
                f"token: found {shown(token)} after {shown(tokens[number - 1])} had completed the "
                "turn, expected no more tokens in it"
            )
        game.play(token)
    if not may_stop and not _turn_complete(game):
        raise IllegalMoveError(
            f"token: found {shown(tokens[-1])} as the last of a turn that it does not complete, "
            f"expected one of {' '.join(game.moves())} after it"
        )


def _turn_complete(game: "Game") -> bool:
    return game.round_over or not game.turn
