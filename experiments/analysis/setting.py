"""Which rules a policy sets, and from which positions: its discards to the canvas."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from experiments.analysis.decisions import Decisions
from experiments.analysis.estimate import Estimate, mean_over_games
from red7_env.game.cards import COLOUR_NAMES
from red7_env.game.moves import DISCARD, END
from red7_env.game.state import AFTER_PLAY, START

_COLOURS: Final = len(COLOUR_NAMES)


class Setting(NamedTuple):
    """How often a colour becomes the rule by a discard from the hand.

    Attributes:
        colour: Its name.
        possible: Decisions at which a card of this colour could be discarded.
        chosen: Of those, the share in which one was.
    """

    colour: str
    possible: int
    chosen: Estimate


def rule_changes(decisions: Decisions) -> NDArray[np.int64]:
    """Return how often each rule was followed by each: [7, 7] int64, from the row to the column, violet to red."""
    discards = (decisions.moves >= DISCARD) & (decisions.moves < END)
    before = decisions.states["rule"][discards].astype(np.int64)
    after = (decisions.moves[discards] - DISCARD) % _COLOURS
    counts: NDArray[np.int64] = np.bincount(before * _COLOURS + after, minlength=_COLOURS**2)
    return counts.reshape(_COLOURS, _COLOURS)


def setting(decisions: Decisions, seed: int = 0) -> list[Setting]:
    """Return how often each colour was made the rule where it could be, from violet to red, with intervals over deals.

    Args:
        decisions: Of any rules; select some by ``decisions[mask]`` to ask from which positions.
        seed: Seed of the bootstrap.
    """
    can_discard = np.isin(decisions.states["phase"], (START, AFTER_PLAY))
    rows = []
    for colour, name in enumerate(COLOUR_NAMES):
        moves = np.arange(DISCARD + colour, END, _COLOURS)
        possible = can_discard & (decisions.masks[:, moves] == 1).any(axis=1)
        chosen = np.isin(decisions.moves[possible], moves).astype(np.float64)
        rows.append(Setting(name, int(possible.sum()), mean_over_games(chosen, decisions.deals[possible], seed)))
    return rows
