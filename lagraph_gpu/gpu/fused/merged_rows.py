"""Louvain's and Leiden's methods for undirected graphs, whose levels are made of rows that are not
merged (merged_rows.cuh).

A level is only swept, divided by labels and merged again, which adds up what it meets. So a row may
have a column several times. No other operation may see such a matrix, so levels stay in here.
Vertices without edges are one vertex of the next level.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.labels import identity
from lagraph_gpu.algorithms.community.leiden import refined_over_levels
from lagraph_gpu.algorithms.community.louvain import communities_over_levels
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.fused.label_argmax import MOST_VOTES
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.notation import Matrix, Scalar, Vector
from semirings import types
from semirings.types import FP64, INT64

MERGED_ROWS = "fused/merged_rows.cuh"

COUNT, WARP = np.dtype(np.uint64), 32
LAY_OUT = "false", "true"

OF_ROWS = "number_members", "list_dense", "add_within"

PLACES_PER_MEMBER = 4
"""A row is dense if its members have more than one in so many of the entries that it has places."""

FREE_BYTES_DIVISOR = 2
"""Dense rows take at most one in so many free bytes. Not yet measured."""


class MergedRows(BackendPart):
    """Lowers ``merged_communities``, ``refined_communities`` and ``weight_within``. The field is
    for tests."""

    dense: float = PLACES_PER_MEMBER

    def merged_communities(
        self, A: Matrix, objective: Objective, ranks: Vector, levels: int | None
    ) -> Vector | None:
        """None for a directed graph, and if there is no entry or the values are not FP64."""
        if not self._takes(A, objective):
            return None
        base = Level.of(A, objective)
        label = communities_over_levels(base, objective, ranks, levels, self._merged)
        label(mask=base.k.select("==", 0).new().S) << identity(A)
        return label

    def refined_communities(
        self, A: Matrix, objective: Objective, ranks: Vector, levels: int | None
    ) -> Vector | None:
        """None as ``merged_communities`` has it."""
        if not self._takes(A, objective):
            return None
        return refined_over_levels(Level.of(A, objective), objective, ranks, levels, self._merged)

    def _takes(self, A: Matrix, objective: Objective) -> bool:
        """True for an undirected graph with entries of FP64, whose kernels it begins to compile."""
        if objective.directed or A.dtype != FP64 or not A._store.nnz:
            return False
        c = types.c_name(A._store.indptr.dtype)
        kernels = ["mark_labels", "mark_dense", *(f"{name}<{c}>" for name in OF_ROWS)]
        kernels += [f"{n}<{c}, {b}>" for n in ("merge_rows", "compact_rows") for b in LAY_OUT]
        if (MERGED_ROWS, "", kernels[0]) not in self.backend.kernels:
            self.backend.compile_ahead((MERGED_ROWS, "", kernel) for kernel in kernels)
        return True

    def weight_within(self, label: Vector, A: Matrix) -> float | None:
        """None if there is no entry, if some vertex has no label, or for other types."""
        B, labels = A._store, label._store
        if A.dtype != FP64 or labels.dtype != INT64 or not B.nnz or label.nvals < label.size:
            return None
        device = self.device
        block = device.block_size
        blocks = min(-(-B.nnz // block), device.max_blocks)
        parts = device.empty(blocks * block // WARP, FP64)
        name = f"add_within<{types.c_name(B.indptr.dtype)}>"
        self.backend.launch(
            MERGED_ROWS, "", name, 0, B.indptr.dtype.type(B.nnz), np.int32(B.shape[0]), B.arrays(),
            labels.values, parts, blocks=blocks,
        )  # fmt: skip
        return float(self._full(parts).reduce("plus").new().get(0))  # synchronize!

    def _merged(self, level: Level, group: Vector, _: Objective) -> tuple[Level, Vector]:
        """The next level, and the number there of each vertex."""
        device, launch = self.device, self.backend.launch
        B, n = level.B._store, group.size
        labels, degree = group._store.values, level.entering._store.values
        used = device.zeros(n + 1, WORD)
        launch(MERGED_ROWS, "", "mark_labels", n, np.int32(n), labels, degree, used)
        ends, size = self.backend.prefix_sums.total(used, INDEX)  # synchronize!
        narrow, wide = device.empty(n, INDEX), device.empty(n, INT64)
        entries, degrees = device.zeros(size, B.offset), device.zeros(size, FP64)
        launch(MERGED_ROWS, "", f"number_members<{types.c_name(B.offset)}>", n, np.int32(n),
               B.indptr, labels, degree, ends, narrow, wide, entries, degrees)  # fmt: skip
        twice, inverse = device.empty(size, FP64), device.empty(size, FP64)
        rows, within = self._rows(B, narrow, size, entries, (degrees, twice, inverse))
        if B.whole_votes:  # and no row has more than its degree
            rows.whole_votes = self._full(twice).reduce("max").new().get(0) < MOST_VOTES or None
        merged, sums = self.backend.as_matrix(rows), self._full(degrees)
        loops = Scalar.from_value(level.loops.get(0) + within / 2, FP64, backend=self.backend)
        # A is read of the first level only, so the rows that are not merged may stand for it
        made = Level(merged, merged, loops, sums, sums, self._full(twice), self._full(inverse))
        return made, self._full(wide)

    def _full(self, values: DeviceArray) -> Vector:
        n = values.size
        bits = self.device.full(words(n), 2**32 - 1, WORD)
        return self.backend.as_vector(DeviceVector(n, values.dtype, bits, values, full=True))

    def _rows(
        self, B: DeviceMatrix, number: DeviceArray, size: int, entries: DeviceArray,
        degrees: tuple[DeviceArray, DeviceArray, DeviceArray],
    ) -> tuple[DeviceMatrix, float]:  # fmt: skip
        """The rows of the next level, and the weight between members; and of the degrees of the
        numbers it computes twice as much, and the inverse of that. Waits twice."""
        device, launch, offset = self.device, self.backend.launch, B.offset
        n, c = B.shape[0], types.c_name(offset)
        room = max(1, device.free_bytes // FREE_BYTES_DIVISOR // FP64.itemsize)
        most = min(B.nnz, max(size // self.dense, B.nnz * size // room))
        place, listed = device.empty(size, INDEX), device.empty(size, INDEX)
        counted = device.zeros(1, WORD)
        launch(MERGED_ROWS, "", f"list_dense<{c}>", size, np.int32(size), entries,
               offset.type(most), degrees[0], place, listed, counted, *degrees[1:])  # fmt: skip
        count = int(device.download(counted)[0])  # synchronize!
        if count:
            launch(MERGED_ROWS, "", "mark_dense", n, np.int32(n), place, number)
        sums = device.zeros(max(1, count * size), FP64)
        dense, within = (place, sums, np.int32(size)), device.zeros(1, FP64)
        lengths, near = device.zeros(size, offset), device.zeros(1, COUNT)

        def fill(lay_out: bool, used: Any, indices: Any, values: Any, merge: bool = True) -> None:
            kind = f"<{c}, {LAY_OUT[lay_out]}>"
            if merge:
                launch(MERGED_ROWS, "", f"merge_rows{kind}", B.nnz, offset.type(B.nnz), np.int32(n),
                       B.arrays(), number, dense, used, near, within, indices,
                       values)  # fmt: skip
            if count:
                launch(MERGED_ROWS, "", f"compact_rows{kind}", count * size, np.uint32(count),
                       listed, dense, used, indices, values)  # fmt: skip

        fill(False, lengths, None, None)
        begins = self.backend.prefix_sums.begins(lengths, offset)
        fetched = [device.fetch(part) for part in (begins[size:], near, within)]
        nnz, nears, weight = (fetch()[0] for fetch in fetched)  # synchronize!
        iso, others = B.iso and not count, not count or nears > 0
        made = DeviceMatrix.allocated(
            device, (size, size), FP64, int(nnz), offset, B.values if iso else None
        )
        made.indptr, made.iso = begins, iso
        fill(True, device.copy(begins), made.indices, None if iso else made.values, others)
        made.transposed = made
        return made, float(weight)
