"""The state record: its size, its bytes, and the rules written in it."""

import numpy as np
import pytest

from red7_env.game import STATE, Rules, batch
from red7_env.game.state import blank_states, deck_word, rules_of
from tests.alignment import all_rules


def test_a_game_takes_at_most_320_bytes():
    assert STATE.itemsize <= 320


def test_no_byte_of_a_record_is_left_to_chance():
    """Padding between fields would be copied or not as NumPy likes, and equal games would differ."""
    places = sorted((STATE.fields[name][1], STATE.fields[name][0].itemsize) for name in STATE.names)
    end = 0
    for start, size in places:
        assert start == end
        end = start + size
    assert end == STATE.itemsize


def test_records_mean_the_same_on_every_machine():
    for name in STATE.names:
        base = STATE.fields[name][0].base
        assert base.itemsize == 1 or base.newbyteorder("<") == base


def test_words_and_short_numbers_are_aligned():
    for name in STATE.names:
        dtype, offset = STATE.fields[name][:2]
        assert offset % dtype.base.itemsize == 0
    assert STATE.itemsize % 8 == 0


@pytest.mark.parametrize("rules", list(all_rules()), ids=str)
def test_a_record_holds_its_rules(rules):
    assert rules_of(blank_states(rules)[0]) == rules_of(batch.deal(rules, 1)[0]) == rules
    assert deck_word(rules).bit_count() == rules.num_cards


def test_equal_games_have_equal_bytes_whatever_lay_in_the_memory_before():
    rules = Rules(3, "advanced", "revised", match=True)
    for filling in (0, 255):
        used = np.frombuffer(bytearray([filling]) * (STATE.itemsize * 10), STATE)
        used[:] = batch.deal(rules, 10, seed=4)
        batch.playout(used, seed=5)
        other = batch.deal(rules, 10, seed=4)
        batch.playout(other, seed=5)
        assert used.tobytes() == other.tobytes()
