"""A second encoder: plain Python, from the words of the table, and only ever given views."""

import numpy as np

from red7_env.game import Rules, batch
from red7_env.game.bits import cards_of
from red7_env.game.state import UNKNOWN
from red7_env.observation import pieces

PHASES = (
    "start of the turn",
    "a 5 asks for another play",
    "a 1 asks for a card to take",
    "a 7 asks for a card to move",
    "after the play",
    "take the draw or decline",
    "round over",
    "match over",
)


def number(card: int) -> int:
    return card // 7 + 1


def best_set(cards: set[int], rule: int) -> set[int]:
    """Return the cards that count under a rule, by listing all sets and comparing them."""
    if rule == 0:
        sets = [{card for card in cards if number(card) < 4}]
    elif rule == 1:
        runs = [range(first, last + 1) for first in range(1, 8) for last in range(first, 8)]
        held = {number(card) for card in cards}
        sets = [{max(c for c in cards if number(c) == step) for step in run} for run in runs if set(run) <= held]
    elif rule == 2:
        sets = [{max(card for card in cards if card % 7 == colour) for colour in {card % 7 for card in cards}}]
    elif rule == 3:
        sets = [{card for card in cards if number(card) % 2 == 0}]
    elif rule == 4:
        sets = [{card for card in cards if card % 7 == colour} for colour in range(7)]
    elif rule == 5:
        sets = [{card for card in cards if number(card) == step} for step in range(1, 8)]
    else:
        sets = [{card} for card in cards]
    return max(sets, key=worth, default=set())


def worth(cards: set[int]) -> tuple[int, int]:
    return len(cards), max(cards, default=-1)


def leads(palettes: dict[int, set[int]], seat: int, rule: int) -> bool:
    """Tell whether a seat leads among the palettes of the seats that are in."""
    own = worth(best_set(palettes[seat], rule))
    return own[0] > 0 and all(own > worth(best_set(palettes[other], rule)) for other in palettes if other != seat)


class Slow:
    """What one seat observes of its view."""

    def __init__(self, view: np.void, rules: Rules) -> None:
        self.view, self.rules = view, rules
        seat, players = int(view["viewer"]), rules.players
        self.seats = [(seat + steps) % players for steps in range(players)]
        self.inside = [bool(view["seats_in"] >> seat & 1) for seat in self.seats]
        self.hand = set(cards_of(view["hands"][seat]))
        self.palettes = [set(cards_of(view["palettes"][seat])) for seat in self.seats]
        self.known = [set(cards_of(view["known"][seat])) for seat in self.seats]
        self.scored = [set(cards_of(view["scored"][seat])) for seat in self.seats]
        self.canvas = set(view["pile"][: view["canvas_size"]].tolist())
        top = 49 - int(view["deck_size"])
        self.deck = view["pile"][top : top + int(view["deck_known"])].tolist()
        self.table = {steps: self.palettes[steps] for steps in range(players) if self.inside[steps]}
        seen = self.hand.union(self.canvas, self.deck, *self.palettes, *self.known, *self.scored)
        self.unseen = set(rules.deck_cards) - seen

    def vector(self, features: str) -> np.ndarray:
        parts = []
        for piece in pieces(self.rules, features):
            bits = np.zeros(piece.shape, np.uint8)
            if piece.name.startswith("offered"):
                self.write_offered(bits, piece)
            else:
                getattr(self, f"write_{piece.name}")(bits, piece)
            parts.append(bits.reshape(-1))
        return np.concatenate(parts)

    def write_phase(self, bits, piece):
        bits[piece.labels.index(PHASES[self.view["phase"]])] = 1

    def write_to_move(self, bits, _):
        bits[self.seats.index(self.view["to_move"])] = 1

    def write_seats_in(self, bits, _):
        bits[:] = self.inside

    def write_rule(self, bits, _):
        bits[self.view["rule"]] = 1

    def write_hand_sizes(self, bits, _):
        for row, seat in zip(bits, self.seats, strict=True):
            row[: self.view["hand_sizes"][seat]] = 1

    def write_deck_size(self, bits, _):
        bits[: self.view["deck_size"]] = 1

    def write_round(self, bits, _):
        bits[: self.view["round"]] = 1

    def write_points(self, bits, _):
        for row, cards in zip(bits, self.scored, strict=True):
            row[: sum(map(number, cards))] = 1

    def write_hoped(self, bits, _):
        bits[0] = self.view["hoped"]

    def write_deck_top_numbers(self, bits, _):
        for row, card in zip(bits, self.deck, strict=False):
            row[number(card) - 1] = 1

    def write_deck_top_colours(self, bits, _):
        for row, card in zip(bits, self.deck, strict=False):
            row[card % 7] = 1

    def write_hand(self, bits, _):
        write_cards(bits, self.hand)

    def write_palettes(self, bits, _):
        write_each(bits, self.palettes)

    def write_canvas(self, bits, _):
        write_cards(bits, self.canvas)

    def write_scored(self, bits, _):
        write_each(bits, self.scored)

    def write_last_played(self, bits, _):
        write_cards(bits, {int(self.view["last"])} - {UNKNOWN})

    def write_known_in_hands(self, bits, _):
        write_each(bits, self.known)

    def write_known_in_deck(self, bits, _):
        write_cards(bits, self.deck)

    def write_leads_under(self, bits, _):
        for steps in self.table:
            bits[steps] = [leads(self.table, steps, rule) for rule in range(7)]

    def write_set_sizes(self, bits, _):
        for steps, palette in self.table.items():
            for rule in range(7):
                bits[steps, rule, : len(best_set(palette, rule))] = 1

    def leading(self, steps: int, cards: set[int], rule: int) -> set[int]:
        """Return the cards after whose play the seat leads."""
        palette = self.palettes[steps]
        return {card for card in cards if leads(self.table | {steps: palette | {card}}, steps, rule)}

    def possible_hand(self, steps: int) -> set[int]:
        known = self.known[steps]
        if not self.inside[steps]:
            return set()
        return known if len(known) == self.view["hand_sizes"][self.seats[steps]] else known | self.unseen

    def write_threat_counts(self, bits, piece):
        for steps in range(1, self.rules.players):
            for rule in range(7):
                count = len(self.leading(steps, self.possible_hand(steps), rule))
                bits[steps - 1, rule] = [count >= level for level in piece.levels]

    def write_leading_plays(self, bits, _):
        if self.inside[0]:
            write_cards(bits, self.leading(0, self.hand, self.view["rule"]))

    def write_threats(self, bits, _):
        for steps in range(1, self.rules.players):
            write_cards(bits[steps - 1], self.leading(steps, self.possible_hand(steps), self.view["rule"]))

    def write_offered(self, bits, piece):
        if self.view["to_move"] == self.view["viewer"]:
            first = OFFERED[piece.name]
            mask = batch.offers(np.array([self.view]))[0]
            bits.reshape(-1)[:] = mask[first : first + bits.size]


OFFERED = {
    "offered_plays": 0,
    "offered_discards": 49,
    "offered_others": 98,
    "offered_takes": 101,
    "offered_to_canvas": 150,
    "offered_to_deck": 199,
}


def write_cards(bits, cards) -> None:
    for card in cards:
        bits[number(card) - 1, card % 7] = 1


def write_each(bits, sets) -> None:
    for plane, cards in zip(bits, sets, strict=True):
        write_cards(plane, cards)
