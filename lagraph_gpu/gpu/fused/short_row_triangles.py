"""The number of triangles of a graph whose rows are short, by one kernel over its rows as they are
(see short_row_triangles.cuh)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.graph import Graph
from lagraph_gpu.planning.trace import explaining, record_choice
from lagraph_gpu.planning.triangles import SHORT_ROW, short_rows
from semirings import types

SHORT_ROW_TRIANGLES = "fused/short_row_triangles.cuh"

WORDS = 4096
"""The words of a block's filters, 16,384 bits for each of eight warps."""

MARKS = 512
"""A warp takes as many rows at a time as have so many entries on average, of which it marks half:
one bit in 64."""

MOST_ROWS, LEAST_ROWS = 32, 4
"""The most rows and the fewest that a warp takes: one for each lane, and as many as it reads at
once."""

REASON = "no row has more than {longest} of {entries} entries"


class ShortRowTriangles(BackendPart):
    """Lowers ``total_triangles``. The fields are for tests."""

    words, marks = WORDS, MARKS

    def total_triangles(self, G: Graph) -> int | None:
        """None for compact containers, and where rows are long. Waits once, and once more if nobody
        has counted the longest row of this matrix yet."""
        device, backend, n = self.device, self.backend, G.n
        if n >= backend.compact.limit:
            return None
        A = backend.matrices.plain(G.neighbours if G.directed else G.A)  # loops do not count
        if A.nnz == 0:
            return 0
        longest = backend.products.bound_rows(A, SHORT_ROW)  # synchronize!
        if not short_rows(longest, A.nnz, n):
            return None
        if explaining():
            record_choice("triangles", "in one kernel", REASON, longest=longest, entries=A.nnz)
        name = f"short_row_triangles<{types.c_name(A.offset)}, {self.words}>"
        key = SHORT_ROW_TRIANGLES, "", name
        each = max(LEAST_ROWS, min(MOST_ROWS, self.marks * n // A.nnz))
        warps = -(-n // each)
        resident = backend.resident_blocks(backend.kernel(*key), device.block_size)
        total = device.zeros(1, np.uint64)
        backend.launch(
            *key, 0, np.int32(n), np.int32(each), A.indptr, A.indices, total,
            blocks=min(resident, -(-warps // (device.block_size // 32))),
        )  # fmt: skip
        return int(device.download(total)[0])  # synchronize!
