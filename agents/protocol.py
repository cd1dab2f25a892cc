"""What an agent is: something that is given views and masks, a batch at a time, and answers with moves.

An agent never sees the state of a game, only the view of the seat to move, so it cannot peek. All views of one call
are of games by the same rules, and each belongs to the seat that is to move in it.
"""

from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from red7_env.game import States

Masks: TypeAlias = NDArray[np.int8]
"""What each seat to move is offered, as ``batch.offers`` writes it: [N, A]; A is 101, or 248 with actions."""

Moves: TypeAlias = NDArray[np.int64]
"""An action id for each game: [N]."""


@runtime_checkable
class Agent(Protocol):
    """A player of Red7.

    Attributes:
        name: The agent's name in the registry, ``"rollout"``.
        spec: The text from which ``registry.make`` builds an equal agent, ``"rollout:playouts=50"``.
    """

    @property
    def name(self) -> str:
        """The agent's name in the registry."""
        ...

    @property
    def spec(self) -> str:
        """The text from which the registry makes an equal agent."""
        ...

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:
        """Return a move for every view.

        The same arguments and an equally seeded generator give the same moves, unless the agent's budget is a time.
        The arguments are left as they were, but for the generator.

        Args:
            views: [N] records of dtype ``STATE``, each the view of its seat to move.
            masks: [N, A] int8, 1 = offered; ``batch.offers(views)``. Every row has an offered move.
            rng: The only source of chance.

        Returns:
            [N] int64 action ids, each of them offered.
        """
        ...


@runtime_checkable
class PolicyAgent(Agent, Protocol):
    """An agent that can say how likely it would make each move."""

    def policy(self, views: States, masks: Masks) -> NDArray[np.float64]:
        """Return the probability of every move.

        Args:
            views: [N] records of dtype ``STATE``, each the view of its seat to move.
            masks: [N, A] int8, 1 = offered; ``batch.offers(views)``.

        Returns:
            [N, A] float64; every row sums to 1, with 0 where a move is not offered.
        """
        ...


@runtime_checkable
class ValueAgent(Agent, Protocol):
    """An agent that can say how the game stands for the seat to move."""

    def values(self, views: States, masks: Masks) -> NDArray[np.float64]:
        """Return what each seat to move expects to win.

        Args:
            views: [N] records of dtype ``STATE``, each the view of its seat to move.
            masks: [N, A] int8, 1 = offered; ``batch.offers(views)``.

        Returns:
            [N] float64, from 0 for a loss to 1 for a win (the expected share of it, where a win may be shared); NaN
            where the agent cannot say.
        """
        ...


@runtime_checkable
class MoveValueAgent(Agent, Protocol):
    """An agent that can say what each move is worth."""

    def move_values(self, views: States, masks: Masks, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return what the seat to move expects to win after each move.

        Args:
            views: [N] records of dtype ``STATE``, each the view of its seat to move.
            masks: [N, A] int8, 1 = offered; ``batch.offers(views)``.
            rng: The only source of chance.

        Returns:
            [N, A] float64, on the scale of ``ValueAgent.values``; NaN where a move is not offered or was not judged.
        """
        ...
