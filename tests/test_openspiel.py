"""The game in OpenSpiel: its own checks, and its exact algorithms against those of this repository."""

import random
import re
from collections import Counter

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import observation, policy  # noqa: E402 - only where it is installed
from open_spiel.python.algorithms import cfr, exploitability, generate_playthrough, ismcts, mcts  # noqa: E402

import red7_env.openspiel  # noqa: E402
from agents.exact import Cfr, parts, uniform_policy, worth_of  # noqa: E402
from red7_env.game import Rules, RulesError  # noqa: E402
from red7_env.game.cards import card_text  # noqa: E402
from tests.reference import Reference  # noqa: E402

VARIANTS = [
    "red7",
    "red7(players=4,rules=advanced+first)",
    "red7(rules=basic@2x3x1)",
    "red7(rules=advanced+revised@3x4x2)",
    "red7(players=3,rules=advanced+revised@3x5x2)",
    "red7(players=3,rules=basic+first@1x7x1)",
]
EXACT = ["basic@2x3x1", "basic@2x3x2"]


def game_of(text):
    return pyspiel.load_game(text)


def played(game, seed, steps=None):
    """Return a random history, to its end or after some moves of seats, with a seat to move if it is not the end."""
    rng = random.Random(seed)
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            assert sum(chances) == pytest.approx(1)
            state.apply_action(rng.choices(outcomes, chances)[0])
        elif moves == steps:
            return state
        else:
            # Passes end games early, so they are rare here.
            offered = state.legal_actions()
            state.apply_action(rng.choice([move for move in offered if move != 99 or rng.random() < 0.1] or offered))
            moves += 1
    return state


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_simulations_of_openspiel_pass(variant):
    pyspiel.random_sim_test(game_of(variant), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if "players=4" not in variant])  # long to print
def test_a_playthrough_can_be_played_again(variant):
    lines = generate_playthrough.playthrough_lines(variant, seed=3)
    actions = [int(line.removeprefix("action: ")) for line in lines if line.startswith("action: ")]
    assert generate_playthrough.playthrough_lines(variant, action_sequence=actions, seed=4) == lines
    assert any(line.startswith("InformationStateTensor(0).moves") for line in lines)


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_stay_within_what_is_announced(variant):
    game = game_of(variant)
    for seed in range(5):
        state = played(game, seed)
        returns = state.returns()
        assert sum(returns) == pytest.approx(0)
        assert max(returns) == game.max_utility()
        assert set(returns) == {game.max_utility(), game.min_utility()}
        assert len(state.moves) <= game.max_game_length()
        assert len(state.history()) <= game.max_game_length() + game.max_chance_nodes_in_history()
        assert state.legal_actions() == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_history_is_one_of_the_reference_engine(variant):
    game = game_of(variant)
    rules = game.rules
    for seed in range(3):
        state = played(game, seed)
        hands = [[card_text(card) for card in state.hand_dealt(seat)] for seat in range(rules.players)]
        palettes = [card_text(state.palette_dealt(seat)[0]) for seat in range(rules.players)]
        drawn = [card_text(card) for (_, _, card), unseen in zip(state.moves, state.unseen, strict=True) if unseen]
        dealt = [*(card for hand in hands for card in hand), *palettes, *drawn]
        rest = [card_text(card) for card in rules.deck_cards if card_text(card) not in dealt]
        reference = Reference.deal(rules.field, rules.players, False, [*dealt, *rest])
        for text in state.tokens(None):
            token, _, card = text.partition("(")
            seat = reference.to_move
            before = reference._turn.hand
            assert token in reference.offered()
            reference.play(token)
            if card and not reference.round_over:
                after = reference._turn.hand if reference.turn_tokens else reference._table.hands[seat]
                assert after is None or card.rstrip(")") in after - before
        assert reference.round_over
        assert state.returns()[reference.winner] == 1


def test_what_a_seat_may_not_know_is_in_none_of_its_observations():
    """Other deals with the same own cards look the same, by each kind of observation."""
    for variant in VARIANTS:
        game = game_of(variant)
        for seed in range(4):
            state = played(game, seed, steps=seed)
            if state.is_terminal():
                continue
            player = state.current_player()
            other = state.resample_from_infostate(player, random.Random(seed).random)
            for recalls in (False, True):
                seen = observation.make_observation(game, pyspiel.IIGObservationType(perfect_recall=recalls))
                seen.set_from(state, player)
                tensor = seen.tensor.copy()
                seen.set_from(other, player)
                np.testing.assert_array_equal(tensor, seen.tensor)
                assert seen.string_from(state, player) == seen.string_from(other, player)
            assert state.information_state_string(player) == other.information_state_string(player)
            assert state.information_state_tensor(player) == other.information_state_tensor(player)
            assert state.legal_actions() == other.legal_actions()
            assert other.current_player() == player


def test_kinds_of_observation_hold_what_they_name():
    game = game_of("red7(rules=advanced+revised@3x4x2)")
    state = played(game, 11, steps=2)
    kinds = pyspiel.PrivateInfoType
    for recalls, shared in ((True, {"palettes", "moves"}), (False, {"rule", "canvas", "palettes", "phase"})):
        public = of_kind(game, recalls, kinds.NONE)
        assert shared <= public.dict.keys()
        assert not {"hand", "hands", "draws"} & public.dict.keys()
        alone = of_kind(game, recalls, kinds.SINGLE_PLAYER, public=False)
        assert {"player", "hand"} <= alone.dict.keys()
        assert not shared & alone.dict.keys()
        everyone = of_kind(game, recalls, kinds.ALL_PLAYERS)
        everyone.set_from(state, 0)
        for seat in range(2):
            alone.set_from(state, seat)
            np.testing.assert_array_equal(everyone.dict["hands"][seat], alone.dict["hand"])
        assert public.string_from(state, 0) in {
            re.sub(r" hand \S+", "", of_kind(game, recalls, kinds.SINGLE_PLAYER).string_from(state, 0)),
            re.sub(r" hand \S+|\(\w+\)", "", of_kind(game, recalls, kinds.SINGLE_PLAYER).string_from(state, 0)),
            public.string_from(state, 0),
        }


