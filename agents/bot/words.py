"""A view as a program is given it: plain values and texts, in the notation of positions and records."""

from functools import lru_cache
from typing import Any, Final, TypedDict

from red7_env.game import States
from red7_env.game.bits import cards_of
from red7_env.game.cards import COLOUR_NAMES, card_text, cards_text
from red7_env.game.state import (
    AFTER_DISCARD,
    AFTER_PLAY,
    CHOOSE_OWN,
    CHOOSE_TAKEN,
    MATCH_OVER,
    PILE_SIZE,
    PLAY_AGAIN,
    ROUND_OVER,
    START,
    UNKNOWN,
    rules_of,
)

HIDDEN: Final = "??"
"""Stands for a card that the viewer does not know."""

PHASES: Final = {
    START: "start",
    PLAY_AGAIN: "play again",
    CHOOSE_TAKEN: "take a card",
    CHOOSE_OWN: "move a card",
    AFTER_PLAY: "after the play",
    AFTER_DISCARD: "after the discard",
    ROUND_OVER: "round over",
    MATCH_OVER: "match over",
}


class ViewWords(TypedDict):
    """What a seat knows; the docstring of ``agents.bot`` says what each value means."""

    rules: str
    seat: int
    round: int
    turn: int
    phase: str
    played: str
    hoped: bool
    rule: str
    canvas: str
    seats_in: list[int]
    palettes: list[str]
    hands: list[str]
    known: list[str]
    deck: str
    scored: list[str] | None
    target: int | None


_FIELDS = (
    *("viewer", "round", "turn", "phase", "last", "hoped", "rule", "canvas_size", "seats_in", "palettes", "hands"),
    *("hand_sizes", "known", "pile", "deck_size", "deck_known", "scored", "target"),
)


def words_of(views: States) -> list[ViewWords]:
    """Return each view in words.

    Args:
        views: [N] views of games by the same rules.
    """
    if not len(views):
        return []
    rules = rules_of(views[0])
    columns = [views[name].tolist() for name in _FIELDS]
    return [
        _words(dict(zip(_FIELDS, row, strict=True)), str(rules), rules.players, match=rules.match)
        for row in zip(*columns, strict=True)
    ]


def _words(view: dict[str, Any], rules: str, players: int, *, match: bool) -> ViewWords:
    pile, top, known = view["pile"], PILE_SIZE - view["deck_size"], view["deck_known"]
    return {
        "rules": rules,
        "seat": view["viewer"],
        "round": view["round"] + 1,
        "turn": view["turn"],
        "phase": PHASES[view["phase"]],
        "played": "-" if view["last"] == UNKNOWN else card_text(view["last"]),
        "hoped": bool(view["hoped"]),
        "rule": COLOUR_NAMES[view["rule"]],
        "canvas": cards_text(pile[: view["canvas_size"]]),
        "seats_in": [seat for seat in range(players) if view["seats_in"] >> seat & 1],
        "palettes": [_set_text(word) for word in view["palettes"][:players]],
        "hands": [_hand(view, seat) for seat in range(players)],
        "known": [_set_text(word) for word in view["known"][:players]],
        "deck": _pile_text(pile[top : top + known], view["deck_size"]),
        "scored": [_set_text(word) for word in view["scored"][:players]] if match else None,
        "target": view["target"] if match else None,
    }


def _hand(view: dict[str, Any], seat: int) -> str:
    """Return a hand: the cards that are known in it, highest first, then one ``??`` for each other card."""
    return _pile_text(cards_of(view["hands"][seat] | view["known"][seat]), view["hand_sizes"][seat])


def _pile_text(known: list[int], size: int) -> str:
    cards = cards_text(known) if known else ""
    return cards + HIDDEN * (size - len(known)) or "-"


@lru_cache(maxsize=4096)
def _set_text(word: int) -> str:
    return cards_text(cards_of(word))
