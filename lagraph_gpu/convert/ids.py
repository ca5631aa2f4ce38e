"""Sizes and ids that a user gives, checked and as arrays, and pairs of them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from lagraph_gpu.convert.arguments import is_integer, is_list
from lagraph_gpu.convert.interchange import as_numpy
from lagraph_gpu.convert.values import of_integers, on_host
from lagraph_gpu.errors import (
    DimensionMismatch,
    IndexOutOfBound,
    InvalidValue,
    NegativeSize,
    SizeTooLarge,
    WrongDimension,
    brief,
)

MAX_SIZE = 2**60
"""The largest number of positions, rows or columns, as in GraphBLAS."""

WITH_LABELS = "Graph.from_edges(…, labels=True)"

LARGER_GRAPHS = "take a cluster of two or more processes with CPUs, which has larger graphs"


def check_size(size: Any) -> int:
    """Check a number of positions of a vector, or of rows or columns of a matrix."""
    if type(size) is int and 0 <= size <= MAX_SIZE:
        return size
    if not is_integer(size):
        try:
            number: Any = size if getattr(size, "shape", None) == () else None
            size = operator.index(number)  # a Scalar
        except TypeError:
            raise WrongDimension(
                f"expected a size as an integer of at least 0, got {brief(size)}"
            ) from None
    if size < 0:
        raise NegativeSize(f"expected a size as an integer of at least 0, got {brief(size)}")
    if size > MAX_SIZE:
        raise SizeTooLarge(f"expected at most 2**60 = {MAX_SIZE} positions, got {brief(size)}")
    return int(size)


def coordinates(
    ids: Any, size: int | None, what: str, most: int = MAX_SIZE, copy: bool = True
) -> np.ndarray:
    """Ids as int64, each in [0, size). Without a size there are at most `most` different ones.

    Ids with a fraction, negative or too large ids are refused. The array is one of its own, except
    with `copy=False` if the ids are an array of int64.
    """
    size = None if size is None else check_size(size)
    array = on_host(ids)
    if array.ndim != 1:
        got = f"shape {array.shape}" if array.ndim else f"{brief(ids)}; pass a list, or an array"
        raise DimensionMismatch(f"expected the {what} ids as a 1-D array, got {got}")
    if array.size == 0:
        return np.empty(0, np.int64)
    if array.dtype.kind == "f":
        broken = np.flatnonzero(array != np.floor(array))
        if broken.size or not np.isfinite(array).all():
            at = int(broken[0]) if broken.size else int(np.flatnonzero(~np.isfinite(array))[0])
            raise InvalidValue(f"expected {what} ids as integers, got {array[at]} at position {at}")
    elif array.dtype.kind not in "iu" and not of_integers(array):
        raise InvalidValue(f"expected {what} ids as integers, got values of type {array.dtype}")
    limit = most - 1 if size is None else size - 1
    if all_below(array, limit + 1):
        return array.astype(np.int64, copy=copy)
    low, high = array.min(), array.max()
    if low < 0 or high > limit:
        bad = low if low < 0 else high
        at = int(np.flatnonzero(array == bad)[0])
        hint = "ids start at 0" if low < 0 else f"raise the size above {int(high)} if it is meant"
        if size is None and low >= 0:
            hint = "renumber them from 0"
            if most < MAX_SIZE:
                hint += f", take them as labels: {WITH_LABELS}, or {LARGER_GRAPHS}"
        raise IndexOutOfBound(
            f"expected {what} ids from 0 to {limit}, got {int(bad)} at position {at}; {hint}"
        )
    return array.astype(np.int64, copy=copy)


def all_below(ids: np.ndarray, size: int) -> bool:
    """Whether ids are INT64, at least 0 and below this size. Without a sign what is negative is too
    large, so one look at each is enough."""
    return ids.dtype == np.int64 and int(np.maximum.reduce(ids.view(np.uint64))) < size


def tuples_of(pairs: Any, what: str) -> list[tuple[Any, ...]]:
    """An iterable of iterables, or the rows of a data frame, as a list of tuples."""
    pairs = as_numpy(pairs) if isinstance(pairs, np.ndarray) else rows_of(pairs)
    if not is_list(pairs):
        raise InvalidValue(f"expected {what}, got {brief(pairs)}")
    rows = []
    for row in pairs:
        if type(row) is not tuple:
            if not is_list(row):
                raise InvalidValue(f"expected {what}, got {brief(row)} among them")
            row = tuple(row)
        rows.append(row)
    return rows


def rows_of(frame: Any) -> Any:
    """The rows of a frame of pandas or Polars or of a table of PyArrow, which would give their
    columns; anything else as it is."""
    if hasattr(frame, "itertuples"):
        return frame.itertuples(index=False, name=None)
    if hasattr(frame, "columns") and hasattr(frame, "rows"):
        return frame.rows()
    if hasattr(frame, "columns") and hasattr(frame, "column_names"):
        return zip(*(column.to_pylist() for column in frame.columns))
    return frame


def pairs_of(pairs: Any, width: int, what: str) -> list[tuple[Any, ...]]:
    """The columns of an iterable of tuples, which must have equal lengths.

    No tuples: empty columns.
    """
    rows = tuples_of(pairs, what)
    lengths = set(map(len, rows))
    if lengths - {width}:
        raise InvalidValue(f"expected {what}, got an item of length {min(lengths - {width})}")
    return list(zip(*rows)) if rows else [()] * width
