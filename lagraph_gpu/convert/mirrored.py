"""Whether a matrix is its own transpose, from its entries in any order and in little memory.

Every entry above the diagonal becomes a number, drawn by a random function of row, column and
value, and every entry below it the number of its mirror image. The sums modulo 2⁶⁴ are equal if the
matrix is symmetric. If not, they differ but for one in 2⁶⁴ functions, and who wrote the matrix does
not know the function. O(m), in a block of memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.errors import InvalidValue

WORDS = 1 << 15
"""How many entries are mixed at once: few enough for the cache of a processor."""


def drawn_keys() -> np.ndarray:
    """A random function for `mirrored`."""
    return np.frombuffer(os.urandom(32), np.uint64) | np.uint64(1)


def expect_mirrored(above: np.uint64, below: np.uint64) -> None:
    """Raise InvalidValue if the sums above and below the diagonal differ."""
    if above != below:
        raise InvalidValue("expected the rows of an undirected graph to be symmetric")


def mirrored(entries: Iterable[Rows], keys: np.ndarray, wide: bool = False) -> np.ndarray:
    """The sum above the diagonal, the sum below it, and the number of entries on it (UINT64). Ids
    have 32 bits, or 64 if they are `wide`."""
    above = below = loops = np.uint64(0)
    with np.errstate(over="ignore"):
        for row, column, value in (part for some in entries for part in parts(some)):
            low, high = np.minimum(row, column), np.maximum(row, column)
            low, high = low.astype(np.uint64), high.astype(np.uint64)
            low = mixed(low, keys) if wide else low << np.uint64(32)
            number = mixed(mixed(low ^ high, keys) ^ bits(value), keys[2:])
            above += number[row < column].sum(dtype=np.uint64)
            below += number[row > column].sum(dtype=np.uint64)
            loops += (row == column).sum(dtype=np.uint64)
    return np.array([above, below, loops])


def parts(entries: Rows) -> Iterator[Rows]:
    """Some entries, with a value each or one value for all, as many at a time as are mixed at
    once."""
    row, column, value = entries
    for some in (slice(begin, begin + WORDS) for begin in range(0, row.size, WORDS)):
        yield row[some], column[some], value[some] if value.size == row.size else value


def mixed(word: np.ndarray, keys: np.ndarray) -> np.ndarray:
    word = word * keys[0]
    word ^= word >> np.uint64(32)
    word *= keys[1]
    return word ^ word >> np.uint64(29)


def bits(value: np.ndarray) -> np.ndarray:
    """Values as words, equal for equal values."""
    value = value + value.dtype.type(0) if value.dtype.kind == "f" else value  # no -0.0
    return value.view(f"u{value.itemsize}").astype(np.uint64)


def blocks(rows: Rows) -> Iterator[Rows]:
    """The rows, columns and values of the entries, in blocks."""
    for begin in range(0, rows[1].size, WORDS):
        yield block(rows, begin, min(begin + WORDS, rows[1].size))


def block(rows: Rows, begin: int, end: int) -> Rows:
    """The row, the column and the value of these entries; one value if there is one for all."""
    indptr, indices, values = rows
    first = int(np.searchsorted(indptr, begin, "right")) - 1
    last = int(np.searchsorted(indptr, end, "left"))
    count = np.diff(indptr[first : last + 1].clip(begin, end))
    row = np.repeat(np.arange(first, last, dtype=np.int64), count)
    part = values[begin:end] if values.size == indices.size else values[:1]
    return row, indices[begin:end], part
