"""``LearnerSeats``: many games at once, one learner's seat in each, all other seats played inside, in batches.

The core of the Gymnasium ``VectorEnv`` and of the Stable-Baselines3 ``VecEnv``. A learner's step runs from its own
move to its own next move, or to the end of its game; whatever is paid in between is its reward. All that the games do
between two questions to somebody is one compiled call, and an opponent is asked for all games that wait for it at once.
"""

import copy
from collections.abc import Sequence
from typing import Any, Final, Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from red7_env.batch_kernels import refused_action
from red7_env.batch_rewards import checked_reward
from red7_env.game.batch import refusal, views
from red7_env.game.errors import IllegalMoveError, shown
from red7_env.game.seeds import checked_seed, whole
from red7_env.game.state import STATE, States, blank_states
from red7_env.lineups import Opponents, lineups_of
from red7_env.observation import encode, size
from red7_env.observation.table import layout
from red7_env.seat_kernels import (
    ABORT,
    BEGIN,
    FORFEIT,
    PLAN,
    RANDOM,
    ROTATE,
    SLOT,
    advance,
    draw_lineups,
    show,
)
from red7_env.settings import Settings

Seat = int | Literal["rotate", "random"]

_UINT8: Final = np.dtype(np.uint8)
_RNG_STREAM: Final = 0x5EA7
"""Keeps the opponents' chances apart from all else that is drawn from the seed."""


