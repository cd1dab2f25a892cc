"""The enumeration of a part of a small game: every deal with the same two palette cards, played to every end.

What a seat has seen is a *node*: the node before it and one token more, the hand that was dealt, a move of either seat,
or a card that the seat itself drew. So two histories share a node exactly if the seat cannot tell them apart although
it forgets nothing (perfect recall), and no hash has to be trusted. A node at which the seat has a choice is an
information set. A seat that is offered a single move is not asked, here as at every table.

A draw from the unknown part of the deck is chance: the deck's order stays open until then, and each card left in it is
as likely as any other.

A *sequence* is an information set with one of its moves. The offered moves of an information set are sequences with
consecutive numbers; sequence 0 stands for a seat that has not chosen yet. Both are numbered in the order in which they
are met, so an information set comes after the sequence that leads to it.
"""

from typing import Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from agents.jit import helper, inlined, kernel
from agents.steps import do_move, offered
from agents.turns import MAX_OFFER
from red7_env.game import STATE, States
from red7_env.game.bits import I64, ONE, U64, ZERO, card_of, low_bit, popcount
from red7_env.game.choice import Offer, nth_move, offer_size
from red7_env.game.deal import all_cards, start_round
from red7_env.game.moves import DISCARD, DRAW
from red7_env.game.state import NO_ACTIONS, PILE_SIZE, ROUND_OVER, State
from red7_env.game.streams import mixed
from red7_env.game.views import hide

Scalar = TypeVar("Scalar", bound=np.generic)
Integers: TypeAlias = NDArray[np.int64]

NODES, HISTORIES, ENDS, DEALS = 0, 1, 2, 3
SETS, SEQUENCES = 4, 6
"""Places in ``counts``; of the last two, one for each seat."""

_ROOTS: Final = 2
"""Nodes 0 and 1: a seat that has not seen its hand."""
_DRAWN: Final = 256
"""Tokens from here on are drawn cards; those below are moves."""
_NEW_NODES: Final = 3
"""A move makes at most so many nodes: one for each seat, and one for a card that is drawn."""


class Room(NamedTuple):
    """What an enumeration fills. ``counts`` says how far; the rest is room.

    Attributes:
        counts: [8] int64, see ``NODES`` and the like.
        slots: [power of two] int32, a hash table of nodes, -1 where there is none.
        node_parents: [K] int32, the node before.
        node_tokens: [K] uint64, the token after it.
        node_sets: [K] int32, the information set at the node, or -1.
        parents: [2, I] int32, the sequence that leads to each information set of a seat.
        firsts: [2, I] int32, its first own sequence.
        actions: [2, Q] uint8, the action id of each sequence.
        views: [2, I] views at the information sets; [2, 0] if they are not wanted.
        end_keys: [E] uint64, the sequences of both seats that lead to an end: seat 0's << 32 | seat 1's.
        end_chances: [E] float64, how likely chance lets it happen in its deal; negative if seat 1 wins.
    """

    counts: Integers
    slots: NDArray[np.int32]
    node_parents: NDArray[np.int32]
    node_tokens: NDArray[np.uint64]
    node_sets: NDArray[np.int32]
    parents: NDArray[np.int32]
    firsts: NDArray[np.int32]
    actions: NDArray[np.uint8]
    views: States
    end_keys: NDArray[np.uint64]
    end_chances: NDArray[np.float64]


class Path(NamedTuple):
    """The way from the deal to the present history, a level a move.

    Attributes:
        states: [L] the states.
        offers: [L, 3] uint64, the offer at each.
        sizes: [L] the number of offered moves.
        moves: [L] the next one to try.
        cards: [L] the next card of the deck to draw with it.
        firsts: [L] the first sequence of the information set, -1 where there is no choice.
        nodes: [L, 2] what the seats have seen.
        sequences: [L, 2] what the seats have last chosen.
        chances: [L] float64, the probability of the draws so far.
    """

    states: States
    offers: NDArray[np.uint64]
    sizes: Integers
    moves: Integers
    cards: Integers
    firsts: Integers
    nodes: Integers
    sequences: Integers
    chances: NDArray[np.float64]


def new_room(size: int, *, views: bool) -> Room:
    """Return room for about ``size`` nodes."""
    room = Room(
        counts=np.array([_ROOTS, 0, 0, 0, 0, 0, 1, 1]),
        slots=np.full(1 << (2 * size).bit_length(), -1, np.int32),
        node_parents=np.zeros(size, np.int32),
        node_tokens=np.zeros(size, np.uint64),
        node_sets=np.zeros(size, np.int32),
        parents=np.zeros((2, size), np.int32),
        firsts=np.zeros((2, size), np.int32),
        actions=np.zeros((2, size), np.uint8),
        views=np.zeros((2, size if views else 0), STATE),
        end_keys=np.zeros(size, np.uint64),
        end_chances=np.zeros(size),
    )
    room.actions[:, 0] = 255
    return room


