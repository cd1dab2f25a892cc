"""What is public knowledge beyond a position: known cards, and palettes that were shown."""

from typing import NamedTuple

from .cards import Cards
from .turn import Turn


class Knowledge(NamedTuple):
    """Follows one round; each change gives a new one."""

    on_deck: tuple[str, ...]  # on top of the deck, from the top
    in_hand: tuple[Cards, ...]  # a set for each seat
    out_palettes: tuple[Cards, ...]  # a set for each seat

    def after(self, before: Turn, after: Turn) -> "Knowledge":
        """Follow one token by the seat to move."""
        on_deck, known = self.on_deck, self.in_hand[before.seat]
        if len(after.deck) > len(before.deck):  # a 1 or a 7 put a card on top for all to see
            on_deck = (after.deck[0], *on_deck)
        elif len(after.deck) < len(before.deck) and on_deck:  # a known card was drawn
            known |= {on_deck[0]}
            on_deck = on_deck[1:]
        known &= after.hand  # what was played or discarded is there no more
        return self._replace(on_deck=on_deck, in_hand=replace_at(self.in_hand, before.seat, known))

    def after_leaving(self, seat: int, palette: Cards) -> "Knowledge":
        """Remember the palette that a seat turns face down; known hand cards stay known."""
        return self._replace(out_palettes=replace_at(self.out_palettes, seat, palette))


def nothing_known(players: int) -> Knowledge:
    """Give what is known after a deal, or of a position that is merely read."""
    nothing = (frozenset[str](),) * players
    return Knowledge(on_deck=(), in_hand=nothing, out_palettes=nothing)


def replace_at(sets: tuple[Cards, ...], seat: int, cards: Cards) -> tuple[Cards, ...]:
    """Give the same sets, with another one for one seat."""
    return (*sets[:seat], cards, *sets[seat + 1 :])
