"""The engine's larger steps as functions that are called, not merged into each caller: searches compile faster so."""

from agents.jit import helper
from red7_env.game.choice import Offer
from red7_env.game.offer import offer_of
from red7_env.game.state import State
from red7_env.game.turn import apply_move


@helper
def offered(state: State) -> Offer:
    """Return the offer to the seat to move; see ``offer.offer_of``."""
    return offer_of(state)


@helper
def do_move(state: State, action: int) -> None:
    """Do one offered move; see ``turn.apply_move``."""
    apply_move(state, action)
