"""Small games by brute force, in plain Python over the slow reference engine.

Every order of the deck is a deal of its own here, and what a seat has seen is a tuple: its hand, then each token with
the card that it drew itself. So this shares no idea with ``agents.exact`` but what the game is.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

from tests.reference import Reference

Seen = tuple
Policy = Callable[[Sequence[str]], Sequence[float]]
"""From the offered tokens to their probabilities."""


@dataclass
class Node:
    """A position; an end if it has no children."""

    seat: int
    seen: Seen = ()
    winner: int | None = None
    children: dict[str, "Node"] = field(default_factory=dict)


@dataclass
class Game:
    """All deals with the same palette cards."""

    roots: list[Node]
    histories: set[Seen]
    sets: set[tuple[int, Seen]]


def hand_of(game: Reference, seat: int) -> frozenset[str]:
    within = game.turn_tokens and seat == game.to_move
    return (game._turn.hand if within else game._table.hands[seat]) or frozenset()


def explored(rules: str, palettes: tuple[str, str], cards: Sequence[str], size: int) -> Game:
    found = Game([], set(), set())
    for first, second, deck in deals(palettes, cards, size):
        game = Reference.deal(rules, 2, False, [*first, *second, *palettes, *deck])
        assert game.to_move == 0
        found.roots.append(grown(game, ((first,), (second,)), (first, second), found))
    return found


def deals(palettes: tuple[str, str], cards: Sequence[str], size: int) -> Iterator[tuple[Seen, Seen, Seen]]:
    rest = [card for card in cards if card not in palettes]
    for first in combinations(rest, size):
        others = [card for card in rest if card not in first]
        for second in combinations(others, size):
            left = [card for card in others if card not in second]
            for deck in permutations(left):
                yield first, second, deck


def grown(game: Reference, seen: tuple[Seen, Seen], history: Seen, found: Game) -> Node:
    found.histories.add(history)
    if game.round_over:
        return Node(game.to_move, winner=game.winner)
    seat = game.to_move
    node = Node(seat, seen[seat])
    if len(game.offered()) > 1:
        found.sets.add((seat, seen[seat]))
    for token in game.offered():
        after = game.copy()
        before = hand_of(game, seat)
        after.play(token)
        drawn = "" if after.round_over else "".join(hand_of(after, seat) - before)
        known = [(*seen[other], (token, drawn if other == seat else "")) for other in range(2)]
        node.children[token] = grown(after, (known[0], known[1]), (*history, token, drawn), found)
    return node


def value(node: Node, policies: tuple[Policy, Policy]) -> float:
    """Return what seat 0 wins."""
    if not node.children:
        return 1.0 if node.winner == 0 else -1.0
    chances = policies[node.seat](list(node.children))
    return sum(
        chance * value(child, policies) for chance, child in zip(chances, node.children.values(), strict=True) if chance
    )


def best_response(nodes: Sequence[tuple[Node, float]], seat: int, policy: Policy) -> float:
    """Return the most that a seat wins from positions with these weights."""
    won = 0.0
    known: dict[Seen, list[tuple[Node, float]]] = defaultdict(list)
    waiting = list(nodes)
    while waiting:
        node, weight = waiting.pop()
        if not node.children:
            won += weight if node.winner == seat else -weight
        elif node.seat == seat:
            known[node.seen].append((node, weight))
        else:
            chances = policy(list(node.children))
            waiting += [(child, weight * chance) for child, chance in zip(node.children.values(), chances, strict=True)]
    for group in known.values():
        tokens = group[0][0].children
        won += max(
            best_response([(node.children[token], weight) for node, weight in group], seat, policy) for token in tokens
        )
    return won


def open_value(node: Node) -> float:
    """Return what seat 0 wins if both play perfectly and see all cards."""
    if not node.children:
        return 1.0 if node.winner == 0 else -1.0
    found = [open_value(child) for child in node.children.values()]
    return max(found) if node.seat == 0 else min(found)
