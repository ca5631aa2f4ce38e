"""Matrices as this backend holds them: one of python-graphblas, or arrays of the host until a
statement asks for one, with what is derived from it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import graphblas as gb
import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.cpu.statements.objects import (
    as_list,
    copied,
    count,
    expect_entries_fit,
    of_all_values,
    of_rows,
    without_cycle,
)
from lagraph_gpu.notation.expressions import Transposed, computed
from semirings import types


def lengths_of_rows(begins: np.ndarray) -> np.ndarray:
    """The lengths of rows with these offsets. `np.diff` takes three times as long for few."""
    return begins[1:] - begins[:-1]  # type: ignore[no-any-return]


class HostRows(NamedTuple):
    """Compressed rows in arrays of the host, as compiled loops take them, and what is asked of a
    matrix of python-graphblas before one is needed."""

    begins: np.ndarray
    """INT64"""
    columns: np.ndarray
    """INT32"""
    values: np.ndarray
    """One for all entries, or one for each."""
    ncols: int

    @property
    def nrows(self) -> int:
        return self.begins.size - 1

    @property
    def nvals(self) -> int:
        return self.columns.size

    @property
    def dtype(self) -> Any:
        return gb.dtypes.lookup_dtype(self.values.dtype)

    def expanded(self) -> np.ndarray:
        """A new array with a value for each entry."""
        return np.array(np.broadcast_to(self.values, self.nvals))

    def coordinates(self) -> Rows:
        """New arrays of the rows, columns and values."""
        row = np.repeat(np.arange(self.nrows), lengths_of_rows(self.begins))
        return row, self.columns.astype(np.int64), self.expanded()

    def entries(self, places: np.ndarray) -> Rows:
        """The rows, columns and values of the entries at these places. Nothing else is read."""
        row = np.searchsorted(self.begins, places, "right") - 1
        value = np.broadcast_to(self.values, self.nvals)[places]
        return row.astype(np.int64), self.columns[places].astype(np.int64), value

    @property
    def iso(self) -> bool:
        return self.values.size < self.nvals

    def matrix(self) -> Any:
        """A copy as a matrix of python-graphblas."""
        if not self.iso and without_gaps(self.values, (self.nrows, self.ncols)):
            return of_all_values(self.values, self.ncols)
        if self.ncols == 1:
            row = np.flatnonzero(lengths_of_rows(self.begins))
            return one_column(self.nrows, row, self.values, self.iso)
        return of_rows(self.begins, self.columns, self.values, self.ncols, self.iso)


class HostEntries(NamedTuple):
    """The entries of a matrix in which few rows have any, in arrays of the host, by row and
    column."""

    rows: np.ndarray
    """INT32 or INT64, as the columns"""
    columns: np.ndarray
    values: np.ndarray
    """One for all entries, or one for each."""
    nrows: int
    ncols: int

    @property
    def nvals(self) -> int:
        return self.columns.size

    @property
    def dtype(self) -> Any:
        return gb.dtypes.lookup_dtype(self.values.dtype)

    @property
    def iso(self) -> bool:
        return self.values.size < self.nvals

    def expanded(self) -> np.ndarray:
        """A new array with a value for each entry."""
        return np.array(np.broadcast_to(self.values, self.nvals))

    def coordinates(self) -> Rows:
        """New arrays of the rows, columns and values."""
        return self.rows.astype(np.int64), self.columns.astype(np.int64), self.expanded()

    def entries(self, places: np.ndarray) -> Rows:
        """The rows, columns and values of the entries at these places. Nothing else is read."""
        value = np.broadcast_to(self.values, self.nvals)[places]
        return self.rows[places].astype(np.int64), self.columns[places].astype(np.int64), value

    def matrix(self) -> Any:
        """A copy as a matrix of python-graphblas."""
        if self.ncols == 1:
            return one_column(self.nrows, self.rows, self.values, self.iso)
        begins = np.flatnonzero(np.diff(self.rows, prepend=-1))
        return gb.Matrix.from_dcsr(
            self.rows[begins].astype(np.uint64),
            np.append(begins, self.nvals).astype(np.uint64),
            self.columns.astype(np.uint64),
            self.values[0] if self.iso else self.values,
            types.name(self.values.dtype),
            nrows=self.nrows,
            ncols=self.ncols,
        )


HostArrays = HostRows | HostEntries


def without_gaps(values: np.ndarray, shape: tuple[int, ...]) -> bool:
    """True if these numbers, one for each entry, are those of a matrix without a gap."""
    return 0 < values.size == shape[0] * shape[1] and values.dtype.kind in "biufc"


def one_column(nrows: int, row: np.ndarray, values: np.ndarray, iso: bool) -> Any:
    """A matrix of one column with these entries, stored by columns, as SuiteSparse stores what it
    computes: it converts the other operands of a statement to that."""
    return gb.Matrix.ss.import_csc(
        nrows=nrows,
        ncols=1,
        indptr=np.array([0, row.size], np.uint64),
        row_indices=row.astype(np.uint64),
        values=(values[:1] if iso else values).copy(),
        is_iso=iso,
        sorted_rows=True,
        take_ownership=True,
        dtype=types.name(values.dtype),
    )


def references(holder: dict[str, Any], name: str) -> int:
    """What Python counts as references to an object that a dictionary holds."""
    return sys.getrefcount(holder[name])


HELD_ONCE = references({"object": object()}, "object")
"""The count of an object that only the dictionary holds."""


@dataclass(eq=False)
class CpuMatrix:
    """A matrix and what is derived from it: its transpose, copies in other types, arrays, and
    degrees."""

    given: Any
    """A matrix of python-graphblas without a cycle, or arrays that are never written to."""
    symmetric: bool = False
    shared: bool = False
    """True if the matrix belongs to the caller, who may change it."""
    fresh: bool = False
    """True if nothing has been written to the matrix, which has no entries."""
    transpose_wanted: bool = False
    """True if a product has wanted the transpose before."""
    takes_many_rounds: bool | None = None
    """True if a search has shown that it has many levels, False if that it has few."""
    casts: dict[tuple[bool, np.dtype], Any] = field(default_factory=dict)
    lists: dict[tuple[bool, np.dtype | None], Rows] = field(default_factory=dict)
    patterns: dict[bool, Any] = field(default_factory=dict)
    """The rows, and those of the transpose, as compiled loops last took them."""
    products: dict[tuple[Any, ...], dict[Any, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.given, gb.Matrix):
            self.A = self.given

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (self.A, self.symmetric)  # derived objects are computed again

    @cached_property
    def own_shape(self) -> tuple[int, int, int]:
        """The numbers of rows, columns and entries of a matrix that nobody else writes to."""
        if isinstance(given := self.given, gb.Matrix):
            return given._nrows, given._ncols, count(given)
        return given.nrows, given.ncols, given.nvals

    @property
    def nrows(self) -> int:
        return int(self.given.nrows) if self.shared else self.own_shape[0]

    @property
    def ncols(self) -> int:
        return int(self.given.ncols) if self.shared else self.own_shape[1]

    @property
    def nvals(self) -> int:
        return int(self.given.nvals) if self.shared else self.own_shape[2]

    @property
    def full(self) -> bool:
        """True if there is an entry at each position."""
        return self.nvals == self.nrows * self.ncols

    @cached_property
    def A(self) -> Any:
        """The matrix as python-graphblas has it. Of arrays it is made when a statement asks."""
        return without_cycle(self.given.matrix())

    @cached_property
    def AT(self) -> Any:
        return self.A if self.symmetric else without_cycle(self.A.T.new())

    def alone(self) -> bool:
        """True if this object is the only one that holds its matrix, so that it may be written to,
        after which this object is of no use. What a product has kept of the matrix is dropped."""
        if self.shared:
            return False
        vars(self).pop("AT", None)
        self.products.clear()
        inside = 1 if self.A is self.given else 0
        return references(vars(self), "A") == HELD_ONCE + inside

    def by_rows(self, transposed: bool, dtype: np.dtype | None = None) -> Any:
        """The matrix, or its transpose, in its own type or another: SuiteSparse's kernels take
        operands of one type, and a conversion entry by entry takes six times as long."""
        rows = self.AT if transposed else self.A
        if dtype is None or rows.dtype.np_type == dtype:
            return rows
        key = transposed and not self.symmetric, dtype
        if key not in self.casts:
            self.casts[key] = without_cycle(rows.dup(types.name(dtype)))
        return self.casts[key]

    def worth_having(self, transposed: bool) -> bool:
        """True if this orientation is stored, or has been wanted before. For a single product it
        takes longer to make a transpose than it saves."""
        before, self.transpose_wanted = self.transpose_wanted, self.transpose_wanted or transposed
        return self.has(transposed) or before

    def has(self, transposed: bool) -> bool:
        """True if this orientation is stored."""
        return not transposed or self.symmetric or "AT" in vars(self)

    def arrays(self, transposed: bool = False, dtype: np.dtype | None = None) -> Rows:
        """The row offsets (INT64), the columns (INT32), and the values in this type (one value if
        all are the same), for compiled loops. They are kept, except for a shared matrix."""
        key = transposed and not self.symmetric, dtype
        if key in self.lists:
            return self.lists[key]
        if isinstance(self.given, HostRows) and not key[0] and dtype is None:
            return self.given[:3]
        if dtype is None:
            rows = self.by_rows(transposed)
            expect_entries_fit(rows, count(rows))
            begins, columns, values = rows.to_csr()
            values = np.array(values[:1] if rows.ss.is_iso else values)
            result = begins.astype(np.int64), columns.astype(np.int32), values
        else:
            begins, columns, values = self.arrays(transposed)
            result = begins, columns, values.astype(dtype, copy=False)
        if not self.shared:
            self.lists[key] = result
        return result

    @cached_property
    def listed(self) -> Any:
        """A copy that stores a list of its entries, for masks."""
        return as_list(copied(self.A))

    @cached_property
    def degrees(self) -> tuple[Any, Any]:
        """The number of entries in each row, and in each column."""
        count = gb.agg.count
        rows = without_cycle(self.A.reduce_rowwise(count).new())
        if self.symmetric:
            return rows, rows
        return rows, without_cycle(self.A.reduce_columnwise(count).new())

    @cached_property
    def longest(self) -> tuple[int, int]:
        """The number of entries of the longest row, and of the longest column."""
        if self.nvals == 0:
            return 0, 0
        rows, columns = (degree.reduce(gb.monoid.max).new().get(0) for degree in self.degrees)
        return int(rows), int(columns)

    @cached_property
    def extremes(self) -> tuple[Any, Any]:
        """The least and the greatest value; NaN if one is NaN."""
        if isinstance(self.given, HostArrays):
            values = self.given.values
        else:
            values = self.A.to_coo(rows=False, columns=False, sort=False)[2]
        return (values.min(), values.max()) if values.size else (0, 0)


def restored(A: gb.Matrix, symmetric: bool) -> CpuMatrix:
    """The store that a pickle holds."""
    return CpuMatrix(without_cycle(A), symmetric)


def store_of(operand: Any) -> Any:
    """The store of an operand; an expression is computed first."""
    if isinstance(operand, Transposed):
        return operand.matrix._store
    return computed(operand)._store
