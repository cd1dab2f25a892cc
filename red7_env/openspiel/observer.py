"""``Red7Observer``: what a seat has seen or sees, as named tensors and as text.

Which pieces there are depends on the type of observation: public information, that of one seat or of all, with perfect
recall (an information state) or without (an observation). Card sets are numbers x colours. With perfect recall:

| piece | shape | what |
| --- | --- | --- |
| ``player`` | (players,) | the observing seat |
| ``hand`` | (7, 7) | the hand that it was dealt; private |
| ``palettes`` | (players, 7, 7) | the palette cards that were dealt, by seat |
| ``moves`` | (moves, players + actions) | each move: who made it, and its action |
| ``draws`` | (moves, 49) | the card that it drew with its move, if it did; private |

Where the private information of all seats is wanted, ``hands`` has a leading axis for the seat, and ``draws`` are those
of all. Without perfect recall there are ``player``, the ``base`` pieces of ``red7_env.observation``, of which ``hand``
is private, and ``hands``. Before the end of the deal they are 0.
"""

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from red7_env.game.bits import cards_of
from red7_env.game.cards import COLOUR_LETTERS, NUM_CARDS, cards_text
from red7_env.game.rules import Rules
from red7_env.game.state import PILE_SIZE
from red7_env.observation import encode, pieces
from red7_env.openspiel.state import NO_CARD, Red7State

_CARDS = (7, 7)
_PHASES = ("start", "play again", "take", "move a card", "played", "draw or not", "over")
_NOBODY = -1


class Red7Observer:
    """Observes states, as ``open_spiel.python.observation`` asks for it.

    Attributes:
        tensor: [size] float32, all pieces one after the other.
        dict: The pieces by name, parts of ``tensor``.
    """

    def __init__(self, rules: Rules, most_moves: int, kind: Any, params: Mapping[str, Any] | None) -> None:  # noqa: ANN401 - OpenSpiel has no types
        """Choose the pieces.

        Args:
            rules: What is played.
            most_moves: A number of moves that no game exceeds.
            kind: OpenSpiel's ``IIGObservationType``.
            params: There are none.

        Raises:
            ValueError: If there are parameters.
        """
        if params:
            raise ValueError(f"params: found {dict(params)}, expected none")
        self._rules, self._most_moves = rules, most_moves
        self._public, self._recalls = bool(kind.public_info), bool(kind.perfect_recall)
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._all = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        shapes = dict(self._shapes())
        self.tensor: NDArray[np.float32] = np.zeros(sum(map(prod, shapes.values())), np.float32)
        ends = np.cumsum([prod(shape) for shape in shapes.values()]).tolist()
        self.dict = {
            name: self.tensor[end - prod(shape) : end].reshape(shape)
            for (name, shape), end in zip(shapes.items(), ends, strict=True)
        }

    def set_from(self, state: Red7State, player: int) -> None:
        """Write what a seat observes into ``tensor``."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if "hands" in self.dict:
            for seat, hand in enumerate(self.dict["hands"]):
                hand.flat[self._hand(state, seat)] = 1
        if self._recalls:
            self._set_recalled(state, player)
        elif state.record is not None:
            seen = encode(state.record, player, "base")[0]
            for piece in pieces(self._rules, "base"):
                if piece.name in self.dict:
                    self.dict[piece.name].flat[:] = seen[piece.slice]
        elif self._own:
            self.dict["hand"].flat[self._hand(state, player)] = 1

    def string_from(self, state: Red7State, player: int) -> str:
        """Return what a seat observes as text."""
        parts = [f"p{player}"]
        if self._own:
            parts.append(f"hand {cards_text(self._hand(state, player))}")
        if self._all:
            parts.append(f"hands {'/'.join(cards_text(self._hand(state, seat)) for seat in self._seats)}")
        if self._recalls:
            parts += self._recalled(state, player)
        elif self._public:
            parts += _table(state)
        return " ".join(parts)

    @property
    def _seats(self) -> range:
        return range(self._rules.players)

    def _shapes(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield the names and shapes of the pieces."""
        players = self._rules.players
        yield "player", (players,)
        if self._all:
            yield "hands", (players, *_CARDS)
        if not self._recalls:
            for piece in pieces(self._rules, "base"):
                if self._own if piece.name == "hand" else self._public:
                    yield piece.name, piece.shape
            return
        if self._own:
            yield "hand", _CARDS
        if self._public:
            yield "palettes", (players, *_CARDS)
            yield "moves", (self._most_moves, players + self._rules.num_moves)
        if self._own or self._all:
            yield "draws", (self._most_moves, NUM_CARDS)

    def _hand(self, state: Red7State, seat: int) -> list[int]:
        """Return the hand that a seat was dealt, or the one it has."""
        return state.hand_dealt(seat)[::-1] if self._recalls else state.holdings(seat)

    def _set_recalled(self, state: Red7State, player: int) -> None:
        if self._own:
            self.dict["hand"].flat[self._hand(state, player)] = 1
        if self._public:
            for seat, palette in enumerate(self.dict["palettes"]):
                palette.flat[state.palette_dealt(seat)] = 1
        for number, (seat, action, card) in enumerate(state.moves):
            if self._public:
                self.dict["moves"][number, [seat, self._rules.players + action]] = 1
            if card != NO_CARD and (self._all or (self._own and seat == player)):
                self.dict["draws"][number, card] = 1

    def _recalled(self, state: Red7State, player: int) -> Iterator[str]:
        if self._public:
            yield f"palettes {'/'.join(cards_text(state.palette_dealt(seat)) for seat in self._seats)} |"
            yield from state.tokens(None if self._all else player if self._own else _NOBODY)
        else:
            drawn = [
                card
                for seat, _, card in state.moves
                if card != NO_CARD and (self._all or (self._own and seat == player))
            ]
            yield f"drew {cards_text(drawn)}"


def _table(state: Red7State) -> Iterator[str]:
    """Yield all that lies open, as text."""
    seats = range(state.rules.players)
    if state.record is None:
        yield f"palettes {'/'.join(cards_text(state.palette_dealt(seat)) for seat in seats)}, {len(state.places)} dealt"
        return
    record = state.record[0]
    pile, deck = record["pile"].tolist(), PILE_SIZE - int(record["deck_size"])
    yield f"palettes {'/'.join(cards_text(cards_of(record['palettes'][seat])) for seat in seats)}"
    yield f"canvas {cards_text(pile[: int(record['canvas_size'])])} rule {COLOUR_LETTERS[record['rule']]}"
    yield f"in {''.join(str(seat) for seat in seats if record['seats_in'] >> seat & 1)}"
    yield f"hands {'/'.join(str(record['hand_sizes'][seat]) for seat in seats)} deck {record['deck_size']}"
    yield f"to move {record['to_move']} {_PHASES[record['phase']]}"
    if state.rules.actions:
        yield f"known {'/'.join(cards_text(cards_of(record['known'][seat])) for seat in seats)}"
        yield f"on the deck {cards_text(pile[deck : deck + int(record['deck_known'])])}"
        yield f"last {record['last']} hoped {record['hoped']}"
