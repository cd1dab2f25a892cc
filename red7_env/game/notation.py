"""Positions as text: what stands at the start of a turn, in five or six fields.

``<rules> <canvas> <seats> <to move> <deck> [<scored>]``, for example
``basic@3x4x2 - R4O1:Y3/R2Y4:O4 0 R3O3Y2O2R1Y1``. The sixth field makes it a position of a match.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import index

from red7_env.game.cards import COLOUR_LETTERS, NUM_CARDS, card_text, cards_text, parse_cards
from red7_env.game.errors import NotationError, RulesError, shown
from red7_env.game.rules import MAX_PLAYERS, MIN_PLAYERS, Rules

_FIELDS = ("rules", "canvas", "seats", "to move", "deck", "scored")
_NUM_FIELDS = len(_FIELDS) - 1
_FORM = "rules canvas seats to-move deck, and scored in a match, with one space between them"
_OUT = "x"
# The longest real position has about 150 characters; far longer text is not worth reading.
_MAX_LENGTH = 1000


@dataclass(frozen=True)
class Seat:
    """What a player who is in holds: card ids, kept highest first.

    Attributes:
        hand: The cards in the hand.
        palette: The cards in the palette.
    """

    hand: tuple[int, ...]
    palette: tuple[int, ...]

    def __post_init__(self) -> None:
        """Bring the cards into order."""
        object.__setattr__(self, "hand", _highest_first(self.hand))
        object.__setattr__(self, "palette", _highest_first(self.palette))


@dataclass(frozen=True)
class Position:
    """What stands at the start of a turn. ``str(position)`` is its text form.

    Attributes:
        rules: The rules played; ``rules.match`` exactly if there is a ``scored``.
        canvas: The discarded cards from the bottom to the top, without the start card.
        seats: What each seat holds, None for a seat that is out.
        to_move: The seat to move; the winner when only one seat is in.
        deck: The draw deck from the top.
        scored: In a match the cards each seat has scored, kept highest first.

    Raises:
        NotationError: If the parts do not make a position.
    """

    rules: Rules
    canvas: tuple[int, ...]
    seats: tuple[Seat | None, ...]
    to_move: int
    deck: tuple[int, ...]
    scored: tuple[tuple[int, ...], ...] | None = None

    def __post_init__(self) -> None:
        """Keep everything as plain Python values in order, and check it."""
        self._keep("canvas", tuple(map(index, self.canvas)))
        self._keep("seats", tuple(self.seats))
        self._keep("to_move", index(self.to_move))
        self._keep("deck", tuple(map(index, self.deck)))
        if self.scored is not None:
            self._keep("scored", tuple(map(_highest_first, self.scored)))
        self._check_seats()
        self._check_to_move()
        self._check_scored()
        self._check_cards()

    def __str__(self) -> str:
        """Return the text form."""
        return format_position(self)

    def piles(self) -> Iterator[tuple[str, str, tuple[int, ...]]]:
        """Yield every pile of cards, with its field and what it is called there."""
        yield "canvas", "the canvas", self.canvas
        for number, seat in enumerate(self.seats):
            if seat is not None:
                yield "seats", f"the hand of seat {number}", seat.hand
                yield "seats", f"the palette of seat {number}", seat.palette
        yield "deck", "the deck", self.deck
        for number, cards in enumerate(self.scored or ()):
            yield "scored", f"the scored cards of seat {number}", cards

    def _keep(self, name: str, value: object) -> None:
        """Set a field of this frozen value while it is built."""
        object.__setattr__(self, name, value)

    def _check_seats(self) -> None:
        players = self.rules.players
        if len(self.seats) != players:
            raise NotationError(f"seats: found {len(self.seats)} seats, expected {players}")
        if all(seat is None for seat in self.seats):
            raise NotationError("seats: found every seat out, expected at least one that is in")
        for number, seat in enumerate(self.seats):
            if seat is not None and not seat.palette:
                raise NotationError(
                    f"seats: found an empty palette of seat {number}, which is in, expected at least one card"
                )

    def _check_to_move(self) -> None:
        last = self.rules.players - 1
        if not 0 <= self.to_move <= last:
            raise NotationError(f"to move: found seat {shown(self.to_move)}, expected 0 to {last}")
        if self.seats[self.to_move] is None:
            raise NotationError(f"to move: found seat {self.to_move}, which is out, expected a seat that is in")

    def _check_scored(self) -> None:
        if self.scored is None:
            if self.rules.match:
                raise NotationError("scored: found nothing, expected the scored cards of a match")
            return
        if not self.rules.match:
            raise NotationError("scored: found outside of a match, expected in a match only")
        if len(self.scored) != self.rules.players:
            raise NotationError(
                f"scored: found {len(self.scored)} parts, expected {self.rules.players}, one a seat, joined by /"
            )

    def _check_cards(self) -> None:
        cards = [card for _, _, pile in self.piles() for card in pile]
        allowed = self.rules.deck_cards
        if len(set(cards)) == len(cards) and set(cards) <= set(allowed):
            return
        places: dict[int, str] = {}
        for field, place, pile in self.piles():
            for card in pile:
                if card not in allowed:
                    raise NotationError(
                        f"{field}: found {_any_card_text(card)} in {place}, "
                        f"expected cards in the deck's shape, {_shape_words(self.rules)}"
                    )
                if card in places:
                    raise NotationError(
                        f"{field}: found {card_text(card)} twice, in {places[card]} "
                        f"and in {place}, expected each card once"
                    )
                places[card] = place


def parse_position(text: str) -> Position:
    """Return the position of a text form. Cards in hands and palettes may be in any order.

    Raises:
        NotationError: If the text is malformed or does not make a position.
    """
    fields = _split(text)
    parts = fields[2].split("/")
    if not MIN_PLAYERS <= len(parts) <= MAX_PLAYERS:
        raise NotationError(f"seats: found {len(parts)}, expected {MIN_PLAYERS} to {MAX_PLAYERS}, joined by /")
    return Position(
        rules=_parse_rules(fields[0], len(parts), match=len(fields) > _NUM_FIELDS),
        canvas=tuple(parse_cards(fields[1], "canvas")),
        seats=tuple(_parse_seat(part, number) for number, part in enumerate(parts)),
        to_move=_parse_to_move(fields[3], len(parts)),
        deck=tuple(parse_cards(fields[4], "deck")),
        scored=_parse_scored(fields[5]) if len(fields) > _NUM_FIELDS else None,
    )


def format_position(position: Position) -> str:
    """Return the text form of a position, hands, palettes and scored cards highest first."""
    fields = [
        position.rules.field,
        cards_text(position.canvas),
        "/".join(map(_seat_text, position.seats)),
        str(position.to_move),
        cards_text(position.deck),
    ]
    if position.scored is not None:
        fields.append("/".join(map(cards_text, position.scored)))
    return " ".join(fields)


def _split(text: str) -> list[str]:
    """Split a position into its five or six fields."""
    if not isinstance(text, str):
        raise NotationError(f"position: found {shown(text)}, expected text")
    if len(text) > _MAX_LENGTH:
        raise NotationError(f"position: found {len(text)} characters, expected at most {_MAX_LENGTH}")
    fields = text.split(" ")
    if "" in fields:
        raise NotationError(f"position: found an empty field in {shown(text)}, expected {_FORM}")
    if len(fields) < _NUM_FIELDS:
        missing = ", ".join(_FIELDS[len(fields) : _NUM_FIELDS])
        raise NotationError(
            f"position: found {len(fields)} of {_NUM_FIELDS} fields, missing {missing}, expected {_FORM}"
        )
    if len(fields) > len(_FIELDS):
        raise NotationError(
            f"position: found {len(fields)} fields, extra from {shown(fields[len(_FIELDS)])} on, expected {_FORM}"
        )
    return fields


def _parse_rules(field: str, players: int, match: bool) -> Rules:
    """Read the rules field, with what the other fields tell about the rules."""
    try:
        rules = Rules.from_field(field, players)
        if match and not rules.advanced:
            raise NotationError("scored: found with basic, expected with advanced only")
        return Rules.from_field(field, players, match)
    except RulesError as error:
        raise NotationError(f"rules: {error}") from None


def _parse_seat(part: str, number: int) -> Seat | None:
    """Read what one seat holds."""
    if part == _OUT:
        return None
    hand, colon, palette = part.partition(":")
    if not colon:
        raise NotationError(f"seats: found {shown(part)} for seat {number}, expected hand:palette, or x when out")
    return Seat(
        hand=tuple(parse_cards(hand, f"seats: hand of seat {number}")),
        palette=tuple(parse_cards(palette, f"seats: palette of seat {number}")),
    )


def _parse_to_move(field: str, players: int) -> int:
    """Read the seat to move; only its one plain digit will do."""
    seats = [str(seat) for seat in range(players)]
    if field not in seats:
        raise NotationError(f"to move: found {shown(field)}, expected a seat: {' '.join(seats)}")
    return int(field)


def _parse_scored(field: str) -> tuple[tuple[int, ...], ...]:
    """Read the cards that each seat has scored."""
    return tuple(tuple(parse_cards(part, "scored")) for part in field.split("/"))


def _seat_text(seat: Seat | None) -> str:
    return _OUT if seat is None else f"{cards_text(seat.hand)}:{cards_text(seat.palette)}"


def _highest_first(cards: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(map(index, cards), reverse=True))


def _any_card_text(card: int) -> str:
    return card_text(card) if 0 <= card < NUM_CARDS else f"card id {shown(card)}"


def _shape_words(rules: Rules) -> str:
    letters = COLOUR_LETTERS[: -1 - rules.colours : -1]
    return f"the colours {letters} with numbers from 1 to {rules.numbers}"
