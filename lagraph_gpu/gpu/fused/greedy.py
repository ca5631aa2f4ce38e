"""The result of a greedy pass over the vertices by falling rank, by one cooperative kernel and
without a wait.

It is an independent set (greedy_mis.cuh) or a colouring (greedy_coloring.cuh), for which only the
vertices with long rows are sorted.
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.gpu.closure.persistent import COUNT, CounterPool
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.fused.peeling import record_fit
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning.trace import explaining
from semirings import types
from semirings.types import BOOL, INT64

GREEDY_MIS = "fused/greedy_mis.cuh"
GREEDY_COLORING = "fused/greedy_coloring.cuh"

FIT_BLOCK, SHORT_BLOCK = constants.FIT_BLOCK, constants.SHORT_BLOCK
MIS_BLOCK = constants.MIS_BLOCK
"""The largest number of threads in a block."""

CLASSES = constants.COLORING_CLASSES

SPARSE, EVEN = 8, 8
"""With more neighbours than that on average, vertices that wait in no order read too much again and
again, unless most edges lead to few vertices: the longest row is over so many times as long."""

COUNTS = 2 * CLASSES + 1
"""The counters of a colouring in order."""

LONGEST = 1024
"""A vertex with more neighbours is coloured by a block."""

WORDS = 32
"""The number of words, of 32 colours each, that a warp tries at a time."""


class Greedy(BackendPart):
    """Lowers ``greedy_independent_set`` and ``greedy_coloring``. The fields are for tests."""

    most, longest, words, sparse = constants.LONG_DEGREE - 1, LONGEST, WORDS, SPARSE

    def independent_set(self, ranks: Vector, A: Matrix) -> Vector | None:
        """The greedy independent set in the order of ranks. None if some vertex has no rank, or if
        no kernel can be resident."""
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
            kept["counters"] = CounterPool(1, lambda size: self.device.zeros(size, WORD))
        slot = kept["counters"].slot()
        return kept["counters"].words, slot

    def coloring(self, ranks: Vector, A: Matrix, by_degree: bool = False) -> Vector | None:
        """The greedy colouring in the order of ranks. None if n = 0, if some vertex has no rank, or
        if no kernel can be resident. Waits once for a matrix, for the length of its longest row."""
        rank: DeviceVector = ranks._store
        device, n = self.device, rank.size
        if n == 0 or not rank.full or rank.dtype != INT64:
            return None
        rows, launch = self.backend.matrices.plain(A), self.backend.launch
        offset, number = types.c_name(rows.offset), rows.offset.type
        whole, long = self._in_order(rows, by_degree)
        count = n if whole else min(n, rows.nnz // (self.most + 1)) if long else 0
        struct, source, given = self.backend.reductions.source(rank)
        stop = device.stopwatch() if explaining() else None
        made = DeviceVector.to_fill(device, n, INT64)
        bits, colour = made.parts
        known = device.empty(n, COUNT)
        state = np.int32(n), number(self.most), rows.indptr, rows.indices, known, colour
        listed = device.empty(count, INDEX) if long else None
        keys = device.full(count, -1, INT64) if count else None
        counts = device.zeros(COUNTS, COUNT) if count else None
        launch(GREEDY_COLORING, struct, f"line_up<{offset}, {source}>", n, np.int32(n),
               number(self.most), number(self.longest), np.int32(by_degree), rows.indptr, known,
               bits, colour, listed, keys, counts, *given)  # fmt: skip
        fits = True
        if keys is not None:
            in_order, rising = device.empty(count, INDEX), device.copy(keys)
            device.sort(rising)
            launch(GREEDY_COLORING, "", "list_in_order", count, np.int32(count),
                   np.int32(by_degree), keys, rising, listed, in_order, known, counts)  # fmt: skip
            fits = self.backend.launch_resident(
                GREEDY_COLORING, "", f"color_in_order<{offset}, {self.words}>", FIT_BLOCK, state,
                in_order, counts, least=CLASSES,
            )  # fmt: skip
        if fits and not whole:
            room = n + 2 * device.max_blocks * SHORT_BLOCK
            fits = self.backend.launch_resident(
                GREEDY_COLORING, "", f"color_short_rows<{offset}>", SHORT_BLOCK, state,
                device.empty(room, INDEX),
            )  # fmt: skip
        record_fit("a colouring", fits, "each vertex waits for the neighbours before it", stop)
        made.full = True
        return self.backend.as_vector(made) if fits else None

    def _in_order(self, rows: DeviceMatrix, by_degree: bool) -> tuple[bool, bool]:
        """True for all vertices that are taken in order, or else for those with long rows. Waits
        once for a matrix."""
        longest = self.backend.products.bound_rows(rows, self.most)
        mean = rows.nnz / rows.shape[0]
        whole = mean > self.sparse and longest <= EVEN * mean
        whole = whole or (longest > self.most and not by_degree)
        return whole, not whole and longest > self.most
