"""Game trees, best responses and solvers against brute force over the slow reference engine."""

from collections import defaultdict

import numpy as np
import pytest

from agents import make
from agents.exact import Cfr, Mmd, Worth, ask, best_response, openings, part_of, parts, uniform_policy, worth_of
from agents.exact.kernels import plans, value
from red7_env.game import IllegalMoveError, Rules, RulesError, batch
from red7_env.game.cards import card_text
from red7_env.game.moves import parse_move
from red7_env.game.state import ROUND_OVER
from tests.agents.exact import slow

CASES = [
    ("basic@2x3x1", 0),
    ("basic@2x3x1", 7),
    ("basic@2x3x1", 14),
    ("basic@3x2x2", 6),
    ("basic@2x4x2", 20),
    ("advanced@2x3x1", 9),
    ("advanced@1x6x1", 2),
    ("basic+revised@2x3x1", 5),
    ("advanced+revised@2x3x1", 2),
    ("advanced+revised@1x7x2", 2),
    ("advanced+revised@1x7x2", 16),
    ("advanced+first@1x7x2", 4),
    ("basic+first@2x4x1", 0),
]
"""Rules, and which of the openings."""

RULES = Rules.from_field("basic@3x3x2", 2)


class Lowest:
    """Plays the offered move with the lowest id, and the highest in a seat of its choice."""

    name = spec = "lowest"

    def __init__(self, odd_seat=None):
        self.odd_seat = odd_seat

    def act(self, views, masks, rng):  # noqa: ARG002 - fixed by the protocol
        assert (views["viewer"] == views["to_move"]).all()
        lowest, highest = masks.argmax(axis=1), masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        return np.where(views["viewer"] == self.odd_seat, highest, lowest)


class Drawing(Lowest):
    """Plays a random move, and does not tell its probabilities."""

    def act(self, views, masks, rng):  # noqa: ARG002 - fixed by the protocol
        return (masks * rng.random(masks.shape)).argmax(axis=1)


def lowest(tokens):
    chosen = min(tokens, key=parse_move)
    return [float(token == chosen) for token in tokens]


def uniform(tokens):
    return [1 / len(tokens)] * len(tokens)


def policy_of(agent, part):
    return ask(agent, part, np.random.default_rng(0)).policy


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def case(request):
    """Return a part and the same by brute force."""
    field, number = request.param
    rules = Rules.from_field(field, 2)
    opening = openings(rules)[number]
    cards = [card_text(card) for card in rules.deck_cards]
    first, second = map(card_text, opening)
    return part_of(rules, opening, views=True), slow.explored(field, (first, second), cards, rules.hand_size)


def test_a_part_is_the_whole_tree(case):
    part, game = case
    sets = [len(side.parents) for side in part.sides]
    assert sets == [sum(seat == owner for owner, _ in game.sets) for seat in range(2)]
    assert part.histories == len(game.histories)
    assert part.masses.sum() > 0
    assert [len(views) for views in part.views] == sets


@pytest.mark.parametrize(("agent", "policy"), [(make("random"), uniform), (Lowest(), lowest)], ids=["random", "lowest"])
def test_values_and_best_responses_are_those_of_brute_force(case, agent, policy):
    part, game = case
    found = worth_of(part, policy_of(agent, part))
    weighted = [(root, 1 / len(game.roots)) for root in game.roots]
    values = [slow.value(root, (policy, policy)) for root in game.roots]
    responses = tuple(slow.best_response(weighted, seat, policy) for seat in range(2))
    assert found.value == pytest.approx(np.mean(values), abs=1e-12)
    assert found.responses == pytest.approx(responses, abs=1e-12)
    assert found.nash_conv == pytest.approx(sum(responses), abs=1e-12)


def test_responses_are_zero_sum_and_the_best(case):
    part, _ = case
    rng = np.random.default_rng(3)
    for _ in range(5):
        policy = drawn_policy(part, rng)
        found = worth_of(part, policy)
        first, second = best_response(part, 0, policy), best_response(part, 1, policy)
        assert found.responses == (first[0], second[0])
        # A best response wins what it says, at least what the policy itself wins, and what any other does.
        assert value(part.form, (first[1], policy[1])) == pytest.approx(first[0], abs=1e-12)
        assert value(part.form, (policy[0], second[1])) == pytest.approx(-second[0], abs=1e-12)
        assert first[0] >= found.value - 1e-12
        assert second[0] >= -found.value - 1e-12
        other = drawn_policy(part, rng)
        assert first[0] >= value(part.form, (other[0], policy[1])) - 1e-12


