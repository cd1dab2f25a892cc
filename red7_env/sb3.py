"""``Red7VecEnv``: many single-seat games for Stable-Baselines3, in one process, with masks for ``MaskablePPO``.

    env = Red7VecEnv(256, opponents={greedy: 0.5, None: 0.5}, seat="rotate", seed=1)
    model = MaskablePPO("MlpPolicy", env, gamma=1.0)
    model.learn(1_000_000)

It takes the arguments of ``vector_env.Red7VectorEnv``, and plays the same games. For self-play, an opponent may be the
learner itself (``PolicyOpponent(model)``) or what it was at some time (``PolicyOpponent(model).frozen()``);
``set_opponents`` changes them between rollouts.

Observations are not copied: there are two buffers, used in turn, and SB3 keeps one for a single step. The info of a
slot whose game is over holds ``terminal_observation``, ``episode`` as SB3's ``Monitor`` writes it (so no ``VecMonitor``
is needed), and ``game``, ``seat`` and ``opponents`` of that game; all others are empty, but for ``illegal``.

This module alone needs stable-baselines3: ``pip install red7-env[train]``.
"""

import io
import secrets
import time
from collections.abc import Sequence
from typing import Any, SupportsIndex, Unpack

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from red7_env.game.errors import shown
from red7_env.game.seeds import checked_seed
from red7_env.game.state import States
from red7_env.lineups import Opponents
from red7_env.observation import Features, encode, size
from red7_env.observation.encoder import rules_of_all
from red7_env.render.modes import frame, print_tables
from red7_env.seats import LearnerSeats, Seat
from red7_env.settings import Options, settings_of

Info = dict[str, Any]


class Red7VecEnv(VecEnv):
    """Many learners' seats of Red7; the module describes it.

    Attributes:
        settings: What is played.
        seats: The games.
    """

    def __init__(
        self,
        num_envs: SupportsIndex,
        *,
        opponents: Opponents = None,
        seat: Seat = 0,
        seed: SupportsIndex | None = None,
        **options: Unpack[Options],
    ) -> None:
        """Set the games up; ``reset`` begins them.

        Args:
            num_envs: N, at least 1.
            opponents: Who plays the other seats, see ``lineups``; None for random moves.
            seat: The learner's, ``"rotate"`` or ``"random"``, see ``LearnerSeats``.
            seed: Seed of the games, 0 to 2**64 - 1; a random one if left out. A seed that SB3 sets takes its place.
            options: As of ``red7_v0``; of the render modes there are ``"human"`` and ``"rgb_array"``.

        Raises:
            ValueError: If a value does not exist, or some do not go together.
        """
        self.settings = settings_of(**options)
        if self.settings.render_mode in {"ansi", "svg"}:
            found = self.settings.render_mode
            raise ValueError(f"render_mode: found {found!r}, expected 'human', 'rgb_array' or None: SB3 shows no texts")
        self.render_mode = self.settings.render_mode
        self.seats = LearnerSeats(num_envs, self.settings, opponents, seat)
        self._next_seed: int | None = secrets.randbits(64) if seed is None else int(checked_seed(seed))
        self._actions: NDArray[np.integer] = np.zeros(0, np.int64)
        self._start = time.time()
        self._mask_rows = list(self.seats.mask.view(np.bool_))
        super().__init__(
            len(self.seats),
            spaces.Box(0, 1, self.seats.obs.shape[1:], self.settings.dtype),
            spaces.Discrete(self.settings.rules.num_moves),
        )

    def reset(self) -> NDArray[Any]:
        """Begin a game in every slot: first, and after ``seed``, games 0 .. N-1 of it, later the next of each slot.

        Returns:
            [N, size] the learners' observations.

        Raises:
            ValueError: If options have been set.
        """
        if any(self._options):
            raise ValueError(f"options: found {shown(self._options[0])}, expected none")
        seed = self._next_seed if self._seeds[0] is None else self._seeds[0]
        self.seats.reset(seed)
        self._next_seed = None
        self._reset_seeds()
        self._show()
        return self.seats.obs

    def step_async(self, actions: NDArray[np.integer]) -> None:
        """Keep the learners' moves, [N] action ids, for ``step_wait``."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Do the learners' moves and play on until each is asked again, in the same game or the next.

        Returns:
            Observations [N, size], rewards [N] float32, whether the games are over [N] bool, and one info a slot.

        Raises:
            IllegalMoveError: If a move is not offered and ``illegal`` is ``"raise"``; nothing has changed then. Also if
                an opponent's is not.
            RuntimeError: Before the first reset.
            ValueError: If the actions have another shape or dtype.
        """
        self.seats.step(self._actions)
        self._show()
        seats = self.seats
        return seats.obs, seats.rewards.astype(np.float32), seats.done.copy(), self._infos()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learners' offers, [N, A] bool; they change with the next step."""
        return self.seats.mask.view(np.bool_)

    def set_opponents(self, opponents: Opponents) -> None:
        """Let others play the other seats from now on, also in the games under way; see ``LearnerSeats``.

        Raises:
            ValueError: If they are refused.
        """
        self.seats.set_opponents(opponents)

    def close(self) -> None:
        """Release what is held outside of Python: nothing."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute of this environment, once for each slot."""
        return [getattr(self, attr_name)] * len(self._chosen(indices))

    def set_attr(self, attr_name: str, value: object, indices: VecEnvIndices = None) -> None:
        """Set an attribute of this environment.

        Raises:
            ValueError: If it is for some slots only.
        """
        if len(self._chosen(indices)) != self.num_envs:
            raise ValueError(f"indices: found {len(self._chosen(indices))} of {self.num_envs}, expected all")
        setattr(self, attr_name, value)

    def env_method(
        self,
        method_name: str,
        *method_args: Any,  # noqa: ANN401 - are for the method to type
        indices: VecEnvIndices = None,
        **method_kwargs: Any,  # noqa: ANN401 - are for the method to type
    ) -> list[Any]:
        """Call a method of this environment, once, and return its result for each slot.

        Of ``action_masks`` each slot's result is its row, [A] bool, which changes with the next step.
        """
        chosen = self._chosen(indices)
        if method_name == "action_masks":
            return self._mask_rows if indices is None else [self._mask_rows[slot] for slot in chosen]
        return [getattr(self, method_name)(*method_args, **method_kwargs)] * len(chosen)

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper], indices: VecEnvIndices = None) -> list[bool]:
        """Tell whether the slots do what a wrapper does, which is so for SB3's ``Monitor``: infos hold ``episode``."""
        return [issubclass(wrapper_class, Monitor)] * len(self._chosen(indices))

    def render(self, mode: str | None = None) -> NDArray[np.uint8] | None:
        """Print what each learner sees in mode ``human``, or return it as one picture of all in mode ``rgb_array``."""
        if (mode or self.render_mode) != "human":
            return super().render(mode)
        print_tables(self.seats.views())
        return None

    def get_images(self) -> list[NDArray[np.uint8] | None]:
        """Return what each learner sees, [height, width, 3] uint8 each.

        Raises:
            ImportError: If Pillow is not installed.
        """
        return [np.asarray(frame(view, "rgb_array")) for view in self.seats.views()]

    def __getstate__(self) -> Info:
        kept = self.__dict__.copy()
        del kept["_mask_rows"]
        return kept

    def __setstate__(self, kept: Info) -> None:
        self.__dict__.update(kept)
        self._mask_rows = list(self.seats.mask.view(np.bool_))

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _chosen(self, indices: VecEnvIndices) -> Sequence[int]:
        return list(self._get_indices(indices))

    def _infos(self) -> list[Info]:
        """Return one info a slot after a step."""
        seats, seconds = self.seats, round(time.time() - self._start, 6)
        infos: list[Info] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(seats.done)
        told = zip(
            ended.tolist(),
            seats.final_obs(),
            seats.final_slots[ended].tolist(),
            seats.rewards[ended].tolist(),
            strict=True,
        )
        for slot, seen, (game, seat, lineup, moves), reward in told:
            infos[slot] = {
                "terminal_observation": seen,
                "TimeLimit.truncated": False,
                "episode": {"r": reward, "l": moves, "t": seconds},
                "game": game,
                "seat": seat,
                "opponents": seats.lineup_names[lineup],
            }
        for slot, words in seats.refusals.items():
            infos[slot]["illegal"] = words
        return infos


