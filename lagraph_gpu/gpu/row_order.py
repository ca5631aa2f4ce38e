"""The entries of each row of a matrix in another order, into other arrays (see row_order.cuh).

Rows are sorted where they lie: in the registers of a warp, in shared memory, and only those of more
entries than that holds by passes over memory, which all blocks share. Each entry is read once and
written once, but for these.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.device import DeviceArray

GROUPS = ("Warp", 512), ("Block", 4096)
"""Who sorts a row, and up to how many entries; as in row_order.cuh."""
TILE = 4096
"""Longer rows are cut in tiles of so many entries."""
DIGIT, DIGITS = 8, 256
"""Bits of a digit of theirs, and its values."""
ITEM = np.dtype(np.int64)
BITS, BALLOTS, TOGETHER = 8, "false", 4


class Rows(NamedTuple):
    """Where entries come from and go, as kernels take it (see row_keys.cuh)."""

    old: DeviceArray | None
    to: DeviceArray | None
    indptr: DeviceArray
    indices: DeviceArray
    values: DeviceArray | None
    flip: np.uint32
    begins: DeviceArray
    out_indices: DeviceArray
    out_values: DeviceArray | None


def listed(order: str, group: str, most: int) -> str:
    """The kernel for listed rows of up to so many entries."""
    bits = BITS if group == "Warp" else 8
    return f"order_listed_rows<{order}, {group}, {most}, {bits}, {BALLOTS}>"


def kernels(order: str) -> list[tuple[str, str]]:
    """All that put rows in an order, with their headers."""
    rows = [f"order_short_rows<{order}, {TOGETHER}>", *(listed(order, *group) for group in GROUPS)]
    tiles = [f"count_digits<{order}>", f"move_digits<{order}, {BALLOTS}>"]
    return [("row_order.cuh", name) for name in rows] + [("row_tiles.cuh", name) for name in tiles]


class RowOrder:
    """Sorts rows by keys of 32 bits; entries of equal keys stay in their order."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device

    def by_column(
        self, A: DeviceMatrix, made: DeviceMatrix, old: DeviceArray, to: DeviceArray
    ) -> None:
        """Fills ``made``, whose row i is row old[i] of A, by the columns' new numbers ``to``. Waits
        once."""
        values = (None, None) if A.iso else (A.values, made.values)
        rows = Rows(old, to, A.indptr, A.indices, values[0], np.uint32(0), made.indptr,
                    made.indices, values[1])  # fmt: skip
        order = f"ByColumn<{types.c_name(A.offset)}, {types.c_name(A.dtype)}>"
        columns = made.used or made.shape[0]
        self._sort(order, rows, made, max(1, (columns - 1).bit_length()))

    def by_weight(self, A: DeviceMatrix, made: DeviceMatrix, falling: bool) -> None:
        """Fills ``made``, which has A's rows, by rising or falling values: those of 8 bytes by
        their lower half, and then by the upper. Waits once for each."""
        flip, offset, dtype = np.uint32(0xFFFFFFFF if falling else 0), A.offset, A.dtype
        given = A.indices, A.values
        for upper in (False, True) if dtype.itemsize > 4 else (False,):
            found = self.device.empty(A.nnz, INDEX), self.device.empty(A.nnz, dtype)
            rows = Rows(None, None, A.indptr, *given, flip, A.indptr, *found)
            order = f"ByWeight<{types.c_name(offset)}, {types.c_name(dtype)}, {str(upper).lower()}>"
            self._sort(order, rows, made, 32)
            given = found
        made.indices, made.values = given

    def _sort(self, order: str, rows: Rows, made: DeviceMatrix, bits: int) -> None:
        n, nnz, device = made.shape[0], made.nnz, self.device
        launch = functools.partial(self.backend.launch, "row_order.cuh", "")
        room = max(1, 2 * (nnz // TILE))
        tiles = device.empty(room, INDEX), device.empty(room, INDEX)
        lists, counts = device.empty(len(GROUPS) * n, INDEX), device.zeros(len(GROUPS) + 1, WORD)
        launch(f"list_long_rows<{types.c_name(made.offset)}>", n, np.int32(n), rows.begins, lists,
               *tiles, counts)  # fmt: skip
        launch(f"order_short_rows<{order}, {TOGETHER}>", n, np.int32(n), *rows)
        *many, number = device.download(counts).tolist()  # synchronize!
        if number:
            self._sort_tiles(order, rows, (np.int32(number), *tiles), bits)
        for k, (group, most) in enumerate(GROUPS):
            if many[k]:
                threads = device.block_size if group == "Block" else 32
                launch(listed(order, group, most), many[k] * threads, lists[k * n :], counts[k:],
                       *rows)  # fmt: skip

    def _sort_tiles(self, order: str, rows: Rows, tiles: tuple[Any, ...], bits: int) -> None:
        """The rows that are cut in tiles: a count of the digits, its sum and a move for each."""
        device, number, offset = self.device, int(tiles[0]), rows.indptr.dtype
        launch = functools.partial(self.backend.launch, "row_tiles.cuh", "")
        counts = device.empty(number * DIGITS, WORD)
        passes, items, ends = -(-bits // DIGIT), None, None
        work = number * device.block_size
        for p in range(passes):
            last, shift = p == passes - 1, np.int32(p * DIGIT)
            launch(f"count_digits<{order}>", work, *tiles, shift, items, ends, *rows[:7], counts)
            ends = self.backend.sums.ends(counts, offset)
            moved = None if last else device.empty(number * TILE, ITEM)
            launch(f"move_digits<{order}, {BALLOTS}>", work, *tiles, shift, items, ends, counts,
                   moved, *rows)  # fmt: skip
            items = moved
