"""A vector times a matrix on the CPU, by a push along rows of out-edges or a pull along in-edges.

SuiteSparse's ``u @ A`` scatters along rows (push) and ``A @ u`` gathers (pull). So both
orientations of a matrix are kept once they have been asked for, and the planner chooses one for
each product.
"""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import graphblas as gb
import numpy as np
from graphblas.core import lib

from lagraph_gpu.backend import Rows
from lagraph_gpu.cpu.statements import calls, lower
from lagraph_gpu.cpu.statements.calls import Call
from lagraph_gpu.cpu.statements.objects import (
    as_list,
    copied,
    count,
    empty_vector,
    expect_entries_fit,
    without_cycle,
)
from lagraph_gpu.notation.typing_rules import ends_early
from lagraph_gpu.planning.direction import MANY_EDGES_LEAVE, Facts, choose, pull_threshold
from lagraph_gpu.planning.trace import recording
from lagraph_gpu.schedule import Schedule
from semirings import BINARY, MONOIDS, Semiring, types
from semirings.types import INT64

FEW_ENTRIES = 1 << 12
"""To plan a product takes as long as to read some thousand entries."""

ONCE = "a pull would transpose a matrix, which has not been needed before"
ADDED = "one thread adds to what is there: a push does so in place, and needs no transpose"
FIRST = calls.operator(BINARY["first"], INT64)
PLUS = calls.operator(MONOIDS["plus"], INT64)
ALL = "all"
ENDS = {"i", "j"}
"""The names by which ⊗ reads the row and the column of an edge."""

POSITIONS = "the operator reads positions that the other orientation names differently"


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
        row = np.repeat(np.arange(self.nrows), np.diff(self.begins))
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
            return full_matrix(self.values, self.ncols)
        if self.ncols == 1:
            row = np.flatnonzero(np.diff(self.begins))
            return one_column(self.nrows, row, self.values, self.iso)
        return gb.Matrix.from_csr(
            self.begins.astype(np.uint64),
            self.columns.astype(np.uint64),
            self.values[0] if self.iso else self.values,
            self.dtype,
            ncols=self.ncols,
        )


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


def full_matrix(values: np.ndarray, ncols: int) -> Any:
    """A matrix with an entry at each position, of these values row by row. SuiteSparse multiplies
    it in less time than one whose columns are listed."""
    return gb.Matrix.ss.import_fullr(
        np.array(values),
        nrows=values.size // ncols,
        ncols=ncols,
        take_ownership=True,
        dtype=types.name(values.dtype),
    )


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


@functools.cache
def flips(semiring: Semiring) -> bool:
    """True if ⊗ may be computed in the other orientation, where rows and columns are exchanged: it
    does not read positions."""
    return not ENDS & semiring.multiply.parsed.free


@functools.cache
def plain(semiring: Semiring, dtype: np.dtype, of_matrix: np.dtype) -> bool:
    """True if a product with a vector of the first type is a single call of SuiteSparse by push and
    by pull: GraphBLAS has the semiring and its flipped form, and the vector needs no conversion."""
    common = semiring.meet(dtype, of_matrix)
    free = semiring.multiply.parsed.free
    as_is = dtype == common and (not free or common == semiring.operand(common))
    return (
        as_is
        and flips(semiring)
        and lower.own(semiring, common)
        and lower.own(semiring.flipped, common)
    )


