"""Pinned perft counts: make them anew with ``python -m tests.perft``, after reading why they changed.

The positions stand at the start of turns of random games, chosen so that every variant, edition, number of players and
some small decks have some, and that the counts are large enough to notice a fault. Each count is computed by both
engines, the deepest ones by the fast one alone.
"""

import json
import random
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

from red7_env.game import Game, Rules
from tests.reference import Reference, perft

PINNED = Path(__file__).parent / "data" / "perft.json"
SEED = 7
# The reference counts up to here, the engine four depths or this many sequences beyond.
SLOW_COUNT, FAST_COUNT = 3_000, 3_000_000
WORTHWHILE = 20
WANTED = [
    Rules(players, variant, actions, variant == "advanced" and players == 3)
    for variant in ("basic", "advanced")
    for actions in (None, "revised", "first")
    for players in (2, 3, 4)
] + [
    Rules(2, "basic", deck=(4, 5, 5)),
    Rules(3, "advanced", "revised", deck=(7, 3, 4)),
    Rules(2, "advanced", "first", deck=(3, 7, 5)),
]


def slow_counts(position: str) -> list[int]:
    """Return the reference's counts by depth, from 1, until they are large or no longer change."""
    counts, slow = [1], Reference.from_position(position)
    while counts[-1] < SLOW_COUNT and len(counts) < 12 and (len(counts) < 3 or counts[-1] != counts[-2]):
        counts.append(perft(slow, len(counts)))
    return counts[1:]


def fast_counts(position: str, depths: int) -> list[int]:
    """Return the engine's counts by depth, from 1."""
    game = Game.from_position(position)
    counts = [game.perft(depth) for depth in range(1, depths + 1)]
    while counts[-1] < FAST_COUNT and counts[-1] > SLOW_COUNT and len(counts) < depths + 4:
        counts.append(game.perft(len(counts) + 1))
    return counts


def positions(rules: Rules) -> Iterator[str]:
    """Yield positions from random games, one of each game, that have a choice."""
    for index in count():
        chance = random.Random(f"{rules} {index}")
        game = Game.deal(rules, SEED, index)
        starts = []
        while not game.round_over:
            if len(game.moves()) > 2 and not game.turn:
                starts.append(game.position)
            moves = game.moves()
            game.play(chance.choice([move for move in moves if move != "#"] or moves))
        # The later half of a round has the larger palettes, and canvases.
        if starts[1:]:
            yield chance.choice(starts[len(starts) // 2 :])


def main() -> None:
    """Write the pinned counts, after comparing both engines."""
    cases = []
    for rules in WANTED:
        found = ((position, slow_counts(position)) for position in positions(rules))
        for position, slow in islice((each for each in found if each[1][-1] >= WORTHWHILE), 2):
            counts = fast_counts(position, len(slow))
            assert counts[: len(slow)] == slow, position
            cases.append({"position": position, "counts": counts})
            print(position, counts)
    lines = ",\n ".join(json.dumps(case) for case in cases)
    PINNED.write_text(f"[\n {lines}\n]\n")


if __name__ == "__main__":
    main()
