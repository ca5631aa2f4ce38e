"""How vectors and matrices are distributed over processes, and how entries move between them.

The distribution is cyclic by rows: of P processes, process r owns the rows r, r + P, r + 2P, and so
on. Row i is thus local row i div P of process i mod P. A vector is distributed as if it were a
column. Columns are not divided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.backend import Backend
from lagraph_gpu.cluster.communicator import ROOT, Communicator
from lagraph_gpu.cluster.device_movement import DeviceMovement
from lagraph_gpu.cluster.distributed_store import Arrays, Deferred, Distributed
from lagraph_gpu.cluster.grid import chosen_grid
from lagraph_gpu.cluster.packing import (
    NO_VALUE,
    as_bytes,
    divided,
    joined,
    merged,
    of_vector,
    vector_of,
)
from lagraph_gpu.cluster.placed_entries import on_all_processes
from lagraph_gpu.convert.edge_list import lists_rows, needs_64_bits
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.expressions import Shape

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import (
        DistributedOperations,
        SharedMemoryLoops,
        VectorExchange,
    )
    from lagraph_gpu.cluster.allowed import Allowed

SORTED_BELOW = 16
"""A vector with an entry at fewer than one position in so many is sorted, others put in place."""


def order_of(shape: Shape, positions: Arrays) -> np.ndarray:
    """The order of entries in a container of this shape. Those of each process come in order, which
    a stable sort of one key only merges."""
    row, *column = positions
    if not column:
        return np.argsort(row, kind="stable")
    if shape[0] * shape[1] >= 2**63:
        return np.lexsort((*column, row))
    return np.argsort(row * np.int64(shape[1]) + column[0], kind="stable")


class Distribution:
    """The cyclic distribution of rows over processes, each of which has a local backend."""

    def __init__(self, comm: Communicator, local: Backend) -> None:
        self.comm, self.local = comm, local
        self.rank, self.size = comm.rank, comm.size
        self.is_root = comm.rank == ROOT
        self.grid = chosen_grid(comm.size)
        has = getattr(local, "vector_exchange", None)
        self.vector_exchange: VectorExchange | None = None if has is None else has(comm.transport)
        self.devices = DeviceMovement(self)
        made = getattr(local, "distributed_operations", None)
        self.local_operations: DistributedOperations | None = (
            None if made is None else made(self.vector_exchange, comm)
        )

    @property
    def large_graphs(self) -> bool:
        """Whether a graph may have 2³¹ vertices and more, and rows that have no entries take no
        memory."""
        return self.vector_exchange is None

    def lists_rows(self, matrix: Distributed) -> bool:
        """Whether of a matrix the rows that have entries are listed, in place of offsets of all."""
        return self.large_graphs and lists_rows(max(matrix.shape), lambda: self.entries_of(matrix))

    @property
    def shared_memory_loops(self) -> SharedMemoryLoops | None:
        """Whole searches of the local backend, in which processes meet in shared memory."""
        return None if self.local_operations is None else self.local_operations.in_shared_memory

    # --- owners ------------------------------------------------------------------------------
    def part_shape(self, shape: Shape) -> Shape:
        """The shape of the part of this process."""
        if not self.large_graphs and needs_64_bits(max(shape)):
            raise TooLarge(
                "expected fewer than 2**31 rows and columns on a cluster of GPUs, got shape "
                f"{shape}; set LAGRAPH_LOCAL_BACKEND=cpu, use backend='gpu' in one process, or "
                "number those rows and columns anew that have entries"
            )
        return (len(range(self.rank, shape[0], self.size)), *shape[1:])

    def owns(self, row: Any) -> Any:
        """Whether this process owns a row; of an array, an array."""
        return row % self.size == self.rank

    # --- parts as containers -----------------------------------------------------------------
    def handle(self, store: Any, shape: Shape, dtype: np.dtype) -> Any:
        """A container of the local backend around a store of it."""
        if len(shape) == 1:
            return Vector._stored(store, shape[0], dtype, self.local)
        return Matrix._stored(store, (shape[0], shape[1]), dtype, self.local)

    def built(self, shape: Shape, arrays: Arrays) -> Any:
        """A container of the local backend with these entries, which come in any order."""
        order = order_of(shape, arrays[:-1])
        arrays = [array[order] for array in arrays]
        if len(shape) == 1:
            store = self.local.build_vector(shape[0], *arrays)
        else:
            row, column, values = arrays
            store = self.local.build_coordinates(shape, row, column, values)
        return self.handle(store, shape, arrays[-1].dtype)

    def deferred(self, make: Callable[[], Any], size: int, dtype: np.dtype) -> Distributed:
        """The store of a vector of this size and type, of which `make` makes the store of the part
        of this process once it is needed."""
        own = self.part_shape((size,))
        return Deferred(lambda: self.handle(make(), own, dtype), (size,))

    def point(self, size: int, at: int, value: np.ndarray) -> Distributed:
        """The store of a vector whose only entry is this one."""
        held = slice(None) if at % self.size == self.rank else slice(0)
        own = len(range(self.rank, size, self.size))
        part = self.local.build_vector(own, np.array([at // self.size])[held], value[held])
        return Distributed(self.handle(part, (own,), value.dtype), (size,))

    def listed(self, part: Any) -> Arrays:
        """The entries of a container of the local backend."""
        if len(part.shape) == 1:
            return list(self.local.vector_entries(part._store))
        return list(self.local.matrix_coordinates(part._store))

    def in_global_shape(self, store: Distributed) -> Any:
        """The rows of this process in a container of the global shape, for operators that read the
        number of a row.
        """
        if self.vector_exchange is not None and len(store.shape) == 1:
            placed = self.vector_exchange.placed(store.part._store, store.shape[0])
            return self.handle(placed, store.shape, store.part.dtype)
        if store.in_global_shape is None:
            whole = self.empty(store.shape, store.part.dtype)
            self._rows(whole) << store.part
            store.in_global_shape = whole
        return store.in_global_shape

    def in_local_shape(self, whole: Any) -> Any:
        """The rows of this process alone: the reverse of `in_global_shape`."""
        return self._rows(whole).new()

    def _rows(self, whole: Any) -> Any:
        mine = slice(self.rank, None, self.size)
        return whole[mine] if len(whole.shape) == 1 else whole[mine, :]

    def empty(self, shape: Shape, dtype: np.dtype) -> Any:
        """A container of the local backend without entries."""
        return self.handle(self.local.empty(shape, dtype), shape, dtype)

    # --- movement ----------------------------------------------------------------------------
    def sent(self, to: np.ndarray, arrays: Arrays) -> list[Arrays]:
        """Send each entry to the process that `to` names; the result is what each has sent here.

        Entries that were in order arrive in that order.
        """
        parts = [joined(part) for part in self._divided(to, arrays)]
        dtypes = [array.dtype for array in arrays]
        return [divided(part, dtypes) for part in self.comm.all_to_all(parts)]

    def _divided(self, to: np.ndarray, arrays: Arrays) -> list[Arrays]:
        """The entries that go to each process, in the order in which they were."""
        if self.size <= 2**16:
            to = to.astype(np.uint16)  # NumPy sorts these in one pass
        order = np.argsort(to, kind="stable")
        ends = np.searchsorted(to[order], np.arange(self.size + 1)).tolist()
        arrays = [array[order] for array in arrays]
        return [[array[a:b] for array in arrays] for a, b in pairwise(ends)]

    def redistribute(self, shape: Shape, arrays: Arrays) -> Any:
        """The part of this process of a container of this shape, of which each process has some
        entries, no two of them the same.
        """
        row, *rest = arrays
        return self.arrived(self.part_shape(shape), row % self.size, [row // self.size, *rest])

    def arrived(self, shape: Shape, to: np.ndarray, arrays: Arrays) -> Any:
        """A container of the local backend with the entries that all processes send here."""
        return self.built(shape, merged(self.sent(to, arrays)))

    def gathered_vector(
        self, store: Distributed, place: np.ndarray, values: np.ndarray, beyond: int = -1
    ) -> Arrays | None:
        """The entries of a vector, in order, on every process, with values as each gives them; None
        if there are no more than `beyond`.
        """
        packed = of_vector(place, values, *store.part.shape)
        gathered = self.comm.all_gather_if(packed, place.size, lambda count: count > beyond)
        return None if gathered is None else self.in_order(store, gathered, values.dtype)

    def in_order(self, store: Distributed, packed: Sequence[np.ndarray], dtype: np.dtype) -> Arrays:
        """The entries of a vector, in order, from the parts that all processes have packed, with
        values of this type."""
        (size,), lists = store.shape, []
        for rank, received in enumerate(packed):
            there, held = vector_of(received, len(range(rank, size, self.size)), dtype)
            lists.append([there * self.size + rank, held])
        index, values = merged(lists)
        if index.size * SORTED_BELOW < size:
            order = np.argsort(index)
            return [index[order], values[order]]
        present, dense = np.zeros(size, bool), np.empty(size, values.dtype)
        present[index], dense[index] = True, values
        index = np.flatnonzero(present)
        return [index, dense[index]]

    def whole_vector(self, store: Distributed, reads: bool = True, beyond: int = -1) -> Any:
        """The whole vector as a container of the local backend of every process; None if it has no
        more than `beyond` entries. Values that nobody `reads` are not sent.
        """
        dtype = store.part.dtype
        if self.vector_exchange is not None:
            with self.devices.exchanging(1):
                whole = self.vector_exchange.all_gather(
                    store.part._store, store.shape[0], reads,
                    lambda count: self.comm.all_have(count, lambda total: total > beyond),
                )  # fmt: skip
            return None if whole is None else self.handle(whole, store.shape, dtype)
        place, values = self.listed(store.part)
        given = values if reads else np.empty(place.size, NO_VALUE)
        arrays = self.gathered_vector(store, place, given, beyond)
        if arrays is None:
            return None
        index, held = arrays
        return self.built(store.shape, [index, held if reads else np.ones(index.size, dtype)])

    def reduce_scatter(self, found: Any, monoid: Any, allowed: Allowed | None = None) -> Any:
        """The part of this process of a vector to which every process has found something, folded
        by ⊕. It need not be right where it is not `allowed` to be written.
        """
        shape = self.part_shape(found.shape)
        if self.vector_exchange is not None:
            with self.devices.exchanging(2):
                store = self.vector_exchange.reduce_scatter(
                    found._store, monoid, self._counts, self.comm.agree
                )
            return self.handle(store, shape, found.dtype)
        (n,), (row, values) = found.shape, self.listed(found)
        come = self._to_owners(n, row, values, allowed)
        if come is None and allowed is not None:
            kept = allowed.at(row)
            come = self._to_owners(n, row[kept], values[kept])
        assert come is not None
        out = self.empty(shape, found.dtype)
        for data in come:
            out(monoid.binary) << self.unpacked(data, shape, found.dtype)
        return out

    def _to_owners(
        self, n: int, row: np.ndarray, values: np.ndarray, allowed: Allowed | None = None
    ) -> list[np.ndarray] | None:
        """Send the entries of a vector of size n to their owners; the result is what each process
        has sent to this one, packed. None if it pays to ask first which of them are `allowed`.
        """
        parts = self.dealt_vector(n, row, values)
        if allowed is None:
            return self.comm.all_to_all(parts)
        sent = sum(part.size for part in parts) - parts[self.rank].size
        return self.comm.all_to_all_if(parts, allowed.gain(sent), lambda total: total <= 0)

    def unpacked(self, data: np.ndarray, shape: Shape, dtype: np.dtype) -> Any:
        """A vector of the local backend from its packed entries."""
        store = self.local.build_vector(shape[0], *vector_of(data, shape[0], dtype))
        return self.handle(store, shape, dtype)

    def dealt_vector(self, n: int, row: np.ndarray, values: np.ndarray) -> list[np.ndarray]:
        """What goes to each process of the entries of a vector of size n, packed."""
        sizes = [len(range(rank, n, self.size)) for rank in range(self.size)]
        if row.size == n:
            parts = [[row[r :: self.size], values[r :: self.size]] for r in range(self.size)]
        else:
            place, to = np.divmod(row, self.size)
            parts = self._divided(to, [place, values])
        return [of_vector(row, held, size) for (row, held), size in zip(parts, sizes, strict=True)]

    def _counts(self, mine: Sequence[int]) -> list[int]:
        """A number from each process, to each of which this one has one."""
        received = self.comm.all_to_all([as_bytes(np.array([count], np.int64)) for count in mine])
        return [int(part.view(np.int64)[0]) for part in received]

    def measured(self, part: Any, rows: Any, degrees: Callable[[], np.ndarray]) -> tuple[int, int]:
        """The number of entries of a vector, and of those in these rows of a matrix at its
        positions; `degrees` says how many are in each row.
        """
        if self.vector_exchange is not None:
            return self.vector_exchange.frontier_counts(part._store, rows._store)
        return part.nvals, int(degrees()[self.listed(part)[0]].sum())

    def all_gather_entries(self, arrays: Arrays) -> Arrays:
        """The entries that all processes have, in order, on every process."""
        dtypes = [array.dtype for array in arrays]
        received = self.comm.all_gather(joined(arrays))
        arrays = merged([divided(one, dtypes) for one in received])
        order = np.lexsort(arrays[-2::-1])
        return [array[order] for array in arrays]

    def count(self, part: Any) -> int:
        """The number of entries of all parts."""
        return self.totals(part.nvals)[0]

    def totals(self, *mine: int) -> list[int]:
        """The sums of the numbers of all processes."""
        return self.counts(*mine).sum(0).tolist()  # type: ignore[no-any-return]

    def entries_of(self, matrix: Distributed) -> int:
        """The number of entries of a matrix on all processes. They are counted once: nobody writes
        into the store of a matrix.
        """
        if matrix.entries is None:
            matrix.entries = self.count(matrix.part)
        return matrix.entries

    def counts(self, *mine: int) -> np.ndarray:
        """The numbers of all processes, a row for each."""
        return self.comm.values(np.array(mine, np.int64)).reshape(-1, len(mine))

    def whole(self, store: Distributed) -> Any:
        """The whole vector or matrix, as a container of the local backend of every process."""
        if len(store.shape) == 1:
            return self.whole_vector(store)
        made = on_all_processes(self, store).store(self.local, store.shape, store.symmetric)
        return self.handle(made, store.shape, store.part.dtype)

    def transpose(self, store: Distributed) -> Distributed:
        """The transpose of a matrix, distributed by its own rows. It is made once."""
        if store.symmetric:
            return store
        if store.transpose is None:
            row, column, values = self.listed(store.part)
            shape = store.shape[::-1]
            row = row * self.size + self.rank
            store.transpose = Distributed(
                self.redistribute(shape, [column, row, values]), shape, transpose=store
            )
            self.comm.note_kept(lambda: setattr(store, "transpose", None))
        return store.transpose