def new_path(levels: int) -> Path:
    """Return room for games of fewer than ``levels`` moves."""
    return Path(
        states=np.zeros(levels, STATE),
        offers=np.zeros((levels, 3), np.uint64),
        sizes=np.zeros(levels, np.int64),
        moves=np.zeros(levels, np.int64),
        cards=np.zeros(levels, np.int64),
        firsts=np.zeros(levels, np.int64),
        nodes=np.zeros((levels, 2), np.int64),
        sequences=np.zeros((levels, 2), np.int64),
        chances=np.zeros(levels),
    )


def grown(room: Room) -> Room:
    """Return the room with twice the place wherever more than half is taken."""
    nodes, ends = int(room.counts[NODES]), int(room.counts[ENDS])
    sets, sequences = int(room.counts[SETS : SETS + 2].max()), int(room.counts[SEQUENCES:].max())
    larger = room._replace(
        node_parents=_longer(room.node_parents, nodes),
        node_tokens=_longer(room.node_tokens, nodes),
        node_sets=_longer(room.node_sets, nodes),
        parents=_longer(room.parents, sets),
        firsts=_longer(room.firsts, sets),
        views=_longer(room.views, sets) if room.views.shape[1] else room.views,
        actions=_longer(room.actions, sequences + MAX_OFFER),
        end_keys=_longer(room.end_keys, ends),
        end_chances=_longer(room.end_chances, ends),
    )
    if len(larger.node_parents) > len(room.node_parents):
        larger = larger._replace(slots=np.full(2 * len(room.slots), -1, np.int32))
        _enter_nodes(larger)
    return larger


def _longer(array: NDArray[Scalar], taken: int) -> NDArray[Scalar]:
    """Return the array, with its last axis doubled if more than half of it is taken."""
    size = array.shape[-1]
    if 2 * taken < size:
        return array
    longer = np.zeros((*array.shape[:-1], 2 * size), array.dtype)
    longer[..., :size] = array
    return longer


@inlined
def _slot_of(room: Room, node: int, token: U64) -> U64:
    """Return the slot of the node that follows ``node`` by ``token``, an empty one if there is none yet."""
    last = U64(len(room.slots) - 1)
    slot = mixed(mixed(token) + U64(node)) & last
    found = I64(room.slots[slot])
    while found >= 0 and (room.node_parents[found] != node or room.node_tokens[found] != token):
        slot = (slot + ONE) & last
        found = I64(room.slots[slot])
    return slot


@kernel
def _enter_nodes(room: Room) -> None:
    """Enter all nodes into an empty hash table."""
    for node in range(_ROOTS, room.counts[NODES]):
        room.slots[_slot_of(room, I64(room.node_parents[node]), room.node_tokens[node])] = node


@helper
def _node_after(room: Room, node: int, token: U64) -> int:
    """Return the node of a seat that has seen one token more; it is made if there is none."""
    slot = _slot_of(room, node, token)
    after = I64(room.slots[slot])
    if after < 0:
        after = room.counts[NODES]
        room.counts[NODES] += 1
        room.slots[slot] = after
        room.node_parents[after] = node
        room.node_tokens[after] = token
        room.node_sets[after] = -1
    return after


@helper
def _first_sequence(room: Room, state: State, offer: Offer, node: int, before: int) -> int:
    """Return the first sequence of the information set at the mover's node; it is made if there is none.

    Args:
        room: What is filled.
        state: A history of it.
        offer: What is offered, two moves at least.
        node: The mover's node.
        before: The mover's last sequence.
    """
    seat = I64(state.to_move)
    number = I64(room.node_sets[node])
    if number < 0:
        number = room.counts[SETS + seat]
        first = room.counts[SEQUENCES + seat]
        size = I64(offer_size(offer))
        room.node_sets[node] = number
        room.parents[seat, number] = before
        room.firsts[seat, number] = first
        for n in range(size):
            room.actions[seat, first + n] = nth_move(state.phase, offer, U64(n))
        room.counts[SETS + seat] += 1
        room.counts[SEQUENCES + seat] += size
        if room.views.shape[1] > 0:
            room.views[seat, number] = state
            hide(room.views[seat, number], seat)
    return I64(room.firsts[seat, number])


@helper
def _open(path: Path, level: int, room: Room) -> None:
    """Look at a history that has just been reached."""
    state = path.states[level]
    offer = offered(state)
    path.offers[level, 0], path.offers[level, 1], path.offers[level, 2] = offer
    path.sizes[level] = I64(offer_size(offer))
    path.moves[level] = 0
    path.cards[level] = 0
    path.firsts[level] = -1
    if path.sizes[level] > 1:
        seat = I64(state.to_move)
        path.firsts[level] = _first_sequence(room, state, offer, path.nodes[level, seat], path.sequences[level, seat])


