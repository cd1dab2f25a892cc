"""``Red7-v0``: the Gymnasium environment of one seat, whose opponents play inside.

    env = gymnasium.make("red7_env:Red7-v0", num_players=3, opponents=agent, seat="rotate")

It takes the arguments of ``red7_v0`` (there described, with rules, actions, observations and rewards) and two more:

| argument | default | meaning |
| --- | --- | --- |
| `opponents` | `None` | who plays the other seats: one for all, or a list with one a seat in turn order after the learner's |
| `seat` | `0` | the learner's seat; or in game k of the seed `"rotate"`: k modulo the number of players, `"random"`: drawn |

An opponent has ``act(views, masks, rng)`` as every agent does, or is a function from an observation dict to an action
id; None plays random moves. A step runs from the learner's move to its next one, with all that the opponents do in
between, and ends at the latest when the game does: so the learner sees its win or loss whoever made the last move. A
learner that is out of a single round has lost and is terminated at once, unless points are to be paid, which are known
only at the end.

``reset(seed=s)`` deals game 0 of seed s, each later ``reset()`` the next game; one that ends before the learner is asked
for a move is no experience and is passed over. Game k of a seed seats the learner alike here and in the environments of
many games. ``reset(options={"seat": 1})`` chooses the seat of one game, and ``{"position": text, "turns": text}`` where
it begins. ``info`` holds ``action_mask`` (int8), ``seat``, ``to_move`` and, after the last step, ``winners``, the
winning seats (none if the game goes on without the learner), and in advanced ``scores``, the points of all seats.
"""  # noqa: E501 - lines of tables cannot be broken

from collections.abc import Sequence
from operator import index as whole_number
from typing import Any, SupportsIndex, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from red7_env.game.errors import IllegalMoveError
from red7_env.game.game import Game
from red7_env.game.seeds import checked_seed
from red7_env.observation import OBSERVATION_VERSION, size
from red7_env.opponents import Opponent, Policy, checked_opponents
from red7_env.render.modes import Frame, frame, print_tables
from red7_env.seat_kernels import seat_of_game
from red7_env.seats import Seat, checked_seat
from red7_env.settings import RENDER_MODES, RULES_VERSION, Options, settings_of
from red7_env.single import REFUSED
from red7_env.table import Table


