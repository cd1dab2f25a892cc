"""The table as text, for a terminal or a log.

Works on full states, with all hands, and on views, in which what the viewer does not know is shown as ``??``.
"""

import os
from typing import Final, TextIO

import numpy as np

from red7_env.game.bits import cards_of, points_of_word
from red7_env.game.cards import COLOUR_NAMES, card_colour, card_text
from red7_env.game.kernels import best_sets, leaders
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

_RULE_WORDS: Final = (
    "most cards below 4",
    "longest run",
    "most different colours",
    "most even cards",
    "most of one colour",
    "most of one number",
    "highest card",
)
_PHASE_WORDS: Final = {
    START: "to move",
    PLAY_AGAIN: "plays another card for a 5",
    CHOOSE_TAKEN: "takes a card for a 1",
    CHOOSE_OWN: "moves a card for a 7",
    AFTER_PLAY: "discards or ends the turn",
    AFTER_DISCARD: "draws or declines",
    ROUND_OVER: "has won",
    MATCH_OVER: "has won the last round",
}
# Violet to red, of the 256 colours that terminals share.
_INKS: Final = (177, 105, 75, 40, 226, 208, 203)
_CANVAS_SHOWN: Final = 10


def wants_colour(stream: TextIO | None = None) -> bool:
    """Tell whether to use colours: not if ``NO_COLOR`` is set (no-color.org), nor where a stream is no terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return stream is None or stream.isatty()


def draw(state: np.void, *, colour: bool = False) -> str:
    """Return a state or view as text of several lines, without a line end after the last.

    Args:
        state: One record of dtype ``STATE``.
        colour: Whether to write cards in their colours, by ANSI escapes.
    """
    states = np.array([state])
    seats = range(int(state["players"]))
    lines = [_heading(state), _rule_line(state, colour), _deck_line(state, colour)]
    leader = np.empty(1, np.int8)
    leaders(states, leader)
    sets = np.empty((1, 4), np.uint64)
    best_sets(states, sets)
    for seat in seats:
        lines += _seat_lines(state, seat, int(sets[0, seat]), leads=seat == leader[0], colour=colour)
    return "\n".join(lines)


def _heading(state: np.void) -> str:
    seat = int(state["to_move"])
    turn = f"round {int(state['round']) + 1}, turn {state['turn']}" if state["match"] else f"turn {state['turn']}"
    return f"Red7 {rules_of(state)}, {turn}: player_{seat} {_PHASE_WORDS[int(state['phase'])]}"


def _rule_line(state: np.void, colour: bool) -> str:  # noqa: FBT001 - of draw
    rule = int(state["rule"])
    return f"rule    {_inked(COLOUR_NAMES[rule], rule, colour)}: {_RULE_WORDS[rule]}"


def _deck_line(state: np.void, colour: bool) -> str:  # noqa: FBT001 - of draw
    size, deck, known = int(state["canvas_size"]), int(state["deck_size"]), int(state["deck_known"])
    pile = state["pile"].tolist()
    canvas = pile[max(0, size - _CANVAS_SHOWN) : size]
    text = f"canvas  {'.. ' * (size > _CANVAS_SHOWN)}{_cards(canvas, colour)}   deck  {deck} cards"
    if known:
        text += f", known on top: {_cards(pile[PILE_SIZE - deck : PILE_SIZE - deck + known], colour)}"
    return text


def _seat_lines(state: np.void, seat: int, best: int, *, leads: bool, colour: bool) -> list[str]:
    """Return the lines of one seat: palette with the best set marked by stars, and hand."""
    inside = int(state["seats_in"]) >> seat & 1
    mark = ">" if seat == state["to_move"] else " "
    notes = (["leads"] if leads else []) if inside else ["out"]
    if state["match"]:
        notes.append(f"{points_of_word(state['scored'][seat])} of {state['target']} points")
    name = f"{mark} player_{seat}" + (f" ({', '.join(notes)})" if notes else "")
    counted = set(cards_of(best)) if inside else set()
    palette = " ".join(
        _inked(card_text(card) + "*" * (card in counted), card_colour(card), colour)
        for card in cards_of(state["palettes"][seat])
    )
    return [name, f"    palette {palette or '-'}", f"    hand    {_hand(state, seat, colour)}"]


def _hand(state: np.void, seat: int, colour: bool) -> str:  # noqa: FBT001 - of draw
    """Return a hand; in a view what is known of it, and ``??`` for each other card."""
    cards = cards_of(state["hands"][seat] | state["known"][seat])
    hidden = int(state["hand_sizes"][seat]) - len(cards)
    return " ".join([*([_cards(cards, colour)] if cards else []), *["??"] * hidden]) or "-"


def _cards(cards: list[int], colour: bool) -> str:  # noqa: FBT001 - of draw
    shown = (_inked(card_text(card), card_colour(card), colour) if card != UNKNOWN else "??" for card in cards)
    return " ".join(shown) or "-"


def _inked(text: str, ink: int, colour: bool) -> str:  # noqa: FBT001 - of draw
    return f"\x1b[38;5;{_INKS[ink]}m{text}\x1b[0m" if colour else text
