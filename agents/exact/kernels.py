"""Passes over a part in sequence form: plans, values, best responses, and the iterations of the solvers.

A *policy* gives each sequence the probability of its move at its information set, a *plan* the probability that the
seat makes all choices that lead to the sequence and the last one. The *gains* of a seat are, for each of its sequences,
what it wins in the ends that it comes to with no further choice, given the other seat's plan. Information sets come
after the sequences that lead to them, so a plan is one pass forwards, and values are one pass backwards.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.jit import helper, inlined, kernel

Floats = NDArray[np.float64]
Pair = tuple[Floats, Floats]
"""One array for each seat, with a number for each of its sequences."""


class Form(NamedTuple):
    """The arrays of a ``Part``, for the kernels; see there."""

    parents: tuple[NDArray[np.int32], NDArray[np.int32]]
    firsts: tuple[NDArray[np.int32], NDArray[np.int32]]
    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    utilities: Floats
    masses: Floats


@helper
def _plan(form: Form, seat: int, policy: Floats, plan: Floats) -> None:
    """Write the plan of a policy."""
    parents, firsts = form.parents[seat], form.firsts[seat]
    plan[0] = 1.0
    for number in range(len(parents)):
        before = plan[parents[number]]
        for sequence in range(firsts[number], firsts[number + 1]):
            plan[sequence] = before * policy[sequence]


@helper
def _gains(form: Form, weights: Floats, seat: int, plan: Floats, out: Floats) -> None:
    """Write the sums of ``weights`` over the ends at each sequence of a seat, by the other seat's plan."""
    out[:] = 0.0
    for row in range(len(form.starts) - 1):
        if seat == 0:
            total = 0.0
            for entry in range(form.starts[row], form.starts[row + 1]):
                total += weights[entry] * plan[form.columns[entry]]
            out[row] = total
        elif plan[row] != 0.0:
            for entry in range(form.starts[row], form.starts[row + 1]):
                out[form.columns[entry]] += weights[entry] * plan[row]


@helper
def _own_gains(form: Form, seat: int, plan: Floats, out: Floats) -> None:
    """Write what a seat wins at each of its sequences, by the other seat's plan."""
    _gains(form, form.utilities, seat, plan, out)
    if seat == 1:
        out *= -1.0


@kernel
def plans(form: Form, policy: Pair, out: Pair) -> None:
    """Write the plans of a policy of both seats."""
    for seat in range(2):
        _plan(form, seat, policy[seat], out[seat])


@kernel
def value(form: Form, policy: Pair) -> float:
    """Return what seat 0 wins if both follow the policy."""
    plan, gains = np.empty_like(policy[1]), np.empty_like(policy[0])
    _plan(form, 1, policy[1], plan)
    _own_gains(form, 0, plan, gains)
    plan = np.empty_like(policy[0])
    _plan(form, 0, policy[0], plan)
    return float(np.dot(plan, gains))


@kernel
def best_response(form: Form, seat: int, policy: Pair, response: Floats) -> float:
    """Return the most that a seat can win against the other's policy.

    Args:
        form: The part.
        seat: Who responds.
        policy: Of both seats; the other's is read.
        response: Where the responder's best policy is written, the first of equally good moves.
    """
    other = policy[1 - seat]
    plan, gains = np.empty_like(other), np.empty_like(response)
    _plan(form, 1 - seat, other, plan)
    _own_gains(form, seat, plan, gains)
    parents, firsts = form.parents[seat], form.firsts[seat]
    response[:] = 0.0
    response[0] = 1.0
    for number in range(len(parents) - 1, -1, -1):
        best = firsts[number]
        for sequence in range(firsts[number] + 1, firsts[number + 1]):
            if gains[sequence] > gains[best]:
                best = sequence
        response[best] = 1.0
        gains[parents[number]] += gains[best]
    return float(gains[0])


@inlined
def _match_regrets(regrets: Floats, first: int, last: int, policy: Floats) -> None:
    """Write the policy at an information set in proportion to its positive regrets (Hart and Mas-Colell, 2000)."""
    total = 0.0
    for sequence in range(first, last):
        total += max(regrets[sequence], 0.0)
    for sequence in range(first, last):
        policy[sequence] = max(regrets[sequence], 0.0) / total if total > 0.0 else 1.0 / (last - first)


