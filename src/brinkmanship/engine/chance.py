"""Random number generators (xorshift128) for compiled and interpreted code.

A generator is an array of four 32-bit words held in int64 (Marsaglia's xorshift128, "Xorshift RNGs", 2003): only
shifts and exclusive ors, so that the interpreted run needs no wrapping multiplication and gives the same numbers. It
is used for playouts and samples, never for a game between people: those use the operating system's randomness.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from brinkmanship.engine.jit.compile import compiled

RANDOM = types.Array(types.int64, 1, "C")
"""The compiled type of a generator: int64[4], each word in 0..2^32-1, not all zero."""

Random = npt.NDArray[np.int64]

_WORD = 0xFFFFFFFF


def generators(seed: int, first: int, count: int) -> Random:
    """Return the generators number `first` .. `first + count - 1` of a seed: int64[count, 4], mutually independent.

    Each is seeded by splitmix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014) from the
    seed and its own number, so the result does not depend on how the range is split.
    """
    start = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    counters = np.arange(2 * first, 2 * (first + count), dtype=np.uint64)
    bits = start + (counters + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    bits ^= bits >> np.uint64(31)
    words = bits.view(np.uint32).reshape(count, 4).astype(np.int64)
    words[:, 0] |= 1
    return words


def generator(seed: int, number: int = 0) -> Random:
    """Return one generator of a seed: int64[4]."""
    return generators(seed, number, 1)[0]


@compiled(types.int64, RANDOM, types.int64)
def below(random: Random, count: int) -> int:
    """Return a random number in 0..count-1, for count up to 2^31; the bias is below count / 2^32."""
    t = random[0] ^ ((random[0] << 11) & _WORD)
    random[0] = random[1]
    random[1] = random[2]
    random[2] = random[3]
    random[3] = random[3] ^ (random[3] >> 19) ^ t ^ (t >> 8)
    return (random[3] * count) >> 32
