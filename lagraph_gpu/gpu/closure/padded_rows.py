"""Rows padded to a fixed number of slots, as ELLPACK has them, for searches that read whole rows.

A longer row holds its offsets instead (see padded_rows.cuh).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, expect_room
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix
from lagraph_gpu.gpu.storage.matrix_storage import PaddedRows
from semirings import Semiring, types

PADDED_ROWS = "matrix/padded_rows.cuh"

SLOTS = 4, 8
"""The number of edges in a padded row: the first if it holds nearly all edges, else the second. If
it holds the longest row, too, the kernel has no code for longer ones."""

ELSEWHERE_SHARE = 32
"""At most one edge in so many may be in rows that are longer than the first number of slots, for
these to be used (decision 0260, docs/decisions/deep-graphs.md)."""

ALIGNED = 16
"""The bytes of a row are a multiple of this number."""


class RowPadding(BackendPart):
    """Makes padded rows."""

    def slots(self, A: DeviceMatrix) -> int:
        """The number of slots for the rows of A. Waits at most twice a matrix: for the length of
        the longest row, and for the number of edges in rows of more than the first slots."""
        products, known = self.backend.products, A.pattern
        if products.bound_rows(A, SLOTS[0]) <= SLOTS[0]:  # synchronize! once a matrix
            return SLOTS[0]
        if known.few_longer is None:
            pieces = products.count_pieces(A, SLOTS[0])  # synchronize! once a matrix
            known.few_longer = pieces * SLOTS[0] * ELSEWHERE_SHARE <= A.nnz
        return SLOTS[not known.few_longer]

    def padded(self, A: DeviceMatrix, semiring: Semiring, slots: int) -> PaddedRows:
        """The rows of A padded, with values if ⊗ reads them. Made once for a matrix."""
        c, valued = types.c_name(A.dtype), semiring.reads_right and not A.iso
        row = f"Valued<{slots}, {c}>" if valued else f"Bare<{slots}>"
        kept = A.closures.padded
        if row not in kept:
            n, each = A.shape[0], slots * (INDEX.itemsize + valued * A.dtype.itemsize)
            size = max(1, n) * ALIGNED * -(-each // ALIGNED)
            expect_room(self.device, size)
            rows = self.device.empty(size // INDEX.itemsize, INDEX)
            name = f"pad_rows<{row}, {types.c_name(A.offset)}, {c}>"
            self.backend.launch(PADDED_ROWS, "", name, n, np.int32(n), A.arrays(), rows)
            kept[row] = PaddedRows(rows, row)
        return kept[row]
