"""The strongly connected components among few vertices, by one cooperative kernel (see
scc_coloring.cuh)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.gpu.closure.persistent import COUNT, ITEM, CounterPool
from lagraph_gpu.gpu.closure.rounds import SLOT
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.fused.peeling import HOST, KERNEL
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceVector, words
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning.trace import explaining, record_choice, record_time
from semirings import types
from semirings.types import INT64

SCC_COLORING = "fused/scc_coloring.cuh"

BLOCK = constants.SCC_BLOCK
"""The largest number of threads in a block."""

MAX_EDGES = 1 << 17
"""Vertices count as few if their rows have at most so many entries."""

PASSES = 512
"""After so many passes over the edges the general algorithm is as fast."""

ROUNDS = constants.SCC_ROUNDS

REASON = "{rounds} rounds; none where rows have too many entries, or paths are too long"


class SccColoring(BackendPart):
    """Lowers ``pivots``. The fields are for tests."""

    max_edges, passes = MAX_EDGES, PASSES

    def pivots(self, ranks: Vector, A: Matrix, induced: bool = False) -> Vector | None:
        """None if vertices are not few, if paths are long, or if no kernel can be resident. Waits
        once if the kernel is tried."""
        rank: DeviceVector = ranks._store
        device, n = self.device, rank.size
        rows = self.backend.matrices.plain(A)
        thinned_out = self.max_edges < rows.nnz <= 2 * n  # only edges of vertices that are left
        if rows.nnz == 0 or thinned_out or rank.full or rank.dtype != INT64:
            return None
        counters, scratch = self._scratch()
        counts = counters.take()
        made = DeviceVector(n, INT64, device.empty(words(n), WORD), device.empty(n, INT64))
        stop = device.stopwatch() if explaining() else None
        fits = self.backend.launch_resident(
            SCC_COLORING, "", f"scc_coloring<{types.c_name(rows.offset)}>", BLOCK, np.int32(n),
            rank.bits,
            rank.values, rows.indptr, rows.indices, np.uint32(self.max_edges),
            np.uint32(self.passes),
            *device.reserve((n, INDEX)), *scratch, made.bits, made.values, counts, each=1,
        )  # fmt: skip
        rounds = fits and int(device.download(counts[ROUNDS : ROUNDS + 1])[0])  # synchronize!
        if stop is not None:
            record_choice(
                "few strong components", KERNEL if rounds else HOST, REASON, rounds=int(rounds)
            )
            record_time(stop())  # synchronize!
        return self.backend.as_vector(made) if rounds else None

    def _scratch(self) -> tuple[CounterPool, tuple[DeviceArray, ...]]:
        """The counters, and memory for the listed vertices and edges."""
        kept, device = self._own.on[self.device.stream], self.device
        if kept.get("max_edges") != self.max_edges:
            kinds = (INDEX, COUNT, COUNT, COUNT, WORD, ITEM)
            kept["arrays"] = tuple(device.empty(self.max_edges, kind) for kind in kinds)
            kept["counters"] = CounterPool(SLOT, lambda size: device.zeros(size, COUNT))
            kept["max_edges"] = self.max_edges
        return kept["counters"], kept["arrays"]
