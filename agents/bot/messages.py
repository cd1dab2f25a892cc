"""The lines of the protocol ``red7-bot/1``: what a program is told, and what is understood of its answers."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from agents.bot.faults import GARBAGE, ILLEGAL, STRAY, Fault
from agents.bot.words import ViewWords
from red7_env.game.errors import shown

PROTOCOL: Final = "red7-bot/1"


def greeting(rules: str, seconds: float, start: float) -> bytes:
    """Return the line that opens a conversation."""
    return _line({"protocol": PROTOCOL, "rules": rules, "seconds": seconds, "start": start})


def request(number: int, seed: int, view: ViewWords, moves: Sequence[str]) -> bytes:
    """Return the line that asks for a move.

    Args:
        number: Its id.
        seed: A random number for the program's use.
        view: What the seat knows.
        moves: The offered tokens.
    """
    return _line({"id": number, "seat": view["seat"], "seed": seed, "view": view, "moves": moves})


def answered(line: bytes, number: int, moves: Sequence[str]) -> str:
    """Return the offered token that a line answers with.

    Args:
        line: What the program wrote.
        number: The id of the open request.
        moves: The offered tokens.

    Raises:
        Fault: If it is no answer to that request, or its move is not offered.
    """
    try:
        answer = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):  # ValueError: no UTF-8, no JSON, or a number of too many digits
        answer = None
    if not isinstance(answer, dict):
        found = shown(line.decode("utf-8", "backslashreplace"))
        raise Fault(GARBAGE, f'found {found}, expected a line like {{"id": {number}, "move": "{moves[0]}"}}')
    if type(answer.get("id")) is not int or answer["id"] != number:
        raise Fault(STRAY, f"id: found {_named(answer, 'id')}, expected {number}")
    move = answer.get("move")
    if not isinstance(move, str) or move not in moves:
        raise Fault(ILLEGAL, f"move: found {_named(answer, 'move')}, expected one of {' '.join(moves)}")
    return move


def _named(answer: Mapping[str, object], key: str) -> str:
    return shown(answer[key]) if key in answer else "nothing"


def _line(message: Mapping[str, object]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()
