"""A matrix in other orders than by rows. A copy is made for the first schedule that asks for it,
and kept with the matrix.

A list of edges in the order of rows takes 4 more bytes for each entry (its tails); in another
order, 8 or more. Rows interleaved for the lanes of a warp take as many bytes again as the slots
need, 32 times the longest row of each slice: that is close to the entries if degrees are even, and
many times as much if they are not and vertices are not ordered by degree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device import BackendPart, DeviceArray
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix, words
from lagraph_gpu.gpu.storage.matrix_storage import KEEPERS
from semirings import types

EXCHANGE = "matrix/exchange.cuh"
EDGE_ORDERS = "matrix/edge_orders.cuh"

SEGMENT = 20
"""Edges are grouped by segments of 2^20 positions: two segments of results of 4 bytes, and of the
values they come from, are 16 MB, which an L2 cache of 60 MB can hold."""


class Edges(NamedTuple):
    """A matrix as a list of its entries, one edge each (see edge_orders.cuh)."""

    number: int
    both: bool
    """True if an edge also stands for its reverse."""
    tails: DeviceArray
    heads: DeviceArray
    values: DeviceArray


class Slices(NamedTuple):
    """The rows of a matrix with those of each warp interleaved, and the position at which each
    slice begins."""

    begins: DeviceArray
    indices: DeviceArray
    values: DeviceArray


SLICES = "interleaved rows"
"""Under this key a matrix keeps its slices."""


class Rearranged(BackendPart):
    """Makes matrices in these orders. The field is for tests."""

    segment = SEGMENT

    def edges(self, A: DeviceMatrix, layout: str | None) -> Edges:
        """A as a list of edges, by rows or "segmented". The latter waits the first time."""
        key = f"edges, {layout or 'by rows'}"
        made: Edges | None = A.copies.get(key)
        if made is None:
            made = A.copies[key] = self._by_rows(A) if layout is None else self._segmented(A)
            KEEPERS.add(A)
        return made

    def _by_rows(self, A: DeviceMatrix) -> Edges:
        tails = self.backend.matrices.rows_of_entries(A)
        return Edges(A.nnz, False, tails, A.indices, A.values)

    def _segmented(self, A: DeviceMatrix) -> Edges:
        plain, symmetric = self.edges(A, None), A.transposed is A
        if A.nnz == 0:
            return plain
        last = (A.shape[1] - 1 >> self.segment) + 1
        groups, totals = self.device.empty(A.nnz, INDEX), self.device.zeros(1, np.uint64)
        self._launch(f"groups_of_edges<{types.c_name(A.offset)}>", A.nnz, A.offset.type(A.nnz),
                     np.bool_(symmetric), np.int32(self.segment), np.int32(last), plain.tails,
                     plain.heads, groups, totals)  # fmt: skip
        order = self.device.argsort(groups)
        count = int(self.device.download(totals)[0])  # synchronize!
        tails, heads = (self._picked(given, order, count) for given in (plain.tails, plain.heads))
        values = A.values if A.iso else self._picked(A.values, order, count)
        return Edges(count, symmetric, tails, heads, values)

    def _picked(self, given: Any, order: Any, count: int) -> Any:
        result = self.device.empty(count, given.dtype)
        name = f"pick<{types.c_name(given.dtype)}, long long>"
        self.backend.launch(EXCHANGE, "", name, count, np.int64(count), order, given, result)
        return result

    def slices(self, A: DeviceMatrix, longest: int) -> Slices:
        """The rows with at most ``longest`` entries, those of each warp interleaved. Waits the
        first time."""
        made: Slices | None = A.copies.get(SLICES)
        if made is None:
            n, offset = A.shape[0], types.c_name(A.offset)
            sizes = self.device.zeros(words(n), np.int64)
            self._launch(f"slice_sizes<{offset}>", n, np.int32(n), A.indptr, np.int32(longest),
                         sizes)  # fmt: skip
            ends, room = self.backend.prefix_sums.total(sizes, sizes.dtype)  # synchronize!
            if room > np.iinfo(A.offset).max:
                raise TooLarge(
                    f"expected rows of which 32 interleaved fill at most {np.iinfo(A.offset).max:,}"
                    f" slots, got {room:,} for {A.nnz:,} entries; order the vertices by degree"
                )
            begins = self.device.empty(words(n), A.offset)
            indices = self.device.empty(max(1, room), INDEX)
            values = A.values if A.iso else self.device.empty(max(1, room), A.dtype)
            self._launch(f"interleave<{offset}, {types.c_name(A.dtype)}>", n, np.int32(n), A.indptr,
                         A.indices, None if A.iso else A.values, np.int32(longest), ends, begins,
                         indices, None if A.iso else values)  # fmt: skip
            made = A.copies[SLICES] = Slices(begins, indices, values)
            KEEPERS.add(A)
        return made

    def _launch(self, name: str, work: int, *args: Any) -> None:
        self.backend.launch(EDGE_ORDERS, "", name, work, *args)
