"""Game records: written, read, and replayed to exactly what they state."""

import copy
import json
import random

import pytest

from red7_env.game import Game, Rules
from red7_env.game.errors import NotationError, RecordError
from red7_env.game.record import MAX_LINE_BYTES, checked_record, make_record, read_record, record_line
from red7_env.game.verify import replay_record, verify_lines, verify_record

RULES = [
    Rules(players, variant, actions, match)
    for players in (2, 3, 4)
    for variant, match in (("basic", False), ("advanced", False), ("advanced", True))
    for actions in (None, "revised", "first")
]
SMALL = [
    Rules(deck=(3, 4, 2)),
    Rules(3, "advanced", "revised", match=True, deck=(5, 4, 3)),
    Rules(2, "advanced", "first", match=True, deck=(7, 2, 1)),
]


def finished(rules: Rules, seed: int) -> Game:
    """Play a game to its end at random."""
    rng = random.Random(seed)
    game = Game.deal(rules, seed)
    while not game.over:
        if game.round_over:
            game.next_round()
        else:
            game.play(rng.choice(game.moves()))
    return game


def record_of(rules: Rules, seed: int = 0):
    return make_record(finished(rules, seed), [f"player {seat}" for seat in range(rules.players)], seed)


@pytest.fixture(scope="module")
def single():
    """A single advanced round of two, whose record has at least four turns."""
    return next(
        record
        for seed in range(100)
        if len((record := record_of(Rules(variant="advanced"), seed))["rounds"][0]["turns"]) > 3
    )


@pytest.fixture(scope="module")
def match():
    """A match of at least three rounds."""
    return next(
        record
        for seed in range(100)
        if len((record := record_of(Rules(3, "advanced", "revised", match=True), seed))["rounds"]) > 2
    )


@pytest.mark.parametrize("rules", RULES + SMALL, ids=str)
def test_finished_games_verify(rules):
    for seed in range(5):
        game = finished(rules, seed)
        record = make_record(game, [f"player {seat}" for seat in range(rules.players)], seed)
        line = record_line(record)
        assert "\n" not in line
        assert read_record(line) == read_record(line.encode()) == record
        replayed = replay_record(json.loads(line))
        assert (replayed.scores, replayed.winners) == (game.scores, game.winners)
        assert make_record(replayed, record["players"], seed) == record


def test_what_a_record_holds(single, match):
    assert list(single) == ["format", "players", "rounds", "scores", "winners", "seed"]
    assert single["format"] == "red7-record/1"
    assert single["winners"] == [single["rounds"][0]["winner"]]
    assert single["scores"][single["winners"][0]] > 0
    assert all(len(log["position"].split()) == 6 for log in match["rounds"])
    assert match["rounds"][0]["position"].endswith(" -/-/-")
    basic = record_of(Rules())
    assert (basic["rounds"][0]["scored"], basic["scores"]) == ("-", [0, 0])
    assert "seed" not in make_record(finished(Rules(), 0), ["a", "b"])


def test_unknown_keys_are_ignored(single):
    record = copy.deepcopy(single) | {"comment": {"seed": None}}
    record["rounds"][0]["clock"] = [1.5, None]
    verify_record(record)
    assert checked_record(record) == single


def test_the_seed_is_informational(single):
    verify_record({**single, "seed": 12345})
    verify_record({**single, "seed": None})


def test_a_game_that_is_not_over_makes_no_record():
    game = Game.deal()
    with pytest.raises(RecordError, match=r"^game: found one that is not over"):
        make_record(game, ["a", "b"])
    rules = Rules(variant="advanced", match=True)
    game = Game.deal(rules)
    while not game.round_over:
        game.play("#")
    with pytest.raises(RecordError, match=r"^game: found one that is not over"):
        make_record(game, ["a", "b"])


def test_a_game_that_began_in_the_middle_makes_no_record():
    game = Game.from_position("basic R1 R2:R3/O2:O3 0 -")
    game.play("#")
    with pytest.raises(RecordError, match=r"^canvas: found R1, expected - at the start"):
        make_record(game, ["a", "b"])


