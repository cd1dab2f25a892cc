"""The compiled engine: random games in one call, and each operation on batches of several sizes.

The operations are measured at the kernels, in place and into buffers made before, as the environments call them. At
N = 1 that is mostly the price of a call from Python; at N = 16384 the records no longer fit into the nearest caches.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

import numpy as np

from experiments.benchmark.measure import Figure, Kind, Measurement, Run, repeated
from experiments.benchmark.positions import middle_positions, random_actions
from red7_env.game import Rules, States, batch, kernels
from red7_env.game.bits import U64
from red7_env.game.state import blank_states

PLAYOUT_RULES: Final = ("basic:2p", "advanced:2p", "basic:4p", "advanced+revised:2p", "advanced+revised:4p")
MATCH_RULES: Final = ("advanced:2p:match", "advanced+revised:4p:match")
BATCH_RULES: Final = ("basic:2p", "advanced+revised:4p")
SIZES: Final = (1, 64, 1024, 16384)
POSITIONS: Final = max(SIZES)

_GAMES_A_CALL = 4096
_MATCHES_A_CALL = 512


def _playouts(rules: Rules) -> Run:
    scratch, seed = blank_states(rules), U64(1)

    def work() -> dict[str, int]:
        totals = np.zeros(7, np.int64)
        kernels.random_games(scratch, _GAMES_A_CALL, seed, U64(0), totals)
        return {"turns": int(totals[0]), "moves": int(totals[1]), "games": _GAMES_A_CALL}

    return repeated(work)


def _matches(rules: Rules) -> Run:
    dealt = batch.deal(rules, _MATCHES_A_CALL, seed=1)
    states = dealt.copy()

    def work() -> dict[str, int]:
        moves = batch.playout(states, seed=1)
        return {"moves": moves, "rounds": int(states["round"].sum()), "matches": len(states)}

    return repeated(work, before=partial(np.copyto, states, dealt))


def _batches(states: States, size: int) -> list[States]:
    """Return the states as views of ``size`` records each."""
    return [states[first : first + size] for first in range(0, len(states), size)]


def _each(source: States, size: int, operation: Callable[[States, int], object]) -> Run:
    """Return a run of an operation over fresh copies of all states, batch by batch.

    Args:
        source: The states to begin with, shape (POSITIONS,).
        size: Number of games in a batch.
        operation: Takes the states of a batch and the place of its first one.
    """
    states = source.copy()
    batches = list(zip(_batches(states, size), range(0, len(states), size), strict=True))

    def work() -> dict[str, int]:
        for part, first in batches:
            operation(part, first)
        return {"positions": len(states)}

    return repeated(work, before=partial(np.copyto, states, source))


def _offer(rules: Rules, size: int) -> Run:
    mask = np.empty((size, rules.num_moves), np.uint8)
    return _each(middle_positions(rules, POSITIONS), size, lambda states, _: kernels.offer_many(states, mask))


def _apply(rules: Rules, size: int) -> Run:
    source = middle_positions(rules, POSITIONS)
    mask = batch.offers(source)
    actions = random_actions(mask, np.random.default_rng(1))
    offered = mask.view(np.uint8)

    def operation(states: States, first: int) -> None:
        last = first + len(states)
        kernels.apply_many(states, actions[first:last], offered[first:last])

    return _each(source, size, operation)


def _deal(rules: Rules, size: int) -> Run:
    return _each(
        blank_states(rules, POSITIONS), size, lambda states, first: kernels.deal_many(states, U64(1), U64(first))
    )


def _view(rules: Rules, size: int) -> Run:
    source = middle_positions(rules, POSITIONS)
    seats = source["to_move"].astype(np.int64)
    return _each(source, size, lambda states, first: kernels.hide_many(states, seats[first : first + len(states)]))


def _determinise(rules: Rules, size: int) -> Run:
    states = middle_positions(rules, POSITIONS)
    views = batch.views(states, states["to_move"])
    return _each(views, size, lambda seen, first: kernels.determinise_many(seen, U64(1), U64(first)))


OPERATIONS: Final = {"offer": _offer, "apply": _apply, "deal": _deal, "view": _view, "determinise": _determinise}


def _playout_measurements() -> Iterable[Measurement]:
    section = "random playouts in one compiled call"
    rates = tuple(Figure(of, Kind.RATE) for of in ("turns", "moves", "games"))
    for text in PLAYOUT_RULES:
        yield Measurement(section, text, rates, partial(_playouts, Rules.parse(text)))
    rates = tuple(Figure(of, Kind.RATE) for of in ("moves", "rounds", "matches"))
    for text in MATCH_RULES:
        yield Measurement(section, text, rates, partial(_matches, Rules.parse(text)))


def measurements() -> list[Measurement]:
    """Return all measurements of the engine."""
    time = (Figure("positions", Kind.TIME),)
    operations = [
        Measurement(f"{name} at N games a call", f"{text} N={size}", time, partial(prepare, Rules.parse(text), size))
        for name, prepare in OPERATIONS.items()
        for text in BATCH_RULES
        for size in SIZES
    ]
    return [*_playout_measurements(), *operations]