class PolicyOpponent:
    """Lets a policy with action masks play, such as that of ``MaskablePPO``: the learner itself, or an earlier one.

    Attributes:
        name: What it is called in infos.
        spec: The same.
    """

    def __init__(
        self,
        policy: Any,  # noqa: ANN401 - an SB3 model or policy; sb3-contrib's types are not needed to import this module
        *,
        features: Features = "derived",
        deterministic: bool = False,
        name: str = "policy",
    ) -> None:
        """Wrap a policy.

        Args:
            policy: A ``MaskableActorCriticPolicy``, or a model that has one, whose present policy is asked each time.
            features: The pieces of the observation that it was trained on.
            deterministic: Whether it plays its most likely move; otherwise each with its probability.
            name: What it is called.
        """
        self.name = self.spec = name
        self._policy = policy
        self._features: Features = features
        self._deterministic = deterministic

    def act(self, views: States, masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the policy's move for every view; see ``opponents.Opponent``."""
        policy = self._present_policy()
        expected = (size(rules_of_all(views), self._features),)
        if policy.observation_space.shape != expected:
            found = policy.observation_space.shape
            raise ValueError(f"policy: found one for observations of shape {found}, expected {expected}")
        seen = encode(views, views["to_move"], self._features)
        with torch.no_grad():
            tensor = torch.as_tensor(seen, device=policy.device)
            chances = policy.get_distribution(tensor, action_masks=masks.view(np.bool_)).distribution.probs
        weights: NDArray[np.float64] = chances.cpu().numpy().astype(np.float64) * masks
        return weights.argmax(axis=1).astype(np.int64, copy=False) if self._deterministic else _drawn(weights, rng)

    def frozen(self, name: str | None = None) -> "PolicyOpponent":
        """Return an opponent that plays as this one does now, whatever the policy learns later.

        Args:
            name: What it is called; as this one if left out.
        """
        policy = self._present_policy()
        # Saved and loaded, because a policy that is being trained holds on to tensors that cannot be copied.
        file = io.BytesIO()
        policy.save(file)
        file.seek(0)
        twin = type(policy).load(file, device=policy.device)
        twin.set_training_mode(False)
        return PolicyOpponent(
            twin, features=self._features, deterministic=self._deterministic, name=self.name if name is None else name
        )

    def _present_policy(self) -> Any:  # noqa: ANN401 - as above
        return self._policy.policy if isinstance(self._policy, BaseAlgorithm) else self._policy


def _drawn(weights: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return one column of each row, drawn with the chance of its weight, and never one of no weight."""
    sums = weights.cumsum(axis=1)
    # The first column whose sum exceeds a number below the last sum has a weight.
    marks = np.minimum(rng.random(len(weights)) * sums[:, -1], np.nextafter(sums[:, -1], 0))
    drawn: NDArray[np.int64] = (sums > marks[:, None]).argmax(axis=1)
    return drawn
