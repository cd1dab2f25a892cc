"""Dealing a round from an explicit shuffle, and when a match ends (sections 2, 4 and 8)."""

from collections.abc import Sequence

from .cards import Cards, height, points
from .rules import Rules
from .table import Table


def deal(rules: Rules, players: int, scored: tuple[Cards, ...] | None, order: Sequence[str]) -> Table:
    """Deal a block of H cards to each hand, then a card to each palette; the rest is the deck."""
    rules.check_players(players)
    if sorted(order) != sorted(unscored(rules, scored)):
        message = "order: expected every card that nobody has scored, once"
        raise ValueError(message)
    size = rules.hand
    hands = [frozenset(order[seat * size : (seat + 1) * size]) for seat in range(players)]
    shown = order[players * size : players * (size + 1)]
    highest_seat = max(range(players), key=lambda seat: height(shown[seat]))
    return Table(
        rules=rules,
        hands=tuple(hands),
        palettes=tuple(frozenset([card]) for card in shown),
        canvas=(),
        deck=tuple(order[players * (size + 1) :]),
        to_move=(highest_seat + 1) % players,
        scored=scored,
    )


def unscored(rules: Rules, scored: tuple[Cards, ...] | None) -> Cards:
    """Give the cards that nobody has scored."""
    return rules.deck().difference(*(scored or ()))


def match_ends(rules: Rules, scored: tuple[Cards, ...]) -> bool:
    """Tell whether the target is reached or too few cards are left to deal."""
    players = len(scored)
    reached = max(map(points, scored)) >= rules.target(players)
    return reached or len(unscored(rules, scored)) < rules.cards_to_deal(players)
