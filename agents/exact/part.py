"""``Part``: a part of a small game in sequence form, the deals with the same palette cards.

The two palette cards are dealt face up, so the game falls into parts that share nothing: whoever sits at one knows
which it is. Each part is solved and measured by itself; what holds for the whole game is the mean over its parts, which
are all equally likely. Only the parts in which seat 0 begins are looked at. Those in which seat 1 begins are the same
with the seats exchanged.

The payoffs are a sparse matrix over pairs of sequences (von Stengel, Games and Economic Behavior 14, 1996): the
probability by which chance lets a pair lead to an end, summed up over all such ends, positive for those seat 0 wins.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.exact.explore import DEALS, ENDS, HISTORIES, SEQUENCES, SETS, Room, explore, grown, new_path, new_room
from agents.exact.kernels import Form
from red7_env.game import Rules, States
from red7_env.game.bits import word_of
from red7_env.game.errors import RulesError
from red7_env.game.state import blank_states

_FIRST_ROOM: Final = 1 << 14
_MOST_DEALS: Final = 10_000_000
"""Deals of a part that can be enumerated within hours; larger decks are no small ones."""
_MOST_ENDS: Final = 1 << 27
"""Ends of a part that are kept at a time, 16 bytes each and as much again while they are sorted."""

Opening = tuple[int, int]
"""The palette cards of seat 0 and seat 1; the second is the higher one, so seat 0 begins."""


@dataclass(frozen=True)
class Side:
    """The choices of one seat.

    Attributes:
        parents: [I] int32, the sequence that leads to each information set; its own sequences are greater.
        firsts: [I + 1] int32, its first sequence, which is the end of the one before.
        actions: [Q] uint8, the action id of each sequence; of sequence 0, the empty one, 255.
    """

    parents: NDArray[np.int32]
    firsts: NDArray[np.int32]
    actions: NDArray[np.uint8]

    @property
    def sets(self) -> NDArray[np.int64]:
        """The information set of each sequence but the empty one: [Q - 1] int64."""
        return np.repeat(np.arange(len(self.parents)), np.diff(self.firsts))


@dataclass(frozen=True)
class Part:
    """A part of a game.

    Attributes:
        opening: The palette cards.
        sides: The choices of seat 0, who begins, and of seat 1.
        starts: [Q0 + 1] int64, where the row of each sequence of seat 0 begins in the next three.
        columns: [E] int32, the sequence of seat 1.
        utilities: [E] float64, what seat 0 wins with this pair, times its probability by chance.
        masses: [E] float64, that probability.
        deals: Number of deals, all equally likely.
        histories: Number of positions that can be reached, over all deals.
        ends: How many of them are ends.
        views: The view at each information set, for both seats; None if not asked for.
    """

    opening: Opening
    sides: tuple[Side, Side]
    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    utilities: NDArray[np.float64]
    masses: NDArray[np.float64]
    deals: int
    histories: int
    ends: int
    views: tuple[States, States] | None = None

    @cached_property
    def form(self) -> Form:
        """The same arrays as the kernels take them."""
        first, second = self.sides
        return Form(
            parents=(first.parents, second.parents),
            firsts=(first.firsts, second.firsts),
            starts=self.starts,
            columns=self.columns,
            utilities=self.utilities,
            masses=self.masses,
        )

    @property
    def bytes(self) -> int:
        """The memory that it takes, without the views."""
        arrays: list[NDArray[Any]] = [self.starts, self.columns, self.utilities, self.masses]
        for side in self.sides:
            arrays += [side.parents, side.firsts, side.actions]
        return sum(array.nbytes for array in arrays)


def openings(rules: Rules) -> list[Opening]:
    """Return the parts in which seat 0 begins, by their palette cards.

    Raises:
        RulesError: If it is no single round of two, or the deck is far too large.
    """
    if rules.players != 2 or rules.match:
        raise RulesError(f"rules: found {rules}, expected a single round of 2 players")
    left = rules.num_cards - 2
    deals = comb(left, rules.hand_size) * comb(left - rules.hand_size, rules.hand_size)
    if deals > _MOST_DEALS:
        raise RulesError(f"deck shape: found {rules} with {deals:.1e} deals a part, expected at most {_MOST_DEALS:.0e}")
    return list(combinations(rules.deck_cards, 2))


def parts(rules: Rules, *, views: bool = False) -> Iterator[Part]:
    """Yield all parts of a game, see ``part_of``."""
    return (part_of(rules, opening, views=views) for opening in openings(rules))


def part_of(rules: Rules, opening: Opening, *, views: bool = False) -> Part:
    """Enumerate one part of a game.

    Args:
        rules: A single round of two.
        opening: One of ``openings(rules)``.
        views: Whether to keep the view at each information set, about 300 bytes each.

    Raises:
        RulesError: If it is no such part, or too large to be held.
    """
    if opening not in openings(rules):
        raise RulesError(f"opening: found {opening}, expected two cards of {rules}, the lower first")
    template = blank_states(rules)
    template["palettes"][0, :2] = [word_of([card]) for card in opening]
    rest = [card for card in rules.deck_cards if card not in opening]
    hands = np.array([word_of(hand) for hand in combinations(rest, rules.hand_size)], np.uint64)
    path, room = new_path(_most_moves(rules) + 1), new_room(_FIRST_ROOM, views=views)
    deal = explore(template, hands, 0, path, room)
    while deal < len(hands) ** 2:
        if room.counts[ENDS] > _MOST_ENDS:
            raise RulesError(f"deck shape: found {rules} with over {_MOST_ENDS:.0e} ends a part, expected fewer")
        room = grown(room)
        deal = explore(template, hands, deal, path, room)
    return _packed(opening, room)


def _most_moves(rules: Rules) -> int:
    """Return a number of moves that no round exceeds.

    Let a card in a hand count 2 and one in the deck 1. A play or a discard takes away 2, of which a draw or an action
    that comes with it gives back at most 1, so there are at most as many of them as the cards count at first. Each is
    followed by at most two moves of other kinds, and one pass ends the round.
    """
    return 3 * 2 * rules.num_cards + 1


def _packed(opening: Opening, room: Room) -> Part:
    """Return what was enumerated, without the room that was not needed."""
    counts = room.counts
    pairs, order = np.unique(room.end_keys[: counts[ENDS]], return_inverse=True)
    chances = room.end_chances[: counts[ENDS]] / counts[DEALS]
    rows = (pairs >> np.uint64(32)).astype(np.int64)
    kept = [room.views[seat, : counts[SETS + seat]].copy() for seat in range(2)]
    return Part(
        opening=opening,
        sides=(_side(room, 0), _side(room, 1)),
        starts=np.searchsorted(rows, np.arange(counts[SEQUENCES] + 1)),
        columns=(pairs & np.uint64(0xFFFFFFFF)).astype(np.int32),
        utilities=np.bincount(order, chances, len(pairs)).astype(np.float64),
        masses=np.bincount(order, np.abs(chances), len(pairs)).astype(np.float64),
        deals=int(counts[DEALS]),
        histories=int(counts[HISTORIES]),
        ends=int(counts[ENDS]),
        views=(kept[0], kept[1]) if room.views.shape[1] else None,
    )


def _side(room: Room, seat: int) -> Side:
    sets, sequences = room.counts[SETS + seat], room.counts[SEQUENCES + seat]
    return Side(
        parents=room.parents[seat, :sets].copy(),
        firsts=np.append(room.firsts[seat, :sets], np.int32(sequences)),
        actions=room.actions[seat, :sequences].copy(),
    )