@pytest.mark.parametrize("names", [[], ["a"], ["a", "b", "c"]])
def test_a_record_has_one_name_a_seat(names):
    with pytest.raises(RecordError, match=f"^players: found {len(names)} names, expected 2"):
        make_record(finished(Rules(), 0), names)


# Reading a line


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("", "record: found a fault at character 0 .*, expected one JSON object"),
        ("{", "record: found a fault at character 1"),
        ("{} {}", "record: found a fault at character 3"),
        (b"\xff", "record: found a byte that is not UTF-8 at 0"),
        ('{"a": 1, "b": 2, "a": 3}', "record: found the key 'a' twice, expected each key once"),
        ('{"x": {"a\\n": 1, "a\\n": 3}}', r"record: found the key 'a\\n' twice"),
        ('{"scores": NaN}', "record: found NaN, expected strict JSON"),
        ('{"scores": -Infinity}', "record: found -Infinity, expected strict JSON"),
        pytest.param('{"scores": ' + "1" * 5000 + "}", "record: found a number too long or lists too deep", id="1s"),
        pytest.param("[" * 100_000, "record: found a number too long or lists too deep", id="deep"),
        pytest.param(" " * (MAX_LINE_BYTES + 1), "record: found a longer line, expected at most", id="long"),
        ("[]", "record: found a value of type list, expected a JSON object"),
        ("null", "record: found None, expected a JSON object"),
        ("{}", "format: found nothing, expected this key"),
        ('{"format": "red7-record/2"}', "format: found 'red7-record/2', expected 'red7-record/1'"),
    ],
)
def test_lines_that_hold_no_record_are_refused(line, fault):
    with pytest.raises((NotationError, RecordError), match=f"^{fault}"):
        read_record(line)


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (["format"], 1, "format: found 1, expected a text"),
        (["players"], "ab", "players: found 'ab', expected a list"),
        (["players"], ["a", None], "players: found None in it, expected texts only"),
        (["players"], ["a"], "players: found 1 names, expected 2 to 4"),
        (["players"], ["a"] * 5, "players: found 5 names, expected 2 to 4"),
        (["seed"], 1.0, "seed: found 1.0, expected a whole number"),
        (["seed"], True, "seed: found True, expected a whole number"),
        (["rounds"], {}, "rounds: found a value of type dict, expected a list"),
        (["rounds"], [], "rounds: found none, expected at least one"),
        (["rounds", 0], None, "round 1: found None, expected a JSON object"),
        (["rounds", 0, "position"], 7, "round 1: position: found 7, expected a text"),
        (["rounds", 0, "turns"], "#", "round 1: turns: found '#', expected a list"),
        (["rounds", 0, "turns"], [["#"]], "round 1: turns: found a value of type list in it, expected texts only"),
        (["rounds", 0, "winner"], "0", "round 1: winner: found '0', expected a whole number"),
        (["rounds", 0, "winner"], False, "round 1: winner: found False, expected a whole number"),
        (["rounds", 0, "scored"], None, "round 1: scored: found None, expected a text"),
        (["scores"], 7, "scores: found 7, expected a list"),
        (["scores"], [7.0, 0], "scores: found 7.0 in it, expected whole numbers"),
        (["winners"], [True], "winners: found True in it, expected whole numbers"),
    ],
)
def test_wrong_types_are_refused(single, path, value, fault):
    record = copy.deepcopy(single)
    place = record
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(RecordError, match=f"^{fault}"):
        verify_record(record)


@pytest.mark.parametrize("key", ["format", "players", "rounds", "scores", "winners"])
def test_missing_keys_are_refused(single, key):
    with pytest.raises(RecordError, match=f"^{key}: found nothing, expected this key"):
        verify_record({name: value for name, value in single.items() if name != key})


@pytest.mark.parametrize("key", ["position", "turns", "winner", "scored"])
def test_missing_keys_of_a_round_are_refused(single, key):
    record = copy.deepcopy(single)
    del record["rounds"][0][key]
    with pytest.raises(RecordError, match=f"^round 1: {key}: found nothing, expected this key"):
        verify_record(record)


# Replaying


def refused(record, fault):
    with pytest.raises(RecordError, match=f"^{fault}") as caught:
        verify_record(record)
    assert str(caught.value).isprintable()


