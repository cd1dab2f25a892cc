"""Solvers that drive the NashConv of a part's policy down: CFR, CFR+ and magnetic mirror descent.

- ``Cfr``: counterfactual regret minimisation (Zinkevich et al., NIPS 2007), the seats updated in turn.
- ``Cfr(plus=True)``: CFR+ (Tammelin, arXiv 1407.5042, 2014). What converges is the mean of the policies.
- ``Mmd``: magnetic mirror descent at every information set (Sokota et al., ICLR 2023). Its last policy converges, to
  the equilibrium that the magnet's pull leaves; the magnet is moved to the present policy time and again, and so it
  goes on to a Nash equilibrium.
"""

from typing import Protocol

import numpy as np

from agents.exact import kernels
from agents.exact.kernels import Pair
from agents.exact.part import Part
from agents.exact.response import uniform_policy


class Solver(Protocol):
    """A method that improves a policy step by step.

    Attributes:
        iterations: The number of steps so far.
    """

    iterations: int

    def run(self, iterations: int) -> None:
        """Go on for so many steps."""
        ...

    def policy(self) -> Pair:
        """Return the policy found so far."""
        ...


class Cfr:
    """Counterfactual regret minimisation."""

    def __init__(self, part: Part, *, plus: bool = False, beginner: int = 0) -> None:
        """Begin with uniform policies.

        Args:
            part: What is to be solved.
            plus: Whether as CFR+.
            beginner: The seat that is updated first in each iteration.
        """
        self.iterations = 0
        self._part, self._plus, self._beginner = part, plus, beginner
        self._policy, self._regrets, self._sums = uniform_policy(part), _zeros(part), _zeros(part)

    def run(self, iterations: int) -> None:
        """Go on for so many iterations."""
        kernels.minimise_regrets(
            self._part.form,
            self._policy,
            self._regrets,
            self._sums,
            self.iterations,
            iterations,
            self._plus,
            self._beginner,
        )
        self.iterations += iterations

    def policy(self) -> Pair:
        """Return the mean policy."""
        mean = _zeros(self._part)
        kernels.mean_policy(self._part.form, self._sums, mean)
        return mean


class Mmd:
    """Magnetic mirror descent with a magnet that is moved."""

    def __init__(self, part: Part, *, step: float = 5.0, pull: float = 0.02, period: int = 20) -> None:
        """Begin with uniform policies.

        Args:
            part: What is to be solved.
            step: Length of a step.
            pull: Strength of the magnet.
            period: Steps between two moves of the magnet.
        """
        self.iterations = 0
        self._part, self._step, self._pull, self._period = part, step, pull, period
        self._policy = uniform_policy(part)
        self._logs, self._magnets = _logs(self._policy), _logs(self._policy)

    def run(self, iterations: int) -> None:
        """Go on for so many steps."""
        end = self.iterations + iterations
        while self.iterations < end:
            now = min(end - self.iterations, self._period - self.iterations % self._period)
            kernels.descend_mirror(
                self._part.form, self._policy, self._logs, self._magnets, now, self._step, self._pull
            )
            self.iterations += now
            if self.iterations % self._period == 0:
                self._magnets = self._logs[0].copy(), self._logs[1].copy()

    def policy(self) -> Pair:
        """Return the present policy."""
        return self._policy[0].copy(), self._policy[1].copy()


def _zeros(part: Part) -> Pair:
    first, second = (np.zeros(len(side.actions)) for side in part.sides)
    return first, second


def _logs(policy: Pair) -> Pair:
    return np.log(policy[0]), np.log(policy[1])
