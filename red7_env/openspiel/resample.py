"""Histories that a seat cannot tell from the real one.

How the cards lie now is drawn as everywhere (``batch.determinise``): uniformly over all ways that fit. Then the way
there is made up, backwards: a card that another seat drew unseen may be any that it held just after the draw, but for
those that all had seen before. There are equally many of these whatever has been chosen so far, so all deals and draws
that fit are equally likely.

How the cards lie does not tell that a seat that drew in hope and then had to pass could do no better. So the history is
played again, and drawn anew if a move in it is not offered.
"""

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from red7_env.game import batch
from red7_env.game.bits import cards_of
from red7_env.game.errors import IllegalMoveError
from red7_env.game.moves import DISCARD, END
from red7_env.game.rules import Rules

if TYPE_CHECKING:
    from red7_env.openspiel.state import Red7State

_NONE: Final = -1
_TRIES: Final = 100_000


def resampled(state: "Red7State", player: int, sampler: Callable[[], float]) -> "Red7State":
    """Return a history that a seat cannot tell from the real one.

    Args:
        state: The real one, with a seat to move or at its end.
        player: The seat.
        sampler: Returns numbers from 0 to 1, the only source of chance.

    Raises:
        ValueError: If chance is to move.
    """
    if state.record is None or state.drawing:
        raise ValueError("state: found one with chance to move, expected one with a seat to move")
    rng = random.Random(int(sampler() * 2**53))
    for _ in range(_TRIES):
        hands, drawn = _made_up(state, player, rng)
        try:
            return _played(state, hands, drawn)
        except IllegalMoveError:
            continue
    raise RuntimeError(f"state: found no history like {state} in {_TRIES} tries")


def _made_up(state: "Red7State", player: int, rng: random.Random) -> tuple[list[list[int]], dict[int, int]]:
    """Return the hands that may have been dealt, and the cards that moves may have drawn, by their numbers."""
    world = batch.determinise(batch.views(state.dealt_record(), player), rng.getrandbits(64))[0]
    hands: list[list[int]] = []
    drawn: dict[int, int] = {}
    for seat in range(state.rules.players):
        if seat == player:
            hands.append(state.hand_dealt(seat))
            drawn |= {number: card for number, (mover, _, card) in enumerate(state.moves) if mover == seat}
        else:
            hands.append(_dealt_hand(state, seat, set(cards_of(world["hands"][seat])), drawn, rng))
    return hands, drawn


def _dealt_hand(state: "Red7State", seat: int, hand: set[int], drawn: dict[int, int], rng: random.Random) -> list[int]:
    """Go back from a seat's hand to the one it was dealt, and note in ``drawn`` what it may have drawn on the way."""
    own = [(number, *move[1:]) for number, move in enumerate(state.moves) if move[0] == seat]
    known: set[int] = set()
    seen_before: dict[int, set[int]] = {}
    for number, action, card in own:
        known.discard(_left_by(action))
        seen_before[number] = known.copy()
        if not state.unseen[number]:
            known.add(card)
    for number, action, card in reversed(own):
        if state.unseen[number]:
            drawn[number] = rng.choice(sorted(hand - seen_before[number]))
            hand.remove(drawn[number])
        else:
            hand.discard(card)
        if (left := _left_by(action)) != _NONE:
            hand.add(left)
    return sorted(hand)


def _left_by(action: int) -> int:
    """Return the card that an action takes from the hand, or ``_NONE``."""
    return action % DISCARD if action < END else _NONE


def _played(state: "Red7State", hands: list[list[int]], drawn: dict[int, int]) -> "Red7State":
    """Play the same moves after another deal, with other draws.

    Raises:
        IllegalMoveError: If one of them is not offered.
    """
    rules = state.rules
    history: Red7State = state.get_game().new_initial_state()
    for place in _places(rules, hands, [state.palette_dealt(seat)[0] for seat in range(rules.players)]):
        history.apply_action(place)
    for number, (_, action, _) in enumerate(state.moves):
        history.apply_action(action)
        if state.unseen[number]:
            history.apply_action(drawn[number])
    return history


def _places(rules: Rules, hands: list[list[int]], palettes: list[int]) -> list[int]:
    """Return where each card is dealt to, as chance's outcomes."""
    found = dict.fromkeys(rules.deck_cards, 2 * rules.players)
    for seat, cards in enumerate(hands):
        found |= dict.fromkeys(cards, seat)
    found |= {card: rules.players + seat for seat, card in enumerate(palettes)}
    return list(found.values())
