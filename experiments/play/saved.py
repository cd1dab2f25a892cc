"""The records of finished games, and the game under way, so that it can go on another day."""

import json
import os
from pathlib import Path
from typing import IO

from experiments.arguments import MOST
from experiments.play.settings import PERSON, PlayError, Sitting
from red7_env.game import Game, Red7Error
from red7_env.game.check_deal import check_deal, first_piles
from red7_env.game.errors import shown
from red7_env.game.moves import split_turn
from red7_env.game.notation import parse_position
from red7_env.game.record import MAX_LINE_BYTES
from red7_env.game.seeds import whole
from red7_env.transcript import record_text


class Keeper:
    """Appends the record of every finished game to a file, and keeps the unfinished one in a file beside it.

    Attributes:
        path: The file of records, None to keep nothing.
        finished: Games that were appended.
    """

    def __init__(self, path: Path | None) -> None:
        """Say where; nothing is written yet."""
        self.path = path
        self.finished = 0
        self._rng = 0

    @property
    def unfinished(self) -> Path | None:
        """The file of the game under way."""
        return None if self.path is None else self.path.parent / f"{self.path.name}.unfinished"

    def check(self) -> None:
        """Make sure that a new game can be kept.

        Raises:
            PlayError: If the file cannot be written, or an unfinished game would be lost.
        """
        if self.path is None or self.unfinished is None:
            return
        if self.path.is_fifo() or self.path.is_char_device():  # a pipe would wait for a reader
            found = f"{shown(str(self.path))} (not a plain file)"
            raise PlayError(f"record: found {found}, expected a file to append to")
        try:
            with self.path.open("ab"):
                pass
        except OSError as error:
            reason = error.strerror or "not a file name"
            raise PlayError(f"record: found {shown(str(self.path))} ({reason}), expected a file to append to") from None
        if self.unfinished.exists():
            found = shown(str(self.unfinished))
            raise PlayError(f"record: found an unfinished game in {found}, expected --resume, or this file gone")

    def begin(self, sitting: Sitting) -> None:
        """Take down what a game is dealt from, before it is played.

        Raises:
            PlayError: If it does not begin with a deal, so that its record would be refused.
        """
        if self.path is None:
            return
        self._rng = int(sitting.game.state[0]["rng"])
        rules, position = sitting.game.rules, parse_position(sitting.game.rounds[0].position)
        try:
            check_deal(position, rules, first_piles(rules))
        except Red7Error as error:
            raise PlayError(f"record: found a position that is no deal, expected no --record ({error})") from None

    def save(self, sitting: Sitting) -> None:
        """Keep a game as it stands; whenever the program is killed, the file holds the last game saved."""
        if self.path is None or self.unfinished is None:
            return
        whole = json.loads(_record(sitting)) | {"rng": self._rng, "deal": sitting.deal}
        new = self.unfinished.with_name(f"{self.unfinished.name}.new")
        new.write_text(json.dumps(whole) + "\n", encoding="ascii")
        new.replace(self.unfinished)

    def finish(self, sitting: Sitting) -> None:
        """Append the record of a finished game."""
        if self.path is None or self.unfinished is None:
            return
        with self.path.open("ab+") as file:
            if file.tell() and _last_byte(file) != b"\n":  # of another program, or of a disk that was full
                file.write(b"\n")
            file.write(f"{_record(sitting)}\n".encode("ascii"))
        self.finished += 1
        self.unfinished.unlink(missing_ok=True)

    def resumed(self) -> Sitting:
        """Return the unfinished game.

        Raises:
            PlayError: If there is none, or the file does not hold one.
        """
        if self.unfinished is None:
            raise PlayError("resume: found no --record, expected the FILE that the game was to be recorded in")
        name = shown(str(self.unfinished))
        try:
            with self.unfinished.open("rb") as file:
                sitting, self._rng = _read(file.read(MAX_LINE_BYTES))
        except OSError as error:
            raise PlayError(f"resume: found {name} ({error.strerror}), expected an unfinished game") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            fault = str(error) if isinstance(error, Red7Error) else "not written by this program"
            raise PlayError(f"resume: found a fault in {name} ({fault}), expected an unfinished game") from None
        return sitting


def _last_byte(file: IO[bytes]) -> bytes:
    """Return the last byte of a file that has one."""
    file.seek(-1, os.SEEK_END)
    return file.read(1)


def _record(sitting: Sitting) -> str:
    return record_text(sitting.game, sitting.players, sitting.seed, sitting.deal or 0)


def _read(text: bytes) -> tuple[Sitting, int]:
    """Return the game that was kept, played again move by move, and what it was dealt from."""
    kept = json.loads(text)
    players = tuple(map(str, kept["players"]))
    first, *later = kept["rounds"]
    game = Game.from_position(first["position"], rng=kept["rng"])
    if players.count(PERSON) != 1 or len(players) != game.rules.players:
        raise PlayError(f"players: found {len(players)}, expected {game.rules.players}, and one person among them")
    _replay(game, first["turns"])
    for log in later:
        if game.next_round().position != log["position"]:
            raise PlayError("rounds: found another deal than the seed makes")
        _replay(game, log["turns"])
    deal = None if kept["deal"] is None else whole(kept["deal"], "deal", MOST)
    return Sitting(game, players, whole(kept["seed"], "seed", MOST), deal), int(kept["rng"])


def _replay(game: Game, turns: list[str]) -> None:
    """Play turns, the last of which may be unfinished: a card that it drew was seen, and stays so."""
    for place, turn in enumerate(turns, 1):
        game.play_turn(split_turn(turn), may_stop=place == len(turns))
