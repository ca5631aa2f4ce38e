"""Closures under ``any`` over packed rows: round after round in one kernel (see packed_search.cuh).

Frontiers and rounds are those of the loop in ``lagraph_gpu.closure``. All other closures run over
compressed rows, which a packed matrix makes for them if there is room.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lagraph_gpu.gpu.closure import kernel_log
from lagraph_gpu.gpu.closure.kernel_log import KernelLog
from lagraph_gpu.gpu.closure.persistent import (
    COUNT,
    ITEM,
    CounterPool,
    Result,
    acquire,
    result_bytes,
)
from lagraph_gpu.gpu.device import BackendPart, Device, DeviceArray, constants, lower
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix
from lagraph_gpu.gpu.storage.vector_storage import INDEX, WORD, DeviceVector, words
from lagraph_gpu.planning.direction import pull_threshold
from lagraph_gpu.planning.trace import Cost, cost, explaining, laws_of, record_choice
from lagraph_gpu.schedule import Schedule
from semirings import Semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.storage.layouts import Layout

PACKED_SEARCH = "closure/level_synchronous/packed_search.cuh"

MOST_SEGMENTS = 1 << 22
"""The most segments that a push lists. A frontier that may have more is pulled."""

SLOT, DONE = constants.CLOSURE_SLOT, constants.CLOSURE_DONE
NUMBER = np.dtype(np.int64)
"""The type that a semiring's struct is given for positions of entries, which it does not read."""
LAW = "packed rows; a round pulls where over {threshold} edges leave its frontier"


class PackedScratch(NamedTuple):
    """What a call needs besides its start and its results, for later calls too."""

    room: int
    fronts: DeviceArray
    listed: DeviceArray
    counts: CounterPool

    @staticmethod
    def bytes(n: int, room: int) -> int:
        return 3 * WORD.itemsize * words(n) + ITEM.itemsize * room

    @classmethod
    def made(cls, device: Device, n: int, room: int) -> PackedScratch:
        return cls(
            room, device.empty(3 * words(n), WORD), device.empty(room, ITEM),
            CounterPool(SLOT, lambda size: device.zeros(size, COUNT)),
        )  # fmt: skip


def searches_packed_rows(semiring: Semiring, A: DeviceMatrix) -> bool:
    """True if there is a kernel for this closure over the packed rows of A."""
    return A.packed is not None and semiring.monoid.is_any and (A.iso or not semiring.reads_right)


def price_of_packed(semiring: Semiring, dtype: np.dtype) -> Cost:
    """The cost of a step over packed rows: about two bytes for a column and for a row."""
    return cost(semiring, dtype, None, dtype, 2, 2)


class PackedSearches(BackendPart):
    """Computes closures over packed rows. ``listed`` is for tests and measurements."""

    listed = MOST_SEGMENTS

    def closure(
        self, x0: DeviceVector, A: DeviceMatrix, semiring: Semiring, max_steps: int,
        schedule: Schedule, layout: Layout | None, with_levels: bool,
    ) -> Result | None:  # fmt: skip
        """The closure of x0 over A, as ``LevelSynchronous.closure``. None if no kernel can be
        resident."""
        device, layouts, n, point = self.device, self.backend.layouts, x0.size, x0.point
        rows, dtype = A.packed, layouts.dtype(semiring, x0)
        assert rows is not None
        start, to = x0, None if layout is None else layout.to
        if layout is not None and point is None:
            start, to = layouts.entered(x0, layout, semiring), None
        room = max(1, min(self.listed, rows.n_segments))
        kept = A.closures.scratch.setdefault((device.stream, "packed"), [])
        scratch = acquire(
            device, kept, room,
            lambda: PackedScratch.bytes(rows.n, room)
            + result_bytes(n, dtype) + (result_bytes(n, INDEX) if with_levels else 0),
            lambda: PackedScratch.made(device, rows.n, room),
        )  # fmt: skip
        x = DeviceVector.to_fill(
            device, n, dtype, self.backend.closures.level_synchronous._every(semiring, point, dtype)
        )
        step = DeviceVector.to_fill(device, n, INDEX) if with_levels else None
        threshold = pull_threshold(A.nnz, True, True, schedule.direction)
        if explaining():
            record_choice(
                f"closure {semiring.name}",
                "by rounds over packed rows, in one kernel",
                LAW,
                None,
                laws_of(semiring, x0.dtype),
                threshold=threshold,
            )
        slot, log = scratch.counts.slot(), KernelLog(device, 4)
        fits = self.backend.launch_resident(
            PACKED_SEARCH, lower.semiring_struct(semiring, dtype, A.dtype, NUMBER, True),
            "packed_search<Semiring>", constants.PACKED_BLOCK,
            np.int32(min(max_steps, 2**31 - 2)), np.int32(n), np.uint64(threshold), rows.given,
            rows.value, start.begins(dtype, to), x.parts,
            *((None, None) if step is None else step.parts),
            scratch.fronts, scratch.listed, np.uint64(room), scratch.counts.words, slot, log.given,
        )  # fmt: skip
        if not fits:
            return None
        log.launched()
        found: tuple[DeviceVector, DeviceVector | None] = x, step
        if layout is not None:
            found = layouts.restored(x, step, layout, semiring, x0)
        kept.append(scratch)
        if log.wanted:
            counts = scratch.counts.words[SLOT * slot :]
            done, left = device.download(counts[DONE : DONE + 2]).tolist()  # synchronize!
            rounds = partial(kernel_log.by_rounds, left=left, early=True, nedges=A.nnz)
            log.record_rounds(done, rounds, lambda: price_of_packed(semiring, dtype))
        return *found, True
