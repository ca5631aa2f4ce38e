"""Spill: entries of matrices in pinned memory of the host, which kernels read in place.

Kernels read it over the bus by whole sectors, as they ask for them. So a
call that reads a small part of the entries costs little, and one that reads all of them runs at the
speed of the bus. Vectors, offsets and what is computed stay on the device.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.device.port import has_room
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import WORD
from lagraph_gpu.notation import Matrix
from lagraph_gpu.planning.trace import record_choice

NO_ROOM = "{bytes} bytes of entries do not fit on the device, which reads them from the host"

LEAST_MOVED_BYTES = 1 << 10
"""Arrays of fewer bytes stay where they are."""


class HostSpill(BackendPart):
    """Places the entries of matrices, and moves them between the device and the host."""

    def uploaded(self, host: np.ndarray) -> DeviceArray:
        """A copy of an array on the device, or in the host's memory where there is no room."""
        if has_room(self.device, host.nbytes):
            return self.device.upload(host)
        record_choice("layout", "rows in host memory", NO_ROOM, bytes=host.nbytes)
        made = self.device.pinned(host.size, host.dtype)
        self.device.write(made, host)
        return made

    def room_for(self, size: int, dtype: Any) -> DeviceArray:
        """Uninitialized memory for entries: the host's where the device has no room."""
        wanted = size * np.dtype(dtype).itemsize
        if has_room(self.device, wanted):
            return self.device.empty(size, dtype)
        record_choice("layout", "rows in host memory", NO_ROOM, bytes=wanted)
        return self.device.pinned(size, dtype)

    def spilled_to_host(self, of: Matrix) -> int:
        """Lowers ``notation.host_memory.spilled_to_host``: spill the entries of a matrix, of its
        transpose and of its layout. What is kept for later calls is given back, too. If packed rows
        are spilled already, the words that are kept on the device move too. Waits."""
        if not isinstance(of._store, DeviceMatrix):
            return 0
        freed = 0
        for A in related(of._store):
            for keeps in (A, A.pattern, A.closures):
                keeps.give_back()
            if A.packed is not None and A.packed.value.size:
                held, before = A.packed.nbytes, A.packed.window.host
                packing, A.packed = self.backend.packing, self.backend.packing.on_host(A.packed)
                with suppress(TooLarge):  # another process was faster: all of the stream stays out
                    if before is None:
                        A.packed = packing.placed(A.packed)  # its words on the device were freed
                    else:
                        A.packed = packing.divided(A.packed, 0, 0)
                freed += held - A.packed.nbytes
            freed += self._moved(A, self._spilled)
        self.device.synchronize()  # synchronize! copies to the host have ended
        return max(0, freed)

    def moved_to_device(self, of: Matrix) -> int:
        """Lowers ``notation.host_memory.moved_to_device``. If the device has less memory by now
        than it said, what does not fit stays where it is."""
        if not isinstance(of._store, DeviceMatrix):
            return 0
        used = 0
        for A in related(of._store):
            if A.packed is not None and self._fits(WORD.itemsize * A.packed.words):
                words, held = A.packed.words, A.packed.nbytes
                with suppress(TooLarge):
                    A.packed = self.backend.packing.divided(A.packed, words, words)
                used += A.packed.nbytes - held
            used += self._moved(A, self._returned)
        return used

    def _moved(
        self, A: DeviceMatrix, move: Callable[[DeviceArray], tuple[DeviceArray, int]]
    ) -> int:
        """Move the weights beside packed rows, and compressed rows. Returns the bytes moved."""
        moved = of_indices = of_values = 0
        if A.packed is not None and A.packed.weights is not None:
            values, moved = move(A.packed.weights.values)
            A.packed = A.packed._replace(weights=A.packed.weights._replace(values=values))
        if A.rows is None:
            A.indices, of_indices = move(A.indices)
            A.values, of_values = move(A.values)
        return moved + of_indices + of_values

    def nbytes(self, of: Matrix) -> int:
        """Lowers ``notation.host_memory.spilled_bytes``."""
        if not isinstance(of._store, DeviceMatrix):
            return 0
        held = 0
        for A in related(of._store):
            plain = (A.indices, A.values) if A.rows is None else ()
            packed = () if A.packed is None else (A.packed.stream, A.packed.window.host)
            weights = None if A.packed is None else A.packed.weights
            values = () if weights is None else (weights.values,)
            arrays = (array for array in (*plain, *packed, *values) if array is not None)
            held += sum(array.nbytes for array in arrays if self.device.is_pinned(array))
        return held

    def _fits(self, wanted: int) -> bool:
        return 2 * wanted <= self.device.free_bytes

    def _spilled(self, array: DeviceArray) -> tuple[DeviceArray, int]:
        """The array in the host's memory, and the bytes that this frees on the device."""
        if self.device.is_pinned(array) or array.nbytes < LEAST_MOVED_BYTES:
            return array, 0
        made = self.device.pinned(array.size, array.dtype)
        self.device.overwrite(made, array)
        return made, array.nbytes

    def _returned(self, array: DeviceArray) -> tuple[DeviceArray, int]:
        """The array on the device, if it fits well, and the bytes that it takes there."""
        if not self.device.is_pinned(array) or not self._fits(array.nbytes):
            return array, 0
        try:
            made = self.device.empty(array.size, array.dtype)
        except TooLarge:
            return array, 0
        self.device.overwrite(made, array)
        return made, array.nbytes


def related(A: DeviceMatrix) -> list[DeviceMatrix]:
    """A matrix, its transpose if that is stored, and the copy of its layout."""
    layout = None if A.layout is None else A.layout.matrix
    others = {id(B): B for B in (A, A.transposed, layout) if B is not None}
    return list(others.values())
