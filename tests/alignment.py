"""Play the same random games in the compiled engine and in the slow reference, and compare them move by move."""

import random
from collections.abc import Iterator
from itertools import product

from red7_env.game import Game, Position, Rules, Seat, parse_position
from red7_env.game.bits import cards_of
from red7_env.game.cards import cards_text
from tests.reference import Reference

SHAPES = ((7, 7, 7), (3, 4, 2), (2, 7, 3), (7, 3, 4), (5, 5, 1), (7, 7, 5))
EDITIONS = (None, "revised", "first")
FORMS = (("basic", False), ("advanced", False), ("advanced", True))


def all_rules() -> Iterator[Rules]:
    """Yield every variant x edition x players x single or match x deck shape that is possible."""
    for (variant, match), actions, players, shape in product(FORMS, EDITIONS, (2, 3, 4), SHAPES):
        colours, numbers, hand = shape
        if players * (hand + 1) <= colours * numbers:
            yield Rules(players=players, variant=variant, actions=actions, match=match, deck=shape)


def dealt_order(text: str) -> list[str]:
    """Return the order of cards that deals a position: hands, palettes, deck."""
    position = parse_position(text)
    seats = [seat for seat in position.seats if seat is not None]
    hands = [card for seat in seats for card in seat.hand]
    palettes = [card for seat in seats for card in seat.palette]
    return split_cards([*hands, *palettes, *position.deck])


def split_cards(cards: list[int]) -> list[str]:
    """Return the written cards of some ids."""
    return [cards_text([card]) for card in cards]


def assert_alike(game: Game, slow: Reference) -> None:
    """Compare all that both engines say of where a game stands."""
    state = game.state[0]
    assert game.moves() == ([] if slow.round_over else slow.offered()), repr(game)
    assert game.to_move == slow.to_move, repr(game)
    assert game.leader == slow.leader(), repr(game)
    for seat in range(game.rules.players):
        word = int(state["known"][seat])
        assert set(split_cards(cards_of(word))) == slow.known_in_hand(seat), repr(game)
        if state["seats_in"] >> seat & 1:
            assert split_cards(game.best_set(seat)) == slow.best_set(seat), repr(game)
    top = 49 - int(state["deck_size"])
    known = state["pile"][top : top + int(state["deck_known"])].tolist()
    assert split_cards(known) == slow.known_on_deck(), repr(game)
    if not game.turn:
        assert game.position == slow.position(), repr(game)


def play_round(game: Game, slow: Reference, chance: random.Random) -> int:
    """Play one round in both; return the number of moves."""
    assert_alike(game, slow)
    moves = 0
    # Voluntary passes end random games early, so most games leave them out.
    keep_passes = chance.random() < 0.2
    while not game.round_over:
        offered = game.moves()
        choices = offered if keep_passes else [move for move in offered if move != "#"] or offered
        move = chance.choice(choices)
        game.play(move)
        slow.play(move)
        assert_alike(game, slow)
        moves += 1
    assert game.winner == slow.winner
    return moves


def random_position(chance: random.Random) -> str:
    """Return a position that need not come up in any game: any cards in any hands, palettes, canvas and deck."""
    variant, match = chance.choice(FORMS)
    players, shape = chance.choice((2, 3, 4)), chance.choice(SHAPES)
    if players * (shape[2] + 1) > shape[0] * shape[1]:
        shape = (7, 7, 7)
    rules = Rules(players=players, variant=variant, actions=chance.choice(EDITIONS), match=match, deck=shape)
    cards = chance.sample(rules.deck_cards, rules.num_cards)
    seats_in = sorted(chance.sample(range(players), chance.randint(1, players)))
    palettes = {seat: [cards.pop()] for seat in seats_in}
    hands: dict[int, list[int]] = {seat: [] for seat in seats_in}
    scored: list[list[int]] = [[] for _ in range(players)]
    canvas, deck, gone = [], [], []
    piles = [canvas, deck, gone, *hands.values(), *palettes.values(), *(scored if match else [])]
    # Each pile has a weight, so that empty, small and huge ones all come up.
    weights = [chance.choice((0, 0.1, 1, 1, 4)) for _ in piles]
    for card in cards:
        chance.choices(piles, weights if any(weights) else None)[0].append(card)
    return str(
        Position(
            rules=rules,
            canvas=canvas,
            seats=[Seat(hands[seat], palettes[seat]) if seat in seats_in else None for seat in range(players)],
            to_move=chance.choice(seats_in),
            deck=deck,
            scored=scored if match else None,
        )
    )


def play_position(text: str, chance: random.Random) -> int:
    """Play from any position into the next round, in both engines; return the number of moves."""
    game, slow = Game.from_position(text), Reference.from_position(text)
    assert game.position == slow.position() == text
    moves = play_round(game, slow, chance)
    assert game.scores == slow.scores, repr(game)
    if game.rules.match:
        game.next_round()
        slow.next_round(None if game.over else dealt_order(game.position))
        assert (game.over, game.scores, game.winners) == (slow.match_over, slow.scores, slow.winners), repr(game)
        assert_alike(game, slow)
    return moves


def play_game(rules: Rules, seed: int, index: int) -> tuple[int, int]:
    """Play a random game by both engines, matches included; return the numbers of rounds and moves."""
    chance = random.Random(f"{rules} {seed} {index}")
    game = Game.deal(rules, seed, index)
    slow = Reference.deal(rules.field, rules.players, rules.match, dealt_order(game.position))
    rounds, moves = 1, play_round(game, slow, chance)
    while rules.match:
        game.next_round()
        if game.over:
            slow.next_round()
            break
        slow.next_round(dealt_order(game.position))
        rounds += 1
        moves += play_round(game, slow, chance)
    assert game.scores == slow.scores, repr(game)
    assert game.winners == slow.winners, repr(game)
    assert slow.match_over == rules.match, repr(game)
    return rounds, moves
