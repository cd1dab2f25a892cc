"""The deal of a round, its score, and the way from round to round of a match."""

from red7_env.game.bits import ALL, BYTE, I64, ONE, STRIPE, U64, ZERO, bit_of, card_of, low_bit, popcount
from red7_env.game.jit import helper, inlined
from red7_env.game.keys import RED, best_set, keys_after, keys_of, points_of
from red7_env.game.state import MATCH_OVER, NOBODY, PILE_SIZE, UNKNOWN, State, seats_of
from red7_env.game.streams import shuffle
from red7_env.game.turn import begin_turn


@inlined
def all_cards(state: State) -> U64:
    """Return the set of all cards of the deck's shape: the highest colours, the lowest numbers."""
    colours = (BYTE << U64(7 - state.colours)) & BYTE
    numbers = STRIPE & ((ONE << U64(8 * state.numbers)) - ONE)
    return numbers * colours


@helper
def scored_cards(state: State) -> U64:
    """Return the set of all cards put aside in earlier rounds of the match."""
    cards = ZERO
    for seat in range(seats_of(state)):
        cards |= state.scored[seat]
    return cards


@inlined
def _first_player(state: State) -> int:
    """Return the seat after the owner of the highest palette card."""
    best, owner = ZERO, 0
    for seat in range(seats_of(state)):
        if state.palettes[seat] > best:
            best, owner = state.palettes[seat], seat
    return 0 if owner + 1 == state.players else owner + 1


@inlined
def weigh(state: State) -> None:
    """Compute the keys of every palette that is in."""
    for seat in range(seats_of(state)):
        low, high = ZERO, ZERO
        if state.seats_in >> seat & 1:
            low, high = keys_of(state.palettes[seat])
        state.keys[seat, 0], state.keys[seat, 1] = low, high


@helper
def start_round(state: State) -> None:
    """Begin the round whose cards lie in hands, palettes and deck."""
    state.seats_in = (1 << state.players) - 1
    state.canvas_size = 0
    state.deck_known = 0
    state.rule = RED
    state.winner = NOBODY
    state.winners = 0
    state.turn = 0
    for seat in range(seats_of(state)):
        state.known[seat] = ZERO
        palette = state.palettes[seat]  # of one card
        state.keys[seat, 0], state.keys[seat, 1] = keys_after(ZERO, palette, low_bit(palette))
    begin_turn(state, _first_player(state))


@inlined
def _gather_cards(state: State) -> int:
    """Lay all cards that nobody has scored into the back of the pile, in order; return where they begin."""
    left = all_cards(state) & ~scored_cards(state)
    if left == ALL:
        for card in range(PILE_SIZE):
            state.pile[card] = card
        return 0
    first = PILE_SIZE - I64(popcount(left))
    for empty in range(first):
        state.pile[empty] = UNKNOWN
    for place in range(first, PILE_SIZE):
        state.pile[place] = card_of(low_bit(left))
        left &= left - ONE
    return first


@helper
def deal_round(state: State) -> None:
    """Shuffle all cards that nobody has scored, deal them and begin the round.

    The shuffled cards go out in order: a hand to each seat, then a palette card to each, and the rest is the deck.
    """
    place = _gather_cards(state)
    state.rng = shuffle(state.pile, place, PILE_SIZE, state.rng)
    for seat in range(seats_of(state)):
        hand = ZERO
        for _ in range(state.hand_size):
            hand |= bit_of(state.pile[U64(place)])
            state.pile[U64(place)] = UNKNOWN
            place += 1
        state.hands[seat] = hand
        state.hand_sizes[seat] = state.hand_size
    for seat in range(seats_of(state)):
        state.palettes[seat] = bit_of(state.pile[U64(place)])
        state.pile[U64(place)] = UNKNOWN
        place += 1
    state.deck_size = PILE_SIZE - place
    start_round(state)


@inlined
def best_set_of(state: State, seat: int) -> U64:
    """Return the cards of a seat that count under the rule in force."""
    return best_set(state.palettes[seat], I64(state.rule))


@inlined
def final_points_of(state: State, seat: int) -> int:
    """Return a seat's points: of a match those it has put aside so far, of an advanced round the winner's best set."""
    if state.match:
        return points_of(state.scored[seat])
    if state.draws and seat == state.winner:
        return points_of(best_set_of(state, seat))
    return 0


@helper
def _winners(state: State) -> int:
    """Return the seats with the most points, as bits."""
    best, seats = -1, 0
    for seat in range(seats_of(state)):
        points = points_of(state.scored[seat])
        if points > best:
            best, seats = points, 0
        if points == best:
            seats |= 1 << seat
    return seats


@helper
def score_round(state: State) -> bool:
    """Put the round winner's best set aside; return whether that ends the match."""
    state.scored[state.winner] |= best_set_of(state, I64(state.winner))
    state.round += 1
    left = popcount(all_cards(state) & ~scored_cards(state))
    reached = False
    for seat in range(seats_of(state)):
        reached |= points_of(state.scored[seat]) >= state.target
    if not reached and left >= U64(state.players * (state.hand_size + 1)):
        return False
    state.winners = _winners(state)
    state.phase = MATCH_OVER
    return True


@helper
def next_round(state: State) -> None:
    """Score a finished round of a match, then deal the next one or end the match."""
    if not score_round(state):
        deal_round(state)
