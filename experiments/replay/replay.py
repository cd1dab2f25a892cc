"""``Replay``: a game that is over, from deal to end, with what agents think of it; shown by a page of its own."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from experiments.compare.folder import write_text
from experiments.replay.data import page_data
from experiments.replay.explain import Report, verdicts
from experiments.replay.explain import explain as opinions_of
from experiments.replay.page import page
from red7_env.game import Game, Red7Error
from red7_env.game.record import GameRecord, make_record, read_record
from red7_env.game.verify import replay_record
from red7_env.stages import stages

_NAME_LENGTH: Final = 60
_FRAME_HEIGHT: Final = 760


class ReplayError(Red7Error):
    """A replay that cannot be made as it was asked for."""


class Replay:
    """A recorded game, step by step. A notebook shows it; ``save`` writes it as a page for any browser.

    >>> game = Game.deal(seed=7)
    >>> while not game.over:
    ...     game.play(game.moves()[-1])
    >>> Replay(game, explain=["greedy"]).html()[:15]
    '<!doctype html>'

    Attributes:
        record: The record, verified.
        game: The game, played again to its end.
        names: What the seats are called.
        stages: How it stood before each move, after each round and at the end.
        verdicts: By number of the stage, the solver's verdict in 2-player basic.
        critics: The agents that explain, with their opinions.
    """

    def __init__(
        self,
        record: str | bytes | GameRecord | Game,
        explain: Sequence[str] = (),
        *,
        names: Sequence[str] | None = None,
        seed: int = 0,
        report: Report = lambda *_: None,
    ) -> None:
        """Verify a record by playing it again, and ask the agents.

        Args:
            record: A line of a record file, what was read from it, or a finished game.
            explain: Specs of agents.
            names: What the seats are called; the record's players if left out.
            seed: Seed of the agents' chance.
            report: Is told of the progress.

        Raises:
            Red7Error: If the record is malformed or not true, or an agent cannot be made.
            ValueError: If an agent does not play these rules.
        """
        if isinstance(record, Game):
            seats = [f"player_{seat}" for seat in range(record.rules.players)]
            record = make_record(record, seats if names is None else names)
        self.record = read_record(record) if isinstance(record, str | bytes) else record
        self.game = replay_record(self.record)
        self.names = called(self.record["players"] if names is None else names, self.game)
        self.stages = list(stages(self.game))
        self.verdicts = verdicts(self.stages)
        self.critics = opinions_of(self.stages, list(dict.fromkeys(explain)), seed=seed, report=report)

    def __repr__(self) -> str:
        """Return who played what."""
        return f"<Replay of {self.game.rules}: {', '.join(self.names)}>"

    def html(self) -> str:
        """Return the page: one document that loads nothing."""
        return page(page_data(self.game.rules, self.names, self.stages, self.verdicts, self.critics))

    def save(self, path: str | Path) -> None:
        """Write the page to a file, all or nothing."""
        write_text(Path(path), self.html())

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, for a notebook."""
        frame = f'sandbox="allow-scripts" width="100%" height="{_FRAME_HEIGHT}" style="border:0"'
        return f'<iframe title="{escape(repr(self))}" srcdoc="{escape(self.html())}" {frame}></iframe>'


def called(names: Sequence[str], game: Game) -> list[str]:
    """Return names that fit a page: on one line, not too long, none empty and no two alike.

    Raises:
        ReplayError: If they are not one a seat.
    """
    if len(names) != game.rules.players:
        raise ReplayError(f"names: found {len(names)}, expected {game.rules.players}, one a seat")
    short = [" ".join(str(name).split())[:_NAME_LENGTH] or f"player_{seat}" for seat, name in enumerate(names)]
    return [f"{name} ({seat + 1})" if short.count(name) > 1 else name for seat, name in enumerate(short)]