@helper
def _add_regrets(form: Form, seat: int, gains: Floats, plus: bool, policy: Floats, regrets: Floats) -> None:
    """Add the regrets of a seat for not having made each move, and write the policy that follows from their sums."""
    parents, firsts = form.parents[seat], form.firsts[seat]
    for number in range(len(parents) - 1, -1, -1):
        first, last = firsts[number], firsts[number + 1]
        mean = 0.0
        for sequence in range(first, last):
            mean += policy[sequence] * gains[sequence]
        for sequence in range(first, last):
            regrets[sequence] += gains[sequence] - mean
            if plus:
                regrets[sequence] = max(regrets[sequence], 0.0)
        gains[parents[number]] += mean
        _match_regrets(regrets, first, last, policy)


@kernel
def minimise_regrets(
    form: Form, policy: Pair, regrets: Pair, sums: Pair, done: int, iterations: int, plus: bool, beginner: int
) -> None:
    """Go on with counterfactual regret minimisation; the seats take turns.

    Args:
        form: The part.
        policy: The present policy.
        regrets: The regrets summed up so far.
        sums: The plans summed up so far, the ones of later iterations with more weight if ``plus``.
        done: Iterations so far.
        iterations: How many more.
        plus: Whether as CFR+ (Tammelin, 2014): regrets never below 0, plans weighted by the iteration.
        beginner: The seat that is updated first.
    """
    for iteration in range(done + 1, done + iterations + 1):
        for turn in range(2):
            seat = beginner ^ turn
            plan, gains = np.empty_like(policy[1 - seat]), np.empty_like(policy[seat])
            _plan(form, 1 - seat, policy[1 - seat], plan)
            _own_gains(form, seat, plan, gains)
            plan = np.empty_like(policy[seat])
            _plan(form, seat, policy[seat], plan)
            weight = iteration if plus else 1
            for sequence in range(len(plan)):
                sums[seat][sequence] += weight * plan[sequence]
            _add_regrets(form, seat, gains, plus, policy[seat], regrets[seat])


@kernel
def mean_policy(form: Form, sums: Pair, policy: Pair) -> None:
    """Write the policy whose plan is the mean of those summed up; uniform where none ever came."""
    for seat in range(2):
        firsts = form.firsts[seat]
        policy[seat][0] = 1.0
        for number in range(len(firsts) - 1):
            _match_regrets(sums[seat], firsts[number], firsts[number + 1], policy[seat])


@helper
def _pull(
    logs: Floats, magnet: Floats, gains: Floats, mass: float, first: int, last: int, step: float, pull: float
) -> None:
    """Move the logarithms of a policy at an information set by one step of magnetic mirror descent."""
    highest = -np.inf
    for sequence in range(first, last):
        towards = logs[sequence] + step * (pull * magnet[sequence] + gains[sequence] / mass)
        logs[sequence] = towards / (1.0 + step * pull)
        highest = max(highest, logs[sequence])
    total = 0.0
    for sequence in range(first, last):
        total += np.exp(logs[sequence] - highest)
    shift = highest + np.log(total)
    for sequence in range(first, last):
        logs[sequence] -= shift


@helper
def _descend(
    form: Form,
    seat: int,
    gains: Floats,
    masses: Floats,
    policy: Floats,
    logs: Floats,
    magnet: Floats,
    step: float,
    pull: float,
) -> None:
    """Take one step of magnetic mirror descent at every information set of a seat."""
    parents, firsts = form.parents[seat], form.firsts[seat]
    for number in range(len(parents) - 1, -1, -1):
        first, last = firsts[number], firsts[number + 1]
        mean, mass = 0.0, 0.0
        for sequence in range(first, last):
            mean += policy[sequence] * gains[sequence]
            mass += policy[sequence] * masses[sequence]
        gains[parents[number]] += mean
        masses[parents[number]] += mass
        if mass > 0.0:
            _pull(logs, magnet, gains, mass, first, last, step, pull)
            for sequence in range(first, last):
                policy[sequence] = np.exp(logs[sequence])


@kernel
def descend_mirror(
    form: Form, policy: Pair, logs: Pair, magnets: Pair, iterations: int, step: float, pull: float
) -> None:
    """Go on with magnetic mirror descent, the seats in turn.

    Args:
        form: The part.
        policy: The present policy.
        logs: Its logarithms.
        magnets: Logarithms of the policy that pulls.
        iterations: How many more.
        step: Length of a step, eta in the paper.
        pull: Strength of the magnets, alpha in the paper.
    """
    for _ in range(iterations):
        for seat in range(2):
            plan = np.empty_like(policy[1 - seat])
            gains, masses = np.empty_like(policy[seat]), np.empty_like(policy[seat])
            _plan(form, 1 - seat, policy[1 - seat], plan)
            _own_gains(form, seat, plan, gains)
            _gains(form, form.masses, seat, plan, masses)
            _descend(form, seat, gains, masses, policy[seat], logs[seat], magnets[seat], step, pull)
