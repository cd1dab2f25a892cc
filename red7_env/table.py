"""``Table``: one game in play, as the environments hold it, fast to move in and to copy."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from red7_env.batch_rewards import checked_reward, final_rewards_many
from red7_env.game.batch import points, refusal
from red7_env.game.convert import position_of
from red7_env.game.errors import NotationError, shown
from red7_env.game.game import Game
from red7_env.game.kernels import hide_many, seed_many
from red7_env.game.moves import parse_move
from red7_env.game.notation import Position, format_position
from red7_env.game.state import ROUND_OVER, STATE, States, blank_states
from red7_env.observation.table import layout, size
from red7_env.settings import Settings
from red7_env.single import GAME, MASK, OUT, RECORDS, REFUSED, SEAT, TURN_START, advance, begin, forfeit, look, resume
from red7_env.transcript import FORFEIT, record_text, replayed

_UINT8 = np.dtype(np.uint8)
_INT8 = np.dtype(np.int8)
_empty = np.empty  # looked up once: it is called for every move


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
        self._reward = checked_reward(settings.reward, settings.rules)
        self._size = size(settings.rules, settings.features)
        self._dtype = None if settings.dtype == _UINT8 else settings.dtype
        self._ready: tuple[int, NDArray[np.uint8], NDArray[np.int8]] | None = None

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
        observation, mask = self._new_arrays()
        mover: int = begin(self._block, np.uint64(seed), np.uint64(index), observation, mask)
        self._ready = mover, observation, mask
        return mover

    def place(self, position: str | Position, turns: str = "", *, seed: int = 0, index: int = 0) -> int:
        """Begin at a position, after some more moves, and return the same as ``play``.

        Args:
            position: The start of a turn, or its text form, by the rules of this table.
            turns: Tokens to play from there, turns separated by ``;``; the last turn may be unfinished.
            seed: Seed of the shuffles of a match's later rounds.
            index: Number of the game, whose stream of ``seed`` shuffles.

        Raises:
            NotationError: If a text is malformed, of other rules, or of a game that is over.
            IllegalMoveError: If a move is not offered.
        """
        if not isinstance(position, str | Position):
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
        self.moves, self.origin = [], Game.from_position(position, rng=int(shuffler[0]["rng"]))
        self._records[GAME] = self.origin.state[0]
        self._ready = None
        begun: int = resume(self._block, *self._new_arrays())
        code = begun
        for token in " ".join([*reached.rounds[-1].turns, *reached.turn]).split():
            code = self.play(parse_move(token))
        return code | begun & OUT

    def play(self, action: int) -> int:
        """Do one move.

        Returns:
            ``REFUSED``, and nothing has changed; or the next seat to move, with ``OUT`` and ``OVER``, see ``single``.
        """
        if not 0 <= action < self.num_moves:
            return REFUSED
        observation, mask = _empty(self._size, _UINT8), _empty(self.num_moves, _INT8)
        code: int = advance(self._block, action, observation, mask)
        if code >= 0:
            self.moves.append(action)
            self._ready = code & SEAT, observation, mask
        return code

    def forfeit(self) -> int:
        """Take the present turn back and pass for the seat to move; return the same as ``play``."""
        self.moves.append(FORFEIT)
        self._ready = None
        code: int = forfeit(self._block, *self._new_arrays())
        return code

    def abort(self) -> None:
        """Offer nothing any more."""
        self.mask[:] = 0
        self._ready = None

    def refusal(self, action: object) -> str:
        """Return the words for a move that is not offered: what was found, and what was expected."""
        if isinstance(action, int | np.integer) and abs(int(action)) < 2**31:
            return refusal(int(action), self.mask)
        return refusal(-1, self.mask).replace("id -1", shown(action), 1)

    def observe(self, seat: int) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """Return what a seat observes and is offered.

        Returns:
            The observation, shape (size,), of the chosen dtype, and the mask, [num_moves] int8, all 0 unless the seat
            is to move. Both are fresh arrays that never change afterwards.
        """
        ready = self._ready
        if ready is not None and ready[0] == seat:
            # Written by the last move, and given away once.
            _, observation, mask = ready
            self._ready = None
        else:
            observation, mask = self._new_arrays()
            look(self._block, seat, observation, mask)
        return (observation, mask) if self._dtype is None else (observation.astype(self._dtype), mask)

    def _new_arrays(self) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        return np.empty(self._size, np.uint8), np.empty(self.num_moves, np.int8)

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

    def rewards(self) -> list[float]:
        """Return what each seat gets in all for the finished game."""
        paid = np.empty((1, self.settings.rules.players))
        final_rewards_many(self.states, self._reward, paid)
        found: list[float] = paid[0].tolist()
        return found

    def scores(self) -> list[int]:
        """Return the points of each seat in the finished game: of the match, or of its single round."""
        found: list[int] = points(self.states)[0].tolist()
        return found

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
    block[RECORDS:MASK] = layout(settings.rules, settings.features).view(np.uint8)
    return block


def _rebuilt(settings: Settings, moves: list[int], origin: tuple[int, int] | Game, block: NDArray[np.uint8]) -> Table:
    """Return the table of these parts."""
    table = Table(settings, block)
    table.moves, table.origin = moves, origin
    return table
