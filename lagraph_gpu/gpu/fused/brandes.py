"""Betweenness from a few sources at a time by one cooperative kernel, Brandes' algorithm (see
brandes.cuh)."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.closure.persistent import COUNT, ITEM
from lagraph_gpu.gpu.device import BackendPart, constants
from lagraph_gpu.gpu.fused.peeling import record_fit
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.vector import Vector
from lagraph_gpu.planning.direction import fans_out
from lagraph_gpu.planning.trace import explaining
from semirings import types
from semirings.types import FP64

BRANDES = "fused/brandes.cuh"

BLOCK = constants.BRANDES_BLOCK
"""The largest number of threads in a block."""

PIECE = 32
"""A longer row is processed in pieces of so many entries."""

BULK_EDGES = 1 << 17
"""If more edges leave a frontier, the vertices that it reaches are listed afterwards, by a pass
over all vertices."""

WIDTHS = 4, 8, 16, 32
"""The number of sources of a launch: the smallest of these that holds all sources, or the largest
for which there is memory."""

FREE_SHARE = 0.9
"""Apart from the smallest width, the memory is at most this share of the free bytes."""

BYTES = 32, 16
"""The bytes of each source for a vertex (its level, band, two numbers and a place in the lists),
and for a piece of a row."""


class Brandes(BackendPart):
    """Lowers ``dependencies``. The fields are for tests."""

    piece, bulk_edges, widths = PIECE, BULK_EDGES, WIDTHS
    blocks = 16
    """The largest number of blocks for each multiprocessor."""

    def dependencies(
        self, G: Graph, sources: np.ndarray, endpoints: bool, counts: np.ndarray
    ) -> Vector | None:
        """None if no kernel can be resident, or if there is not enough memory."""
        try:
            out = self.backend.matrices.plain(G.A)
            for width in self._fitting(out, sources.size):
                with suppress(TooLarge):  # what is free may be less by now, or in pieces
                    made = self._dependencies(G.A, width, sources, endpoints, counts)
                    return None if made is None else self.backend.as_vector(made)
        except TooLarge:
            pass
        return None

    def _dependencies(
        self, A: Any, width: int, sources: np.ndarray, endpoints: bool, counts: np.ndarray
    ) -> DeviceVector | None:
        device, n, matrices = self.device, A.nrows, self.backend.matrices
        out = matrices.plain(A)
        into = matrices.transpose(out)
        room, listed = n * width, width * (n + 2 * out.nnz // self.piece)
        scratch = device.reserve(
            (room, INDEX), (room, FP64), (room, FP64), (room, INDEX), (n, INDEX), (listed, ITEM),
            (n + 3, COUNT), (n + 3, COUNT), (2, COUNT),
        )  # fmt: skip
        made = DeviceVector.allocated(device, n, FP64)
        made.values = device.zeros(n, FP64)
        stop = device.stopwatch() if explaining() else None
        whole = not fans_out(n, out.nnz) and all(
            self.backend.products.bound_rows(A, self.piece) <= self.piece for A in (out, into)
        )  # synchronize! once a matrix
        fits, name = True, f"brandes<{types.c_name(out.offset)}, {width}>"
        for first in range(0, sources.size, width):
            some, often = np.full(width, -1, INDEX), np.zeros(width, FP64)
            some[: sources.size - first] = sources[first : first + width]
            often[: sources.size - first] = counts[first : first + width]
            fits = self.backend.launch_resident(
                BRANDES, "", name, BLOCK, np.int32(n), out.indptr, out.indices, into.indptr,
                into.indices, out.offset.type(self.piece), np.bool_(whole),
                COUNT.type(self.bulk_edges),
                device.upload(some), device.upload(often), np.bool_(endpoints), *scratch,
                made.bits, made.values, device.zeros(2, WORD), each=self.blocks,
            )  # fmt: skip
            if not fits:
                break
        made.changed(n)
        back = "whole rows" if whole else "the one of fewer edges"
        record_fit("betweenness", fits, f"levels forth, and back along {back}", stop)
        return made if fits else None

    def _fitting(self, A: DeviceMatrix, count: int) -> list[int]:
        """How many sources of ``count`` a launch may have, the best number first."""
        each = BYTES[0] * max(1, A.shape[0]) + BYTES[1] * (A.nnz // self.piece)
        share = FREE_SHARE * self.device.free_bytes / each
        fit = [width for width in self.widths if width <= share] or list(self.widths[:1])
        enough = next((width for width in fit if width >= count), fit[-1])
        return [width for width in reversed(fit) if width <= enough]
