"""The CPU backend: each update is one python-graphblas statement.

Operations for which compiled loops are faster than statements are listed in ``lowerings``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any

import graphblas as gb
import numpy as np

from lagraph_gpu.backend import Entries, Rows, Storage, named
from lagraph_gpu.convert.compressed_rows import ROWS_PER_LISTED_ROW, compress, kept_as_arrays
from lagraph_gpu.cpu.entries import by_rows, ends_of, entries_of, holds_one_value, plain, rows_of
from lagraph_gpu.cpu.exchange import HostExchange
from lagraph_gpu.cpu.forks import survive_forks
from lagraph_gpu.cpu.loops.distributed_loops import DistributedLoops
from lagraph_gpu.cpu.loops.shared_transport import shared_transport
from lagraph_gpu.cpu.lowerings import LOWERINGS
from lagraph_gpu.cpu.statements.containers import built_vector, full, read_element
from lagraph_gpu.cpu.statements.objects import (
    copied,
    count,
    empty_matrix,
    empty_vector,
    expect_entries_fit,
    finish,
    of_all_values,
    of_rows,
    without_cycle,
)
from lagraph_gpu.cpu.statements.stores import (
    CpuMatrix,
    HostArrays,
    HostEntries,
    HostRows,
    one_column,
    without_gaps,
)
from lagraph_gpu.cpu.statements.updates import carry_out
from lagraph_gpu.memory import OUT_OF_MEMORY, available_bytes, guard_methods
from lagraph_gpu.notation.expressions import Shape
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import HostProcesses
    from lagraph_gpu.cluster.transport import Transport

MOST_COLUMNS = types.highest(types.INT32)
"""Columns up to which a matrix may be arrays, in which their numbers have 32 bits."""

OUT_OF_MEMORY.append(gb.exceptions.OutOfMemory)


def make() -> CpuBackend:
    """The backend of this process."""
    return CpuBackend()


def make_known(dtype: Any) -> None:
    """Register a record with python-graphblas under the name that it has here."""
    if not types.is_record(dtype):
        return
    ours = types.lookup(dtype)
    _REGISTERED.setdefault(ours.name, gb.dtypes.lookup_dtype(ours.dtype))


_REGISTERED: dict[str, Any] = gb.core.dtypes._registry
"""The types of python-graphblas by their names."""


@partial(
    guard_methods,
    named={
        "vector_entries": "the entries of a vector",
        "matrix_entries": "the rows of a matrix",
        "matrix_coordinates": "the entries of a matrix",
    },
)
class CpuBackend:
    """Implements ``lagraph_gpu.backend.Backend`` with python-graphblas objects as stores."""

    name = "cpu"
    storage: Storage = "host"
    stores_pickle = True
    large_graphs = False

    lowerings = LOWERINGS

    def __init__(self) -> None:
        self.exchange = HostExchange()
        survive_forks()

    def __reduce__(self) -> tuple[Any, ...]:
        return named, (self.name,)  # a pickle or a copy is the backend of the process

    def renamed(self, name: str) -> CpuBackend:
        """Another backend of this kind, under another name."""
        made = CpuBackend()
        made.name = name
        return made

    def distributed_operations(self, exchange: None, processes: HostProcesses) -> DistributedLoops:
        return DistributedLoops(processes)

    def transport_on_host(self, between: Transport) -> Transport:
        return shared_transport(between)

    def empty(self, shape: Shape, dtype: np.dtype) -> Any:
        make_known(dtype)
        if len(shape) == 1:
            return empty_vector(shape[0], dtype)
        return CpuMatrix(empty_matrix(shape, dtype), fresh=True)

    def build_vector(self, size: int, indices: np.ndarray, values: np.ndarray) -> Any:
        if indices.size == size and values.dtype.kind in "biuf" and (np.diff(indices) == 1).all():
            return full(np.array(values))  # which SuiteSparse takes over instead of sorting
        make_known(values.dtype)
        return built_vector(size, indices.astype(np.uint64), values)

    def build_matrix(
        self,
        shape: Shape,
        rows: Rows,
        symmetric: bool = False,
        iso: bool = False,
        adopt: bool = False,
    ) -> Any:
        indptr, indices, values = rows
        make_known(values.dtype)
        if adopt and shape[1] <= MOST_COLUMNS:
            held = indptr.astype(np.int64, copy=False), indices.astype(np.int32, copy=False)
            value = values[: min(indices.size, 1)] if iso else values
            return CpuMatrix(HostRows(*held, value, shape[1]), symmetric)
        if not iso and without_gaps(values, shape):
            return CpuMatrix(of_all_values(values, shape[1]), symmetric)
        if shape[1] == 1:
            row = np.flatnonzero(np.diff(indptr))
            return CpuMatrix(without_cycle(one_column(shape[0], row, values, iso)), symmetric)
        return CpuMatrix(of_rows(indptr, indices, values, shape[1], iso), symmetric)

    def build_coordinates(
        self,
        shape: Shape,
        row: np.ndarray,
        column: np.ndarray,
        values: np.ndarray,
        iso: bool = False,
    ) -> Any:
        make_known(values.dtype)
        if not row.size:
            return self.empty(shape, values.dtype)
        few = kept_as_arrays(row.size, values.dtype)
        listed = shape[1] == 1 and (iso or not without_gaps(values, shape))
        if shape[0] <= ROWS_PER_LISTED_ROW * row.size and not listed:
            rows = compress(row, shape[0]), column, np.array(values) if few else values
            return self.build_matrix(shape, rows, iso=iso, adopt=few)
        value = values[:1] if iso else values
        if few and max(shape) <= MOST_COLUMNS:
            at = row.astype(np.int32), column.astype(np.int32)
            return CpuMatrix(HostEntries(*at, np.array(value), *shape))
        return CpuMatrix(without_cycle(HostEntries(row, column, value, *shape).matrix()))

    def build_listed(self, shape: Shape, places: np.ndarray, rows: Rows, iso: bool) -> Any:
        """Implements ``lagraph_gpu.backend_distributed.ListsRows``."""
        indptr, indices, values = rows
        make_known(values.dtype)
        if not indices.size:
            return self.empty(shape, values.dtype)
        begins = indptr[:-1]
        if (held := begins < indptr[1:]).all():
            held = slice(None)  # type: ignore[assignment]
        A = gb.Matrix.ss.import_hypercsr(
            nrows=shape[0],
            ncols=shape[1],
            rows=places[held].astype(np.uint64),
            indptr=np.append(begins[held], indptr[-1]).astype(np.uint64),
            **entries_to_keep(indices, values, iso),
        )
        return CpuMatrix(without_cycle(A))

    def copy(self, store: Any) -> Any:
        if isinstance(store, CpuMatrix):
            return CpuMatrix(copied(store.A), store.symmetric)
        return copied(store)

    def recast(self, store: Any, dtype: Any) -> None:
        return None

    def free_bytes(self) -> int | None:
        return available_bytes()

    def nvals(self, store: Any) -> int:
        return store.nvals if isinstance(store, CpuMatrix) else count(store)

    holds_one_value = staticmethod(holds_one_value)

    def vector_entries(self, store: Any) -> Entries:
        return entries_of(store)

    def vector_get(self, store: Any, index: int) -> Any:
        return plain(read_element(store, index))

    def matrix_entries(self, store: Any) -> Rows:
        return rows_of(store)

    def matrix_coordinates(self, store: Any) -> Rows:
        if isinstance(held := store.given, HostArrays):
            return held.coordinates()
        expect_entries_fit(store.A, count(store.A), ids=2)
        row, column, values = store.A.to_coo()
        return row.view(np.int64), column.view(np.int64), values

    def resized(self, store: Any, shape: Shape, within: bool) -> CpuMatrix:
        A = copied(store.A)
        A.resize(*shape)
        return CpuMatrix(by_rows(A))

    def declare_symmetric(self, store: Any) -> Any:
        kept = {key: rows for key, rows in store.lists.items() if not key[0]}
        return CpuMatrix(store.given, symmetric=True, shared=store.shared, lists=kept)

    def declare_transposes(self, A: Any, B: Any) -> None:
        A.AT, B.AT = B.A, A.A

    def concat(self, tiles: list[list[Any]], shape: Shape, dtype: np.dtype) -> Any:
        parts = [[tile.A for tile in row] for row in tiles]
        return CpuMatrix(without_cycle(gb.ss.concat(parts, types.name(dtype))))

    def matrix_get(self, store: Any, row: int, column: int) -> Any:
        return plain(read_element(store.A, row, column))

    def vector_ends(self, store: Any, first: int, last: int) -> Entries:
        index, value = ends_of(store, first, last)
        return np.array(index, np.int64), np.array(value, types.lookup(store.dtype))

    def matrix_ends(self, store: Any, first: int, last: int) -> Rows:
        if isinstance(held := store.given, HostArrays):  # of which no copy is made for a screen
            return held.entries(np.r_[:first, held.nvals - last : held.nvals])
        row, column, value = ends_of(store.A, first, last)
        dtype = types.lookup(store.A.dtype)
        return np.array(row, np.int64), np.array(column, np.int64), np.array(value, dtype)

    def matrix_cells(self, store: Any, scale: int, most: int) -> np.ndarray:
        if isinstance(held := store.given, HostArrays):
            count = min(held.nvals, most)
            row, column, _ = held.entries(np.arange(count) * held.nvals // max(count, 1))
            return np.stack([row, column], 1) // scale
        A = store.A
        places = A.nrows * A.ncols if A.ss.format[:-1] in ("bitmap", "full") else A.nvals
        if places <= most:
            found = list(A.ss.iterkeys())
        else:
            starts = (places * k // most for k in range(most))
            found = [key for start in starts for key in islice(A.ss.iterkeys(start), 1)]
        return np.array(found, np.int64).reshape(-1, 2) // scale

    def matrix_bytes(self, store: Any) -> int:
        held = store.given
        if isinstance(held, HostArrays):
            return sum(part.nbytes for part in held[:3])
        return sys.getsizeof(held)

    def stopwatch(self) -> Callable[[], float]:
        began = perf_counter()
        return lambda: (perf_counter() - began) * 1e6

    def synchronize(self, *stores: Any) -> None:
        for store in stores:  # SuiteSparse may have deferred work
            finish(store.A if isinstance(store, CpuMatrix) else store)

    run = staticmethod(carry_out)


def entries_to_keep(columns: np.ndarray, values: np.ndarray, iso: bool) -> dict[str, Any]:
    """What an import of rows is told of their entries: copies, which SuiteSparse keeps."""
    return {
        "col_indices": columns.astype(np.uint64),
        "values": (values[:1] if iso else values).copy(),
        "is_iso": iso,
        "sorted_cols": True,
        "take_ownership": True,
        "dtype": types.name(values.dtype),
    }
