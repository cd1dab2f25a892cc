"""The PettingZoo environments behind ``red7_v0``: ``Red7Env``, and ``OrderedRed7Env`` that minds the order of calls.

PettingZoo's three standard wrappers cost more than the game, so their checks are made here: moves that are not offered
are caught by the kernel that would do them, and the order of calls by ``OrderedRed7Env``.
"""

import copy
import secrets
from collections.abc import Iterator
from operator import index as whole_number
from typing import Any, NoReturn, Self, SupportsIndex, TypedDict

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import DTypeLike, NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from red7_env.batch_rewards import Reward
from red7_env.game.errors import IllegalMoveError, shown
from red7_env.game.game import Game
from red7_env.game.seeds import checked_seed
from red7_env.observation import OBSERVATION_VERSION, Features, oracle, oracle_pieces, size
from red7_env.render.modes import Frame, frame, print_tables
from red7_env.settings import RENDER_MODES, RULES_VERSION, Illegal, RenderMode, settings_of
from red7_env.single import OUT, OVER, REFUSED, SEAT
from red7_env.table import Table

_AFTER_RESET = frozenset(
    (
        "agents",
        "num_agents",
        "agent_selection",
        "rewards",
        "terminations",
        "truncations",
        "infos",
        "_cumulative_rewards",
    )
)


class Observation(TypedDict):
    """What ``observe`` returns.

    Attributes:
        observation: Shape (size,), zeros and ones, uint8 or float32.
        action_mask: [number of moves] int8, 1 = offered; all 0 for a seat that is not to move.
    """

    observation: NDArray[Any]
    action_mask: NDArray[np.int8]


