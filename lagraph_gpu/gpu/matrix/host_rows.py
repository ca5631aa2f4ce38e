"""The entries of a stored matrix on the host: as compressed rows, or by coordinates."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from lagraph_gpu.backend import Rows
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.storage import DeviceMatrix


class HostRows(BackendPart):
    """Reads matrices. Waits."""

    def entries(self, store: DeviceMatrix) -> Rows:
        """Row offsets, columns and values."""
        if store.stays_packed:
            try:
                _ = store.indptr  # compressed rows, if there is room for them
            except TooLarge:
                if not store.iso:
                    raise
                return self.backend.packed_exchange.decoded(store)  # synchronize!
        indptr = self.device.download(store.indptr).astype(np.int64)  # synchronize!
        return indptr, *self._columns_and_values(store)  # synchronize!

    def _columns_and_values(self, store: DeviceMatrix) -> tuple[np.ndarray, np.ndarray]:
        indices = self.device.download(store.indices)[: store.nnz].astype(np.int64)  # synchronize!
        values = self.device.download(store.values)  # synchronize!
        return indices, np.repeat(values[:1], store.nnz) if store.iso else values[: store.nnz]

    def coordinates(self, store: DeviceMatrix) -> Rows:
        """The row, the column and the value of each entry. Rows are found on the device, if it has
        room for them, so that no time goes into rows without entries."""
        if not store.stays_packed:
            with suppress(TooLarge):
                rows = self.backend.matrices.rows_of_entries(store)[: store.nnz]
                row = self.device.download(rows).astype(np.int64)  # synchronize!
                return row, *self._columns_and_values(store)  # synchronize!
        indptr, indices, values = self.entries(store)
        return np.repeat(np.arange(store.shape[0]), np.diff(indptr)), indices, values
