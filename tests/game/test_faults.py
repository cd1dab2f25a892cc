"""The usual faults of other implementations of Red7, each as a test that fails with the fault.

About sixty implementations were looked at when this project began. Where a fault is a wrong reading of who leads, the
wrong reading stands here as a function, and the test asserts that it gives another answer: so the test is one.
"""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from red7_env.game import Game, Rules, batch
from red7_env.game.cards import card_colour, card_number, cards_text, parse_cards

Cards = list[int]
RED = 6


def game_of(rule: str, *palettes: str) -> Game:
    """Return a game under a rule with these palettes."""
    canvas = "-" if rule == "R" else next(f"{rule}{n}" for n in range(1, 8) if f"{rule}{n}" not in "".join(palettes))
    return Game.from_position(f"basic {canvas} {'/'.join(f'-:{palette}' for palette in palettes)} 0 -")


def assert_leads(seat: int, rule: str, palettes: tuple[str, ...], faulty: Callable[[Cards], tuple[int, ...]]) -> None:
    """Assert that a seat leads, and that another one would if palettes were compared by a faulty worth."""
    assert game_of(rule, *palettes).leader == seat
    worths = [faulty(parse_cards(palette)) for palette in palettes]
    assert worths.index(max(worths)) != seat


def strength(cards: Cards) -> tuple[int, int]:
    """Return what sets are rightly compared by."""
    return len(cards), max(cards)


def groups(cards: Cards, part: Callable[[int], int]) -> list[Cards]:
    """Return the cards by number or colour."""
    return [[card for card in cards if part(card) == value] for value in set(map(part, cards))]


def runs_without_doubles(cards: Cards) -> list[Cards]:
    """Return all runs of the highest card of each number."""
    highest = [max(group) for group in groups(cards, card_number)]
    return runs_broken_by_equal_numbers(highest)


def runs_broken_by_equal_numbers(cards: Cards) -> list[Cards]:
    """Walk the sorted cards; whatever is not the next number begins a new run, an equal number too."""
    runs: list[Cards] = []
    for card in sorted(cards):
        if runs and card_number(card) == card_number(runs[-1][-1]) + 1:
            runs[-1].append(card)
        else:
            runs.append([card])
    return runs


@pytest.mark.parametrize(
    ("palette", "rival", "best"),
    [
        ("R2R3O3R4", "O5O6", "R4R3R2"),
        ("G2G3B3V3G4", "R6R7", "G4G3G2"),
        ("R1O1Y1R2O2R3", "O7O6", "R3R2R1"),
        ("V4I4V5I5V6", "R6R7", "V6I5I4"),
    ],
)
def test_equal_numbers_do_not_break_or_reset_an_indigo_run(palette, rival, best):
    assert_leads(0, "I", (palette, rival), lambda cards: max(map(strength, runs_broken_by_equal_numbers(cards))))
    assert cards_text(game_of("I", palette, rival).best_set(0)) == best


@pytest.mark.parametrize(
    ("rule", "palettes"),
    [
        ("O", ("R7V5B5", "O6G6Y1")),
        ("Y", ("R7B6B4", "V7V6")),
        ("G", ("R7V2", "O4")),
        ("I", ("R7V2V3", "B5B4")),
        ("V", ("R7V3I2", "O3Y2")),
    ],
)
def test_a_tie_is_broken_by_the_highest_card_of_the_set_not_of_the_palette(rule, palettes):
    assert_leads(1, rule, palettes, lambda cards: (max(cards),))


def test_a_yellow_group_is_chosen_by_its_highest_card_not_by_its_colour():
    def of_the_reddest(cards: Cards) -> tuple[int, int]:
        return strength(max(groups(cards, card_colour), key=lambda group: (len(group), card_colour(group[0]))))

    assert_leads(0, "Y", ("R2R1V7V6", "Y6Y5"), of_the_reddest)
    assert cards_text(game_of("Y", "R2R1V7V6", "Y6Y5").best_set(0)) == "V7V6"


@pytest.mark.parametrize(
    ("rule", "palette", "rival", "best"),
    [
        ("O", "R2G2V5B5", "R4O4", "B5V5"),
        ("O", "V7R1", "R6", "V7"),
        ("Y", "R1R2V7V3", "G6G5", "V7V3"),
        ("Y", "V7R1O2", "R6", "V7"),
        ("I", "R1R2V6V7", "O5O6", "V7V6"),
        ("I", "R1R3R5B7", "R6", "B7"),
    ],
)
def test_of_two_equal_sets_neither_the_first_nor_the_lowest_is_kept(rule, palette, rival, best):
    def sets(cards: Cards) -> list[Cards]:
        return {
            "O": lambda: groups(cards, card_number),
            "Y": lambda: groups(cards, card_colour),
            "I": lambda: runs_without_doubles(cards),
        }[rule]()

    def lowest_kept(cards: Cards) -> tuple[int, int]:
        largest = max(map(len, sets(cards)))
        return strength(min((cards for cards in sets(cards) if len(cards) == largest), key=max))

    assert_leads(0, rule, (palette, rival), lowest_kept)
    assert cards_text(game_of(rule, palette, rival).best_set(0)) == best


