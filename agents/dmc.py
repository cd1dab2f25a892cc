"""``dmc``: plays the turn after which a network expects to win most; see ``learned.afterstates`` for what a turn is.

The network has learned by Deep Monte Carlo over whole turns (``experiments/train/dmc.py``). It is asked about the
position after every turn, as the mover sees it. Where a card is drawn unseen in mid-turn, the moves before it are
decided by the value of what is known then, and the rest when the card is. With a temperature T turns are drawn in
proportion to exp(value / T), value being the chance to win, 0 to 1.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from agents.learned.afterstates import choose_turns
from agents.learned.values_by_rules import ValuesByRules
from agents.protocol import Masks, Moves
from agents.registry import spec_of
from red7_env.game import States
from red7_env.game.moves import PASS

if TYPE_CHECKING:
    from agents.learned.turn_values import Listed, TurnValues


class Dmc:
    """Plays by a learned value of whole turns."""

    name = "dmc"

    def __init__(self, *, model: str | None = None, temperature: float = 0.0) -> None:
        """Choose the network.

        Args:
            model: File of the model; None for the one that comes with the project for the rules that are played.
            temperature: 0 for the best turn, more for chance.

        Raises:
            ModelError: If the file is no model of this kind.
        """
        self.spec = spec_of(self.name, model=model, temperature=temperature)
        self._temperature = temperature
        self._values = ValuesByRules(self.name, model)

    @classmethod
    def playing(cls, values: "TurnValues") -> "Dmc":
        """Return the agent that plays the best turn by these values, without a file."""
        agent = cls()
        agent._values = ValuesByRules.only(values)
        return agent

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:  # noqa: ARG002 - the view holds the offer
        """Return the first move of the turn chosen for every view; see ``protocol.Agent``.

        Raises:
            ModelError: If there is no model for the rules.
        """
        moves = np.empty(len(views), np.int64)
        if not len(views):
            return moves
        for listed in self._values.fitting(views).of(views):
            values = listed.values
            if self._temperature > 0:
                # The greatest of the logits with Gumbel noise is a draw from their softmax.
                values = values / self._temperature + rng.gumbel(size=len(values))
            moves[listed.views] = listed.turns[best_rows(listed.ends, values), 0]
        return moves

    def policy(self, views: States, masks: Masks) -> NDArray[np.float64]:
        """Return the probability of every move; see ``protocol.PolicyAgent``.

        Raises:
            ModelError: If there is no model for the rules.
        """
        chances = np.zeros(masks.shape)
        if not len(views):
            return chances
        for listed in self._values.fitting(views).of(views):
            np.add.at(chances, (_rows(listed), listed.turns[:, 0]), self._chances(listed))
        return chances

    def values(self, views: States, masks: Masks) -> NDArray[np.float64]:
        """Return what each seat to move expects to win by its play; see ``protocol.ValueAgent``.

        Raises:
            ModelError: If there is no model for the rules.
        """
        expected = np.zeros(len(masks))
        if not len(views):
            return expected
        for listed in self._values.fitting(views).of(views):
            expected[listed.views] = np.add.reduceat(self._chances(listed) * listed.values, _begins(listed.ends))
        return expected

    def move_values(self, views: States, masks: Masks, rng: np.random.Generator) -> NDArray[np.float64]:  # noqa: ARG002 - no chance
        """Return the value of the best turn that begins with each move; see ``protocol.MoveValueAgent``.

        Raises:
            ModelError: If there is no model for the rules.
        """
        worths = np.full(masks.shape, np.nan)
        if not len(views):
            return worths
        if not views[0]["match"]:  # there it is not listed beside others, as it only loses
            worths[masks[:, PASS] == 1, PASS] = 0
        for listed in self._values.fitting(views).of(views):
            np.fmax.at(worths, (_rows(listed), listed.turns[:, 0]), listed.values)
        return worths

    def _chances(self, listed: "Listed") -> NDArray[np.float64]:
        """Return the probability of each turn among those of its view."""
        best = best_rows(listed.ends, listed.values)
        chances = np.zeros(len(listed.values))
        if self._temperature == 0:
            chances[best] = 1
            return chances
        counts = np.diff(listed.ends, prepend=0)
        chances = np.exp((listed.values - np.repeat(listed.values[best], counts)) / self._temperature)
        chances /= np.repeat(np.add.reduceat(chances, _begins(listed.ends)), counts)
        return chances


def _begins(ends: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the row of each view's first turn: [n] int64."""
    return np.concatenate([np.zeros(1, np.int64), ends[:-1]])


def _rows(listed: "Listed") -> NDArray[np.int64]:
    """Return the view of each listed turn: [M] int64."""
    return np.repeat(np.arange(listed.views.start, listed.views.stop), np.diff(listed.ends, prepend=0))


def best_rows(ends: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the row of each view's best turn.

    Args:
        ends: [N] int64, the row after the last turn of each view.
        values: [M] float64, of each turn.
    """
    chosen, best = np.empty(len(ends), np.int64), np.empty(len(ends))
    choose_turns(ends, values, np.full(len(ends), -1.0), chosen, best)
    return chosen
