"""Between a written position and the state record."""

import numpy as np

from red7_env.game.bits import cards_of, word_of
from red7_env.game.errors import RulesError, shown
from red7_env.game.kernels import deal_many, weigh_many
from red7_env.game.notation import Position, Seat
from red7_env.game.rules import Rules
from red7_env.game.state import PILE_SIZE, ROUND_OVER, START, States, blank_states, rules_of


def dealt(rules: Rules, count: int = 1, seed: int = 0, first: int = 0) -> States:
    """Return games ``first .. first + count - 1`` of a seed at the start of their first round, shape (count,).

    Raises:
        RulesError: If ``rules`` are none.
    """
    if not isinstance(rules, Rules):
        raise RulesError(f"rules: found {shown(rules)}, expected Rules, such as Rules.parse('basic:2p')")
    states = blank_states(rules, count)
    deal_many(states, np.uint64(seed), np.uint64(first))
    return states


def _fill_seats(state: np.void, seats: tuple[Seat | None, ...]) -> None:
    state["seats_in"] = sum(1 << number for number, seat in enumerate(seats) if seat is not None)
    for number, seat in enumerate(seats):
        if seat is not None:
            state["hands"][number] = word_of(seat.hand)
            state["hand_sizes"][number] = len(seat.hand)
            state["palettes"][number] = word_of(seat.palette)


def _fill_pile(state: np.void, canvas: tuple[int, ...], deck: tuple[int, ...]) -> None:
    state["canvas_size"], state["deck_size"] = len(canvas), len(deck)
    state["pile"][: len(canvas)] = canvas
    state["pile"][PILE_SIZE - len(deck) :] = deck
    if canvas:
        state["rule"] = canvas[-1] % 7


def state_of(position: Position, rng: int = 0) -> States:
    """Return the state at a written position, shape (1,).

    Nothing is publicly known in it beyond what the position shows. It begins with the turn of the seat to move, also if
    that hand is empty, and counts as the first round of its game.

    Args:
        position: The position.
        rng: State of the shuffler for the later rounds of a match, below 2**64.
    """
    states = blank_states(position.rules)
    state = states[0]
    state["rng"] = rng
    _fill_seats(state, position.seats)
    _fill_pile(state, position.canvas, position.deck)
    for number, cards in enumerate(position.scored or ()):
        state["scored"][number] = word_of(cards)
    state["to_move"] = position.to_move
    state["turn"] = 1
    state["phase"] = START
    if sum(seat is not None for seat in position.seats) == 1:
        state["phase"] = ROUND_OVER
        state["winner"] = position.to_move
        state["winners"] = 0 if position.rules.match else 1 << position.to_move
    weigh_many(states)
    return states


def position_of(state: np.void) -> Position:
    """Return the position of a full state that stands at the start of a turn or at the end of a round."""
    rules = rules_of(state)
    seats = tuple(
        Seat(tuple(cards_of(state["hands"][seat])), tuple(cards_of(state["palettes"][seat])))
        if state["seats_in"] >> seat & 1
        else None
        for seat in range(rules.players)
    )
    # At the end of a match the winner's set is scored and still in the palette; a position stands before the scoring.
    before = state["scored"] & ~state["palettes"]
    scored = tuple(tuple(cards_of(before[seat])) for seat in range(rules.players)) if rules.match else None
    pile = state["pile"].tolist()
    return Position(
        rules=rules,
        canvas=tuple(pile[: int(state["canvas_size"])]),
        seats=seats,
        to_move=int(state["to_move"]),
        deck=tuple(pile[PILE_SIZE - int(state["deck_size"]) :]),
        scored=scored,
    )
