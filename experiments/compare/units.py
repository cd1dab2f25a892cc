"""Units of work: some deals at one table. A unit comes out the same whoever plays it, and whatever else is played."""

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from agents import Agent
from agents.games import Played, Player, play_games
from experiments.compare.config import Config
from experiments.compare.design import Table, seatings, tables_of
from red7_env.game import Game, Rules, batch
from red7_env.game.record import make_record
from red7_env.game.state import MAX_SEATS

_SEATS = [[seat for seat in range(MAX_SEATS) if bits >> seat & 1] for bits in range(1 << MAX_SEATS)]
"""The seats of each set of seats, a number whose bits they are."""

_ENCODER = json.JSONEncoder(separators=(",", ":"))
"""Made once: ``json.dumps`` makes another one for every line."""


class GameLine(TypedDict):
    """A line of ``games.jsonl``.

    Attributes:
        table: Index of the table.
        deal: The number of the deal.
        seats: The spec of each seat's agent.
        winners: The seats that won or share the win.
        scores: Points by seat, all 0 in basic.
        first: The seat that acted first.
        rounds: Rounds played.
        turns: Turns of all rounds.
        moves: Moves of all turns.
    """

    table: int
    deal: int
    seats: list[str]
    winners: list[int]
    scores: list[int]
    first: int
    rounds: int
    turns: int
    moves: int


@dataclass(frozen=True)
class Unit:
    """Some deals at one table.

    Attributes:
        number: Its place among all units. They are ordered by deals, then by tables, so that a comparison that stops
            early has played the same deals at every table.
        table: Index of the table.
        first: Number of the first deal.
        count: The number of deals.
    """

    number: int
    table: int
    first: int
    count: int


@dataclass
class Result:
    """What a unit leaves.

    Attributes:
        games: One line of JSON a game, ordered by deal and rotation.
        records: The records of the games that are recorded, one line each.
        seconds: The time each agent thought, by spec.
        decisions: How often each agent was asked, by spec.
        faults: How often an agent that counts its faults was at fault, by spec; only where ever.
        wall: The seconds that the unit took.
    """

    games: list[str]
    records: list[str]
    seconds: dict[str, float]
    decisions: dict[str, int]
    faults: dict[str, int]
    wall: float


def units_of(config: Config) -> list[Unit]:
    """Return all units of a comparison, in order."""
    tables = range(len(tables_of(config.agents, config.rules.players, config.design)))
    pieces = [
        (table, first, min(config.batch, config.deals - first))
        for first in range(0, config.deals, config.batch)
        for table in tables
    ]
    return [Unit(number, *piece) for number, piece in enumerate(pieces)]


def play_unit(unit: Unit, config: Config, agent_of: Callable[[str], Agent]) -> Result:
    """Play a unit.

    Args:
        unit: The unit.
        config: The comparison that it belongs to.
        agent_of: Gives the agent of a spec.

    Raises:
        IllegalMoveError: If an agent answers with a move that is not offered.
    """
    start = time.perf_counter()
    table = tables_of(config.agents, config.rules.players, config.design)[unit.table]
    deals = np.arange(unit.first, unit.first + unit.count)
    seats = seatings(table, deals).reshape(-1, table.players)
    dealt = batch.deal(config.rules, unit.count, config.seed, unit.first)
    states = dealt.take((deals - unit.first).repeat(table.players))
    players = [
        Player(agent_of(spec), _generator(config, table, unit.first, place)) for place, spec in enumerate(table.agents)
    ]
    recorded = max(0, min(config.records - unit.first, unit.count)) * table.players
    before = _faults_of(players)
    played = play_games(states, seats, players, recorded)
    faults = zip(table.agents, _faults_of(players) - before, strict=True)
    names = [[table.agents[number] for number in row] for row in seats.tolist()]
    numbers = deals.repeat(table.players).tolist()
    records = [
        _record_line(config, unit.table, numbers[game], names[game], moves.tolist())
        for game, moves in enumerate(played.histories)
    ]
    return Result(
        games=_game_lines(played, config.rules, unit.table, numbers, names),
        records=records,
        seconds=dict(zip(table.agents, played.seconds.tolist(), strict=True)),
        decisions=dict(zip(table.agents, played.decisions.tolist(), strict=True)),
        faults={spec: int(count) for spec, count in faults if count},
        wall=time.perf_counter() - start,
    )


def replayed(rules: Rules, seed: int, deal: int, moves: list[int]) -> Game:
    """Return a finished game, played again from its deal."""
    game = Game.deal(rules, seed, deal)
    for move in moves:
        game.play(move)
        if game.round_over and not game.over:
            game.next_round()
    return game


def _faults_of(players: Sequence[Player]) -> NDArray[np.int64]:
    """Return how many faults of all kinds each player's agent has counted so far: [players] int64."""
    counts = [getattr(player.agent, "faults", {}) for player in players]
    return np.array([sum(kinds.values()) for kinds in counts], np.int64)


def _generator(config: Config, table: Table, first: int, place: int) -> np.random.Generator:
    """Return an agent's source of chance: fixed by seed, rules, table and deals, not by who else is in the league."""
    text = "\n".join([str(config.rules), config.design, *table.agents])
    words = np.frombuffer(hashlib.sha256(text.encode()).digest(), "<u4").tolist()
    return np.random.default_rng(np.random.SeedSequence([config.seed, first, place, *words]))


def _game_lines(played: Played, rules: Rules, table: int, deals: list[int], names: list[list[str]]) -> list[str]:
    """Return one line a game: who sat where, who won, and how long it took."""
    scores = batch.points(played.states).tolist()
    rounds = (played.states["round"] if rules.match else np.ones(len(deals), np.int64)).tolist()
    winners, first = played.states["winners"].tolist(), played.first.tolist()
    turns, moves = played.turns.tolist(), played.moves.tolist()
    lines: list[GameLine] = [
        {
            "table": table,
            "deal": deal,
            "seats": names[game],
            "winners": _SEATS[winners[game]],
            "scores": scores[game],
            "first": first[game],
            "rounds": rounds[game],
            "turns": turns[game],
            "moves": moves[game],
        }
        for game, deal in enumerate(deals)
    ]
    return [_line(line) for line in lines]


def _record_line(config: Config, table: int, deal: int, names: list[str], moves: list[int]) -> str:
    """Return the record of a game, with the numbers of its table and deal added."""
    record = make_record(replayed(config.rules, config.seed, deal, moves), names, config.seed)
    return _line({**record, "deal": deal, "table": table})


def _line(value: Mapping[str, object]) -> str:
    return _ENCODER.encode(value)
