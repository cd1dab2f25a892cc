"""An observation holds all that its seat may know, and nothing else."""

import numpy as np
import pytest

from red7_env.game import STATE, Rules, batch
from red7_env.game.bits import cards_of, points_of_word, word_of
from red7_env.game.kernels import weigh_many
from red7_env.game.state import MATCH_OVER, PILE_SIZE, ROUND_OVER, UNKNOWN, blank_states
from red7_env.observation import encode, pieces, split
from red7_env.observation.table import ROUND_LEVELS
from tests.alignment import all_rules
from tests.observation.slow import PHASES
from tests.observation.walk import each_seat, scattered

RULES = list(dict.fromkeys(all_rules()))


def sets_of(planes: np.ndarray) -> list[int]:
    """Return card planes, [seats, 7, 7], as words of 64 bits."""
    return [word_of(np.flatnonzero(plane).tolist()) for plane in planes]


def read_back(vector: np.ndarray, rules: Rules, seat: int) -> np.void:
    """Rebuild the view of a seat from nothing but what it observes."""
    parts = split(vector, rules, "base")
    seats = [(seat + steps) % rules.players for steps in range(rules.players)]
    views = blank_states(rules)
    view = views[0]
    view["viewer"] = seat
    labels = next(piece.labels for piece in pieces(rules, "base") if piece.name == "phase")
    view["phase"] = PHASES.index(labels[int(parts["phase"].argmax())])
    view["to_move"] = seats[int(parts["to_move"].argmax())]
    view["seats_in"] = sum(1 << seats[steps] for steps in np.flatnonzero(parts["seats_in"]))
    view["rule"] = parts["rule"].argmax()
    view["hands"][seat] = sets_of([parts["hand"]])[0]
    view["hand_sizes"][seats] = parts["hand_sizes"].sum(axis=1)
    view["palettes"][seats] = sets_of(parts["palettes"])
    read_back_pile(view, parts, rules)
    if rules.match:
        view["round"] = parts["round"].sum()
        view["scored"][seats] = sets_of(parts["scored"])
    if rules.actions:
        view["hoped"] = parts["hoped"][0]
        view["known"][seats] = sets_of(parts["known_in_hands"])
        view["last"] = np.flatnonzero(parts["last_played"])[0] if parts["last_played"].any() else UNKNOWN
    read_back_end(view, rules)
    weigh_many(views)
    return view


def read_back_pile(view: np.void, parts: dict[str, np.ndarray], rules: Rules) -> None:
    """Read the canvas, whose order no rule asks for, and the deck."""
    canvas = np.flatnonzero(parts["canvas"])
    view["pile"][: len(canvas)] = canvas
    view["canvas_size"] = len(canvas)
    # Where it never changes it is known without being observed.
    as_dealt = rules.num_cards - rules.players * (rules.hand_size + 1)
    view["deck_size"] = parts["deck_size"].sum() if "deck_size" in parts else as_dealt
    if rules.actions:
        deck = [
            7 * int(number.argmax()) + int(colour.argmax())
            for number, colour in zip(parts["deck_top_numbers"], parts["deck_top_colours"], strict=True)
            if number.any()
        ]
        assert word_of(deck) == sets_of([parts["known_in_deck"]])[0]
        view["deck_known"] = len(deck)
        top = PILE_SIZE - int(view["deck_size"])
        view["pile"][top : top + len(deck)] = deck


def read_back_end(view: np.void, rules: Rules) -> None:
    """Find the winners of what is over."""
    if view["phase"] >= ROUND_OVER:
        view["winner"] = view["to_move"]
        view["winners"] = 0 if rules.match else view["seats_in"]
    if view["phase"] == MATCH_OVER:
        points = [points_of_word(word) for word in view["scored"][: rules.players]]
        view["winners"] = sum(1 << seat for seat, own in enumerate(points) if own == max(points))


def without_history(view: np.void, rules: Rules) -> np.void:
    """Return a view without what is over and done with and no rule asks for any more."""
    view = view.copy()
    view["pile"][: view["canvas_size"]].sort()
    view["turn"] = 0
    view["round"] = min(int(view["round"]), ROUND_LEVELS)
    if not rules.actions:
        view["last"] = UNKNOWN
    return view


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_every_public_fact_can_be_read_back(rules):
    states, seats = each_seat(scattered(rules, 60, seed=4), rules.players)
    seen = batch.views(states, seats)
    for view, vector in zip(seen, encode(states, seats, "base"), strict=True):
        expected = without_history(view, rules)
        found = read_back(vector, rules, int(view["viewer"]))
        wrong = [field for field in STATE.names if not np.array_equal(found[field], expected[field])]
        assert wrong == [], (found, expected)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_no_layout_of_the_hidden_cards_changes_it(rules):
    states, seats = each_seat(scattered(rules, 24, seed=5), rules.players)
    expected = encode(states, seats)
    for seed in range(3):
        worlds = batch.determinise(batch.views(states, seats), seed)
        assert (encode(worlds, seats) == expected).all()


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_no_hidden_byte_changes_it(rules):
    chance = np.random.default_rng(6)
    states, seats = each_seat(scattered(rules, 24, seed=6), rules.players)
    expected = encode(states, seats)
    for state, seat in zip(states, seats, strict=True):
        for other in set(range(rules.players)) - {int(seat)}:
            state["hands"][other] = word_of(chance.permutation(49)[:7].tolist())
        top = PILE_SIZE - int(state["deck_size"])
        hidden = state["pile"][top + int(state["deck_known"]) :]
        hidden[:] = chance.integers(0, 49, len(hidden))
        between = state["pile"][int(state["canvas_size"]) : top]
        between[:] = chance.integers(0, 49, len(between))
        state["rng"] = chance.integers(0, 2**63)
    assert (encode(states, seats) == expected).all()


@pytest.mark.parametrize("rules", [rules for rules in RULES if rules.deck == (7, 7, 7)], ids=str)
def test_the_offer_is_shown_to_the_mover_only(rules):
    states, seats = each_seat(scattered(rules, 40, seed=7), rules.players)
    masks = batch.offers(states)
    moving = seats == states["to_move"]
    offered = np.concatenate(
        [
            part.reshape(len(states), -1)
            for name, part in split(encode(states, seats), rules).items()
            if "offered" in name
        ],
        axis=1,
    )
    assert (offered[moving] == masks[moving]).all()
    assert not offered[~moving].any()
    assert offered[moving].any()


def test_what_a_seat_that_is_out_had_shown_stays_visible():
    rules = Rules(3, "basic", "revised")
    states = scattered(rules, 200, seed=8)
    gone = states[(states["seats_in"] & 2) == 0]
    assert len(gone) > 5
    palettes = split(encode(gone, 0), rules)["palettes"]
    for state, shown in zip(gone, palettes, strict=True):
        assert np.flatnonzero(shown[1]).tolist() == sorted(cards_of(state["palettes"][1])) != []
