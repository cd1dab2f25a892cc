"""Deep Monte Carlo over whole turns: the position after a turn is the input, the chance to win is what is learned.

The idea is DouZero's (Zha et al., ICML 2021), with turns as actions and two changes that made it stronger here.

1. **The start is fitted, not played.** The first part of a run learns what turns are worth between greedy players:
   games are played by greedy with a share of random turns, now and then a random turn is tried in a few worlds that
   fit what the mover knows, and the mean of the playouts is the target. Such rows are cheap and their targets are less
   noisy than single results.
2. **Self-play with traces.** From then on all seats play the turn of the greatest value, a random one now and then.
   The target of a turn is a mean of what came out and of the values of the own turns that followed, weighted by
   ``decay`` (TD(lambda) from the end backwards; Sutton and Barto, section 12.1). With a decay of 1 it is DouZero's.

A run ``against`` an agent learns to beat that one, as it is: one seat of every game learns, the agent has all others.
With an ``against_share`` below 1 the rest of the games is self-play.

What plays, and is kept, is a running average of the learned weights (Polyak and Juditsky, 1992): it plays better than
they do, as the noise of the last updates is not in it.

Every seat learns from its own turns, wins and losses, and its value never sees what the seat does not. Values are
the part of the game that a seat wins, 0 to 1: of a round, or of the whole match. An iteration deals its games, plays
them to the end and learns from all their turns, so a run is its weights and their average, the optimiser and two
counters; random numbers come from the seed and the iteration. On one thread a run that is resumed equals one that was
not.
"""

from collections.abc import Mapping
from copy import deepcopy
from operator import le
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agents import Agent, make
from agents.dmc import Dmc
from agents.games import Player
from agents.learned.afterstates import MOST_MOVES, MOST_TURNS, choose_turns, make_turns
from agents.learned.networks import Value, load_narrower, load_weights, new_network, weights_of
from agents.learned.shipped import shipped
from agents.learned.turn_values import TurnValues
from agents.learned.weights import Model, ModelError, ModelInfo, Tensors, check_rules, load_model
from experiments.train.averages import follow
from experiments.train.clock import Clock
from experiments.train.config import command
from experiments.train.dmc_config import CHANCE, RESPONDER, SHIPPED, DmcConfig
from experiments.train.dmc_kernels import ROOM, fitted_rows
from experiments.train.folder import Row
from experiments.train.solved import Solved
from red7_env.game import STATE, States, batch
from red7_env.game.state import MATCH_OVER, ROUND_OVER, blank_states
from red7_env.observation import size
from red7_env.observation.table import layout

Floats = NDArray[np.float64]
_ADAM = ("exp_avg", "exp_avg_sq", "step")
_ALL = -1
"""Instead of a seat: all seats learn."""


class Rows(NamedTuple):
    """What is learned from: [M, inputs] uint8 positions after turns, and [M] float32, what they turned out worth."""

    seen: NDArray[np.uint8]
    targets: NDArray[np.float32]


class Step(NamedTuple):
    """One turn in each of the games that go on.

    Attributes:
        games: [n] int64, which games.
        seats: [n] int64, who moved.
        seen: [n, inputs] uint8, what the mover saw afterwards.
        best: [n] float64, the value of its best turn.
        chosen: [n] bool, whether there is something to learn: a choice whose outcome was not certain.
        solved: [n] float64, what the turn is worth if all cards are open, see ``solved``; 0 where that is not asked.
    """

    games: NDArray[np.int64]
    seats: NDArray[np.int64]
    seen: NDArray[np.uint8]
    best: Floats
    chosen: NDArray[np.bool_]
    solved: Floats


def learner(config: DmcConfig) -> "DmcLearner":
    """Return a fresh learner."""
    return DmcLearner(config)


