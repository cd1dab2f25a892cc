"""MaskablePPO of sb3-contrib as a learner: the same games, opponents, network and model files as ``ppo.Ppo``.

Each learner's seat is a row of the ``Red7VecEnv`` and all opponents, the policy itself among them, play inside, so
that SB3's advantages, which run along the rows, belong to one seat. Forced moves are rows too, SB3 knows no other way.
There is no example, oracle critic or magnet here.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

from agents import Masks, Moves, make
from agents.learned.networks import PolicyValue, load_weights, trunk, weights_of
from agents.learned.player import NetPlayer, without_pass
from agents.learned.weights import ModelInfo, Tensors
from experiments.train.arrays import between, bytes_of, take_bytes
from experiments.train.clock import Clock
from experiments.train.folder import Row
from experiments.train.ppo_config import PpoConfig
from experiments.train.snapshots import Snapshots
from red7_env.game import States
from red7_env.observation import encode
from red7_env.opponents import Opponent
from red7_env.sb3 import Red7VecEnv

_SNAPSHOT = "snapshot"


class MaskablePpo:
    """The learner; see ``run.Learner`` and ``ppo.Ppo``."""

    def __init__(self, config: PpoConfig) -> None:
        torch.set_num_threads(config.threads)
        rules = config.played
        self.config = config
        self.clock = Clock()
        self.moves = 0
        self.info = config.model_info()
        self.env = _Env(
            config.games,
            seat="rotate",
            seed=config.seed,
            num_players=rules.players,
            variant=rules.variant,
            actions=rules.actions,
            match=rules.match,
            deck=rules.deck,
            reward=config.reward,  # type: ignore[arg-type]  # is checked
            features=self.info.features,
        )
        self.model = MaskablePPO(
            "MlpPolicy",
            self.env,
            n_steps=config.steps,
            batch_size=config.minibatch,
            n_epochs=config.epochs,
            gamma=1.0,
            gae_lambda=config.gae,
            clip_range=config.clip,
            vf_coef=config.value_weight,
            max_grad_norm=config.gradient,
            seed=config.seed,
            device="cpu",
            policy_kwargs={
                "optimizer_kwargs": {"eps": 1e-5, "fused": True},
                "net_arch": [],
                "features_extractor_class": Trunk,
                "features_extractor_kwargs": {"hidden": config.hidden},
            },
        )
        self.network = PolicyValue(self.env.seats.obs.shape[1], rules.num_moves, config.hidden)
        load_weights(self.network, self._learned())
        self.played = deepcopy(self.network)
        self.rng = np.random.default_rng([config.seed, 0x5B3])
        self.snapshots = Snapshots(config.pool, config.hardness, deepcopy(self.network), self.rng)
        self.iteration = 0

    def advance(self, done: float) -> Row:
        """Play for an iteration, and learn from it."""
        config, model = self.config, self.model
        if done * config.snapshot_count >= self.snapshots.taken:
            self.snapshots.take(self.network)
        self.snapshots.choose()
        self.env.set_opponents(self._opponents())
        rate = between(config.learning_rate, config.last_learning_rate, done)
        model.lr_schedule = lambda _: rate
        model.ent_coef = between(config.entropy, config.last_entropy, done)
        steps = config.games * config.steps
        with self.clock.time("training"):
            model.learn(steps, callback=_Results(self.snapshots), reset_num_timesteps=self.iteration == 0)
        self.moves += steps
        self.iteration += 1
        load_weights(self.network, self._learned())
        new = 1 - min(config.average, self.iteration / (9 + self.iteration))
        with torch.no_grad():
            for slow, fast in zip(self.played.parameters(), self.network.parameters(), strict=True):
                slow.lerp_(fast, new)
        return {name.removeprefix("train/"): float(value) for name, value in model.logger.name_to_value.items()}

    def player(self) -> NetPlayer:
        """Return the averaged policy, which plays its likeliest moves."""
        return NetPlayer(self.played, self.info.rules, self.info.features, name="ppo")

    def weights(self) -> Tensors:
        """Return the averaged weights."""
        return weights_of(self.played)

    def state(self) -> tuple[Tensors, dict[str, Any]]:
        """Return all that is needed to go on; see ``run.Learner``."""
        snapshots, pool = self.snapshots.state()
        parts = {
            "policy": weights_of(self.model.policy),
            "played": weights_of(self.played),
            "snapshots": snapshots,
            "optimiser": bytes_of(self._moments()),
            "seats": bytes_of(vars(self.env.seats)),
        }
        tensors = {f"{part}.{name}": array for part, arrays in parts.items() for name, array in arrays.items()}
        tensors["starts"] = np.asarray(self.model._last_episode_starts)  # noqa: SLF001 - it has no public name
        tensors["torch"] = torch.get_rng_state().numpy()
        tensors["numpy"] = np.random.get_state()[1]  # type: ignore[index]  # noqa: NPY002 - what SB3 shuffles with
        values = {
            "moves": self.moves,
            "iteration": self.iteration,
            "snapshots": pool,
            "rng": self.rng.bit_generator.state,
            "seats": self.env.seats._rng.bit_generator.state,  # noqa: SLF001 - as above
            "place": int(np.random.get_state()[2]),  # type: ignore[index]  # noqa: NPY002
            "steps": self.model.num_timesteps,
            "updates": self.model._n_updates,  # noqa: SLF001
        }
        return tensors, values

    def restore(self, tensors: Tensors, values: Mapping[str, Any]) -> None:
        """Take up a state; see ``run.Learner``."""
        parts: dict[str, Tensors] = {}
        for name, array in tensors.items():
            part, _, own = name.partition(".")
            parts.setdefault(part, {})[own] = array
        load_weights(self.model.policy, parts["policy"])
        load_weights(self.network, self._learned())
        load_weights(self.played, parts["played"])
        self.snapshots.restore(parts["snapshots"], values["snapshots"])
        take_bytes(self._moments(), parts["optimiser"])
        self.env.set_opponents(self._opponents())
        self.model._last_obs = self.env.reset()  # noqa: SLF001 - it has no public name
        take_bytes(vars(self.env.seats), parts["seats"])
        self.model._last_obs = self.env.seats.obs  # noqa: SLF001
        self.model._last_episode_starts = tensors["starts"]  # noqa: SLF001
        self.model.num_timesteps = int(values["steps"])
        self.model._n_updates = int(values["updates"])  # noqa: SLF001
        self.moves, self.iteration = int(values["moves"]), int(values["iteration"])
        self.rng.bit_generator.state = values["rng"]
        self.env.seats._rng.bit_generator.state = values["seats"]  # noqa: SLF001
        torch.set_rng_state(torch.from_numpy(tensors["torch"]))
        np.random.set_state(("MT19937", tensors["numpy"], values["place"], 0, 0.0))  # noqa: NPY002

    def _opponents(self) -> dict[Opponent, float]:
        """Return who plays the other seats, with shares."""
        config, rules, features = self.config, self.info.rules, self.info.features
        own = NetPlayer(self.network, rules, features, temperature=1.0, name="self")
        shares: dict[Opponent, float] = {
            own: 1 - config.greedy - config.snapshots,
            make("greedy"): config.greedy,
            _Snapshot(self.snapshots, self.info): config.snapshots,
        }
        return {opponent: share for opponent, share in shares.items() if share > 0}

    def _learned(self) -> Tensors:
        """Return SB3's weights under the names of ours."""
        names = {"features_extractor.layers": "trunk", "action_net": "policy", "value_net": "value"}
        found = weights_of(self.model.policy)
        return {
            ours + name.removeprefix(theirs): array
            for theirs, ours in names.items()
            for name, array in found.items()
            if name.startswith(theirs)
        }

    def _moments(self) -> Tensors:
        """Return the optimiser's memory, which is made if it has none yet; not copied."""
        optimiser = self.model.policy.optimizer
        parameters = [parameter for group in optimiser.param_groups for parameter in group["params"]]
        for parameter in parameters:
            if parameter not in optimiser.state:
                zeros = {name: torch.zeros_like(parameter) for name in ("exp_avg", "exp_avg_sq")}
                optimiser.state[parameter] = {"step": torch.zeros(()), **zeros}
        return {
            f"{number}.{name}": tensor.detach().numpy()
            for number, parameter in enumerate(parameters)
            for name, tensor in optimiser.state[parameter].items()
        }