class Red7GymEnv(gymnasium.Env[NDArray[Any], np.int64]):
    """One seat of Red7 for Gymnasium; the module describes it.

    Attributes:
        settings: What is played.
        seat: The learner's seat in the present game.
        opponents: Who plays the other seats, in turn order after the learner's.
        observation_space: ``Box`` of the observation's bits.
        action_space: ``Discrete`` of the action ids.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium's form
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
        "rules_version": RULES_VERSION,
        "observation_version": OBSERVATION_VERSION,
    }

    def __init__(
        self,
        *,
        opponents: Opponent | Policy | Sequence[Opponent | Policy] | None = None,
        seat: Seat = 0,
        **options: Unpack[Options],
    ) -> None:
        """Set the game up.

        Raises:
            ValueError: If a value does not exist, or some do not go together.
        """
        self.settings = settings_of(**options)
        rules = self.settings.rules
        self.render_mode = self.settings.render_mode
        self.opponents = checked_opponents(opponents, rules.players - 1)
        self._chosen_seat = self._checked_seat(seat)
        self.seat = 0
        self.observation_space = spaces.Box(
            0,
            1,
            (size(rules, self.settings.features),),
            self.settings.dtype,
        )
        self.action_space = spaces.Discrete(rules.num_moves)
        self._table = Table(self.settings)
        self._seed: int | None = None
        self._game = 0
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin a game and play it to the learner's first move; see the module.

        Raises:
            ValueError: If an argument is refused, or a game from a position does not come to the learner.
        """
        if seed is not None:
            self._seed, self._game = int(checked_seed(seed)), 0
        super().reset(seed=None if seed is None else self._seed)
        if self._seed is None:
            self._seed = int(self.np_random.integers(2**64, dtype=np.uint64))
        options = options or {}
        seat = self._checked_seat(options["seat"]) if "seat" in options else self._chosen_seat
        self._over = False
        while not self._begin(seat, options):
            if options.get("position") is not None:
                raise ValueError("position: found a game that ends before the learner's move, expected one to play")
        self._show()
        return self._result()

    def step(self, action: SupportsIndex) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Do the learner's move and play on to its next one, or to its end.

        Raises:
            IllegalMoveError: If the move is not offered and ``illegal`` is ``"raise"``, or an opponent's is not.
            gymnasium.error.ResetNeeded: If the game is over for the learner.
        """
        if self._over:
            raise gymnasium.error.ResetNeeded("step: found a game that is over, expected reset() first")
        try:
            code = self._table.play(whole_number(action))
        except TypeError:
            code = REFUSED
        refused = self._refuse(action) if code == REFUSED else {}
        aborted = bool(refused) and self.settings.illegal == "terminate"
        reward = self._abort() if aborted else self._play_on()
        self._show()
        observation, info = self._result()
        return observation, reward, self._over, False, info | refused

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the offer as MaskablePPO asks for it: [number of moves] bool."""
        offered: NDArray[np.bool_] = self._table.mask != 0
        return np.zeros_like(offered) if self._over else offered

    def render(self) -> Frame | None:
        """Return what the learner sees of the table as the render mode says, or print it in mode ``human``.

        Raises:
            ImportError: In mode ``rgb_array`` if Pillow is not installed.
        """
        if self.render_mode is None:
            gymnasium.logger.warn(f"render: found render_mode None, expected one of {RENDER_MODES} when it was made")
            return None
        view = self._table.view(self.seat)
        if self.settings.render_mode in {None, "human"}:
            print_tables(view)
            return None
        return frame(view[0], self.settings.render_mode)

    def _repr_svg_(self) -> str | None:
        """Return what the learner sees for a notebook; None before the first reset."""
        return None if self._seed is None else str(frame(self._table.view(self.seat)[0], "svg"))

    def position(self) -> str:
        """Return the text form of the position at the start of the present turn, or at the end of the game."""
        return self._table.position

    def record(self, players: list[str] | None = None) -> str:
        """Return the game so far as one line of JSON; see ``transcript.record_text``.

        Args:
            players: One name a seat; ``learner`` and ``opponent`` if left out.

        Raises:
            RecordError: If the names are not one a seat.
        """
        seats = range(self.settings.rules.players)
        return self._table.record(players or ["learner" if seat == self.seat else "opponent" for seat in seats])

    def game(self) -> Game:
        """Return a ``Game`` that stands where this one does, with its log."""
        return self._table.game()

    def _checked_seat(self, seat: object) -> int:
        return checked_seat(seat, self.settings.rules.players - 1)

    def _begin(self, seat: int, options: dict[str, Any]) -> bool:
        """Begin the next game and let the opponents play; return whether it comes to the learner.

        Args:
            seat: The learner's, or the code for how it is chosen.
            options: Of ``reset``.
        """
        assert self._seed is not None  # noqa: S101 - reset has set it
        number, self._game = self._game, self._game + 1
        self.seat = int(seat_of_game(seat, np.uint64(self._seed), np.uint64(number), self.settings.rules.players))
        position = options.get("position")
        if position is None:
            self._table.deal(self._seed, number)
        else:
            self._table.place(position, options.get("turns", ""), seed=self._seed, index=number)
        self._play_opponents()
        return self._asks_learner

    @property
    def _asks_learner(self) -> bool:
        return self._table.to_move == self.seat and not self._table.over

    @property
    def _is_out(self) -> bool:
        """Whether the learner has lost a single round and is paid for it at once."""
        return self.settings.pays_early and not self._table.states[0]["seats_in"] >> self.seat & 1

    def _play_opponents(self) -> None:
        """Let the opponents move until the learner is asked, or nothing more can happen to it."""
        while not (self._table.over or self._table.to_move == self.seat or self._is_out):
            mover = self._table.to_move
            action = self._opponent_move(mover)
            if self._table.play(action) == REFUSED:
                raise IllegalMoveError(f"opponent at seat {mover}: {self._table.refusal(action)}")

    def _opponent_move(self, mover: int) -> int:
        opponent = self.opponents[(mover - self.seat) % self.settings.rules.players - 1]
        act = getattr(opponent, "act", None)  # isinstance with a protocol takes longer than a game
        if act is not None:
            view, mask = self._table.view(mover), self._table.mask[None].copy()
            return int(act(view, mask, self.np_random)[0])
        observation, mask = self._table.observe(mover)
        return int(opponent({"observation": observation, "action_mask": mask}))  # type: ignore[operator]  # a function

    def _play_on(self) -> float:
        """Play to the learner's next move, or to its end; return what it has been paid."""
        self._play_opponents()
        self._over = self._table.over or self._is_out
        if self._table.over:
            return self._table.rewards()[self.seat]
        return self.settings.loss if self._is_out else 0.0

    def _refuse(self, action: object) -> dict[str, Any]:
        """Deal with a move of the learner that is not offered; return what is to be told about it."""
        message = self._table.refusal(action)
        if self.settings.illegal == "raise":
            raise IllegalMoveError(f"action: {message}")
        if self.settings.illegal == "eliminate":
            self._table.forfeit()
        return {"illegal": message}

    def _abort(self) -> float:
        """End the game for a move that was not offered; return what the learner is paid."""
        self._table.abort()
        self._over = True
        return -1.0

    def _result(self) -> tuple[NDArray[Any], dict[str, Any]]:
        """Return what the learner observes, and the info about it."""
        observation, mask = self._table.observe(self.seat)
        info: dict[str, Any] = {"action_mask": mask, "seat": self.seat, "to_move": self._table.to_move}
        if self._over:
            winners = int(self._table.states[0]["winners"]) if self._table.over else 0
            info["winners"] = [seat for seat in range(self.settings.rules.players) if winners >> seat & 1]
            if self.settings.rules.advanced and self._table.over:
                info["scores"] = self._table.scores()
        return observation, info

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