class DmcLearner:
    """Learns by Deep Monte Carlo; see ``run.Learner``."""

    def __init__(self, config: DmcConfig) -> None:
        torch.set_num_threads(config.threads)
        torch.manual_seed(config.seed)
        self.config, self.rules = config, config.played
        notes = {"command": command("dmc", config)}
        self.info = ModelInfo("dmc", self.rules, config.pieces, config.hidden, notes=notes)
        self.clock = Clock()
        self.moves = 0
        self._games = self._iterations = 0
        network = new_network(self.info)
        assert isinstance(network, Value)  # noqa: S101 - the kind says so
        self._network = network
        if config.start != CHANCE:
            load_narrower(network, _start(config.start, self.info).weights)
        self._played = deepcopy(network)
        self._optimiser = torch.optim.Adam(network.parameters(), lr=config.rate, fused=True)
        self._values = _TimedValues(self.info, self._played, self.clock)
        self._source = _FittedSource(config, self._values.inputs)
        self._rival = None if config.against is None else make(config.against)
        self._solved = Solved(config.solved_worlds) if config.solved > 0 else None

    def advance(self, done: float) -> Row:
        """Do one iteration, see ``run.Learner``."""
        rng = np.random.default_rng([self.config.seed, self._iterations])
        fitted = done < self.config.fitted
        if fitted:
            part = done / self.config.fitted
            rate = self.config.rate + (self.config.rate_end - self.config.rate) * part
            with self.clock.time("environment"):
                rows, self._games = self._source.rows(self._games)
        else:
            part = (done - self.config.fitted) / max(1 - self.config.fitted, 1e-9)
            rate = _between(self.config.rate_play, self.config.rate_end, part)
            epsilon = self.config.epsilon + (self.config.epsilon_end - self.config.epsilon) * part
            with self.clock.time("environment"):
                rows = self._self_play(epsilon, rng)
        self.moves += len(rows.targets)
        with self.clock.time("optimiser"):
            loss = self._learn(rows, rate, 1 if fitted else self.config.epochs, rng)
            follow(self._played, self._network, self.config.average, self._iterations)
        self._iterations += 1
        return {"loss": loss, "rate": rate, "rows": len(rows.targets), "won": float(rows.targets.mean())}

    def player(self) -> Agent:
        """Return the agent that plays the best turn."""
        self._values.renew()
        player = Dmc.playing(self._values)
        if self.config.responds:
            player.spec = RESPONDER
        return player

    def weights(self) -> Tensors:
        """Return the averaged weights."""
        return weights_of(self._played)

    def state(self) -> tuple[Tensors, dict[str, Any]]:
        """Return all that the run is."""
        networks = {"network": weights_of(self._network), "played": self.weights()}
        tensors = {f"{part}.{name}": array for part, weights in networks.items() for name, array in weights.items()}
        for number, state in self._optimiser.state_dict()["state"].items():
            tensors |= {f"adam.{number}.{name}": state[name].numpy().copy() for name in _ADAM}
        counts = {"moves": self.moves, "games": self._games, "iterations": self._iterations}
        return tensors, counts | {"clock": dict(self.clock.seconds)}

    def restore(self, tensors: Tensors, values: Mapping[str, Any]) -> None:
        """Take up what ``state`` returned."""
        for part, network in (("network", self._network), ("played", self._played)):
            load_weights(network, {name: tensors[f"{part}.{name}"] for name in network.state_dict()})
        whole = self._optimiser.state_dict()
        numbers = {int(name.split(".")[1]) for name in tensors if name.startswith("adam.")}
        whole["state"] = {
            number: {name: torch.from_numpy(np.array(tensors[f"adam.{number}.{name}"])) for name in _ADAM}
            for number in sorted(numbers)
        }
        self._optimiser.load_state_dict(whole)
        self.moves, self._games, self._iterations = (values[name] for name in ("moves", "games", "iterations"))
        self.clock.seconds.update(values["clock"])

    def _self_play(self, epsilon: float, rng: np.random.Generator) -> Rows:
        """Play games from the deal to the end and return all turns of those who learn."""
        self._values.renew()
        count = self.config.games
        states = batch.deal(self.rules, count, self.config.seed, self._games)
        learning = self._learning(count, rng)
        self._games += count
        steps, live = [], np.arange(count)
        over = MATCH_OVER if self.rules.match else ROUND_OVER
        while len(live):
            going = states[live]
            steps.append(self._step_all(going, live, learning[live], epsilon, rng))
            if self.rules.match:
                batch.next_round(going)
            states[live] = going
            live = live[going["phase"] < over]
        won = (states["winners"][:, None] >> np.arange(self.rules.players)) & 1
        return returns(steps, won / won.sum(axis=1, keepdims=True), self.config.decay, self.config.solved)

    def _learning(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the seat that learns in each of the next games, or ``_ALL``: [count] int64."""
        seats = (self._games + np.arange(count)) % self.rules.players
        against = (rng.random(count) < self.config.against_share) & (self._rival is not None)
        return np.where(against, seats, _ALL)

    def _step_all(
        self,
        states: States,
        games: NDArray[np.int64],
        learning: NDArray[np.int64],
        epsilon: float,
        rng: np.random.Generator,
    ) -> Step:
        """Make a turn where the learner is to move, in place, and a move where its rival is; return the turns."""
        if self._rival is None:
            return self._step(states, games, epsilon, rng)
        own = (learning == _ALL) | (states["to_move"] == learning)
        mine, others = states.take(np.flatnonzero(own)), states.take(np.flatnonzero(~own))
        _move(Player(self._rival, rng), others)
        step = self._step(mine, games[own], epsilon, rng)
        states[own], states[~own] = mine, others
        return step

    def _step(self, states: States, games: NDArray[np.int64], epsilon: float, rng: np.random.Generator) -> Step:
        """Make a turn in every game, in place."""
        count, seats = len(states), states["to_move"].astype(np.int64)
        turns, seen = np.empty((count, MOST_MOVES), np.uint8), np.empty((count, self._values.inputs), np.uint8)
        best, chosen = np.empty(count), np.empty(count, np.bool_)
        strays = np.where(rng.random(count) < epsilon, rng.random(count), -1.0)
        for listed in self._values.of(batch.views(states, seats)):
            here, rows = listed.views, np.empty(len(listed.ends), np.int64)
            choose_turns(listed.ends, listed.values, strays[here], rows, best[here])
            turns[here], seen[here] = listed.turns[rows], listed.seen[rows]
            chosen[here] = (np.diff(listed.ends, prepend=0) > 1) & ~listed.sure[rows]
        make_turns(states, turns)
        solved = np.zeros(count) if self._solved is None else self._solved.worths(states, seats, rng)
        return Step(games, seats, seen, best, chosen, solved)

    def _learn(self, rows: Rows, rate: float, epochs: int, rng: np.random.Generator) -> float:
        """Fit the network to rows and return the mean loss."""
        seen, targets = torch.from_numpy(rows.seen), torch.from_numpy(rows.targets)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        losses = [
            self._update(seen[some].to(torch.float32), targets[some])
            for _ in range(epochs)
            for some in torch.split(torch.from_numpy(rng.permutation(len(targets))), self.config.batch)
        ]
        return float(np.mean(losses))

    def _update(self, seen: Tensor, targets: Tensor) -> float:
        """Do one step of the optimiser and return the loss: the cross-entropy of the chance to win."""
        loss = nn.functional.binary_cross_entropy_with_logits(self._network(seen), targets)
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]  # PyTorch has no type here
        self._optimiser.step()
        return loss.item()


class _TimedValues(TurnValues):
    """Values that tell the network's time apart from the environment's, in which they are asked for."""

    def __init__(self, info: ModelInfo, network: Value, clock: Clock) -> None:
        super().__init__(info, network)
        self._clock = clock

    def judged(self, rows: int, ends: NDArray[np.int64]) -> Floats:
        before = self._clock.seconds["policy"]
        with self._clock.time("policy"):
            values = super().judged(rows, ends)
        self._clock.seconds["environment"] -= self._clock.seconds["policy"] - before
        return values


class _FittedSource:
    """Makes rows for the fitted part."""

    def __init__(self, config: DmcConfig, inputs: int) -> None:
        rules = config.played
        self._config, self._blank = config, blank_states(rules)
        self._layout = layout(rules, config.pieces)
        self._room = np.zeros(ROOM, STATE)
        self._turns, self._after = np.zeros((MOST_TURNS, MOST_MOVES), np.uint8), np.zeros(MOST_TURNS, STATE)
        self._inputs = inputs
        self._out = np.zeros((config.rows, size(rules, config.pieces)), np.uint8)
        self._write(np.empty(0, np.float32), 0)  # compiles, before the clock of the budget runs

    def rows(self, game: int) -> tuple[Rows, int]:
        """Return rows, and the number of the next game; ``game`` is that of the first one."""
        targets = np.empty(self._config.rows, np.float32)
        game = self._write(targets, game)
        return Rows(self._out[:, : self._inputs], targets), game

    def _write(self, targets: NDArray[np.float32], game: int) -> int:
        """Write as many rows as there are targets, see ``fitted_rows``."""
        return fitted_rows(
            self._blank,
            self._config.seed,
            game,
            self._config.strays,
            self._config.playouts,
            self._layout,
            self._room,
            self._turns,
            self._after,
            self._out[: len(targets)],
            targets,
        )


def _move(player: Player, states: States) -> None:
    """Let a player make a move in every game, in place; it is not asked where there is but one."""
    masks = batch.offers(states)
    moves = masks.argmax(axis=1)
    asked = np.flatnonzero(masks.astype(np.bool_).sum(axis=1) > 1)
    if len(asked):
        seen = states.take(asked)
        if not player.sees_all:
            seen = batch.views(seen, seen["to_move"])
        moves[asked] = player.agent.act(seen, masks.take(asked, axis=0), player.rng)
    batch.play(states, moves, masks)


def _start(text: str, info: ModelInfo) -> Model:
    """Return the model to begin with.

    Raises:
        ModelError: If it is not of this kind, or has more units in a layer or other layers.
    """
    model = load_model(shipped("dmc", info.rules) if text == SHIPPED else Path(text), "dmc")
    check_rules(model.info, info.rules)
    fits = len(model.info.hidden) == len(info.hidden) and all(map(le, model.info.hidden, info.hidden))
    if not fits or model.info.features != info.features:
        found = f"hidden {model.info.hidden} and {model.info.features}"
        raise ModelError(f"start: found {found}, expected at most {info.hidden} and {info.features}")
    return model


def returns(steps: list[Step], won: Floats, decay: float, solved: float = 0.0) -> Rows:
    """Return what the turns of finished games turned out worth.

    Args:
        steps: All turns, in their order; of every game one a step.
        won: [games, seats] float64, the part of the game that each seat won; overwritten.
        decay: 0 to 1, how much of what followed counts beside the value of the own next turn.
        solved: 0 to 1, how much of a target is what the turn is worth if all cards are open.
    """
    seen, targets = [], []
    for step in reversed(steps):
        worth = won[step.games, step.seats]
        seen.append(step.seen[step.chosen])
        targets.append((solved * step.solved + (1 - solved) * worth)[step.chosen])
        won[step.games, step.seats] = np.where(step.chosen, decay * worth + (1 - decay) * step.best, worth)
    return Rows(np.concatenate(seen), np.concatenate(targets).astype(np.float32))


def _between(first: float, last: float, part: float) -> float:
    """Return what lies between two rates, in equal ratios."""
    return float(first * (last / max(first, 1e-12)) ** part)
