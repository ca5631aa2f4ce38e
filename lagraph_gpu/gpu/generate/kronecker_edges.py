"""Kronecker graphs on the device, where edges are drawn, sorted and made into a matrix.

Memory for m drawn edges: 8m bytes for the edges. Making the matrix needs at most 24m bytes in all
(the list and two sorted halves, or two halves and the sort's copy of one) besides the matrix, which
takes 8m for its columns and as much for weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.generate import Draw, WeightKind
from lagraph_gpu.gpu.device import DeviceArray, constants
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.vector_storage import SIZE, offset_for
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

KRONECKER_EDGES = "generate/kronecker_edges.cuh"
EDGES_TO_ROWS = "generate/edges_to_rows.cuh"

PAIR = np.dtype(np.uint64)

WEIGHTS = {None: "Ones", "uniform": "Uniform", "integer": "Integer"}
"""The formula of each kind of weights (see kronecker_edges.cuh)."""


class DeviceDrawing:
    """What the edges of a Kronecker graph follow from, on the device. Random numbers by whose order
    vertices are named give up at least ``least_bits`` for the vertex."""

    least_bits = 0

    def __init__(self, backend: GpuBackend, draw: Draw) -> None:
        self.drawing, self.backend, self.device = draw, backend, backend.device
        self.keys = self.device.upload(np.array([*draw.level_keys, 0], PAIR))
        low = np.arange(1 << min(draw.scale, constants.GATHERED_BITS))
        ones = np.array([int(bits).bit_count() for bits in low])
        by_ones = np.argsort(ones, kind="stable")
        gathered = np.concatenate((np.argsort(by_ones), ones[by_ones]))
        self.gathered = self.device.upload(gathered.astype(np.uint16))

    def _launch(self, header: str, name: str, work: int, *args: Any) -> None:
        """Launch a kernel whose first argument is the amount of work."""
        self.backend.launch(header, "", name, work, np.int64(work), *args)

    def _names(self) -> DeviceArray:
        """A random permutation of the vertices."""
        n, device, key = self.drawing.n, self.device, np.uint64(self.drawing.name_key)
        lower = max(self.drawing.scale, self.least_bits)
        upper = np.uint64((1 << 64) - (1 << lower))
        numbers, name = device.empty(n, PAIR), device.empty(n, INDEX)
        self._launch(KRONECKER_EDGES, "random_numbers", n, key, upper, numbers)
        device.sort(numbers)
        self._launch(KRONECKER_EDGES, "name_vertices", n, self._edge(), key, upper, numbers, name)
        return name

    def _edge(
        self, name: DeviceArray | None = None, kept: DeviceArray | None = None
    ) -> tuple[Any, ...]:
        """The parameters that determine an edge, besides its number (``Drawing``)."""
        scale = np.int32(self.drawing.scale)
        return scale, self.keys, *self.drawing.quarters, self.gathered, name, kept


class DeviceEdges(DeviceDrawing):
    """The edges of a Kronecker graph as they were drawn, on the device."""

    def __init__(self, backend: GpuBackend, draw: Draw) -> None:
        super().__init__(backend, draw)
        self.name = self._names()
        self.pairs: DeviceArray | None = self.device.empty(max(1, draw.count), PAIR)[: draw.count]
        self._launch(KRONECKER_EDGES, "draw_edges", draw.count, self._edge(self.name),
                     self.pairs)  # fmt: skip

    def _hash(self) -> tuple[np.uint64, np.uint64]:
        """The parameters that determine a weight, besides the ends of its edge."""
        return np.uint64(self.drawing.n), np.uint64(self.drawing.weight_key)

    def _present(self) -> DeviceArray:
        if self.pairs is None:
            raise RuntimeError("the edges have been used up by the matrix that was made of them")
        return self.pairs

    def ends(self) -> DeviceVector:
        """The number of edge ends at each vertex."""
        pairs, n = self._present(), self.drawing.n
        counts = self.device.zeros(n, SIZE)
        self._launch(KRONECKER_EDGES, "count_ends", pairs.size, pairs, counts)
        ends = self.device.export(counts)
        return self.backend.exchange.adopt_vector(ends, None, None, copy=False)

    def matrix(self, weights: WeightKind) -> DeviceMatrix:
        """The symmetric matrix without loops and duplicates. The list of edges is freed. Waits
        once."""
        device, pairs = self.device, self._present()
        self.pairs = None
        self._launch(EDGES_TO_ROWS, "order_ends", pairs.size, pairs)
        device.sort(pairs)
        kept, counts = device.zeros(words(pairs.size), WORD), device.zeros(words(pairs.size), SIZE)
        self._launch(EDGES_TO_ROWS, "mark_new", pairs.size, pairs, kept, counts)
        ends, count = self.backend.prefix_sums.total(counts, SIZE)  # synchronize!
        forth, back = (device.empty(max(1, count), PAIR)[:count] for _ in range(2))
        self._launch(EDGES_TO_ROWS, "keep_new", pairs.size, pairs, kept, ends, forth, back)
        del pairs, kept, counts, ends  # frees memory for the sort
        device.sort(back)
        return self._rows(count, forth, back, weights)

    def _rows(
        self, count: int, forth: DeviceArray, back: DeviceArray, weights: WeightKind
    ) -> DeviceMatrix:
        """Compressed rows from the parts above and below the diagonal."""
        device, n, offset = self.device, self.drawing.n, offset_for(2 * count)
        name = types.c_name(offset)
        before, indptr = device.empty(n + 1, offset), device.empty(n + 1, offset)
        self.backend.launch(
            EDGES_TO_ROWS, "", f"begin_rows<{name}>", n + 1, np.int32(n), np.int64(count), forth,
            back, before, indptr,
        )  # fmt: skip
        indices = device.empty(max(1, 2 * count), INDEX)
        for pairs, is_back in ((forth, False), (back, True)):
            self._launch(EDGES_TO_ROWS, f"place_columns<{name}>", count, pairs, np.bool_(is_back),
                         before, indptr, indices)  # fmt: skip
        if weights is None:
            values = device.full(1, 1, np.int32)
        else:
            values = device.empty(max(1, 2 * count), np.float32)
            kernel = f"place_weights<{WEIGHTS[weights]}, {name}>"
            for pairs, is_back in ((forth, False), (back, True)):
                self._launch(EDGES_TO_ROWS, kernel, count, pairs, np.bool_(is_back), before, indptr,
                             *self._hash(), values)  # fmt: skip
        result = DeviceMatrix(
            (n, n), values.dtype, 2 * count, indptr, indices, values, iso=weights is None
        )
        result.transposed = result
        return result

    def differences(self, A: DeviceMatrix, weights: WeightKind) -> int:
        """The number of entries by which a matrix differs from the drawn edges, which are drawn
        again. Waits."""
        device = self.device
        found, totals = device.zeros(words(A.nnz), WORD), device.zeros(2, PAIR)
        name = f"account<{WEIGHTS[weights]}, {types.c_name(A.offset)}>"
        self._launch(EDGES_TO_ROWS, name, self.drawing.count, self._edge(self.name), A.arrays(),
                     *self._hash(), found, totals)  # fmt: skip
        missing, accounted = device.download(totals).tolist()  # synchronize!
        return missing + A.nnz - accounted
