"""``dmc``: plays the turn after which a network expects to win most; see ``learned.afterstates`` for what a turn is.

The network has learned by Deep Monte Carlo over whole turns (``experiments/train/dmc.py``). It is asked about the
position after every turn, as the mover sees it. Where a card is drawn unseen in mid-turn, the moves before it are
decided by the value of what is known then, and the rest when the card is. With a temperature T turns are drawn in
proportion to exp(value / T), value being the chance to win, 0 to 1.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.learned.afterstates import choose_turns
from agents.learned.networks import Value, load_network
from agents.learned.shipped import shipped
from agents.learned.turn_values import Listed, TurnValues
from agents.learned.weights import check_rules
from agents.protocol import Masks, Moves
from agents.registry import spec_of
from red7_env.game import Rules, States
from red7_env.observation.encoder import rules_of_all


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
        self._model = None if model is None else load_values(Path(model))
        self._shipped: dict[Rules, TurnValues] = {}

    @classmethod
    def playing(cls, values: TurnValues) -> "Dmc":
        """Return the agent that plays the best turn by these values, without a file."""
        agent = cls()
        agent._model = values
        return agent

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:  # noqa: ARG002 - the view holds the offer
        """Return the first move of the turn chosen for every view; see ``protocol.Agent``.

        Raises:
            ModelError: If there is no model for the rules.
        """
        moves = np.empty(len(views), np.int64)
        for listed in self._values(views).of(views):
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
        for listed in self._values(views).of(views):
            rows = np.repeat(np.arange(listed.views.start, listed.views.stop), np.diff(listed.ends, prepend=0))
            np.add.at(chances, (rows, listed.turns[:, 0]), self._chances(listed))
        return chances

    def _chances(self, listed: Listed) -> NDArray[np.float64]:
        """Return the probability of each turn among those of its view."""
        best = best_rows(listed.ends, listed.values)
        chances = np.zeros(len(listed.values))
        if self._temperature == 0:
            chances[best] = 1
            return chances
        counts = np.diff(listed.ends, prepend=0)
        chances = np.exp((listed.values - np.repeat(listed.values[best], counts)) / self._temperature)
        return chances / np.repeat(np.add.reduceat(chances, listed.ends - counts), counts)

    def _values(self, views: States) -> TurnValues:
        """Return the values for the rules of these views."""
        rules = rules_of_all(views)
        if self._model is not None:
            check_rules(self._model.info, rules)
            return self._model
        if rules not in self._shipped:
            self._shipped[rules] = load_values(shipped(self.name, rules))
        return self._shipped[rules]


def load_values(path: Path) -> TurnValues:
    """Return what a stored network says of turns.

    Raises:
        ModelError: If it cannot be read, or is not of this kind.
    """
    info, network = load_network(path, Dmc.name)
    assert isinstance(network, Value)  # noqa: S101 - the kind says so
    return TurnValues(info, network)


def best_rows(ends: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the row of each view's best turn.

    Args:
        ends: [N] int64, the row after the last turn of each view.
        values: [M] float64, of each turn.
    """
    chosen, best = np.empty(len(ends), np.int64), np.empty(len(ends))
    choose_turns(ends, values, np.full(len(ends), -1.0), chosen, best)
    return chosen
