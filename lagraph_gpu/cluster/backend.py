"""The cluster backend: the port, with stores that are distributed over processes.

All processes run the same program. Each function of the port is called by all of them, with the
same operands, and what it returns on the host is the same on all.
"""

from __future__ import annotations

import atexit
import functools
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np

from lagraph_gpu.backend import Backend, DistributedBackend, Entries, Rows, Storage, default, named
from lagraph_gpu.backend_distributed import TRANSPORTS, LocalBackend
from lagraph_gpu.cluster.communicator import Communicator
from lagraph_gpu.cluster.defaults import WithDefault
from lagraph_gpu.cluster.distributed_store import Distributed
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cluster.failed_calls import guard_all_calls
from lagraph_gpu.cluster.gathered import gathered_on
from lagraph_gpu.cluster.ids_in_use import InUse
from lagraph_gpu.cluster.launcher import transport
from lagraph_gpu.cluster.lowerings import lowerings
from lagraph_gpu.cluster.placed_entries import on_all_processes
from lagraph_gpu.cluster.root import OF_CLOSURES, OF_OPERATIONS, Whole, plan
from lagraph_gpu.cluster.statement_text import brief_text, statement_text
from lagraph_gpu.cluster.statements import execute
from lagraph_gpu.convert.compressed_rows import LISTING_HELPS
from lagraph_gpu.errors import BackendUnavailable
from lagraph_gpu.graph.facts import FACT_OBSERVERS
from lagraph_gpu.memory import Needs, expect_room, guard_methods
from lagraph_gpu.notation.checks import SEED_SOURCES
from lagraph_gpu.notation.expressions import Shape
from lagraph_gpu.notation.update import Update
from lagraph_gpu.reporting import SHOWN
from semirings import types

Class = TypeVar("Class", bound=type)

NAME = "cluster"

OF_ONE = "synchronize", "stopwatch"
"""Functions of the port that concern the device of one process alone: nobody waits for others."""


def make() -> Backend:
    """The backend of this process, which works with all others that `mpiexec` has started. Without
    others it is one like the local backend.
    """
    found = transport()
    if found is None:
        where = stated(lambda mine: [mine])[0]
        alone = default() if where is None else named(where)
        return cast(LocalBackend, alone).renamed(NAME)
    os.environ.setdefault("LAGRAPH_LOCAL_RANK", str(found.local_rank))
    SHOWN.in_lines = found.rank == 0
    comm = Communicator(found, checks=os.environ.get("LAGRAPH_CLUSTER_CHECK") == "1")
    with comm.statement():
        where, _ = stated(comm.texts)
        local = local_backend(comm, where)
        nearer = getattr(local, "transport_on_host", None)
        if nearer is not None:
            comm.transport = nearer(found)
        made: DistributedBackend = ClusterBackend(comm, local)
    atexit.register(comm.end_program)
    SEED_SOURCES.append(comm.seeds())
    return made


STATED = {"LAGRAPH_LOCAL_BACKEND": ("cpu", "gpu"), "LAGRAPH_CLUSTER_TRANSPORT": TRANSPORTS}
"""The variables of the environment that choose something, and what they may be."""


def stated(
    of_all: Callable[[str], list[str]], environment: Mapping[str, str] = os.environ
) -> list[str | None]:
    """What each variable of `STATED` is, which is the same in all processes; None if it is not set.
    Raises BackendUnavailable in all if one of them has another value, or none that there is.
    `of_all` tells the text of each process."""
    found: list[str | None] = []
    for variable, allowed in STATED.items():
        values = of_all(environment.get(variable, ""))
        if len(set(values)) > 1:
            raise BackendUnavailable(
                f"expected the same {variable} in all processes, got {sorted(set(values))}; let "
                "mpiexec pass it on, or set it in none of them"
            )
        if values[0] and values[0] not in allowed:
            names = f"{', '.join(map(repr, allowed[:-1]))} or {allowed[-1]!r}"
            raise BackendUnavailable(f"expected {variable} as {names}, got {values[0]!r}")
        found.append(values[0] or None)
    return found


guard_all_calls()


def note_kept(backend: Backend, forget: Callable[[], Any]) -> None:
    """Note a fact that a graph keeps, if its backend is a cluster."""
    if isinstance(backend, ClusterBackend):
        backend.distribution.comm.note_kept(forget)


FACT_OBSERVERS.append(note_kept)


