"""``Red7VectorEnv``: many single-seat games as one Gymnasium vector environment, without a loop over them.

    envs = gymnasium.make_vec("red7_env:Red7-v0", num_envs=256, opponents=agent, seat="rotate")

It takes the arguments of ``gym_env.Red7GymEnv``, and ``opponents`` may also map lineups to shares of the games (see
``lineups``). Slot i plays the games i, i + N, i + 2N ... of the seed, which are those of ``Game.deal(rules, seed, k)``;
with ``seat="rotate"`` the learner of game k has seat k modulo the number of players. ``seats.LearnerSeats`` is what
plays.

A slot whose game is over shows the first decision of its next game in the same step (``AutoresetMode.SAME_STEP``). Then
``info["final_obs"]`` and ``info["final_info"]`` are about the game that ended, wherever ``info["_final_obs"]`` is True.
``info`` holds ``action_mask`` ([N, A] int8, 1 = offered), ``seat``, ``game`` and ``lineup`` of each slot's game;
``final_info`` holds these of the game that ended, the ``winners`` as ``Red7GymEnv`` tells them, and ``scores`` where
there are any. ``illegal`` holds the words for moves that were not offered.
"""

from typing import Any, Final, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from red7_env.game.batch import points
from red7_env.game.state import ROUND_OVER
from red7_env.lineups import Opponents
from red7_env.observation import OBSERVATION_VERSION
from red7_env.render.modes import Frame, frame, print_tables
from red7_env.seats import LearnerSeats, Seat
from red7_env.settings import RENDER_MODES, RULES_VERSION, Options, settings_of

Info = dict[str, Any]
Step = tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]

_OF_A_GAME: Final = ("game", "seat", "lineup")


