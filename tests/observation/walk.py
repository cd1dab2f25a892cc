"""Where random games come by: states of every kind, also rare ones."""

from collections.abc import Iterator

import numpy as np

from red7_env.game import Rules, States, batch
from red7_env.game.moves import DRAW, PASS, TAKE, TO_DECK
from red7_env.game.state import MATCH_OVER, ROUND_OVER


def walk(rules: Rules, games: int, moves: int, seed: int = 0) -> Iterator[States]:
    """Yield the states of some random games before each move, ends of rounds and matches included, [games]."""
    chance = np.random.default_rng(seed)
    states = batch.deal(rules, games, seed)
    dealt = games
    for _ in range(moves):
        yield states.copy()
        over = states["phase"] == MATCH_OVER if rules.match else states["phase"] >= ROUND_OVER
        batch.next_round(states)
        for game in np.flatnonzero(over):
            states[game] = batch.deal(rules, 1, seed, first=dealt)[0]
            dealt += 1
        playing = np.flatnonzero(states["phase"] < ROUND_OVER)
        some = states[playing]
        batch.play(some, choose(batch.offers(some), chance))
        states[playing] = some


def choose(masks: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """Return offered moves: seldom a pass, often one that puts a card on the deck, so that known cards pile up."""
    weights = masks.astype(float)
    weights[:, PASS] *= 0.02
    weights[:, DRAW] *= 0.5
    weights[:, TAKE : TAKE + 49] *= 5
    weights[:, TO_DECK:] *= 20
    weights *= chance.random(weights.shape)
    return weights.argmax(axis=1)


def scattered(rules: Rules, count: int, seed: int = 0) -> States:
    """Return states from all over some random games, matches to their end, [count]."""
    states = np.concatenate(list(walk(rules, 8, 320 if rules.match else 50, seed)))
    return states[np.random.default_rng(seed).permutation(len(states))[:count]]


def each_seat(states: States, players: int) -> tuple[States, np.ndarray]:
    """Return every state once for each seat, and the seats."""
    return np.repeat(states, players), np.tile(np.arange(players), len(states))
