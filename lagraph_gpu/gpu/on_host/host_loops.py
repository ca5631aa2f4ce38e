"""Operations by the compiled loops of the host.

A depth-first search takes one step after another, and so does whatever looks for one path at a
time. On a device that is a thread that walks alone, or a wait for each of thousands of short steps.
So the rows are copied to the host, where they stay for later calls; the backend of the host carries
out the operation, by its lowering or by the statements; and the result is copied to the device
(decision 0269).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakSet

import numpy as np

from lagraph_gpu.algorithms.paths.path import ancestors
from lagraph_gpu.algorithms.structure.bipartite import largest_matching
from lagraph_gpu.algorithms.traversal.bfs_queue import bfs_queue
from lagraph_gpu.algorithms.traversal.dfs import depth_first
from lagraph_gpu.algorithms.traversal.random_walks import walks
from lagraph_gpu.backend import Backend, named
from lagraph_gpu.errors import BackendUnavailable, TooLarge
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.gpu.storage.matrix_storage import Pattern
from lagraph_gpu.graph import Graph
from lagraph_gpu.memory import HOST_RECLAIMERS, expect_room
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.host_memory import larger_backend
from lagraph_gpu.notation.operation import Operation, lowering
from lagraph_gpu.planning.trace import record_choice
from semirings.types import BOOL, INT64

ON_HOST = "on the host"
ONE_BY_ONE = "each step needs what the last has found"

FEW_WALKERS = "few walkers leave a GPU idle in each step"

LEAST = 1 << 15
"""The number of vertices and entries from which a depth-first search moves to the host's backend:
Python walks over fewer in less time than the import of that backend takes."""

MOST_WALKERS = 1 << 14
"""The host moves so many walkers by a step in less time than a GPU needs for the statements of a
step: 21 ms for 20 steps on kron16 of 53 by statements on an H200."""

COPIED: WeakSet[Pattern | DeviceMatrix] = WeakSet()
"""What has had a copy on the host."""


def give_back_copies() -> bool:
    """Forget all copies on the host, whose memory is short. Calls that run hold what they use. True
    if there were any."""
    held = [of for of in COPIED if of.on_host is not None]
    for of in held:
        of.on_host = None
    return bool(held)


HOST_RECLAIMERS.append(give_back_copies)


def backend_of_host(_: Backend) -> Backend | None:
    """Lowers ``larger_backend``. None where what the CPU backend needs is not installed."""
    try:
        return named("cpu")
    except BackendUnavailable:
        return None


def by_loop(device: Backend, operation: Operation[Any, Any], *operands: Any, **options: Any) -> Any:
    """The result of the host's lowering for these operands of the host, moved to the device. None
    where it has nothing for them: the host's statements would take many calls."""
    lower = lowering(operation, operands[0])
    return None if lower is None else moved(lower(*operands, **options), device)


def moved(found: Any, device: Backend) -> Any:
    """Containers of the host on the device."""
    if isinstance(found, tuple):
        parts = (moved(part, device) for part in found)
        return tuple(parts) if type(found) is tuple else type(found)(*parts)
    return found.to(device) if isinstance(found, (Vector, Matrix)) else found