def test_players_who_are_out_do_not_compete():
    game = Game.from_position("basic - R1:V2/O1:V7/Y1B1:V6 1 -")
    assert game.leader == 1
    game.play("#")
    assert game.leader == 2


def test_players_who_are_out_are_no_rivals_when_moves_are_offered():
    game = Game.from_position("basic - R1:V2/O1:R7/Y6:V3/V1:V5 1 -", "#")
    assert game.moves() == ["#", "+Y6"]  # Y6 beats V5; nothing would beat the R7 of seat 1


@pytest.mark.parametrize(("rule", "palettes"), [("G", ("R7", "O5")), ("V", ("R7V4", "O5")), ("G", ("R7R5R3", "V1"))])
def test_where_nobody_qualifies_under_green_or_violet_nobody_leads(rule, palettes):
    game = game_of(rule, *palettes)
    assert game.leader is None
    assert game.best_set(0) == game.best_set(1) == []


def test_who_has_no_card_that_counts_may_not_stay():
    # After +V7 there is no even card on the table, after >V7 none below 4: neither holds a lead.
    assert Game.from_position("basic G1 V7:R5/O1:O5 0 -").moves() == ["#"]


@pytest.mark.parametrize("edition", ["revised", "first"])
def test_a_1_without_a_target_does_not_block_the_turn(edition):
    # The other palette has one card: too few for either edition.
    game = Game.from_position(f"basic+{edition} - V1B6:G7/B2:R7 0 -")
    assert "+V1" in game.moves()
    game.play("+V1")
    assert game.moves() == [">B6"]


def test_equally_large_palettes_are_targets_of_a_1():
    # Two cards, the 1 included, against two.
    game = Game.from_position("basic+revised - V1R6:G3/O1:R7Y2 0 -")
    assert "+V1" in game.moves()
    game.play("+V1")
    assert game.moves() == ["^R7"]


def test_smaller_palettes_are_targets_of_a_1_in_the_first_edition_only():
    # Three cards, the 1 included, against two.
    position = "basic+{} V2 V1:G3B3/O1:R7Y2 0 -"
    assert Game.from_position(position.format("first"), "+V1").moves() == ["^R7", "^Y2"]
    assert Game.from_position(position.format("revised"), "+V1").moves() == ["."]


@pytest.mark.parametrize(
    ("rule", "palette", "rival", "best"),
    [
        ("O", "R2O2Y2V7", "R6O6", "R2O2Y2"),
        ("O", "R6G6V5B5I5", "R7G7", "B5I5V5"),
        ("Y", "V1V2V3R7", "O6O5", "V3V2V1"),
    ],
)
def test_the_largest_set_counts_not_the_one_with_the_largest_number(rule, palette, rival, best):
    part = card_number if rule == "O" else card_colour
    assert_leads(0, rule, (palette, rival), lambda cards: strength(max(groups(cards, part), key=max)))
    assert cards_text(game_of(rule, palette, rival).best_set(0)) == best


@pytest.mark.parametrize("counted", [len, lambda cards: sum(card_colour(card) == RED for card in cards)])
def test_red_is_not_decided_by_counting(counted):
    assert_leads(0, "R", ("V7", "R6R5R4"), lambda cards: (counted(cards), max(cards)))
    assert cards_text(game_of("R", "V7", "R6R5R4").best_set(1)) == "R6"


def test_blue_ties_are_not_decided_by_the_reddest_card():
    assert_leads(1, "B", ("R2V3", "O6Y6"), lambda cards: (len(cards), max(map(card_colour, cards))))


def test_under_blue_a_colour_counts_once_by_its_highest_card():
    assert_leads(1, "B", ("R7R6R5", "V1I1"), strength)
    assert cards_text(game_of("B", "R7R6R5V1V2", "V3I1").best_set(0)) == "R7V2"


def test_the_number_is_compared_before_the_colour():
    assert_leads(1, "R", ("R6", "V7"), lambda cards: max((card_colour(card), card_number(card)) for card in cards))
    assert game_of("R", "V7", "R7").leader == 1


@pytest.mark.parametrize("rules", ["basic", "advanced", "basic+revised", "advanced+first"])
def test_discards_in_the_colour_in_force_are_offered_after_a_play(rules):
    game = Game.from_position(f"{rules} R2 R6R4Y1:V2/O1:O3 0 B1", "+R6")
    assert game.moves() == [".", ">R4", ">Y1"]


def test_a_discard_in_the_colour_in_force_can_win_a_draw():
    game = Game.from_position("advanced R2 R6R4Y1:V2/O1:O3 0 B1", "+R6 >R4")
    assert game.moves() == ["*", "."]
    game.play("*")
    assert game.position == "advanced R2R4 Y1B1:R6V2/O1:O3 1 -"


def test_a_discard_alone_in_the_colour_in_force_is_never_offered():
    assert ">R6" not in Game.from_position("basic R2 R6R4Y1:V2/O1:O3 0 B1").moves()


