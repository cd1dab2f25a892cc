"""PPO by self-play, in one file (Schulman et al., Proximal Policy Optimization Algorithms, 2017).

All seats of the self-played games learn. A transition runs from a seat's decision to the same seat's next decision or
to the end of its game, and what is paid in between is added up; advantages (Schulman et al., Generalized Advantage
Estimation, 2016) run along the decisions of one seat, so that every seat sees its wins and its losses and nothing is
bootstrapped from another's view. A single offered move is no decision. The policy sees what its seat may know; an
oracle critic, if there is one, is used in training only.

Some games are played against greedy and against snapshots, one learner's seat in each. The played weights are a running
average of the learned ones; they are also the slow copy to which the policy may be drawn (``magnet``; Sokota et al., A
Unified Approach to Reinforcement Learning, 2023). At first the moves of another agent serve as an example
(``kickstart``; Schmitt et al., Kickstarting Deep Reinforcement Learning, 2018).
"""

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agents import make
from agents.greedy import greedy_moves
from agents.learned.networks import PolicyValue, Value, as_input, load_weights, masked, weights_of
from agents.learned.player import NetPlayer, drawn, without_pass
from agents.learned.weights import Tensors, check_same, load_model
from experiments.train.arrays import between, bytes_of, take_bytes
from experiments.train.averages import follow
from experiments.train.clock import Clock
from experiments.train.folder import Row
from experiments.train.ppo_config import PpoConfig
from experiments.train.run import Learner
from experiments.train.snapshots import Snapshots
from red7_env import Red7Batch
from red7_env.observation import oracle, oracle_pieces

LEARNER, SNAPSHOT, GREEDY = 0, 1, 2
"""Who plays a seat."""
UNKNOWN: Final = -1
LOOKAHEAD: Final = 8
"""Steps for each seat that are played on, so that a decision's outcome is known when it is learned from."""