class Red7Env(AECEnv[str, Any, Any]):
    """Red7 for PettingZoo, without checks of the order of calls: ``red7_v0.raw_env``.

    Attributes:
        possible_agents: ``player_0`` ..., one a seat.
        agents: Those that have not left the game yet.
        agent_selection: The agent to step next.
        settings: What is played.
        render_mode: ``"ansi"``, ``"human"``, ``"svg"``, ``"rgb_array"`` or None.
        state_space: Of ``state()``.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo's form
        "name": "red7_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
        "rules_version": RULES_VERSION,
        "observation_version": OBSERVATION_VERSION,
    }

    def __init__(  # noqa: PLR0913, PLR0917 - what there is to choose
        self,
        num_players: int = 2,
        variant: str = "basic",
        actions: str | None = None,
        match: bool = False,  # noqa: FBT001, FBT002 - the arguments of PettingZoo's environments may be positional
        reward: Reward = "win",
        deck: tuple[int, int, int] = (7, 7, 7),
        dtype: DTypeLike = np.uint8,
        illegal: Illegal = "terminate",
        render_mode: RenderMode | None = None,
        features: Features = "derived",
    ) -> None:
        """Set the game up; ``red7_v0`` describes the arguments.

        Raises:
            ValueError: If a value does not exist, or some do not go together.
        """
        super().__init__()  # type: ignore[no-untyped-call]
        self.settings = settings_of(
            num_players=num_players,
            variant=variant,
            actions=actions,
            match=match,
            reward=reward,
            deck=deck,
            dtype=dtype,
            illegal=illegal,
            render_mode=render_mode,
            features=features,
        )
        rules = self.settings.rules
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(rules.players)]
        self.state_space = spaces.Box(0, 1, (oracle_pieces(rules)[-1].slice.stop,), np.uint8)
        self._table = Table(self.settings)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_spaces: dict[str, spaces.Dict] = {}
        self._action_spaces: dict[str, spaces.Discrete[np.int64]] = {}
        self._seed: int | None = None
        self._index = 0
        self._warned: str | None = None

    def __getattr__(self, name: str) -> NoReturn:
        """Say why an attribute is missing that ``reset`` sets."""
        reason = "cannot be accessed before reset" if name in _AFTER_RESET else "does not exist"
        raise AttributeError(f"{name} {reason}")

    def __repr__(self) -> str:
        """Return what the environment plays."""
        return f"<{type(self).__name__} {self.settings.rules}>"

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return an agent's observation space, always the same object.

        Raises:
            ValueError: If there is no such agent.
        """
        agent = self.possible_agents[self._seat_of(agent)]
        if agent not in self._observation_spaces:
            length = size(self.settings.rules, self.settings.features)
            self._observation_spaces[agent] = spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (length,), self.settings.dtype),
                    "action_mask": spaces.Box(0, 1, (self.settings.rules.num_moves,), np.int8),
                }
            )
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Discrete[np.int64]":
        """Return an agent's action space, always the same object.

        Raises:
            ValueError: If there is no such agent.
        """
        agent = self.possible_agents[self._seat_of(agent)]
        if agent not in self._action_spaces:
            self._action_spaces[agent] = spaces.Discrete(self.settings.rules.num_moves)
        return self._action_spaces[agent]

    @property
    def observation_spaces(self) -> dict[str, spaces.Dict]:  # type: ignore[override]  # made when first asked for
        """All observation spaces by agent."""
        return {agent: self.observation_space(agent) for agent in self.possible_agents}

    @property
    def action_spaces(self) -> "dict[str, spaces.Discrete[np.int64]]":  # type: ignore[override]  # as above
        """All action spaces by agent."""
        return {agent: self.action_space(agent) for agent in self.possible_agents}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: The game is number 0 of this seed. Without one it is the next number of the seed before, and of a
                random seed the first time.
            options: ``{"position": text}`` begins at a position, ``{"position": text, "turns": text}`` after some more
                moves. Other keys are ignored, as PettingZoo's tests ask for.

        Raises:
            ValueError: If the seed is not from 0 to 2**64 - 1, or a text is refused; the game before goes on then.
        """
        dealt_from, number = self._next_game(seed)
        position, turns = (options or {}).get("position"), (options or {}).get("turns", "")
        if position is None:
            code = self._table.deal(dealt_from, number)
        else:
            code = self._table.place(position, turns, seed=dealt_from, index=number)
        self._seed, self._index = dealt_from, number
        self._warned = None
        agents = list(self.possible_agents)
        self.agents = agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: {} for agent in agents}
        self._skip_agent_selection = None  # type: ignore[assignment]  # as the base class does
        self._settle(code)
        if self.render_mode == "human":
            self._print()

    def step(self, action: SupportsIndex | None) -> None:
        """Do a move of the agent to step; an agent that is terminated steps with None and leaves.

        A move that is not offered is dealt with as the setting ``illegal`` says.

        Raises:
            IllegalMoveError: If ``illegal`` is ``"raise"`` and the move is not offered; the game has not changed.
            ValueError: If an agent that is terminated is given a move.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if self._warned is not None:
            self.infos[self._warned] = {}
            self._warned = None
        try:
            code = self._table.play(whole_number(action))  # type: ignore[arg-type]  # refused below
        except TypeError:
            code = REFUSED
        if code == REFUSED:
            self._refuse(agent, action)
        elif code <= SEAT:
            # Rewards are paid to agents that are terminated only, so there is nothing to clear or to add up here.
            self.agent_selection = self.possible_agents[code]
        else:
            self._settle(code)
        if self.render_mode == "human":
            self._print()

    def observe(self, agent: str) -> Observation:
        """Return what an agent observes now, on its turn or off it, in fresh arrays.

        Raises:
            ValueError: If there is no such agent.
        """
        seat = self._seat_of(agent)
        observation, mask = self._table.observe(seat)
        return {"observation": observation, "action_mask": mask}

    def state(self) -> NDArray[np.uint8]:
        """Return the oracle observation, which shows all hands too, as seen from the seat to move."""
        seen: NDArray[np.uint8] = oracle(self._table.states)[0]
        return seen

    def render(self) -> Frame | None:
        """Return the table as the render mode says, or print it in mode ``human``; all hands are shown.

        Raises:
            ImportError: In mode ``rgb_array`` if Pillow is not installed.
        """
        if self.render_mode is None:
            gymnasium.logger.warn(f"render: found render_mode None, expected one of {RENDER_MODES} when it was made")
            return None
        if self.render_mode == "human":
            self._print()
            return None
        return frame(self._table.states[0], self.render_mode)

    def _repr_svg_(self) -> str | None:
        """Return the table with all hands for a notebook; None before the first reset."""
        if "agents" not in self.__dict__:
            return None
        shown_frame = frame(self._table.states[0], "svg")
        return str(shown_frame)

    def close(self) -> None:
        """Release what rendering holds: nothing."""

    def position(self) -> str:
        """Return the text form of the position at the start of the present turn, or at the end of the game."""
        return self._table.position

    def record(self, players: list[str] | None = None) -> str:
        """Return the game so far as one line of JSON, whether or not it is over; see ``transcript.record_text``.

        Args:
            players: One name a seat, the agents' if left out.

        Raises:
            RecordError: If the names are not one a seat.
        """
        return self._table.record(self.possible_agents if players is None else players)

    def game(self) -> Game:
        """Return a ``Game`` that stands where this one does, with its log, to look at or to play on elsewhere."""
        return self._table.game()

    def clone(self) -> Self:
        """Return an environment whose game goes on by itself from here, identically under the same moves."""
        mutable: dict[str, Any] = {
            "_table": self._table.copy(),
            "_observation_spaces": copy.deepcopy(self._observation_spaces),
            "_action_spaces": copy.deepcopy(self._action_spaces),
        }
        for name in _AFTER_RESET & self.__dict__.keys() - {"infos", "agent_selection"}:
            mutable[name] = self.__dict__[name].copy()
        if "infos" in self.__dict__:
            mutable["infos"] = {agent: info.copy() for agent, info in self.infos.items()}
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__ | mutable)
        return twin

    def _seat_of(self, agent: object) -> int:
        try:
            return self._seats[agent]  # type: ignore[index]  # refused below
        except (KeyError, TypeError):
            last = self.possible_agents[-1]
            raise ValueError(f"agent: found {shown(agent)}, expected player_0 to {last}") from None

    def _next_game(self, seed: int | None) -> tuple[int, int]:
        """Return seed and number of the game to begin."""
        if seed is not None:
            return int(checked_seed(seed)), 0
        if self._seed is None:
            return secrets.randbits(64), 0
        return self._seed, self._index + 1

    def _settle(self, code: int) -> None:
        """Select who steps next, after paying and terminating the agents that are out, or all at the end.

        Args:
            code: What a move has returned, see ``single``.
        """
        self.agent_selection = self.possible_agents[code & SEAT]
        if code & OVER:
            self._end(dict(zip(self.possible_agents, self._table.rewards(), strict=True)))
        elif code & OUT and self.settings.pays_early:
            seats_in, loss = int(self._table.states[0]["seats_in"]), self.settings.loss
            self._end({agent: loss for agent in self.agents if not seats_in >> self._seats[agent] & 1})

    def _end(self, paid: dict[str, float]) -> None:
        """Pay and terminate those of these agents that are still here, and let them step first."""
        for agent in self.agents:
            if agent in paid:
                self.rewards[agent] = self._cumulative_rewards[agent] = paid[agent]
                self.terminations[agent] = True
        self._deads_step_first()

    def _refuse(self, agent: str, action: object) -> None:
        """Deal with a move that is not offered."""
        message = f"{agent}: {self._table.refusal(action)}"
        if self.settings.illegal == "raise":
            raise IllegalMoveError(message)
        EnvLogger.get_logger().warning("illegal move of %s", message)
        self.infos[agent] = {"illegal": message}
        self._warned = agent
        if self.settings.illegal == "eliminate":
            self._settle(self._table.forfeit())
        else:
            self._abort(agent)

    def _abort(self, offender: str) -> None:
        """End the game as PettingZoo's TerminateIllegalWrapper does: -1 for the offender, nothing for the others."""
        self._table.abort()
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards[offender] = -1.0
        self._accumulate_rewards()
        self._deads_step_first()

    def _print(self) -> None:
        print_tables(self._table.states)


