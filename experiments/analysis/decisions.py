"""The decisions of games: every stage at which more than one move was offered, with what was done and its end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from agents import Agent, Masks, Moves
from agents.table import play_deals
from experiments.compare.units import replayed
from red7_env.game import STATE, Game, Rules, States, batch
from red7_env.stages import stages


@dataclass(frozen=True)
class Decisions:
    """Decisions, one row each, by the same rules.

    Attributes:
        states: [D] full records of dtype ``STATE``, before the move.
        moves: [D] int64, the action id that was played.
        shares: [D] float64, what the seat to move won of the game in the end, 0 to 1.
        games: [D] int64, the game it was in, by number.
        deals: [D] int64, the deal of that game; as ``games`` where no deal is played twice.
        players: [D] int64, who made it: the index of the agent, or the seat.
    """

    states: States
    moves: Moves
    shares: NDArray[np.float64]
    games: NDArray[np.int64]
    deals: NDArray[np.int64]
    players: NDArray[np.int64]

    def __len__(self) -> int:
        """Return the number of decisions."""
        return len(self.states)

    def __getitem__(self, rows: NDArray[np.generic]) -> "Decisions":
        """Return some of the decisions, chosen by numbers or by a mask."""
        return Decisions(
            self.states[rows],
            self.moves[rows],
            self.shares[rows],
            self.games[rows],
            self.deals[rows],
            self.players[rows],
        )

    @property
    def movers(self) -> NDArray[np.int64]:
        """The seat to move: [D] int64."""
        seats: NDArray[np.int64] = self.states["to_move"].astype(np.int64)
        return seats

    @cached_property
    def views(self) -> States:
        """What the seat to move knew: [D] views."""
        return batch.views(self.states, self.movers)

    @cached_property
    def masks(self) -> Masks:
        """What was offered: [D, A] int8."""
        return batch.offers(self.states)

    @property
    def hand_sizes(self) -> NDArray[np.int64]:
        """Cards in the hand of the seat to move: [D] int64."""
        sizes: NDArray[np.int64] = self.states["hand_sizes"][np.arange(len(self)), self.movers].astype(np.int64)
        return sizes


def collected(games: Iterable[Game]) -> Decisions:
    """Return the decisions of finished games, each a deal of its own, made by its seats.

    Args:
        games: Finished games by the same rules, from their deals on.
    """
    parts = [_of_game(game, number, number, range(game.rules.players)) for number, game in enumerate(games)]
    return _joined(parts)


def played(agents: Sequence[Agent], rules: Rules, deals: int, seed: int = 0) -> Decisions:
    """Let agents play deals, each with every rotation of the seats, and return their decisions.

    Args:
        agents: One for each seat.
        rules: What is played.
        deals: Number of deals.
        seed: 0 to 2**64 - 1.
    """
    table = play_deals(agents, rules, deals, seed=seed, keep_moves=True)
    parts = []
    for number, moves in enumerate(table.moves):
        deal = int(table.deals[number])
        game = replayed(rules, seed, deal, moves.tolist())
        parts.append(_of_game(game, number, deal, table.seats[number].tolist()))
    return _joined(parts)


def _of_game(game: Game, number: int, deal: int, players: Sequence[int]) -> Decisions:
    """Return the decisions of one finished game."""
    made = [stage for stage in stages(game) if stage.move is not None]
    states = np.concatenate([np.zeros(0, STATE), *(stage.state for stage in made)])
    several = batch.offers(states).sum(axis=1) > 1 if made else np.zeros(0, np.bool_)
    states = states[several]
    moves = np.array([stage.move for stage in made], np.int64)[several]
    seats = states["to_move"].astype(np.int64)
    shares = np.zeros(game.rules.players)
    shares[game.winners] = 1 / len(game.winners)
    count = len(states)
    return Decisions(
        states, moves, shares[seats], np.full(count, number), np.full(count, deal), np.asarray(players, np.int64)[seats]
    )


def _joined(parts: Sequence[Decisions]) -> Decisions:
    """Return the decisions of several games as one."""
    none = np.zeros(0, np.int64)
    empty = Decisions(np.zeros(0, STATE), none, np.zeros(0), none, none, none)
    every = [empty, *parts]
    return Decisions(
        np.concatenate([part.states for part in every]),
        np.concatenate([part.moves for part in every]),
        np.concatenate([part.shares for part in every]),
        np.concatenate([part.games for part in every]),
        np.concatenate([part.deals for part in every]),
        np.concatenate([part.players for part in every]),
    )
