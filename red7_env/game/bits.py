"""Card sets as 64-bit words, and the few machine instructions that make them fast.

Bit ``8 * (number - 1) + colour`` stands for a card: one byte a number, so that a colour is a stripe of bits, a number
is a byte, and a higher card is a higher bit. Card id ``i`` (0-48, see ``cards``) is bit ``i + i // 7``. The top bit of
each byte and the whole last byte stay clear.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from red7_env.game.jit import inlined

U64 = np.uint64
if TYPE_CHECKING:
    I64 = int  # a signed index in compiled code; for a type checker simply a number
else:
    I64 = np.int64
ZERO, ONE, SEVEN, EIGHT = U64(0), U64(1), U64(7), U64(8)
STRIPE = U64(0x0001010101010101)
"""Violet's bit of every number; times a set of colours it is all cards of those colours."""
BYTE = U64(0x7F)
ALL = STRIPE * BYTE
EVERY_BYTE = U64(0x0101010101010101)
_BYTE_SIGNS = U64(0x8080808080808080)
_NUMBERS_UP = U64(0x007F7F7F7F7F7F7F)
_GATHER_BYTES = U64(sum(1 << (56 - 7 * byte) for byte in range(7)))
_SPREAD_BITS = U64(sum(1 << (7 * bit) for bit in range(7)))


