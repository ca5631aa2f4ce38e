"""The CPU backend: each update is one python-graphblas statement.

Operations for which compiled loops are faster than statements are listed in ``lowerings``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, NoReturn

import graphblas as gb
import numpy as np

from lagraph_gpu.backend import Entries, Rows, Storage, named
from lagraph_gpu.convert.build import (
    LISTING_HELPS,
    ROWS_PER_LISTED_ROW,
    compress,
    kept_as_arrays,
)
from lagraph_gpu.cpu.forks import survive_forks
from lagraph_gpu.cpu.loops.distributed_levels import DistributedLoops
from lagraph_gpu.cpu.loops.shared_transport import shared_transport
from lagraph_gpu.cpu.lowerings import LOWERINGS
from lagraph_gpu.cpu.statements.containers import (
    all_values,
    built_vector,
    element,
    full,
    listed,
    values_by_row,
)
from lagraph_gpu.cpu.statements.objects import (
    copied,
    count,
    empty_matrix,
    empty_vector,
    expect_entries_fit,
    with_cycle,
    without_cycle,
)
from lagraph_gpu.cpu.statements.stores import (
    CpuMatrix,
    HostArrays,
    HostEntries,
    HostRows,
    full_matrix,
    one_column,
    without_gaps,
)
from lagraph_gpu.cpu.statements.updates import carry_out
from lagraph_gpu.errors import BackendMismatch, UnsupportedOperation, WrongType
from lagraph_gpu.memory import RAW, available_bytes, expect_room, guard_methods
from lagraph_gpu.notation.expressions import Shape
from lagraph_gpu.notation.update import Update
from lagraph_gpu.notation.vector_data import with_gaps_filled
from semirings import types
from semirings.records import Fields

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import HostProcesses
    from lagraph_gpu.cluster.transport import Transport

ON_THE_HOST = (
    "expected arrays on the host for the CPU backend, got one on a GPU; pass backend='gpu', or "
    "copy it with .get() (CuPy) or .cpu() (PyTorch)"
)

MOST_COLUMNS = types.highest(types.INT32)
"""Columns up to which a matrix may be arrays, in which their numbers have 32 bits."""

RAW.append(gb.exceptions.OutOfMemory)


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
        "run": "a statement",
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
            return CpuMatrix(without_cycle(full_matrix(values, shape[1])), symmetric)
        if shape[1] == 1:
            row = np.flatnonzero(np.diff(indptr))
            return CpuMatrix(without_cycle(one_column(shape[0], row, values, iso)), symmetric)
        A = gb.Matrix.ss.import_csr(
            nrows=shape[0],
            ncols=shape[1],
            indptr=indptr.astype(np.uint64),
            **entries_to_keep(indices, values, iso),
        )
        return CpuMatrix(without_cycle(A), symmetric)

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
        if _is_matrix(store):
            return CpuMatrix(copied(store.A), store.symmetric)
        return copied(store)

    def recast(self, store: Any, dtype: Any) -> None:
        return None

    def free_bytes(self) -> int | None:
        return available_bytes()

    def nvals(self, store: Any) -> int:
        return store.nvals if _is_matrix(store) else count(store)

    def vector_entries(self, store: Any) -> Entries:
        return entries_of(store)

    def vector_get(self, store: Any, index: int) -> Any:
        return plain(element(store, index))

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
        return CpuMatrix(_by_rows(A))

    def declare_symmetric(self, store: Any) -> Any:
        kept = {key: rows for key, rows in store.lists.items() if not key[0]}
        return CpuMatrix(store.given, symmetric=True, shared=store.shared, lists=kept)

    def declare_transposes(self, A: Any, B: Any) -> None:
        A.AT, B.AT = B.A, A.A

    def concat(self, tiles: list[list[Any]], shape: Shape, dtype: np.dtype) -> Any:
        parts = [[tile.A for tile in row] for row in tiles]
        return CpuMatrix(without_cycle(gb.ss.concat(parts, types.name(dtype))))

    def matrix_get(self, store: Any, row: int, column: int) -> Any:
        return plain(element(store.A, row, column))

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
            (store.A if _is_matrix(store) else store).wait("materialize")

    def run(self, update: Update) -> None:
        carry_out(update)


@guard_methods
class HostExchange:
    """Implements ``lagraph_gpu.backend.Exchange`` with NumPy arrays."""

    def adopt_vector(self, values: Any, missing: Any, dtype: Any, copy: bool) -> NoReturn:
        raise BackendMismatch(ON_THE_HOST)

    def adopt_matrix(
        self, indptr: Any, indices: Any, values: Any, dtype: Any, ncols: int, copy: bool
    ) -> NoReturn:
        raise BackendMismatch(ON_THE_HOST)

    def adopt_dense(self, values: Any, missing: Any, dtype: Any) -> NoReturn:
        raise BackendMismatch(ON_THE_HOST)

    def vector_entries(self, store: Any) -> tuple[Any, Any]:
        return entries_of(store)

    def vector_dense(self, store: Any, fill: Any, dtype: np.dtype) -> Any:
        return with_gaps_filled(*entries_of(store), store.size, fill, dtype)

    def matrix_rows(self, store: Any, one_type: bool = False) -> tuple[Any, Any, Any]:
        return rows_of(store)

    def vector_values(self, store: Any) -> Any:
        return entries_of(store)[1]

    def dlpack_device(self) -> tuple[int, int]:
        return 1, 0

    def matrix_sparse(self, store: Any) -> NoReturn:
        raise UnsupportedOperation(
            "expected a matrix on the GPU for cupyx; move it with .to('gpu'), or take "
            ".to_scipy_sparse()"
        )

    def wrap(self, thing: Any) -> tuple[Any, Shape, np.dtype]:
        if not isinstance(thing, (gb.Vector, gb.Matrix)):
            raise WrongType(
                f"expected a Vector or a Matrix of python-graphblas, got {type(thing).__name__}; "
                "make one of an expression with .new()"
            )
        dtype = types.lookup(thing.dtype)
        if dtype.subdtype is not None:
            thing = _converted(thing, dtype.dtype)
        matrix = isinstance(thing, gb.Matrix)
        store = CpuMatrix(_by_rows(thing), shared=True) if matrix else thing
        return store, tuple(map(int, thing.shape)), dtype

    def unwrap(self, store: Any) -> Any:
        thing = store.A if _is_matrix(store) else store
        dtype = types.lookup(thing.dtype)
        return with_cycle(thing if dtype.subdtype is None else _converted(thing, dtype.np_type))


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


def _by_rows(A: Any) -> Any:
    """Store an object of python-graphblas by rows, in whose order entries are listed, and return
    it.

    SuiteSparse stores a matrix of one column by columns, and goes on when it is resized.
    """
    if A.ncols > 1 and A.ss.orientation == "columnwise":
        A.ss.config["format"] = "by_row"
    return A


def _converted(thing: Any, to: np.dtype) -> Any:
    """A container of arrays whose type is that of python-graphblas, or that of our stores."""
    *places, values = thing.to_coo()
    arrays = types.shown(values)
    if to.subdtype is None:
        arrays = np.empty(len(values), to)
        arrays[types.IN_ARRAY] = values
    sizes = zip(("size",) if thing.ndim == 1 else ("nrows", "ncols"), thing.shape)
    return type(thing).from_coo(*places, arrays, gb.dtypes.lookup_dtype(to), **dict(sizes))


def entries_of(store: Any) -> Entries:
    """(indices, values) of a vector store."""
    if (values := all_values(store)) is not None:
        return np.arange(values.size), values  # SuiteSparse takes three times as long for these
    expect_entries_fit(store, count(store))
    return listed(store)


def rows_of(store: Any) -> Rows:
    """(indptr, indices, values) of a matrix store."""
    held = store.given
    expect_room(16 * held.nrows, f"the offsets of {held.nrows:,} rows", LISTING_HELPS)
    if isinstance(held, HostRows):
        return held.begins.copy(), held.columns.astype(np.int64), held.expanded()
    if isinstance(held, HostEntries):
        row, column, values = held.coordinates()
        return compress(row, held.nrows), column, values
    if (known := values_by_row(held)) is not None:
        expect_entries_fit(held, known.size)
        begins = np.arange(held.nrows + 1) * held.ncols
        return begins, np.tile(np.arange(held.ncols), held.nrows), known
    expect_entries_fit(held, count(held))
    indptr, indices, values = held.to_csr()
    return indptr.view(np.int64), indices.view(np.int64), values


def ends_of(of: Any, first: int, last: int) -> Any:
    """The positions, one axis after another, and the values of the first and the last entries.

    Where it is a bitmap, places are sought that need not hold an entry: then the search for the
    last ones begins further and further from the end.
    """
    if types.is_record(types.lookup(of.dtype)):  # for which SuiteSparse has no iterator
        return [np.concatenate([a[:first], a[a.size - last :]]) for a in of.to_coo()]
    tail: list[Any] = []
    back = last
    while len(tail) < last:
        tail, back = list(of.ss.iteritems(-back)), 2 * back
    return zip(*islice(of.ss.iteritems(), first), *tail[len(tail) - last :])


def plain(value: Any) -> Any:
    """A value in terms of Python: of a record its fields, of an array type an array."""
    value = types.shown(value)
    return Fields(value) if isinstance(value, np.void) else value


def _is_matrix(store: Any) -> bool:
    return isinstance(store, CpuMatrix)
