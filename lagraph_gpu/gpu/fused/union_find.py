"""Connected components and spanning forests by one cooperative kernel each (component_labels.cuh,
boruvka.cuh), and components of packed rows by a few kernels (packed_components.cuh)."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.gpu.closure.persistent import COUNT
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.fused.peeling import record_fit
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning.trace import explaining
from semirings import types
from semirings.types import INT64

COMPONENT_LABELS = "fused/component_labels.cuh"
PACKED_COMPONENTS = "fused/packed_components.cuh"
BORUVKA = "fused/boruvka.cuh"

BLOCK = constants.UNION_FIND_BLOCK
"""The largest number of threads in a block."""

PIECE = 1024
"""A longer row is read in pieces of so many entries, each by a warp."""

WARP = 32

LIGHT = 2
"""The number of edges for each vertex from which the first forest is made."""


class UnionFind(BackendPart):
    """Lowers ``component_labels``, ``spanning_forest_edges`` and ``spanning_edges``. The fields are
    for tests."""

    piece, light = PIECE, LIGHT

    def component_labels(self, A: Any) -> Vector | None:
        """None if no kernel can be resident, or if n = 0."""
        device, n = self.device, A.nrows
        if n == 0:
            return None
        rows = self.backend.matrices.plain(A)
        if rows.stays_packed:
            return self._packed_labels(rows, n)
        pieces, longs, firsts = self.backend.products.pieces(rows, self.piece)
        stop = device.stopwatch() if explaining() else None
        label = DeviceVector.allocated(device, n, INT64)
        fits = self.backend.launch_resident(
            COMPONENT_LABELS, "", f"component_labels<{types.c_name(rows.offset)}>", BLOCK,
            np.int32(n),
            rows.indptr, rows.indices, np.int32(self.piece), np.int32(pieces), longs, firsts,
            device.empty(n, INDEX), label.bits, label.values, device.zeros(1, WORD),
        )  # fmt: skip
        label.changed(n)
        record_fit("components", fits, "first edges, few second ones, then what is left", stop)
        return self.backend.as_vector(label) if fits else None

    def _packed_labels(self, A: DeviceMatrix, n: int) -> Vector:
        """The labels over packed rows."""
        device, packed = self.device, A.packed
        assert packed is not None
        label, rows, size = DeviceVector.allocated(device, n, INT64), packed.given, np.int32(n)
        parent, largest = device.empty(n, INDEX), device.empty(1, INDEX)
        stop = device.stopwatch() if explaining() else None

        def launch(kernel: str, work: int, *args: Any, blocks: int | None = None) -> None:
            self.backend.launch(PACKED_COMPONENTS, "", kernel, work, *args, blocks=blocks)

        launch("start_packed", n, size, rows, parent)
        launch("flatten_packed", n, size, parent)
        launch("largest_tree", 1, size, parent, largest, blocks=1)
        launch("mark_outside", n, size, rows, parent, largest, label.bits)
        launch("join_outside", max(n, WARP * packed.n_segments), rows, label.bits, parent)
        launch("label_trees", n, size, parent, label.bits, label.values)
        label.changed(n)
        record_fit("components", True, "packed rows: first columns, then what is left", stop)
        return self.backend.as_vector(label)

    def spanning_forest_edges(self, A: Any, best: str) -> Matrix | None:
        """The entries of A that are edges of a spanning forest, as a matrix. None if no kernel can
        be resident, or if there are no entries. Waits once, when all work is under way."""
        rows = self.backend.matrices.plain(A)
        chosen = self._chosen(rows, best, both=True)
        if chosen is None:
            return None
        most = min(rows.nnz, 2 * (rows.shape[0] - 1))
        return self.backend.as_matrix(self.backend.matrices.moved_at_most(rows, *chosen, most))

    def spanning_edges(self, A: Any, best: str) -> tuple[Vector, Vector, Vector] | None:
        """The ends and the weights of the edges of a spanning forest. None if no kernel can be
        resident, if there are no entries, or if no edge is chosen. Waits once, when all work is
        under way."""
        device, rows = self.device, self.backend.matrices.plain(A)
        found = self._chosen(rows, best, both=False)
        if found is None:
            return None
        chosen, ends = found
        marks, offset = self.backend.products.even.marks(rows), rows.offset
        most = max(1, min(rows.nnz // 2, rows.shape[0] - 1))
        made = [(device.empty(words(most), WORD), device.empty(most, t))
                for t in (INT64, INT64, rows.dtype)]  # fmt: skip
        self.backend.launch(
            BORUVKA, "", f"list_edges<{types.c_name(offset)}, {types.c_name(rows.dtype)}>",
            rows.nnz // WARP, offset.type(rows.nnz), rows.arrays(),
            marks.begins, marks.ranks, marks.rows, chosen, ends, *made,
        )  # fmt: skip
        total = int(device.download(ends[ends.size - 1 :])[0])  # synchronize!
        if total == 0:
            return None
        vectors = (
            DeviceVector(total, values.dtype, bits[: words(total)], values[:total], full=True)
            for bits, values in made
        )
        return tuple(map(self.backend.as_vector, vectors))  # type: ignore[return-value]

    def _chosen(
        self, rows: DeviceMatrix, best: str, both: bool
    ) -> tuple[DeviceArray, DeviceArray] | None:
        """The entries of a spanning forest, as a bitmap, and their number up to the end of each
        word: each edge twice if ``both``, else in the row of its smaller end."""
        device, n = self.device, rows.shape[0]
        if rows.nnz == 0:
            return None
        marks, offset = self.backend.products.even.marks(rows), types.c_name(rows.offset)
        count = words(rows.nnz)
        stop = device.stopwatch() if explaining() else None
        chosen, counts = device.empty(count, WORD), device.empty(count, rows.offset)
        fits = self.backend.launch_resident(
            BORUVKA, "", f"boruvka<{offset}, {types.c_name(rows.dtype)}>", BLOCK, np.int32(n),
            rows.offset.type(rows.nnz), rows.arrays(), np.bool_(best == "max"), np.bool_(both),
            COUNT.type(2 * self.light * n), marks.begins, marks.ranks, marks.rows,
            *device.reserve((n, INDEX), (n, COUNT), (marks.begins.size, WORD),
                            (marks.begins.size, INDEX), (n // 2 + n // 4 + 2, INDEX)),
            chosen, counts, device.zeros(constants.FOREST_ROUNDS + 2, WORD),
        )  # fmt: skip
        record_fit("a spanning forest", fits, "the lighter edges first, then what they leave", stop)
        if not fits:
            return None
        return chosen, self.backend.prefix_sums.ends(counts, rows.offset)
