"""Playing many games at once, each seat by an agent that is asked for all its games together."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from agents import Agent, Masks, Moves
from red7_env.game import IllegalMoveError, Rules, States, batch
from red7_env.game.kernels import best_sets
from red7_env.game.state import ROUND_OVER

_NUMBER_BYTES = np.arange(1, 9, dtype=np.int64)


@dataclass(frozen=True)
class Player:
    """An agent as it takes part in a batch of games.

    Attributes:
        agent: Who is asked.
        rng: Its own source of chance.
        sees_all: Whether it is given full states instead of views, which is cheating.
    """

    agent: Agent
    rng: np.random.Generator
    sees_all: bool = False


@dataclass
class Played:
    """Finished games, and what is noted while they are played.

    Attributes:
        states: [N] final states.
        first: [N] int64, the seat that began the first round.
        moves: [N] int64, moves made.
        turns: [N] int64, turns begun, in all rounds.
        seconds: [players] float64, the time each player thought.
        decisions: [players] int64, how often each was asked; not for a single offered move.
        histories: The action ids of the first games, as many as were to be kept.
    """

    states: States
    first: NDArray[np.int64]
    moves: NDArray[np.int64]
    turns: NDArray[np.int64]
    seconds: NDArray[np.float64]
    decisions: NDArray[np.int64]
    histories: list[list[int]] = field(default_factory=list)


def play(states: States, seats: NDArray[np.int64], players: Sequence[Player], keep: int = 0) -> Played:
    """Play games to their ends, matches included.

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
        states=states.copy(),
        first=states["to_move"].astype(np.int64),
        moves=np.zeros(count, np.int64),
        turns=np.zeros(count, np.int64),
        seconds=np.zeros(len(players)),
        decisions=np.zeros(len(players), np.int64),
        histories=[[] for _ in range(min(keep, count))],
    )
    live = np.arange(count)
    while live.size:
        now = played.states[live]
        actions, masks = _moves(played, now, seats[live, now["to_move"]], players)
        batch.play(now, actions, masks)
        played.moves[live] += 1
        _note(played, live, actions)
        over = now["phase"] >= ROUND_OVER
        if over.any():
            played.turns[live[over]] += now["turn"][over] - 1  # the end of a round counts as the begin of another turn
            batch.next_round(now)
        played.states[live] = now
        live = live[now["phase"] < ROUND_OVER]
    return played


def scores_of(states: States, rules: Rules) -> NDArray[np.int64]:
    """Return the points of every seat as ``Game.scores`` counts them, [N, seats] int64, from finished games."""
    if rules.match:
        return _points(states["scored"][:, : rules.players])
    scores = np.zeros((len(states), rules.players), np.int64)
    if rules.advanced:
        sets = np.zeros((len(states), 4), np.uint64)
        best_sets(states, sets)
        games = np.arange(len(states))
        scores[games, states["winner"]] = _points(sets[games, states["winner"]])
    return scores


def _moves(
    played: Played, states: States, to_move: NDArray[np.int64], players: Sequence[Player]
) -> tuple[Moves, Masks]:
    """Return a move for every game and what was offered; a single offered move is made without asking."""
    masks = batch.offers(states)
    actions = masks.argmax(axis=1)
    asked = np.where(np.count_nonzero(masks, axis=1) > 1, to_move, -1)
    for number in np.unique(asked[asked >= 0]).tolist():
        games = np.flatnonzero(asked == number)
        seconds, actions[games] = _answers(players[number], states[games], masks[games])
        played.seconds[number] += seconds
        played.decisions[number] += len(games)
    return actions, masks


def _answers(player: Player, states: States, masks: Masks) -> tuple[float, Moves]:
    """Return the seconds that an agent thought about some games, and its moves."""
    shown = states if player.sees_all else batch.views(states, states["to_move"])
    start = time.perf_counter()
    actions = player.agent.act(shown, masks, player.rng)
    seconds = time.perf_counter() - start
    if actions.shape != states.shape:
        raise IllegalMoveError(
            f"{player.agent.spec}: found moves {actions.shape}, expected one for each of {len(states)}"
        )
    inside = (actions >= 0) & (actions < masks.shape[1])
    wrong = ~inside | (masks[np.arange(len(actions)), np.where(inside, actions, 0)] == 0)
    if wrong.any():
        game = int(wrong.argmax())
        raise IllegalMoveError(f"{player.agent.spec}: {batch.refusal(int(actions[game]), masks[game])}")
    return seconds, actions


def _note(played: Played, games: NDArray[np.int64], actions: Moves) -> None:
    """Write down the moves of the games whose moves are kept; games are in rising order."""
    for place in range(np.searchsorted(games, len(played.histories))):
        played.histories[games[place]].append(int(actions[place]))


def _points(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the sum of the numbers of each card set: its bytes hold the cards of one number each."""
    sets = np.ascontiguousarray(words).view(np.uint8).reshape(*words.shape, 8)
    return np.bitwise_count(sets).astype(np.int64) @ _NUMBER_BYTES
