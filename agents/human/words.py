"""Rules, seats and offered moves in words."""

from collections.abc import Sequence
from typing import Final

from agents.human.console import Console
from agents.human.turn import draws_unseen, stepped
from red7_env.game import States, batch
from red7_env.game.cards import card_text
from red7_env.game.moves import DISCARD, DRAW, END, PASS, PLAY, TAKE, TO_CANVAS, TO_DECK
from red7_env.game.state import AFTER_DISCARD, CHOOSE_OWN, CHOOSE_TAKEN, PLAY_AGAIN

RULE_WORDS: Final = (
    "most cards below 4",
    "longest run of numbers",
    "most different colours",
    "most even cards",
    "most of one colour",
    "most of one number",
    "the highest card",
)
"""What leads, from violet to red."""

_LONGEST_NAME: Final = 30

_NEXT: Final = {
    PLAY_AGAIN: "then another card",
    CHOOSE_TAKEN: "then take a card from another palette",
    CHOOSE_OWN: "then move another card of your palette",
}


def seat_words(seat: int, viewer: int, names: Sequence[str] | None) -> str:
    """Return what a seat is called: ``you``, or its number and who sits there."""
    if seat == viewer:
        return "you"
    return f"seat {seat}" + (f" ({_shortened(names[seat])})" if names else "")


def _shortened(name: str) -> str:
    """Return a name that does not take more than its share of a line; commands of bots can be long."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 3]}..."


def rule_words(colour: int, console: Console) -> str:
    """Return a rule in words: ``green (most even cards)``."""
    return f"{console.rule(colour)} ({RULE_WORDS[colour]})"


def canvas_words(card: int, rule: int, console: Console) -> str:
    """Return what a card on the canvas does to the rule."""
    colour = card % 7
    return f"the rule {'stays' if colour == rule else 'is'} {rule_words(colour, console)}"


def move_words(view: States, move: int, console: Console, names: Sequence[str] | None, *, hoping: bool) -> str:
    """Return an offered move and what it leads to in words.

    Args:
        view: [1] where it is offered.
        move: Its action id.
        console: Whose colours to use.
        names: Who sits at the seats.
        hoping: Whether only luck can lead after it.
    """
    state = view[0]
    rule, viewer = int(state["rule"]), int(state["viewer"])
    if move < DISCARD:
        return f"play {console.card(move - PLAY)}, {_after_play(view, move, hoping=hoping)}"
    if move < END:
        draw = ", you may draw" if stepped(view, move)[0]["phase"] == AFTER_DISCARD else ""
        return f"discard {console.card(move - DISCARD)}: {canvas_words(move - DISCARD, rule, console)}{draw}"
    if move < TAKE:
        return _plain_words(view, move)
    if move < TO_CANVAS:
        owner = seat_words(owner_of(view, move - TAKE), viewer, names)
        return f"put {console.card(move - TAKE)} of {owner} on top of the deck"
    card = move - (TO_CANVAS if move < TO_DECK else TO_DECK)
    where = f"on the canvas: {canvas_words(card, rule, console)}" if move < TO_DECK else "on top of the deck"
    return f"put your {console.card(card)} {where}"


def owner_of(view: States, card: int) -> int:
    """Return the seat in whose palette a card lies."""
    bit = 1 << card + card // 7
    return next(seat for seat, palette in enumerate(view[0]["palettes"].tolist()) if palette & bit)


def refusal(view: States, move: int, token: str) -> str:
    """Say why a move is not offered."""
    card = move % 49 if move < END else None
    if card is not None and not int(view[0]["hands"][view[0]["viewer"]]) >> card + card // 7 & 1:
        return f"{token} is not offered: {card_text(card)} is not in your hand."
    if card is not None:
        return f"{token} is not offered: now, or after it, you could not end your turn in the lead."
    return f"{token} is not offered now."


def _after_play(view: States, move: int, *, hoping: bool) -> str:
    if hoping:
        return "hoping for the right card: without it you are out"
    if draws_unseen(view, move):
        return "draw a card, then end in the lead"
    after = stepped(view, move)
    if (phase := int(after[0]["phase"])) in _NEXT:
        return _NEXT[phase]
    return "and lead" if batch.offers(after)[0, END] else "then discard to lead"


def _plain_words(view: States, move: int) -> str:
    if move == PASS:
        return "pass: you are out of the round"
    if move == DRAW:
        return "draw a card"
    return "end your turn without a draw" if view[0]["phase"] == AFTER_DISCARD else "end your turn"
