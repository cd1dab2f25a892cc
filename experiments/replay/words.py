"""What happened between two stages of a game, in words that tell only what everybody at the table has seen."""

from collections.abc import Sequence

import numpy as np

from red7_env.game.bits import cards_of, points_of_word
from red7_env.game.cards import COLOUR_NAMES, card_number, card_text, card_words, cards_text
from red7_env.game.moves import DISCARD, DRAW, END, PASS, TAKE, TO_CANVAS, TO_DECK
from red7_env.game.state import AFTER_DISCARD, MATCH_OVER, PILE_SIZE, ROUND_OVER
from red7_env.render.words import RULE_WORDS, best_sets_of
from red7_env.stages import Stage


def told(before: Stage, after: Stage, names: Sequence[str]) -> str:
    """Return what the move of one stage did, and what followed from it until the next.

    Args:
        before: The stage at which a move was made.
        after: The stage after it.
        names: What the seats are called.
    """
    if before.move is None:
        return "The next round is dealt."
    one, other = before.state[0], after.state[0]
    mover = int(one["to_move"])
    sentences = [f"{names[mover]} {_deed(one, other, before.move, names)}."]
    gone = int(one["seats_in"]) & ~int(other["seats_in"])
    for seat, name in enumerate(names):
        if gone >> seat & 1 and not (seat == mover and before.move == PASS):
            sentences.append(f"{name} has no card left and is out.")
    if other["phase"] >= ROUND_OVER:
        sentences += _end(other, names)
    return " ".join(sentences)


def begun(stage: Stage, names: Sequence[str]) -> str:
    """Return the words for the first stage."""
    return f"The cards are dealt. {names[int(stage.state[0]['to_move'])]} begins."


def _deed(before: np.void, after: np.void, move: int, names: Sequence[str]) -> str:
    """Return what the seat to move does by a move."""
    declines = before["phase"] == AFTER_DISCARD
    plain = {PASS: "passes and is out", END: "declines the draw" if declines else "ends the turn"}
    if move in plain:
        return plain[move]
    if move == DRAW:
        return f"draws {_drawn(before)}"
    if move < DISCARD:
        drew = after["deck_size"] < before["deck_size"]
        return f"plays {_card(move)} to the palette" + (f" and draws {_drawn(before)} for the 3" if drew else "")
    return _put(before, after, move, names)


def _put(before: np.void, after: np.void, move: int, names: Sequence[str]) -> str:
    """Return what the seat to move does with a card that it puts on the canvas or the deck."""
    if move < END:
        return f"discards {_card(move - DISCARD)} to the canvas: the rule is {_rule(after)}"
    if move < TO_CANVAS:
        card = move - TAKE
        owner = next(name for seat, name in enumerate(names) if card in cards_of(before["palettes"][seat]))
        return f"puts {_card(card)} of {owner} on top of the deck"
    if move < TO_DECK:
        return f"puts {_card(move - TO_CANVAS)} of the own palette on the canvas: the rule is {_rule(after)}"
    return f"puts {_card(move - TO_DECK)} of the own palette on top of the deck"


def _drawn(before: np.void) -> str:
    """Return the card on top of the deck, if everybody knows it."""
    if not before["deck_known"]:
        return "a card"
    return f"{_card(int(before['pile'][PILE_SIZE - int(before['deck_size'])]))}, as all know"


def _end(state: np.void, names: Sequence[str]) -> list[str]:
    """Return who has won, and what it scores."""
    winner = int(state["winner"])
    sentences = [f"{names[winner]} wins the round."]
    if state["draws"]:
        best = cards_of(best_sets_of(state)[winner])
        scored = f"{cards_text(best)} ({sum(map(card_number, best))} points)" if best else "nothing"
        sentences = [f"{names[winner]} wins the round and scores {scored}."]
    if state["phase"] == MATCH_OVER:
        wins, bits = [name for seat, name in enumerate(names) if int(state["winners"]) >> seat & 1], state["scored"]
        points = " to ".join(str(points_of_word(bits[seat])) for seat in range(len(names)))
        sentences.append(f"The match is over, {points} points: {' and '.join(wins)} {_wins(wins)}.")
    return sentences


def _wins(winners: Sequence[str]) -> str:
    return "wins" if len(winners) == 1 else "share the win"


def _card(card: int) -> str:
    return f"{card_text(card)} ({card_words(card)})"


def _rule(state: np.void) -> str:
    rule = int(state["rule"])
    return f"{COLOUR_NAMES[rule]}, {RULE_WORDS[rule]}"