def test_one_card_is_not_used_for_both_palette_and_canvas():
    # V1 in the palette, and violet by V1 on the canvas as well, would lead.
    assert Game.from_position("basic O5 V1:R6/O4:R7 0 -").moves() == ["#"]
    assert Game.from_position("basic O5 V1V2:R6/O4:R7 0 -").moves() == ["#", "+V1", "+V2"]
    assert Game.from_position("basic O5 V1V2:R6/O4:R7 0 -", "+V1").moves() == [">V2"]


def test_a_player_without_a_hand_stays_in_until_the_own_turn():
    # Seat 1 has an empty hand and the highest card: it must be beaten, and wins if all others go first.
    game = Game.from_position("basic - R5:R2/-:R6/O1:O3 0 -")
    assert game.moves() == ["#"]
    game = Game.from_position("basic - R5:R2/-:R6/O1:O3 2 -", "#; #")
    assert (game.round_over, game.winner) == (True, 1)


def test_a_player_without_a_hand_is_out_at_the_own_turn_and_not_asked():
    game = Game.from_position("basic - R7V1:R2/-:R6/O1Y7:O3/B1:B2 0 -", "+R7 .")
    assert game.position == "basic - V1:R7R2/x/Y7O1:O3/B1:B2 2 -"
    assert game.leader == 0


def test_the_last_player_wins_even_without_a_hand():
    game = Game.from_position("basic - R7:R2/O1:O3 0 -", "+R7 .; #")
    assert (game.winner, game.position) == (0, "basic - -:R7R2/x 0 -")


@pytest.mark.parametrize("edition", ["", "+revised", "+first"])
def test_nobody_draws_from_an_empty_deck(edition):
    game = Game.from_position(f"advanced{edition} O2 Y7R6:Y6/O1:O3 0 -", ">Y7")
    assert game.to_move == 1  # a 7 over one palette card would allow a draw; the turn has ended by itself
    assert game.position == f"advanced{edition} O2Y7 R6:Y6/O1:O3 1 -"


def test_a_3_does_not_draw_from_an_empty_deck_and_is_no_hope_then():
    position = "basic+revised - G3:V1/O1:O6 0 {}"
    assert Game.from_position(position.format("-")).moves() == ["#"]
    assert Game.from_position(position.format("B1")).moves() == ["#", "+G3"]
    game = Game.from_position("basic+revised - R3:V1/O1:O2 0 -", "+R3")
    assert game.moves() == ["."]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_palette_begins_with_a_card_beside_seven_in_hand(players):
    states = batch.deal(Rules(players), 100, seed=1)
    assert (np.bitwise_count(states["palettes"][:, :players]) == 1).all()
    assert (np.bitwise_count(states["hands"][:, :players]) == 7).all()
    # The card was not played: no action is asked for, and nothing lies on the canvas.
    with_actions = batch.deal(Rules(players, actions="revised"), 100, seed=1)
    assert not with_actions["phase"].any()
    assert not with_actions["canvas_size"].any()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_player_is_not_fixed_but_next_to_the_highest_card(players):
    states = batch.deal(Rules(players), 4000, seed=1)
    highest = states["palettes"][:, :players].argmax(1)
    assert (states["to_move"] == (highest + 1) % players).all()
    first = Counter(states["to_move"].tolist())
    assert all(abs(first[seat] - 4000 / players) < 5 * 32 for seat in range(players))


@pytest.mark.parametrize(
    ("rule", "palette", "scored"),
    [
        ("O", "R5O5R2O2", "R5O5"),
        ("Y", "R1R2V7V6", "V7V6"),
        ("I", "R1R2R6R7", "R7R6"),
        ("I", "R1R2O2R3", "R3R2R1"),
        ("B", "R7R6O1V1", "R7O1V1"),
        ("R", "R7O7", "R7"),
    ],
)
def test_one_set_is_scored_even_where_there_are_several(rule, palette, scored):
    canvas = f"{rule}4"
    game = Game.from_position(f"advanced {canvas} -:{palette}/x 0 - -/-")
    assert cards_text(game.best_set(0)) == scored
    game.next_round()
    points = sum(card_number(card) for card in parse_cards(scored))
    assert game.scores == [points, 0]
    assert game.position.split()[5] == f"{scored}/-"


def test_the_set_that_wins_ties_is_scored_not_the_one_worth_more():
    # Two violet cards and two red ones: V7 wins ties, and R6 R5 would be worth 11.
    game = Game.from_position("advanced Y4 -:R6R5V7V1/x 0 -")
    assert (cards_text(game.best_set(0)), game.scores) == ("V7V1", [8, 0])


def test_seeds_do_not_give_nearly_the_same_deals():
    """Neighbouring seeds share as many hand cards as any two deals; see ``test_streams`` for more."""
    hands = np.array([int(Game.deal(Rules(), seed).state[0]["hands"][0]) for seed in range(3000)], np.uint64)
    shared = np.bitwise_count(hands[1:] & hands[:-1])
    assert abs(shared.mean() - 1) < 5 * shared.std() / len(shared) ** 0.5
    assert len(set(hands.tolist())) > 2990