def drawn_policy(part, rng):
    """Return a random policy with some moves left out."""
    found = []
    for side in part.sides:
        weights = rng.random(len(side.actions)) * (rng.random(len(side.actions)) < 0.7) + 1e-300
        weights[1:] /= np.add.reduceat(weights, side.firsts[:-1])[side.sets] if len(side.parents) else 1
        weights[0] = 1
        found.append(weights)
    return found[0], found[1]


def test_the_chance_of_all_ends_is_one(case):
    part, _ = case
    policy = uniform_policy(part)
    both = np.empty_like(policy[0]), np.empty_like(policy[1])
    plans(part.form, policy, both)
    rows = np.repeat(np.arange(len(both[0])), np.diff(part.starts))
    assert np.sum(part.masses * both[0][rows] * both[1][part.columns]) == pytest.approx(1, abs=1e-12)
    assert (np.abs(part.utilities) <= part.masses + 1e-15).all()


@pytest.mark.parametrize("field", ["basic@2x2x1", "basic@2x3x2", "basic@1x6x2", "basic+revised@1x6x2"])
def test_where_nothing_is_hidden_the_value_is_that_of_perfect_play(field):
    """All cards are dealt, so who sees the own hand knows the other."""
    rules = Rules.from_field(field, 2)
    cards = [card_text(card) for card in rules.deck_cards]
    for opening in openings(rules)[::3]:
        part = part_of(rules, opening)
        first, second = map(card_text, opening)
        game = slow.explored(field, (first, second), cards, rules.hand_size)
        solver = Mmd(part)
        solver.run(200)
        found = worth_of(part, solver.policy())
        assert found.value == pytest.approx(np.mean([slow.open_value(root) for root in game.roots]), abs=1e-6)
        assert found.nash_conv < 1e-6


@pytest.mark.parametrize("field", ["basic@3x3x2", "advanced+revised@2x3x1"])
@pytest.mark.parametrize(
    ("make_solver", "bound"),
    [(Cfr, 0.05), (lambda part: Cfr(part, plus=True), 0.005), (Mmd, 0.0005)],
    ids=["cfr", "cfr+", "mmd"],
)
def test_solvers_drive_nash_conv_down(field, make_solver, bound):
    rules = Rules.from_field(field, 2)
    for opening in openings(rules)[::4]:
        part = part_of(rules, opening)
        solver, found = make_solver(part), [worth_of(part, uniform_policy(part))]
        for iterations in (5, 25, 50):
            solver.run(iterations)
            found.append(worth_of(part, solver.policy()))
        assert solver.iterations == 80
        assert all(worth.nash_conv >= -1e-12 for worth in found)
        assert found[-1].nash_conv <= max(found[0].nash_conv / 20, 1e-12)
        assert found[-1].nash_conv < bound


def test_a_run_in_pieces_is_the_same_run():
    part = part_of(RULES, openings(RULES)[20])
    for make_solver in (Cfr, Mmd):
        whole, pieces = make_solver(part), make_solver(part)
        whole.run(50)
        for iterations in (1, 30, 19):
            pieces.run(iterations)
        for one, other in zip(whole.policy(), pieces.policy(), strict=True):
            np.testing.assert_array_equal(one, other)


def test_all_parts_are_those_in_which_seat_0_begins():
    found = list(parts(Rules.from_field("basic@2x3x1", 2)))
    assert [part.opening for part in found] == openings(Rules.from_field("basic@2x3x1", 2))
    assert len(found) == 6 * 5 // 2
    assert all(part.opening[0] < part.opening[1] for part in found)
    assert sum(part.deals for part in found) == 6 * 5 * 4 * 3 // 2


