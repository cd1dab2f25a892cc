"""How much can be won against a policy: values, best responses, NashConv.

A policy of a part is a pair of arrays, one for each seat: the probability of each of its sequences at its information
set, 1 for the empty sequence. Best responses are exact, and made with perfect recall.
"""

from dataclasses import dataclass

import numpy as np

from agents.exact import kernels
from agents.exact.kernels import Floats, Pair
from agents.exact.part import Part


@dataclass(frozen=True)
class Worth:
    """What a policy is worth in a part.

    Attributes:
        value: What seat 0, who begins, wins if both seats follow it.
        responses: What seat 0 wins by its best response to seat 1's policy, and seat 1 by its own to seat 0's.
    """

    value: float
    responses: tuple[float, float]

    @property
    def nash_conv(self) -> float:
        """What both seats together can win by leaving the policy; 0 for a Nash equilibrium (Lanctot et al., 2017)."""
        return self.responses[0] + self.responses[1]


def worth_of(part: Part, policy: Pair) -> Worth:
    """Return what a policy is worth."""
    found = [best_response(part, seat, policy)[0] for seat in range(2)]
    return Worth(float(kernels.value(part.form, policy)), (found[0], found[1]))


def best_response(part: Part, seat: int, policy: Pair) -> tuple[float, Floats]:
    """Return what a seat wins by its best response to the other's policy, and that response: [Q] float64."""
    response = np.empty_like(policy[seat])
    won = kernels.best_response(part.form, seat, policy, response)
    return float(won), response


def uniform_policy(part: Part) -> Pair:
    """Return the policy that makes every offered move equally often."""
    first, second = (
        np.concatenate([[1.0], 1 / np.repeat(sizes, sizes)]) for sizes in (np.diff(side.firsts) for side in part.sides)
    )
    return first, second
