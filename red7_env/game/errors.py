"""The errors of the game: every message is one line of printable ASCII.

A message names the field, what was found and what was expected. Text that came from outside
is shown through ``shown``, so that no input can break a message into several lines.
"""

_SHOWN_LENGTH = 60


class Red7Error(ValueError):
    """What all errors raised on purpose by this package have in common."""


class NotationError(Red7Error):
    """A text (card, token, position, record line) that does not follow the notation."""


class RulesError(Red7Error):
    """A combination of rules that does not exist, or a rules text that cannot be read."""


class IllegalMoveError(Red7Error):
    """A well written move that the player to move is not offered."""


class RecordError(Red7Error):
    """A game record that cannot be replayed to what it states."""


def shown(value: object) -> str:
    """Return ``value`` as it may stand in a message: escaped, on one line, cut to about 60 characters.

    Containers are named by their type only, since they may be of any size.
    """
    if isinstance(value, str):
        text = ascii(value[: _SHOWN_LENGTH + 1])
    elif value is None or isinstance(value, bool | float):
        text = ascii(value)
    elif isinstance(value, int):
        # Longer integers may not even be convertible to decimal text (Python's digit limit).
        text = str(int(value)) if value.bit_length() <= 64 else "a huge integer"
    else:
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= _SHOWN_LENGTH + 2 else f"{text[:_SHOWN_LENGTH]}..."
