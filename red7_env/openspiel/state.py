"""``Red7State``: a history of the game, chance included.

OpenSpiel copies a state by ``deepcopy`` of its attributes, often, so these are few and quick to copy: bytes, texts and
one record.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np
import pyspiel
from numpy.typing import NDArray

from red7_env.game import batch
from red7_env.game.bits import cards_of
from red7_env.game.cards import card_text
from red7_env.game.convert import position_of, state_of
from red7_env.game.errors import NotationError
from red7_env.game.moves import DISCARD, DRAW, PLAY, move_text
from red7_env.game.notation import Position, Seat, format_position
from red7_env.game.rules import Rules
from red7_env.game.state import NO_ACTIONS, PILE_SIZE, ROUND_OVER, States
from red7_env.openspiel.resample import resampled

NO_CARD: Final = 255
"""In a log: nothing was drawn, or it is not known yet what."""
_THREE: Final = range(14, 21)
"""Ids of the cards whose action is a draw."""


class Red7State(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A history of a single round.

    Attributes:
        places: Where the cards of the deal went so far, a byte each, as chance's outcomes.
        record: [1] state of dtype ``STATE``; None until all cards are dealt. While chance has to say what a move draws,
            it stands before the move.
        log: Three bytes a move: the seat, the action, and the card that it drew, ``NO_CARD`` for none.
        unseen: Of each move in the log whether chance had to say what it drew, a byte each.
        drawing: Whether chance has to say what the last move draws.
        start: The position after the deal, as text; the deck in it has no order.
    """

    def __init__(self, game: Any, rules: str) -> None:  # noqa: ANN401 - OpenSpiel has no types
        """Begin; called by ``Red7Game.new_initial_state`` only."""
        super().__init__(game)
        self._rules = rules
        self.places = b""
        self.record: States | None = None
        self.log = b""
        self.unseen = b""
        self.drawing = False
        self.start = ""
        self._mask: NDArray[np.int8] | None = None

    @property
    def rules(self) -> Rules:
        """What is played."""
        return _parsed(self._rules)

    @property
    def moves(self) -> list[tuple[int, int, int]]:
        """The moves so far: the seat, the action, and the card that it drew, ``NO_CARD`` for none."""
        log = self.log
        return [(log[at], log[at + 1], log[at + 2]) for at in range(0, len(log), 3)]

    def hand_dealt(self, seat: int) -> list[int]:
        """Return the cards dealt to a hand so far, lowest first."""
        return self._dealt_to(seat)

    def palette_dealt(self, seat: int) -> list[int]:
        """Return the card dealt to a palette, none if there is none yet."""
        return self._dealt_to(self.rules.players + seat)

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or the end."""
        if self.record is None or self.drawing:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(self.record[0]["to_move"])

    def is_terminal(self) -> bool:
        """Tell whether the round is over."""
        return self.record is not None and bool(self.record[0]["phase"] == ROUND_OVER)

    def returns(self) -> list[float]:
        """Return what each seat has won."""
        players = self.rules.players
        if self.record is None or not self.is_terminal():
            return [0.0] * players
        return [1.0 if seat == self.record[0]["winner"] else -1 / (players - 1) for seat in range(players)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance with their probabilities."""
        if self.record is None:
            rules = self.rules
            left = rules.num_cards - len(self.places)
            room = [rules.hand_size] * rules.players + [1] * rules.players
            room.append(rules.num_cards - sum(room))
            for place in self.places:
                room[place] -= 1
            return [(place, count / left) for place, count in enumerate(room) if count]
        deck = self._deck(self.record)
        return [(card, 1 / len(deck)) for card in sorted(deck)]

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - OpenSpiel asks for the seat to move only
        return np.flatnonzero(self._offer()).tolist()

    def _apply_action(self, action: int) -> None:
        if self.record is None:
            self._deal(action)
        elif self.drawing:
            self._draw(action)
        else:
            self._move(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player >= 0:
            return move_text(action)
        if self.drawing:
            return f"draw {card_text(action)}"
        players = self.rules.players
        card = card_text(self.rules.deck_cards[len(self.places)])
        if action == 2 * players:
            return f"{card} to the deck"
        return f"{card} to {'palette' if action >= players else 'hand'} {action % players}"

    def __str__(self) -> str:
        """Return the position after the deal and the moves since, or what is dealt."""
        if self.record is None:
            return " ".join([self.rules.field, "deal", *map(str, self.places)])
        return " ".join([self.start, "|", *self.tokens(None)])

    def tokens(self, viewer: int | None) -> list[str]:
        """Return the moves as text, with the cards that were drawn: ``+R3(B1)``.

        Args:
            viewer: The seat for which cards that others drew unseen are ``(?)``; None for one that sees all.
        """
        found = []
        for number, (seat, action, card) in enumerate(self.moves):
            hidden = self.unseen[number] and viewer is not None and seat != viewer
            drawn = "?" if hidden else "" if card == NO_CARD else card_text(card)
            found.append(f"{move_text(action)}({drawn})" if drawn else move_text(action))
        return found

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> "Red7State":
        """Return a history that the seat cannot tell from this one, uniformly over all deals and draws that fit.

        Args:
            player_id: The seat.
            probability_sampler: Returns numbers from 0 to 1, the only source of chance.

        Raises:
            ValueError: If chance is to move.
        """
        return resampled(self, player_id, probability_sampler)

    def _dealt_to(self, place: int) -> list[int]:
        cards = self.rules.deck_cards
        return [cards[number] for number, where in enumerate(self.places) if where == place]

    def _offer(self) -> NDArray[np.int8]:
        if self._mask is None:
            self._mask = batch.offers(self.dealt_record())
        offer: NDArray[np.int8] = self._mask[0]
        return offer

    def dealt_record(self) -> States:
        """Return the record.

        Raises:
            ValueError: If not all cards are dealt.
        """
        if self.record is None:
            raise ValueError("state: found one before the end of the deal, expected one after it")
        return self.record

    @staticmethod
    def _deck(record: States) -> list[int]:
        return record[0]["pile"][PILE_SIZE - int(record[0]["deck_size"]) :].tolist()  # type: ignore[no-any-return]

    def _deal(self, place: int) -> None:
        self.places += bytes([place])
        rules = self.rules
        if len(self.places) < rules.num_cards:
            return
        palettes = [self.palette_dealt(seat) for seat in range(rules.players)]
        seats = tuple(Seat(tuple(self.hand_dealt(seat)), tuple(palettes[seat])) for seat in range(rules.players))
        first = (palettes.index(max(palettes)) + 1) % rules.players
        deck = tuple(self._dealt_to(2 * rules.players))
        self.record = state_of(Position(rules, (), seats, first, deck))
        self.start = format_position(position_of(self.record[0]))

    def _draws(self, action: int) -> bool:
        """Tell whether a move draws a card."""
        state = self.dealt_record()[0]
        plays_three = state["edition"] != NO_ACTIONS and PLAY <= action < DISCARD and action in _THREE
        return bool(state["deck_size"] > 0 and (action == DRAW or plays_three))

    def _move(self, action: int) -> None:
        record = self.dealt_record()
        card = NO_CARD
        if self._draws(action):
            self.drawing = not record[0]["deck_known"]
            card = NO_CARD if self.drawing else self._deck(record)[0]
        self.log += bytes([int(record[0]["to_move"]), action, card])
        self.unseen += bytes([self.drawing])
        if not self.drawing:
            self._play(record, action)

    def _draw(self, card: int) -> None:
        """Lay the card that chance chose on top of the deck and make the move that draws it."""
        record = self.dealt_record()
        deck = self._deck(record)
        if card not in deck:
            raise NotationError(f"card: found id {card}, expected one of the deck")
        deck.remove(card)
        record[0]["pile"][PILE_SIZE - len(deck) - 1 :] = [card, *deck]
        self.log = self.log[:-1] + bytes([card])
        self.drawing = False
        self._play(record, self.log[-2])

    def _play(self, record: States, action: int) -> None:
        mask = self._mask if self._mask is not None else batch.offers(record)
        batch.play(record, np.array([action]), mask)
        self._mask = None

    def holdings(self, seat: int) -> list[int]:
        """Return the hand of a seat as it is now, or as it left, highest first; what is dealt to it before that."""
        return self.hand_dealt(seat)[::-1] if self.record is None else cards_of(self.record[0]["hands"][seat])


@lru_cache(maxsize=64)
def _parsed(text: str) -> Rules:
    return Rules.parse(text)