class Steps:
    """What was played: one row a step and game.

    The last rows of an iteration are learned from in the next one: there it is known what followed. So the arrays hold
    ``ahead`` more steps than an iteration plays, and begin with those of the iteration before.

    Attributes:
        obs: [T, N, size] uint8, what the seat to move observed.
        offered: [T, N, A] bool, the moves it could choose from.
        hidden: [T, N, oracle size] uint8, what an oracle critic saw; size 0 without one.
        seats: [T, N] int64, the seat that moved.
        moves: [T, N] int64.
        chances: [T, N] float32, logarithm of the move's probability.
        values: [T, N] float32, what the critic expected.
        example: [T, N] int64, the move of the agent that serves as an example, or ``UNKNOWN``.
        learns: [T, N] bool, whether it was a decision of the learner.
        rewards: [T, N, players] float32, what the move paid.
        done: [T, N] bool, whether it ended the game.
    """

    def __init__(self, games: Red7Batch, steps: int, ahead: int, hidden: int) -> None:
        shape = (steps + ahead, len(games))
        self.steps, self.ahead = steps, ahead
        self.obs = np.zeros((*shape, games.obs.shape[1]), np.uint8)
        self.offered = np.zeros((*shape, games.mask.shape[1]), np.bool_)
        self.hidden = np.zeros((*shape, hidden), np.uint8)
        self.seats = np.zeros(shape, np.int64)
        self.moves = np.zeros(shape, np.int64)
        self.chances = np.zeros(shape, np.float32)
        self.values = np.zeros(shape, np.float32)
        self.example = np.zeros(shape, np.int64)
        self.learns = np.zeros(shape, np.bool_)
        self.rewards = np.zeros((*shape, games.rules.players), np.float32)
        self.done = np.zeros(shape, np.bool_)

    def arrays(self) -> Tensors:
        """Return all arrays by name, not copied."""
        return {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}

    def next_iteration(self) -> None:
        """Move the last steps to the front, and clear the others."""
        for array in self.arrays().values():
            array[: self.ahead] = array[self.steps :].copy()
            array[self.ahead :] = 0

    def advantages(self, gae: float) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the decisions to learn from, as indices of flattened steps and games, and their advantages."""
        count, players = self.rewards.shape[1:]
        games = np.arange(count)
        paid, value, advantage = (np.zeros((count, players), np.float32) for _ in range(3))
        known = np.zeros((count, players), np.bool_)  # whether it is known what follows
        found = np.zeros(self.seats.shape, np.float32)
        usable = np.zeros(self.seats.shape, np.bool_)
        for step in range(len(self.seats) - 1, -1, -1):
            # Nothing follows the end of the game; nor, in a single round, what a seat is paid on going out.
            over = self.done[step][:, None] | (self.rewards[step] != 0)
            known |= over
            paid[over] = value[over] = advantage[over] = 0
            paid += self.rewards[step]
            here = games[self.learns[step]]
            at = here, self.seats[step, here]
            own = self.values[step, here]
            gain = paid[at] + value[at] - own + gae * advantage[at]
            found[step, here], usable[step, here] = gain, known[at]
            # A decision of which too little is known yet still serves as the end of the seat's earlier ones.
            advantage[at] = np.where(known[at], gain, 0)
            value[at], paid[at], known[at] = own, 0, True
        rows = np.flatnonzero(usable[: self.steps])
        return rows, found.reshape(-1)[rows]


class Ppo:
    """The learner; see ``run.Learner``.

    Attributes:
        info: What its network is for.
        clock: Where its time goes.
        moves: Moves made in its games.
        network: What learns.
        played: The running average of its weights.
    """

    def __init__(self, config: PpoConfig) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        rules = config.played
        self.config = config
        self.clock = Clock()
        self.moves = 0
        self.info = config.model_info()
        self.games = Red7Batch(
            config.games,
            rules,
            config.seed,
            features=self.info.features,
            reward=config.reward,  # type: ignore[arg-type]  # is checked
        )
        self.network = PolicyValue(self.games.obs.shape[1], rules.num_moves, config.hidden)
        if config.start is not None:
            start = load_model(Path(config.start), "ppo")
            check_same(start.info, self.info)
            load_weights(self.network, start.weights)
        self.played = deepcopy(self.network)
        has_oracle = config.critic == "oracle"
        hidden = oracle_pieces(rules, self.info.features)[-1].slice.stop if has_oracle else 0
        self.critic = Value(hidden, (config.critic_hidden,) * 2) if has_oracle else None
        self.steps = Steps(self.games, config.steps, LOOKAHEAD * rules.players, hidden)
        self.parameters = [*self.network.parameters(), *(self.critic.parameters() if self.critic else ())]
        self.optimiser = torch.optim.Adam(self.parameters, lr=config.learning_rate, eps=1e-5, fused=True)
        self.example = make(config.example)
        self.rng = np.random.default_rng([config.seed, 0x9905])
        self.snapshots = Snapshots(config.pool, config.hardness, deepcopy(self.network), self.rng)
        self.players = np.zeros((config.games, rules.players), np.int64)
        self.iteration = 0
        self._kickstarting = False
        self._seat(np.arange(config.games))

    def advance(self, done: float) -> Row:
        """Play for an iteration, and learn from it."""
        self._kickstarting = self._kickstart(done) > 0
        if done * self.config.snapshot_count >= self.snapshots.taken:
            self.snapshots.take(self.network)
        self.snapshots.choose()
        for step in range(self.steps.ahead, self.steps.ahead + self.steps.steps):
            self._step(step)
        told = self._learn(done)
        with self.clock.time("environment"):
            self.steps.next_iteration()
        self.iteration += 1
        return told

    def player(self) -> NetPlayer:
        """Return the averaged policy, which plays its likeliest moves."""
        return NetPlayer(self.played, self.info.rules, self.info.features, name="ppo")

    def weights(self) -> Tensors:
        """Return the averaged weights."""
        return weights_of(self.played)

    def _step(self, step: int) -> None:
        """Play one move in every game, into row ``step``."""
        games, steps = self.games, self.steps
        with self.clock.time("environment"):
            offered = without_pass(games.mask, games.rules)
            steps.obs[step], steps.offered[step], steps.seats[step] = games.obs, offered, games.to_move
            asked = np.where(offered.sum(axis=1) > 1, self.players[np.arange(len(games)), games.to_move], -1)
            moves: NDArray[np.int64] = offered.argmax(axis=1)
            steps.learns[step] = asked == LEARNER
            rows = {who: np.flatnonzero(asked == who) for who in (LEARNER, SNAPSHOT, GREEDY)}
            moves[rows[GREEDY]] = self._greedy(rows[GREEDY])
            self._note_hidden(step, rows[LEARNER])
        with self.clock.time("policy"):
            moves[rows[LEARNER]] = self._decide(step, rows[LEARNER])
            moves[rows[SNAPSHOT]] = self.snapshots.moves(games.obs[rows[SNAPSHOT]], offered[rows[SNAPSHOT]], self.rng)
        with self.clock.time("environment"):
            steps.moves[step] = moves
            games.step(moves)
            self.moves += len(games)
            steps.rewards[step], steps.done[step] = games.rewards, games.done
            self._seat(np.flatnonzero(games.done))

    def _greedy(self, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        return greedy_moves(self.games.states[rows])  # looks at nothing that is hidden

    def _note_hidden(self, step: int, rows: NDArray[np.intp]) -> None:
        """Note for the decisions of a step what is seen in training only."""
        if self.critic is not None and len(rows):
            self.steps.hidden[step, rows] = oracle(self.games.states[rows], features=self.info.features)
        if self._kickstarting:
            asked = rows[self.rng.random(len(rows)) < self.config.example_share]
            self.steps.example[step] = UNKNOWN
            self.steps.example[step, asked] = self.example.act(
                self.games.views()[asked], self.games.mask[asked], self.rng
            )

    @torch.inference_mode()
    def _decide(self, step: int, rows: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return the learner's moves for some games, and note their chances and values."""
        steps = self.steps
        logits, values = self.network(as_input(steps.obs[step, rows]))
        if self.critic is not None:
            values = self.critic(as_input(steps.hidden[step, rows]))
        logits = masked(logits, torch.from_numpy(steps.offered[step, rows]))
        moves = drawn(torch.softmax(logits, dim=1).numpy(), self.rng)
        log_chances = torch.log_softmax(logits, dim=1).numpy()
        steps.chances[step, rows] = log_chances[np.arange(len(rows)), moves]
        steps.values[step, rows] = values.numpy()
        return moves

    def _seat(self, slots: NDArray[np.intp]) -> None:
        """Decide who plays the new games in these slots, and note who won the old ones."""
        if not len(slots):
            return
        before, seats = self.players[slots], np.arange(self.players.shape[1])
        one = (before == SNAPSHOT).any(axis=1)
        won = self.games.final_rewards[slots[one]][before[one] == LEARNER] > 0
        self.snapshots.note(int(won.sum()), len(won))
        chance = self.rng.random(len(slots))
        config = self.config
        other = np.where(
            chance < config.greedy, GREEDY, np.where(chance < config.greedy + config.snapshots, SNAPSHOT, 0)
        )
        own = self.rng.integers(len(seats), size=len(slots))
        self.players[slots] = np.where(seats == own[:, None], LEARNER, other[:, None])

    def _learn(self, done: float) -> Row:
        """Learn from the decisions whose outcome is known, and return what there is to tell."""
        config = self.config
        with self.clock.time("optimiser"):
            for group in self.optimiser.param_groups:
                group["lr"] = between(config.learning_rate, config.last_learning_rate, done)
            rows, advantages = self.steps.advantages(config.gae)
            if not len(rows):  # where an iteration is short, the first one has not seen any end yet
                return {"decisions": 0}
            data = self._tensors(rows, advantages)
            entropy = between(config.entropy, config.last_entropy, done)
            told: list[list[float]] = []
            for _ in range(config.epochs):
                order = torch.from_numpy(self.rng.permutation(len(rows)))
                for chosen in torch.split(order, config.minibatch):
                    part = {name: tensor[chosen] for name, tensor in data.items()}
                    told.append(self._update(part, entropy, self._kickstart(done)))
            follow(self.played, self.network, config.average, self.iteration)
        names = ("loss policy", "loss value", "entropy", "divergence", "clipped")
        row = {name: round(float(value), 5) for name, value in zip(names, np.mean(told, axis=0), strict=True)}
        explained = 1 - float(np.var(advantages) / max(1e-9, float(data["returns"].var())))
        rate = float(self.snapshots.rates().mean())
        return row | {
            "decisions": len(rows),
            "explained": round(explained, 4),
            "wins against snapshots": round(rate, 4),
        }

    def _tensors(self, rows: NDArray[np.int64], advantages: NDArray[np.float32]) -> dict[str, Tensor]:
        """Return what is learned from, one row a decision."""
        steps = self.steps
        flat = {name: array.reshape(steps.seats.size, *array.shape[2:])[rows] for name, array in steps.arrays().items()}
        data = {name: torch.from_numpy(flat[name]) for name in ("obs", "offered", "moves", "chances")}
        data["returns"] = torch.from_numpy(flat["values"] + advantages)
        data["advantages"] = torch.from_numpy((advantages - advantages.mean()) / (advantages.std() + 1e-8))
        if self.critic is not None:
            data["hidden"] = torch.from_numpy(flat["hidden"])
        if self._kickstarting:
            data["example"] = torch.from_numpy(flat["example"])
        if self.config.magnet > 0:
            with torch.inference_mode():
                slow = masked(self.played(data["obs"].float())[0], data["offered"])
                data["slow"] = torch.log_softmax(slow, dim=1)
        return data

    def _update(self, part: dict[str, Tensor], entropy_weight: float, kickstart: float) -> list[float]:
        """Do one step of the optimiser; return losses, entropy, divergence and the share of clipped moves."""
        config = self.config
        logits, values = self.network(part["obs"].float())
        if self.critic is not None:
            values = self.critic(part["hidden"].float())
        logits = masked(logits, part["offered"])
        log_chances = torch.log_softmax(logits, dim=1)
        chances = torch.softmax(logits, dim=1)  # many times faster than exp, which is slow where it gives 0
        change = log_chances.gather(1, part["moves"][:, None])[:, 0] - part["chances"]
        ratio = change.exp()
        gain = part["advantages"]
        policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - config.clip, 1 + config.clip) * gain).mean()
        value_loss = (values - part["returns"]).square().mean()
        entropy = -(chances * log_chances).sum(dim=1).mean()
        loss = policy_loss + config.value_weight * value_loss - entropy_weight * entropy
        if kickstart > 0:
            known = torch.nonzero(part["example"] != UNKNOWN)[:, 0]
            likely = log_chances[known].gather(1, part["example"][known, None])
            loss -= kickstart * likely.sum() / max(1, len(known))
        if config.magnet > 0:
            loss += config.magnet * (chances * (log_chances - part["slow"])).sum(dim=1).mean()
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters, config.gradient)
        self.optimiser.step()
        with torch.no_grad():
            divergence = (ratio - 1 - change).mean()  # an estimate of KL(old, new) without bias
            clipped = ((ratio - 1).abs() > config.clip).float().mean()
        return [value.item() for value in (policy_loss, value_loss, entropy, divergence, clipped)]

    def _kickstart(self, done: float) -> float:
        """Return the weight of the example."""
        left = 1 - done / self.config.kickstart_end if self.config.kickstart_end > 0 else 0.0
        return self.config.kickstart * max(0.0, left)

    def state(self) -> tuple[Tensors, dict[str, Any]]:
        """Return all that is needed to go on; see ``run.Learner``."""
        snapshots, pool = self.snapshots.state()
        networks = {"network": weights_of(self.network), "played": weights_of(self.played), "snapshots": snapshots}
        if self.critic is not None:
            networks["critic"] = weights_of(self.critic)
        tensors = {f"{part}.{name}": array for part, weights in networks.items() for name, array in weights.items()}
        tensors |= {f"optimiser.{name}": array for name, array in self._moments().items()}
        tensors |= {f"games.{name}": array for name, array in bytes_of(self.games.__getstate__()).items()}
        last = {name: array[: self.steps.ahead] for name, array in self.steps.arrays().items()}
        tensors |= {f"steps.{name}": array for name, array in bytes_of(last).items()}
        tensors["players"] = self.players
        values = {"moves": self.moves, "iteration": self.iteration, "snapshots": pool, "seconds": self.clock.seconds}
        return tensors, values | {"rng": self.rng.bit_generator.state}

    def restore(self, tensors: Tensors, values: Mapping[str, Any]) -> None:
        """Take up a state; see ``run.Learner``."""
        parts: dict[str, Tensors] = {}
        for name, array in tensors.items():
            part, _, own = name.partition(".")
            parts.setdefault(part, {})[own] = array
        load_weights(self.network, parts["network"])
        load_weights(self.played, parts["played"])
        if self.critic is not None:
            load_weights(self.critic, parts["critic"])
        self.snapshots.restore(parts["snapshots"], values["snapshots"])
        for name, array in self._moments().items():
            array[...] = parts["optimiser"][name]
        take_bytes(self.games.__getstate__(), parts["games"])
        take_bytes({name: array[: self.steps.ahead] for name, array in self.steps.arrays().items()}, parts["steps"])
        self.players[:] = tensors["players"]
        self.moves, self.iteration = int(values["moves"]), int(values["iteration"])
        self.clock.seconds.update(values["seconds"])
        self.rng.bit_generator.state = values["rng"]

    def _moments(self) -> Tensors:
        """Return the optimiser's memory, which is made if it has none yet; not copied."""
        if not self.optimiser.state:
            for parameter in self.parameters:
                zeros = {name: torch.zeros_like(parameter) for name in ("exp_avg", "exp_avg_sq")}
                self.optimiser.state[parameter] = {"step": torch.zeros(()), **zeros}
        return {
            f"{number}.{name}": tensor.numpy()
            for number, parameter in enumerate(self.parameters)
            for name, tensor in self.optimiser.state[parameter].items()
        }


def learner(config: PpoConfig) -> Learner:
    """Return the learner that a configuration asks for."""
    if config.learner == "sb3":
        from experiments.train.sb3 import MaskablePpo

        return MaskablePpo(config)
    return Ppo(config)
