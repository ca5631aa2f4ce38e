"""The results of searches in copies of a graph as the rows of matrices, all in a few launches (see
copy_rows.cuh)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lagraph_gpu.gpu.closure.ordered import ONE_MORE
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, lower
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix, DeviceVector
from lagraph_gpu.gpu.storage.vector_storage import SIZE, offset_for
from semirings import Semiring, types

COPY_ROWS = "closure/block_queues/copy_rows.cuh"
INDEXED = "matrix/indexed.cuh"


class Searched(NamedTuple):
    """Closures in copies of a graph, side by side, and the entries that they began with."""

    x: DeviceVector
    at: np.ndarray
    """Positions in the copies."""
    given: np.ndarray
    """The values at the start."""

    @property
    def words(self) -> int:
        return self.x.size // 32


class CopyRows(BackendPart):
    """Makes matrices of closures in copies of a graph."""

    def matrix(
        self, found: list[Searched], size: int, n: int
    ) -> tuple[DeviceMatrix, list[DeviceArray]]:
        """The matrix with a row of n columns for each copy, each of ``size`` positions; and for
        each part the number of entries up to the end of each word. Waits once."""
        device, launch = self.device, self.backend.launch
        first = np.cumsum([0, *(part.words for part in found)]).tolist()
        counts = device.empty(first[-1], SIZE)
        for at, part in zip(first, found, strict=False):
            launch(INDEXED, "", "count_bits", part.words, np.int32(part.x.size), part.x.bits,
                   counts[at:])  # fmt: skip
        ends, total = self.backend.prefix_sums.total(counts, SIZE)  # synchronize!
        rows, dtype = 32 * first[-1] // size, found[0].x.dtype
        made = DeviceMatrix.allocated(device, (rows, n), dtype, total, offset_for(total))
        launch(COPY_ROWS, "", f"row_offsets<{types.c_name(made.offset)}>", rows + 1,
               np.int32(rows), np.int32(size // 32), ends, made.indptr)  # fmt: skip
        parts = [ends[at:] for at in first[:-1]]
        for part, before in zip(found, parts, strict=True):
            launch(COPY_ROWS, "", f"lay_out_copies<{types.c_name(dtype)}>", part.x.size,
                   np.int32(part.words), np.int32(size - 1), part.x.bits, part.x.values, before,
                   made.indices, made.values)  # fmt: skip
        return made, parts

    def along_depths(
        self, found: list[Searched], size: int, levels: DeviceMatrix, ends: list[DeviceArray],
        A: DeviceMatrix, transposed: bool, semiring: Semiring, dtype: np.dtype,
    ) -> DeviceMatrix:  # fmt: skip
        """The closures under ``any`` and a ⊗ that does not read x, from ``matrix`` of their
        depths."""
        device, launch, z = self.device, self.backend.launch, types.c_name(dtype)
        alike = semiring.multiply.parsed == lower.ONE  # whatever the edge
        if alike and all((part.given == 1).all() for part in found):
            return levels.with_values(device.full(1, 1, dtype), iso=True)
        values = device.full(max(1, levels.nnz), 1, dtype)
        if not alike:
            incoming = A if transposed else self.backend.matrices.transpose(A)
            algebra = lower.tight_struct(
                ONE_MORE, INDEX, semiring, dtype, incoming.dtype, incoming.offset
            )
            for part, before in zip(found, ends, strict=True):
                launch(COPY_ROWS, algebra, "follow_tight<Semiring>", part.x.size,
                       np.int32(part.words), np.int32(size - 1), incoming.arrays(), part.x.bits,
                       part.x.values, before, values)  # fmt: skip
        for part, before in zip(found, ends, strict=True):
            launch(COPY_ROWS, "", f"set_starts<{z}>", part.at.size, np.int32(part.at.size),
                   device.upload(part.at.astype(INDEX)),
                   device.upload(part.given.astype(dtype)), part.x.bits, before,
                   values)  # fmt: skip
        return levels.with_values(values)
