"""The triangles of a graph whose rows are short, by one kernel over its rows as they are (see
short_row_triangles.cuh)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.labels import zero_filled
from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.planning.trace import explaining, record_choice
from lagraph_gpu.planning.triangles import SHORT_ROW, short_rows
from semirings import types

SHORT_ROW_TRIANGLES = "fused/short_row_triangles.cuh"

WORDS = 4096
"""The words of a block's filters, 16,384 bits for each of eight warps."""

SIDE = 4
"""So many lanes read as many neighbouring columns."""

MARKS = 512
"""A warp takes as many rows at a time as have so many entries on average, of which it marks half:
one bit in 64."""

MOST_ROWS, LEAST_ROWS = 32, 4
"""The most rows and the fewest that a warp takes. A lane keeps where one of them is."""

REASON = "no row has more than {longest} of {entries} entries"


class ShortRowTriangles(BackendPart):
    """Lowers ``total_triangles`` and ``vertex_triangles``. The fields are for tests.

    Both have nothing for compact containers, and where rows are long. They wait once if nobody has
    counted the longest row of this matrix yet.
    """

    words, marks = WORDS, MARKS

    def total_triangles(self, G: Graph) -> int | None:
        """Waits for the number."""
        if (A := self._short_rows(G)) is None:
            return None
        total = self.device.zeros(1, np.uint64)
        self._count(A, total, None)
        return int(self.device.download(total)[0])  # synchronize!

    def vertex_triangles(self, G: Graph) -> Vector | None:
        if (A := self._short_rows(G)) is None:
            return None
        counted = zero_filled(Vector("INT64", G.n, backend=self.backend), "INT64")
        self._count(A, None, counted._store.values)
        return counted

    def _short_rows(self, G: Graph) -> DeviceMatrix | None:
        """The neighbours of each vertex, perhaps with itself, if all rows are short."""
        if G.n >= self.backend.compact.limit:
            return None
        A = self.backend.matrices.plain(G.neighbours if G.directed else G.A)
        longest = self.backend.products.bound_rows(A, SHORT_ROW)  # synchronize!
        if not short_rows(longest, A.nnz, G.n):
            return None
        if explaining():
            record_choice("triangles", "in one kernel", REASON, longest=longest, entries=A.nnz)
        return A

    def _count(
        self, A: DeviceMatrix, total: DeviceArray | None, of_vertex: DeviceArray | None
    ) -> None:
        if A.nnz == 0:
            return
        backend, block, n = self.backend, self.device.block_size, A.shape[0]
        name = f"short_row_triangles<{types.c_name(A.offset)}, {SIDE}, {self.words}>"
        key = SHORT_ROW_TRIANGLES, "", name
        each = max(LEAST_ROWS, min(MOST_ROWS, self.marks * n // A.nnz))
        needed = -(-n // (each * (block // 32)))
        backend.launch(
            *key, 0, np.int32(n), np.int32(each), A.indptr, A.indices, total, of_vertex,
            blocks=min(needed, backend.resident_blocks(backend.kernel(*key), block)),
        )  # fmt: skip
