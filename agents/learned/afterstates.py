"""Whole turns and the positions after them: what a learned value is asked about.

A turn is listed as its moves up to the first outcome that the mover cannot know, and the position after it is what the
mover knows then. An unknown card is drawn in two ways: by the advanced draw, which ends its turn, and by a 3 in
mid-turn, after which the same seat goes on. In both the position holds the larger hand and the smaller deck, and not
the card: its value is the mean over all cards that it may be. After a 3 the next moves are decided anew, with the card
known. A card that was put on the deck in sight of all is drawn as a known one, and the turn goes on.

A seat that passes on purpose only loses in a single round, so the pass is listed there only if nothing else is offered.
In a match it is a turn like the others.
"""

import math

import numpy as np

from agents.jit import helper, inlined, kernel
from agents.steps import do_move, offered
from red7_env.game import States
from red7_env.game.bits import I64, U64, popcount
from red7_env.game.choice import nth_move, offer_size
from red7_env.game.deal import score_round
from red7_env.game.moves import DISCARD, DRAW, PASS
from red7_env.game.state import AFTER_PLAY, NO_ACTIONS, ROUND_OVER, State
from red7_env.game.turn import end_turn
from red7_env.observation.base import write_base
from red7_env.observation.borrowed import borrowed
from red7_env.observation.derived import write_derived
from red7_env.observation.table import Layout

MOST_MOVES = 10
"""At least the moves of a turn: seven 5s, one more card, its action, a discard; a draw stands for a card less."""
MOST_TURNS = 2048
"""Turns listed for one view at most; more than ever occurred, those beyond are left out."""
NO_MOVE = 255
"""Fills up the moves of a shorter turn."""


@inlined
def _draws_unseen(state: State, action: int) -> bool:
    """Tell whether a move draws a card that nobody knows."""
    if state.deck_known > 0:
        return False
    draws_by_three = state.edition != NO_ACTIONS and action < DISCARD and action // 7 == 2 and state.deck_size > 0
    return action == DRAW or draws_by_three


@helper
def do_known(view: State, action: int) -> bool:
    """Do one offered move in a view, as far as its seat knows the outcome; return whether it drew an unseen card."""
    if not _draws_unseen(view, action):
        do_move(view, action)
        return False
    seat = I64(view.to_move)
    view.deck_size -= 1
    view.hand_sizes[seat] += 1
    if action == DRAW:
        end_turn(view)
        return True
    edition = view.edition
    view.edition = NO_ACTIONS  # the card goes to the palette, its draw is done above
    do_move(view, action)
    view.edition = edition
    view.hoped = 1
    view.phase = AFTER_PLAY
    return True


@helper
def list_turns(view: State, room: States, turns: np.ndarray, after: States, at: int) -> int:
    """List the turns of the seat to move, or the ways to go on with the turn that it has begun.

    Args:
        view: The view of the seat to move.
        room: [MOST_MOVES + 1] records, which are overwritten.
        turns: [M, MOST_MOVES] uint8; row ``at + k`` gets the moves of turn k, then ``NO_MOVE``.
        after: [M] records; record ``at + k`` becomes what the seat knows after turn k.
        at: Where to write first; ``MOST_TURNS`` rows from there on must exist.

    Returns:
        The number of turns, at least 1.
    """
    count, level = 0, 0
    tried = np.zeros(MOST_MOVES + 1, np.int64)
    moves = np.full(MOST_MOVES, NO_MOVE, np.uint8)
    room[0] = view
    while level >= 0:
        offer = offered(room[level])
        size = I64(offer_size(offer))
        if tried[level] == size or count == MOST_TURNS:
            moves[level - 1 if level > 0 else 0] = NO_MOVE
            level -= 1
            continue
        move = nth_move(room[level].phase, offer, U64(tried[level]))
        tried[level] += 1
        if move == PASS and size > 1 and not view.match:
            continue
        moves[level] = move
        room[level + 1] = room[level]
        unseen = do_known(room[level + 1], move)
        if unseen or room[level + 1].turn != view.turn or level + 1 == MOST_MOVES:
            after[at + count] = room[level + 1]
            turns[at + count] = moves
            moves[level] = NO_MOVE
            count += 1
        else:
            level += 1
            tried[level] = 0
    return count


