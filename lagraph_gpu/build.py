"""From loose coordinates to what a backend stores: checks, duplicates, sorted rows.

Everything here is NumPy on the host, O(m log m) for m entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.errors import DimensionMismatch, DuplicateEdges, IndexOutOfBound, InvalidValue
from semirings import types
from semirings.algebra import BinaryOp, Monoid


def coordinates(ids: Any, size: int | None, what: str) -> np.ndarray:
    """Ids as int64, each in [0, size); fractional, negative or too large ones are refused."""
    array = np.asarray(ids)
    if array.ndim != 1:
        raise DimensionMismatch(f"expected the {what} ids as a 1-D array, got shape {array.shape}")
    if array.size == 0:
        return np.empty(0, np.int64)
    if array.dtype.kind == "f":
        broken = np.flatnonzero(array != np.floor(array))
        if broken.size or not np.isfinite(array).all():
            at = int(broken[0]) if broken.size else int(np.flatnonzero(~np.isfinite(array))[0])
            raise InvalidValue(f"expected {what} ids as integers, got {array[at]} at position {at}")
    elif array.dtype.kind not in "iu":
        raise InvalidValue(f"expected {what} ids as integers, got values of type {array.dtype}")
    limit = 2**31 - 1 if size is None else size - 1
    low, high = array.min(), array.max()
    if low < 0 or high > limit:
        bad = low if low < 0 else high
        at = int(np.flatnonzero(array == bad)[0])
        hint = "ids start at 0" if low < 0 else f"raise the size above {int(high)} if it is meant"
        raise IndexOutOfBound(
            f"expected {what} ids from 0 to {limit}, got {int(bad)} at position {at}; {hint}"
        )
    return array.astype(np.int64)


def typed_values(values: Any, count: int, dtype: Any) -> np.ndarray:
    """Values as an array of one of our types; length ``count``, or 1 for one value for all."""
    array = np.asarray(values)
    if dtype is None and array.dtype.kind not in "biuf":
        raise InvalidValue(f"expected numbers as values, got the type {array.dtype}")
    array = array.astype(types.lookup(array.dtype if dtype is None else dtype), copy=False)
    if array.ndim == 0:
        return array.reshape(1)
    if array.shape != (count,):
        raise DimensionMismatch(f"expected {count} values or a single one, got shape {array.shape}")
    return array


def fold_duplicates(
    keys: np.ndarray, values: np.ndarray, dup_op: BinaryOp | Monoid | None
) -> tuple[np.ndarray, np.ndarray]:
    """Sort by key and combine the values of equal keys, in the order they came."""
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if keys.size else order
    if first.size == keys.size:
        return keys, values
    if dup_op is None:
        twice = int(keys[np.flatnonzero(keys[1:] == keys[:-1])[0]])
        raise DuplicateEdges(
            f"expected each position once, got position {twice} more than once; "
            "pass dup_op= (an operator such as plus or min) to combine the values"
        )
    op = dup_op.op if isinstance(dup_op, Monoid) else dup_op
    rank = np.arange(keys.size) - np.repeat(first, np.diff(np.append(first, keys.size)))
    group = np.repeat(np.arange(first.size), np.diff(np.append(first, keys.size)))
    folded = values[first].copy()
    for r in range(1, int(rank.max()) + 1):  # as many rounds as the longest run of duplicates
        at = rank == r
        into = group[at]
        folded[into] = op.evaluate(folded[into], values[at])
    return keys[first], folded


def compress(row: np.ndarray, nrows: int) -> np.ndarray:
    """indptr (int64, nrows + 1) of sorted row ids."""
    indptr = np.zeros(nrows + 1, np.int64)
    np.cumsum(np.bincount(row, minlength=nrows), out=indptr[1:])
    return indptr
