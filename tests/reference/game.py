"""``Reference``: a round or a match, one token at a time. See the package's docstring."""

from collections.abc import Sequence
from copy import copy

from .best_set import best_set, leader
from .cards import highest_first, points
from .deal import deal, match_ends, unscored
from .knowledge import nothing_known
from .position import read_position, write_position
from .rules import read_rules
from .table import Table, pass_on
from .turn import GO_OUT, Turn, offered, rule_in_force, step


class Reference:
    """A game of Red7 played by the letter of the rules. All that it refers to is immutable."""

    def __init__(self, table: Table) -> None:
        """Start at the start of a turn; ``from_position`` and ``deal`` are the usual ways."""
        self._begin(table)

    def _begin(self, table: Table) -> None:
        self._table = table
        self._knowledge = nothing_known(len(table.palettes))
        self._final: Table | None = None  # set when a match is over: the table with all scored
        self._open_turn()

    def _open_turn(self) -> None:
        table = self._table
        self._tokens: tuple[str, ...] = ()
        self._turn = Turn(
            rules=table.rules,
            seat=table.to_move,
            hand=table.hands[table.to_move] or frozenset(),
            palettes=table.palettes,
            canvas=table.canvas,
            deck=table.deck,
        )

    @classmethod
    def from_position(cls, text: str) -> "Reference":
        """Read a position."""
        return cls(read_position(text))

    @classmethod
    def deal(cls, rules_text: str, players: int, match: bool, order: Sequence[str]) -> "Reference":
        """Deal a first round from an explicit shuffle."""
        rules = read_rules(rules_text)
        if match and not rules.advanced:
            message = f"rules {rules_text!r}: a match is advanced only"
            raise ValueError(message)
        scored = (frozenset[str](),) * players if match else None
        return cls(deal(rules, players, scored, order))

    def copy(self) -> "Reference":
        """Give an independent game in the same state."""
        return copy(self)

    def __repr__(self) -> str:
        """Show the start of the turn and the tokens since."""
        return f"<Reference {write_position(self._table)} | {' '.join(self._tokens)}>"

    # One turn

    @property
    def players(self) -> int:
        """The number of seats, out or in."""
        return len(self._table.palettes)

    @property
    def to_move(self) -> int:
        """The seat to move, or the winner once the round is over."""
        return self._table.to_move

    @property
    def turn_tokens(self) -> list[str]:
        """The tokens played so far in the unfinished turn."""
        return list(self._tokens)

    def position(self) -> str:
        """Write the position; only between turns."""
        if self._tokens:
            message = f"a position is between turns, not after {self.turn_tokens}"
            raise ValueError(message)
        return write_position(self._table)

    def offered(self) -> list[str]:
        """List the offered tokens, sorted by character code."""
        return [] if self.round_over else offered(self._turn)

    def play(self, token: str) -> None:
        """Play one offered token."""
        if token not in self.offered():
            message = f"{token!r} is not offered, but {self.offered()}"
            raise ValueError(message)
        self._tokens = (*self._tokens, token)
        if token == GO_OUT:
            self._lose_turn()
            return
        before, self._turn = self._turn, step(self._turn, token)
        self._knowledge = self._knowledge.after(before, self._turn)
        if self._turn.phase == "over":
            self._close_turn()

    def _lose_turn(self) -> None:
        """Go out; of this turn only the cards drawn by a 3 leave a trace, on the deck."""
        turn = self._turn
        self._knowledge = self._knowledge.after_leaving(turn.seat, turn.palette())
        self._pass_on(self._table.without(turn.seat)._replace(deck=turn.deck))

    def _close_turn(self) -> None:
        """Stay in: all that the turn did stands."""
        turn, table = self._turn, self._table
        hands = tuple(turn.hand if s == turn.seat else hand for s, hand in enumerate(table.hands))
        self._pass_on(table._replace(hands=hands, palettes=turn.palettes, canvas=turn.canvas, deck=turn.deck))

    def _pass_on(self, table: Table) -> None:
        self._table, gone = pass_on(table)
        for seat in gone:
            palette = table.palettes[seat] or frozenset[str]()
            self._knowledge = self._knowledge.after_leaving(seat, palette)
        self._open_turn()

    # One round

    @property
    def round_over(self) -> bool:
        """Whether one seat is left."""
        return len(self._table.seats_in()) == 1

    @property
    def winner(self) -> int | None:
        """The winner of the round, None while it goes on."""
        return self._table.to_move if self.round_over else None

    def leader(self) -> int | None:
        """Give the seat that leads now, also within a turn."""
        return leader(self._turn.palettes, rule_in_force(self._turn.canvas))

    def best_set(self, seat: int) -> list[str]:
        """Give the cards of a seat's best set now, highest first."""
        palette = self._turn.palettes[seat]
        if palette is None:
            message = f"seat {seat} is out"
            raise ValueError(message)
        return highest_first(best_set(palette, rule_in_force(self._turn.canvas)))

    # One match

    def _table_scored(self) -> Table:
        """Give the table of a finished round with the winner's best set put aside."""
        table = self._table
        if self.winner is None:
            message = "the round is not over"
            raise ValueError(message)
        before = table.scored or (frozenset[str](),) * self.players
        taken = frozenset(self.best_set(self.winner)) if table.rules.advanced else frozenset[str]()
        after = [cards | taken if s == self.winner else cards for s, cards in enumerate(before)]
        return table._replace(scored=tuple(after))

    def to_shuffle(self) -> list[str]:
        """List the cards that nobody will have scored once this finished round is scored."""
        return sorted(unscored(self._table.rules, self._table_scored().scored))

    def next_round(self, order: Sequence[str] | None = None) -> None:
        """Score the round and deal the next from ``order``, or end the match."""
        table = self._table_scored()
        if self._table.scored is None or self._final is not None:
            message = "no next round: not a match, or a match that is over"
            raise ValueError(message)
        assert table.scored is not None
        if match_ends(table.rules, table.scored):
            self._final = table
        else:
            self._begin(deal(table.rules, self.players, table.scored, order or ()))

    @property
    def match_over(self) -> bool:
        """Whether the match has ended."""
        return self._final is not None

    @property
    def scored(self) -> list[list[str]]:
        """The cards that each seat has scored, highest first."""
        table = self._final or self._table
        if table.scored is None and self.round_over:
            table = self._table_scored()  # a single round is scored at once
        scored = table.scored or (frozenset[str](),) * self.players
        return [highest_first(cards) for cards in scored]

    @property
    def scores(self) -> list[int]:
        """The points of each seat."""
        return [points(cards) for cards in self.scored]

    @property
    def winners(self) -> list[int]:
        """Every seat that shares the win; empty while play goes on."""
        if self._table.scored is None:
            return [] if self.winner is None else [self.winner]
        if not self.match_over:
            return []
        return [seat for seat, score in enumerate(self.scores) if score == max(self.scores)]

    # What a seat may know

    def known_in_hand(self, seat: int) -> set[str]:
        """Give the cards publicly known to be in a seat's hand."""
        return set(self._knowledge.in_hand[seat])

    def known_on_deck(self) -> list[str]:
        """Give the publicly known cards on top of the deck, from the top."""
        return list(self._knowledge.on_deck)

    def out_palette(self, seat: int) -> set[str]:
        """Give what a seat that went out had shown."""
        return set(self._knowledge.out_palettes[seat])
