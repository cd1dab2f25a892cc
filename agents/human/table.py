"""The table as a person to move sees it, in lines that fit a terminal of 80 columns."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from agents.human.console import Console
from agents.human.words import rule_words, seat_words
from red7_env.game import States
from red7_env.game.bits import cards_of, points_of_word
from red7_env.game.kernels import best_sets, leaders
from red7_env.game.state import PILE_SIZE

_CANVAS_SHOWN: Final = 15


def table_text(view: States, console: Console, names: Sequence[str] | None = None) -> str:
    """Return a view in lines: rule, canvas, deck, who leads and would lead, and every seat.

    Args:
        view: [1] what a seat knows.
        console: Whose colours to use.
        names: Who sits at the seats.
    """
    seats = range(int(view[0]["players"]))
    sets = np.empty((1, 4), np.uint64)
    best_sets(view, sets)
    lines = _head(view, console, names)
    for seat in seats:
        lines += _seat_lines(view[0], seat, int(sets[0, seat]), console, names)
    return "\n".join(lines)


def own_lines(view: States, console: Console, names: Sequence[str] | None = None) -> str:
    """Return the rule, who leads and the viewer's own cards, for the midst of a turn."""
    sets = np.empty((1, 4), np.uint64)
    best_sets(view, sets)
    viewer = int(view[0]["viewer"])
    own = _seat_lines(view[0], viewer, int(sets[0, viewer]), console, names)
    return "\n".join([_rule_line(view, console), _lead_lines(view, console, names)[0], *own])


def _head(view: States, console: Console, names: Sequence[str] | None) -> list[str]:
    state = view[0]
    size, deck, known = (int(state[field]) for field in ("canvas_size", "deck_size", "deck_known"))
    pile = state["pile"].tolist()
    canvas = console.cards(pile[max(0, size - _CANVAS_SHOWN) : size]) if size else "empty"
    top = f", known on top: {console.cards(pile[PILE_SIZE - deck : PILE_SIZE - deck + known])}" if known else ""
    return [
        _rule_line(view, console),
        f"Canvas  {'.. ' * (size > _CANVAS_SHOWN)}{canvas}{' (top)' * (size > 1)}",
        f"Deck    {_counted(deck, 'card')}{top}",
        *_lead_lines(view, console, names),
    ]


def _rule_line(view: States, console: Console) -> str:
    return f"Rule    {rule_words(int(view[0]['rule']), console)}"


def _lead_lines(view: States, console: Console, names: Sequence[str] | None) -> list[str]:
    """Return who leads, and who would lead if another colour were the rule and nothing else changed."""
    worlds = np.repeat(view, 7)
    worlds["rule"] = np.arange(7)
    found = np.empty(7, np.int8)
    leaders(worlds, found)
    viewer, now, lowest = int(view[0]["viewer"]), int(view[0]["rule"]), 7 - int(view[0]["colours"])
    leader = "nobody" if found[now] < 0 else seat_words(int(found[now]), viewer, names)
    short = {-1: "nobody", viewer: "you"}
    others = [
        f"{console.rule(colour)} {short.get(int(found[colour]), found[colour])}"
        for colour in range(6, lowest - 1, -1)
        if colour != now
    ]
    return [f"Leads   {leader}", *([f"Under   {', '.join(others)}"] if others else [])]


def _seat_lines(state: np.void, seat: int, best: int, console: Console, names: Sequence[str] | None) -> list[str]:
    """Return the lines of a seat: how it stands, its palette with the counting cards marked by stars, the own hand."""
    viewer = int(state["viewer"])
    inside = bool(int(state["seats_in"]) >> seat & 1)
    facts = [_hand_words(state, seat, console)] if inside else ["out"]
    if state["match"]:
        facts.append(f"{points_of_word(state['scored'][seat])} of {state['target']} points")
    counted = set(cards_of(best)) if inside else set()
    palette = [console.card(card) + "*" * (card in counted) for card in cards_of(state["palettes"][seat])]
    name = seat_words(seat, viewer, names)
    name = f"you (seat {seat})" if seat == viewer else name
    lines = [f"{name[0].upper()}{name[1:]}: {', '.join(facts)}", f"    palette {' '.join(palette) or '-'}"]
    if seat == viewer and inside:
        lines.append(f"    hand    {console.cards(cards_of(state['hands'][seat]))}")
    return lines


def _hand_words(state: np.void, seat: int, console: Console) -> str:
    words = f"{_counted(int(state['hand_sizes'][seat]), 'card')} in hand"
    known = cards_of(state["known"][seat])
    if known and seat != state["viewer"]:
        return f"{words} ({console.cards(known)} among them)"
    return words + (f" (all have seen {console.cards(known)})" if known else "")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
