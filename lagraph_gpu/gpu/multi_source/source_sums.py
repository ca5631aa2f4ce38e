"""Sums of distances from many sources: for each vertex, or for each source.

On graphs that fan out the searches go in step (ms_bfs.cuh), and no table is made. On deep graphs
the sums for each source are those of the rows of tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms.centrality.distance_sums import Sums, Totals
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.multi_source.tables import BIT_SLICED_LEVELS, DISTANCE_OUTPUT, SHAPES, fitting
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.notation import Vector
from semirings import types

SUMMED = 8
"""The number of values of a row that a lane adds up before it adds to the sum of the row."""


def ignored(done: int) -> None:
    """A report that nobody listens to."""


class SourceSums(BackendPart):
    """Lowers ``source_totals`` and ``distance_sums``."""

    def source_totals(self, of: Any, sources: np.ndarray) -> Totals | None:
        """Lowers ``source_totals``; None as ``distance_sums``. The sum of distances follows from
        how many vertices have each binary digit."""
        store, transposed = self.backend.matrices.operand(of)
        A: DeviceMatrix = self.backend.matrices.transpose(store) if transposed else store
        if A.seems_deep and not self.backend.tables.in_step:
            return self._row_totals(self.backend.as_matrix(A), sources) if sources.size else None
        sums = np.zeros((2, sources.size))

        def use(first: int, count: int, row: int, rounds: Any, seen: Any, planes: Any) -> None:
            size = A.shape[0] * row
            digits = int(self.device.download(rounds)[0]).bit_length()  # synchronize!
            counted = self.device.zeros((digits + 1) * 32 * row, types.UINT64)
            for p in range(digits + 1):
                part = seen if p == digits else planes[p * size :]
                self.backend.launch(BIT_SLICED_LEVELS, "", "count_sources", size, np.int64(size),
                                    np.int32(row), part, counted[32 * row * p :])  # fmt: skip
            number = self.device.download(counted)  # synchronize!
            number = number.reshape(-1, 32 * row)[:, :count]
            place = slice(first, first + count)
            sums[0, place] = number[-1] - 1.0
            sums[1, place] = (number[:-1].astype(float) * 2.0 ** np.arange(digits)[:, None]).sum(0)

        if not self.backend.tables.batches_in_step(A, sources, A.shape[0], False, use):
            return None
        return Totals(*(Vector.from_dense(part, backend=self.backend) for part in sums))

    def _row_totals(self, A: Any, sources: np.ndarray) -> Totals:
        """The totals of a deep graph, from the rows of a table of as many sources at a time as
        there is memory for."""
        n, made, dtype = A.nrows, [], types.FP64
        some = self.backend.tables.batch_size(sources.size, n * dtype.itemsize)
        for first in range(0, sources.size, some):
            part = sources[first : first + some]
            rows = self.backend.tables.block(A, part, None, None, True, dtype, None, ignored)
            # every source reaches itself, but that does not count
            sums = self.device.full(part.size, -1, dtype), self.device.zeros(part.size, dtype)
            self.backend.launch(DISTANCE_OUTPUT, "", f"sum_rows<{SUMMED}>", rows.size // SUMMED,
                                np.int32(part.size), np.int32(n), rows, *sums)  # fmt: skip
            made.append([self.device.download(x) for x in sums])  # synchronize!
        sums_of = (np.concatenate(parts) for parts in zip(*made))
        return Totals(*(Vector.from_dense(part, backend=self.backend) for part in sums_of))

    def distance_sums(self, of: Any, sources: np.ndarray) -> Sums | None:
        """Lowers ``distance_sums``; None if searches one after another are faster, or if no kernel
        can be resident."""
        A: DeviceMatrix = of._store
        tables, n, zeros = self.backend.tables, A.shape[0], self.device.zeros
        if A.seems_deep and not tables.in_step:
            return None
        batch = SHAPES[-1].sources
        made = tuple(zeros(max(1, n), dtype) for dtype in (types.INT32, types.UINT64, types.FP64))
        for first in range(0, sources.size, batch):
            part = sources[first : first + batch]
            if tables.search(A, part, fitting(part.size), n, "DistanceSums", *made) is None:
                return None
        adopt, export = self.backend.exchange.adopt_vector, self.device.export
        stores = (adopt(export(sums[:n]), None, None, copy=False) for sums in made)
        return Sums(*(self.backend.as_vector(store).dup(types.FP64) for store in stores))
