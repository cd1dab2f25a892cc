"""Random streams: the same game whatever the batch, the thread or the process, and nothing shared between games."""

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from red7_env.game import Game, Rules, batch
from red7_env.game.cards import cards_text
from tests.statistics import assert_fits, piles_of_cards

BIG = 2**64 - 1
RULES = [Rules(), Rules(4, "advanced", "revised", match=True), Rules(3, "advanced", "first", deck=(5, 5, 2))]

# The first deals of a few seeds. They change only with the generator or the way cards are dealt, which a change log
# must say: results that people published with a seed would no longer be found again.
FIRST_DEALS = {
    (0, 0): (
        "basic - G7R6O5V5G3B3R1:Y6/G5I4V3Y2G2B2Y1:I5 1 "
        "V7V2Y5O1I6Y4B7R2G6O7B1V1I1I3G4V6B5V4B6O4R5B4R4R7Y3Y7I7O3G1I2R3O6O2"
    ),
    (0, 1): (
        "basic - G5B5V5O3Y2I2O1:I5/B7I7R6Y6R4Y3V3:R1 1 "
        "I6I3Y5V2O4G4G2G7Y4V4R2I1V7O6B1O5B2Y1I4V1G3O7R5B6R7G6V6O2G1B3R3Y7B4"
    ),
    (1, 0): (
        "basic - O6G4B4V4O3G2G1:I7/R7O7I6G5Y4O1Y1:O4 1 "
        "R2V3G3I5V1V5I4Y5R3V2Y7B6Y3O2B2B7B3R6I3G6G7Y2Y6R1O5B5I1R5R4V6V7I2B1"
    ),
    (7, 0): (
        "basic - Y7I7G6Y5R4B4I4:Y1/G7R6B6O4Y4V4R2:I2 0 "
        "V7B3O3V1Y6G4I5O5G3O1O2O7O6G2V3G5R7B7B2I1B1G1R5I6Y3I3V5V6R1R3Y2V2B5"
    ),
    (BIG, BIG): (
        "basic - Y7B6B4V4R3V3G1:B7/R6Y6I5R4B3V2I1:V1 1 "
        "Y3G5R2G2Y5R5V7B5G3Y4B1I6I4V5R1V6I2O6I7O7O1G4O5I3O4R7Y1G6G7Y2O3O2B2"
    ),
}


def deals_of(rules: Rules, count: int, seed: int, first: int = 0) -> bytes:
    return batch.deal(rules, count, seed, first).tobytes()


# The same game


@pytest.mark.parametrize(("seed", "index"), FIRST_DEALS)
def test_the_first_deals_are_what_they_always_were(seed, index):
    assert Game.deal(Rules(), seed, index).position == FIRST_DEALS[seed, index]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_game_is_the_same_alone_and_in_a_batch_of_any_size(rules):
    whole = batch.deal(rules, 300, seed=7)
    for size in (1, 7, 299):
        parts = [batch.deal(rules, min(size, 300 - first), 7, first) for first in range(0, 300, size)]
        assert np.concatenate(parts).tobytes() == whole.tobytes()
    for index in (0, 1, 299):
        assert Game.deal(rules, 7, index) == Game.from_state(whole[index : index + 1])


def test_the_order_of_the_deals_does_not_matter():
    backwards = [Game.deal(Rules(), 3, index) for index in reversed(range(20))]
    assert backwards[::-1] == [Game.deal(Rules(), 3, index) for index in range(20)]


