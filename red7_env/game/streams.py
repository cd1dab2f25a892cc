"""Random streams: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), one of its own for every game.

Game ``k`` of seed ``s`` starts at a state hashed from both, so it is the same game in a batch of one or a million, and
neighbouring seeds or games share nothing. Worlds that fit a view and random moves have streams of their own, or a
world drawn with the seed of the deal would resemble the hidden truth. Every use draws whole 64-bit words; bounded
numbers use the product method without rejection, several to a word, whose bias stays below 1e-9.
"""

import numpy as np

from red7_env.game.bits import U64, high_product
from red7_env.game.jit import inlined

_STEP = U64(0x9E3779B97F4A7C15)
_MIX_1 = U64(0xBF58476D1CE4E5B9)
_MIX_2 = U64(0x94D049BB133111EB)
# Odd, and unlike _STEP: games one apart must not run through the same words one step apart.
_GAME_STEP = U64(0xD1342543DE82EF95)
_WORLDS = U64(0x8CB92BA72F3D8DD7)
_MOVES = U64(0xA0761D6478BD642F)


@inlined
def mixed(word: U64) -> U64:
    """Return SplitMix64's output function of a word, a bijection."""
    word = (word ^ (word >> U64(30))) * _MIX_1
    word = (word ^ (word >> U64(27))) * _MIX_2
    return word ^ (word >> U64(31))


@inlined
def stream_start(seed: U64, index: U64) -> U64:
    """Return the generator state from which game ``index`` of ``seed`` is dealt."""
    return mixed(mixed(seed + _STEP) + index * _GAME_STEP)


@inlined
def world_stream_start(seed: U64, index: U64) -> U64:
    """Return the generator state from which world ``index`` of ``seed`` is drawn, unlike any deal's of that seed."""
    return stream_start(mixed(seed ^ _WORLDS), index)


@inlined
def move_stream_start(seed: U64, index: U64) -> U64:
    """Return the generator state of the random moves in game ``index`` of ``seed``, unlike any deal's of that seed."""
    return stream_start(mixed(seed ^ _MOVES), index)


@inlined
def advanced(state: U64) -> U64:
    """Return the state after one word; the word itself is ``mixed`` of it."""
    return state + _STEP


@inlined
def below(word: U64, bound: U64) -> U64:
    """Return a number in ``0 .. bound - 1`` from one random word."""
    return high_product(word, bound)


@inlined
def shuffle(cards: np.ndarray, first: int, last: int, state: U64) -> U64:
    """Shuffle ``cards[first:last]`` in place (Fisher-Yates) and return the generator's new state."""
    word = U64(0)
    left = 0
    # Indices are unsigned here: for signed ones the compiled code looks each time whether they are negative.
    for place in range(first, last - 1):
        if left == 0:
            state = advanced(state)
            word = mixed(state)
            left = 6
        bound = U64(last - place)
        other = U64(place) + high_product(word, bound)
        # The low half of the product is as good as a fresh word, for a few small bounds.
        word *= bound
        left -= 1
        card = cards[U64(place)]
        cards[U64(place)] = cards[other]
        cards[other] = card
    return state
