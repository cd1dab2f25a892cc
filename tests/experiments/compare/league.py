"""Runs and made-up games for the tests of the league."""

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from experiments.compare.cli import main
from experiments.compare.config import Config
from experiments.compare.design import seatings, tables_of
from red7_env.game import Rules

RESULT_FILES = (
    "agents.csv",
    "config.json",
    "cross_table.png",
    "games.jsonl",
    "pairs.csv",
    "ratings.png",
    "records.jsonl",
    "results.json",
    "results.md",
)
"""What a finished run leaves, but for the timing."""


def compare(folder: Path, words: str) -> int:
    """Run ``python -m experiments compare`` in this process."""
    return main([*words.split(), "--out", str(folder)])


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a finished run that must not differ between equal runs."""
    found = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert found.pop("timing.json")
    assert tuple(sorted(found)) == RESULT_FILES
    return found


def lines_of(folder: Path, name: str) -> list[dict]:
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def config_of(agents: Iterable[str], rules: str = "basic:2p", deals: int = 100, **more: object) -> Config:
    """Return a comparison that is not going to be played."""
    return Config(tuple(sorted(agents)), Rules.parse(rules), deals, seed=1, batch=100, **more)


def made_up_games(config: Config, strengths: dict[str, float], seed: int = 0) -> list[str]:
    """Return lines of games in which each seat wins in proportion to the strength of its agent."""
    rng = np.random.default_rng(seed)
    lines = []
    for number, table in enumerate(tables_of(config.agents, config.rules.players, config.design)):
        weights = np.array([strengths[spec] for spec in table.agents])
        for deal, rotations in enumerate(seatings(table, np.arange(config.deals))):
            for places in rotations:
                chances = weights[places]
                winner = int(rng.choice(table.players, p=chances / chances.sum()))
                lines.append(game_line(number, deal, [table.agents[place] for place in places], [winner]))
    return lines


def game_line(table: int, deal: int, seats: list[str], winners: list[int], scores: list[int] | None = None) -> str:
    scores = scores or [0] * len(seats)
    game = {"table": table, "deal": deal, "seats": seats, "winners": winners, "scores": scores}
    return json.dumps(game | {"first": 0, "rounds": 1, "turns": 1, "moves": 1})
