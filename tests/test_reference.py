"""The reference engine against the worked cases, and against every ruling by hand."""

import json
import random
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from tests.reference import Reference, perft
from tests.reference.best_set import best_set, candidates, strength
from tests.reference.cards import colour, height, number, points, read_cards
from tests.reference.rules import read_rules

CASES = json.loads((Path(__file__).parent / "data" / "conformance.json").read_text())["cases"]
VARIANTS = [
    "basic",
    "basic+revised",
    "basic+first",
    "advanced",
    "advanced+revised",
    "advanced+first",
    "advanced+revised@3x7x3",
    "advanced+first@7x5x2",
]


def start(position: str, tokens: str = "") -> Reference:
    game = Reference.from_position(position)
    for token in tokens.split():
        game.play(token)
    return game


def offer(position: str, tokens: str = "") -> str:
    return " ".join(start(position, tokens).offered())


def shuffled(rules_text: str, rng: random.Random) -> list[str]:
    order = sorted(read_rules(rules_text).deck())
    rng.shuffle(order)
    return order


def cards_in_place(game: Reference) -> list[str]:
    """List the cards of a position, those of seats that are out aside."""
    _, canvas, seats, _, deck, *scored = game.position().split(" ")
    parts = [canvas, deck, *(part for seat in seats.split("/") if seat != "x" for part in seat.split(":"))]
    parts += scored[0].split("/") if scored else []
    return [card for part in parts for card in read_cards(part)]


# The worked cases


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['name']} {case['position'][:40]}")
def test_leader_and_score(case):
    game = start(case["position"])
    seat = game.leader()
    assert str("none" if seat is None else seat) == case["leader"]
    if case["kind"] == "leader" and seat is not None:
        assert "".join(game.best_set(seat)) == case["scored"]
        assert points(game.best_set(seat)) == case["points"]


@pytest.mark.parametrize(
    "case", [c for c in CASES if c["kind"] == "position"], ids=lambda case: f"{case['name']} {case['position'][:40]}"
)
def test_position_case(case):
    game = start(case["position"])
    assert game.position() == case["position"]
    assert game.offered() == case["moves"].split()
    assert [perft(game, depth + 1) for depth in range(len(case["perft"]))] == case["perft"]
    for turn in case["round"]:
        assert not game.turn_tokens
        for token in turn.split():
            assert not game.round_over
            game.play(token)
    assert game.position() == case["end"]
    assert game.winner == game.to_move == case["winner"]
    assert "".join(game.best_set(game.to_move)) == case["scored"]
    assert points(game.best_set(game.to_move)) == case["points"]
    assert (game.offered(), perft(game, 3)) == ([], 1)
    assert Reference.from_position(game.position()).winner == case["winner"]


# Section 3: best sets, a second time by looking at every subset of a palette


def is_set(cards: tuple[str, ...], rule: str) -> bool:
    numbers = sorted(map(number, cards))
    return {
        "R": len(cards) == 1,
        "O": len(set(numbers)) == 1,
        "Y": len(set(map(colour, cards))) == 1,
        "G": all(n % 2 == 0 for n in numbers),
        "B": len(set(map(colour, cards))) == len(cards),
        "I": all(low + 1 == high for low, high in pairwise(numbers)),
        "V": all(n < 4 for n in numbers),
    }[rule]


@pytest.mark.parametrize("rule", "ROYGBIV")
def test_best_set_is_the_best_of_all_subsets(rule):
    rng = random.Random(3)
    for _ in range(150):
        palette = frozenset(rng.sample(sorted(read_rules("basic").deck()), rng.randint(1, 8)))
        subsets = [s for size in range(1, 9) for s in combinations(palette, size) if is_set(s, rule)]
        # More cards, then the highest highest; then "the highest of each", card by card.
        best = max(subsets, key=lambda s: (len(s), sorted(map(height, s), reverse=True)), default=())
        assert best_set(palette, rule) == frozenset(best)
        sets = [cards for cards in candidates(palette, rule) if cards]
        assert len(set(map(strength, sets))) == len(set(sets))  # so the best is unique


