"""The result of a greedy pass over the vertices by falling rank, by one cooperative kernel and
without a wait.

It is an independent set (greedy_mis.cuh) or, after two sorts, a colouring (greedy_coloring.cuh).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.gpu.closure.persistent import COUNT, CounterPool
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.fused.peeling import record_fit
from lagraph_gpu.gpu.storage.vector_storage import INDEX, WORD, DeviceVector
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning.trace import explaining
from semirings import types
from semirings.types import BOOL, INT64, UINT8

GREEDY_MIS = "fused/greedy_mis.cuh"
GREEDY_COLORING = "fused/greedy_coloring.cuh"

FIT_BLOCK, MIS_BLOCK = constants.FIT_BLOCK, constants.MIS_BLOCK
"""The largest number of threads in a block."""

CLASSES = constants.CLASSES
"""The number of classes of vertices by degree. Each class needs a block."""

LONGEST = 1024
"""A vertex with more neighbours is coloured by a block."""

WORDS = 32
"""The number of words, of 32 colours each, that a warp tries at a time."""


class Greedy(BackendPart):
    """Lowers ``greedy_independent_set`` and ``greedy_coloring``. The fields are for tests."""

    longest, words = LONGEST, WORDS

    def independent_set(self, ranks: Vector, A: Matrix) -> Vector | None:
        """None if some vertex has no rank, or if no kernel can be resident."""
        rank: DeviceVector = ranks._store
        device, n = self.device, rank.size
        if not rank.full or rank.dtype != INT64:
            return None
        rows = self.backend.matrices.plain(A)
        struct, source, given = self.backend.reductions.source(rank)
        chosen, room = DeviceVector.to_fill(device, n, BOOL), n + 2 * device.max_blocks * MIS_BLOCK
        name = f"greedy_mis<{types.c_name(rows.offset)}, {source}>"
        stop = device.stopwatch() if explaining() else None
        fits = self.backend.launch_resident(
            GREEDY_MIS, struct, name, MIS_BLOCK, np.int32(n), rows.indptr, rows.indices,
            *device.reserve((max(1, n), WORD), (room, INDEX), (room, rows.offset)),
            *chosen.parts, *self._arrivals(), *given,
        )  # fmt: skip
        record_fit("an independent set", fits, "each warp goes over its own vertices", stop)
        return self.backend.as_vector(chosen) if fits else None

    def _arrivals(self) -> tuple[DeviceArray, np.int32]:
        """An array of words, and the index of one that is 0. Many are cleared at a time."""
        kept = self._own.on[self.device.stream]
        if not kept:
            kept["strip"] = CounterPool(1, lambda size: self.device.zeros(size, WORD))
        slot = kept["strip"].slot()
        return kept["strip"].words, slot

    def coloring(self, ranks: Vector, A: Matrix) -> Vector | None:
        """None as for ``independent_set``, or if n = 0."""
        rank: DeviceVector = ranks._store
        device, n = self.device, rank.size
        if n == 0 or not rank.full or rank.dtype != INT64:
            return None
        rows, launch = self.backend.matrices.plain(A), self.backend.launch
        stop = device.stopwatch() if explaining() else None
        colour = DeviceVector(n, INT64, device.copy(rank.bits), device.empty(n, INT64), full=True)
        rising = device.argsort(rank.values)
        known, classes = device.empty(n, COUNT), device.empty(n, UINT8)
        counts, offset = device.zeros(2 * CLASSES, COUNT), types.c_name(rows.offset)
        launch(GREEDY_COLORING, "", f"line_up<{offset}>", n, np.int32(n),
               rows.offset.type(self.longest), rows.indptr, rising, known, classes, colour.values,
               counts)  # fmt: skip
        by_class = device.argsort(classes)
        fits = self.backend.launch_resident(
            GREEDY_COLORING, "", f"greedy_coloring<{offset}, {self.words}>", FIT_BLOCK, np.int32(n),
            rows.indptr, rows.indices, rising, by_class, known, colour.values, counts,
            least=CLASSES,
        )  # fmt: skip
        record_fit("a colouring", fits, "each vertex waits for the neighbours before it", stop)
        return self.backend.as_vector(colour) if fits else None