class LearnerSeats:
    """N games, each of which waits for the move of one learner.

    Slot i plays the games i, i + N, i + 2N ... of the seed; game k is dealt as ``Game.deal(rules, seed, k)``. A game
    that ends before its learner has a move holds nothing to learn and is passed over. Learner's seat and lineup of game
    k follow from seed and k; the moves of an opponent that uses chance also depend on N.

    An opponent is not asked where only one move is offered to it.

    Arrays are written in place by every step. Of ``obs`` there are two, used in turn: one that was read after a step is
    whole until the step after the next. Copy what shall be kept longer.

    Attributes:
        settings: What is played and shown.
        obs: [N, size] what each learner observes, of the dtype of the settings.
        mask: [N, A] int8, 1 = offered to the learner; never all 0.
        rewards: [N] float64, what the last step paid the learner; other than 0 only where its game is done.
        done: [N] bool, whether the last step ended the learner's game; the slot shows its next one then.
        slots: [N] ``seat_kernels.SLOT``: game number, learner's seat, lineup and the learner's moves so far.
        final_slots: [N] the same of the game that ended last.
        final_states: [N] the state in which it was over for the learner.
        refusals: By slot, the words for each move of the last step that was not offered.
    """

    def __init__(
        self, num_games: SupportsIndex, settings: Settings, opponents: Opponents = None, seat: Seat = 0
    ) -> None:
        """Set the buffers up; ``reset`` begins the games.

        Args:
            num_games: N, at least 1.
            settings: What is played and shown.
            opponents: Who plays the other seats, see ``lineups``; None for random moves.
            seat: The learner's; ``"rotate"``: game k's modulo the number of players; ``"random"``: drawn for each game.

        Raises:
            ValueError: If an argument is refused.
        """
        count = whole(num_games, "num_envs")
        if count < 1:
            raise ValueError("num_envs: found 0, expected a whole number from 1")
        rules = settings.rules
        self.settings = settings
        self._seed: int | None = None
        self._asks = False
        self._plan = _plan(settings, seat, count)
        self._layouts = layout(rules, settings.features)
        shape = (count, size(rules, settings.features))
        self._written = np.zeros(shape, np.uint8)
        self.obs: NDArray[Any] = np.zeros(shape, settings.dtype)
        self._next_obs: NDArray[Any] = np.zeros(shape, settings.dtype)
        self.mask = np.zeros((count, rules.num_moves), np.int8)
        self.rewards = np.zeros(count, np.float64)
        self.done = np.zeros(count, np.bool_)
        self.slots = np.zeros(count, SLOT)
        self.final_slots = np.zeros(count, SLOT)
        self.final_states: States = np.zeros(count, STATE)
        self.refusals: dict[int, str] = {}
        self._states = blank_states(rules, count)
        self._turn_starts: States = np.zeros(count if settings.illegal == "eliminate" else 0, STATE)
        self._every_slot = np.arange(count)
        self._asked = np.zeros(count, np.int64)
        self._views: States = np.zeros(count, STATE)
        self._masks = np.zeros_like(self.mask)
        self._rng = np.random.default_rng()
        self.set_opponents(opponents)

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.slots)

    @property
    def seed(self) -> int | None:
        """Seed of the games; None before the first ``reset``."""
        return self._seed

    @property
    def lineup_names(self) -> Sequence[str]:
        """One text for each lineup, in the order in which ``slots`` count them."""
        return self._lineups.names

    @property
    def passed_over(self) -> int:
        """How many games since the last seeding ended before their learner had a move."""
        return int(self._plan[0]["passed_over"])

    def set_opponents(self, opponents: Opponents) -> None:
        """Let others play the other seats from now on, also in the games under way.

        Args:
            opponents: As when the seats were made.

        Raises:
            ValueError: If they are refused; those before play on then.
        """
        self._lineups = lineups_of(opponents, self.settings)
        count = len(self._lineups.opponents)
        self._queues = np.zeros((count, len(self)), np.int64)
        self._queued = np.zeros(count, np.int64)
        draw_lineups(self._plan, self.slots, self._lineups.shares)

    def reset(self, seed: SupportsIndex | None = None) -> None:
        """Begin a game in every slot and play it to the learner's first move.

        Args:
            seed: Begin with the games 0 .. N-1 of this seed; None: go on to the next game of every slot.

        Raises:
            ValueError: If the seed is out of range, or None the first time.
        """
        if seed is not None or self._seed is None:
            self._seed = int(checked_seed(seed))  # type: ignore[arg-type]  # None is refused
            self._rng = np.random.default_rng([self._seed, _RNG_STREAM])
            self._plan["seed"] = self._seed
            self._plan["passed_over"] = 0
            self.slots["game"] = self._every_slot
        else:
            self.slots["game"] += np.uint64(len(self))
        self._go_on(np.full(len(self), BEGIN))

    def step(self, actions: NDArray[np.integer]) -> None:
        """Do the learners' moves and go on until each is asked again, in the same game or the next.

        What follows a move that is not offered is for the setting ``illegal`` to say.

        Args:
            actions: [N] action ids.

        Raises:
            IllegalMoveError: If a move is not offered and ``illegal`` is ``"raise"``; nothing has changed then. Also if
                an opponent's is not; then the games have to be begun anew.
            RuntimeError: If the games have not been begun.
            ValueError: If ``actions`` has another shape or dtype.
        """
        if not self._asks:
            raise RuntimeError("step: found games that do not wait for a move, expected reset() first")
        self._go_on(self._checked(actions))

    def final_obs(self) -> NDArray[Any]:
        """Return the learners' last observation of each game that the last step ended, in a new array.

        Returns:
            [D, size], D the number of games done, in the order of their slots.
        """
        ended = np.flatnonzero(self.done)
        if not len(ended):
            return np.zeros((0, self.obs.shape[1]), self.obs.dtype)
        seen = encode(self.final_states[ended], self.final_slots["seat"][ended], self.settings.features)
        return seen.astype(self.obs.dtype, copy=False)

    def views(self) -> States:
        """Return what the learners know, [N] new records."""
        return views(self._states, self.slots["seat"])

    def clone(self) -> "LearnerSeats":
        """Return games with buffers of their own that go on by themselves from here; the opponents are copied too."""
        return copy.deepcopy(self)

    def _go_on(self, actions: NDArray[np.int64]) -> None:
        """Act in all slots, then let the opponents play until every learner is asked."""
        self._asks = False
        self.rewards[:] = 0
        self.done[:] = False
        self._queued[:] = 0
        self.obs, self._next_obs = self._next_obs, self.obs
        self._advance(self._every_slot, actions)
        self._let_opponents_play()
        if self.obs.dtype != _UINT8:
            self.obs[:] = self._written
        self._asks = True

    def _advance(self, chosen: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        advance(
            self._plan,
            self._states,
            self.slots,
            self._turn_starts,
            self._lineups.shares,
            self._lineups.seating,
            self._layouts,
            chosen,
            actions,
            self.obs if self.obs.dtype == _UINT8 else self._written,
            self.mask.view(np.uint8),
            self.rewards,
            self.done,
            self.final_slots,
            self.final_states,
            self._queues,
            self._queued,
        )

    def _let_opponents_play(self) -> None:
        """Ask the opponent for whom most games wait, again and again until none does."""
        while True:
            number = int(self._queued.argmax())
            waiting = int(self._queued[number])
            if not waiting:
                return
            asked, seen, masks = self._asked[:waiting], self._views[:waiting], self._masks[:waiting]
            asked[:] = self._queues[number, :waiting]
            self._queued[number] = 0
            show(self._states, self.mask.view(np.uint8), asked, seen, masks.view(np.uint8))
            self._advance(asked, self._moves_of(number, seen, masks))

    def _moves_of(self, number: int, seen: States, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Return an opponent's moves once they are checked."""
        opponent = self._lineups.opponents[number]
        moves = np.ascontiguousarray(opponent.act(seen, masks, self._rng))
        if moves.shape != seen.shape or moves.dtype.kind not in "iu":
            found = f"{moves.dtype} of shape {moves.shape}"
            raise ValueError(f"opponents: found moves {found}, expected whole numbers of shape {seen.shape}")
        moves = moves.astype(np.int64, copy=False)
        refused = refused_action(moves, masks.view(np.uint8))
        if refused >= 0:
            slot = self.slots[self._asked[refused]]
            where = f"opponent at seat {seen[refused]['to_move']} of game {slot['game']}"
            raise IllegalMoveError(f"{where}: {refusal(int(moves[refused]), masks[refused])}")
        return moves

    def _checked(self, actions: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return the learners' actions with a code in the place of each that is not offered."""
        given = np.asarray(actions)
        if given.shape != self.slots.shape or given.dtype.kind not in "iu":
            found = f"{given.dtype} of shape {given.shape}"
            raise ValueError(f"actions: found {found}, expected whole numbers of shape {self.slots.shape}")
        chosen = np.ascontiguousarray(given, np.int64)
        self.refusals = {}
        refused = refused_action(chosen, self.mask.view(np.uint8))
        if refused < 0:
            return chosen
        if self.settings.illegal == "raise":
            raise IllegalMoveError(f"game in slot {refused}: {refusal(int(chosen[refused]), self.mask[refused])}")
        return self._with_codes(chosen)

    def _with_codes(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Note what is wrong with each action that is not offered, and put a code in its place."""
        codes = actions.copy()
        for slot, action in enumerate(actions.tolist()):
            if not (0 <= action < self.mask.shape[1] and self.mask[slot, action]):
                self.refusals[slot] = refusal(action, self.mask[slot])
                codes[slot] = FORFEIT if self.settings.illegal == "eliminate" else ABORT
        return codes


def _plan(settings: Settings, seat: Seat, count: int) -> np.ndarray:
    """Return what is the same in all slots, [1] ``PLAN``."""
    plan = np.zeros(1, PLAN)
    plan["ahead"] = count
    plan["seat"] = checked_seat(seat, settings.rules.players - 1)
    plan["reward"] = checked_reward(settings.reward, settings.rules)
    plan["pays_early"] = settings.pays_early
    plan["keeps_turns"] = settings.illegal == "eliminate"
    return plan


def checked_seat(seat: object, last: int) -> int:
    """Return a seat, or the kernels' code for how it is chosen.

    Raises:
        ValueError: If it is neither a seat from 0 to ``last`` nor ``"rotate"`` nor ``"random"``.
    """
    if isinstance(seat, str) and seat in {"rotate", "random"}:
        return ROTATE if seat == "rotate" else RANDOM
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat <= last:
        raise ValueError(f"seat: found {shown(seat)}, expected 0 to {last}, 'rotate' or 'random'")
    return int(seat)
