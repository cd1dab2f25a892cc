"""How far decisions agree with open-handed play without an error, in 2-player basic: by phase, rule and hand size.

A position is won or lost for the seat to move if nobody errs with all hands open; a move of a won position keeps the
win or gives it away. The player sees one hand only, so some errors cannot be helped: compare policies, not a policy
with 100 %. ``regret`` is the share of the win that is given away, which here is 0 or 1.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents import Moves
from agents.solver import Solver
from experiments.analysis.decisions import Decisions
from experiments.analysis.estimate import Estimate, mean_over_games
from red7_env.game.cards import COLOUR_NAMES
from red7_env.game.moves import PASS
from red7_env.render.words import PHASE_WORDS

Keys = Callable[[Decisions], NDArray[np.str_]]


@dataclass(frozen=True)
class Judged:
    """What the solver says of moves.

    Attributes:
        won: [D] bool, whether the seat to move wins if nobody errs.
        critical: [D] bool, whether it wins, and some offered move other than the pass gives the win away.
        keeps: [D] bool, whether the move keeps the win; False in lost positions.
    """

    won: NDArray[np.bool_]
    critical: NDArray[np.bool_]
    keeps: NDArray[np.bool_]

    @property
    def regret(self) -> NDArray[np.float64]:
        """[D] float64, 1 where a win was given away."""
        return (self.won & ~self.keeps).astype(np.float64)


class Row(NamedTuple):
    """A group of decisions.

    Attributes:
        key: What they have in common.
        decisions: How many there are.
        agreement: Of the critical ones, the share in which the win was kept.
        regret: Of all, the share in which a win was given away.
    """

    key: str
    decisions: int
    agreement: Estimate
    regret: Estimate


def judged(decisions: Decisions, moves: Moves | None = None) -> Judged:
    """Return what the solver says of moves.

    Args:
        decisions: Decisions in 2-player basic.
        moves: [D] int64 action ids, if not those that were played: what another agent would play.

    Raises:
        ValueError: If other rules are played.
    """
    rows, played = np.arange(len(decisions)), decisions.moves if moves is None else moves
    solver = Solver()
    winning = solver.winning_moves(decisions.states)
    won: NDArray[np.bool_] = winning.max(axis=1, initial=0) == 1
    offered = decisions.masks.copy()
    offered[:, PASS] = 0
    spoils: NDArray[np.bool_] = (offered - winning).max(axis=1, initial=0) == 1
    return Judged(won, won & spoils, winning[rows, played] == 1)


def agreement(
    decisions: Decisions, verdict: Judged | None = None, by: Keys | str | None = None, seed: int = 0
) -> list[Row]:
    """Return agreement and regret of each group of decisions, with intervals over deals.

    Args:
        decisions: Decisions in 2-player basic.
        verdict: What ``judged`` said of them; of the moves that were played if left out.
        by: ``"phase"``, ``"rule"`` or ``"hand"``, or a function to keys; one group of all if left out.
        seed: Seed of the bootstrap.

    Raises:
        ValueError: If other rules are played.
    """
    verdict = judged(decisions) if verdict is None else verdict
    found = KEYS[by] if isinstance(by, str) else by
    keys = np.full(len(decisions), "all") if found is None else found(decisions)
    rows = []
    for key in dict.fromkeys(keys.tolist()) if by is None else sorted(set(keys.tolist())):
        inside = keys == key
        critical = inside & verdict.critical
        rows.append(
            Row(
                str(key),
                int(inside.sum()),
                mean_over_games(verdict.keeps[critical].astype(np.float64), decisions.deals[critical], seed),
                mean_over_games(verdict.regret[inside], decisions.deals[inside], seed),
            )
        )
    return rows


def _phases(decisions: Decisions) -> NDArray[np.str_]:
    return np.array([PHASE_WORDS[phase] for phase in decisions.states["phase"].tolist()], np.str_)


def _rules(decisions: Decisions) -> NDArray[np.str_]:
    names: NDArray[np.str_] = np.array(COLOUR_NAMES, np.str_)[decisions.states["rule"]]
    return names


def _hands(decisions: Decisions) -> NDArray[np.str_]:
    return np.array([f"{size:2}" for size in decisions.hand_sizes.tolist()], np.str_)


KEYS: Final[Mapping[str, Keys]] = MappingProxyType({"phase": _phases, "rule": _rules, "hand": _hands})
"""How decisions may be grouped by name."""