def word_of(cards: Any) -> int:
    """Return the 64-bit set of the given card ids, outside compiled code."""
    return sum(1 << (card + card // 7) for card in cards)


def cards_of(word: int) -> list[int]:
    """Return the card ids of a 64-bit set, highest first, outside compiled code."""
    word = int(word)
    return [bit - bit // 8 for bit in range(55, -1, -1) if word >> bit & 1]


def points_of_word(word: int) -> int:
    """Return the sum of the numbers of a 64-bit set, outside compiled code."""
    return sum(card // 7 + 1 for card in cards_of(word))


if TYPE_CHECKING:
    # What the intrinsics below mean, for readers and type checkers.
    def popcount(word: U64) -> U64: ...
    def top_bit(word: U64) -> U64: ...
    def low_bit(word: U64) -> U64: ...
    def high_product(left: U64, right: U64) -> U64: ...
    def store_8(buffer: Any, offset: int, word: U64) -> None: ...
else:

    @intrinsic
    def popcount(typingctx, word):
        """Return the number of bits set."""
        return types.uint64(types.uint64), lambda context, builder, sig, args: builder.ctpop(args[0])

    @intrinsic
    def top_bit(typingctx, word):
        """Return the index of the highest bit set; 2**64 - 1 (minus one) for an empty word."""

        def codegen(context, builder, sig, args):
            flag = context.get_constant(types.boolean, False)
            zeros = builder.ctlz(args[0], flag)
            return builder.sub(context.get_constant(types.uint64, 63), zeros)

        return types.uint64(types.uint64), codegen

    @intrinsic
    def low_bit(typingctx, word):
        """Return the index of the lowest bit set; 64 for an empty word."""

        def codegen(context, builder, sig, args):
            return builder.cttz(args[0], context.get_constant(types.boolean, False))

        return types.uint64(types.uint64), codegen

    @intrinsic
    def high_product(typingctx, left, right):
        """Return the upper 64 bits of the 128-bit product."""

        def codegen(context, builder, sig, args):
            wide = [builder.zext(arg, _I128) for arg in args]
            upper = builder.lshr(builder.mul(*wide), _I128(64))
            return builder.trunc(upper, _I64)

        from llvmlite import ir

        _I128, _I64 = ir.IntType(128), ir.IntType(64)
        return types.uint64(types.uint64, types.uint64), codegen

    @intrinsic
    def store_8(typingctx, buffer, offset, word):
        """Store the word's eight bytes at ``buffer[offset:offset + 8]``, at any alignment, unchecked."""

        def codegen(context, builder, sig, args):
            from llvmlite import ir
            from numba.core import cgutils

            array = context.make_array(sig.args[0])(context, builder, args[0])
            place = cgutils.gep_inbounds(builder, array.data, args[1])
            word_pointer = builder.bitcast(place, ir.IntType(64).as_pointer())
            builder.store(args[2], word_pointer, align=1)
            return context.get_dummy_value()

        return types.void(buffer, types.intp, types.uint64), codegen


# One entry for each byte, so that no byte of a pile leads out of the table.
_SETS_OF_ONE = np.array([1 << (card + card // 7) if card < 49 else 0 for card in range(256)], np.uint64)


@inlined
def bit_of(card: int) -> U64:
    """Return the one-card set of a card id; of UNKNOWN the empty set."""
    return _SETS_OF_ONE[U64(card)]


@inlined
def number_of(card: int) -> U64:
    """Return a card id's number less one: ``card // 7``, in fewer instructions than a signed division takes."""
    return (U64(card) * U64(37)) >> EIGHT


@inlined
def index_of(card: int) -> U64:
    """Return the bit index of a card id."""
    return U64(card) + number_of(card)


@inlined
def card_of(bit: U64) -> int:
    """Return the card id at a bit index."""
    return I64(bit - (bit >> U64(3)))


@inlined
def colours_of(word: U64) -> U64:
    """Return the seven-bit set of colours (bit 0 violet .. bit 6 red) in a card set."""
    word |= word >> U64(32)
    word |= word >> U64(16)
    return (word | word >> EIGHT) & BYTE


@inlined
def colours_held_twice(word: U64) -> U64:
    """Return the seven-bit set of colours of which a card set has two cards or more."""
    twice = word & (word >> U64(32))
    word |= word >> U64(32)
    twice |= twice >> U64(16) | word & (word >> U64(16))
    word |= word >> U64(16)
    return (twice | twice >> EIGHT | word & (word >> EIGHT)) & BYTE


@inlined
def numbers_of(word: U64) -> U64:
    """Return the seven-bit set of numbers (bit 0 for 1 .. bit 6 for 7) in a card set."""
    # Adding 0x7f sets a byte's top bit exactly where the byte is not empty; the product gathers these bits.
    flags = ((word + _NUMBERS_UP) >> SEVEN) & STRIPE
    return (flags * _GATHER_BYTES) >> U64(56)


@inlined
def spread(seven: U64) -> U64:
    """Return seven bits as seven bytes of 0 or 1, the lowest bit in the lowest byte."""
    return (seven * _SPREAD_BITS) & STRIPE


@inlined
def popcount_bytes(word: U64) -> U64:
    """Return the number of bits set in each byte, in that byte."""
    word -= (word >> ONE) & U64(0x5555555555555555)
    word = (word & U64(0x3333333333333333)) + ((word >> U64(2)) & U64(0x3333333333333333))
    return (word + (word >> U64(4))) & U64(0x0F0F0F0F0F0F0F0F)


@inlined
def transposed(word: U64) -> U64:
    """Return a card set with numbers and colours exchanged: one byte a colour (Warren, Hacker's Delight, 7-3)."""
    swapped = (word ^ (word >> SEVEN)) & U64(0x00AA00AA00AA00AA)
    word ^= swapped ^ (swapped << SEVEN)
    swapped = (word ^ (word >> U64(14))) & U64(0x0000CCCC0000CCCC)
    word ^= swapped ^ (swapped << U64(14))
    swapped = (word ^ (word >> U64(28))) & U64(0x00000000F0F0F0F0)
    return word ^ swapped ^ (swapped << U64(28))


@inlined
def nth_bit_portable(word: U64, n: U64) -> U64:
    """Do what ``nth_bit`` does on any processor."""
    # Cards counted byte by byte, then summed up over the bytes below by one product.
    sums = popcount_bytes(word) * EVERY_BYTE
    # The bytes whose running sum does not exceed n lie wholly below the bit that is sought.
    below = (((n * EVERY_BYTE) | _BYTE_SIGNS) - sums) & _BYTE_SIGNS
    first = popcount(below) << U64(3)
    rest = (word >> first) & BYTE
    n -= (sums << EIGHT >> first) & U64(0xFF)
    while n > ZERO:
        rest &= rest - ONE
        n -= ONE
    return first + low_bit(rest)


def _deposits_bits(codegen: Any) -> bool:
    """Tell whether the processor that code is made for has a fast ``pdep``; the first two Zens take 18 steps a bit."""
    _, processor, features = codegen.magic_tuple()
    return "+bmi2" in features.split(",") and processor not in {"znver1", "znver2"}


if TYPE_CHECKING:

    def nth_bit(word: U64, n: U64) -> U64: ...
else:

    @intrinsic
    def nth_bit(typingctx, word, n):
        """Return the index of the bit with ``n`` lower set bits below it, one of the first 56."""

        def codegen(context, builder, sig, args):
            if not _deposits_bits(context.codegen()):
                return context.compile_internal(builder, nth_bit_portable.py_func, sig, args)
            from llvmlite import ir

            i64 = ir.IntType(64)
            deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(i64, [i64, i64]))
            bit = builder.call(deposit, [builder.shl(i64(1), args[1]), args[0]])
            return builder.cttz(bit, context.get_constant(types.boolean, False))

        return types.uint64(types.uint64, types.uint64), codegen
