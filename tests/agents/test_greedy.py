import numpy as np
import pytest

from agents import make
from red7_env.game import Rules, batch
from red7_env.game.moves import move_text
from red7_env.game.state import ROUND_OVER
from tests.agents.cases import VARIANTS, positions, seen, view_of


def answer(position, turn=""):
    view = view_of(position, turn)
    move = make("greedy").act(view, batch.offers(view), np.random.default_rng(0))
    return move_text(int(move[0]))


@pytest.mark.parametrize(
    ("position", "turn", "expected"),
    [
        # A palette play that leads comes before a discard that would (violet: V1 against none).
        ("basic - R7V5:V1/R5G3B4:O6 0 -", "", "+R7"),
        # No palette play leads under red, so the discard.
        ("basic - V5B6:V1/R5G3B4:R7 0 -", "", ">V5"),
        # Neither leads alone: one green card to the palette, for an even card, and the other to the canvas.
        ("basic - G4G6:B3/R5B1:R7 0 -", "", "+G4"),
        ("basic - G4G6:B3/R5B1:R7 0 -", "+G4", ">G6"),
        ("basic - Y2:V3/R5G3B4:R7 0 -", "", "#"),
        ("basic - -:V3/R5G3B4:R7 0 -", "", "#"),
        # After a play that leads nothing more is spent.
        ("basic - R7V5:V1/R5G3B4:O6 0 -", "+R7", "."),
        # Advanced: a discard that draws costs nothing, and the draw is taken.
        ("advanced - R7V5:V1/R5G3B4:O6 0 I5B3", "", ">V5"),
        ("advanced - R7V5:V1/R5G3B4:O6 0 I5B3", ">V5", "*"),
        # ... but not with an empty deck.
        ("advanced - R7V5:V1/R5G3B4:O6 0 -", "", "+R7"),
        # A 3 that leads at once pays for itself.
        ("basic+revised - R7R3:V1/R5G2B4:O2 0 I5B6", "", "+R3"),
        # A 3 in hope comes before the pass and after everything else.
        ("basic+revised - Y3:V2/R5G2B4:R7 0 I5B6", "", "+Y3"),
        ("basic+revised - V6Y3:V2/R5G4B4:R7 0 I5B6", "", ">V6"),
    ],
)
def test_known_positions(position, turn, expected):
    assert answer(position, turn) == expected


@pytest.mark.parametrize("variant", VARIANTS)
def test_state_and_view_have_the_same_greedy_move(variant):
    states = positions(variant, 200, seed=2)
    views = seen(states)
    agent, rng = make("greedy"), np.random.default_rng(0)
    masks = batch.offers(views)
    assert (agent.act(states, masks, rng) == agent.act(views, masks, rng)).all()


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        # The rival holds two cards more and would score 2 points for V2, fewer than the four that are worth it.
        ("advanced Y1R2 R7:V1/G3B5I4:V2 0 - -/-", "#"),
        # As many cards: the round is still open.
        ("advanced Y1R2 R7:V1/G3:V2 0 - -/-", "+R7"),
        # Too many points to give away.
        ("advanced Y1R2 R7:V1/G3B5I4:V6 0 - -/-", "+R7"),
        # Even few points would end the match (the rival has 39 of 40).
        ("advanced Y1R2 R7:V1/G3B5I4:V2 0 - -/O7Y7G7B7I7R4", "+R7"),
        # Not in a single round.
        ("advanced Y1R2 R7:V1/G3B5I4:V2 0 -", "+R7"),
        # Not while a third player is in.
        ("advanced Y1R2 R7:V1/G3B5I4:V2/B3B4:R1 0 - -/-/-", "+R7"),
    ],
)
def test_greedy_passes_in_a_match_where_that_denies_points(position, expected):
    assert answer(position) == expected


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if "match" not in variant])
def test_greedy_never_passes_where_it_can_stay(variant):
    """Whoever does not draw in hope leads after each own turn, so greedy is out only when nothing else is offered."""
    rng, agent = np.random.default_rng(0), make("greedy")
    states = batch.deal(Rules.parse(variant), 200, 3)
    while len(states):
        masks = batch.offers(states)
        moves = agent.act(seen(states), masks, rng)
        assert (masks.sum(axis=1)[moves == 99] == 1).all()
        batch.play(states, moves)
        states = states[states["phase"] < ROUND_OVER].copy()
