"""Compile everything the engine needs, once, with the time it took: ``python -m red7_env.game.compile``."""

import time

import numpy as np

from red7_env.game import batch
from red7_env.game.bits import U64
from red7_env.game.game import Game
from red7_env.game.kernels import random_games
from red7_env.game.notation import parse_position
from red7_env.game.rules import Rules
from red7_env.game.state import blank_states


def warm_up() -> float:
    """Call every compiled entry point once; return the seconds that took (under a second once they are cached)."""
    start = time.perf_counter()
    rules = Rules(variant="advanced", actions="revised", match=True)
    game = Game.deal(rules)
    game.perft(2)
    game.play(game.moves()[0])
    states = batch.deal(rules, 2)
    batch.playout(batch.determinise(batch.views(states, 0), 0), 0)
    while not game.round_over:
        game.play(game.move_ids()[0])
    _ = game.leader, game.best_set(game.to_move), game.scores
    game.copy().next_round_from(parse_position(game.copy().next_round().position))
    Game.from_position(game.position)
    random_games(blank_states(rules), 1, U64(0), U64(0), np.zeros(7, np.int64))
    return time.perf_counter() - start


if __name__ == "__main__":
    print(f"red7_env: compiled code is ready ({warm_up():.1f} s)")
