"""Matrices from coordinates: entries in any order, which may be given several times.

The statements sort on the host. A lowering may do it where the result is stored, and takes arrays
that are there already. Both return a store, its shape and the type of its values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.backend import Backend, Rows
from lagraph_gpu.convert.arguments import dimensions
from lagraph_gpu.convert.batches import rows_of_batches
from lagraph_gpu.convert.compressed_rows import LISTING_HELPS, ROWS_PER_LISTED_ROW, kept_as_arrays
from lagraph_gpu.convert.edge_list import (
    MAX_VERTICES,
    RENUMBER,
    check_vertices,
    lists_rows,
    most_vertices,
)
from lagraph_gpu.convert.edges import (
    Runs,
    both_directions,
    expect_known,
    fold_duplicates,
    fold_repeated,
    folding,
    merged_values,
    refuse_nonfinite,
    runs_in_rows,
    sorted_places,
    twice,
    twice_at,
)
from lagraph_gpu.convert.ids import check_size, coordinates
from lagraph_gpu.convert.interchange import on_device
from lagraph_gpu.convert.values import array_type, typed_values
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, brief
from lagraph_gpu.memory import expect_room
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.notation.operation import operation
from semirings import BINARY
from semirings.types import INT32

ANY = BINARY["any"]

Sizes = tuple[int | None, int | None]
"""The numbers of rows and columns that are wanted. None: as many as the ids need."""

Made = tuple[Any, tuple[int, int], np.dtype]
"""A store, its shape and the type of its values."""


def of_one_value(values: Any, dup_op: Any) -> Any:
    """How a position that is given twice is folded.

    One value that stands for all entries stays as it is, as in python-graphblas.
    """
    if dimensions(values) or isinstance(values, (list, tuple)):
        return dup_op
    if dup_op is not None:
        raise InvalidValue(
            "expected no dup_op beside one value, which every entry has, got "
            f"{brief(dup_op)}; give an array of values to fold them, such as np.ones(n)"
        )
    return "any"


def is_empty(ids: Any) -> bool:
    """True for something with the length 0."""
    try:
        return len(ids) == 0
    except (TypeError, ValueError, OverflowError):  # of what has none, or a wrong one
        return False


def expect_sizes(ids: Any, sizes: tuple[int | None, ...], names: str) -> None:
    """Refuse an empty list of positions without a size, which cannot be inferred."""
    inferred = any(size is None for size in sizes)
    if inferred and not on_device(ids) and is_empty(ids):
        raise InvalidValue(f"expected {names} where there are no positions, got an empty list")


@operation
def joined_entries(
    backend: Backend,
    rows: Any,
    columns: Any,
    values: Any,
    dtype: Any,
    sizes: Sizes,
    dup_op: Any,
) -> Made:
    """A matrix of these entries, as `Matrix.from_coo` describes it. O(m log m)."""
    row, column = coordinates(rows, sizes[0], "row"), coordinates(columns, sizes[1], "column")
    if row.size != column.size:
        raise DimensionMismatch(
            f"expected as many rows as columns, got {row.size} and {column.size}"
        )
    nrows, ncols = (
        check_size(int(ids.max(initial=-1)) + 1 if size is None else size)
        for ids, size in zip((row, column), sizes, strict=True)
    )
    value = typed_values(values, row.size, array_type(values, 1, dtype))
    iso = value.size == 1 and row.size != 1 and np.ndim(values) == 0
    shape, op = (nrows, ncols), folding(dup_op)
    if rising(row, column):  # then there is nothing to sort, and no position is given twice
        column, value = column.copy(), value.copy()  # which the backend may keep
    elif max(shape) <= MAX_VERTICES and nrows <= ROWS_PER_LISTED_ROW * row.size:
        begins, column, value = rows = entries_by_row(backend, row, column, value, shape, iso)
        once, runs = each_once(backend, begins, column)
        if runs.again.size:
            if op is None:
                i, j = position(rows, runs.again[0])
                raise twice_at(i * ncols + j)
            (begins, column), value = once, value if iso else fold_repeated(value, runs, op)
        if ncols > 1:
            few = kept_as_arrays(column.size, value.dtype)
            rows = begins, column, value.copy() if iso else value  # which may be the caller's
            return backend.build_matrix(shape, rows, iso=iso, adopt=few), shape, value.dtype
        row = np.repeat(np.arange(nrows), np.diff(begins))
    elif iso and op is ANY and nrows * ncols < 2**63:
        row, column = np.divmod(distinct(row * ncols + column), ncols)
    else:
        row, column, value = folded_entries(row, column, value, shape, op)
        iso = iso and row.size > 0 and bool((value == value[0]).all())
        value = value[:1] if iso else value
    return backend.build_coordinates(shape, row, column, value, iso=iso), shape, value.dtype


def rising(row: np.ndarray, column: np.ndarray) -> bool:
    """True if positions come by row and column, each once. Most lists that do not are found out by
    their first entries."""
    for most in (64, row.size) if row.size > 64 else (row.size,):
        i, j = row[:most], column[:most]
        later = (i[1:] > i[:-1]) | ((i[1:] == i[:-1]) & (j[1:] > j[:-1]))
        if not later.all():
            return False
    return True


def folded_entries(
    row: np.ndarray, column: np.ndarray, value: np.ndarray, shape: tuple[int, int], dup_op: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The entries by row and column, with values of one position folded.

    They are sorted by one key. Where position numbers of the shape exceed 64 bits it is made of the
    ranks of rows and columns among those that occur.
    """
    value, width = np.broadcast_to(value, row.shape), max(shape[1], 1)
    if shape[0] * width < 2**63:
        key, value = fold_duplicates(row * width + column, value, dup_op)
        return *np.divmod(key, width), value
    rows, columns = distinct(row), distinct(column)
    width = max(columns.size, 1)

    def place(key: int) -> str:
        return f"({rows[key // width]}, {columns[key % width]})"

    ranks = np.searchsorted(rows, row) * width + np.searchsorted(columns, column)
    key, value = fold_duplicates(ranks, value, dup_op, place)
    return rows[key // width], columns[key % width], value


@operation
def joined_edges(
    backend: Backend,
    src: Any,
    dst: Any,
    weight: Any,
    n: int | None,
    directed: bool,
    dup: str,
) -> Made:
    """The matrix of a graph of these edges, as `Graph.from_edges` describes it. O(m log m)."""
    most = most_vertices(backend.large_graphs)
    source, target = (
        coordinates(ids, n, what, most, copy=False)
        for ids, what in ((src, "source"), (dst, "target"))
    )
    if source.size != target.size:
        raise DimensionMismatch(
            f"expected as many sources as targets, got {source.size} and {target.size}"
        )
    if n is None:
        top = max(int(source.max(initial=-1)), int(target.max(initial=-1)))
        n = check_vertices(top + 1, backend.large_graphs)
    entries = source.size if directed else 2 * source.size
    listed = backend.large_graphs and lists_rows(n, lambda: entries)
    expect_room(
        48 * source.size if listed else 16 * (n + 1) + 48 * source.size,
        f"a graph of {n:,} vertices and {source.size:,} edges",
        f"if few ids are used, {RENUMBER}",
    )
    if weight is None:
        value = np.ones(1, INT32)
    else:
        value = typed_values(weight, source.size, None)
        refuse_nonfinite(value)
    iso = weight is None or np.ndim(weight) == 0
    value = value.copy() if iso else value  # the caller may write to his
    expect_known(dup)
    used = None
    if listed:  # the rows of the ids in use
        used = distinct(np.concatenate((source, target)))
        source, target = (np.searchsorted(used, ids) for ids in (source, target))
    width = n if used is None else used.size
    rows = entries_by_row(backend, source, target, value, (width, width), iso, not directed)
    once, runs = each_once(backend, *rows[:2])
    if runs.again.size:
        if dup == "error":
            ends = position(rows, runs.again[0])
            raise twice(*(ends if used is None else used[[*ends]].tolist()))
        if not iso or dup == "sum":
            value = merged_values(np.broadcast_to(rows[2], rows[1].shape), runs, dup)
            iso = False
        rows = *once, value
    if used is not None:
        row = used[np.repeat(np.arange(used.size), np.diff(rows[0]))]
        store = backend.build_coordinates((n, n), row, used[rows[1]], rows[2], iso)
        return store if directed else backend.declare_symmetric(store), (n, n), value.dtype
    few = kept_as_arrays(rows[1].size, value.dtype)
    store = backend.build_matrix((n, n), rows, not directed, iso, adopt=few)
    return store, (n, n), value.dtype


@operation
def joined_batches(
    backend: Backend, batches: Any, n: int | None, directed: bool, dup: str, buffer_bytes: int
) -> tuple[Any, int, np.dtype, bool]:
    """The matrix of a graph of these edges, as `Graph.from_edge_batches` describes it: a store, the
    number of vertices, the type of the values, and whether the batches have weights."""
    rows, iso, weighted = rows_of_batches(batches, n, directed, dup, buffer_bytes)
    n = rows[0].size - 1
    store = backend.build_matrix((n, n), rows, symmetric=not directed, iso=iso, adopt=True)
    return store, n, rows[2].dtype, weighted


def position(rows: Rows, place: int) -> tuple[int, int]:
    """The row and the column of the entry at this place."""
    return int(np.searchsorted(rows[0], place, "right")) - 1, int(rows[1][place])


@operation
def each_once(
    backend: Backend, begins: np.ndarray, columns: np.ndarray
) -> tuple[tuple[np.ndarray, np.ndarray], Runs]:
    """Rows with each position once, and the runs of entries that have one position, which are
    beside each other."""
    runs = runs_in_rows(begins, columns)
    if not runs.again.size:
        return (begins, columns), runs
    return (begins - np.searchsorted(runs.again, begins), columns[runs.first]), runs


@operation
def entries_by_row(
    backend: Backend, row: np.ndarray, column: np.ndarray, value: np.ndarray,
    shape: tuple[int, int], iso: bool, both: bool = False,
) -> Rows:  # fmt: skip
    """Entries, for all of which one value may stand, as rows, in which entries of one position are
    beside each other in the order of the list. With `both` there are their reverses, too."""
    listed = None
    if both:
        row, column, listed = both_directions(row, column)
    begins, columns, places = sorted_places(row, column, shape)
    if iso:
        return begins, columns, value
    return begins, columns, value[places if listed is None else listed[places]]


def transposed(backend: Backend, rows: Rows, width: int) -> Rows:
    """Compressed rows as compressed columns, or the reverse.

    A single value stays single. O(m + n) for m entries and n rows and columns.
    """
    begins, columns, value = rows
    expect_room(16 * (width + 1), f"the offsets of {width:,} rows", LISTING_HELPS)
    row, shape = np.repeat(np.arange(begins.size - 1), np.diff(begins)), (width, begins.size - 1)
    moved = np.arange(columns.size) if value.ndim > 1 else value  # arrays stay until their turn
    one = len(value) != columns.size
    ends, ids, moved = entries_by_row(backend, columns, row, moved, shape, one)
    value = value[moved] if value.ndim > 1 else moved
    return ends.astype(np.int64, copy=False), ids.astype(np.int64), value