def with_position(record, change, number=0):
    """Change the fields of a round's position."""
    record = copy.deepcopy(record)
    fields = record["rounds"][number]["position"].split(" ")
    change(fields)
    record["rounds"][number]["position"] = " ".join(fields)
    return record


def test_a_move_that_is_not_offered(single):
    record = copy.deepcopy(single)
    record["rounds"][0]["turns"][1] = "."
    refused(record, r"round 1, turn 2: move: found \. \(end the turn\), expected one of ")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "turn: found '', expected tokens with one space between them"),
        (" #", "turn: found ' #', expected tokens with one space"),
        ("#  #", "turn: found '#  #', expected tokens with one space"),
        ("#;#", "token: found '#;#', expected one of"),
        ("pass", "token: found 'pass', expected one of"),
        ("# #", "token: found '#' after '#' had completed the turn, expected no more tokens in it"),
    ],
)
def test_malformed_turns(single, text, fault):
    record = copy.deepcopy(single)
    record["rounds"][0]["turns"][1] = text
    refused(record, f"round 1, turn 2: {fault}")


def test_an_unfinished_turn(single):
    record = copy.deepcopy(single)
    turns = record["rounds"][0]["turns"]
    number, text = next((n, text) for n, text in enumerate(turns, 1) if text.startswith("+"))
    turns[number - 1] = token = text.split()[0]
    refused(record, rf"round 1, turn {number}: token: found '\{token}' as the last of a turn that it does not complete")


def test_turns_after_the_end_of_the_round(single):
    record = copy.deepcopy(single)
    record["rounds"][0]["turns"].append("#")
    turns = len(record["rounds"][0]["turns"])
    refused(record, rf"round 1, turn {turns}: move: found # \(pass\), expected no move: the round is over")


def test_a_round_that_is_not_over(single):
    record = copy.deepcopy(single)
    record["rounds"][0]["turns"].pop()
    turns = len(record["rounds"][0]["turns"])
    refused(record, f"round 1, after turn {turns}: turns: found no more, expected another one: the round is not over")
    record["rounds"][0]["turns"] = []
    refused(record, "round 1, after turn 0: turns: found no more")


def test_wrong_ends(single):
    turns = len(single["rounds"][0]["turns"])
    winner = single["rounds"][0]["winner"]
    record = copy.deepcopy(single)
    record["rounds"][0]["winner"] = 1 - winner
    refused(record, f"round 1, after turn {turns}: winner: found {1 - winner}, expected {winner}")
    record = copy.deepcopy(single)
    record["rounds"][0]["scored"] = "-"
    refused(record, f"round 1, after turn {turns}: scored: found '-', expected '")
    refused({**single, "scores": [0, 0]}, rf"round 1, after turn {turns}: scores: found \[0, 0\], expected \[")
    refused({**single, "scores": [0] * 99}, f"round 1, after turn {turns}: scores: found 99 numbers, expected ")
    refused({**single, "winners": []}, rf"round 1, after turn {turns}: winners: found \[\], expected \[{winner}\]")
    refused({**single, "winners": [0, 1]}, rf"round 1, after turn {turns}: winners: found \[0, 1\], expected")


def test_points_and_scored_cards_in_basic():
    record = record_of(Rules())
    refused({**record, "scores": [7, 0]}, r"round 1, .*: scores: found \[7, 0\], expected \[0, 0\]")
    record["rounds"][0]["scored"] = "R7"
    refused(record, "round 1, .*: scored: found 'R7', expected '-'")


def test_a_number_of_names_that_is_not_the_number_of_seats(single):
    refused({**single, "players": ["a", "b", "c"]}, "round 1, before turn 1: seats: found 2, expected 3")


def test_a_single_round_has_one_round(single):
    record = copy.deepcopy(single)
    record["rounds"] *= 2
    refused(record, "round 1, after turn .*: rounds: found another one, expected a single round")


def test_malformed_positions(single):
    refused(with_position(single, lambda fields: fields.pop()), "round 1, before turn 1: position: found 4 of 5 fields")


def move_a_card_to_the_canvas(fields):
    fields[1], fields[4] = fields[4][:2], fields[4][2:]


def move_a_card_from_the_deck_to_the_hand(fields):
    fields[2], fields[4] = fields[4][:2] + fields[2], fields[4][2:]


