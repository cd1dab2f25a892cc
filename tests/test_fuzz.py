"""At least 100,000 mutated inputs through every public door: a result or one of our errors, in one line."""

import io
import json
import random
import re
import sys

import pytest

from red7_env.cli import answer, serve
from red7_env.game import Game, Rules
from red7_env.game.cards import parse_cards
from red7_env.game.errors import Red7Error, shown
from red7_env.game.moves import move_text, parse_move, split_turns
from red7_env.game.record import make_record, read_record, record_line
from red7_env.game.verify import replay_record

INPUTS = 100_000
PARTS = 4
CARD = re.compile("[ROYGBIV][1-7]")
ALPHABET = [
    *"ROYGBIVXx1234567089+>^~_*.#/:-@, ;\t\n\r\0\"'{}[]\\",
    *("basic", "advanced", "revised", "first", ":match", ":2p", ":3p", "7x7x7", "R7", "-:R6", "x/", "-1", "1e9"),
    *("null", "true", "NaN", "0.5", "\u00e9", "\u0661", "\uff17", "\u2028", "\ud800", "\U0001f600", "9" * 5000),
]


def samples():
    """Make texts of every kind that are read somewhere, all of them well-formed."""
    rng = random.Random(1)
    all_rules = [
        Rules(2),
        Rules(3, "basic", "first"),
        Rules(4, "advanced", "revised"),
        Rules(2, "advanced", "first", match=True),
        Rules(3, "advanced", "revised", match=True, deck=(4, 4, 2)),
    ]
    texts = {"rules": [], "position": [], "turns": [], "record": [], "cards": ["-", "R7", "R7O3V1"]}
    for seed, rules in enumerate(all_rules * 3):
        game = Game.deal(rules, seed)
        while not game.over:
            texts["position"].append(game.position)
            if game.round_over:
                game.next_round()
            else:
                game.play(rng.choice(game.moves()))
        texts["rules"] += [str(rules), rules.field]
        texts["turns"] += [turn for log in game.rounds for turn in log.turns]
        texts["turns"] += [";".join(log.turns) for log in game.rounds]
        texts["record"].append(record_line(make_record(game, [str(seat) for seat in range(rules.players)], seed)))
    return texts


def mutated(text, rng):
    """Change a text in one to four places, or swap two of its cards, which may well leave it well-formed."""
    cards = [found.start() for found in CARD.finditer(text)]
    if len(cards) > 1 and rng.random() < 0.3:
        one, other = sorted(rng.sample(cards, 2))
        return text[:one] + text[other : other + 2] + text[one + 2 : other] + text[one : one + 2] + text[other + 2 :]
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice([0, 1, 1, 2, rng.randrange(40)]))
        piece = rng.choice([rng.choice(ALPHABET), "", text[end : end + 8], text[start:end] * 2])
        text = text[:start] + piece + text[end:]
    return text


def mutated_value(value, rng):
    """Change a value of JSON in one place, by another one of any type or by one from elsewhere in it."""
    if isinstance(value, dict) and value and rng.random() < 0.95:
        key = rng.choice(sorted(value))
        return {**value, key: mutated_value(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        place = rng.randrange(len(value))
        return [*value[:place], mutated_value(value[place], rng), *value[place + rng.choice([0, 1, 1, 1, 2]) :]]
    if isinstance(value, str) and rng.random() < 0.8:
        return mutated(value, rng)
    return rng.choice([None, True, 0, 1, 3, -1, 2**70, 0.5, "", "-", [], {}, [[]], value])


def play_position(text, rng):
    """Read a position, and if it is one, ask a game about it and play some of it."""
    game = Game.from_position(text)
    assert Game.from_position(game.position).position == game.position
    for _ in range(3):
        offered = game.moves()
        if not offered:
            break
        game.play(rng.choice(offered))
    game.leader, game.scores, game.winners  # noqa: B018 - must not fail


def serve_line(text):
    """Serve a text; each line that it makes must be answered by one line of ASCII."""
    output = io.StringIO()
    data = f"{text}\n".encode("utf-8", "surrogatepass")
    stdout, sys.stdout = sys.stdout, output
    try:
        serve(io.BytesIO(data))
    finally:
        sys.stdout = stdout
    answers = output.getvalue().split("\n")[:-1]
    assert len(answers) == data.count(b"\n")
    assert all(line.isascii() for line in answers)


def command(texts, rng):
    """Make a command of well-formed parts that need not go together."""
    name = rng.choice(["leader", "moves", "apply", "score", "verify"])
    last = {
        "moves": texts["turns"],
        "apply": texts["turns"],
        "score": ["0", "1", "2", "3"],
    }.get(name)
    position = "no/such/file" if name == "verify" else rng.choice(texts["position"])
    return "\t".join([name, position, *([rng.choice(last)] if last else [])])


def replay_values(text, rng):
    replay_record(mutated_value(json.loads(text), rng))


DOORS = {
    "rules": lambda text, _: Rules.parse(text),
    "cards": lambda text, _: parse_cards(text),
    "position": play_position,
    "turns": lambda text, _: [move_text(parse_move(token)) for turn in split_turns(text) for token in turn],
    "record": lambda text, _: replay_record(read_record(text)),
}


@pytest.mark.parametrize("part", range(PARTS))
def test_no_input_gets_through_as_anything_but_our_own_errors(part):
    rng = random.Random(part)
    texts = samples()
    refused = 0
    for number in range(INPUTS // PARTS):
        kind = rng.choice(["rules", "cards", "position", "position", "turns", "record", "values", "command", "serve"])
        try:
            if kind == "values":
                replay_values(rng.choice(texts["record"]), rng)
            elif kind == "command":
                answer(mutated(command(texts, rng), rng).split("\t"))
            elif kind == "serve":
                serve_line(mutated(command(texts, rng), rng))
            else:
                DOORS[kind](mutated(rng.choice(texts[kind]), rng), rng)
        except Red7Error as error:
            refused += 1
            message = str(error)
            assert message.isascii(), (number, kind)
            assert message.isprintable(), (number, kind, shown(message))
            assert len(message) < 600, (number, kind, message)
    assert refused > INPUTS // PARTS // 2
