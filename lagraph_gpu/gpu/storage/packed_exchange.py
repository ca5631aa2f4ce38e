"""Packed rows between the device and the host, for folders and for other backends."""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.convert.packed_arrays import (
    SLACK,
    PackedArrays,
    check_packed,
    check_sizes,
    check_weights,
    rows_of_packed,
)
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.gpu.device import BackendPart, expect_room
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.packed_rows import NOTHING_SPILLED, PackedRows, PackedWeights
from lagraph_gpu.gpu.storage.vector_storage import at_least_one, offset_for
from lagraph_gpu.notation import Matrix
from semirings import SEMIRINGS


class PackedExchange(BackendPart):
    """Brings packed rows to the host, and back."""

    def arrays(self, A: Matrix) -> PackedArrays | None:
        """Lowers ``notation.packed_arrays.packed_arrays``. Waits."""
        store: DeviceMatrix = A._store
        rows = store.packed
        if rows is None or not store.stays_packed or (not store.iso and rows.weights is None):
            return None
        return self.downloaded(store)  # synchronize!

    def decoded(self, A: DeviceMatrix) -> Rows:
        """The compressed rows of a matrix of one value, made on the host. Waits."""
        arrays, n = self.downloaded(A), A.shape[0]  # synchronize!
        indptr, indices, value = rows_of_packed(arrays, n, A.nnz)
        return indptr, indices.astype(np.int64), np.repeat(value, A.nnz)

    def downloaded(self, A: DeviceMatrix) -> PackedArrays:
        """The packed rows on the host. Waits."""
        rows = A.packed
        assert rows is not None
        n, n_long = rows.n, rows.n_long
        parts = (rows.first[:n], rows.tails[: n - n_long], rows.groups[: -(-(n - n_long) // 32)],
                 rows.segments[: n_long + 1], rows.segment[: rows.n_segments],
                 rows.whole_stream[: rows.words + SLACK], rows.value)  # fmt: skip
        held = () if rows.weights is None else (rows.weights.values[: A.nnz],)
        return PackedArrays(*map(self.device.download, (*parts, *held)))  # synchronize!

    def of_arrays(self, backend: Any, arrays: PackedArrays, n: int) -> Matrix:
        """Lowers ``notation.packed_arrays.matrix_of_packed``. Waits."""
        check_sizes(arrays, n)
        n_long, device = arrays.n_long, self.device
        expect_room(device, sum(array.nbytes for array in arrays[:5]))
        first, tails, groups, segments, segment = (
            device.upload(at_least_one(array)) for array in arrays[:5]
        )
        stream = self.backend.spill.uploaded(arrays.stream)
        hubs = np.flatnonzero(np.diff(arrays.segments) > self.backend.packing.hubs)
        rows = PackedRows(
            arrays.first.size, n_long, first, tails, groups, segments, segment, stream,
            NOTHING_SPILLED, int(hubs[-1]) + 1 if hubs.size else 0, arrays.segment.size,
            arrays.stream.size - SLACK, device.upload(arrays.value),
        )  # fmt: skip
        rows = self.backend.packing.placed(rows) if device.is_pinned(stream) else rows
        wrong, nnz = self.backend.packing.wrong_parts(rows, n)  # synchronize!
        if wrong > 0:
            check_packed(arrays, n)  # says what is wrong
            raise InvalidValue(f"expected packed rows, got {wrong:,} wrong parts")
        check_weights(arrays, nnz)
        if (wrong := self.backend.packing.wrong(rows, n)) > 0:  # synchronize!
            raise InvalidValue(
                f"expected packed rows in which columns rise and are from 0 to {n - 1}, got "
                f"{wrong:,} others"
            )
        if arrays.weights is None:
            return self.backend.as_matrix(self.backend.packing.matrix(rows, n, nnz))
        return self._weighted(rows, arrays.weights, n, arrays.value.dtype)

    def _weighted(self, rows: PackedRows, weights: np.ndarray, n: int, dtype: np.dtype) -> Matrix:
        """The matrix of packed rows with these weights."""
        begins = self.backend.packing.begins_of(rows, n, offset_for(weights.size))
        held = PackedWeights(begins, self.backend.spill.uploaded(at_least_one(weights)))
        made = self.backend.packing.matrix(
            rows._replace(weights=held), n, weights.size, False, dtype
        )
        if weights.size:
            self.backend.closures.weights.note(
                made, SEMIRINGS["min_plus"], weights.min(), weights.max(), float(weights.mean())
            )
        return self.backend.as_matrix(made)
