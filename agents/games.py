"""Games between agents, played in step: each agent is asked for all games that wait for it at once.

This is the one place where agents make moves in games. ``table.play_deals`` and ``experiments compare`` say which games
those are and from where each agent has its chance.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.protocol import Agent, Masks, Moves
from red7_env.game import IllegalMoveError, States, batch
from red7_env.game.kernels import apply_many, hide_many
from red7_env.game.state import ROUND_OVER, copy_of


@dataclass(frozen=True)
class Player:
    """An agent as it takes part in games.

    Attributes:
        agent: Who is asked. One whose ``cheats`` is true is given full states instead of views.
        rng: Its own source of chance.
    """

    agent: Agent
    rng: np.random.Generator

    @property
    def sees_all(self) -> bool:
        """Whether it is given full states."""
        return bool(getattr(self.agent, "cheats", False))


@dataclass
class Played:
    """Finished games, and what was noted while they were played.

    Attributes:
        states: [N] final states.
        first: [N] int64, the seat that began the first round.
        moves: [N] int64, moves made.
        turns: [N] int64, turns begun, in all rounds.
        seconds: [players] float64, the time each player thought.
        decisions: [players] int64, how often each was asked; not for a single offered move.
        histories: The action ids of the first games, uint8, as many as were to be kept.
    """

    states: States
    first: NDArray[np.int64]
    moves: NDArray[np.int64]
    turns: NDArray[np.int64]
    seconds: NDArray[np.float64]
    decisions: NDArray[np.int64]
    histories: list[NDArray[np.uint8]]


def play_games(states: States, seats: NDArray[np.int64], players: Sequence[Player], keep: int = 0) -> Played:
    """Play games to their ends, matches included.

    In each step the players are asked in their order, each with its games in their order. A single offered move is made
    without asking.

    Args:
        states: [N] games at their start; left as they are.
        seats: [N, seats] index into ``players`` of who sits where.
        players: The agents.
        keep: Of so many games, from the first, all moves are kept.

    Raises:
        IllegalMoveError: If an agent answers with a move that is not offered, or not with one move a game.
    """
    count = len(states)
    played = Played(
        states=copy_of(states),
        first=states["to_move"].astype(np.int64),
        moves=np.zeros(count, np.int64),
        turns=np.zeros(count, np.int64),
        seconds=np.zeros(len(players)),
        decisions=np.zeros(len(players), np.int64),
        histories=[],
    )
    log: list[tuple[NDArray[np.int64], Moves]] = []
    live, now = np.arange(count), played.states
    while len(live):
        moves = _step(played, now, seats[live, now["to_move"]], players)
        played.moves[live] += 1
        kept = np.searchsorted(live, keep)
        log.append((live[:kept], moves[:kept]))
        live, now = _sorted_out(played, live, now)
    played.histories = _histories(log, min(keep, count))
    return played


def _step(played: Played, now: States, to_move: NDArray[np.int64], players: Sequence[Player]) -> Moves:
    """Make one move in every game, in place, and return the moves; ``to_move``: [L] int64, index into ``players``."""
    masks = batch.offers(now)
    sizes = masks.view(np.uint8).sum(axis=1, dtype=np.uint8)  # at most 248
    moves, forced = np.zeros(len(now), np.int64), np.flatnonzero(sizes == 1)
    moves[forced] = masks[forced].argmax(axis=1)
    asked = np.where(sizes > 1, to_move, -1)
    for number, player in enumerate(players):
        games = np.flatnonzero(asked == number)
        if len(games):
            seconds, moves[games] = _answers(player, now.take(games), masks.take(games, axis=0))
            played.seconds[number] += seconds
            played.decisions[number] += len(games)
    refused = apply_many(now, moves, masks.view(np.uint8))
    if refused >= 0:
        words = batch.refusal(int(moves[refused]), masks[refused])
        raise IllegalMoveError(f"{players[to_move[refused]].agent.spec}: {words}")
    return moves


def _answers(player: Player, states: States, masks: Masks) -> tuple[float, Moves]:
    """Return the seconds that an agent thought about some games, and its moves; the states become what it sees."""
    if not player.sees_all:
        hide_many(states, states["to_move"].astype(np.int64))
    start = time.perf_counter()
    moves = np.asarray(player.agent.act(states, masks, player.rng))
    seconds = time.perf_counter() - start
    if moves.shape != states.shape or moves.dtype.kind not in "iu":
        raise IllegalMoveError(
            f"{player.agent.spec}: found {moves.dtype} {moves.shape}, expected {len(states)} action ids"
        )
    return seconds, moves


def _sorted_out(played: Played, live: NDArray[np.int64], now: States) -> tuple[NDArray[np.int64], States]:
    """Put the games that are over aside, matches taken to their next round before, and return those that go on."""
    ended = now["phase"] >= ROUND_OVER
    if not ended.any():
        return live, now
    played.turns[live[ended]] += now["turn"][ended].astype(np.int64) - 1  # the end of a round begins another turn
    batch.next_round(now)
    ended = now["phase"] >= ROUND_OVER
    over, on = np.flatnonzero(ended), np.flatnonzero(~ended)
    _put(played.states, live[over], now.take(over))
    return live[on], now.take(on)


def _put(states: States, rows: NDArray[np.int64], found: States) -> None:
    """Write records to some rows; as plain bytes, which is far faster than field by field."""
    bytes_of = np.dtype((np.void, states.itemsize))
    states.view(bytes_of)[rows] = found.view(bytes_of)


def _histories(log: list[tuple[NDArray[np.int64], Moves]], count: int) -> list[NDArray[np.uint8]]:
    """Return the moves of each of the first ``count`` games, from the games and moves of each step."""
    if not count:
        return []
    games = np.concatenate([live for live, _ in log])
    moves = np.concatenate([moves for _, moves in log]).astype(np.uint8)
    ends = np.cumsum(np.bincount(games, minlength=count))
    return np.split(moves[np.argsort(games, kind="stable")], ends[:-1])
