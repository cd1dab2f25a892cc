"""One turn: what the rules allow, and what is offered (sections 2, 4, 5 and 6).

``offered`` is an exhaustive search: a token is offered if some way to go on from it ends with the
mover in the lead.
"""

from functools import lru_cache
from typing import Literal, NamedTuple

from .best_set import leader
from .cards import Cards, colour, number
from .rules import Rules

Phase = Literal[
    "start",
    "five",  # a 5 asks for another palette play
    "one",  # a 1 asks for a card of another palette
    "seven",  # a 7 asks for a card of the own palette
    "played",  # palette plays and actions are done
    "may draw",  # a discard allows the advanced draw
    "over",
]

GO_OUT = "#"
END = "."
DRAW = "*"


class Turn(NamedTuple):
    """A turn under way. It holds no hand but the mover's: nothing offered can depend on others."""

    rules: Rules
    seat: int
    hand: Cards
    palettes: tuple[Cards | None, ...]  # None: out
    canvas: tuple[str, ...]  # from the bottom
    deck: tuple[str, ...]  # from the top
    phase: Phase = "start"
    last_played: str = ""

    def palette(self) -> Cards:
        """Give the mover's palette."""
        palette = self.palettes[self.seat]
        assert palette is not None
        return palette


def rule_in_force(canvas: tuple[str, ...]) -> str:
    """Give the colour of the canvas; the start card is red."""
    return colour(canvas[-1]) if canvas else "R"


def leads(turn: Turn) -> bool:
    """Tell whether the mover leads as things stand."""
    return leader(turn.palettes, rule_in_force(turn.canvas)) == turn.seat


def legal_tokens(turn: Turn) -> list[str]:
    """List what may be done next, the pass aside, before any thought of the turn's end."""
    hand = sorted(turn.hand)
    plays = [f"+{card}" for card in hand]
    discards = [f">{card}" for card in hand]
    match turn.phase:
        case "start":
            tokens = plays + discards
        case "five":
            tokens = plays
        case "one":
            tokens = targets_of_one(turn)
        case "seven":
            tokens = choices_of_seven(turn)
        case "played":
            tokens = [END, *discards]
        case "may draw":
            tokens = [DRAW, END]
        case "over":
            tokens = []
    return tokens


def targets_of_one(turn: Turn) -> list[str]:
    """List the cards that a 1 just played may take (section 5)."""
    least = 2 if turn.rules.edition == "first" else len(turn.palette())
    return [
        f"^{card}"
        for seat, palette in enumerate(turn.palettes)
        if seat != turn.seat and palette is not None and len(palette) >= least
        for card in sorted(palette)
    ]


def choices_of_seven(turn: Turn) -> list[str]:
    """List what a 7 just played may do with another card of the own palette (section 5)."""
    others = sorted(turn.palette() - {turn.last_played})
    to_canvas = [f"~{card}" for card in others]
    if turn.rules.edition == "first":
        return [token for token in to_canvas if leads(step(turn, token))]
    return to_canvas + [f"_{card}" for card in others]


def step(turn: Turn, token: str) -> Turn:
    """Do what one legal token says."""
    action, card = token[0], token[1:]
    match action:
        case "+":
            return _act(_play(turn, card))
        case ">":
            return _discard(turn, card)
        case "^" | "_":
            return _take(turn, card)._replace(deck=(card, *turn.deck), phase="played")
        case "~":
            return _take(turn, card)._replace(canvas=(*turn.canvas, card), phase="played")
        case "*":
            return _draw(turn)._replace(phase="over")
        case ".":
            return turn._replace(phase="over")
        case _:
            message = f"no move {token!r}"
            raise ValueError(message)


def _take(turn: Turn, card: str) -> Turn:
    """Take a card out of the palette that it lies in."""
    palettes = tuple(None if cards is None else cards - {card} for cards in turn.palettes)
    return turn._replace(palettes=palettes)


def _draw(turn: Turn) -> Turn:
    return turn._replace(hand=turn.hand | {turn.deck[0]}, deck=turn.deck[1:])


def _play(turn: Turn, card: str) -> Turn:
    palette = turn.palette() | {card}
    return turn._replace(
        hand=turn.hand - {card},
        palettes=(*turn.palettes[: turn.seat], palette, *turn.palettes[turn.seat + 1 :]),
        last_played=card,
        phase="played",
    )


def _act(turn: Turn) -> Turn:
    """Perform the action of the card just played, or wait for the choice that it asks for."""
    if turn.rules.edition is None:
        return turn
    match number(turn.last_played):
        case 7 if choices_of_seven(turn):
            return turn._replace(phase="seven")
        case 5 if turn.hand:
            return turn._replace(phase="five")
        case 3 if turn.deck:
            return _draw(turn)
        case 1 if targets_of_one(turn):
            return turn._replace(phase="one")
        case _:
            return turn


def _discard(turn: Turn, card: str) -> Turn:
    """Discard from the hand; in advanced a number above the palette's size allows a draw."""
    may_draw = turn.rules.advanced and number(card) > len(turn.palette()) and turn.deck
    return turn._replace(
        hand=turn.hand - {card},
        canvas=(*turn.canvas, card),
        phase="may draw" if may_draw else "over",
    )


def draws_in_hope(turn: Turn, token: str) -> bool:
    """Tell whether the token plays a 3 that draws: what comes is unknown, so hope remains."""
    plays_three = token[0] == "+" and token[2] == "3"
    return plays_three and turn.rules.edition is not None and bool(turn.deck)


def keeps_hope(turn: Turn, token: str) -> bool:
    """Tell whether the turn can still end in the lead after the token, for all the mover knows."""
    return draws_in_hope(turn, token) or can_still_lead(step(turn, token))


@lru_cache(maxsize=20_000)
def can_still_lead(turn: Turn) -> bool:
    """Tell whether some way to complete the turn ends in the lead."""
    if turn.phase == "over":
        return leads(turn)
    return any(keeps_hope(turn, token) for token in legal_tokens(turn))


def offered(turn: Turn) -> list[str]:
    """List the offered tokens, sorted by character code.

    The pass is there at the start of the turn, and when a draw in hope has helped nothing.
    """
    tokens = [token for token in legal_tokens(turn) if keeps_hope(turn, token)]
    if turn.phase == "start" or not tokens:
        tokens.append(GO_OUT)
    return sorted(tokens)