class Red7VectorEnv(VectorEnv[NDArray[Any], NDArray[np.integer], NDArray[Any]]):
    """Many learners' seats of Red7; the module describes it.

    Attributes:
        settings: What is played.
        seats: The games.
        copy: Whether the arrays that are returned are copies. If not, observations stay as they are until the step
            after the next, and masks until the next.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium's form
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
        "rules_version": RULES_VERSION,
        "observation_version": OBSERVATION_VERSION,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponents: Opponents = None,
        seat: Seat = 0,
        copy: bool = True,
        **options: Unpack[Options],
    ) -> None:
        """Set the games up.

        Raises:
            ValueError: If a value does not exist, or some do not go together.
        """
        super().__init__()
        self.settings = settings_of(**options)
        self.seats = LearnerSeats(num_envs, self.settings, opponents, seat)
        self.num_envs = len(self.seats)
        self.copy = copy
        self.render_mode = self.settings.render_mode
        self.single_observation_space = spaces.Box(0, 1, self.seats.obs.shape[1:], self.settings.dtype)
        self.single_action_space = spaces.Discrete(self.settings.rules.num_moves)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[NDArray[Any], Info]:
        """Begin a game in every slot and play it to the learner's first move.

        Args:
            seed: Begin with the games 0 .. N-1 of this seed; None: go on to the next game of every slot, the first time
                of a random seed.
            options: None; there are none.

        Raises:
            ValueError: If the seed is out of range, or there are options.
        """
        if options:
            raise ValueError(f"options: found {', '.join(sorted(map(str, options)))}, expected none")
        if seed is None and self.seats.seed is None:
            seed = int(self.np_random.integers(2**64, dtype=np.uint64))
            self.seats.reset(seed)
        else:
            self.seats.reset(seed)
            super().reset(seed=seed)
        self._show()
        return self._kept(self.seats.obs), self._info()

    def step(self, actions: NDArray[np.integer]) -> Step:
        """Do the learners' moves and play on until each is asked again, in the same game or the next.

        Args:
            actions: [N] action ids.

        Returns:
            Observations [N, size], rewards [N] float64, terminations and truncations [N] bool, and the info.

        Raises:
            IllegalMoveError: If a move is not offered and ``illegal`` is ``"raise"``; nothing has changed then. Also if
                an opponent's is not.
            gymnasium.error.ResetNeeded: Before the first reset.
            ValueError: If ``actions`` has another shape or dtype.
        """
        if self.seats.seed is None:
            raise gymnasium.error.ResetNeeded("step: found no games, expected reset() first")
        self.seats.step(actions)
        self._show()
        seats = self.seats
        never = np.zeros(self.num_envs, np.bool_)
        return self._kept(seats.obs), seats.rewards.copy(), seats.done.copy(), never, self._info_of_step()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learners' offers, [N, A] bool."""
        offered: NDArray[np.bool_] = self._kept(self.seats.mask).view(np.bool_)
        return offered

    def set_opponents(self, opponents: Opponents) -> None:
        """Let others play the other seats from now on, also in the games under way; see ``LearnerSeats``.

        Raises:
            ValueError: If they are refused.
        """
        self.seats.set_opponents(opponents)

    def render(self) -> tuple[Frame, ...] | None:
        """Return what each learner sees as the render mode says, or print it in mode ``human``.

        Raises:
            ImportError: In mode ``rgb_array`` if Pillow is not installed.
        """
        mode = self.settings.render_mode
        if mode is None:
            gymnasium.logger.warn(f"render: found render_mode None, expected one of {RENDER_MODES} when it was made")
            return None
        if mode == "human":
            print_tables(self.seats.views())
            return None
        return tuple(frame(view, mode) for view in self.seats.views())

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _kept(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _info(self) -> Info:
        """Return what is told about the game in each slot."""
        everywhere = np.ones(self.num_envs, np.bool_)
        info: Info = {"action_mask": self._kept(self.seats.mask), "_action_mask": everywhere}
        for name in _OF_A_GAME:
            info |= {name: self.seats.slots[name].copy(), f"_{name}": everywhere}
        return info

    def _info_of_step(self) -> Info:
        """Return what is told after a step, in the form in which Gymnasium's own vector environments tell it."""
        info = self._info()
        done, refusals = self.seats.done.copy(), self.seats.refusals
        if done.any():
            last = np.full(self.num_envs, None, object)
            for slot, seen in zip(np.flatnonzero(done).tolist(), self.seats.final_obs(), strict=True):
                last[slot] = seen
            info |= {"final_obs": last, "_final_obs": done, "final_info": self._final_info(done), "_final_info": done}
        going_on = {slot: words for slot, words in refusals.items() if not done[slot]}
        return info | self._told("illegal", going_on)

    def _final_info(self, done: NDArray[np.bool_]) -> Info:
        """Return what is told about the games that have ended."""
        seats, rules = self.seats, self.settings.rules
        info: Info = {"action_mask": np.zeros_like(seats.mask), "_action_mask": done}
        for name in _OF_A_GAME:
            info |= {name: np.where(done, seats.final_slots[name], 0), f"_{name}": done}
        winners: dict[int, list[int]] = {}
        scores: dict[int, list[int]] = {}
        over = np.flatnonzero(done & (seats.final_states["phase"] >= ROUND_OVER))
        for slot in np.flatnonzero(done).tolist():
            winners[slot] = []
        for slot, bits in zip(over.tolist(), seats.final_states["winners"][over].tolist(), strict=True):
            winners[slot] = [seat for seat in range(rules.players) if bits >> seat & 1]
        if rules.advanced:
            scores = dict(zip(over.tolist(), points(seats.final_states[over]).tolist(), strict=True))
        refused = {slot: words for slot, words in seats.refusals.items() if done[slot]}
        return info | self._told("winners", winners) | self._told("scores", scores) | self._told("illegal", refused)

    def _told(self, name: str, told: dict[int, Any]) -> Info:
        """Return an entry of the info that only some slots have; none if no slot has it."""
        if not told:
            return {}
        values, has = np.full(self.num_envs, None, object), np.zeros(self.num_envs, np.bool_)
        for slot, value in told.items():
            values[slot], has[slot] = value, True
        return {name: values, f"_{name}": has}