@pytest.mark.parametrize("seed", [0, 1, BIG // 2, BIG])
def test_games_are_counted_on_beyond_the_last(seed):
    both = batch.deal(Rules(), 2, seed, first=BIG)
    assert both[1:].tobytes() == deals_of(Rules(), 1, seed, 0)


def test_a_view_s_worlds_and_random_moves_do_not_depend_on_the_batch():
    states = batch.deal(Rules(3, "advanced", "revised"), 50, seed=2)
    seen = batch.views(states, 1)
    worlds = batch.determinise(seen, seed=5, first=100)
    ends = states.copy()
    batch.playout(ends, seed=6, first=100)
    for index in (0, 1, 49):
        one = batch.determinise(seen[index : index + 1], seed=5, first=100 + index)
        assert one.tobytes() == worlds[index].tobytes()
        end = states[index : index + 1].copy()
        batch.playout(end, seed=6, first=100 + index)
        assert end.tobytes() == ends[index].tobytes()


def test_threads_deal_and_play_the_same_games():
    rules = Rules(4, "advanced", "revised", match=True)

    def played(first: int) -> bytes:
        states = batch.deal(rules, 500, 8, first)
        batch.playout(states, 9, first)
        worlds = batch.determinise(batch.views(batch.deal(rules, 500, 8, first), 2), 4, first)
        return states.tobytes() + worlds.tobytes()

    firsts = [0, 500, 1000, 1500]
    alone = [played(first) for first in firsts]
    with ThreadPoolExecutor(4) as threads:
        for _ in range(3):
            assert list(threads.map(played, firsts)) == alone


def test_another_process_plays_the_same_games():
    code = (
        "import hashlib\n"
        "from red7_env.game import Rules, batch\n"
        "states = batch.deal(Rules.parse('advanced+first:3p:match'), 200, seed=12, first=34)\n"
        "digest = hashlib.sha256(states.tobytes())\n"
        "batch.playout(states, seed=56)\n"
        "digest.update(states.tobytes())\n"
        "print(digest.hexdigest())"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    states = batch.deal(Rules.parse("advanced+first:3p:match"), 200, seed=12, first=34)
    digest = hashlib.sha256(states.tobytes())
    batch.playout(states, seed=56)
    digest.update(states.tobytes())
    assert out == f"{digest.hexdigest()}\n"


def test_a_match_goes_on_the_same_way_alone_and_in_a_batch():
    rules = Rules(2, "advanced", match=True)
    states = batch.deal(rules, 20, seed=1)
    games = [Game.from_state(states[index : index + 1]) for index in range(20)]
    while (states["phase"] < 6).any():
        going = np.flatnonzero(states["phase"] < 6)
        chosen = batch.offers(states[going]).argmax(1)
        part = states[going]
        batch.play(part, chosen)
        states[going] = part
        for index, move in zip(going, chosen, strict=True):
            games[index].play(move)
    batch.next_round(states)
    for index, game in enumerate(games):
        assert game.next_round().state.tobytes() == states[index].tobytes()


# Nothing shared


def test_no_two_deals_of_100_000_are_equal():
    rules = Rules()
    seeds = [batch.deal(rules, 100, seed) for seed in range(250)]
    far = [batch.deal(rules, 100, seed << 32) for seed in range(1, 251)]
    high = [batch.deal(rules, 100, BIG - seed) for seed in range(250)]
    states = np.concatenate([*seeds, *far, *high, batch.deal(rules, 25_000, seed=250)])
    assert len(states) == 100_000
    assert len({row.tobytes() for row in piles_of_cards(states)}) == 100_000
    assert len(np.unique(states["rng"])) == 100_000


@pytest.mark.parametrize("step", [(0, 1), (1, 0), (1, 1), (1, -1), (2**32, 0), (0, 2**32), (2**63, 0)])
def test_neighbouring_seeds_and_games_share_nothing(step):
    """As many cards lie in the same pile of both deals as in any two deals."""
    rules = Rules(deck=(7, 7, 1))
    seeds = range(10**6, 10**6 + 9000, 3)
    one = np.concatenate([batch.deal(rules, 1, seed, 5) for seed in seeds])
    other = np.concatenate([batch.deal(rules, 1, (seed + step[0]) % 2**64, (5 + step[1]) % 2**64) for seed in seeds])
    same = (piles_of_cards(one) == piles_of_cards(other)).sum(1)
    # Every pile holds one card: mean and variance of the fixed points of a permutation are both 1.
    assert abs(same.mean() - 1) < 5 / len(seeds) ** 0.5
    assert abs(same.var() - 1) < 10 / len(seeds) ** 0.5


@pytest.mark.parametrize("by", ["seed", "game"])
@pytest.mark.parametrize("rules", [Rules(), Rules(3, deck=(4, 3, 2))], ids=str)
def test_every_card_lies_in_every_place_equally_often(rules, by):
    count = 10_000
    if by == "game":
        states = batch.deal(rules, count, seed=77)
    else:
        states = np.concatenate([batch.deal(rules, 1, seed) for seed in range(count)])
    piles = piles_of_cards(states)
    used = np.unique(piles[:, rules.deck_cards])
    weights = np.where(used < 4, rules.hand_size, 1)
    assert weights.sum() == rules.num_cards
    for card in rules.deck_cards:
        assert_fits(np.bincount(piles[:, card], minlength=256)[used], weights, f"piles of {cards_text([card])}")


def test_all_orders_of_a_small_deck_are_dealt_equally_often():
    rules = Rules(deck=(1, 5, 1))
    piles = piles_of_cards(batch.deal(rules, 60_000, seed=4))[:, list(rules.deck_cards)]
    orders, counts = np.unique(piles, axis=0, return_counts=True)
    assert len(orders) == 120
    assert_fits(counts, 1, "orders")


def test_worlds_are_not_those_of_the_deal_with_the_same_seed():
    """A searcher that is given the seed of the deal must not find the truth more often than by chance."""
    states = batch.deal(Rules(), 4000, seed=5)
    expected = 7 * 7 / 40  # seven cards of the hidden hand, among the 40 that the other seat does not see
    for seed in (5, 6):
        worlds = batch.determinise(batch.views(states, 1), seed)
        found = np.bitwise_count(worlds["hands"][:, 0] & states["hands"][:, 0])
        assert abs(found.mean() - expected) < 5 * found.std() / 4000**0.5


def test_random_moves_are_not_those_of_the_deal_with_the_same_seed():
    """The first move of a playout with the seed of the deal has nothing to do with the first card that was dealt."""
    starts = batch.deal(Rules(deck=(7, 7, 1)), 20_000, seed=5)
    # The card of seat 0 is dealt first: it is low if the first word of the deal's stream was.
    low = np.bitwise_count(starts["hands"][:, 0] - np.uint64(1)) < 28
    begun = starts["to_move"] == 1
    lost = []
    for seed in (5, 6):
        ends = starts.copy()
        batch.playout(ends, seed)
        lost.append(ends["winner"] == 0)
    for chosen in (begun & low, begun & ~low):
        difference = lost[0][chosen].mean() - lost[1][chosen].mean()
        assert abs(difference) < 5 * (0.5 / chosen.sum()) ** 0.5


def test_the_next_round_of_a_match_is_no_deal_of_a_game_nearby():
    rules = Rules(2, "advanced", match=True)
    states = batch.deal(rules, 500, seed=3)
    first = {row.tobytes() for row in piles_of_cards(states)}
    batch.play(states, np.full(500, 99))
    batch.next_round(states)
    assert not first & {row.tobytes() for row in piles_of_cards(states)}
