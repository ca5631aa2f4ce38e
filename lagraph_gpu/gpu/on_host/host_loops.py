"""Operations by the compiled loops of the host.

A depth-first search takes one step after another, and so does whatever looks for one path at a
time. On a device that is a thread that walks alone, or a wait for each of thousands of short steps.
So the rows are copied to the host, where they stay for later calls; the backend of the host carries
out the operation, by its lowering or by the statements; and the result is copied to the device
(decision 0269).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms.structure.bipartite import largest_matching
from lagraph_gpu.algorithms.traversal.dfs import depth_first
from lagraph_gpu.algorithms.traversal.random_walks import walks
from lagraph_gpu.backend import Backend, named
from lagraph_gpu.errors import BackendUnavailable
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.gpu.storage.matrix_storage import KEPT
from lagraph_gpu.graph import Graph
from lagraph_gpu.graph.facts import copy_for_host
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.host_memory import larger_backend
from lagraph_gpu.planning.trace import record_choice
from semirings.types import BOOL

ON_HOST = "on the host"
ONE_BY_ONE = "each step needs what the last has found"

FEW_WALKERS = "few walkers leave a GPU idle in each step"

LEAST = 1 << 15
"""The number of vertices and entries from which a depth-first search moves to the host's backend:
Python walks over fewer in less time than the import of that backend takes."""

MOST_WALKERS = 1 << 14
"""The host moves so many walkers by a step in less time than a GPU needs for the statements of a
step (not yet measured)."""


def backend_of_host(_: Backend) -> Backend | None:
    """Lowers ``larger_backend``. None where what the CPU backend needs is not installed."""
    try:
        return named("cpu")
    except BackendUnavailable:
        return None


class HostLoops(BackendPart):
    """Lowers operations by the backend of the host. The fields are for tests."""

    least, most_walkers = LEAST, MOST_WALKERS

    def depth_first(self, G: Graph, source: int | None) -> tuple[Vector, Vector, Vector] | None:
        """Lowers ``depth_first``. None for a small graph, and where there is no such backend."""
        small = G.n + G.A.nvals < self.least
        if small or (H := self.graph(G)) is None:
            return None
        record_choice("depth-first search", ON_HOST, ONE_BY_ONE)
        found = depth_first(H, source)
        discovery, parent, finish = (part.to(self.backend) for part in found)
        return discovery, parent, finish

    def largest_matching(self, G: Graph, left: Vector) -> Vector | None:
        """Lowers ``largest_matching``. None where there is no such backend."""
        if (A := self.pattern(G.neighbours if G.directed else G.A)) is None:
            return None
        record_choice("maximum matching", ON_HOST, ONE_BY_ONE)
        found = largest_matching(Graph._checked(A, directed=False), left.to(A.backend))
        return found.to(self.backend)

    def walks(
        self, G: Graph, start: np.ndarray, steps: int, rng: np.random.Generator, weighted: bool
    ) -> Matrix | None:
        """Lowers ``walks``. None for many walkers, and where there is no such backend. A copy of
        the graph with its weights is a fact of the graph."""
        if start.size > self.most_walkers or larger_backend(self.backend) is None:
            return None
        H = G.kept(copy_for_host) if weighted else self.graph(G)
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
        kept. None if the host has no backend."""
        store = A._store
        if not isinstance(store, DeviceMatrix):
            return None
        if (kept := store.pattern.on_host) is not None:
            return kept
        if (host := larger_backend(self.backend)) is None:
            return None
        made = Matrix._built(
            store.shape, (*self._rows(store), np.ones(1, BOOL)), host,
            symmetric=store.transposed is store, iso=True, adopt=True,
        )  # fmt: skip
        store.pattern.on_host = made
        KEPT.add(store.pattern)
        return made

    def _rows(self, store: DeviceMatrix) -> tuple[np.ndarray, np.ndarray]:
        """Offsets (INT64) and columns."""
        if store.stays_packed:
            return self.backend.matrix_entries(store)[:2]  # synchronize!
        begins = self.device.download(store.indptr).astype(np.int64)  # synchronize!
        return begins, self.device.download(store.indices)[: store.nnz]  # synchronize!