@pytest.mark.parametrize(
    ("canvas", "palettes", "leading", "best"),
    [
        ("I1", "R2R3O3O4Y7/O6V5", 0, "O4R3R2"),  # equal numbers do not break a run
        ("I1", "R7R1/V2", 0, "R7"),  # no wrap from 7 to 1
        ("O1", "R7V5B5/O6G6Y1", 1, "O6G6"),  # ties: the highest card within the sets
        ("Y1", "R2R1V7V6/Y7Y5", 1, "Y7Y5"),  # equally large sets: V7V6, not the redder R2R1
        ("Y1", "R2R1V7V6/Y6Y5", 0, "V7V6"),
        ("O1", "R6G6V5B5I5/R7G7", 0, "B5I5V5"),  # the most cards, not the largest number
        ("B1", "R7R6R5/V1I1", 1, "I1V1"),  # one of each colour
        ("B1", "R2V7/O6Y6", 0, "V7R2"),  # the highest card, not the reddest
        ("R1", "V7/R6O6Y6", 0, "V7"),  # red is not counted; the number goes before the colour
        ("V1", "R7V3/R4O2Y2", 1, "O2Y2"),
        ("G1", "R7/O6", 1, "O6"),
        ("G1", "R7/O5", None, ""),
        ("V1", "R7/O5", None, ""),
    ],
)
def test_leader_rulings(canvas, palettes, leading, best):
    one, other = palettes.split("/")
    game = start(f"basic {canvas} -:{one}/-:{other} 0 -")
    assert game.leader() == leading
    assert "".join(game.best_set(leading or 0)) == best


def test_a_seat_that_is_out_does_not_compete():
    game = start("basic - R1:V2/O1:V7/Y1:V6 1 -", "#")
    assert game.leader() == 2
    assert game.out_palette(1) == {"V7"}
    assert game.position() == "basic - R1:V2/x/Y1:V6 2 -"


# Sections 2 and 6


def test_discard_in_the_colour_in_force():
    position = "basic - R7R3R2:V1/B1:R6 0 -"
    assert offer(position) == "# +R7"
    assert offer(position, "+R7") == ". >R2 >R3"


def test_end_of_turn_must_be_chosen_even_without_hand():
    game = start("basic - R7:V1/B1:R6 0 -", "+R7")
    assert game.offered() == ["."]
    assert (game.turn_tokens, game.to_move) == (["+R7"], 0)
    with pytest.raises(ValueError, match="between turns"):
        game.position()


def test_one_card_is_not_used_twice():
    assert offer("basic - B1:G7/V1:R7 0 -") == "#"


def test_a_mover_who_leads_already_may_not_just_end():
    assert offer("basic - V1:R7/V2:R6 0 -") == "# +V1"  # only in a position that is read


def test_read_with_an_empty_hand():
    assert offer("basic - -:R7/V1:R6 0 -") == "#"


def test_an_empty_hand_goes_out_at_its_own_turn_only():
    game = start("basic - R5:V2/-:R6/B1:V7/-:R1 0 -")
    assert game.leader() == 2
    assert game.offered() == ["#"]
    game.play("#")
    assert game.position() == "basic - x/x/B1:V7/-:R1 2 -"  # seat 3 has not had its turn
    assert [game.out_palette(seat) for seat in range(4)] == [{"V2"}, {"R6"}, set(), set()]


def test_the_survivor_is_not_asked_even_without_hand():
    game = start("basic - R5:V2/-:R6/-:V7 0 -", "#")
    assert (game.round_over, game.winner, game.position()) == (True, 2, "basic - x/x/-:V7 2 -")


def test_a_lost_turn_leaves_canvas_and_deck():
    game = start("basic G1 R5:V2/B3:R6 0 V1V3", "#")
    assert game.position() == "basic G1 x/B3:R6 1 V1V3"


# Section 4


@pytest.mark.parametrize(
    ("position", "tokens", "expected"),
    [
        ("advanced - R7R3:V6/B1:V7 0 V3", "+R7 >R3", "* ."),  # 3 > 2
        ("advanced - R7R2:V6/B1:V7 0 V3", "+R7 >R2", "#"),  # equal: seat 1 is asked
        ("advanced - R7R3:V6/B1:V7 0 -", "+R7 >R3", "#"),  # the deck is empty
        ("basic - R7R3:V6/B1:V7 0 V3", "+R7 >R3", "#"),
        ("advanced - G2R3:B6/B1:V7 0 V3", ">G2", "* ."),  # 2 > 1, without a palette play
    ],
)
def test_draw_is_allowed_when_the_number_is_greater(position, tokens, expected):
    assert offer(position, tokens) == expected


def test_draw_and_decline():
    position = "advanced - R7R3:V6/B1:V7 0 V3O4"
    assert start(position, "+R7 >R3 *").position() == "advanced R3 V3:R7V6/B1:V7 1 O4"
    assert start(position, "+R7 >R3 .").position() == "advanced R3 -:R7V6/B1:V7 1 V3O4"


