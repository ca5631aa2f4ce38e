"""Sorts the entries of each row of a matrix into other arrays (see segmented_sort.cuh).

A row is sorted in the registers of a warp, or in shared memory. Only rows that do not fit there are
sorted by passes over global memory, which all blocks share. The entries of other rows are read once
and written once.
"""

from __future__ import annotations

import functools
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, DeviceArray, constants
from lagraph_gpu.gpu.matrix.weight_order import BYTE, pair_of
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix
from semirings import types

SEGMENTED_SORT = "matrix/segmented_sort.cuh"
SEGMENTED_SORT_TILES = "matrix/segmented_sort_tiles.cuh"

SHORT = constants.SHORT_ROW
"""The largest number of entries of a row that is sorted in the registers of a warp."""
WARPS = 1, 2, 4, 8, 16, 32
"""The numbers of warps that sort a row together, ROOM entries each. A block has at most 32."""
ROOM, TILE = constants.WARP_ROOM, constants.SORT_TILE
"""The number of entries for each warp, and of a tile of longer rows."""
RADIX_BITS, RADIX = constants.RADIX_BITS, 1 << constants.RADIX_BITS
"""The bits of a digit, and the number of its values."""
EACH, BESIDE, SPARED = 8 * ROOM + 4 * (RADIX + RADIX // 32) + 4, 4, 1024
"""The bytes of shared memory for each warp that sorts a row, for the row, and for other things."""
ITEM = np.dtype(np.int64)


class SortOperands(NamedTuple):
    """The source and the destination of the entries, as kernels take them (see
    segmented_sort_keys.cuh)."""

    old: DeviceArray | None
    to: DeviceArray | None
    indptr: DeviceArray
    indices: DeviceArray
    values: DeviceArray | None
    flip: np.uint32
    begins: DeviceArray
    out_columns: DeviceArray
    out_values: DeviceArray | None


def kernels(order: str) -> list[tuple[str, str]]:
    """All kernels that sort rows in this order, with their headers."""
    rows = [f"order_short_rows<{order}>", *(f"order_listed_rows<{order}, {w}>" for w in WARPS)]
    tiles = [f"count_digits<{order}>", f"move_digits<{order}>"]
    return [(SEGMENTED_SORT, name) for name in rows] + [
        (SEGMENTED_SORT_TILES, name) for name in tiles
    ]


class RowOrder(BackendPart):
    """Sorts rows by keys of 32 bits. The sort is stable."""

    def by_column(
        self, A: DeviceMatrix, made: DeviceMatrix, old: DeviceArray, to: DeviceArray
    ) -> None:
        """Fill ``made``, whose row i is row old[i] of A, sorted by the columns' new numbers ``to``.
        Waits once."""
        values = (None, None) if A.iso else (A.values, made.values)
        rows = SortOperands(old, to, A.indptr, A.indices, values[0], np.uint32(0), made.indptr,
                    made.indices, values[1])  # fmt: skip
        order = _by_column(A)
        columns = made.pattern.n_connected or made.shape[0]
        self._sort(order, rows, made, max(1, (columns - 1).bit_length()))

    def by_weight(self, A: DeviceMatrix, falling: bool) -> DeviceArray:
        """The entries of each row of A by rising or falling value, in pairs as in edge_storage.cuh.
        Values of 8 bytes are sorted by their lower half and then by the upper half. Waits once for
        each sort."""
        flip, dtype = np.uint32(0xFFFFFFFF if falling else 0), A.dtype
        given: tuple[Any, Any] = A.indices, A.values
        found: tuple[Any, Any]
        for order, last in self._orders(A):
            if last:
                found = self.device.empty(A.nnz * pair_of(dtype).itemsize, BYTE), None
            else:
                found = self.device.empty(A.nnz, INDEX), self.device.empty(A.nnz, dtype)
            rows = SortOperands(None, None, A.indptr, *given, flip, A.indptr, *found)
            self._sort(order, rows, A, 32)
            given = found
        return given[0]  # type: ignore[no-any-return]

    def kernels_by_column(self, A: DeviceMatrix) -> list[tuple[str, str]]:
        """The kernels that `by_column` often launches, with their headers."""
        order = _by_column(A)
        rows = f"order_short_rows<{order}>", *(f"order_listed_rows<{order}, {w}>" for w in WARPS)
        return [(SEGMENTED_SORT, name) for name in (_listing(A), *rows)]

    @staticmethod
    def _orders(A: DeviceMatrix) -> list[tuple[str, bool]]:
        """The sorts by weight, and True for the last one."""
        kinds = f"{types.c_name(A.offset)}, {types.c_name(A.dtype)}"
        return [
            (f"ByWeight<{kinds}, {str(last).lower()}>", last)
            for last in ((False, True) if A.dtype.itemsize > 4 else (True,))
        ]

    def kernels_by_weight(self, A: DeviceMatrix) -> list[tuple[str, str]]:
        """The kernels that `by_weight` may launch, with their headers."""
        return [
            (SEGMENTED_SORT, _listing(A)),
            *chain.from_iterable(kernels(order) for order, _ in self._orders(A)),
        ]

    def _sort(self, order: str, rows: SortOperands, made: DeviceMatrix, bits: int) -> None:
        n, nnz, device = made.shape[0], made.nnz, self.device
        launch = functools.partial(self.backend.launch, SEGMENTED_SORT, "")
        kinds = [w for w in WARPS if w * EACH + BESIDE + SPARED <= device.largest_shared]
        room = min(n, nnz // SHORT + 1)
        most = max(1, nnz // TILE + nnz // (ROOM * kinds[-1]))
        tiles = device.empty(most, INDEX), device.empty(most, INDEX)
        lists, counts = device.empty(len(kinds) * room, INDEX), device.zeros(len(kinds) + 1, WORD)
        launch(_listing(made), n, np.int32(n),
               np.int32(len(kinds)), np.int32(room), rows.begins, lists, *tiles,
               counts)  # fmt: skip
        launch(f"order_short_rows<{order}>", n, np.int32(n), *rows)
        *many, number = device.download(counts).tolist()  # synchronize!
        if number:
            self._sort_tiles(order, rows, (np.int32(number), *tiles), bits)
        for k, warps in reversed(list(enumerate(kinds))):
            if many[k]:
                self._sort_listed(order, warps, many[k], lists[k * room :], counts[k:], *rows)

    def _sort_listed(self, order: str, warps: int, many: int, *args: Any) -> None:
        """Sort the listed rows, each by so many warps."""
        device = self.device
        threads = device.block_size if warps == 1 else 32 * warps
        sorts = threads // 32 if warps == 1 else 1
        most = max(1, device.max_blocks * device.block_size // threads)
        self.backend.launch(
            SEGMENTED_SORT, "", f"order_listed_rows<{order}, {warps}>", 0, *args,
            blocks=min(-(-many // sorts), most), threads=threads,
            shared_bytes=sorts * (warps * EACH + BESIDE),
        )  # fmt: skip

    def _sort_tiles(
        self, order: str, rows: SortOperands, tiles: tuple[Any, ...], bits: int
    ) -> None:
        """Sort the rows that are cut into tiles, by a radix sort: for each digit a count, its
        prefix sum and a move."""
        device, number, offset = self.device, int(tiles[0]), rows.indptr.dtype
        launch = functools.partial(self.backend.launch, SEGMENTED_SORT_TILES, "")
        counts = device.empty(number * RADIX, WORD)
        passes, items, ends = -(-bits // RADIX_BITS), None, None
        work = number * device.block_size
        for p in range(passes):
            shift = np.int32(p * RADIX_BITS)
            launch(f"count_digits<{order}>", work, *tiles, shift, items, ends, *rows[:7], counts)
            ends = self.backend.prefix_sums.ends(counts, offset)
            moved = device.empty(number * TILE, ITEM) if p < passes - 1 else None
            launch(f"move_digits<{order}>", work, *tiles, shift, items, ends, counts, moved, *rows)
            items = moved


def _by_column(A: DeviceMatrix) -> str:
    """The order of `RowOrder.by_column`."""
    return f"ByColumn<{types.c_name(A.offset)}, {types.c_name(A.dtype)}>"


def _listing(A: DeviceMatrix) -> str:
    """The kernel that lists the long rows of a matrix."""
    return f"list_long_rows<{types.c_name(A.offset)}>"