@inlined
def _draws_unknown(state: State, action: int) -> bool:
    """Tell whether a move draws a card that nobody has seen."""
    if state.deck_size == 0 or state.deck_known > 0:
        return False
    return action == DRAW or (state.edition != NO_ACTIONS and action < DISCARD and action // 7 == 2)


@inlined
def _bring_up(state: State, depth: int) -> int:
    """Exchange the deck's top card with the one at a depth; return the new top card."""
    top = PILE_SIZE - I64(state.deck_size)
    card = state.pile[top + depth]
    state.pile[top + depth] = state.pile[top]
    state.pile[top] = card
    return I64(card)


@helper
def _enter_end(path: Path, level: int, room: Room) -> None:
    """Note the end of a round."""
    end = room.counts[ENDS]
    room.counts[ENDS] += 1
    room.end_keys[end] = U64(path.sequences[level, 0]) << U64(32) | U64(path.sequences[level, 1])
    room.end_chances[end] = path.chances[level] if path.states[level].winner == 0 else -path.chances[level]


@helper
def _go_on(path: Path, level: int, room: Room) -> int:
    """Make the next move of a level, with the next card where it draws one; return the level to go on at."""
    before, below = path.states[level], level + 1
    seat, move = I64(before.to_move), path.moves[level]
    offer = (path.offers[level, 0], path.offers[level, 1], path.offers[level, 2])
    action = nth_move(before.phase, offer, U64(move))
    drawn, ways = -1, 1
    path.states[below] = before
    if _draws_unknown(before, action):
        ways = I64(before.deck_size)
        drawn = _bring_up(path.states[below], path.cards[level])
    do_move(path.states[below], action)
    room.counts[HISTORIES] += 1
    path.chances[below] = path.chances[level] / ways
    path.sequences[below, 0], path.sequences[below, 1] = path.sequences[level, 0], path.sequences[level, 1]
    if path.firsts[level] >= 0:
        path.sequences[below, seat] = path.firsts[level] + move
    path.cards[level] += 1
    if path.cards[level] == ways:
        path.cards[level] = 0
        path.moves[level] += 1
    if path.states[below].phase >= ROUND_OVER:
        _enter_end(path, below, room)
        return level
    for other in range(2):
        path.nodes[below, other] = _node_after(room, path.nodes[level, other], U64(action))
    if drawn >= 0:
        path.nodes[below, seat] = _node_after(room, path.nodes[below, seat], U64(_DRAWN + drawn))
    _open(path, below, room)
    return below


@inlined
def _has_room(room: Room) -> bool:
    """Tell whether another move finds room for all that it can make."""
    counts = room.counts
    sets, sequences = max(counts[SETS], counts[SETS + 1]), max(counts[SEQUENCES], counts[SEQUENCES + 1])
    fits = counts[NODES] + _NEW_NODES <= len(room.node_parents) and counts[ENDS] < len(room.end_keys)
    return bool(fits and sets < room.parents.shape[1] and sequences + MAX_OFFER <= room.actions.shape[1])


@helper
def _lay_out(state: State, first_hand: U64, second_hand: U64) -> None:
    """Deal the hands to a record that has the palettes, leave the rest in the deck, and begin."""
    left = all_cards(state) & ~(first_hand | second_hand | state.palettes[0] | state.palettes[1])
    state.hands[0], state.hands[1] = first_hand, second_hand
    state.hand_sizes[0] = state.hand_sizes[1] = state.hand_size
    state.deck_size = popcount(left)
    for place in range(PILE_SIZE - I64(state.deck_size), PILE_SIZE):
        state.pile[place] = card_of(low_bit(left))
        left &= left - ONE
    start_round(state)


@helper
def _explore_deal(path: Path, first_hand: U64, second_hand: U64, room: Room) -> bool:
    """Play the deal in ``path.states[0]`` in every way; return whether there was room."""
    if not _has_room(room):
        return False
    path.nodes[0, 0] = _node_after(room, 0, first_hand)
    path.nodes[0, 1] = _node_after(room, 1, second_hand)
    path.sequences[0, 0] = path.sequences[0, 1] = 0
    path.chances[0] = 1.0
    room.counts[HISTORIES] += 1
    if not _has_room(room):
        return False
    level = 0
    _open(path, level, room)
    while level >= 0:
        if path.moves[level] == path.sizes[level]:
            level -= 1
        elif _has_room(room):
            level = _go_on(path, level, room)
        else:
            return False
    return True


@kernel
def explore(template: States, hands: NDArray[np.uint64], deal: int, path: Path, room: Room) -> int:
    """Play every deal from number ``deal`` on in every way.

    Args:
        template: [1] record with the rules and both palettes.
        hands: [H] all hands that the palettes leave possible; deal ``i * H + j`` gives seat 0 hand i and seat 1 hand j.
        deal: The first deal.
        path: Room for one game.
        room: What is filled.

    Returns:
        The number of the first deal that was not finished for want of room, after which nothing of it counts as done;
        H * H when all are.
    """
    while deal < len(hands) * len(hands):
        first_hand, second_hand = hands[deal // len(hands)], hands[deal % len(hands)]
        if first_hand & second_hand == ZERO:
            histories, ends = room.counts[HISTORIES], room.counts[ENDS]
            path.states[0] = template[0]
            _lay_out(path.states[0], first_hand, second_hand)
            if not _explore_deal(path, first_hand, second_hand, room):
                # Nodes and information sets are found again; only what is counted must not be counted twice.
                room.counts[HISTORIES], room.counts[ENDS] = histories, ends
                return deal
            room.counts[DEALS] += 1
        deal += 1
    return deal