@pytest.mark.parametrize("field", ["basic@3x3x2", "advanced+revised@2x3x1"])
def test_what_a_seat_has_seen_decides_its_view(field):
    rules = Rules.from_field(field, 2)
    states = batch.deal(rules, 3000, seed=5)
    seen = [
        [(*state["hands"][seat : seat + 1].tolist(), *state["palettes"][:2].tolist()) for seat in range(2)]
        for state in states
    ]
    views = defaultdict(set)
    rng = np.random.default_rng(1)
    while (states["phase"] < ROUND_OVER).any():
        states, seen = (
            states[states["phase"] < ROUND_OVER],
            [row for row, phase in zip(seen, states["phase"], strict=True) if phase < ROUND_OVER],
        )
        movers = states["to_move"].astype(int)
        for view, row, mover in zip(batch.views(states, movers), seen, movers, strict=True):
            views[mover, row[mover]].add(view.tobytes())
        masks = batch.offers(states)
        moves = (masks * rng.random(masks.shape)).argmax(axis=1)
        before = states["hands"][np.arange(len(states)), movers]
        batch.play(states, moves, masks)
        drawn = states["hands"][np.arange(len(states)), movers] & ~before
        for row, mover, move, card in zip(seen, movers, moves, drawn, strict=True):
            for seat in range(2):
                row[seat] += (int(move), int(card) if seat == mover else 0)
    assert all(len(found) == 1 for found in views.values())
    assert len(views) > 200


def test_an_agent_that_looks_at_its_seat_is_asked_in_both():
    part = part_of(RULES, openings(RULES)[15], views=True)
    answers = ask(Lowest(odd_seat=0), part, np.random.default_rng(0))
    low, high = policy_of(Lowest(), part), policy_of(Lowest(odd_seat=1), part)
    for found, expected in zip(
        (*answers.policy, *answers.mirrored), (answers.policy[0], low[1], low[0], high[1]), strict=True
    ):
        np.testing.assert_array_equal(found, expected)
    assert (answers.policy[0] != low[0]).any()
    assert not answers.drawn


def test_an_agent_without_probabilities_is_asked_for_moves():
    part = part_of(RULES, openings(RULES)[15], views=True)
    greedy = ask(make("greedy"), part, np.random.default_rng(1), samples=5)
    assert not greedy.drawn
    assert set(np.concatenate(greedy.policy).tolist()) == {0.0, 1.0}
    drawn = ask(Drawing(), part, np.random.default_rng(1), samples=4)
    assert drawn.drawn
    assert set(np.concatenate(drawn.policy).tolist()) == {0.0, 0.25, 0.5, 0.75, 1.0}
    many = ask(Drawing(), part, np.random.default_rng(1), samples=3000)
    for found, expected in zip(many.policy, uniform_policy(part), strict=True):
        np.testing.assert_allclose(found, expected, atol=0.06)


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        (lambda masks: masks.argmin(axis=1), "expected one of"),
        (lambda masks: np.full(len(masks), -1), "action ids"),
        (lambda masks: masks.argmax(axis=1)[1:], "action ids"),
        (lambda masks: masks.max(axis=1) / 2, "action ids"),
    ],
)
def test_a_wrong_answer_is_refused(moves, words):
    class Wrong(Lowest):
        def act(self, views, masks, rng):  # noqa: ARG002 - fixed by the protocol
            return moves(masks)

    with pytest.raises(IllegalMoveError, match=words):
        ask(Wrong(), part_of(RULES, openings(RULES)[15], views=True), np.random.default_rng(0))


@pytest.mark.parametrize("factor", [0.5, -1, np.nan])
def test_wrong_probabilities_are_refused(factor):
    class Wrong(Lowest):
        def policy(self, views, masks):  # noqa: ARG002 - fixed by the protocol
            return factor * masks / masks.sum(axis=1, keepdims=True)

    with pytest.raises(IllegalMoveError, match="lowest: found"):
        ask(Wrong(), part_of(RULES, openings(RULES)[15], views=True), np.random.default_rng(0))


def test_what_is_no_part_is_refused():
    with pytest.raises(RulesError, match="expected a single round of 2 players"):
        openings(Rules.parse("basic@3x3x2:3p"))
    with pytest.raises(RulesError, match="expected a single round of 2 players"):
        openings(Rules.parse("advanced@3x3x2:2p:match"))
    with pytest.raises(RulesError, match="opening: found"):
        part_of(RULES, openings(RULES)[0][::-1])
    with pytest.raises(ValueError, match="without views"):
        ask(make("random"), part_of(RULES, openings(RULES)[0]), np.random.default_rng(0))


def test_nash_conv_is_the_sum_of_the_responses():
    assert Worth(0.2, (0.5, -0.1)).nash_conv == pytest.approx(0.4)
