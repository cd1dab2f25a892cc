"""The game as it is played from Python, one game at a time: mostly the price of Python and of its calls."""

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from experiments.benchmark.measure import Figure, Kind, Measurement, Run, repeated
from experiments.benchmark.positions import middle_positions, random_actions
from red7_env.game import Game, Rules, States, batch
from red7_env.game.state import ROUND_OVER

RULES: Final = ("basic:2p", "advanced+revised:4p")

_SECTION = "one game from Python"
_GAMES = 20
_CALLS = 500


def _games(rules: Rules) -> Run:
    """Deal games and play each to its end by moves of its list of offered ids."""

    def work() -> dict[str, int]:
        moves = 0
        for index in range(_GAMES):
            game = Game.deal(rules, seed=1, index=index)
            while not game.over:
                offered = game.move_ids()
                game.play(offered[moves % len(offered)])
                moves += 1
        return {"moves": moves, "games": _GAMES}

    return repeated(work)


def _loop(rules: Rules) -> Run:
    """Play an array of one game again and again by ``offers`` and ``play``, the moves chosen as cheaply as can be."""
    dealt = batch.deal(rules, 1, seed=1)

    def work() -> dict[str, int]:
        moves = 0
        for _ in range(_GAMES):
            states = dealt.copy()
            while states["phase"][0] < ROUND_OVER:
                mask = batch.offers(states)
                batch.play(states, mask.argmax(axis=1), mask)
                moves += 1
        return {"moves": moves}

    return repeated(work)


def _calls(rules: Rules, operation: Callable[[list[States]], Callable[[int], object]]) -> Run:
    """Return a run of one call a state, over fresh copies of positions.

    Args:
        rules: What is played.
        operation: Takes the states, each an array of one, and returns the call for the state at a place.
    """
    source = middle_positions(rules, _CALLS)
    states = source.copy()
    call = operation([states[place : place + 1] for place in range(_CALLS)])

    def work() -> dict[str, int]:
        for place in range(_CALLS):
            call(place)
        return {"calls": _CALLS}

    return repeated(work, before=partial(np.copyto, states, source))


def _play(games: list[States]) -> Callable[[int], object]:
    masks = [batch.offers(game) for game in games]
    actions = [random_actions(mask, np.random.default_rng(place)) for place, mask in enumerate(masks)]
    return lambda place: batch.play(games[place], actions[place], masks[place])


def _offers(games: list[States]) -> Callable[[int], object]:
    return lambda place: batch.offers(games[place])


def _views(games: list[States]) -> Callable[[int], object]:
    return lambda place: batch.views(games[place], 0)


def _determinise(games: list[States]) -> Callable[[int], object]:
    seen = [batch.views(game, 0) for game in games]
    return lambda place: batch.determinise(seen[place], 1, place)


_CALLED: Final = {"play": _play, "offers": _offers, "views": _views, "determinise": _determinise}


def measurements() -> list[Measurement]:
    """Return the measurements of single games from Python."""
    rates = tuple(Figure(of, Kind.RATE) for of in ("moves", "games"))
    found = []
    for text in RULES:
        rules = Rules.parse(text)
        found.append(Measurement(_SECTION, f"Game {text}", rates, partial(_games, rules), like="python"))
        found.append(Measurement(_SECTION, f"batch N=1 {text}", rates[:1], partial(_loop, rules), like="python"))
    calls = (Figure("calls", Kind.TIME),)
    rules = Rules.parse(RULES[0])
    for name, operation in _CALLED.items():
        prepare = partial(_calls, rules, operation)
        found.append(Measurement(_SECTION, f"batch.{name} N=1 {rules}", calls, prepare, like="python"))
    return found