class VectorProduct:
    """u ⊕.⊗ A, or A ⊕.⊗ u, for vectors u of one type and a matrix that may be transposed."""

    def __init__(
        self, store: CpuMatrix, transposed: bool, semiring: Semiring, dtype: np.dtype,
        vxm: bool = True, schedule: Schedule | None = None,
    ) -> None:  # fmt: skip
        self.store, self.vxm, self.semiring, self.schedule = store, vxm, semiring, schedule
        self.flipped = transposed == vxm
        """True if the columns of the stored matrix hold the out-edges."""
        self.dtype = dtype
        key = transposed, semiring, dtype, vxm, schedule
        if (known := store.products.get(key)) is None:
            known = store.products[key] = {}
        self.known = known
        """What stays the same between calls: the operands of each direction, and the plan for a
        full vector."""

    @property
    def common(self) -> np.dtype:
        """The type in which the vector and the matrix meet."""
        return self.semiring.meet(self.dtype, self.store.given.dtype.np_type)

    @cached_property
    def reads(self) -> bool:
        """True if ⊗ reads the matrix."""
        return self.semiring.reads_right if self.vxm else self.semiring.reads_left

    @cached_property
    def early_exit(self) -> bool:
        made = self.semiring.output(self.dtype, self.store.given.dtype.np_type)
        return ends_early(self.semiring.monoid, made)

    @cached_property
    def max_degree(self) -> int:
        """The largest number of edges that leave one vertex."""
        return self.store.longest[self.flipped]

    def few(self, count: int) -> bool:
        """True if any frontier with so many entries would be pushed. False under a schedule, or if
        a listener records the choice."""
        threshold = pull_threshold(self.store.nvals, self.early_exit)
        free = self.vxm and self.schedule is None and not recording()
        return free and count * self.max_degree <= threshold

    @property
    def as_stored(self) -> bool | None:
        """The direction that needs no transpose, push (True) or pull, where the matrix has so few
        entries that to count those that leave the vector would take longer than all of them. None
        under a schedule, or if a listener records the choice."""
        if self.schedule is not None or recording() or self.store.nvals > FEW_ENTRIES:
            return None
        return not self.flipped if flips(self.semiring) else self.vxm

    def plan(self, u: Any, adds: bool = False) -> tuple[bool, str, Facts]:
        """Whether to push, the reason, and the facts. ``adds`` says that the product is accumulated
        into the output."""
        store, nvals = self.store, count(u)
        full, turns = nvals == u._size, not self.flipped  # does a pull read the transpose?
        if full and (ALL, adds) in self.known:
            push, reason, facts = self.known[ALL, adds]
            return push, reason, facts
        edges = nedges = store.nvals
        if not full:
            leaving = empty_vector(u._size, INT64)
            both = FIRST, store.degrees[self.flipped], u
            calls.make(leaving, Call(lib.GrB_Vector_eWiseMult_BinaryOp, both))
            edges = calls.fold(leaving, 1, PLUS, INT64)
        rows = store.nrows if self.flipped else store.ncols
        facts = Facts(nvals, edges, rows, nedges, self.early_exit)
        plan = choose(facts, self.schedule)
        push, reason = plan.direction == "push", plan.reason
        if reason == MANY_EDGES_LEAVE and not self.early_exit:
            in_place = full and adds and turns and not store.symmetric
            if in_place and gb.ss.config["nthreads"] == 1:
                push, reason = True, ADDED
            elif not store.worth_having(turns):
                push, reason = True, ONCE
        if push != self.vxm and not flips(self.semiring):
            push, reason = self.vxm, POSITIONS
        if full and reason != ONCE:
            self.known[ALL, adds] = push, reason, facts
        return push, reason, facts

    def call(self, u: Any, push: bool) -> Call:
        """The call of SuiteSparse, for a ``plain`` product."""
        semiring, A, _ = self.read(push)
        if push:
            return Call(lib.GrB_vxm, (semiring.gb_obj, u, A))
        return Call(lib.GrB_mxv, (semiring.gb_obj, A, u))

    def read(self, push: bool) -> tuple[Any, Any, Semiring]:
        """The result of ``operands``, computed once for each direction."""
        if push not in self.known:
            self.known[push] = self.operands(push)
        operator, A, semiring = self.known[push]
        return operator, A, semiring

    def of(self, u: Any, push: bool) -> Any:
        """The product as a python-graphblas expression."""
        operator, A, semiring = self.read(push)
        (u,) = lower.meeting(semiring, self.common, u)
        if flips(self.semiring):
            return u.vxm(A, operator) if push else A.mxv(u, operator)
        # It is computed separately, because SuiteSparse 9.4 refuses to accumulate into firsti over
        # an inner dimension of 0.
        lower.by_place(A)
        return operator(u @ A if push else A @ u).new()

    def operands(self, push: bool) -> tuple[Any, Any, Semiring]:
        """python-graphblas' semiring, the matrix, and the semiring of this library, in this
        direction."""
        semiring = self.semiring if push == self.vxm else self.semiring.flipped
        semiring = lower.named(semiring, self.common)
        wanted = semiring.operand(self.common)
        dtype = wanted if self.reads and wanted == self.dtype else None
        rows = self.store.by_rows(self.flipped if push else not self.flipped, dtype)
        (rows,) = lower.meeting(semiring, self.common, rows)
        types_of = {self.dtype, rows.dtype.np_type if self.reads else self.dtype}
        return lower.typed(semiring, self.common, *types_of), rows, semiring
