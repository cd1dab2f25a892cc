"""Whether a position is the deal of a round."""

from red7_env.game.cards import card_text, cards_text
from red7_env.game.errors import RecordError
from red7_env.game.notation import Position, Seat
from red7_env.game.rules import Rules

Piles = tuple[tuple[int, ...], ...]
"""What each seat has scored."""


def first_piles(rules: Rules) -> Piles | None:
    """Return what has been scored before the first round: nothing, in a match by each seat."""
    return ((),) * rules.players if rules.match else None


def check_deal(position: Position, rules: Rules, scored: Piles | None) -> None:
    """Check that a round by these rules can begin like this, after these cards were scored.

    Raises:
        RecordError: Naming the first field that does not fit.
    """
    _check_equal("rules", str(position.rules), str(rules))
    _check_equal("canvas", cards_text(position.canvas), "-")
    for number, seat in enumerate(position.seats):
        _check_seat(seat, number, rules.hand_size)
    _check_equal("scored", _piles_text(position.scored), _piles_text(scored))
    used = {card for _, _, pile in position.piles() for card in pile}
    for card in reversed(rules.deck_cards):
        if card not in used:
            raise RecordError(f"deck: found {card_text(card)} in no field, expected all cards at the start of a round")
    _check_equal("to move", str(position.to_move), str(_first_player(position)))


def _first_player(position: Position) -> int:
    """Return the seat after the owner of the highest palette card."""
    highest = [max(seat.palette) if seat else -1 for seat in position.seats]
    return (highest.index(max(highest)) + 1) % len(highest)


def _check_seat(seat: Seat | None, number: int, hand_size: int) -> None:
    if seat is None:
        raise RecordError(f"seats: found seat {number} out, expected every seat in at the start of a round")
    for place, cards, size in (("hand", seat.hand, hand_size), ("palette", seat.palette, 1)):
        if len(cards) != size:
            raise RecordError(
                f"seats: found {cards_text(cards)} in the {place} of seat {number}, "
                f"expected {size} cards at the start of a round"
            )


def _check_equal(field: str, found: str, expected: str) -> None:
    if found != expected:
        raise RecordError(f"{field}: found {found}, expected {expected} at the start of this round")


def _piles_text(piles: Piles | None) -> str:
    return "none" if piles is None else "/".join(map(cards_text, piles))