@helper
def known_value(after: State, seat: int) -> float:
    """Return which part of the game a seat has won, 0 to 1, where that is certain, else NaN.

    A round of a match that is over is scored in place.
    """
    if not after.match:
        if not after.seats_in >> seat & 1:
            return 0.0
        return 1.0 if after.phase == ROUND_OVER else math.nan
    if after.phase != ROUND_OVER or not score_round(after):
        return math.nan
    if not after.winners >> seat & 1:
        return 0.0
    return 1.0 / I64(popcount(U64(after.winners)))


@inlined
def write_after(after: State, seat: int, layout: Layout, out: np.ndarray, row: int) -> None:
    """Write what a seat observes after its turn, without the offer: [size] uint8 from ``out[row]`` on."""
    write_base(after, seat, layout, out, row)
    if layout.offered_plays >= 0:
        write_derived(after, seat, layout, out, row, (U64(0), U64(0), U64(0)))


@kernel
def list_afterstates(
    views: States,
    first: int,
    layouts: np.ndarray,
    room: States,
    turns: np.ndarray,
    after: States,
    values: np.ndarray,
    ends: np.ndarray,
    out: np.ndarray,
) -> int:
    """List the turns of many views and write what their seats observe after each.

    Args:
        views: [N] views of the seats to move, of the same rules.
        first: The first view to look at.
        layouts: ``observation.table.layout`` of the rules and features.
        room: [MOST_MOVES + 1] records.
        turns: [M, MOST_MOVES] uint8, the moves of each turn; M at least ``MOST_TURNS``.
        after: [M] records, what the mover knows after it.
        values: [M] float64, the part of the game won where that is certain, else NaN.
        ends: [N] int64; ``ends[i]`` becomes the row after the last turn of view i.
        out: [M, size] uint8 observations.

    Returns:
        The first view that was not looked at, for want of rows.
    """
    flat, count, i = borrowed(out.reshape(-1)), 0, first
    while i < len(views) and count + MOST_TURNS <= len(after):
        seat = I64(views[i].to_move)
        listed = list_turns(views[i], room, turns, after, count)
        for k in range(count, count + listed):
            values[k] = known_value(after[k], seat)
            write_after(after[k], seat, layouts[0], flat, k * out.shape[1])
        count += listed
        ends[i] = count
        i += 1
    return i


@helper
def make_turn(state: State, moves: np.ndarray) -> None:
    """Do the moves of a turn in a full state; ``moves``: [MOST_MOVES] uint8."""
    for n in range(MOST_MOVES):
        if moves[n] == NO_MOVE:
            break
        do_move(state, I64(moves[n]))


@kernel
def make_turns(states: States, turns: np.ndarray) -> None:
    """Do a turn in every full state; ``turns``: [N, MOST_MOVES] uint8."""
    for i in range(len(states)):
        make_turn(states[i], turns[i])


@kernel
def choose_turns(
    ends: np.ndarray, values: np.ndarray, strays: np.ndarray, chosen: np.ndarray, best: np.ndarray
) -> None:
    """Choose a turn for each view: that of the greatest value, or any one.

    Args:
        ends: [N] int64, the row after the last turn of each view.
        values: [M] float64, of each turn.
        strays: [N] float64, 0 to 1 to choose the turn at that part of the view's turns, below 0 for the best one.
        chosen: [N] int64, where the rows of the chosen turns are written.
        best: [N] float64, where the greatest values are written.
    """
    begin = 0
    for i in range(len(ends)):
        row = begin
        for k in range(begin + 1, ends[i]):
            if values[k] > values[row]:
                row = k
        best[i] = values[row]
        if strays[i] >= 0.0:
            row = begin + I64(strays[i] * (ends[i] - begin))
        chosen[i] = row
        begin = ends[i]
