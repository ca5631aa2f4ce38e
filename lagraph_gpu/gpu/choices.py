"""The best label of each row, by kernels that add up in tables (choice.cuh), not in a matrix.

Rows are listed by length, on the device: nobody waits. Memory: 20 bytes a row for the lists, and
the tables of the longest rows, a quarter of what is free at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from semirings import types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

SHORT = 8, 32
"""Rows of at most so many entries need no table; as in choice.cuh."""

SLOTS_WARPS, SLOTS_BLOCK = 2048, 1920
"""Slots of a block's tables in shared memory, of its warps' or its own: 24 KiB at most, so that
eight blocks fit a multiprocessor."""

LONG_BLOCK, LONG_EACH = 4, 2
"""Blocks of the longest rows have so many times the threads of others; a multiprocessor has so many
of them. On an H200, on kron22 with all labels different, these rows take 3.6 ms so, 5.3 with one
such block, 5.0 with three of half the threads, 8.0 with four of a quarter."""

FREE_SHARE = 4
"""The tables of the longest rows take at most one in so many free bytes."""

KINDS = len(SHORT) + 3
"""Of rows: the last three are for a warp, a block, or a block with a table in global memory."""


class Choices:
    """The way of ``Backend.choice``. The fields are for tests, which want small tables."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.slots = SLOTS_WARPS, SLOTS_BLOCK

    def choice(
        self, B: DeviceMatrix, P: DeviceMatrix, rows: DeviceVector | None,
        terms: tuple[DeviceVector | None, ...],
    ) -> tuple[DeviceVector, DeviceVector, DeviceVector] | None:  # fmt: skip
        """As ``Backend.choice`` says; None unless each row of P has one entry, terms are full, and
        all numbers are of the one type, INT64 or FP64."""
        n, dtype = B.shape[0], B.dtype
        given = [term for term in terms if term is not None]
        if (
            dtype not in (types.INT64, types.FP64)
            or not B.nnz
            or (B.shape, P.shape, P.nnz, P.max_degree) != ((n, n), (n, n), n, 1)
            or any(term.dtype != dtype or not term.full for term in given)
        ):
            return None
        device, launch = self.device, self.backend.launch
        bits = None if rows is None else rows.bits
        longest = self.backend.products.bound_rows(B, SHORT[-1])
        warps = device.block_size // 32
        most = *SHORT, *(fits(slots) for slots in (self.slots[0] // warps, self.slots[1]))
        has, lists = device.empty(words(n), WORD), device.empty(KINDS * n, INDEX)
        counts = device.zeros(KINDS + 1, WORD)
        offset, z = types.c_name(B.offset), types.c_name(dtype)
        launch("choice.cuh", "", f"sort_rows<{offset}>", n, np.int32(n), B.indptr, bits,
               *map(np.int32, most[2:]), has, lists, counts)  # fmt: skip
        top, own = (device.empty(n, dtype) for _ in range(2))
        winner = device.empty(n, types.INT64)
        values = (None if term is None else term.values for term in terms)
        head = (np.int32(n), lists, counts, *B.arrays(), P.indices, *values, top, winner, own)
        *names, last = kernels(offset, z, *self.slots)
        lanes, least = (*SHORT, 32, device.block_size), 0
        for name, threads, bound in zip(names, lanes, most, strict=True):
            if longest > least:
                work = min(n, B.nnz // (least + 1)) * threads
                launch("choice.cuh", "", name, work, *head)
            least = bound
        if longest > least:
            self._longest(B, last, longest, least, head, counts)
        return (
            DeviceVector(n, dtype, has, top),
            DeviceVector(n, types.INT64, device.copy(has), winner),
            DeviceVector(n, dtype, device.copy(has), own),
        )

    def _longest(
        self, B: DeviceMatrix, name: str, longest: int, least: int, head: tuple[Any, ...],
        counts: Any,
    ) -> None:  # fmt: skip
        """The rows of more than ``least`` entries, the longest of so many."""
        device = self.device
        room = longest + longest // 3 + 1
        share = device.free_bytes // FREE_SHARE // (room * (INDEX.itemsize + B.dtype.itemsize))
        blocks = max(1, min(B.nnz // (least + 1), LONG_EACH * device.multiprocessors, share))
        keys, sums = device.empty(blocks * room, INDEX), device.empty(blocks * room, B.dtype)
        kernel = self.backend.kernel("choice.cuh", "", name)
        kernel(blocks, LONG_BLOCK * device.block_size,
               (*head, counts[KINDS:], np.int64(room), keys, sums))  # fmt: skip


def kernels(
    offset: str, z: str, of_warps: int = SLOTS_WARPS, of_block: int = SLOTS_BLOCK
) -> list[str]:
    """For each kind of rows the kernel."""
    groups = ("Warp", of_warps), ("Block", of_block)
    return [
        *(f"choose_short<{offset}, {z}, {lanes}>" for lanes in SHORT),
        *(f"choose_row<{offset}, {z}, {group}, {slots}>" for group, slots in groups),
        f"choose_long_row<{offset}, {z}>",
    ]


def fits(slots: int) -> int:
    """The labels for which a table has room (see slots_for)."""
    return (slots - 1) * 3 // 4
