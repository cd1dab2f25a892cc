"""Moves: the flat ids of the move space and the tokens they are written with.

| ids | token | move |
| --- | --- | --- |
| 0-48 | ``+R7`` | play the card from the hand to the palette |
| 49-97 | ``>R7`` | discard the card from the hand to the canvas |
| 98 | ``.`` | end the turn, or decline the draw |
| 99 | ``#`` | pass: be out |
| 100 | ``*`` | take the advanced draw |
| 101-149 | ``^R7`` | action of a 1: the card from another palette to the top of the deck |
| 150-198 | ``~R7`` | action of a 7: the card from the own palette to the canvas |
| 199-247 | ``_R7`` | action of a 7: the card from the own palette to the top of the deck |

Without actions the space ends after id 100.
"""

from operator import index
from typing import Final, SupportsIndex

from red7_env.game.cards import NUM_CARDS, card_text, card_words
from red7_env.game.errors import NotationError, shown

PLAY: Final = 0
DISCARD: Final = 49
END: Final = 98
PASS: Final = 99
DRAW: Final = 100
TAKE: Final = 101
TO_CANVAS: Final = 150
TO_DECK: Final = 199

NUM_MOVES: Final = 248
NUM_MOVES_NO_ACTIONS: Final = 101

_CARD_MOVES = (
    (PLAY, "+", "play {} to the palette"),
    (DISCARD, ">", "discard {} to the canvas"),
    (TAKE, "^", "put {} from another palette on top of the deck"),
    (TO_CANVAS, "~", "put {} from the own palette on the canvas"),
    (TO_DECK, "_", "put {} from the own palette on top of the deck"),
)
_PLAIN_MOVES = (
    (END, ".", "end the turn"),
    (PASS, "#", "pass"),
    (DRAW, "*", "take the draw"),
)
_FORM = "one of +R7 >R7 ^R7 ~R7 _R7 (with any card) * . #"


def _tokens() -> tuple[str, ...]:
    tokens = {move: token for move, token, _ in _PLAIN_MOVES}
    for first, sign, _ in _CARD_MOVES:
        tokens |= {first + card: f"{sign}{card_text(card)}" for card in range(NUM_CARDS)}
    return tuple(tokens[move] for move in range(NUM_MOVES))


def _words() -> tuple[str, ...]:
    words = {move: text for move, _, text in _PLAIN_MOVES}
    for first, _, text in _CARD_MOVES:
        words |= {first + card: text.format(f"{card_text(card)} ({card_words(card)})") for card in range(NUM_CARDS)}
    return tuple(words[move] for move in range(NUM_MOVES))


_TOKENS = _tokens()
_WORDS = _words()
_IDS = {token: move for move, token in enumerate(_TOKENS)}


def move_text(move: int) -> str:
    """Return the token of a move id: ``move_text(48)`` is ``+R7``.

    Raises:
        NotationError: If ``move`` is not from 0 to 247.
    """
    return _TOKENS[checked_move(move)]


def move_words(move: int) -> str:
    """Return a move id in words: ``move_words(48)`` is ``play R7 (red 7) to the palette``.

    Raises:
        NotationError: If ``move`` is not from 0 to 247.
    """
    return _WORDS[checked_move(move)]


def parse_move(token: str) -> int:
    """Return the move id of a token: ``parse_move("+R7")`` is 48.

    Raises:
        NotationError: If ``token`` is not a move.
    """
    move = _IDS.get(token)
    if move is None:
        raise NotationError(f"token: found {shown(token)}, expected {_FORM}")
    return move


def split_turn(text: str) -> list[str]:
    """Return the tokens of (a part of) one turn: ``+R5 >G6`` is two. Blank text has none.

    Raises:
        NotationError: If a token is not a move.
    """
    # Not ``text.split()``, which would take tabs, line ends and foreign blanks for spaces.
    tokens = [token for token in text.split(" ") if token]
    for token in tokens:
        parse_move(token)
    return tokens


def split_turns(text: str) -> list[list[str]]:
    """Return the tokens of several turns, which ``;`` separates: ``+R5 >G6; #`` is two turns.

    Raises:
        NotationError: If a token is not a move, or a turn has none.
    """
    parts = text.split(";")
    turns = []
    for number, part in enumerate(parts, 1):
        turns.append(split_turn(part))
        if not turns[-1]:
            raise NotationError(f"turn {number} of {len(parts)}: found no token, expected some, such as +R5 >G6")
    return turns


def checked_move(move: SupportsIndex) -> int:
    """Return a move id as a plain integer.

    Raises:
        NotationError: If ``move`` is no whole number from 0 to 247; bool and 2.0 are none.
    """
    try:
        number = -1 if isinstance(move, bool) else index(move)
    except TypeError:
        number = -1
    if not 0 <= number < NUM_MOVES:
        raise NotationError(f"move: found id {shown(move)}, expected 0 to {NUM_MOVES - 1}")
    return number
