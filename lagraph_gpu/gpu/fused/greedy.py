"""The result of a greedy pass over the vertices by falling rank, by one cooperative kernel and
without a wait.

It is an independent set (greedy_mis.cuh) or a colouring (greedy_coloring.cuh), for which only the
vertices with long rows are sorted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.gpu.closure.persistent import COUNT, CounterPool
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.fused.peeling import record_fit
from lagraph_gpu.gpu.storage.vector_storage import INDEX, WORD, DeviceVector
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning.trace import explaining
from semirings import types
from semirings.types import BOOL, INT64

GREEDY_MIS = "fused/greedy_mis.cuh"
GREEDY_COLORING = "fused/greedy_coloring.cuh"

FIT_BLOCK, SHORT_BLOCK = constants.FIT_BLOCK, constants.SHORT_BLOCK
MIS_BLOCK = constants.MIS_BLOCK
"""The largest number of threads in a block."""

LONGEST = 1024
"""A vertex with more neighbours is coloured by a block."""

WORDS = 32
"""The number of words, of 32 colours each, that a warp tries at a time."""


class Greedy(BackendPart):
    """Lowers ``greedy_independent_set`` and ``greedy_coloring``. The fields are for tests."""

    most, longest, words, bins = constants.LONG_DEGREE - 1, LONGEST, WORDS, False

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

    def coloring(self, ranks: Vector, A: Matrix, by_degree: bool = False) -> Vector | None:
        """None as for ``independent_set``, or if n = 0. Waits once for a matrix, for the length of
        its longest row."""
        rank: DeviceVector = ranks._store
        device, n = self.device, rank.size
        if n == 0 or not rank.full or rank.dtype != INT64:
            return None
        rows, launch = self.backend.matrices.plain(A), self.backend.launch
        offset, number = types.c_name(rows.offset), rows.offset.type
        longest = self.backend.products.bound_rows(rows, self.most)
        count = min(n, rows.nnz // (self.most + 1)) if longest > self.most else 0
        struct, source, given = self.backend.reductions.source(rank)
        stop = device.stopwatch() if explaining() else None
        made, room = DeviceVector.to_fill(device, n, INT64), n + 2 * device.max_blocks * FIT_BLOCK
        bits, colour = made.parts
        known, *queues = device.reserve((n, COUNT), (room, INDEX), (room, COUNT), (room, COUNT))
        vertices = device.empty(count, INDEX) if count else None
        keys = device.full(count, -1, INT64) if count else None
        counts = device.zeros(4, COUNT) if count else None
        launch(GREEDY_COLORING, struct, f"line_up<{offset}, {source}>", n, np.int32(n),
               number(self.most), number(self.longest), np.int32(by_degree), rows.indptr, known,
               bits, colour, vertices, keys, counts, *given)  # fmt: skip
        order: Any = None
        if self.bins:
            order, degrees = device.empty(n, INDEX), device.zeros(2 * constants.LONG_DEGREE, COUNT)
            head = np.int32(n), number(self.most), rows.indptr, degrees
            launch(GREEDY_COLORING, "", f"count_degrees<{offset}>", n, *head)
            launch(GREEDY_COLORING, "", f"list_by_degree<{offset}>", n, *head,
                   degrees[constants.LONG_DEGREE :], order)  # fmt: skip
        state = np.int32(n), number(self.most), rows.indptr, rows.indices, order, known, colour
        long_rows: tuple[Any, ...] = ()
        if keys is not None:
            long_rows = device.empty(count, INDEX), counts
            launch(GREEDY_COLORING, "", "list_long", count, np.int32(count), np.int32(by_degree),
                   device.argsort(keys), vertices, long_rows[0], known, counts)  # fmt: skip
        fits = True
        for name, block, arguments, least in self._parts(offset, long_rows, queues, by_degree):
            fits = fits and self.backend.launch_resident(
                GREEDY_COLORING, "", name, block, state, *arguments, least=least
            )
        record_fit("a colouring", fits, "each vertex waits for the neighbours before it", stop)
        made.full = True
        return self.backend.as_vector(made) if fits else None

    def _parts(
        self, offset: str, long_rows: tuple[Any, ...], queues: list[Any], by_degree: bool
    ) -> list[tuple[str, int, tuple[Any, ...], int]]:
        """The kernels that colour, one after another: the name, the threads of a block, the
        arguments and the least number of blocks of each. By degree long rows come before short
        ones."""
        words = f"{offset}, {self.words}"
        short = f"color_short_rows<{offset}>", SHORT_BLOCK, (tuple(queues),), 1
        if not long_rows:
            return [short]
        if by_degree:
            return [(f"color_long_rows<{words}>", FIT_BLOCK, long_rows, 2), short]
        return [(f"color_rows<{words}>", FIT_BLOCK, (*long_rows, tuple(queues)), 3)]
