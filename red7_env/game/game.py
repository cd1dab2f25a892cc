"""One game of Red7, to play, look at and write down: the readable face of the compiled engine."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from red7_env.game import pictures
from red7_env.game.batch import offers, points, refusal
from red7_env.game.bits import cards_of
from red7_env.game.cards import cards_text
from red7_env.game.convert import dealt, position_of, state_of
from red7_env.game.errors import IllegalMoveError, NotationError, shown
from red7_env.game.kernels import (
    apply_many,
    best_sets,
    hide_many,
    leaders,
    next_round_many,
    perft,
    score_round_many,
    seed_many,
)
from red7_env.game.moves import checked_move, move_text, parse_move, split_turns
from red7_env.game.notation import Position, format_position, parse_position
from red7_env.game.rules import Rules
from red7_env.game.seeds import checked_seed, whole
from red7_env.game.state import MATCH_OVER, NOBODY, ROUND_OVER, STATE, States, rules_of

_MAX_ROUNDS = 65535


@dataclass
class RoundLog:
    """One round as it was played.

    Attributes:
        position: The position after the deal, or where the game was begun.
        turns: The tokens of each finished turn, ``"+R5 >G6"``.
        winner: The seat that won the round, None while it goes on.
        scored: The cards the winner scores, ``"R7O7"``, or ``"-"`` as always in basic; None while the round goes on.
    """

    position: str
    turns: list[str] = field(default_factory=list)
    winner: int | None = None
    scored: str | None = None


class Game:
    """A game of Red7, a single round or a match, from the deal to the end.

    Made by ``deal``, ``from_position`` or ``from_state``; holds one state record and the log of its rounds. Two games
    are equal if their records are.

    >>> game = Game.deal(Rules(players=2), seed=7)
    >>> while not game.over:
    ...     game.play(game.moves()[-1])

    Attributes:
        state: The state record, shape (1,). Change it by playing only.
        rules: The rules it is played by.
        rounds: The log, the present round last.
    """

    _origin: States | None = None
    """What ``from_state`` was given, until a next round begins."""
    _turn_start: States
    _tokens: list[str]
    _mask: NDArray[np.int8] | None

    def __init__(self, state: States, rounds: list[RoundLog]) -> None:
        """Wrap a state; use ``deal``, ``from_position`` or ``from_state``."""
        self.state = state
        self.rules = rules_of(state[0])
        self.rounds = rounds
        self._begin_turn()

    @classmethod
    def deal(cls, rules: Rules | None = None, seed: int = 0, index: int = 0) -> "Game":
        """Return game number ``index`` of a seed: always the same one, also in a batch.

        Raises:
            ValueError: If a number is not from 0 to 2**64 - 1.
        """
        state = dealt(rules or Rules(), 1, int(checked_seed(seed)), int(checked_seed(index, "index")))
        return cls(state, [RoundLog(format_position(position_of(state[0])))])

    @classmethod
    def from_position(
        cls, position: str | Position, turns: str = "", *, seed: int = 0, rng: int | None = None, rounds_before: int = 0
    ) -> "Game":
        """Return a game that stands at a position, after some more turns.

        Args:
            position: The start of a turn; nothing but what it shows is publicly known.
            turns: Tokens to play from there, turns separated by ``;``; the last turn may be unfinished.
            seed: Seed of the shuffles of a match's later rounds.
            rng: The shuffler's state itself, as ``repr`` writes it, instead of ``seed``.
            rounds_before: Finished rounds of the match.

        Raises:
            NotationError: If a text is malformed.
            IllegalMoveError: If a move is not offered.
            ValueError: If a number is not from 0 to 2**64 - 1.
        """
        parsed = position if isinstance(position, Position) else parse_position(position)
        if not isinstance(turns, str):
            raise NotationError(f"turns: found {shown(turns)}, expected text")
        state = state_of(parsed)
        if rng is None:
            seed_many(state, checked_seed(seed), np.uint64(0))
        else:
            state[0]["rng"] = checked_seed(rng, "rng")
        state[0]["round"] = whole(rounds_before, "rounds_before", _MAX_ROUNDS)
        game = cls(state, [RoundLog(format_position(parsed))])
        game._log_end_of_round()
        parts = split_turns(turns) if turns.strip() else []
        for number, tokens in enumerate(parts, 1):
            game.play_turn(tokens, may_stop=number == len(parts))
        return game

    @classmethod
    def from_state(cls, state: States) -> "Game":
        """Return a game that goes on from a copy of a full state record; what happened before is not in its log.

        The bytes of the record are trusted; text from others is better read by ``from_position``. Of a record within a
        turn nothing tells how the turn began: until its end ``position`` shows the cards as they lie in the record.

        Raises:
            ValueError: If it is not one record of dtype ``STATE``, or a view.
        """
        if getattr(state, "dtype", None) != STATE:
            raise ValueError(f"state: found {shown(state)}, expected one STATE record")
        if state.size != 1:
            raise ValueError(f"state: found {state.size} records, expected one")
        own = state.reshape(1).copy()
        if own[0]["viewer"] != NOBODY:
            raise ValueError(f"state: found the view of seat {own[0]['viewer']}, expected a full state")
        game = cls(own, [RoundLog(format_position(position_of(own[0])))])
        game._origin = own.copy()
        return game

    def __repr__(self) -> str:
        """Return an expression that rebuilds the game as far as its present round."""
        log = self.rounds[-1]
        rng, rounds = int(self.state[0]["rng"]), int(self.state[0]["round"]) - self._match_over
        if self._origin is not None:
            written = Game.from_position(log.position, rng=rng, rounds_before=rounds)
            if written.state.tobytes() != self._origin.tobytes():  # it holds more than a position can say
                return f"Game.from_state(np.frombuffer(bytes.fromhex({self.state.tobytes().hex()!r}), STATE))"
        turns = "; ".join([*log.turns, *([" ".join(self._tokens)] if self._tokens else [])])
        parts = [repr(log.position), *([repr(turns)] if turns else [])]
        if rng != _first_rng():
            parts.append(f"{rng=}")
        if rounds:
            parts.append(f"rounds_before={rounds}")
        rebuilt = f"Game.from_position({', '.join(parts)})"
        return f"{rebuilt}.next_round()" if self._match_over else rebuilt

    def _repr_svg_(self) -> str | None:
        """Return the table with all hands for a notebook, if drawing was entered (see ``pictures``)."""
        return None if pictures.drawer is None else pictures.drawer(self)

    def __eq__(self, other: object) -> bool:
        """Tell whether both games stand alike, everything hidden included."""
        return isinstance(other, Game) and self.state.tobytes() == other.state.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a game changes as it is played

    def copy(self) -> "Game":
        """Return a game that goes on by itself from here."""
        return deepcopy(self)

    def __copy__(self) -> "Game":
        """Copy all of it: two games that share a record would play each other's moves."""
        return self.copy()

    @property
    def position(self) -> str:
        """Text form at the start of the present turn, or of the round's end."""
        return format_position(position_of(self._turn_start[0]))

    @property
    def turn(self) -> list[str]:
        """Tokens of the present turn so far."""
        return list(self._tokens)

    @property
    def between_turns(self) -> bool:
        """Whether no move of the present turn has been made, or the round is over."""
        return not self._tokens

    @property
    def to_move(self) -> int:
        """The seat to move; the round's winner when it is over."""
        return int(self.state[0]["to_move"])

    @property
    def leader(self) -> int | None:
        """The seat that leads under the rule in force, None if nobody has a qualifying card."""
        seat = np.empty(1, np.int8)
        leaders(self.state, seat)
        return None if seat[0] < 0 else int(seat[0])

    @property
    def round_over(self) -> bool:
        """Whether only one seat is left in the round."""
        return bool(self.state[0]["phase"] >= ROUND_OVER)

    @property
    def over(self) -> bool:
        """Whether nothing is left to play: the single round or the match has ended."""
        return self._match_over if self.rules.match else self.round_over

    @property
    def winner(self) -> int | None:
        """The winner of the round that is over, else None."""
        winner = int(self.state[0]["winner"])
        return None if winner == NOBODY else winner

    @property
    def winners(self) -> list[int]:
        """All seats that win the game or share the win; empty until it is over."""
        seats = int(self.state[0]["winners"]) if self.over else 0
        return [seat for seat in range(self.rules.players) if seats >> seat & 1]

    @property
    def scores(self) -> list[int]:
        """Points by seat: of a match so far, of a finished advanced round, else zeros."""
        found: list[int] = points(self.state)[0].tolist()
        return found

    def best_set(self, seat: int) -> list[int]:
        """Return the ids of the palette cards that count for a seat under the rule in force, highest first.

        Raises:
            ValueError: If there is no such seat, or it is out.
        """
        seat = whole(seat, "seat", self.rules.players - 1)
        if not self.state[0]["seats_in"] >> seat & 1:
            raise ValueError(f"seat: found seat {seat}, which is out, expected a seat that is in")
        sets = np.empty((1, 4), np.uint64)
        best_sets(self.state, sets)
        return cards_of(sets[0, seat])

    @property
    def mask(self) -> NDArray[np.int8]:
        """The offer to the seat to move by action id, shape (rules.num_moves,), int8, 1 = offered; only to read."""
        if self._mask is None:
            self._mask = offers(self.state)[0]
        return self._mask

    def move_ids(self) -> list[int]:
        """Return the offered action ids in order, none when the round is over."""
        ids: list[int] = np.flatnonzero(self.mask).tolist()
        return ids

    def moves(self) -> list[str]:
        """Return the offered tokens, sorted by character code, none when the round is over."""
        return sorted(move_text(move) for move in self.move_ids())

    def play(self, move: str | int) -> None:
        """Do one move, given as a token or an action id.

        Raises:
            NotationError: If it is no move at all.
            IllegalMoveError: If it is not offered; nothing has changed then.
        """
        action = parse_move(move) if isinstance(move, str) else checked_move(move)
        token = move_text(action)
        turn = self.state[0]["turn"]
        if apply_many(self.state, np.array([action]), self.mask.reshape(1, -1).view(np.uint8)) >= 0:
            raise IllegalMoveError(f"move: {refusal(action, self.mask)}")
        self._mask = None
        self._tokens.append(token)
        if self.state[0]["turn"] != turn:
            self.rounds[-1].turns.append(" ".join(self._tokens))
            self._begin_turn()
            self._log_end_of_round()

    def play_turn(self, tokens: Sequence[str], *, may_stop: bool = False) -> None:
        """Play the tokens of exactly one whole turn, or with ``may_stop`` of a part of one.

        The game is left at the token that is refused.

        Raises:
            NotationError: If a token is not a move.
            IllegalMoveError: If a move is not offered, the turn is complete before the last token, or
                it is not complete after it although it must be.
        """
        for number, token in enumerate(tokens):
            if number and self.between_turns:
                raise IllegalMoveError(
                    f"token: found {shown(token)} after {shown(tokens[number - 1])} had completed the "
                    "turn, expected no more tokens in it"
                )
            self.play(token)
        if not may_stop and not self.between_turns:
            raise IllegalMoveError(
                f"token: found {shown(tokens[-1])} as the last of a turn that it does not complete, "
                f"expected one of {' '.join(self.moves())} after it"
            )

    def next_round(self) -> "Game":
        """Score the finished round of a match, then deal the next one or end the match; return this game.

        Raises:
            ValueError: If there is no finished round of a match that goes on.
        """
        self._check_between_rounds()
        next_round_many(self.state)
        self._begin_turn()
        if not self._match_over:
            self._origin = None
            self.rounds.append(RoundLog(self.position))
        return self

    def next_round_from(self, position: Position) -> None:
        """Score the finished round of a match, then go on with a written deal, for replays.

        Raises:
            ValueError: If there is no finished round of a match that goes on, or the match ends with it.
            NotationError: If the position has other rules or other scored cards than the match.
        """
        self._check_between_rounds()
        before = self.state.copy()
        score_round_many(before)
        if before[0]["phase"] == MATCH_OVER:
            raise ValueError("round: found another round, expected the end of the match")
        state = state_of(position, int(before[0]["rng"]))
        if position.rules != self.rules:
            raise NotationError(f"rules: found {position.rules}, expected {self.rules} as in the round before")
        if (state[0]["scored"] != before[0]["scored"]).any():
            expected = "/".join(cards_text(cards_of(word)) for word in before[0]["scored"][: self.rules.players])
            raise NotationError(f"scored: found other cards than were scored, expected {expected}")
        state[0]["round"] = before[0]["round"]
        self.state[:] = state
        self._origin = None
        self._begin_turn()
        self.rounds.append(RoundLog(self.position))

    def view(self, seat: int) -> States:
        """Return what a seat knows, as a record of the same dtype, shape (1,); see ``views``.

        Raises:
            ValueError: If there is no such seat.
        """
        seat = whole(seat, "seat", self.rules.players - 1)
        seen = self.state.copy()
        hide_many(seen, np.array([seat]))
        return seen

    def perft(self, depth: int) -> int:
        """Return the number of move sequences of length ``depth`` from here; one that ends the round counts once.

        Raises:
            ValueError: If the depth is not a whole number from 0 to 1000.
        """
        depth = whole(depth, "depth", 1000)
        return int(perft(np.concatenate([self.state, np.zeros(depth, STATE)]), depth))

    @property
    def _match_over(self) -> bool:
        return bool(self.state[0]["phase"] == MATCH_OVER)

    def _begin_turn(self) -> None:
        self._turn_start = self.state.copy()
        self._tokens = []
        self._mask = None

    def _log_end_of_round(self) -> None:
        winner = self.winner
        if winner is not None:
            self.rounds[-1].winner = winner
            self.rounds[-1].scored = cards_text(self.best_set(winner) if self.rules.advanced else [])

    def _check_between_rounds(self) -> None:
        if not self.rules.match or not self.round_over or self._match_over:
            raise ValueError("next round: found no finished round to go on from, expected a match between two rounds")


def _first_rng() -> int:
    """Return the shuffler's state that ``from_position`` sets when it is told nothing of it."""
    state = np.zeros(1, STATE)
    seed_many(state, np.uint64(0), np.uint64(0))
    return int(state[0]["rng"])