def move_a_card_from_the_deck_to_the_palette(fields):
    fields[2], fields[4] = fields[2] + fields[4][:2], fields[4][2:]


def lose_a_card(fields):
    fields[4] = fields[4][2:]


def put_the_other_seat_out(fields):
    seats = fields[2].split("/")
    seats[1 - int(fields[3])] = "x"
    fields[2] = "/".join(seats)


def let_the_other_seat_begin(fields):
    fields[3] = str(1 - int(fields[3]))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (move_a_card_to_the_canvas, "canvas: found .., expected - at the start"),
        (move_a_card_from_the_deck_to_the_hand, r"seats: found \w{16} in the hand of seat 0, expected 7 cards"),
        (move_a_card_from_the_deck_to_the_palette, "seats: found .... in the palette of seat 1, expected 1 cards"),
        (lose_a_card, "deck: found .. in no field, expected all cards"),
        (put_the_other_seat_out, "seats: found seat . out, expected every seat in"),
        (let_the_other_seat_begin, "to move: found ., expected . at the start"),
    ],
)
def test_positions_that_are_no_deals(single, change, fault):
    refused(with_position(single, change), f"round 1, before turn 1: {fault}")


def test_a_match_begins_without_scored_cards(match):
    record = copy.deepcopy(match)
    record["rounds"] = record["rounds"][1:]
    refused(record, "round 1, before turn 1: scored: found .*, expected -/-/- at the start")


def test_a_match_ends_when_it_does(match):
    shorter = {**match, "rounds": match["rounds"][:-1]}
    turns = len(shorter["rounds"][-1]["turns"])
    place = f"round {len(shorter['rounds'])}, after turn {turns}"
    refused(shorter, f"{place}: rounds: found no more, expected another one: the match is not over")
    longer = {**match, "rounds": [*match["rounds"], match["rounds"][0]]}
    turns = len(match["rounds"][-1]["turns"])
    place = f"round {len(match['rounds'])}, after turn {turns}"
    refused(longer, f"{place}: rounds: found another one, expected no more: the match is over")


def test_rounds_of_a_match_carry_what_was_scored_before(match):
    def forget(fields):
        fields[5] = "-/-/-"

    refused(with_position(match, forget, 1), "round 2, before turn 1: scored: found -/-/-, expected")
    repeated = copy.deepcopy(match)
    repeated["rounds"][1] = repeated["rounds"][0]
    refused(repeated, "round 2, before turn 1: scored: found -/-/-, expected")


def test_rounds_of_a_match_have_the_same_rules(match):
    def change_edition(fields):
        fields[0] = "advanced+first"

    place = "round 2, before turn 1"
    expected = r"advanced\+revised:3p:match"
    refused(
        with_position(match, change_edition, 1), rf"{place}: rules: found advanced\+first:3p:match, expected {expected}"
    )
    refused(
        with_position(match, list.pop, 1),
        rf"{place}: rules: found advanced\+revised:3p, expected {expected} at the start",
    )


# Lines


def test_lines_are_counted(single, match):
    lines = [record_line(single), record_line(match).encode() + b"\r\n"]
    assert verify_lines(lines) == 2
    assert verify_lines([]) == 0
    wrong = record_line({**match, "winners": []})
    place = f"line 3: round {len(match['rounds'])}, after turn {len(match['rounds'][-1]['turns'])}"
    with pytest.raises(RecordError, match=f"^{place}: winners: found"):
        verify_lines([*lines, wrong])
    with pytest.raises(RecordError, match=r"^line 2: record: found a fault at character 1"):
        verify_lines([lines[0], "\n", lines[1]])


def test_every_change_of_a_character_is_found(single):
    line = record_line({**single, "players": ["", ""]})
    rng = random.Random(7)
    for _ in range(5000):
        place = rng.randrange(line.index('"rounds"'), line.index('"seed"') - 2)
        # No `*` and `.`, since a draw that is taken or declined instead may well be another true game.
        changed = line[:place] + rng.choice('RGV017+>-#/: ",]') + line[place + 1 :]
        if changed != line:
            with pytest.raises((NotationError, RecordError)):
                verify_record(read_record(changed))
