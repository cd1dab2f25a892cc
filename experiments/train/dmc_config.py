"""What a run of Deep Monte Carlo is told."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from agents.solver.solver import SOLVED, is_solvable
from experiments.compare.config import checked_agents, is_timed
from experiments.train.config import TrainConfig
from experiments.train.options import TrainError, option, widths
from red7_env.game.errors import shown
from red7_env.game.state import blank_states
from red7_env.observation import Features

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "standard": {},
    "tiny": {"hidden": (64,), "rows": 4096, "batch": 256, "games": 128, "eval_deals": 100, "evaluations": 4},
}
"""Values by name; ``tiny`` is for small decks and tests."""

CHANCE: Final = "chance"
SHIPPED: Final = "shipped"
"""Starts that are no file."""

RESPONDER: Final = "responder"
"""Spec of what learns to beat an agent, which may be of the same kind."""


@dataclass(frozen=True, kw_only=True)
class DmcConfig(TrainConfig):
    """Settings of Deep Monte Carlo; ``dmc`` says what they do."""

    start: str = option(CHANCE, "what to begin with: a model's file, shipped for the one of these rules, or chance")
    against: str | None = option(
        None,
        "agent that plays all other seats and does not learn, it may see all hands; without one all seats learn",
        read=str,
    )
    against_share: float = option(1.0, "share of the games against it; in the rest all seats learn", low=0, high=1)
    hidden: tuple[int, ...] = option((256, 256, 128), "widths of the network's layers", read=widths)
    fitted: float = option(0.3, "part of the run that learns the worth of turns between greedy players", low=0, high=1)
    rows: int = option(32768, "positions of an iteration of that part", low=1, high=2**24)
    playouts: int = option(8, "worlds in which each is played out; 0 for the real one", low=0, high=10_000)
    strays: float = option(0.3, "share of random turns on the way to them", low=0, high=1)
    games: int = option(1024, "games of an iteration of self-play", low=1, high=2**20)
    epsilon: float = option(0.08, "share of random turns when self-play begins", low=0, high=1)
    epsilon_end: float = option(0.01, "the same when it ends", low=0, high=1)
    decay: float = option(0.8, "weight of what followed in a target, not of the own next value", low=0, high=1)
    solved: float = option(
        0.0, "weight in a target of who wins with all cards open and no errors; 2-player basic only", low=0, high=1
    )
    solved_worlds: int = option(8, "worlds in which that is asked; 0 for the real one", low=0, high=10_000)
    epochs: int = option(3, "passes over the positions of an iteration of self-play", low=1, high=100)
    batch: int = option(1024, "positions of an update", low=1, high=2**24)
    average: float = option(
        0.97, "how much of the played weights an iteration keeps; the rest is new", low=0, high=0.9999
    )
    rate: float = option(1e-3, "learning rate at the beginning", low=0, high=1)
    rate_play: float = option(3e-4, "learning rate when self-play begins", low=0, high=1)
    rate_end: float = option(3e-5, "learning rate at the end of either part", low=1e-9, high=1)

    @property
    def pieces(self) -> Features:
        """The features by their type."""
        return "base" if self.features == "base" else "derived"

    @property
    def yardsticks(self) -> tuple[str, ...]:
        """Who the strength is measured against: a responder's is against the one that it learns to beat."""
        return (self.against,) if self.against is not None and self.responds else super().yardsticks

    @property
    def responds(self) -> bool:
        """Whether all games are against one agent, so that what is learned is to beat that one and no other."""
        return self.against is not None and self.against_share == 1

    def check(self) -> None:
        """Check what hangs together; see ``TrainConfig``.

        Raises:
            Red7Error: If something does not exist or go together.
        """
        super().check()
        if self.against is None and self.against_share != 1:
            raise TrainError(f"against-share: found {self.against_share:g} without against, expected an agent there")
        if self.against is not None:
            checked_agents([self.against], cheating=True)
            if self.moves is not None and is_timed(self.against):
                raise TrainError(f"against: found {shown(self.against)} with moves, expected one that a seed repeats")
        if self.solved > 0 and not is_solvable(blank_states(self.played)):
            raise TrainError(f"solved: found {self.solved:g} for {self.played}, expected 0: it is for {SOLVED} only")
        if self.reward != "win":
            raise TrainError(f"reward: found '{self.reward}' with dmc, expected 'win': it learns the chance to win")
