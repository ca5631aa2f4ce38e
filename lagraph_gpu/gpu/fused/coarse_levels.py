"""Louvain's and Leiden's methods for undirected graphs, whose levels are made of rows that are not
merged (coarse_rows.cuh).

A level is only swept, divided by labels and merged again, which adds up what it meets. So a row may
have a column several times. No other operation may see such a matrix, so levels stay in here.
Vertices without edges are one vertex of the next level.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.labels import identity
from lagraph_gpu.algorithms.community.level_statements import VectorSteps
from lagraph_gpu.algorithms.community.levels import leiden_levels, louvain_levels
from lagraph_gpu.algorithms.community.louvain_level import Level, Objective
from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.device.port import TABLE_DIVISOR, workspace_bytes
from lagraph_gpu.gpu.fused.label_argmax import COARSE_ROWS, MOST_VOTES
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector
from lagraph_gpu.notation import Matrix, Scalar, Vector
from semirings import BINARY, min_first, types
from semirings.types import FP64, INT64

times = BINARY["times"]

COUNT, WARP = np.dtype(np.uint64), 32
UINT32 = types.c_name(WORD)

OF_ROWS = "number_members", "list_dense", "measure_rows"
OF_VALUES = "add_within", "compact_rows", "close_rows"
TYPES = ("double", "double"), ("double", UINT32), (UINT32, "double"), (UINT32, UINT32)
"""The types of values before and after."""

PLACES_PER_MEMBER = 4
"""A row is dense if its members have more than one in so many of the entries that it has places."""

SPARSE = 4
"""Rows with less than one in so many of the entries that they have room for are closed up."""


class CoarseLevels(BackendPart):
    """Lowers ``louvain_communities``, ``leiden_communities`` and ``weight_within``. The field is
    for tests."""

    dense: float = PLACES_PER_MEMBER

    def louvain_communities(
        self, A: Matrix, objective: Objective, ranks: Vector, levels: int | None
    ) -> Vector | None:
        """None for a directed graph, and if there is no entry or the values are not FP64."""
        if not self._takes(A, objective):
            return None
        base = self.backend.whole_weights.level(A, objective, ranks)
        label = louvain_levels(self._steps(objective, self._merged), base, levels)
        label(mask=base.degree.select("==", 0).new().S) << identity(A)
        return label

    def leiden_communities(
        self, A: Matrix, objective: Objective, ranks: Vector, levels: int | None
    ) -> Vector | None:
        """None as ``louvain_communities`` has it. Its statements read the rows of a level as those
        of any matrix, so they are closed up, and their values stay FP64."""
        if not self._takes(A, objective):
            return None
        steps = self._steps(objective, partial(self._merged, closed=True))
        return leiden_levels(steps, Level.of(A, objective, ranks), levels)

    def _steps(self, objective: Objective, merge: Any) -> VectorSteps:
        return VectorSteps(objective, self.backend.moving_phases.move_vertices, merge)

    def _takes(self, A: Matrix, objective: Objective) -> bool:
        """True for an undirected graph with entries of FP64, whose kernels it begins to compile."""
        if objective.directed or A.dtype != FP64 or not A._store.nnz:
            return False
        c = types.c_name(A._store.indptr.dtype)
        kernels = ["mark_labels", "mark_dense", *(f"{name}<{c}>" for name in OF_ROWS)]
        kernels += [f"{name}<{c}, {z}>" for name in OF_VALUES for z in ("double", UINT32)]
        kernels += [merging(c, *each) for each in TYPES]
        if (COARSE_ROWS, "", kernels[0]) not in self.backend.kernels:
            self.backend.compile_ahead((COARSE_ROWS, "", kernel) for kernel in kernels)
        return True

    def weight_within(self, label: Vector, A: Matrix) -> float | None:
        """None if there is no entry, if some vertex has no label, or for other types."""
        B, labels = A._store, label._store
        known = A.dtype in (FP64, WORD) and labels.dtype == INT64
        if not known or not B.nnz or label.nvals < label.size:
            return None
        device = self.device
        block = device.block_size
        blocks = min(-(-B.nnz // block), device.max_blocks)
        parts = device.empty(blocks * block // WARP, FP64)
        name = f"add_within<{types.c_name(B.indptr.dtype)}, {types.c_name(B.dtype)}>"
        self.backend.launch(
            COARSE_ROWS, "", name, 0, B.indptr.dtype.type(B.nnz), np.int32(B.shape[0]), B.arrays(),
            labels.values, parts, blocks=blocks,
        )  # fmt: skip
        return float(self.backend.full_vector(parts).reduce("plus").new().get(0))  # synchronize!

    def _merged(
        self, level: Level, group: Vector, _: Objective, closed: bool = False
    ) -> tuple[Level, Vector]:
        """The next level, and the number there of each vertex. If it is ``closed``, its rows have
        no room left and its values are FP64."""
        device, launch, full = self.device, self.backend.launch, self.backend.full_vector
        B, n = level.B._store, group.size
        labels, degree = group._store.values, level.in_degree._store.values
        ends, size = self._labels_in_use(group, level)
        narrow, wide = device.empty(n, INDEX), device.empty(n, INT64)
        entries, degrees = device.zeros(size, B.offset), device.zeros(size, FP64)
        launch(COARSE_ROWS, "", f"number_members<{types.c_name(B.offset)}>", n, np.int32(n),
               B.indptr, B.ends, labels, degree, ends, narrow, wide, entries,
               degrees)  # fmt: skip
        sums = full(degrees)
        expected = times(sums & sums).new().reduce("plus").new().send()
        twice, inverse = device.empty(size, FP64), device.empty(size, FP64)
        rows, within = self._rows(B, narrow, entries, (degrees, twice, inverse), closed)
        merged = self.backend.as_matrix(rows)
        loops = Scalar.from_value(level.loops.get(0) + within / 2, FP64, backend=self.backend)
        # A is read of the first level only, so the rows that are not merged may stand for it
        number = full(wide, below=size)
        made = Level(
            merged, merged, loops, sums, sums, full(twice), full(inverse),
            min_first(level.ranks @ number.selector(size)).new(), expected,
        )  # fmt: skip
        return made, number

    def _labels_in_use(self, group: Vector, level: Level) -> tuple[DeviceArray, int]:
        """For each label how many are in use up to it by vertices with edges, and their number."""
        labels: DeviceVector = group._store
        if labels.used is not None:
            ends, last = labels.used
        else:
            ends = self.backend.moving_phases.used_labels(
                labels.values, level.in_degree._store.values
            )
            last = self.device.fetch(ends[labels.size :])
        return ends, int(last()[0])  # synchronize!

    def _rows(
        self, B: DeviceMatrix, number: DeviceArray, entries: DeviceArray,
        degrees: tuple[DeviceArray, DeviceArray, DeviceArray], closed: bool,
    ) -> tuple[DeviceMatrix, float]:  # fmt: skip
        """The rows of the next level, and the weight between members; and of the degrees of the
        numbers it computes twice as much, and the inverse of that. Waits twice."""
        device, launch, offset, size = self.device, self.backend.launch, B.offset, entries.size
        n, c = B.shape[0], types.c_name(offset)
        begins = self.backend.prefix_sums.begins(entries, offset)
        dense, listed, whole = self._dense_rows(B, number, entries, degrees)
        count = listed.size
        iso = B.iso and not count
        dtype = WORD if whole and not iso and not closed else FP64
        made = DeviceMatrix.allocated(
            device, (size, size), dtype, B.nnz, offset, B.values if iso else None
        )
        made.indptr, made.iso = begins, iso
        ends, values = device.copy(begins[:size]), None if iso else made.values
        within, found = device.zeros(1, FP64), device.zeros(2, COUNT)
        of, to = types.c_name(B.dtype), types.c_name(dtype)
        launch(COARSE_ROWS, "", merging(c, of, to), B.room, offset.type(B.room), np.int32(n),
               B.arrays(), B.ends, number, dense, ends, within, made.indices, values)  # fmt: skip
        if count:
            launch(COARSE_ROWS, "", f"compact_rows<{c}, {to}>", count * size, np.uint32(count),
                   listed, dense, ends, made.indices, values)  # fmt: skip
        lengths = device.empty(size, offset)
        launch(COARSE_ROWS, "", f"measure_rows<{c}>", size, np.int32(size), begins, ends, lengths,
               found)  # fmt: skip
        fetched = [device.fetch(part) for part in (found, within)]
        (nnz, longest), (weight,) = (fetch().tolist() for fetch in fetched)  # synchronize!
        if closed or (dtype == FP64 and not iso) or nnz < B.nnz // SPARSE:
            made = self._closed(made, lengths, nnz)
        else:
            made.nnz, made.open_ends = nnz, ends
        made.pattern.max_degree, made.transposed = longest, made
        made.whole_votes = True if made.dtype == WORD or (iso and B.whole_votes) else None
        return made, weight

    def _closed(self, rows: DeviceMatrix, lengths: DeviceArray, nnz: int) -> DeviceMatrix:
        """The rows without room between them."""
        size, c, z = rows.shape[0], types.c_name(rows.offset), types.c_name(rows.dtype)
        made = DeviceMatrix.allocated(
            self.device, rows.shape, rows.dtype, nnz, rows.offset, rows.values if rows.iso else None
        )
        made.indptr, made.iso = self.backend.prefix_sums.begins(lengths, rows.offset), rows.iso
        values = (None, None) if rows.iso else (rows.values, made.values)
        self.backend.launch(
            COARSE_ROWS, "", f"close_rows<{c}, {z}>", nnz, rows.offset.type(nnz), np.int32(size),
            rows.indptr, rows.indices, values[0], made.indptr, made.indices, values[1],
        )  # fmt: skip
        return made

    def _dense_rows(
        self, B: DeviceMatrix, number: DeviceArray, entries: DeviceArray,
        degrees: tuple[DeviceArray, DeviceArray, DeviceArray],
    ) -> tuple[tuple[Any, ...], DeviceArray, bool]:  # fmt: skip
        """Dense rows as kernels take them, which numbers they are of, and whether all votes are
        whole numbers and no row can have 2³² of them. Waits once."""
        device, launch, offset, size = self.device, self.backend.launch, B.offset, entries.size
        n, c = B.shape[0], types.c_name(offset)
        free = max(1, workspace_bytes(device, TABLE_DIVISOR) // FP64.itemsize)
        most = min(B.nnz, max(size // self.dense, B.nnz * size // free))
        place, listed = device.empty(size, INDEX), device.empty(size, INDEX)
        counted = device.zeros(1, WORD)
        launch(COARSE_ROWS, "", f"list_dense<{c}>", size, np.int32(size), entries,
               offset.type(most), degrees[0], place, listed, counted, *degrees[1:])  # fmt: skip
        largest = self.backend.full_vector(degrees[1]).reduce("max").new().send()
        count = int(device.download(counted)[0])  # synchronize!
        whole = bool(B.whole_votes or B.dtype == WORD) and largest.get(0) < MOST_VOTES
        if count:
            launch(COARSE_ROWS, "", "mark_dense", n, np.int32(n), place, number)
        sums = device.zeros(max(1, count * size), FP64)
        return (place, sums, np.int32(size)), listed[:count], whole


def merging(offset: str, of: str, to: str) -> str:
    """The kernel that moves entries of a type to the rows of the next level, of another type."""
    return f"coarse_rows<{offset}, {of}, {to}>"
