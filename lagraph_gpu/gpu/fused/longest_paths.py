"""Longest paths in graphs without cycles, by one cooperative kernel (see longest_paths.cuh)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.gpu.closure.persistent import COUNT
from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.fused.peeling import record_fit
from lagraph_gpu.gpu.storage import DeviceVector
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.planning.trace import explaining
from semirings import types
from semirings.types import FP32, FP64, INT32, INT64

LONGEST_PATHS = "fused/longest_paths.cuh"

PIECE = 32
"""Rows are queued in pieces of so many entries. A warp goes on with a vertex of one piece."""

LENGTHS = (INT32, INT64, FP32, FP64)
"""The types of lengths that an atomic instruction can raise."""


class LongestPaths(BackendPart):
    """Computes longest lengths on the device. The field is for tests."""

    piece = PIECE

    def longest_lengths(
        self, G: Graph, hops: bool, dtype: np.dtype, most: int | None = None
    ) -> tuple[Vector, DeviceArray] | None:
        """The lengths, and how many items are left after at least ``most`` rounds or vertices that
        one warp followed alone. None for other types of lengths, or if no kernel can be resident.
        """
        if dtype not in LENGTHS:
            return None
        device, n, entering = self.device, G.n, G.in_degree._store
        rows = self.backend.matrices.plain(G.A)
        weights, stride, kind = rows.values, rows.stride, rows.dtype
        if hops:
            weights, stride, kind = device.upload(np.ones(1, dtype)), np.int32(0), dtype
        length = DeviceVector.allocated(device, n, dtype)
        room, counts = max(1, n), device.zeros(constants.LONGEST_COUNTS, COUNT)
        stop = device.stopwatch() if explaining() else None
        forms = ", ".join(map(types.c_name, (rows.offset, kind, dtype)))
        fits = self.backend.launch_resident(
            LONGEST_PATHS, "", f"longest_paths<{forms}>", constants.PEEL_BLOCK,
            np.int32(n), rows.offset.type(self.piece), rows.indptr, rows.indices, weights, stride,
            entering.present, entering.values, device.empty(room, COUNT), length.bits,
            length.values, device.empty(room + rows.nnz // self.piece, INT64),
            COUNT.type(n + 1 if most is None else most), counts,
        )  # fmt: skip
        record_fit("longest paths", fits, "a warp follows a path until nothing is ready", stop)
        length.changed(None)
        return (self.backend.as_vector(length), counts[constants.LONGEST_LEFT :]) if fits else None
