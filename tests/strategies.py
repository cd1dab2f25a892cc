"""Hypothesis strategies for what the text forms are made of."""

from hypothesis import strategies as st

from red7_env.game import Game
from red7_env.game.notation import Position, Seat
from red7_env.game.rules import Rules


@st.composite
def rules(draw) -> Rules:
    """Any rules that exist, of the full deck half of the time."""
    players = draw(st.integers(2, 4))
    variant = draw(st.sampled_from(["basic", "advanced"]))
    shapes = [(c, n) for c in range(1, 8) for n in range(1, 8) if c * n >= 2 * players]
    colours, numbers = draw(st.sampled_from(shapes))
    hand = draw(st.integers(1, colours * numbers // players - 1))
    return Rules(
        players=players,
        variant=variant,
        actions=draw(st.sampled_from([None, "revised", "first"])),
        match=variant == "advanced" and draw(st.booleans()),
        deck=draw(st.sampled_from([(7, 7, 7), (colours, numbers, hand)])),
    )


@st.composite
def positions(draw) -> Position:
    """Any position, of any number of seats that are in; cards that lie nowhere are with seats that are out."""
    played = draw(rules())
    seats_in = draw(st.sets(st.integers(0, played.players - 1), min_size=1))
    cards = draw(st.permutations(played.deck_cards))
    places = ["canvas", "deck", "gone"]
    places += [f"{place}{seat}" for seat in sorted(seats_in) for place in ("hand", "palette")]
    places += [f"scored{seat}" for seat in range(played.players) if played.match]
    piles = {place: [] for place in places} | {f"palette{seat}": [cards.pop()] for seat in seats_in}
    for card in cards:
        piles[draw(st.sampled_from(places))].append(card)
    return Position(
        rules=played,
        canvas=piles["canvas"],
        seats=[
            Seat(piles[f"hand{seat}"], piles[f"palette{seat}"]) if seat in seats_in else None
            for seat in range(played.players)
        ],
        to_move=draw(st.sampled_from(sorted(seats_in))),
        deck=piles["deck"],
        scored=[piles[f"scored{seat}"] for seat in range(played.players)] if played.match else None,
    )


@st.composite
def games(draw) -> Game:
    """Any game from its deal on, also within a turn, between the rounds of a match and at its end."""
    game = Game.deal(draw(rules()), draw(st.integers(0, 2**64 - 1)), draw(st.integers(0, 9)))
    for choice in draw(st.lists(st.integers(0, 1000), max_size=60)):
        if game.over:
            break
        if game.round_over:
            game.next_round()
            continue
        moves = game.moves()
        if choice % 20:  # a pass at random ends most rounds early
            moves = [move for move in moves if move != "#"] or moves
        game.play(moves[choice % len(moves)])
    return game
