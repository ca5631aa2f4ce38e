"""Betweenness from a few sources at a time by two cooperative kernels, Brandes' algorithm (see
brandes_forth.cuh)."""

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
from lagraph_gpu.notation import Vector
from lagraph_gpu.planning.trace import explaining
from semirings import types
from semirings.types import FP64, UINT8

FORTH, BACK = "fused/brandes_forth.cuh", "fused/brandes_back.cuh"

BLOCK = constants.BRANDES_BLOCK
"""The largest number of threads in a block."""

PIECE = 32
"""A longer row is processed in pieces of so many entries."""

BULK_EDGES = 1 << 17
"""If more edges leave a frontier, the vertices that it reaches are listed afterwards, by a pass
over all vertices."""

DEEPEST = {UINT8: 253, INDEX: 2**31 - 3}
"""The types that hold levels, and the deepest level of each. A search that is deeper begins again
with the wider type."""

WIDTHS = 4, 8, 16, 32
"""The number of sources of a launch: the smallest of these that holds all sources, or the largest
for which there is memory."""

FREE_BYTES_SHARE = 0.9
"""Apart from the smallest width, the memory is at most this share of the free bytes. If an
allocation fails nevertheless, the next smaller width is taken (record 0176)."""

BYTES = 32, 16
"""The bytes of each source for a vertex (its level, band, two numbers and a place in the lists, in
which the vertices not reached have a quarter of a place), and for a piece of a row."""


class Brandes(BackendPart):
    """Lowers ``dependencies``. The fields are for tests."""

    piece, bulk_edges, widths, deepest = PIECE, BULK_EDGES, WIDTHS, DEEPEST
    edges_each = 1
    """The vertices that are not reached are listed if more edges leave a frontier than so many for
    each vertex of the graph."""
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
        out = self.backend.matrices.plain(A)
        depth = out.pattern.depth
        few_levels = not (out.seems_deep or depth.many_rounds)
        made, too_deep = self._summed(out, width, few_levels, sources, endpoints, counts)
        if too_deep:
            depth.many_rounds = True
            made, _ = self._summed(out, width, False, sources, endpoints, counts)
        return made

    def _summed(
        self, out: DeviceMatrix, width: int, few_levels: bool, sources: np.ndarray,
        endpoints: bool, counts: np.ndarray,
    ) -> tuple[DeviceVector | None, bool]:  # fmt: skip
        """The sums, with levels of the narrow type if there are few; None if no kernel can be
        resident. And whether a search had more levels than that type has numbers for."""
        device, n, matrices = self.device, out.shape[0], self.backend.matrices
        into = matrices.transpose(out)
        stamp = UINT8 if few_levels else INDEX
        room, each = n * width, n + out.nnz // self.piece
        *of, listed, unreached, open_, items, sizes, edges, depth, begin = device.reserve(
            (room, stamp), (room, FP64), (room, FP64), (room, INDEX),
            (n, INDEX), (each if few_levels else 0, ITEM), (2, COUNT),
            (width * (each + out.nnz // self.piece), ITEM), (n + 3, COUNT), (n + 3, COUNT),
            (1, COUNT), (1, COUNT),
        )  # fmt: skip
        made = DeviceVector.allocated(device, n, FP64)
        made.values = device.zeros(n, FP64)
        stop = device.stopwatch() if explaining() else None
        whole = out.seems_deep and all(
            self.backend.products.bound_rows(A, self.piece) <= self.piece for A in (out, into)
        )  # synchronize! once a matrix
        kinds = f"<{types.c_name(out.offset)}, {width}, {types.c_name(stamp)}>"
        rows = [(A.indptr, A.indices) for A in (out, into)]
        levels = items, sizes, edges, depth, begin
        fits, too_deep = True, device.zeros(1, WORD)
        for first in range(0, sources.size, width):
            some, often = np.full(width, -1, INDEX), np.zeros(width, FP64)
            some[: sources.size - first] = sources[first : first + width]
            often[: sources.size - first] = counts[first : first + width]
            state, chosen = device.zeros(2, WORD), device.upload(some)
            both = *rows, (*of, state[1:], out.offset.type(self.piece)), levels
            fits = self.backend.launch_resident(
                FORTH, "", "brandes_forth" + kinds, BLOCK, np.int32(n), *both,
                COUNT.type(self.bulk_edges), COUNT.type(self.edges_each * n),
                INDEX.type(self.deepest[stamp]), chosen, listed, unreached, open_,
                made.bits, state, too_deep, each=self.blocks,
            ) and self.backend.launch_resident(
                BACK, "", "brandes_back" + kinds, BLOCK, *both, np.bool_(whole), chosen,
                device.upload(often), np.bool_(endpoints), made.values, state, too_deep,
                each=self.blocks,
            )  # fmt: skip
            if not fits:
                break
        if fits and few_levels and device.download(too_deep)[0]:  # synchronize!
            return None, True
        made.changed(n)
        back = "whole rows" if whole else "the one of fewer edges"
        record_fit("betweenness", fits, f"levels forth, and back along {back}", stop)
        return made if fits else None, False

    def _fitting(self, A: DeviceMatrix, count: int) -> list[int]:
        """How many sources of ``count`` a launch may have, the best number first."""
        each = BYTES[0] * max(1, A.shape[0]) + BYTES[1] * (A.nnz // self.piece)
        share = FREE_BYTES_SHARE * self.device.free_bytes / each
        fit = [width for width in self.widths if width <= share] or list(self.widths[:1])
        enough = next((width for width in fit if width >= count), fit[-1])
        return [width for width in reversed(fit) if width <= enough]
