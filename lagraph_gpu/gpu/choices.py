"""The best label of each row, and moves to it, by kernels that add up in tables (choice.cuh).

Rows are listed by length, on the device: nobody waits. Memory: 20 bytes a row for the lists, and
the tables of the longest rows, a quarter of what is free at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

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
"""Blocks of the longest rows have so many times the threads of others; so many of them share a
multiprocessor, and its shared memory."""

SPARED = 2048
"""Bytes of shared memory that each of them has for other things."""

FREE_SHARE = 4
"""The tables of the longest rows take at most one in so many free bytes."""

LISTED = 4
"""Rows that a thread lists at a time; as in row_kinds.cuh."""

KINDS = len(SHORT) + 3
"""Of rows: the last three are for a warp, a block, or a block with a table in global memory."""


class Longest(NamedTuple):
    """How the longest rows are served."""

    kernel: Any
    blocks: int
    shared_bytes: int
    tables: tuple[Any, ...]
    """How many slots each has in shared memory, how many in global memory, and these."""


class Plan(NamedTuple):
    """How the rows of a matrix are shared out."""

    most: tuple[int, ...]
    """How many entries a row for a warp has at most, and one for a block."""
    launches: list[tuple[str, int]]
    """The kernels for all but the longest, and how much each has to do."""
    longest: Longest | None


class Choices:
    """The way of ``Backend.choice``. The fields are for tests, which want small tables."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.slots = SLOTS_WARPS, SLOTS_BLOCK
        self.long_bytes = backend.device.largest_shared // LONG_EACH - SPARED

    def choice(
        self, B: DeviceMatrix, P: DeviceMatrix
    ) -> tuple[DeviceVector, DeviceVector, DeviceVector] | None:
        """As ``Backend.choice`` says; None unless each row of P has one entry, and B's values are
        INT64 or FP64."""
        n, dtype, device = B.shape[0], B.dtype, self.device
        if (
            dtype not in (types.INT64, types.FP64)
            or not B.nnz
            or (P.shape, P.nnz, P.max_degree) != ((n, n), n, 1)
        ):
            return None
        has, winner = device.empty(words(n), WORD), device.empty(n, types.INT64)
        top, own = (device.empty(n, dtype) for _ in range(2))
        rest = P.indices, top, winner, own, None, dtype.type(0), *[None] * 7
        lists = device.empty(KINDS * n, INDEX), device.zeros(KINDS + 1, WORD)
        self._choose(B, self._plan(B, False), (None, np.int32(0), None), has, lists, rest)
        return (
            DeviceVector(n, dtype, has, top),
            DeviceVector(n, types.INT64, device.copy(has), winner),
            DeviceVector(n, dtype, device.copy(has), own),
        )

    def sweep(
        self, B: DeviceMatrix, label: DeviceVector, rest: DeviceVector, turns: DeviceVector,
        count: int, unit: float, terms: tuple[DeviceVector | None, ...],
    ) -> tuple[DeviceVector, DeviceVector, DeviceVector] | None:  # fmt: skip
        """As ``Backend.sweep`` says; None if B has no entries."""
        n, device, launch = B.shape[0], self.device, self.backend.launch
        if not B.nnz:
            return None
        scale, k, share, d = (None if term is None else term.values for term in terms)
        labels, winner = device.empty(n, INDEX), device.copy(label.values)
        movers, left = device.zeros(words(n), WORD), device.copy(rest.values)
        gains = device.empty(n, types.FP64)
        sums, more = (None if x is None else device.zeros(n, types.FP64) for x in (k, d))
        rows, counts = device.empty(KINDS * n, INDEX), device.zeros(count * (KINDS + 1), WORD)
        plan = self._plan(B, True)

        def settle(work: int, *those: Any) -> None:
            launch("moves.cuh", "", "settle_moves<double>", work, np.int32(n), *those, winner,
                   labels, k, sums, d, more)  # fmt: skip

        settle(n, None, None, None)
        given = (labels, gains, winner, None, scale, np.float64(unit), sums, k, share, more, d,
                 movers, left)  # fmt: skip
        for turn in range(count):
            lists = rows, counts[turn * (KINDS + 1) : (turn + 1) * (KINDS + 1)]
            self._choose(B, plan, (turns.values, np.int32(turn), left), None, lists, given)
            settle(n // count, *lists, movers)
        return (
            DeviceVector(n, types.INT64, device.copy(label.bits), winner, full=True),
            DeviceVector(n, types.FP64, device.copy(label.bits), left, full=True),
            DeviceVector(n, types.FP64, movers, gains),
        )

    def _plan(self, B: DeviceMatrix, moves: bool) -> Plan:
        """For the rows of B, with memory for those that need it."""
        n, device = B.shape[0], self.device
        longest = self.backend.products.bound_rows(B, SHORT[-1])
        warps = device.block_size // 32
        most = *SHORT, *(fits(slots) for slots in (self.slots[0] // warps, self.slots[1]))
        *names, last = kernels(
            types.c_name(B.offset), types.c_name(B.dtype), moves, B.iso, *self.slots
        )
        launches, least = [], 0
        for name, threads, bound in zip(names, (*SHORT, 32, device.block_size), most, strict=True):
            if longest > least:
                launches.append((name, min(n, B.nnz // (least + 1)) * threads))
            least = bound
        return Plan(most[2:], launches, self._longest(B, last, longest, least))

    def _longest(self, B: DeviceMatrix, name: str, longest: int, least: int) -> Longest | None:
        """How rows of more than ``least`` entries are served, the longest of so many."""
        device = self.device
        if longest <= least:
            return None
        counted = WORD if B.iso else B.dtype
        each = INDEX.itemsize + counted.itemsize
        slots, room = self.long_bytes // each, longest + longest // 3 + 1
        blocks = min(B.nnz // (least + 1), LONG_EACH * device.multiprocessors)
        if room <= slots:
            slots, room = room, 0
        else:
            blocks = max(1, min(blocks, device.free_bytes // FREE_SHARE // (room * each)))
        keys, sums = device.empty(blocks * room, INDEX), device.empty(blocks * room, counted)
        kernel = self.backend.kernel("choice.cuh", "", name)
        return Longest(kernel, blocks, slots * each, (np.int32(slots), np.int64(room), keys, sums))

    def _choose(
        self, B: DeviceMatrix, plan: Plan, wanted: tuple[Any, ...], has: Any,
        lists: tuple[Any, Any], rest: tuple[Any, ...],
    ) -> None:  # fmt: skip
        """The rows that are wanted choose, or move at once."""
        n, launch = B.shape[0], self.backend.launch
        name = f"list_rows<{types.c_name(B.offset)}>"
        launch("row_kinds.cuh", "", name, -(-n // LISTED), np.int32(n), B.indptr, *wanted,
               *map(np.int32, plan.most), has, *lists)  # fmt: skip
        head = np.int32(n), *lists, *B.arrays()[:3], *rest
        for name, work in plan.launches:
            launch("choice.cuh", "", name, work, *head)
        if plan.longest is not None:
            kernel, blocks, shared_bytes, tables = plan.longest
            kernel(
                blocks, LONG_BLOCK * self.device.block_size, (*head, lists[1][KINDS:], *tables),
                shared_bytes=shared_bytes,
            )  # fmt: skip


def kernels(
    offset: str, z: str, moves: bool, alike: bool,
    of_warps: int = SLOTS_WARPS, of_block: int = SLOTS_BLOCK,
) -> list[str]:  # fmt: skip
    """For each kind of rows the kernel; ``alike``: where all entries have one value."""
    groups = ("Warp", of_warps), ("Block", of_block)
    kind = f"{offset}, {z}, {str(moves).lower()}, {str(alike).lower()}"
    return [
        *(f"choose_short<{kind}, {lanes}>" for lanes in SHORT),
        *(f"choose_row<{kind}, {group}, {slots}>" for group, slots in groups),
        f"choose_long_row<{kind}>",
    ]


def fits(slots: int) -> int:
    """The labels for which a table has room (see slots_for)."""
    return (slots - 1) * 3 // 4
