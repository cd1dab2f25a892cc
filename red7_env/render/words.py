"""What stands on every picture of a table: the rules, the phases of a turn and what is going on, in words."""

from typing import Final

import numpy as np

from red7_env.game.cards import COLOUR_NAMES
from red7_env.game.kernels import best_sets, leaders
from red7_env.game.state import (
    AFTER_DISCARD,
    AFTER_PLAY,
    CHOOSE_OWN,
    CHOOSE_TAKEN,
    MATCH_OVER,
    MAX_SEATS,
    PLAY_AGAIN,
    ROUND_OVER,
    START,
    States,
    rules_of,
)

RULE_WORDS: Final = (
    "most cards below 4",
    "longest run",
    "most different colours",
    "most even cards",
    "most of one colour",
    "most of one number",
    "highest card",
)
"""What leads under the rule of each colour, from violet to red."""

PHASE_WORDS: Final = {
    START: "to move",
    PLAY_AGAIN: "plays another card for a 5",
    CHOOSE_TAKEN: "takes a card for a 1",
    CHOOSE_OWN: "moves a card for a 7",
    AFTER_PLAY: "discards or ends the turn",
    AFTER_DISCARD: "draws or declines",
    ROUND_OVER: "has won",
    MATCH_OVER: "has won the last round",
}
"""What the seat to move is asked for, or has done."""


def player_names(state: np.void) -> list[str]:
    """Return the names of the seats where nobody gave others: ``player_0`` ..."""
    return [f"player_{seat}" for seat in range(int(state["players"]))]


def turn_words(state: np.void) -> str:
    """Return which turn it is: ``turn 3``, in a match ``round 2, turn 3``."""
    turn = f"turn {state['turn']}"
    present = int(state["round"]) + (state["phase"] != MATCH_OVER)
    return f"round {present}, {turn}" if state["match"] else turn


def mover_words(state: np.void) -> str:
    """Return what the seat to move does: ``to move``."""
    return PHASE_WORDS[int(state["phase"])]


def leader_of(state: np.void) -> int | None:
    """Return the seat that leads under the rule in force, None if there is none."""
    leader = np.empty(1, np.int8)
    leaders(_alone(state), leader)
    return None if leader[0] < 0 else int(leader[0])


def best_sets_of(state: np.void) -> list[int]:
    """Return each seat's palette cards that count under the rule in force, as 64-bit sets; 0 for a seat that is out."""
    sets = np.empty((1, MAX_SEATS), np.uint64)
    best_sets(_alone(state), sets)
    inside = int(state["seats_in"])
    return [int(sets[0, seat]) if inside >> seat & 1 else 0 for seat in range(int(state["players"]))]


def sentence(state: np.void, names: list[str] | None = None) -> str:
    """Return what is going on, in one line: what a picture's title says to those who cannot see it."""
    called = names or player_names(state)
    leader = leader_of(state)
    rule = int(state["rule"])
    leads = "nobody leads" if leader is None else f"{called[leader]} leads"
    return (
        f"Red7 {rules_of(state)}, {turn_words(state)}: {called[int(state['to_move'])]} {mover_words(state)}; "
        f"rule {COLOUR_NAMES[rule]}: {RULE_WORDS[rule]}; {leads}"
    )


def _alone(state: np.void) -> States:
    """Return a record as an array of one, which is what the kernels take."""
    return np.array([state])
