"""Recorded games for the tests of replays."""

from functools import cache

from red7_env.game import Game, Rules
from red7_env.game.record import make_record, record_line
from tests.env_cases import random_policy

VARIANTS = ("basic:2p", "basic+first:3p", "advanced:2p", "advanced+revised:4p", "advanced+revised:2p:match")


@cache
def finished(rules: str, seed: int = 2) -> Game:
    """Return a random game, played to its end; leave it as it is."""
    game, choose = Game.deal(Rules.parse(rules), seed), random_policy(seed)
    while not game.over:
        game.play(choose(game.mask))
        if game.rules.match and game.round_over:
            game.next_round()
    return game


def record(rules: str = "basic:2p", seed: int = 2, names: tuple[str, ...] | None = None) -> str:
    game = finished(rules, seed)
    return record_line(make_record(game, names or tuple("abcd"[: game.rules.players]), seed))