def test_draw_counts_the_palette_after_the_actions():
    # The 7 puts G4 away: two cards are left of three, and the 3 is greater than two.
    position = "advanced+revised R1 I7R3:V6G4/B2:B6 0 V5"
    assert offer(position, "+I7 _G4 >R3") == "* ."


def test_a_card_put_by_a_1_on_an_empty_deck_can_be_drawn():
    game = start("advanced+revised - V1R6:V7/B2:R7R2 0 -", "+V1 ^R7")
    assert game.offered() == [".", ">R6"]
    game.play(">R6")
    assert game.offered() == ["*", "."]
    assert game.known_on_deck() == ["R7"]
    game.play("*")
    assert game.known_on_deck() == []
    assert game.known_in_hand(0) == {"R7"}
    assert game.position() == "advanced+revised R6 R7:V7V1/B2:R2 1 -"


# Section 5


def test_dealt_cards_and_variants_without_actions_do_nothing():
    assert offer("basic - R7R5:V2/B1:V7 0 V1", "+R7") == ". >R5"


def test_7_revised_need_not_lead_at_once():
    position = "basic+revised - I7B1:G4V4/B2:R7 0 -"
    assert offer(position, "+I7") == "_G4 _V4 ~G4 ~V4"
    assert offer(position, "+I7 ~V4") == ">B1"
    game = start(position, "+I7 _G4 >B1")
    assert game.known_on_deck() == ["G4"]
    assert game.position() == "basic+revised B1 -:I7V4/B2:R7 1 G4"


def test_7_first_must_lead_at_once():
    assert offer("basic+first - I7B1:G4V4/B2:R7 0 -", "+I7") == "~G4"
    assert offer("basic+first - I7B1:G4V4/B2:R7 0 -", "+I7 ~G4") == ". >B1"


def test_7_first_is_skipped_when_no_card_leads_at_once():
    assert offer("basic+first - I7B1:V4/B2:R7 0 -", "+I7") == ">B1"


def test_7_never_moves_itself_and_never_draws():
    assert offer("advanced+revised - R7B1:V6/B2:O7 0 V3", "+R7") == "_V6 ~V6"
    game = start("advanced+first - R7B1:R6/B2:O7 0 V3", "+R7 ~R6")
    assert game.offered() == [".", ">B1"]
    game.play(".")
    assert game.position() == "advanced+first R6 B1:R7/B2:O7 1 V3"


def test_5_asks_for_another_palette_play():
    game = start("basic+revised - V5R7B1:V2/B2:O7 0 -", "+V5")
    assert game.offered() == ["+R7"]  # no discard, no end; the B1 would not lead
    assert offer("basic+revised - R5:V2/B2:V4 0 -", "+R5") == "."  # nothing left to play
    assert offer("basic+revised - R5B2:V3/B1:V4 0 -", "+R5") == "+B2"  # must, though it leads


def test_a_chain_of_5s_with_a_7_at_its_end():
    position = "basic+revised - V5I5R7G4:V2/B2:O7 0 -"
    assert offer(position) == "# +G4 +I5 +R7 +V5 >G4 >V5"
    assert offer(position, "+V5") == "+G4 +I5 +R7"
    assert offer(position, "+V5 +I5 +R7") == "_I5 _V2 _V5 ~I5 ~V5"  # ~V2: no card below 4 is left


def test_every_draw_counts_as_hope():
    position = "basic+revised - R5R3R2:V1/B2:R7 0 {}"
    assert offer(position.format("O2")) == "# +R3 +R5"  # whatever lies on top
    assert offer(position.format("O2"), "+R5") == "+R3"
    assert offer(position.format("-")) == "#"  # an empty deck gives no hope
    assert offer("basic - R5R3R2:V1/B2:R7 0 O2") == "#"  # nor do the rules without actions


def test_after_a_draw_in_hope():
    position = "basic+revised - R3:V1/B2:R7 0 {}"
    assert offer(position.format("V2R1"), "+R3") == ">V2"  # it helped: no pass
    game = start(position.format("O2R1"), "+R3")
    assert game.offered() == ["#"]
    game.play("#")
    assert game.position() == "basic+revised - x/B2:R7 1 R1"
    assert game.out_palette(0) == {"V1", "R3"}


def test_a_3_that_leads_anyway():
    assert offer("basic+revised - R3:V1/B2:V3 0 G7", "+R3") == "."
    assert offer("basic+revised - R3:V1/B2:V3 0 R7", "+R3") == ". >R7"


