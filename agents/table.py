"""Agents at one table: the same deals with every rotation of the seats, all games of a chunk in step.

``games.play_games`` plays a chunk; it calls each agent once a step for all of its games. Deals are played in chunks of
``CHUNK``, counted from deal 0. A chunk depends on its rules, seed and agents only: every agent has a generator of its
own, seeded by chunk and spec, and meets the games in an order that does not depend on the order in which the agents are
named. So a table is the same on any number of workers that play whole chunks, and agents named in another order play
the same games.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.games import Player, play_games
from agents.protocol import Agent
from red7_env.game import Rules, batch
from red7_env.game.errors import shown
from red7_env.game.seeds import checked_seed

CHUNK = 256
"""Deals that are played in step."""


@dataclass(frozen=True)
class Games:
    """Finished games, one row a game, ordered by deal and then by rotation.

    Attributes:
        deals: [G] int64, the number of the deal.
        seats: [G, players] int64, the index of the agent at each seat.
        winners: [G] uint8, bit s is set if seat s wins or shares the win.
        points: [G, players] int64, of a match or of a finished advanced round, else 0.
        moves: For each game its action ids in order, uint8; empty if they were not kept.
        decisions: [agents] int64, how often each agent was asked. A single offered move is made without asking.
        seconds: [agents] float64, time each agent took for them; shared equally among agents of the same spec.
    """

    deals: NDArray[np.int64]
    seats: NDArray[np.int64]
    winners: NDArray[np.uint8]
    points: NDArray[np.int64]
    moves: list[NDArray[np.uint8]]
    decisions: NDArray[np.int64]
    seconds: NDArray[np.float64]

    @property
    def shares(self) -> NDArray[np.float64]:
        """What each agent won of each game, [G, agents] float64: 1 for a win, parts of it for a shared one."""
        players = self.seats.shape[1]
        won = (self.winners[:, None] >> np.arange(players)) & 1
        shares = np.zeros(self.seats.shape)
        np.put_along_axis(shares, self.seats, won / won.sum(axis=1, keepdims=True), axis=1)
        return shares


def play_deals(
    agents: Sequence[Agent], rules: Rules, deals: int, *, seed: int = 0, first: int = 0, keep_moves: bool = False
) -> Games:
    """Play deals ``first .. first + deals - 1`` of a seed, each with all rotations of the seats.

    In rotation r seat s is taken by agent ``(s + r) % players``.

    Args:
        agents: One for each seat; the same agent may sit at several.
        rules: What is played.
        deals: Number of deals, from 1.
        seed: 0 to 2**64 - 1.
        first: The first deal. Whole chunks (multiples of ``CHUNK``) give the same games however they are parted.
        keep_moves: Whether to return the moves of every game.

    Raises:
        ValueError: If the number of agents is not that of the players, or a number is out of range.
        IllegalMoveError: If an agent answers with a move that is not offered.
    """
    if len(agents) != rules.players:
        raise ValueError(f"agents: found {len(agents)}, expected {rules.players}, one for each seat")
    if deals < 1:
        raise ValueError(f"deals: found {shown(deals)}, expected a whole number from 1")
    starts = [first, *range(first - first % CHUNK + CHUNK, first + deals, CHUNK)]
    ends = [*starts[1:], first + deals]
    return _joined([_Table(agents, rules, seed, *span, keep_moves).play() for span in zip(starts, ends, strict=True)])


class _Table:
    """All games of one chunk."""

    def __init__(
        self, agents: Sequence[Agent], rules: Rules, seed: int, first: int, end: int, keep_moves: bool
    ) -> None:
        specs = sorted({agent.spec for agent in agents})
        firsts = [next(agent for agent in agents if agent.spec == spec) for spec in specs]
        self._players = [Player(agent, _generator(seed, first, agent.spec)) for agent in firsts]
        count, seats = rules.players, np.arange(rules.players)
        deals, rotations = np.repeat(np.arange(first, end), count), np.tile(seats, end - first)
        self._seats = (seats + rotations[:, None]) % count
        groups = np.array([specs.index(agent.spec) for agent in agents])
        # Rows in an order that names the agents by their spec only, see the module's docstring.
        order = np.lexsort((*groups[self._seats].T[::-1], deals))
        self._seats, self._deals, self._rotations = self._seats[order], deals[order], rotations[order]
        self._groups, self._of_agent = groups[self._seats], groups
        self._states = batch.deal(rules, end - first, seed, first).take(self._deals - first)
        self._keep_moves = keep_moves

    def play(self) -> Games:
        """Play all games to their end."""
        keep = len(self._states) if self._keep_moves else 0
        played = play_games(self._states, self._groups, self._players, keep)
        order = np.lexsort((self._rotations, self._deals))
        # What agents of one spec did together is shared equally by them.
        partners = np.bincount(self._of_agent)[self._of_agent]
        return Games(
            deals=self._deals[order],
            seats=self._seats[order],
            winners=played.states["winners"][order],
            points=batch.points(played.states)[order],
            moves=[played.histories[game] for game in order] if keep else [],
            decisions=played.decisions[self._of_agent] // partners,
            seconds=played.seconds[self._of_agent] / partners,
        )


def _generator(seed: int, first: int, spec: str) -> np.random.Generator:
    """Return the generator of an agent in a chunk."""
    digest = hashlib.blake2b(spec.encode(), digest_size=16).digest()
    words = np.frombuffer(digest, np.uint32).tolist()
    return np.random.default_rng([int(checked_seed(seed)), first, *words])


def _joined(parts: list[Games]) -> Games:
    """Return the games of several chunks as one."""
    return Games(
        deals=np.concatenate([part.deals for part in parts]),
        seats=np.concatenate([part.seats for part in parts]),
        winners=np.concatenate([part.winners for part in parts]),
        points=np.concatenate([part.points for part in parts]),
        moves=[moves for part in parts for moves in part.moves],
        decisions=np.sum([part.decisions for part in parts], axis=0),
        seconds=np.sum([part.seconds for part in parts], axis=0),
    )
