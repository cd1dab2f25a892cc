"""Chi-square tests, and where the cards of dealt games lie."""

import math

import numpy as np
from numpy.typing import NDArray

from red7_env.game import Rules, States
from red7_env.game.state import PILE_SIZE

CARDS = np.arange(49)
BITS = (CARDS + CARDS // 7).astype(np.uint64)


def assert_fits(counts: NDArray[np.integer], weights: NDArray[np.integer] | int, what: str) -> None:
    """Assert that counts are those of cases with these chances: chi-square, one false alarm in ten million."""
    shares = np.broadcast_to(weights, counts.shape) / np.broadcast_to(weights, counts.shape).sum()
    expected = counts.sum() * shares
    assert expected.min() >= 5, "too few for a chi-square test"
    assert_chi_square(float(((counts - expected) ** 2 / expected).sum()), counts.size - 1, what)


def assert_chi_square(statistic: float, freedom: int, what: str) -> None:
    """Assert that a chi-square statistic is no more than 5.2 deviations off (Wilson and Hilferty, PNAS 1931)."""
    spread = 2 / (9 * freedom)
    deviations = ((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    assert deviations < 5.2, f"{what}: chi-square {statistic:.1f} with {freedom} degrees of freedom is too large"


def cards_in(words: NDArray[np.uint64]) -> NDArray[np.bool]:
    """Return which cards are in each set; ``words``: [...] uint64, returns [..., 49]."""
    return (words[..., None] >> BITS & np.uint64(1)).astype(bool)


def piles_of_cards(states: States) -> NDArray[np.uint8]:
    """Return in which pile each card lies.

    Args:
        states: [N] full states of the same rules.

    Returns:
        Piles, [N, 49] uint8: 0-3 the hands by seat, 4-7 the palettes, then 8 + place in the deck from its top, or 255.
    """
    piles = np.full((len(states), 49), 255, np.uint8)
    for seat in range(int(states[0]["players"])):
        piles[cards_in(states["hands"][:, seat])] = seat
        piles[cards_in(states["palettes"][:, seat])] = 4 + seat
    tops = PILE_SIZE - states["deck_size"].astype(int)
    games, places = np.nonzero(np.arange(PILE_SIZE) >= tops[:, None])
    piles[games, states["pile"][games, places]] = 8 + places - tops[games]
    return piles


def all_cards_once(states: States, rules: Rules) -> bool:
    """Tell whether every card is in one place; only for games that began with a deal."""
    held = sum(cards_in(states[name]).sum(1).astype(int) for name in ("hands", "palettes", "scored"))
    places = np.arange(PILE_SIZE)
    ends = PILE_SIZE - states["deck_size"].astype(int)
    used = (places < states["canvas_size"][:, None]) | (places >= ends[:, None])
    games, where = np.nonzero(used)
    np.add.at(held, (games, states["pile"][games, where]), 1)
    expected = np.isin(np.arange(49), rules.deck_cards).astype(int)
    return bool((held == expected).all())