def test_1_revised_needs_a_palette_at_least_as_large():
    # With the 1 the mover has two cards; equal is enough, and only R7 must go to lead.
    assert offer("basic+revised - V1R6:V7/B2:R7R2 0 -", "+V1") == "^R7"
    assert offer("basic+revised - V1:V7V6V5/B2:R7R2 0 -") == "#"
    assert start("basic+revised - V1:V7/B2:R7R2/-:R6 0 -", "+V1 ^R7 .").known_on_deck() == ["R7"]


def test_1_counts_what_was_played_this_turn():
    position = "basic+{} - V1V5:V7/B2:R7R2 0 -"
    assert offer(position.format("revised")) == "# +V1"  # after +V5 +V1 three cards face two
    assert offer(position.format("first")) == "# +V1 +V5"
    assert offer(position.format("first"), "+V5 +V1") == "^R7"


def test_1_first_takes_from_two_or_more():
    assert offer("basic+first - V1:V7V6V5/B2:R7R2 0 -", "+V1") == "^R7"
    assert offer("basic+first - V1B6:G7/B2:R7 0 -", "+V1") == ">B6"  # no target: the turn goes on
    assert offer("basic+revised - V1B6:G7/B2:R7 0 -", "+V1") == ">B6"


def test_1_does_not_take_from_a_seat_that_is_out():
    assert offer("basic+first - V1B6:G7/x/B2:R7 0 -", "+V1") == ">B6"


# Matches and small decks


def test_deal_is_a_block_a_hand():
    order = shuffled("advanced@3x4x2", random.Random(1))
    game = Reference.deal("advanced@3x4x2", 3, match=False, order=order)
    hands = ["".join(sorted(order[i : i + 2], key=height, reverse=True)) for i in (0, 2, 4)]
    seats = "/".join(f"{hand}:{card}" for hand, card in zip(hands, order[6:9], strict=True))
    first = (max(range(3), key=lambda seat: height(order[6 + seat])) + 1) % 3
    assert game.position() == f"advanced@3x4x2 - {seats} {first} {''.join(order[9:])}"


@pytest.mark.parametrize(
    ("shape", "players", "target"),
    [
        ("advanced", 2, 40),
        ("advanced", 3, 35),
        ("advanced", 4, 30),
        ("advanced@4x7x2", 2, 23),  # 22.86
        ("advanced@7x6x2", 2, 30),  # exactly 30
        ("advanced@7x3x2", 3, 8),  # exactly 7.5
    ],
)
def test_target(shape, players, target):
    assert read_rules(shape).target(players) == target


def test_match_ends_at_the_target_and_equal_scores_share_it():
    game = start("advanced - B1:R7/x 0 - O7Y7G7B7R5/R6O6Y6G6B6I6R4")
    assert game.scores == [33, 40]
    assert (game.match_over, game.winners) == (False, [])
    position = game.position()
    game.next_round()
    assert (game.match_over, game.scores, game.winners) == (True, [40, 40], [0, 1])
    assert game.scored[0] == ["R7", "O7", "Y7", "G7", "B7", "R5"]
    assert game.position() == position  # the sixth field stands as before the round
    with pytest.raises(ValueError, match="no next round"):
        game.next_round()


@pytest.mark.parametrize(("more", "over"), [("R3O3Y3", True), ("R3O3", False)])
def test_match_ends_when_too_few_cards_are_left(more, over):
    ones, twos = ("".join(f"{x}{n}" for x in "ROYGBIV") for n in (1, 2))
    game = start(f"advanced - -:R7/x/x/x 0 - -/{ones}/{twos}/{more}")
    order = game.to_shuffle()
    assert len(order) == (31 if over else 32)
    game.next_round(order)
    assert game.match_over is over
    assert game.winners == ([2] if over else [])
    assert game.scored[0] == ["R7"]
    assert over or (not game.round_over and game.position().split()[-1] == f"R7/{ones}/{twos}/{more}")


def test_a_winner_without_a_set_scores_nothing():
    game = start("advanced V1 V2:R7/x 0 - -/-")
    game.next_round(game.to_shuffle())
    assert (game.scores, game.match_over, len(cards_in_place(game))) == ([0, 0], False, 49)


def test_single_rounds_score_in_advanced_only():
    assert start("advanced O1 -:R7O7V3/x 0 -").scored == [["R7", "O7"], []]
    assert start("advanced O1 -:R7O7V3/x 0 -").scores == [14, 0]
    game = start("basic O1 -:R7O7V3/x 0 -")
    assert (game.scores, game.winners) == ([0, 0], [0])
    with pytest.raises(ValueError, match="not a match"):
        game.next_round()


# Positions that are refused


