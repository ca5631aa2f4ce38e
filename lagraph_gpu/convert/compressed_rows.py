"""Compressed rows on the host: how they are checked, and when they are taken.

All of it is NumPy, O(m) for m entries, and O(m log m) where they have to be sorted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from lagraph_gpu.convert.ids import check_size, coordinates
from lagraph_gpu.convert.values import array_type, on_host, typed_values
from lagraph_gpu.errors import (
    IndexOutOfBound,
    InvalidObject,
    InvalidValue,
    OutsideShape,
    UnsortedRows,
)
from lagraph_gpu.memory import expect_room

BLOCK = 1 << 20
"""How many ids are looked at at once where they are looked at in blocks."""

ROWS_PER_LISTED_ROW = 16
"""Where fewer than one row in so many has an entry, only those rows are listed."""

MOST_KEPT_AS_ARRAYS = 1 << 16
"""A matrix of at most so many coordinates is arrays on a CPU until a statement needs a store of
SuiteSparse: many are read by loops alone. Larger arrays would be copied twice for a statement."""

LISTING_HELPS = "to_coo and to_dcsr list only rows that have entries"
"""What to do where compressed rows would take too much memory."""


def kept_as_arrays(count: int, dtype: np.dtype) -> bool:
    """Whether a matrix of so many coordinates is arrays on a CPU until a statement asks for
    more."""
    return count <= MOST_KEPT_AS_ARRAYS and dtype.kind in "biuf"


def expect_offsets(begins: Any, count: int, names: tuple[str, str]) -> None:
    """Check offsets, on the host or of CuPy: they run from 0 to `count` and never fall.

    They are compared, because differences of numbers that are far apart wrap around.
    """
    line, across = names
    flat = len(begins.shape) == 1 and begins.size > 0
    if not flat or int(begins[0]) != 0 or int(begins[-1]) != count:
        came = f"{begins[0]} to {begins[-1]}" if flat else f"shape {begins.shape}"
        raise InvalidObject(
            f"expected indptr to run from 0 to {count}, the number of {across} ids, got {came}; "
            "correct it, or give as many ids"
        )
    falls = begins[1:] < begins[:-1]
    if falls.any():
        at = int(falls.argmax())
        raise InvalidObject(
            f"expected indptr to be non-decreasing, got {begins[at]} and then {begins[at + 1]} at "
            f"position {at + 1}; it says where each {line} begins"
        )


@contextmanager
def within_shape() -> Iterator[None]:
    """Raise OutsideShape where compressed rows or dicts have an id outside of their shape."""
    try:
        yield
    except IndexOutOfBound as problem:
        raise OutsideShape(str(problem)) from None


def expect_inside(ids: Any, width: int, across: str) -> None:
    """Check that signed ids, on the host or of CuPy, are from 0 to `width` - 1."""
    if ids.size == 0:
        return
    unsigned = ids.view(f"u{ids.dtype.itemsize}")  # where what is negative is too large as well
    if int(unsigned.max()) >= width:
        at = int(unsigned.argmax())
        raise OutsideShape(
            f"expected {across} ids from 0 to {width - 1}, got {int(ids[at])} at position {at}"
        )


def expect_increasing(begins: np.ndarray, ids: np.ndarray, names: tuple[str, str]) -> None:
    """Check that ids increase within each row. The offsets have been checked.

    Ids may fall only where a row begins. It takes a block of memory, however many ids there are.
    """
    line, across = names
    for first in range(1, ids.size, BLOCK):
        part = ids[first - 1 : first + BLOCK]
        falls = first + np.flatnonzero(part[1:] <= part[:-1])
        if (begins[np.searchsorted(begins, falls)] != falls).any():
            raise UnsortedRows(
                f"expected increasing {across} ids in each {line}, each once; sort them, or use "
                "from_coo with dup_op"
            )


def checked_rows(
    indptr: Any,
    indices: Any,
    values: Any,
    dtype: Any,
    width: int | None,
    names: tuple[str, str],
    sort: bool = False,
) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], int, bool]:
    """Check compressed rows, or columns, as `names` says. O(m), and O(m log m) if they are sorted.

    The result is the three arrays, the width, and whether one value stands for all entries.
    """
    across = names[1]
    begins, ids = on_host(indptr), coordinates(indices, width, across)
    if begins.dtype.kind not in "iu" and begins.size:
        raise InvalidValue(f"expected indptr as integers, got values of type {begins.dtype}")
    expect_offsets(begins, ids.size, names)
    begins = begins.astype(np.int64)
    value = typed_values(values, ids.size, array_type(values, 1, dtype))
    try:
        expect_increasing(begins, ids, names)
    except UnsortedRows:
        if not sort:
            raise
        order = np.lexsort((ids, np.repeat(np.arange(begins.size - 1), np.diff(begins))))
        ids, value = ids[order], value if value.size != ids.size else value[order]
        expect_increasing(begins, ids, names)
    width = int(ids.max(initial=-1)) + 1 if width is None else width
    return (begins, ids, value), check_size(width), np.ndim(values) == 0


def compress(row: np.ndarray, nrows: int) -> np.ndarray:
    """The row offsets (int64, nrows + 1 numbers) of sorted row ids."""
    expect_room(16 * (nrows + 1), f"the offsets of {nrows:,} rows", LISTING_HELPS)
    indptr = np.zeros(nrows + 1, np.int64)
    np.cumsum(np.bincount(row, minlength=nrows), out=indptr[1:])
    return indptr
