"""Rows behind the device: entries of matrices in the host's memory, which kernels read in place.

The memory is pinned, and kernels read it over the bus by whole sectors, as they ask for them. So a
call that reads a small part of the entries costs little, and one that reads all of them runs at the
speed of the bus. Vectors, offsets and what is computed stay on the device.
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.gpu.device.port import BackendPart, DeviceArray, has_room
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix


class Behind(BackendPart):
    """Places the entries of matrices, and moves them out of the device."""

    def uploaded(self, host: np.ndarray) -> DeviceArray:
        """A copy of an array on the device, or in the host's memory where there is no room."""
        if has_room(self.device, host.nbytes):
            return self.device.upload(host)
        made = self.device.behind(host.size, host.dtype)
        self.device.write(made, host)
        return made

    def moved(self, A: DeviceMatrix) -> int:
        """Move the entries of a matrix out of the device, with those of its transpose and of its
        layout. Returns the bytes that this frees there."""
        others = (A.transposed, None if A.layout is None else A.layout.matrix)
        stores = [A, *(B for B in others if B is not None and B is not A)]
        return sum(map(self._moved, stores))

    def _moved(self, A: DeviceMatrix) -> int:
        packing, freed = self.backend.packing, 0
        if A.packed is not None:
            held = A.packed.nbytes
            A.packed = packing.on_host(A.packed)  # what was on the device is free before
            A.packed = packing.placed(A.packed)
            freed += held - A.packed.nbytes
        if A.rows is None:
            A.indices, of_indices = self._copied(A.indices)
            A.values, of_values = self._copied(A.values)
            freed += of_indices + of_values
        return freed

    def _copied(self, array: DeviceArray) -> tuple[DeviceArray, int]:
        """The array in the host's memory, and the bytes that this frees on the device."""
        if self.device.lies_behind(array):
            return array, 0
        made = self.device.behind(array.size, array.dtype)
        self.device.overwrite(made, array)
        return made, array.nbytes