@pytest.mark.parametrize(
    "text",
    [
        "",
        "basic - R7:V1/B1:R6 0",
        "basic - R7:V1/B1:R6 0 - -/-",
        "advanced - R7:V1/B1:R6 0 - -",
        "advanced - R7:V1/B1:R6 0 - -/- -",
        "basic  - R7:V1/B1:R6 0 -",
        "expert - R7:V1/B1:R6 0 -",
        "basic+third - R7:V1/B1:R6 0 -",
        "basic@8x7x7 - R7:V1/B1:R6 0 -",
        "basic@3x2x3 - R1:Y1/Y2:R2 0 -",
        "basic@3x2x1 - R1:Y1/V2:R2 0 -",
        "basic - R8:V1/B1:R6 0 -",
        "basic - R:V1/B1:R6 0 -",
        "basic - R7:V1/B1:V1 0 -",
        "basic V1 R7:V1/B1:R6 0 -",
        "basic - :V1/B1:R6 0 -",
        "basic - R7:-/B1:R6 0 -",
        "basic - R7V1/B1:R6 0 -",
        "basic - R7:V1 0 -",
        "basic - R7:V1/B1:R6/B2:R1/B3:R2/B4:R3 0 -",
        "basic - R7:V1/B1:R6 2 -",
        "basic - R7:V1/x 1 -",
        "basic - x/x 0 -",
    ],
)
def test_refused(text):
    with pytest.raises(ValueError, match=r"."):
        Reference.from_position(text)


def test_any_order_is_read_and_the_highest_is_written_first():
    game = start("basic V2V1 V3R7:Y1G6/B1:R6 0 I1O2")
    assert game.position() == "basic V2V1 R7V3:G6Y1/B1:R6 0 I1O2"


def test_what_is_not_offered_is_refused():
    game = start("basic - R7R3:V1/B1:R6 0 -")
    for token in [".", "*", ">R7", "+R3", "+B1", ""]:
        with pytest.raises(ValueError, match="not offered"):
            game.play(token)


# Random games


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("variant", VARIANTS)
def test_random_rounds(variant, players):
    rng = random.Random(f"{variant} {players}")
    whole = read_rules(variant).deck()
    for _ in range(4):
        game = Reference.deal(variant, players, match=False, order=shuffled(variant, rng))
        while not game.round_over:
            if not game.turn_tokens:
                assert Reference.from_position(game.position()).position() == game.position()
                assert game.leader() != game.to_move
                in_place = cards_in_place(game)
                assert len(set(in_place)) == len(in_place)
                assert set(in_place) <= whole
                assert game.offered() == hide(game, rng).offered()
                known = game.known_on_deck()
                assert read_cards(game.position().split()[4])[: len(known)] == known
            twin, before = game.copy(), repr(game)
            token = rng.choice(game.offered())
            twin.play(token)
            assert repr(game) == before
            game.play(token)
            assert repr(game) == repr(twin)
        assert game.leader() in {game.winner, None}


def hide(game: Reference, rng: random.Random) -> Reference:
    """Shuffle all that the seat to move cannot see: the deck and the other hands."""
    rules, canvas, seats, seat, deck = game.position().split()
    parts = [part if part == "x" else part.split(":") for part in seats.split("/")]
    others = [part for i, part in enumerate(parts) if part != "x" and i != int(seat)]
    hidden = read_cards(deck) + [card for part in others for card in read_cards(part[0])]
    rng.shuffle(hidden)
    for part in others:
        size = len(read_cards(part[0]))
        part[0], hidden = "".join(hidden[:size]) or "-", hidden[size:]
    seats = "/".join(part if part == "x" else ":".join(part) for part in parts)
    return start(f"{rules} {canvas} {seats} {seat} {''.join(hidden) or '-'}")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("variant", [v for v in VARIANTS if v.startswith("advanced")])
def test_random_matches(variant, players):
    rng = random.Random(f"{variant} {players}")
    game = Reference.deal(variant, players, match=True, order=shuffled(variant, rng))
    rules = read_rules(variant)
    while not game.match_over:
        assert len(set(cards_in_place(game))) == len(rules.deck())
        while not game.round_over:
            game.play(rng.choice(game.offered()))
        order = game.to_shuffle()
        rng.shuffle(order)
        game.next_round(order)
    assert sorted(order + [card for cards in game.scored for card in cards]) == sorted(rules.deck())
    assert max(game.scores) >= rules.target(players) or len(order) < players * (rules.hand + 1)
    assert [game.scores[seat] for seat in game.winners] == [max(game.scores)] * len(game.winners)
