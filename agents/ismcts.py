"""``ismcts``: single-observer information-set Monte Carlo tree search.

After Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012, section IV-B:
one tree over what the searching seat can see; each iteration samples a world that fits the view (and the last turn, see
``beliefs``) and walks down by the moves that are offered in that world, adds one node, and lets greedy finish the round
from there, whose end is worth to every seat what ``playouts.end_values`` says. A node is chosen by UCB1 with the number
of times its move *was available* in place of the parent's visits, since a move of another seat is not possible in every
world. The most visited move at the root is made.

Two things are added, because the cards that a rival may hold make far more children than are ever visited often:

- the greedy move of the world is the first that is tried at a node, and keeps a bonus of ``3 / (visits + 1)``
  (progressive bias, Chaslot et al., New Mathematics and Natural Computation 4(3), 2008);
- another untried move is tried only while no child is worth more than 1, the greatest value there is (first play
  urgency, Gelly and Wang, 2006), not always.

Together they took 1,000 iterations from 54.1 to 61.7 % of the games with greedy (2-player basic, 400 and 1,500
duplicate deals, within 2.3 and 1.2 points); doubling or halving any of the constants made no difference beyond that.

A pass that only loses is not searched.
"""

import math
import time

import numpy as np
from numpy.typing import NDArray

from agents.beliefs import likely_world
from agents.greedy_kernels import greedy_move
from agents.jit import helper, inlined, kernel
from agents.playouts import end_values, play_greedily
from agents.protocol import Masks, Moves
from agents.registry import spec_of
from agents.steps import do_move, offered
from red7_env.game import STATE, States
from red7_env.game.bits import I64, ONE, U64, ZERO, bit_of
from red7_env.game.choice import Offer, nth_move, offer_size
from red7_env.game.moves import DISCARD, END, TAKE, TO_CANVAS, TO_DECK
from red7_env.game.offer import CAN_PASS
from red7_env.game.state import ROUND_OVER, State
from red7_env.game.streams import advanced, below, mixed

NODE = np.dtype(
    [
        ("total", "<f8"),  # sum of the values, to the seat that moved, of the playouts through this node
        ("visits", "<i4"),
        ("available", "<i4"),  # how often the move was offered when its parent was visited
        ("child", "<i4"),  # first child, 0 for none (the root is nobody's child)
        ("sibling", "<i4"),  # next child of the same parent, 0 for none
        ("action", "<u1"),  # the move that leads here
        ("mover", "<u1"),  # and the seat that makes it
    ],
    align=True,
)

_BIAS = 3.0
"""Weight of greedy's move, see above."""
_URGENCY = 1.0
"""What an untried move counts for, see above."""
_MOST_NODES = 1 << 21
_NODES_PER_MS = 1000
_LONGEST_PATH = 256
_PATIENCE = 32
"""Iterations between two looks at the clock."""


class Ismcts:
    """Plays the move that a tree search over sampled worlds visits most."""

    name = "ismcts"

    def __init__(
        self, *, iterations: int = 2000, exploration: float = 0.5, ms: int | None = None, tries: int = 8
    ) -> None:
        """Choose the budget of a decision and the width of the search.

        Args:
            iterations: Worlds sampled, one path through the tree each.
            exploration: Weight of the UCB term; values are chances to win, from 0 to 1.
            ms: Milliseconds, instead of ``iterations``; then results depend on the machine.
            tries: How often a world is drawn at most until the last turn fits it; 1 takes all worlds as alike.
        """
        self.spec = spec_of(self.name, iterations=iterations, exploration=exploration, ms=ms, tries=tries)
        self._iterations, self._exploration, self._ms = iterations, float(exploration), ms
        self._tries = tries
        self._worlds = np.zeros(2, STATE)
        nodes = iterations if ms is None else ms * _NODES_PER_MS
        self._nodes = np.zeros(min(nodes, _MOST_NODES) + 1, NODE)

    def act(self, views: States, masks: Masks, rng: np.random.Generator) -> Moves:
        """Return the best move found for every view; see ``protocol.Agent``."""
        moves: Moves = masks.argmax(axis=1)
        streams = rng.integers(2**64, size=len(views), dtype=np.uint64)
        for i in np.flatnonzero(masks.sum(axis=1) > 1):
            view, stream = views[i : i + 1], streams[i : i + 1]
            used = np.ones(1, np.int64)
            self._nodes[0] = 0
            if self._ms is None:
                _search(view, stream, self._iterations, self._tries, self._exploration, self._worlds, self._nodes, used)
            else:
                self._search_for(self._ms / 1000, view, stream, used)
            moves[i] = _most_visited(self._nodes)
        return moves

    def _search_for(self, seconds: float, view: States, stream: NDArray[np.uint64], used: NDArray[np.int64]) -> None:
        """Search until the time is over, at least once."""
        end = time.perf_counter() + seconds
        while True:
            _search(view, stream, _PATIENCE, self._tries, self._exploration, self._worlds, self._nodes, used)
            if time.perf_counter() >= end:
                break