class Trunk(BaseFeaturesExtractor):
    """The hidden layers that policy and value share."""

    def __init__(self, space: spaces.Box, hidden: tuple[int, ...]) -> None:
        super().__init__(space, hidden[-1])
        self.layers = trunk(space.shape[0], hidden)

    def forward(self, obs: torch.Tensor) -> torch.Tensor:
        """Return what the last hidden layer makes of observations."""
        seen: torch.Tensor = self.layers(obs)
        return seen


class _Env(Red7VecEnv):
    """The games, in which only moves that are worth a thought are offered; see ``player.without_pass``."""

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> list[Any]:  # noqa: ANN401 - as the base class
        """Call a method; see ``Red7VecEnv``."""
        if method_name == "action_masks" and indices is None:
            return list(without_pass(self.seats.mask, self.settings.rules))
        return super().env_method(method_name, *args, indices=indices, **kwargs)


class _Snapshot:
    """The snapshot that plays, as an opponent."""

    name = spec = _SNAPSHOT

    def __init__(self, snapshots: Snapshots, info: ModelInfo) -> None:
        self._snapshots, self._info = snapshots, info

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:
        """Return a move for every view; see ``Opponent``."""
        seen: NDArray[np.uint8] = encode(views, views["to_move"], self._info.features)
        return self._snapshots.moves(seen, without_pass(masks, self._info.rules), rng)


class _Results(BaseCallback):
    """Notes the results against the snapshot, game by game."""

    def __init__(self, snapshots: Snapshots) -> None:
        super().__init__()
        self._snapshots = snapshots

    def _on_step(self) -> bool:
        rewards = [
            info["episode"]["r"] for info in self.locals["infos"] if info and info["opponents"].startswith(_SNAPSHOT)
        ]
        self._snapshots.note(sum(reward > 0 for reward in rewards), len(rewards))
        return True
