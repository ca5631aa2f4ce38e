"""Whether a matrix is its own transpose, from all of its entries on the device (see
``convert/mirrored.py``)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.packed_rows import SCAN_WAVES
from lagraph_gpu.notation import Matrix
from semirings import types

MIRROR_SUMS = "matrix/mirror_sums.cuh"


class MirrorSums(BackendPart):
    """Adds up the entries above and below the diagonal, by compressed rows or by packed ones."""

    def sums(self, A: Matrix, entries: Iterable[Rows], keys: np.ndarray) -> np.ndarray | None:
        """Lowers ``notation.mirror_sums.mirror_sums``. Waits."""
        store = A._store
        if not isinstance(store, DeviceMatrix) or store.dtype.kind == "c":
            return None
        found, drawn = self.device.zeros(3, np.uint64), tuple(map(np.uint64, keys))
        offset, n = types.c_name(store.offset), A.shape[0]
        rows = store.packed if store.stays_packed else None
        if store.nnz and rows is not None and (store.iso or rows.weights is not None):
            held = rows.weights
            begins, values = (None, rows.value) if held is None else held
            kinds = f"{offset}, {types.c_name(values.dtype)}"
            self.backend.launch(
                MIRROR_SUMS, "", f"mirror_packed<{kinds}>", max(rows.n, 32 * rows.n_segments),
                rows.given, begins, values, drawn, found, waves=SCAN_WAVES,
            )  # fmt: skip
        elif store.nnz:
            self.backend.launch(
                MIRROR_SUMS, "", f"mirror_rows<{offset}, {types.c_name(store.dtype)}>", 32 * n,
                np.int32(n), *store.arrays(), drawn, found,
            )  # fmt: skip
        return self.device.download(found)  # synchronize!
