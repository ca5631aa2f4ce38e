"""The triangles of a graph whose rows are short, by one kernel over its rows as they are (see
short_row_triangles.cuh).

Of a large graph a sample of its entries says whether they lie near the diagonal, where the caches
hold what is read. If not, one kernel makes fingerprints of all rows, and another one counts by them
(see fingerprint_triangles.cuh). The host does not wait for the sample: it launches four kernels,
and those that have nothing to do end when they have read what the sample says.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.labels import zero_filled
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.device.constants import PRINTS
from lagraph_gpu.gpu.storage import WORD, DeviceMatrix
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.planning.trace import explaining, record_choice
from lagraph_gpu.planning.triangles import (
    FINGERPRINTS,
    SHORT_ROW,
    fingerprints_pay,
    short_rows,
)
from semirings import types

SHORT_ROW_TRIANGLES = "fused/short_row_triangles.cuh"
FINGERPRINT_TRIANGLES = "fused/fingerprint_triangles.cuh"
ROW_FINGERPRINTS = "fused/row_fingerprints.cuh"
SAMPLED_ENTRIES = "fused/sampled_entries.cuh"

WORDS = 4096
"""The words of a block's filters, 16,384 bits for each of eight warps."""

SIDE = 4
"""So many lanes read as many neighbouring columns."""

MARKS = 512
"""A warp takes as many rows at a time as have so many entries on average, of which it marks half:
one bit in 64."""

MOST_ROWS, LEAST_ROWS = 32, 4
"""The most rows and the fewest that a warp takes. A lane keeps where one of them is."""

MARKED_ROWS = 16
"""The rows that a warp marks in a filter of 16,384 bits at a time."""

SAMPLED = 4096
"""The rows of which an entry tells whether entries lie near the diagonal."""

ROWS, FINGERPRINTED = "in one kernel", "by fingerprints of rows, in four kernels"

REASON = "no row has more than {longest} of {entries} entries"
BY_SAMPLE = REASON + "; the rows themselves are read if most lie near the diagonal"


class ShortRowTriangles(BackendPart):
    """Lowers ``total_triangles`` and ``vertex_triangles``. The fields are for tests.

    Both have nothing for hypersparse containers, and where rows are long. They wait once if nobody
    has counted the longest row of this matrix yet. Fingerprints take 64 bytes a row; where there is
    not so much memory, rows are read as they are.
    """

    words, marks = WORDS, MARKS
    fingerprints = FINGERPRINTS

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
        if G.n >= self.backend.hypersparse.limit:
            return None
        A = self.backend.matrices.plain(G.neighbours if G.directed else G.A)
        longest = self.backend.products.bound_rows(A, SHORT_ROW)  # synchronize!
        return A if short_rows(longest, A.nnz, G.n) else None

    def _count(
        self, A: DeviceMatrix, total: DeviceArray | None, of_vertex: DeviceArray | None
    ) -> None:
        room = self._room_for_prints(A)
        if explaining():
            self._record(A, by_fingerprints=room is not None)
        if A.nnz == 0:
            return
        offset, n, warps = types.c_name(A.offset), A.shape[0], self.device.block_size // 32
        rows, found = (A.indptr, A.indices), (total, of_vertex)
        sampled: tuple[np.int32, DeviceArray | None] = np.int32(0), None
        if room is not None:
            counters, prints = room
            sampled = np.int32(min(n, SAMPLED)), counters
            key = SAMPLED_ENTRIES, "", f"sample_entries<{offset}>"
            self._launch(key, -(-SAMPLED // (32 * warps)), np.int32(n), *rows, sampled)
            key = ROW_FINGERPRINTS, "", f"row_fingerprints<{offset}>"
            self._launch(key, -(-n // (32 * warps)), np.int32(n), *rows, sampled, prints)
            key = FINGERPRINT_TRIANGLES, "", f"fingerprint_triangles<{offset}, {MARKED_ROWS}>"
            needed = -(-n // (MARKED_ROWS * warps))
            self._launch(key, needed, np.int32(n), *rows, sampled, prints, *found)
        each = max(LEAST_ROWS, min(MOST_ROWS, self.marks * n // A.nnz))
        key = SHORT_ROW_TRIANGLES, "", f"short_row_triangles<{offset}, {SIDE}, {self.words}>"
        needed = -(-n // (each * warps))
        self._launch(key, needed, np.int32(n), np.int32(each), *rows, sampled, *found)

    def _record(self, A: DeviceMatrix, by_fingerprints: bool) -> None:
        chosen, reason = (FINGERPRINTED, BY_SAMPLE) if by_fingerprints else (ROWS, REASON)
        longest = self.backend.products.bound_rows(A, SHORT_ROW)  # which is known
        record_choice("triangles", chosen, reason, longest=longest, entries=A.nnz)

    def _room_for_prints(self, A: DeviceMatrix) -> tuple[DeviceArray, DeviceArray] | None:
        """Memory for what a sample counts, and for fingerprints of all rows; None where these do
        not pay, or where it is short."""
        if fingerprints_pay(A.nnz, A.shape[0], self.fingerprints):
            with suppress(TooLarge):
                return self.device.zeros(2, WORD), self.device.empty(PRINTS * A.shape[0], np.uint16)
        return None

    def _launch(self, key: tuple[str, str, str], needed: int, *operands: Any) -> None:
        """With as many blocks as are needed and resident."""
        backend = self.backend
        resident = backend.resident_blocks(backend.kernel(*key), self.device.block_size)
        backend.launch(*key, 0, *operands, blocks=min(needed, resident))
