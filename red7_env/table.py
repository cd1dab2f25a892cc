"""``Table``: one game in play, as the environments hold it, fast to move in and to copy."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7_env.game.batch import refusal
from red7_env.game.convert import position_of
from red7_env.game.errors import NotationError, shown
from red7_env.game.game import Game
from red7_env.game.kernels import hide_many, seed_many
from red7_env.game.moves import parse_move
from red7_env.game.notation import format_position
from red7_env.game.state import ROUND_OVER, STATE, States, blank_states
from red7_env.observation.table import layout, size
from red7_env.settings import Settings
from red7_env.single import GAME, MASK, RECORDS, REFUSED, TURN_START, advance, begin, forfeit, look, resume
from red7_env.transcript import FORFEIT, record_text, replayed

_UINT8 = np.dtype(np.uint8)


class Table:
    """One game in play.

    Attributes:
        settings: What is played and shown.
        num_moves: Number of action ids.
        states: [1] the game's record; look at it, do not write to it.
        mask: [num_moves] int8, the offer to the seat to move; do not give it away, it changes with the game.
        moves: The action ids of all moves so far, ``FORFEIT`` among them.
        origin: Seed and number of the deal, or the game as it stood when it was placed.
    """

    def __init__(self, settings: Settings, block: NDArray[np.uint8] | None = None) -> None:
        """Set up the buffers; ``deal`` or ``place`` begins a game.

        Args:
            settings: What is played and shown.
            block: The bytes of a game that is under way, see ``single``; a new block if left out.
        """
        self.settings = settings
        self.moves: list[int] = []
        self.origin: tuple[int, int] | Game = (0, 0)
        self._block = _new_block(settings) if block is None else block
        self._records: States = self._block[:RECORDS].view(STATE)
        self.states: States = self._records[:1]
        self.mask: NDArray[np.int8] = self._block[MASK:].view(np.int8)
        self.num_moves = len(self.mask)
        self._size = size(settings.rules, settings.features)

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to pickle and deep-copy it: arrays that share memory would come back apart."""
        return _rebuilt, (self.settings, self.moves, self.origin, self._block)

    def copy(self) -> "Table":
        """Return a table whose game goes on by itself from here."""
        return _rebuilt(self.settings, list(self.moves), self.origin, self._block.copy())

    def deal(self, seed: int, index: int) -> int:
        """Deal game number ``index`` of a seed and return the seat to move."""
        self.moves = []
        self.origin = (seed, index)
        mover: int = begin(self._block, np.uint64(seed), np.uint64(index))
        return mover

    def place(self, position: str, turns: str = "", *, seed: int = 0, index: int = 0) -> int:
        """Begin at a position, after some more moves, and return the seat to move.

        Args:
            position: Text form of the start of a turn, by the rules of this table.
            turns: Tokens to play from there, turns separated by ``;``; the last turn may be unfinished.
            seed: Seed of the shuffles of a match's later rounds.
            index: Number of the game, whose stream of ``seed`` shuffles.

        Raises:
            NotationError: If a text is malformed, of other rules, or of a game that is over.
            IllegalMoveError: If a move is not offered.
        """
        if not isinstance(position, str):
            raise NotationError(f"position: found {shown(position)}, expected text")
        if not isinstance(turns, str):
            raise NotationError(f"turns: found {shown(turns)}, expected text")
        shuffler = blank_states(self.settings.rules)
        seed_many(shuffler, np.uint64(seed), np.uint64(index))
        reached = Game.from_position(position, turns, rng=int(shuffler[0]["rng"]))
        if reached.rules != self.settings.rules:
            raise NotationError(f"position: found {reached.rules}, expected {self.settings.rules}")
        if reached.round_over and not reached.rules.match:
            raise NotationError("position: found a game that is over, expected one to play")
        origin = Game.from_position(position, rng=int(shuffler[0]["rng"]))
        self.moves, self.origin = [], origin
        self._records[GAME] = origin.state[0]
        mover: int = resume(self._block)
        for token in " ".join([*reached.rounds[-1].turns, *reached.turn]).split():
            mover = self.play(parse_move(token))
        return mover

    def play(self, action: int) -> int:
        """Do one move; return ``REFUSED`` (nothing has changed then) or what ``single.advance`` returns."""
        if not 0 <= action < self.num_moves:
            return REFUSED
        code: int = advance(self._block, action)
        if code >= 0:
            self.moves.append(action)
        return code

    def forfeit(self) -> int:
        """Take the present turn back and pass for the seat to move; return what ``single.advance`` returns."""
        self.moves.append(FORFEIT)
        code: int = forfeit(self._block)
        return code

    def refusal(self, action: object) -> str:
        """Return the words for a move that is not offered: what was found, and what was expected."""
        if isinstance(action, int | np.integer) and abs(int(action)) < 2**31:
            return refusal(int(action), self.mask)
        return refusal(-1, self.mask).replace("id -1", shown(action), 1)

    def observe(self, seat: int, *, asked: bool = True) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Return what a seat observes and is offered.

        Args:
            seat: The seat.
            asked: Whether the game still asks for a move.

        Returns:
            The observation, shape (size,), of the chosen dtype, and the mask, [num_moves] int8, all 0 unless the seat
            is to move. Both are fresh arrays that never change afterwards.
        """
        observation, mask = np.empty(self._size, np.uint8), np.empty(self.num_moves, np.int8)
        look(self._block, seat, observation, mask)
        if not asked:
            mask[:] = 0
        if self.settings.dtype != _UINT8:
            return observation.astype(self.settings.dtype), mask
        return observation, mask

    def view(self, seat: int) -> States:
        """Return what a seat knows, as a fresh record, shape (1,)."""
        seen = self.states.copy()
        hide_many(seen, np.array([seat]))
        return seen

    @property
    def to_move(self) -> int:
        """The seat to move; the winner when the game is over."""
        return int(self.states[0]["to_move"])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.states[0]["phase"] >= ROUND_OVER)

    @property
    def position(self) -> str:
        """Text form at the start of the present turn, or at the end of the game."""
        return format_position(position_of(self._records[TURN_START]))

    def game(self) -> Game:
        """Return the game with its whole log, by playing it again."""
        return replayed(self._first_position(), self.moves)

    def record(self, players: Sequence[str]) -> str:
        """Return the game so far as one line of JSON; see ``transcript.record_text``."""
        seed, index = self.origin if isinstance(self.origin, tuple) else (None, 0)
        return record_text(self.game(), players, seed, index)

    def _first_position(self) -> Game:
        """Return the game as it began."""
        if isinstance(self.origin, Game):
            return self.origin.copy()
        seed, index = self.origin
        return Game.deal(self.settings.rules, seed, index)


def _new_block(settings: Settings) -> NDArray[np.uint8]:
    """Return a block without a game, see ``single``."""
    block = np.zeros(MASK + settings.rules.num_moves, np.uint8)
    block[:RECORDS].view(STATE)[:] = blank_states(settings.rules, 3)
    block[RECORDS:MASK] = layout(settings.rules, settings.features).reshape(-1).view(np.uint8)
    return block


def _rebuilt(settings: Settings, moves: list[int], origin: tuple[int, int] | Game, block: NDArray[np.uint8]) -> Table:
    """Return the table of these parts."""
    table = Table(settings, block)
    table.moves, table.origin = moves, origin
    return table
