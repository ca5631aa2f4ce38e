"""Random numbers and random permutations that are functions of a counter, in exact 64-bit integers.

Sources: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014
(splitmix64); Black and Rogaway, Ciphers with arbitrary finite domains, CT-RSA 2002 (cycle walking).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
Pair = tuple[I64, I64]

GOLDEN = 0x9E3779B97F4A7C15
MASK = 2**64 - 1


def mix(state: U64) -> U64:
    """The output function of splitmix64, a bijection of 64-bit numbers. It works in place."""
    state ^= state >> np.uint64(30)
    state *= np.uint64(0xBF58476D1CE4E5B9)
    state ^= state >> np.uint64(27)
    state *= np.uint64(0x94D049BB133111EB)
    state ^= state >> np.uint64(31)
    return state


def key_of(*parts: int) -> int:
    """One 64-bit key made from several integers by the same function."""
    key = 0
    for part in parts:
        state = np.array([(key + (part & MASK) * GOLDEN + GOLDEN) & MASK], np.uint64)
        key = int(mix(state)[0])
    return key


def hashes(key: int, counter: U64) -> U64:
    """A random 64-bit number for each counter. Different counters have different numbers."""
    return mix(counter * np.uint64(GOLDEN) + np.uint64(key))


def permutation(n: int, begin: int, end: int, seed: int = 1) -> I64:
    """The values from number `begin` to `end` of a random permutation of range(n).

    >>> permutation(8, 0, 8).tolist(), permutation(8, 3, 5).tolist()
    ([1, 7, 6, 2, 0, 5, 3, 4], [2, 0])
    """
    return permuted(np.arange(begin, min(end, n), dtype=np.uint64), n, seed).view(np.int64)


def permuted(counter: U64, size: int, seed: int) -> U64:
    """A random permutation of range(size), evaluated at `counter`. The size must be below 2^62."""
    half = max(1, ((size - 1).bit_length() + 1) // 2)
    shift, mask = np.uint64(half), np.uint64((1 << half) - 1)
    keys = _round_keys(seed)
    value = counter.copy()
    walking = np.arange(counter.size)
    while walking.size:
        left, right = _rounds(keys, value[walking] >> shift, value[walking] & mask, mask)
        value[walking] = (left << shift) | right
        walking = walking[value[walking] >= np.uint64(size)]
    return value


def permuted_pairs(u: I64, v: I64, n: int, directed: bool, seed: int) -> Pair:
    """A random permutation of all pairs u != v of vertices, or of those with u < v, evaluated at
    these. They may be more than 64 bits number: u and v are the halves of the Feistel network."""
    mask, keys = np.uint64((1 << (n - 1).bit_length()) - 1), _round_keys(seed)
    u, v = u.copy(), v.copy()
    walking = np.arange(u.size)
    while walking.size:
        halves = u[walking].view(np.uint64), v[walking].view(np.uint64)
        left, right = (half.view(np.int64) for half in _rounds(keys, *halves, mask))
        u[walking], v[walking] = left, right
        edges = (left != right if directed else left < right) & (left < n) & (right < n)
        walking = walking[~edges]
    return u, v


def _round_keys(seed: int) -> list[int]:
    return [key_of(seed, 3, i) for i in range(6)]


def _rounds(keys: list[int], left: U64, right: U64, mask: np.uint64) -> tuple[U64, U64]:
    """The rounds of a Feistel network, on halves of the bits of the mask."""
    for key in keys:
        left, right = right, left ^ (hashes(key, right) & mask)
    return left, right


def directed_pair(pair: I64, n: int) -> Pair:
    """The pair (u, v) with u != v of each number."""
    u, v = np.divmod(pair, n - 1)
    return u, v + (v >= u)


def undirected_pair(pair: I64, n: int) -> Pair:
    """The pair (u, v) with u < v of each number: the triangle above the diagonal, as a rectangle.

    With an odd width w = n or n - 1, the rows r and w - 1 - r of the triangle together fill one row
    of the rectangle, so no square root is needed.
    """
    if n % 2:
        row, column = np.divmod(pair, n)
        upper = column > row
        return np.where(upper, row, n - 2 - row), np.where(upper, column, n - 1 - column)
    row, column = np.divmod(pair, n - 1)
    upper = column >= row
    return np.where(upper, row, n - 1 - row), np.where(upper, column + 1, n - 1 - column)