class OrderedRed7Env(Red7Env):
    """Red7 for PettingZoo, with checks of the order of calls as PettingZoo's OrderEnforcingWrapper makes them."""

    _has_reset = False
    _has_moved = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; see ``Red7Env.reset``."""
        super().reset(seed, options)
        self._has_reset = self._has_moved = True

    def step(self, action: SupportsIndex | None) -> None:
        """Do a move of the agent to step; see ``Red7Env.step``.

        Raises:
            AssertionError: Before the first reset.
        """
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_moved = True
        if self.agents:
            super().step(action)
        else:
            EnvLogger.warn_step_after_terminated_truncated()

    def observe(self, agent: str) -> Observation:
        """Return what an agent observes now; see ``Red7Env.observe``.

        Raises:
            AssertionError: Before the first reset.
        """
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def state(self) -> NDArray[np.uint8]:
        """Return the oracle observation; see ``Red7Env.state``.

        Raises:
            AssertionError: Before the first reset.
        """
        if not self._has_reset:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> Frame | None:
        """Show the table; see ``Red7Env.render``.

        Raises:
            AssertionError: Before the first reset.
        """
        if not self._has_reset:
            EnvLogger.error_render_before_reset()
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:  # type: ignore[override]  # a generator is faster
        """Return an iterator over the agents to step, which asks for a step or a reset between two of them.

        Raises:
            AssertionError: Before the first reset, and from the iterator if there was neither.
        """
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return self._agents_in_order(max_iter)

    def _agents_in_order(self, max_iter: int) -> Iterator[str]:
        for _ in range(max_iter):
            if not self.agents:
                return
            if not self._has_moved:
                raise AssertionError("need to call step() or reset() in a loop over `agent_iter`")
            self._has_moved = False
            yield self.agent_selection
