"""The whole table as a picture: what is in force, the piles, and each seat with palette and hand.

All pictures of games with equally many seats have one size, whatever lies on the table, so that they make a film.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from red7_env.game.bits import cards_of, points_of_word
from red7_env.game.cards import COLOUR_NAMES
from red7_env.game.state import NOBODY, PILE_SIZE, ROUND_OVER, rules_of
from red7_env.render import cards
from red7_env.render.scene import WIDEST, Box, Label, Scene, Shape, fitted
from red7_env.render.words import (
    RULE_WORDS,
    best_sets_of,
    leader_of,
    mover_words,
    player_names,
    sentence,
    turn_words,
)

WIDTH: Final = 800
_EDGE: Final = 16
_PAD: Final = 12
_NAMES: Final = 150
_ROW_X: Final = _EDGE + _PAD + _NAMES
_ROW_WIDTH: Final = WIDTH - _EDGE - _PAD - _ROW_X
_TOP: Final = 36
_STRIP_HEIGHT: Final = 104
_SEATS_Y: Final = _TOP + _STRIP_HEIGHT + 8
_SEAT_HEIGHT: Final = 2 * _PAD + 2 * cards.HEIGHT + cards.GAP
_SEAT_STEP: Final = _SEAT_HEIGHT + 8
_CANVAS_SHOWN: Final = 6
_DECK_SHOWN: Final = 5
_FAN: Final = 22
_RULE_X: Final = 206
_RULE_WIDTH: Final = 376


def table_scene(state: np.void, names: Sequence[str] | None = None) -> Scene:
    """Return the picture of a state with all hands, or of a view with what its seat knows.

    Args:
        state: One record of dtype ``STATE``.
        names: What the seats are called; ``player_0`` ... if left out.

    Raises:
        ValueError: If the names are not one a seat.
    """
    called = player_names(state) if names is None else list(names)
    if len(called) != state["players"]:
        raise ValueError(f"names: found {len(called)}, expected {state['players']}, one a seat")
    height = _SEATS_Y + len(called) * _SEAT_STEP + 8
    shapes = [*_frame(state, height), *_strip(state, called)]
    leader, sets = leader_of(state), best_sets_of(state)
    for seat, name in enumerate(called):
        shapes += _seat(state, seat, name, cards_of(sets[seat]), leads=seat == leader)
    return Scene(WIDTH, height, tuple(shapes), sentence(state, called))


def _frame(state: np.void, height: float) -> list[Shape]:
    viewer = int(state["viewer"])
    seen = "all hands" if viewer == NOBODY else f"as seat {viewer} sees it"
    return [
        Box(0, 0, WIDTH, height, "paper"),
        Label(_EDGE, 25, f"Red7 {rules_of(state)}, {seen}", 13, "muted"),
        Label(WIDTH - _EDGE, 25, turn_words(state), 13, "muted", "end"),
    ]


def _strip(state: np.void, names: Sequence[str]) -> list[Shape]:
    """Return what lies in the middle of the table: canvas, rule and deck."""
    rule, leader = int(state["rule"]), leader_of(state)
    over = state["phase"] >= ROUND_OVER
    leads = "" if over else "nobody leads" if leader is None else f"{_short(names[leader])} leads"
    now = f"{_short(names[int(state['to_move'])])} {mover_words(state)}"
    x, y = _RULE_X, _TOP
    return [
        Box(_EDGE, y, WIDTH - 2 * _EDGE, _STRIP_HEIGHT, "panel", 10, "line"),
        *_canvas(state),
        Box(x, y + 16, 16, 16, f"card-{COLOUR_NAMES[rule]}", 4),
        Label(x + 25, y + 31, f"The rule is {COLOUR_NAMES[rule]}", 20, "ink", bold=True),
        Label(x, y + 54, RULE_WORDS[rule].capitalize(), 16, "ink"),
        Label(x, y + 76, now, 13, "muted"),
        Label(x, y + 93, leads, 13, "muted"),
        *_deck(state),
    ]


def _short(name: str) -> str:
    return fitted(name, _RULE_WIDTH / 2, 13)


def _canvas(state: np.void) -> list[Shape]:
    """Return the last cards of the canvas, the one in force on top and farthest right."""
    size, x, y = int(state["canvas_size"]), _EDGE + _PAD, _TOP + 34
    pile = state["pile"][max(0, size - _CANVAS_SHOWN) : size].tolist()
    shapes: list[Shape] = [Label(x, _TOP + 23, f"canvas: {_counted(size)}", 12, "muted")]
    return shapes + (_fan(pile, x, y) if pile else cards.start_card(x, y))


def _deck(state: np.void) -> list[Shape]:
    """Return the deck face down, and beside it what is publicly known to lie on top, the next card farthest right."""
    size, known = int(state["deck_size"]), int(state["deck_known"])
    right, y = WIDTH - _EDGE - _PAD, _TOP + 34
    text = f"deck: {_counted(size)}" + (f", {known} known" if known else "")
    shapes: list[Shape] = [Label(right, _TOP + 23, text, 12, "muted", "end")]
    if size:
        shapes += cards.back(right - cards.WIDTH, y, str(size))
    top = state["pile"][PILE_SIZE - size :][: min(known, _DECK_SHOWN)].tolist()[::-1]
    return shapes + _fan(top, right - 2 * cards.WIDTH - cards.GAP - _FAN * (len(top) - 1), y)


def _fan(pile: list[int], x: float, y: float) -> list[Shape]:
    return cards.row(pile, x, y, cards.WIDTH + _FAN * (len(pile) - 1))


def _seat(state: np.void, seat: int, name: str, best: list[int], *, leads: bool) -> list[Shape]:
    """Return a seat: on the left who it is and how it stands, on the right palette and hand."""
    y, out = _SEATS_Y + seat * _SEAT_STEP, not int(state["seats_in"]) >> seat & 1
    palette = cards_of(state["palettes"][seat])
    hand = hand_of(state, seat)
    moves = seat == state["to_move"]
    ring: cards.Outline = ("leader", 2) if leads else ("muted", 1)
    return [
        Box(
            _EDGE,
            y,
            WIDTH - 2 * _EDGE,
            _SEAT_HEIGHT,
            "panel",
            10,
            "accent" if moves else "line",
            2 if moves else 1,
        ),
        Label(_EDGE + _PAD, y + 26, fitted(name, _NAMES - 12, 15, bold=True), 15, "muted" if out else "ink", bold=True),
        *_tags(_tags_of(state, moves=moves, leads=leads, out=out), y + 35),
        *_notes(state, seat, [f"palette: {_counted(len(palette))}", f"hand: {_counted(len(hand))}"], y),
        *cards.row(palette, _ROW_X, y + _PAD, _ROW_WIDTH, ringed=best, ring=ring, out=out),
        *cards.row(hand, _ROW_X, y + _PAD + cards.HEIGHT + cards.GAP, _ROW_WIDTH, out=out),
    ]


def hand_of(state: np.void, seat: int) -> list[int]:
    """Return a hand: the cards that are known, highest first, and ``cards.BACK`` for each other one."""
    seen = cards_of(state["hands"][seat] | state["known"][seat])
    return [*seen, *[cards.BACK] * (int(state["hand_sizes"][seat]) - len(seen))]


def _tags_of(state: np.void, *, moves: bool, leads: bool, out: bool) -> list[tuple[str, bool]]:
    """Return the words beneath a name, and whether each is about the seat to move."""
    if out:
        return [("out", False)]
    over = state["phase"] >= ROUND_OVER
    return [*([("won" if over else "to move", True)] if moves else []), *([("leads", False)] if leads else [])]


def _tags(tags: list[tuple[str, bool]], y: float) -> list[Shape]:
    shapes: list[Shape] = []
    x: float = _EDGE + _PAD
    for text, strong in tags:
        width = len(text) * 12 * WIDEST + 16
        shapes.append(Box(x, y, width, 19, "accent" if strong else None, 9, "accent" if strong else "muted"))
        shapes.append(Label(x + width / 2, y + 14, text, 12, "accent-ink" if strong else "ink", "middle"))
        x += width + 6
    return shapes


def _notes(state: np.void, seat: int, notes: list[str], y: float) -> list[Shape]:
    """Return the counts of a seat's piles, and its points in a match."""
    if state["match"]:
        notes.append(f"scored: {_counted(len(cards_of(state['scored'][seat])))}")
        notes.append(f"{points_of_word(state['scored'][seat])} of {state['target']} points")
    return [Label(_EDGE + _PAD, y + 74 + 18 * line, text, 12, "muted") for line, text in enumerate(notes)]


def _counted(size: int) -> str:
    return f"{size} card{'' if size == 1 else 's'}"
