"""Verifying records: playing a game again and comparing everything that its record states.

Checked are deals, first players, moves, ends, scored cards, scores, winners and the end of the
match; only the shuffle is taken as it is. Rounds, turns and lines are counted from 1.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from red7_env.game.cards import cards_text
from red7_env.game.check_deal import Piles, check_deal, first_piles
from red7_env.game.errors import NotationError, RecordError, Red7Error, shown
from red7_env.game.moves import split_turn
from red7_env.game.notation import Position, parse_position
from red7_env.game.record import RoundRecord, checked_record, read_record
from red7_env.game.rules import MAX_PLAYERS

if TYPE_CHECKING:
    from red7_env.game.game import Game


def verify_lines(lines: Iterable[str | bytes]) -> int:
    """Check records, one a line, and return how many there are.

    Raises:
        RecordError: Naming the line, the round and the turn of the first fault.
    """
    count = 0
    for line in lines:
        count += 1
        with _named(f"line {count}"):
            replay_record(read_record(line))
    return count


def verify_record(record: object) -> None:
    """Check that a record can be replayed to exactly what it states.

    Raises:
        RecordError: Naming the round and the turn of the first fault.
    """
    replay_record(record)


def replay_record(record: object) -> "Game":
    """Play a record again, check everything it states, and return the finished game.

    Raises:
        RecordError: Naming the round and the turn of the first fault.
    """
    checked = checked_record(record)
    *earlier, last = enumerate(checked["rounds"], 1)
    game: Game | None = None
    for number, log in earlier:
        game = _replay_round(game, log, number, len(checked["players"]))
        with _named(_end_of(log, number)):
            _check_not_over(game)
    number, log = last
    game = _replay_round(game, log, number, len(checked["players"]))
    with _named(_end_of(log, number)):
        if game.rules.match:
            game.next_round()
        if not game.over:
            raise RecordError("rounds: found no more, expected another one: the match is not over")
        _check_equal("scores", checked["scores"], list(game.scores))
        _check_equal("winners", checked["winners"], list(game.winners))
    return game


def _replay_round(game: "Game | None", log: RoundRecord, number: int, players: int) -> "Game":
    """Play one round, from its deal to its end, in the game of the rounds before."""
    with _named(f"round {number}, before turn 1"):
        position = parse_position(log["position"])
        if game is None:
            game = _first_deal(position, players)
        else:
            check_deal(position, game.rules, _piles_after(game))
            game.next_round_from(position)
    for turn, text in enumerate(log["turns"], 1):
        with _named(f"round {number}, turn {turn}"):
            tokens = split_turn(text)
            if " ".join(tokens) != text or not tokens:
                raise NotationError(f"turn: found {shown(text)}, expected tokens with one space between them")
            game.play_turn(tokens)
    with _named(_end_of(log, number)):
        _check_round_end(game, log)
    return game


def _first_deal(position: Position, players: int) -> "Game":
    """Begin the game with its first deal."""
    from red7_env.game.game import Game  # here, since the kernels take a while to load

    rules = position.rules
    if rules.players != players:
        raise RecordError(f"seats: found {rules.players}, expected {players}, one a player's name")
    check_deal(position, rules, first_piles(rules))
    return Game.from_position(position)


def _check_round_end(game: "Game", log: RoundRecord) -> None:
    """Check that the round is over, with the winner and the scored cards that are stated."""
    if game.winner is None:
        raise RecordError("turns: found no more, expected another one: the round is not over")
    _check_equal("winner", log["winner"], game.winner)
    best_set = game.best_set(game.winner) if game.rules.advanced else []
    _check_equal("scored", log["scored"], cards_text(best_set))


def _check_not_over(game: "Game") -> None:
    """Check that another round may follow."""
    if not game.rules.match:
        raise RecordError("rounds: found another one, expected a single round: there is no match")
    after = game.copy()
    after.next_round()
    if after.over:
        raise RecordError("rounds: found another one, expected no more: the match is over")


def _piles_after(game: "Game") -> Piles | None:
    """Return what each seat has scored once the round that is over has been scored."""
    after = game.copy()
    after.next_round()
    return parse_position(after.position).scored


def _check_equal(field: str, found: object, expected: object) -> None:
    if found != expected:
        raise RecordError(f"{field}: found {_value(found)}, expected {_value(expected)}")


def _value(value: object) -> str:
    """Show a value of a record, also a short list of numbers."""
    if isinstance(value, list) and len(value) <= MAX_PLAYERS:
        return f"[{', '.join(map(shown, value))}]"
    return f"{len(value)} numbers" if isinstance(value, list) else shown(value)


def _end_of(log: RoundRecord, number: int) -> str:
    return f"round {number}, after turn {len(log['turns'])}"


@contextmanager
def _named(place: str) -> Iterator[None]:
    """Say in the message of an error where it was found."""
    try:
        yield
    except Red7Error as error:
        raise RecordError(f"{place}: {error}") from None
