"""Many games at once, as arrays: one compiled call does everything between two decisions of all games."""

import copy
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from red7_env.batch_kernels import random_actions_many, refused_action, start_many, step_many
from red7_env.batch_rewards import Reward, checked_reward
from red7_env.game import batch
from red7_env.game.batch import refusal
from red7_env.game.errors import IllegalMoveError
from red7_env.game.rules import Rules
from red7_env.game.seeds import checked_seed, whole
from red7_env.game.state import STATE, States, blank_states
from red7_env.observation import Features, encode, size
from red7_env.observation.table import layout

Step = tuple[NDArray[np.uint8], NDArray[np.int8], NDArray[np.int64], NDArray[np.float32], NDArray[np.bool_]]


class Red7Batch:
    """N games that go on together, each waiting for the move of one seat.

    Slot i plays the games i, i + N, i + 2N ... of the seed. Game k of a seed is always dealt alike, whatever the size
    the batch, the number of threads or the process: it is ``Game.deal(rules, seed, k)`` with the later rounds of its
    match, so the same moves make the same game.

    When a game ends, its slot shows the first decision of the next game in the same step; ``rewards`` and ``done`` are
    those of the move that ended it, and ``final_states`` keeps how it stood.

    All arrays are written in place by every step: copy what shall be kept. An action not offered is refused, and then
    nothing has changed.

    >>> games = Red7Batch(1024, Rules(players=3), seed=1)
    >>> obs, mask, to_move, rewards, done = games.step(games.random_actions())

    Attributes:
        obs: [N, size] uint8, what the seat to move observes (``observation.pieces`` is the table of its parts).
        mask: [N, A] int8, 1 = offered to the seat to move; never all 0.
        to_move: [N] int64, the seat to move.
        rewards: [N, players] float32, what the last step paid. ``"win"``: in a single round a seat that goes out gets
            -1/(n-1) at once, the last one in gets 1; in a match all is paid at its end. ``"points"``: at the end the
            own points less the mean of the others'. A game's rewards sum to zero; see ``batch_rewards``.
        done: [N] bool, whether the last step ended the game.
        final_states: [N] records of the game that ended last in each slot; zeros before.
        final_rewards: [N, players] float32, its rewards summed over the whole game; zeros before.
        games: [N] uint64, the number of the game in each slot.
        rules: What is played.
        features: The set of pieces in ``obs``.
        reward: ``"win"`` or ``"points"``.
        seed: Seed of the games.
        threads: Threads that share a step; they change nothing but the time.
    """

    def __init__(  # noqa: PLR0913 - each is an independent choice, most by keyword only
        self,
        num_games: SupportsIndex,
        rules: Rules | None = None,
        seed: SupportsIndex = 0,
        *,
        features: Features = "derived",
        reward: Reward = "win",
        threads: SupportsIndex = 1,
        obs: NDArray[np.uint8] | None = None,
        mask: NDArray[np.int8] | None = None,
    ) -> None:
        """Deal the games 0 .. N-1 of a seed.

        Args:
            num_games: N, at least 1.
            rules: What is played; 2-player basic by default.
            seed: 0 to 2**64 - 1.
            features: ``"base"`` or ``"derived"``.
            reward: ``"win"``, or ``"points"`` where there are points.
            threads: At least 1.
            obs: Buffer to use, [N, size] uint8, C-contiguous.
            mask: Buffer to use, [N, A] int8, C-contiguous.

        Raises:
            ValueError: If an argument is out of range, of another shape or dtype.
        """
        self.rules = rules if rules is not None else Rules()
        count = _at_least_one(num_games, "num_games")
        self.features: Features = features
        self.reward: Reward = reward
        self.threads = _at_least_one(threads, "threads")
        self._reward = checked_reward(reward, self.rules)
        self._layout = layout(self.rules, features)
        self.obs = _buffer(obs, "obs", (count, size(self.rules, features)), np.uint8)
        self.mask = _buffer(mask, "mask", (count, self.rules.num_moves), np.int8)
        self.to_move = np.zeros(count, np.int64)
        self.rewards = np.zeros((count, self.rules.players), np.float32)
        self.done = np.zeros(count, np.bool_)
        self.final_states: States = np.zeros(count, STATE)
        self.final_rewards = np.zeros((count, self.rules.players), np.float32)
        self.games = np.zeros(count, np.uint64)
        self._states = blank_states(self.rules, count)
        self._random_steps = 0
        self._prepare()
        self.reset(seed)

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self._states)

    def __repr__(self) -> str:
        return f"<Red7Batch of {len(self)} games of {self.rules}, seed {self.seed}>"

    @property
    def states(self) -> States:
        """The full states of all games, [N], not writeable; hidden cards included, so agents are given ``views``."""
        shown = self._states.view()
        shown.flags.writeable = False
        return shown

    def reset(self, seed: SupportsIndex | None = None) -> tuple[NDArray[np.uint8], NDArray[np.int8], NDArray[np.int64]]:
        """Begin anew.

        Args:
            seed: Begin with the games 0 .. N-1 of this seed; None: go on to the next game of every slot.

        Returns:
            ``obs``, ``mask`` and ``to_move``.

        Raises:
            ValueError: If the seed is out of range.
        """
        if seed is None:
            self.games += np.uint64(len(self))
        else:
            self.seed = int(checked_seed(seed))
            self.games[:] = np.arange(len(self))
        self.rewards[:] = 0
        self.done[:] = False
        start_many(
            self._states, np.uint64(self.seed), self.games, self._layout, self.obs, self._mask_bytes, self.to_move
        )
        return self.obs, self.mask, self.to_move

    def step(self, actions: NDArray[np.integer]) -> Step:
        """Do one move in every game.

        Args:
            actions: [N] action ids, each offered to its game's seat to move.

        Returns:
            ``obs``, ``mask``, ``to_move``, ``rewards`` and ``done``, in place.

        Raises:
            IllegalMoveError: If an action is not offered; nothing has changed then.
            ValueError: If ``actions`` has another shape or dtype.
        """
        actions = np.asarray(actions)
        if actions.shape != self.to_move.shape or actions.dtype.kind not in "iu":
            raise ValueError(
                f"actions: found {actions.dtype} of shape {actions.shape}, "
                f"expected whole numbers of shape {self.to_move.shape}"
            )
        chosen = np.ascontiguousarray(actions, np.int64)
        refused = refused_action(chosen, self._mask_bytes)
        if refused >= 0:
            raise IllegalMoveError(f"game {refused}: {refusal(int(chosen[refused]), self.mask[refused])}")
        if self._pool is None:
            self._step_slice(chosen, 0)
        else:
            list(self._pool.map(lambda part: self._step_slice(chosen, part), range(len(self._slices))))
        return self.obs, self.mask, self.to_move, self.rewards, self.done

    def random_actions(self) -> NDArray[np.int64]:
        """Return a uniformly random offered move for every game, [N] int64; the same ones after the same calls."""
        self._random_steps += 1
        return random_actions(self.mask, self.seed, self._random_steps)

    def observe(self, seats: NDArray[np.integer] | int) -> NDArray[np.uint8]:
        """Return what any seats observe, a new array [N, size]; off turn the offered moves are 0.

        Raises:
            ValueError: If there is no such seat.
        """
        seen: NDArray[np.uint8] = encode(self._states, seats, self.features)
        return seen

    def views(self, seats: NDArray[np.integer] | int | None = None) -> States:
        """Return what seats know, as records for agents, [N]; the seats to move by default.

        Raises:
            ValueError: If there is no such seat.
        """
        return batch.views(self._states, self.to_move if seats is None else seats)

    def _repr_svg_(self) -> str:
        """Return the first games, with all hands, for a notebook."""
        from red7_env.render.pictures import gallery

        return gallery(self._states)

    def clone(self) -> "Red7Batch":
        """Return a batch with buffers of its own that goes on by itself from here."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        kept = self.__dict__.copy()
        for made in ("_mask_bytes", "_slices", "_pool"):
            del kept[made]
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._prepare()

    def _prepare(self) -> None:
        """Make what only lives in this process: other views of the arrays, and the threads."""
        self._mask_bytes = self.mask.view(np.uint8)
        bounds = np.linspace(0, len(self), min(self.threads, len(self)) + 1).astype(int).tolist()
        self._slices = [slice(first, last) for first, last in pairwise(bounds)]
        self._pool = ThreadPoolExecutor(len(self._slices)) if len(self._slices) > 1 else None

    def _step_slice(self, actions: NDArray[np.int64], part: int) -> None:
        """Do the step of some neighbouring games."""
        own = self._slices[part]
        step_many(
            self._states[own],
            actions[own],
            np.uint64(self.seed),
            self.games[own],
            np.uint64(len(self)),
            self._reward,
            self._layout,
            self.obs[own],
            self._mask_bytes[own],
            self.to_move[own],
            self.rewards[own],
            self.done[own],
            self.final_states[own],
            self.final_rewards[own],
        )


def random_actions(mask: NDArray[np.int8], seed: SupportsIndex, step: SupportsIndex = 0) -> NDArray[np.int64]:
    """Return a uniformly random offered move for every row of masks.

    Args:
        mask: [N, A] int8, 1 = offered, C-contiguous.
        seed: 0 to 2**64 - 1.
        step: Number of the draw from this seed, 0 to 2**64 - 1.

    Returns:
        [N] int64, the same for the same arguments; -1 where nothing is offered.

    Raises:
        ValueError: If an argument is out of range, of another shape or dtype.
    """
    if mask.ndim != 2 or mask.dtype != np.int8 or not mask.flags.c_contiguous:
        raise ValueError(f"mask: found {mask.dtype} of shape {mask.shape}, expected contiguous int8 of shape (N, A)")
    chosen = np.empty(len(mask), np.int64)
    random_actions_many(mask.view(np.uint8), checked_seed(seed), checked_seed(step, "step"), chosen)
    return chosen


def _at_least_one(value: SupportsIndex, name: str) -> int:
    number = whole(value, name)
    if number < 1:
        raise ValueError(f"{name}: found 0, expected a whole number from 1")
    return number


def _buffer(given: NDArray[Any] | None, name: str, shape: tuple[int, int], dtype: type) -> NDArray[Any]:
    """Return the given buffer once it is checked, or a new one."""
    if given is None:
        return np.zeros(shape, dtype)
    if given.shape != shape or given.dtype != dtype or not given.flags.c_contiguous or not given.flags.writeable:
        expected = f"writeable contiguous {np.dtype(dtype)} {shape}"
        raise ValueError(f"{name}: found {given.dtype} {given.shape}, expected {expected}")
    return given
