"""Everything on the table between two turns, and how the turn passes on (section 2)."""

from typing import NamedTuple

from .cards import Cards
from .rules import Rules


class Table(NamedTuple):
    """The state that a position writes down. A seat that is out has neither hand nor palette."""

    rules: Rules
    hands: tuple[Cards | None, ...]
    palettes: tuple[Cards | None, ...]
    canvas: tuple[str, ...]
    deck: tuple[str, ...]
    to_move: int
    scored: tuple[Cards, ...] | None = None  # None: not a match

    def seats_in(self) -> list[int]:
        """List the seats that are in."""
        return [seat for seat, palette in enumerate(self.palettes) if palette is not None]

    def without(self, seat: int) -> "Table":
        """Take a seat out: hand and palette leave play."""
        return self._replace(
            hands=tuple(None if s == seat else hand for s, hand in enumerate(self.hands)),
            palettes=tuple(None if s == seat else p for s, p in enumerate(self.palettes)),
        )

    def next_in(self) -> int:
        """Give the seat that is in and follows the seat to move in turn order."""
        players = len(self.palettes)
        order = [(self.to_move + i) % players for i in range(1, players + 1)]
        return next(seat for seat in order if self.palettes[seat] is not None)


def pass_on(table: Table) -> tuple[Table, list[int]]:
    """Hand the turn on after a turn is over; also list who went out at once for lack of cards.

    When one seat is left, it is the one "to move" and is not asked.
    """
    gone = []
    table = table._replace(to_move=table.next_in())
    while len(table.seats_in()) > 1 and not table.hands[table.to_move]:
        gone.append(table.to_move)
        table = table.without(table.to_move)
        table = table._replace(to_move=table.next_in())
    return table, gone