def local_backend(comm: Communicator, where: str | None) -> Backend:
    """The backend of that name; without one the GPU if it works in every process, else the CPU."""
    if where is not None:
        return named(where)
    mine = default()
    names = comm.texts(mine.name)
    return mine if len(set(names)) == 1 else named("cpu")


def collective(cls: Class) -> Class:
    """Make the public functions of a class collective: all processes call them."""

    def one(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def statement(self: Any, *args: Any, **named: Any) -> Any:
            comm = self.distribution.comm
            with comm.statement(functools.partial(brief_text, function.__name__, args)):
                if comm.checks:
                    comm.expect_same(statement_text(function.__name__, args, named))
                return function(self, *args, **named)

        return statement

    for name, member in list(vars(cls).items()):
        if callable(member) and not name.startswith("_") and name not in OF_ONE:
            setattr(cls, name, one(member))
    return cls


@collective
@guard_methods
class ClusterBackend:
    """Implements ``lagraph_gpu.backend.Backend`` with distributed stores."""

    name = NAME
    storage: Storage = "distributed"
    stores_pickle = True

    def __init__(self, comm: Communicator, local: Backend) -> None:
        self.distribution = Distribution(comm, local)
        self.local = local
        self.large_graphs = self.distribution.large_graphs
        self.exchange = ClusterExchange(self.distribution)
        self.lowerings = lowerings(comm)

    def __reduce__(self) -> tuple[Any, ...]:
        return named, (self.name,)  # a pickle or a copy is the backend of the process

    # --- stores ------------------------------------------------------------------------------
    def empty(self, shape: Shape, dtype: np.dtype) -> Distributed:
        return Distributed(
            self.distribution.empty(self.distribution.part_shape(shape), dtype), shape
        )

    def build_vector(self, size: int, indices: np.ndarray, values: np.ndarray) -> Distributed:
        mine = self.distribution.owns(indices)
        (own,) = self.distribution.part_shape((size,))
        part = self.local.build_vector(own, indices[mine] // self.distribution.size, values[mine])
        return Distributed(self.distribution.handle(part, (own,), values.dtype), (size,))

    def build_matrix(
        self,
        shape: Shape,
        rows: Rows,
        symmetric: bool = False,
        iso: bool = False,
        adopt: bool = False,
    ) -> Distributed:
        indptr, indices, values = rows
        degrees = np.diff(indptr)
        mine = np.repeat(self.distribution.owns(np.arange(shape[0])), degrees)
        of_own = degrees[self.distribution.rank :: self.distribution.size]
        begins = np.append(0, np.cumsum(of_own))
        own = self.distribution.part_shape(shape)
        rows = begins, indices[mine], values if iso else values[mine]
        part = self.local.build_matrix(own, rows, iso=iso)
        return Distributed(self.distribution.handle(part, own, values.dtype), shape, symmetric)

    def build_coordinates(
        self,
        shape: Shape,
        row: np.ndarray,
        column: np.ndarray,
        values: np.ndarray,
        iso: bool = False,
    ) -> Distributed:
        mine, own = self.distribution.owns(row), self.distribution.part_shape(shape)
        held = values if iso else values[mine]
        part = self.local.build_coordinates(
            own, row[mine] // self.distribution.size, column[mine], held, iso
        )
        return Distributed(self.distribution.handle(part, own, values.dtype), shape)

    def concat(self, tiles: list[list[Distributed]], shape: Shape, dtype: np.dtype) -> Distributed:
        parts = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, dtype))]
        top = 0
        for line in tiles:
            begin = 0
            for tile in line:
                row, column, values = self.distribution.listed(tile.part)
                row = row * self.distribution.size + self.distribution.rank + top
                parts.append((row, column + begin, types.cast(values, dtype)))
                begin += tile.shape[1]
            top += line[0].shape[0]
        arrays = [np.concatenate(part) for part in zip(*parts)]
        return Distributed(self.distribution.redistribute(shape, arrays), shape)

    def resized(self, store: Distributed, shape: Shape, within: bool) -> Distributed | None:
        own = self.distribution.part_shape(shape)
        part = self.local.resized(store.part._store, own, within)
        if part is None:
            return None
        return Distributed(self.distribution.handle(part, own, store.part.dtype), shape)

    def declare_symmetric(self, store: Distributed) -> Distributed:
        kept, whole = {}, store.kept.get(Whole)
        if whole is not None:
            A = whole.A
            held = None if A is None else self.local.declare_symmetric(A._store)
            again = None if A is None else self.distribution.handle(held, A.shape, A.dtype)
            kept[Whole] = Whole(again)
        return replace(store, symmetric=True, transpose=None, kept=kept)

    def declare_transposes(self, A: Distributed, B: Distributed) -> None:
        A.transpose, B.transpose = B, A

    def copy(self, store: Distributed) -> Distributed:
        if isinstance(store, WithDefault):
            return store.copy()
        return Distributed(store.part.dup(), store.shape, store.symmetric)

    def recast(self, store: Distributed, dtype: Any) -> None:
        return None

    # --- reading -----------------------------------------------------------------------------
    def holds_one_value(self, store: Distributed) -> None:
        return None

    def nvals(self, store: Distributed) -> int:
        if len(store.shape) == 2:
            return self.distribution.entries_of(store)
        return self.distribution.totals(store.nvals)[0]

    def vector_entries(self, store: Distributed) -> Entries:
        place, values = self.distribution.listed(store.part)
        arrays = self.distribution.gathered_vector(store, place, values)
        assert arrays is not None
        index, values = arrays
        return index, values

    def vector_get(self, store: Distributed, index: int) -> Any:
        return self._from_owner(store, index, store.get)

    def matrix_entries(self, store: Distributed) -> Rows:
        expect_room(16 * store.shape[0], f"the offsets of {store.shape[0]:,} rows", LISTING_HELPS)
        placed = on_all_processes(self.distribution, store)
        return placed.offsets(store.shape[0]), placed.column.astype(np.int64), placed.values

    def matrix_coordinates(self, store: Distributed) -> Rows:
        placed = on_all_processes(self.distribution, store)
        return placed.row_of_each(), placed.column.astype(np.int64), placed.values

    def matrix_get(self, store: Distributed, row: int, column: int) -> Any:
        return self._from_owner(store, row, lambda place: store.part.get(place, column))

    def gathered_on(self, root: int, store: Distributed, target: Backend) -> Any | None:
        """The whole vector or matrix as a store of another backend, on process `root` alone; None
        on all others."""
        return gathered_on(self.distribution, store, root, target)

    def _from_owner(self, store: Distributed, row: int, get: Callable[[int], Any]) -> Any:
        """An entry of a row, sent to all processes by the owner of the row."""
        found = get(row // self.distribution.size) if self.distribution.owns(row) else None
        mine = np.array([] if found is None else [found], store.dtype)
        values = self.distribution.comm.values(mine)
        return values[0].item() if values.size else None

    def vector_ends(self, store: Distributed, first: int, last: int) -> Entries:
        index, values = self._ends(store, first, last, self.local.vector_ends)
        return index, values

    def matrix_ends(self, store: Distributed, first: int, last: int) -> Rows:
        row, column, values = self._ends(store, first, last, self.local.matrix_ends)
        return row, column, values

    def _ends(self, store: Distributed, first: int, last: int, ends: Callable[..., Any]) -> Any:
        """The first and the last entries of all, which are among those of the parts."""
        if isinstance(store, WithDefault):
            row, *rest = store.ends(first, last)
        elif store.part.nvals < first + last:
            row, *rest = self.distribution.listed(store.part)
        else:
            row, *rest = ends(store.part._store, first, last)
        arrays = self.distribution.all_gather_entries(
            [row * self.distribution.size + self.distribution.rank, *rest]
        )
        return [np.append(array[:first], array[array.size - last :]) for array in arrays]

    def matrix_cells(self, store: Distributed, scale: int, most: int) -> np.ndarray:
        cells = self.local.matrix_cells(
            store.part._store, 1, max(1, most // self.distribution.size)
        )
        row, column = cells.T
        arrays = self.distribution.all_gather_entries(
            [row * self.distribution.size + self.distribution.rank, column]
        )
        return np.stack(arrays, 1) // scale

    # --- questions ---------------------------------------------------------------------------
    def matrix_bytes(self, store: Distributed) -> int:
        """With what the root keeps of the whole matrix, and all for products with vectors."""
        mine = self.local.matrix_bytes(store.part._store)
        mine += sum(one.nbytes for one in store.kept.values())
        if store.ranked is not None:
            rows, columns, part = store.ranked
            mine += rows.nbytes + columns.nbytes + self.local.matrix_bytes(part._store)
        return int(self.distribution.comm.values(np.array([mine])).sum())

    def free_bytes(self) -> int | None:
        """The free memory of the process that has least, since many results lie on each."""
        mine = self.local.free_bytes()
        counts = self.distribution.comm.values(np.array([] if mine is None else [mine], np.int64))
        return int(counts.min()) if counts.size == self.distribution.size else None

    def shared_bytes(self, n: int) -> int:
        """How many bytes more the processes of one host would open to each other for a search of a
        graph with n vertices."""
        loops = self.distribution.shared_memory_loops
        return 0 if loops is None else loops.shared_bytes(n)

    def plan_of_root(
        self, store: Distributed, needs: Needs, ranked: bool
    ) -> tuple[bool, int, int | None]:
        """Whether the root would carry out operations of a call on a matrix, under the ranks of the
        ids in use or not; how many bytes it takes for that, and how many are free."""
        form, workspace = (InUse, OF_CLOSURES) if ranked else (Whole, OF_OPERATIONS)
        answer = plan(self.distribution, [store], workspace, form, needs)
        return answer.fits, answer.needed, answer.free

    def expect_values_fit(self, n: int, each: int, what: str) -> None:
        """Raises TooLarge if a process has not so many bytes for each of its vertices, of n in all,
        beside what others of its host take for theirs."""
        (own,) = self.distribution.part_shape((n,))
        expect_room(
            each * own, f"the values of {what} at {own:,} vertices of each process",
            "take more hosts, or number those vertices anew that have edges",
            each * own * self.distribution.comm.transport.local_size,
        )  # fmt: skip

    def stopwatch(self) -> Callable[[], float | None]:
        return self.local.stopwatch()

    def synchronize(self, *stores: Distributed) -> None:
        self.local.synchronize(*(store.held._store for store in stores))

    def run(self, update: Update) -> None:
        execute(self.distribution, update)


@collective
class ClusterExchange:
    """Implements ``lagraph_gpu.backend.Exchange`` with whole containers of the local backend, of
    which each process makes one, or takes its part.
    """

    def __init__(self, distribution: Distribution) -> None:
        self.distribution, self._local = distribution, distribution.local.exchange

    def adopt_vector(self, values: Any, missing: Any, dtype: Any, copy: bool) -> Distributed:
        return self._part(self._local.adopt_vector(values, missing, dtype, copy))

    def adopt_matrix(
        self, indptr: Any, indices: Any, values: Any, dtype: Any, ncols: int, copy: bool
    ) -> Distributed:
        return self._part(self._local.adopt_matrix(indptr, indices, values, dtype, ncols, copy))

    def adopt_dense(self, values: Any, missing: Any, dtype: Any) -> Distributed:
        return self._part(self._local.adopt_dense(values, missing, dtype))

    def _part(self, store: Any) -> Distributed:
        """A part of a store that every process has."""
        shape = getattr(store, "shape", None) or (store.size,)
        return self._local_rows(store, shape, store.dtype)

    def _local_rows(self, store: Any, shape: Shape, dtype: np.dtype) -> Distributed:
        whole = self.distribution.handle(store, shape, dtype)
        return Distributed(self.distribution.in_local_shape(whole).dup(), shape)

    def _whole(self, store: Distributed) -> Any:
        return self.distribution.whole(store)._store

    def vector_entries(self, store: Distributed) -> tuple[Any, Any]:
        return self._local.vector_entries(self._whole(store))

    def vector_dense(self, store: Distributed, fill: Any, dtype: np.dtype) -> Any:
        return self._local.vector_dense(self._whole(store), fill, dtype)

    def vector_values(self, store: Distributed) -> Any:
        return self._local.vector_values(self._whole(store))

    def matrix_rows(self, store: Distributed, one_type: bool = False) -> tuple[Any, Any, Any]:
        return self._local.matrix_rows(self._whole(store), one_type)

    def matrix_sparse(self, store: Distributed) -> Any:
        return self._local.matrix_sparse(self._whole(store))

    def dlpack_device(self) -> tuple[int, int]:
        return self._local.dlpack_device()

    def wrap(self, thing: Any) -> tuple[Distributed, Shape, np.dtype]:
        store, shape, dtype = self._local.wrap(thing)
        return self._local_rows(store, shape, dtype), shape, dtype

    def unwrap(self, store: Distributed) -> Any:
        return self._local.unwrap(self._whole(store))
