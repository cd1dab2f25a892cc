"""A second Red7 engine: slow, plain, and written from the rules alone.

It exists to be played against the fast engine, so it shares nothing with it: standard library
only, no import from ``red7_env``. Cards are strings (``"R7"``), hands and palettes frozensets,
canvas and deck tuples. "Section 6" and the like in the docstrings are sections of the rules.

Modules, each importing only those before it: ``cards`` (order, text), ``rules`` (variant and deck
shape), ``best_set`` (who leads), ``turn`` (offered moves by search over every way to complete the
turn), ``table`` (everything on the table between turns), ``position`` (text form), ``deal``,
``knowledge`` (what is public beyond the position), ``game`` (``Reference``) and ``perft``.

Making a game
    ``Reference.from_position(text)``
        The start of a turn, or a finished round. ``ValueError`` for refused text.
    ``Reference.deal(rules_text, players, match, order)``
        From an explicit shuffle of the deck, a list of card strings. With H cards a hand, seat 0
        gets ``order[0:H]``, seat 1 the next H and so on; then one palette card for each seat in
        seat order; the rest is the deck, the next card of ``order`` on top.
    ``.copy()``
        An independent game in the same state.

One turn
    ``.to_move``            the seat to move; once the round is over, its winner
    ``.offered()``          the offered tokens, sorted by character code; empty when it is over
    ``.play(token)``        one token; ``ValueError`` if it is not offered
    ``.turn_tokens``        the tokens played so far in the unfinished turn
    ``.position()``         the text form; ``ValueError`` within a turn
    ``perft(game, depth)``  how many token sequences of that length there are

One round
    ``.players``, ``.leader()`` (``None`` when nobody leads), ``.best_set(seat)`` (highest first)
    ``.round_over``, ``.winner`` (``None`` until then)

One match (or a single round, where "scored" is what the winner of an advanced round takes)
    ``.to_shuffle()``       the cards that the next round is dealt from, sorted; the round is over
    ``.next_round(order)``  scores the round; deals the next from ``order``, or ends the match
                            (``order`` may then be ``None``)
    ``.match_over``         true after the ``next_round`` that ended the match
    ``.scored``, ``.scores``  card lists (highest first) and points, a seat each; in a match they
                            stand as before the round until ``next_round``
    ``.winners``            every seat that shares the win; empty while play goes on

What a seat may know
    ``.known_in_hand(seat)``  cards publicly known to be in that hand (or to have been in it when
                              the seat went out)
    ``.known_on_deck()``      publicly known cards on top of the deck, from the top
    ``.out_palette(seat)``    what a seat that went out had shown, cards of its last turn included;
                              empty for a seat that is in, or whose leaving was not witnessed
"""

from .game import Reference
from .perft import perft

__all__ = ["Reference", "perft"]
