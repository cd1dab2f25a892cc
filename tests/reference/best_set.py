"""Best sets and who leads (section 3)."""

from collections.abc import Sequence
from functools import lru_cache

from .cards import NUMBERS, Cards, colour, height, highest, number

VIOLET_BELOW = 4


def candidates(palette: Cards, rule: str) -> list[Cards]:
    """List the sets in a palette that may be its best under the rule, a canvas colour."""
    of_number = {n: frozenset(c for c in palette if number(c) == n) for n in NUMBERS}
    of_colour = [frozenset(c for c in palette if colour(c) == x) for x in set(map(colour, palette))]
    match rule:
        case "R":  # the one highest card
            sets = [frozenset([card]) for card in palette]
        case "O":  # the most cards of one number
            sets = list(of_number.values())
        case "Y":  # the most cards of one colour
            sets = of_colour
        case "G":  # all even cards
            sets = [frozenset(card for card in palette if number(card) % 2 == 0)]
        case "B":  # different colours: the highest of each colour
            sets = [frozenset(highest(cards) for cards in of_colour)]
        case "I":  # consecutive numbers: the highest colour of each
            sets = [
                frozenset(highest(of_number[n]) for n in range(low, high + 1))
                for low in NUMBERS
                for high in range(low, NUMBERS.stop)
                if all(of_number[n] for n in range(low, high + 1))
            ]
        case "V":  # all cards below 4
            sets = [frozenset(card for card in palette if number(card) < VIOLET_BELOW)]
        case _:
            message = f"no rule {rule!r}"
            raise ValueError(message)
    return sets


def strength(cards: Cards) -> tuple[int, tuple[int, int]]:
    """Give what sets are compared by: more cards, then the higher highest card."""
    return len(cards), height(highest(cards))


@lru_cache(maxsize=100_000)
def best_set(palette: Cards, rule: str) -> Cards:
    """Give the strongest set; empty when no card qualifies."""
    sets = [cards for cards in candidates(palette, rule) if cards]
    return max(sets, key=strength, default=frozenset())


def leader(palettes: Sequence[Cards | None], rule: str) -> int | None:
    """Give the seat that leads. A seat that is out has no palette (None)."""
    best = {seat: best_set(cards, rule) for seat, cards in enumerate(palettes) if cards is not None}
    qualified = [seat for seat, cards in best.items() if cards]
    return max(qualified, key=lambda seat: strength(best[seat]), default=None)
