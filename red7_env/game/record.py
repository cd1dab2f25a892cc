"""Game records: a finished game as one JSON object, one line of a ``.jsonl`` file.

``make_record`` writes a game down and ``record_line`` makes a line of it; ``read_record`` reads a line
and ``checked_record`` makes sure that everything in it has the right type. Whether a record is
true is for ``verify`` to say.
"""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, NotRequired, TypedDict

from red7_env.game.check_deal import check_deal, first_piles
from red7_env.game.errors import NotationError, RecordError, shown
from red7_env.game.notation import parse_position
from red7_env.game.rules import MAX_PLAYERS, MIN_PLAYERS

if TYPE_CHECKING:
    from red7_env.game.game import Game

FORMAT = "red7-record/1"
MAX_LINE_BYTES = 4 * 1024 * 1024
"""The longest line that is read. A long match takes some ten thousand bytes."""


class RoundRecord(TypedDict):
    """One round of a record.

    Attributes:
        position: The position after the deal.
        turns: The tokens of each turn, separated by one space.
        winner: The seat that won the round.
        scored: The cards that it scored, ``-`` in basic.
    """

    position: str
    turns: list[str]
    winner: int
    scored: str


class GameRecord(TypedDict):
    """A finished game.

    Attributes:
        format: ``red7-record/1``.
        players: One name a seat.
        seed: What the game was dealt from, where known; nothing checks it.
        rounds: The rounds in order.
        scores: The points of each seat, all 0 in basic.
        winners: The seats that won, in order.
    """

    format: str
    players: list[str]
    seed: NotRequired[int]
    rounds: list[RoundRecord]
    scores: list[int]
    winners: list[int]


def make_record(game: "Game", players: Sequence[str], seed: int | None = None) -> GameRecord:
    """Return the record of a finished game.

    Args:
        game: The game, from its deal on; a match must have ended, not only its last round.
        players: One name a seat.
        seed: What the game was dealt from, if it shall be noted.

    Raises:
        RecordError: If the game is not over or did not begin with a deal, or the names are not one a seat.
    """
    if not game.over:
        raise RecordError("game: found one that is not over, expected a finished game")
    if len(players) != game.rules.players:
        raise RecordError(f"players: found {len(players)} names, expected {game.rules.players}")
    check_deal(parse_position(game.rounds[0].position), game.rules, first_piles(game.rules))
    record: dict[str, object] = {"format": FORMAT, "players": list(players)}
    if seed is not None:
        record["seed"] = seed
    record["rounds"] = [
        {
            "position": log.position,
            "turns": log.turns,
            "winner": log.winner,
            "scored": log.scored if game.rules.advanced else "-",
        }
        for log in game.rounds
    ]
    record["scores"] = game.scores
    record["winners"] = game.winners
    return checked_record(record)


def record_line(record: GameRecord) -> str:
    """Return a record as one line of JSON, in ASCII and without the line end."""
    return json.dumps(record)


def read_record(line: str | bytes) -> GameRecord:
    """Return the record that a line of JSON holds. Unknown keys are left out.

    Args:
        line: The text, or its bytes in UTF-8.

    Raises:
        NotationError: If the line is too long or not strict JSON, or an object has a key twice.
        RecordError: If something in it is missing or of the wrong type.
    """
    if len(line) > MAX_LINE_BYTES:
        raise NotationError(f"record: found a longer line, expected at most {MAX_LINE_BYTES} bytes")
    try:
        text = line if isinstance(line, str) else line.decode("utf-8")
        return checked_record(json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant))
    except (NotationError, RecordError):
        raise
    except UnicodeDecodeError as error:
        fault = f"a byte that is not UTF-8 at {error.start}"
    except json.JSONDecodeError as error:
        fault = f"a fault at character {error.pos} ({error.msg})"
    except (ValueError, RecursionError):
        fault = "a number too long or lists too deep to be read"
    raise NotationError(f"record: found {fault}, expected one JSON object")


def checked_record(record: object) -> GameRecord:
    """Return a copy of what was read, after making sure that everything has the right type.

    Raises:
        RecordError: If something is missing or of the wrong type.
    """
    found = _object(record, "record")
    form = _text(found, "format")
    if form != FORMAT:
        raise RecordError(f"format: found {shown(form)}, expected {FORMAT!r}")
    checked: GameRecord = {
        "format": form,
        "players": _names(found),
        "rounds": [_checked_round(log, f"round {number}") for number, log in enumerate(_list(found, "rounds"), 1)],
        "scores": _numbers(found, "scores"),
        "winners": _numbers(found, "winners"),
    }
    if not checked["rounds"]:
        raise RecordError("rounds: found none, expected at least one")
    if found.get("seed") is not None:
        checked["seed"] = _number(found, "seed")
    return checked


def _checked_round(log: object, name: str) -> RoundRecord:
    found = _object(log, name)
    place = f"{name}: "
    return {
        "position": _text(found, "position", place),
        "turns": _texts(found, "turns", place),
        "winner": _number(found, "winner", place),
        "scored": _text(found, "scored", place),
    }


def _names(found: dict[str, object]) -> list[str]:
    names = _texts(found, "players")
    if not MIN_PLAYERS <= len(names) <= MAX_PLAYERS:
        raise RecordError(f"players: found {len(names)} names, expected {MIN_PLAYERS} to {MAX_PLAYERS}")
    return names


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Build an object of JSON, but refuse a key that it has twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise NotationError(f"record: found the key {shown(twice)} twice, expected each key once")
    return found


def _no_constant(name: str) -> object:
    """Refuse the NaN and Infinity that Python's reader takes for JSON."""
    raise NotationError(f"record: found {name}, expected strict JSON")


def _object(value: object, field: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise RecordError(f"{field}: found {shown(value)}, expected a JSON object")
    return value


def _value(found: dict[str, object], key: str, place: str) -> object:
    if key not in found:
        raise RecordError(f"{place}{key}: found nothing, expected this key")
    return found[key]


def _text(found: dict[str, object], key: str, place: str = "") -> str:
    value = _value(found, key, place)
    if not isinstance(value, str):
        raise RecordError(f"{place}{key}: found {shown(value)}, expected a text")
    return value


def _number(found: dict[str, object], key: str, place: str = "") -> int:
    value = _value(found, key, place)
    if not isinstance(value, int) or isinstance(value, bool):
        raise RecordError(f"{place}{key}: found {shown(value)}, expected a whole number")
    return value


def _list(found: dict[str, object], key: str, place: str = "") -> list[object]:
    value = _value(found, key, place)
    if not isinstance(value, list):
        raise RecordError(f"{place}{key}: found {shown(value)}, expected a list")
    return value


def _texts(found: dict[str, object], key: str, place: str = "") -> list[str]:
    values = _list(found, key, place)
    for value in values:
        if not isinstance(value, str):
            raise RecordError(f"{place}{key}: found {shown(value)} in it, expected texts only")
    return [value for value in values if isinstance(value, str)]


def _numbers(found: dict[str, object], key: str, place: str = "") -> list[int]:
    values = _list(found, key, place)
    for value in values:
        if not isinstance(value, int) or isinstance(value, bool):
            raise RecordError(f"{place}{key}: found {shown(value)} in it, expected whole numbers")
    return [value for value in values if isinstance(value, int)]
