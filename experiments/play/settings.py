"""Which game is played, and who sits where."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from agents import Agent, entry_of, make
from experiments.arguments import MOST
from red7_env.game import Game, Position, Red7Error, Rules
from red7_env.game.errors import shown
from red7_env.game.rules import MAX_PLAYERS

PERSON = "human"
DEFAULT_RULES = "basic"


class PlayError(Red7Error):
    """A game that cannot be played as it was asked for."""


@dataclass(frozen=True)
class Sitting:
    """A game and who plays it.

    Attributes:
        game: The game; it changes as it is played.
        players: The spec of the agent at each seat, ``human`` once.
        seed: Seed of the deals and of the opponents' chance.
        deal: The number of the deal, None if the game began at a written position.
    """

    game: Game
    players: tuple[str, ...]
    seed: int
    deal: int | None

    @property
    def seat(self) -> int:
        """The person's seat."""
        return self.players.index(PERSON)

    @property
    def opponents(self) -> tuple[str, ...]:
        """The other players, in turn order after the person."""
        return self.players[self.seat + 1 :] + self.players[: self.seat]

    def rng(self, seat: int) -> np.random.Generator:
        """Return the source of chance of a seat."""
        return np.random.default_rng([self.seed, self.deal or 0, seat])

    def next(self, seat: int | None) -> "Sitting":
        """Return the game after this one: the next deal, the person at a seat, or at one that the seed chooses."""
        deal = 0 if self.deal is None or self.deal == MOST else self.deal + 1  # after the last comes the first
        return dealt(self.game.rules, self.opponents, self.seed, deal, seat)


def dealt(rules: Rules, opponents: Sequence[str], seed: int, deal: int, seat: int | None) -> Sitting:
    """Return a game as it is dealt.

    Args:
        rules: What is played.
        opponents: The specs of the others, in turn order after the person.
        seed: Seed of the deals.
        deal: Number of the deal.
        seat: The person's, None to let the seed choose.

    Raises:
        PlayError: If there is no such seat.
    """
    if seat is None:
        seat = int(np.random.default_rng([seed, deal]).integers(rules.players))
    return Sitting(Game.deal(rules, seed, deal), _seated(opponents, seat, rules.players), seed, deal)


def placed(position: Position, opponents: Sequence[str], seed: int, seat: int | None) -> Sitting:
    """Return a game that begins at a written position; the person sits at the seat to move if none is given.

    Raises:
        PlayError: If there is no such seat, it is out, or the round is over.
    """
    game = Game.from_position(position, seed=seed)
    if game.round_over:
        raise PlayError("position: found a round that is over, expected one in play")
    seat = game.to_move if seat is None else seat
    players = _seated(opponents, seat, game.rules.players)
    if position.seats[seat] is None:
        raise PlayError(f"seat: found {seat}, which is out at this position, expected a seat that is in")
    return Sitting(game, players, seed, None)


def checked_opponents(specs: Sequence[str], *, cheating: bool) -> tuple[str, ...]:
    """Return the opponents' specs.

    Raises:
        PlayError: If there are too many, one is a person, or one cheats without leave.
        SpecError: If one names no agent.
    """
    if not 1 <= len(specs) < MAX_PLAYERS:
        raise PlayError(f"opponents: found {len(specs)}, expected 1 to {MAX_PLAYERS - 1}")
    for spec in specs:
        entry = entry_of(spec)
        if entry.name == PERSON:
            raise PlayError(f"opponents: found {shown(spec)}, expected agents: there is one person at the terminal")
        if entry.cheats and not cheating:
            raise PlayError(f"opponents: found {shown(spec)}, which sees all hands, expected --allow-cheating with it")
    return tuple(specs)


def rules_for(text: str, opponents: int) -> Rules:
    """Return the rules of a text for a person and so many opponents; the text need not name the number of players.

    Raises:
        RulesError: If there are no such rules.
        PlayError: If the text names another number of players.
    """
    rules, players = Rules.parse(text), opponents + 1
    if re.search(r":[0-9]+p", text) and rules.players != players:
        raise PlayError(f"rules: found {rules.players} players, expected {players}, one more than opponents")
    return replace(rules, players=players)


def made(players: Sequence[str]) -> dict[str, Agent]:
    """Return the opponents by their specs.

    Raises:
        SpecError: If one cannot be made.
    """
    return {spec: make(spec) for spec in players if spec != PERSON}


def _seated(opponents: Sequence[str], seat: int, players: int) -> tuple[str, ...]:
    """Return who sits where, the opponents in turn order after the person."""
    if len(opponents) != players - 1:
        raise PlayError(f"opponents: found {len(opponents)}, expected {players - 1} for {players} seats")
    if not 0 <= seat < players:
        raise PlayError(f"seat: found {seat}, expected 0 to {players - 1}")
    around = (PERSON, *opponents)
    return tuple(around[(place - seat) % players] for place in range(players))