@inlined
def _without(offer: Offer, action: int) -> Offer:
    """Return an offer without one move; it may not have held it."""
    first, second, flags = offer
    if action < DISCARD:
        first &= ~bit_of(action)
    elif action < END:
        second &= ~bit_of(action - DISCARD)
    elif action < TAKE:
        flags &= ~(ONE << U64(action - END))
    elif action < TO_CANVAS:
        first &= ~bit_of(action - TAKE)
    elif action < TO_DECK:
        first &= ~bit_of(action - TO_CANVAS)
    else:
        second &= ~bit_of(action - TO_DECK)
    return first, second, flags


@inlined
def _searched(state: State) -> Offer:
    """Return the offer, without a pass that only loses."""
    first, second, flags = offered(state)
    if not state.match and first | second != ZERO:
        flags &= ~CAN_PASS
    return first, second, flags


@helper
def _select(nodes: np.ndarray, parent: int, world: State, word: U64, exploration: float) -> tuple[int, int]:
    """Return the child to go to, or 0 and the move of a new one.

    Every offered child is counted as available once more.
    """
    untried, greedy = _searched(world), greedy_move(world)
    best, chosen, known = -1.0, 0, False
    child = I64(nodes[parent].child)
    while child != 0:
        node = nodes[child]
        action = I64(node.action)
        rest = _without(untried, action)
        if offer_size(rest) != offer_size(untried):
            untried = rest
            node.available += 1
            worth = node.total / node.visits + exploration * math.sqrt(math.log(node.available) / node.visits)
            if action == greedy:
                known = True
                worth += _BIAS / (node.visits + 1)
            if worth > best:
                best, chosen = worth, child
        child = I64(node.sibling)
    if not known:
        return 0, greedy
    left = offer_size(untried)
    if left > ZERO and best < _URGENCY:
        return 0, nth_move(I64(world.phase), untried, below(word, left))
    return chosen, 0


@inlined
def _add_child(nodes: np.ndarray, parent: int, place: int, action: int, mover: int) -> None:
    """Make ``nodes[place]`` a new child."""
    node = nodes[place]
    node.total = 0.0
    node.visits = 0
    node.available = 1
    node.child = 0
    node.sibling = nodes[parent].child
    node.action = action
    node.mover = mover
    nodes[parent].child = place


@helper
def _descend(world: State, nodes: np.ndarray, used: np.ndarray, exploration: float, path: np.ndarray, word: U64) -> int:
    """Walk down the tree with a world until a node is added, in place; return the length of the path.

    Args:
        world: A full state; it ends where the playout begins.
        nodes: The tree, dtype ``NODE``.
        used: [1] int64, the number of nodes in use.
        exploration: Weight of the UCB term.
        path: [_LONGEST_PATH] int64, where the nodes of the path are written, without the root.
        word: A random word.
    """
    node, length = 0, 0
    while world.phase < ROUND_OVER and length < _LONGEST_PATH:
        child, action = _select(nodes, node, world, word, exploration)
        is_new = child == 0
        if is_new:
            if used[0] == len(nodes):
                break
            child = used[0]
            used[0] += 1
            _add_child(nodes, node, child, action, I64(world.to_move))
        do_move(world, I64(nodes[child].action))
        path[length] = child
        length += 1
        node = child
        if is_new:
            break
    return length


@kernel
def _search(
    view: States,
    stream: np.ndarray,
    iterations: int,
    tries: int,
    exploration: float,
    worlds: States,
    nodes: np.ndarray,
    used: np.ndarray,
) -> None:
    """Go on with the search of one view.

    Args:
        view: [1] record.
        stream: [1] uint64, the state of a generator, which goes on.
        iterations: Worlds to sample.
        tries: How often each is drawn at most, see ``likely_world``.
        exploration: Weight of the UCB term.
        worlds: [2] records of room.
        nodes: The tree, dtype ``NODE``; its first element is the root.
        used: [1] int64, the number of nodes in use, from 1.
    """
    world = worlds[0]
    unseen, values = np.empty(49, np.uint8), np.empty(4, np.float64)
    path = np.empty(_LONGEST_PATH, np.int64)
    for _ in range(iterations):
        stream[0] = advanced(likely_world(view[0], worlds, unseen, stream[0], tries))
        length = _descend(world, nodes, used, exploration, path, mixed(stream[0]))
        play_greedily(world)
        end_values(world, values)
        for n in range(length):
            node = nodes[path[n]]
            node.visits += 1
            node.total += values[node.mover]


@kernel
def _most_visited(nodes: np.ndarray) -> int:
    """Return the most visited move of the root, the better one among equals."""
    best = child = I64(nodes[0].child)
    while child != 0:
        node, leader = nodes[child], nodes[best]
        if node.visits > leader.visits or (node.visits == leader.visits and node.total > leader.total):
            best = child
        child = I64(node.sibling)
    return I64(nodes[best].action)