def of_kind(game, recalls, private, *, public=True):
    kind = pyspiel.IIGObservationType(perfect_recall=recalls, public_info=public, private_info=private)
    return observation.make_observation(game, kind)


def test_a_resampled_history_is_any_that_fits_equally_often():
    """On a tiny deck with draws, against all histories."""
    game = game_of("red7(rules=advanced+revised@1x6x1)")
    by_seen = Counter()
    weights = {}
    waiting = [(game.new_initial_state(), 1.0)]
    while waiting:
        state, chance = waiting.pop()
        if state.is_chance_node():
            waiting += [(state.child(outcome), chance * part) for outcome, part in state.chance_outcomes()]
        elif not state.is_terminal():
            player = state.current_player()
            key = (player, state.information_state_string(player))
            by_seen[key] += 1
            weights.setdefault(key, {})[str(state)] = chance
            waiting += [(state.child(action), chance) for action in state.legal_actions()]
    (player, seen), _ = max(by_seen.items(), key=lambda item: ("(?)" in item[0][1], item[1]))
    assert "(?)" in seen
    fitting = weights[player, seen]
    sampler = random.Random(5).random
    real = find(game, next(iter(fitting)))
    drawn = Counter(str(real.resample_from_infostate(player, sampler)) for _ in range(2000))
    assert drawn.keys() == fitting.keys()
    total = sum(fitting.values())
    expected = np.array([2000 * fitting[text] / total for text in drawn])
    surplus = np.sum((np.array(list(drawn.values())) - expected) ** 2 / expected)
    freedom = len(expected) - 1
    assert surplus < freedom + 5 * (2 * freedom) ** 0.5 + 5


def find(game, text):
    """Return the history with this text."""
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if str(state) == text and not state.is_chance_node():
            return state
        if not state.is_terminal():
            waiting += [state.child(action) for action in state.legal_actions()]
    raise AssertionError(text)


@pytest.mark.parametrize("field", EXACT)
def test_nash_conv_of_random_play_is_that_of_openspiel(field):
    game = game_of(f"red7(rules={field})")
    theirs = exploitability.nash_conv(game, policy.UniformRandomPolicy(game), return_only_nash_conv=False)
    ours = [worth_of(part, uniform_policy(part)) for part in parts(Rules.from_field(field, 2))]
    assert theirs.nash_conv == pytest.approx(np.mean([worth.nash_conv for worth in ours]), abs=1e-9)
    # Each seat begins in half of the deals, so both improve by as much.
    assert theirs.player_improvements[0] == pytest.approx(theirs.player_improvements[1], abs=1e-9)


@pytest.mark.parametrize("field", EXACT)
@pytest.mark.parametrize(("solver", "plus"), [(cfr.CFRSolver, False), (cfr.CFRPlusSolver, True)], ids=["cfr", "cfr+"])
def test_cfr_is_that_of_openspiel(field, solver, plus):
    game = game_of(f"red7(rules={field})")
    theirs = solver(game)
    # In half of the deals their seat 0, which they update first, is the one that does not begin.
    ours = [
        (part, Cfr(part, plus=plus, beginner=beginner))
        for part in parts(Rules.from_field(field, 2))
        for beginner in (0, 1)
    ]
    for _ in range(3):
        theirs.evaluate_and_update_policy()
        for _, our in ours:
            our.run(1)
    found = np.mean([worth_of(part, our.policy()).nash_conv for part, our in ours])
    assert exploitability.nash_conv(game, theirs.average_policy()) == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize(
    ("variant", "most"),
    [("red7", None), ("red7(rules=advanced+revised)", 8), ("red7(players=3,rules=advanced+revised)", 8)],
)
def test_ismcts_plays_the_full_game(variant, most):
    """To its end in basic; for some moves where games are long."""
    game = game_of(variant)
    bots = [
        ismcts.ISMCTSBot(
            game,
            mcts.RandomRolloutEvaluator(1, np.random.RandomState(seat)),
            uct_c=1.0,
            max_simulations=4,
            random_state=np.random.RandomState(seat),
        )
        for seat in range(game.num_players())
    ]
    state, rng, moves = game.new_initial_state(), random.Random(2), 0
    while not state.is_terminal() and moves != most:
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            action = bots[state.current_player()].step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            moves += 1
    assert moves == most or (state.is_terminal() and sorted(state.returns()) == [-1, 1])


def test_wrong_parameters_are_refused():
    for text in ("red7(rules=easy)", "red7(rules=basic@9x9x9)", "red7(players=5)", "red7(players=3,rules=basic@2x2x1)"):
        with pytest.raises((RulesError, pyspiel.SpielError), match="found"):
            game_of(text)
    with pytest.raises(RulesError, match="rules: found"):
        red7_env.openspiel.Red7Game({"rules": 3})


def test_a_state_with_chance_to_move_is_not_resampled():
    with pytest.raises(ValueError, match="chance to move"):
        game_of("red7").new_initial_state().resample_from_infostate(0, random.random)
