"""Golden game records: make them anew with ``python -m tests.golden``, after reading why they changed.

One file a variant and edition, with games of two, three and four players, single rounds and matches. Games are dealt by
the engine's generator and played by a fixed choice, so that any change of deals, rules, offers, ends, scores or of the
record's form shows as a difference of text.
"""

from pathlib import Path

from red7_env.game import Game, Rules
from red7_env.game.record import make_record, record_line

FOLDER = Path(__file__).parent / "data" / "golden"
SMALL = {2: (4, 5, 4), 3: (7, 4, 5), 4: (7, 5, 5)}
GAMES = 2


def files() -> dict[str, list[Rules]]:
    """Return what is played in each file."""
    return {
        f"{variant}{f'-{actions}' if actions else ''}{'-match' if match else ''}.jsonl": [
            Rules(players, variant, actions, match, deck)
            for players in (2, 3, 4)
            for deck in ((7, 7, 7), SMALL[players])
        ]
        for variant, match in (("basic", False), ("advanced", False), ("advanced", True))
        for actions in (None, "revised", "first")
    }


def chosen(game: Game, step: int) -> str:
    """Choose a move by a rule that needs no generator: it walks through the offer, and seldom passes."""
    moves = game.moves()
    if step % 7:
        moves = [move for move in moves if move != "#"] or moves
    return moves[step * 5 % len(moves)]


def played(rules: Rules, seed: int) -> Game:
    """Play a game to its end."""
    game, step = Game.deal(rules, seed), seed
    while not game.over:
        if game.round_over:
            game.next_round()
        else:
            game.play(chosen(game, step))
            step += 1
    return game


def lines(all_rules: list[Rules]) -> str:
    """Return the records of some games of all these rules, as the text of a file."""
    return "".join(
        record_line(make_record(played(rules, seed), [f"seat {seat}" for seat in range(rules.players)], seed)) + "\n"
        for rules in all_rules
        for seed in range(GAMES)
    )


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, all_rules in files().items():
        (FOLDER / name).write_text(lines(all_rules), encoding="ascii", newline="\n")
        print(f"{FOLDER / name}: {GAMES * len(all_rules)} games")


if __name__ == "__main__":
    main()
