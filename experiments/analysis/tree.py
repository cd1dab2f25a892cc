"""What kind of game this is for search by sampled worlds: leaf correlation, bias and disambiguation.

Long, Sturtevant, Buro and Furtak ("Understanding the success of perfect information Monte Carlo sampling in game tree
search", AAAI 2010) found that sampling worlds and solving each with open hands (``pimc``) loses little where the last
choices matter little (high leaf correlation), and where what is hidden comes to light quickly (high disambiguation). A
bias far from one half helps too. All three are measured along games of given players, as they did with random ones.

- *Leaf correlation*: the share of games whose last choice is none: of the last position at which the seat to move had
  two or more turns besides the pass, all lead to the same winner, if both play on with open hands and without error.
- *Bias*: the share of games that the first player wins.
- *Disambiguation*: how much smaller the set of worlds that fit a seat's view has become from one of its turns to the
  next, in the mean: 1 - (worlds now / worlds before). A world is who holds which cards; the deck's order is left out.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.solver import Solver
from experiments.analysis.decisions import Decisions
from experiments.analysis.estimate import Estimate, mean_over_games
from red7_env.game import States
from red7_env.game.cards import NUM_CARDS
from red7_env.game.state import START, rules_of

_LOG_FACTORIALS: Final = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, NUM_CARDS + 1)))])


class TreeProperties(NamedTuple):
    """The three properties, each with its 95 % interval over games."""

    leaf_correlation: Estimate
    bias: Estimate
    disambiguation: Estimate


def tree_properties(decisions: Decisions, seed: int = 0) -> TreeProperties:
    """Return the properties of 2-player basic along games.

    Args:
        decisions: All decisions of at least one game.
        seed: Seed of the bootstrap.

    Raises:
        ValueError: If other rules are played; see ``disambiguation`` for what has a value there too.
    """
    return TreeProperties(leaf_correlation(decisions, seed), bias(decisions, seed), disambiguation(decisions, seed))


def leaf_correlation(decisions: Decisions, seed: int = 0) -> Estimate:
    """Return the share of games whose last choice changes nothing; see the module.

    Raises:
        ValueError: If other rules than 2-player basic are played.
    """
    solver = Solver()
    alike: dict[int, bool] = {}
    for row in np.flatnonzero(decisions.states["phase"] == START)[::-1].tolist():
        game = int(decisions.games[row])
        if game not in alike:
            outcomes = list(solver.turns(decisions.states[row : row + 1]).values())
            if len(outcomes) > 1:
                alike[game] = len(set(outcomes)) == 1
    same, games = np.array(list(alike.values()), np.float64), np.array(list(alike), np.int64)
    return mean_over_games(same, games, seed)


def bias(decisions: Decisions, seed: int = 0) -> Estimate:
    """Return the share of games that is won by the seat with the first decision."""
    games, first = np.unique(decisions.games, return_index=True)
    return mean_over_games(decisions.shares[first], games, seed)


def disambiguation(decisions: Decisions, seed: int = 0) -> Estimate:
    """Return how much the set of worlds shrinks between a seat's turns in a round, for any rules; see the module."""
    turns = decisions[decisions.states["phase"] == START]
    round_of = turns.states["round"].astype(np.int64)
    order = np.lexsort((np.arange(len(turns)), round_of, turns.movers, turns.games))
    logs = worlds(turns.views)[order]
    keys = np.stack([turns.games, turns.movers, round_of], axis=1)[order]
    follows = (keys[1:] == keys[:-1]).all(axis=1)
    shrinks = 1 - np.exp(logs[1:] - logs[:-1])
    return mean_over_games(shrinks[follows], turns.games[order][1:][follows], seed)


def worlds(views: States) -> NDArray[np.float64]:
    """Return the logarithm of how many ways the cards may lie that fit each view: [N] float64.

    Args:
        views: [N] views by the same rules. The order of the deck is left out; cards that are gone count as in it.
    """
    if not len(views):
        return np.zeros(0)
    rows, viewers = np.arange(len(views)), views["viewer"].astype(np.int64)
    seen = views["hands"][rows, viewers] | np.bitwise_or.reduce(
        views["palettes"] | views["known"] | views["scored"], axis=1
    )
    cards = np.bitwise_count(seen).astype(np.int64) + views["canvas_size"] + views["deck_known"]
    unseen = rules_of(views[0]).num_cards - cards
    hidden = views["hand_sizes"].astype(np.int64) - np.bitwise_count(views["known"]).astype(np.int64)
    hidden[rows, viewers] = 0
    inside = (views["seats_in"][:, None] >> np.arange(hidden.shape[1])) & 1
    held = np.where(inside == 1, hidden, 0)
    ways: NDArray[np.float64] = (
        _LOG_FACTORIALS[unseen] - _LOG_FACTORIALS[held].sum(axis=1) - _LOG_FACTORIALS[unseen - held.sum(axis=1)]
    )
    return ways
