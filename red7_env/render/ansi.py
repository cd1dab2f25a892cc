"""The table as text, for a terminal or a log.

Works on full states, with all hands, and on views, in which what the viewer does not know is shown as ``??``.
"""

import os
from typing import Final, TextIO

import numpy as np

from red7_env.game.bits import cards_of, points_of_word
from red7_env.game.cards import COLOUR_NAMES, card_colour, card_text
from red7_env.game.state import PILE_SIZE, UNKNOWN, rules_of
from red7_env.render.words import RULE_WORDS, best_sets_of, leader_of, mover_words, turn_words

# Violet to red, of the 256 colours that terminals share.
_INKS: Final = (177, 105, 75, 40, 226, 208, 203)
_CANVAS_SHOWN: Final = 10


def wants_colour(stream: TextIO | None = None) -> bool:
    """Tell whether to use colours: not if ``NO_COLOR`` is set (no-color.org), nor on what is no terminal or dumb.

    Args:
        stream: Where the text will be written; None if that is for the caller to know.
    """
    if os.environ.get("NO_COLOR"):
        return False
    return stream is None or (stream.isatty() and os.environ.get("TERM") != "dumb")


def draw(state: np.void, *, colour: bool = False) -> str:
    """Return a state or view as text of several lines, without a line end after the last.

    Args:
        state: One record of dtype ``STATE``.
        colour: Whether to write cards in their colours, by ANSI escapes.
    """
    lines = [_heading(state), _rule_line(state, colour), _deck_line(state, colour)]
    leader = leader_of(state)
    for seat, best in enumerate(best_sets_of(state)):
        lines += _seat_lines(state, seat, best, leads=seat == leader, colour=colour)
    return "\n".join(lines)


def _heading(state: np.void) -> str:
    seat = int(state["to_move"])
    return f"Red7 {rules_of(state)}, {turn_words(state)}: player_{seat} {mover_words(state)}"


def _rule_line(state: np.void, colour: bool) -> str:  # noqa: FBT001 - of draw
    rule = int(state["rule"])
    return f"rule    {_inked(COLOUR_NAMES[rule], rule, colour)}: {RULE_WORDS[rule]}"


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
    counted = set(cards_of(best))
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
