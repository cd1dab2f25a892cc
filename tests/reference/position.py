"""The text form of a table: ``<rules> <canvas> <seats> <to move> <deck> [<scored>]``."""

from .cards import Cards, highest_first, read_cards, write_cards
from .rules import read_rules
from .table import Table


def write_position(table: Table) -> str:
    """Write a table as a position."""
    seats = [
        "x" if hand is None or palette is None else f"{write_held(hand)}:{write_held(palette)}"
        for hand, palette in zip(table.hands, table.palettes, strict=True)
    ]
    fields = [
        table.rules.text(),
        write_cards(table.canvas),
        "/".join(seats),
        str(table.to_move),
        write_cards(table.deck),
    ]
    if table.scored is not None:
        fields.append("/".join(map(write_held, table.scored)))
    return " ".join(fields)


def write_held(cards: Cards) -> str:
    """Write cards that have no order of their own, the highest first."""
    return write_cards(highest_first(cards))


def read_position(text: str) -> Table:
    """Read a position; ValueError if it is refused."""
    fields = text.split(" ")
    if len(fields) not in {5, 6}:
        message = f"{len(fields)} fields in {text!r}, expected 5, or 6 in a match"
        raise ValueError(message)
    rules = read_rules(fields[0])
    written: list[str] = []  # every card met so far, to find those written twice

    def cards_of(part: str) -> list[str]:
        cards = read_cards(part)
        written.extend(cards)
        return cards

    canvas = tuple(cards_of(fields[1]))
    hands: list[Cards | None] = []
    palettes: list[Cards | None] = []
    for seat in fields[2].split("/"):
        if seat == "x":
            hands.append(None)
            palettes.append(None)
            continue
        hand, colon, palette = seat.partition(":")
        if not colon or palette == "-":
            message = f"seats: {seat!r}, expected x or hand:palette with a palette"
            raise ValueError(message)
        hands.append(frozenset(cards_of(hand)))
        palettes.append(frozenset(cards_of(palette)))
    rules.check_players(len(hands))
    if fields[3] not in {str(seat) for seat, hand in enumerate(hands) if hand is not None}:
        message = f"to move: {fields[3]!r}, expected a seat that is in"
        raise ValueError(message)
    deck = tuple(cards_of(fields[4]))
    scored = None
    if fields[5:]:
        scored = tuple(frozenset(cards_of(part)) for part in fields[5].split("/"))
        if not rules.advanced or len(scored) != len(hands):
            message = f"scored: {fields[5]!r}, expected one part a seat, in advanced only"
            raise ValueError(message)
    if len(set(written)) < len(written) or not set(written) <= rules.deck():
        message = f"a card written twice, or not in the deck, in {text!r}"
        raise ValueError(message)
    return Table(
        rules=rules,
        hands=tuple(hands),
        palettes=tuple(palettes),
        canvas=canvas,
        deck=deck,
        to_move=int(fields[3]),
        scored=scored,
    )