class HostLoops(BackendPart):
    """Lowers operations by the backend of the host. The fields are for tests."""

    least, most_walkers = LEAST, MOST_WALKERS

    def depth_first(self, G: Graph, source: int | None) -> tuple[Vector, Vector, Vector] | None:
        """Lowers ``depth_first``. None for a small graph, and where there is no such backend."""
        small = G.n + G.A.nvals < self.least
        if small or (H := self.graph(G)) is None:
            return None
        record_choice("depth-first search", ON_HOST, ONE_BY_ONE)
        return moved(depth_first(H, source), self.backend)  # type: ignore[no-any-return]

    def bfs_queue(
        self, places: Matrix, width: int, start: int
    ) -> Iterator[tuple[np.ndarray, np.ndarray]] | None:
        """Lowers ``bfs_queue``. None where there is no such backend."""
        if (H := self.weighted_graph(Graph._checked(places, directed=True))) is None:
            return None
        record_choice("breadth-first queue", ON_HOST, ONE_BY_ONE)
        return bfs_queue(H.A, width, start)

    def largest_matching(self, G: Graph, side: Vector) -> Vector | None:
        """Lowers ``largest_matching``. None where there is no such backend."""
        if (A := self.pattern(G.neighbours if G.directed else G.A)) is None:
            return None
        record_choice("maximum matching", ON_HOST, ONE_BY_ONE)
        found = largest_matching(Graph._checked(A, directed=False), side.to(A.backend))
        return found.to(self.backend)

    def ancestors(self, parent: Vector, vertex: int) -> list[int] | None:
        """Lowers ``ancestors``: a few are followed on the device, and many on the host. None where
        there is no such backend, and for what is no chain to a root."""
        few = self.backend.exchange.few_ancestors(parent, vertex)
        if few is not None or (host := larger_backend(self.backend)) is None:
            return few
        return by_loop(self.backend, ancestors, parent.to(host), vertex)  # type: ignore[no-any-return]

    def walks(
        self, G: Graph, start: np.ndarray, steps: int, rng: np.random.Generator, weighted: bool
    ) -> Matrix | None:
        """Lowers ``walks``. None for many walkers, and where there is no such backend."""
        if start.size > self.most_walkers:
            return None
        H = self.weighted_graph(G) if weighted else self.graph(G)
        if H is None:
            return None
        record_choice("random walks", ON_HOST, FEW_WALKERS)
        return walks(H, start, steps, rng, weighted).to(self.backend)

    def graph(self, G: Graph) -> Graph | None:
        """The graph without weights on the host. None as ``pattern`` has it."""
        A = self.pattern(G.A)
        return None if A is None else Graph._checked(A, G.directed)

    def pattern(self, A: Matrix) -> Matrix | None:
        """The positions of the entries as a matrix on the host, each with the value True. It is
        kept. None if the host has no backend, or no room."""
        store = A._store
        if not isinstance(store, DeviceMatrix):
            return None
        known = store.pattern
        if known.on_host is None and (host := larger_backend(self.backend)) is not None:
            known.on_host = self._copied(store, host, pattern=True)
            COPIED.add(known)
        return known.on_host

    def weighted_graph(self, G: Graph) -> Graph | None:
        """The graph with its weights on the host, without labels. It is kept. None if the host has
        no backend, or no room."""
        store = G.A._store
        if not isinstance(store, DeviceMatrix):
            return None
        kept = store.on_host
        if kept is not None and kept.directed == G.directed:
            return kept
        if (host := larger_backend(self.backend)) is None:
            return None
        A = self._copied(store, host) if kept is None else kept.A
        if A is None:
            return None
        store.on_host = made = Graph._checked(A, G.directed)
        COPIED.add(store)
        return made

    def _copied(self, store: DeviceMatrix, host: Backend, pattern: bool = False) -> Matrix | None:
        """A copy on the host, or of the positions alone with the value True; None if the host has
        no room for it."""
        download, iso, one = self.device.download, pattern or store.iso, np.ones(1, BOOL)
        each = 2 * INT64.itemsize + (0 if iso else store.dtype.itemsize)
        try:
            expect_room(each * store.nnz + INT64.itemsize * store.shape[0], "a copy of a graph")
        except TooLarge:
            return None
        if store.stays_packed:
            begins, columns, values = self.backend.matrix_entries(store)  # synchronize!
        else:
            begins, columns = download(store.indptr), download(store.indices)  # synchronize!
            values = one if pattern else download(store.values)  # synchronize!
        held = one if pattern else values[: 1 if iso else store.nnz]
        rows = begins.astype(np.int64), columns[: store.nnz], held
        symmetric = store.transposed is store
        return Matrix._built(store.shape, rows, host, symmetric=symmetric, iso=iso, adopt=True)
