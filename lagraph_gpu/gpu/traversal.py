"""A whole closure in one cooperative kernel: what ``Schedule(loop="device")`` asks for.

The host allocates, launches once and waits once. Rounds, frontiers and values are those of the loop
in ``lagraph_gpu.closure``, which remains the definition (see closure.cuh).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lagraph_gpu.gpu import lower
from lagraph_gpu.gpu.products import PULL
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.plan import WIDE_ROW, alpha, pull_balance
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.trace import record, recording
from semirings.algebra import Semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

ITEM, COUNT = np.dtype(np.int64), np.dtype(np.uint64)

PIECE = 1024
"""A vertex of more out-edges is queued in pieces of so many, so that no hub rides on one warp."""

LOGGED = 1 << 16
"""Rounds that a trace keeps."""


class Traversals:
    """Computes closures on the device."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.piece = PIECE

    def closure(
        self, x: DeviceVector, A: DeviceMatrix, transposed: bool, semiring: Semiring,
        most: int, schedule: Schedule,
    ) -> tuple[DeviceVector, bool] | None:  # fmt: skip
        """Bring x, whose type is the product's, to the fixpoint by at most ``most`` rounds.

        Returns the round of each entry, and whether x came to rest; None if the kernel cannot be
        resident on this device, or the product has another type than x.
        """
        if semiring.output(x.dtype, A.dtype) != x.dtype:
            return None
        transpose = self.backend.matrices.transpose
        outgoing = transpose(A) if transposed else A
        pulls = schedule.direction != "push"
        incoming = (A if transposed else transpose(A)) if pulls else outgoing
        n, step = x.size, DeviceVector.empty(self.device, x.size, INDEX)
        algebra = lower.semiring_struct(semiring, x.dtype, A.dtype, A.offset, True)
        early = semiring.monoid.ends_early(x.dtype)
        rows = PULL[schedule.balance or pull_balance(A.nnz, n, early)]
        width = 32 if A.nnz >= WIDE_ROW * n else 4
        name = f"closure<Semiring, {rows}, {width}>"
        kernel = self.backend.kernel("closure.cuh", algebra, name)
        block = self.device.block_size
        grid = min(kernel.resident_blocks(block), self.device.max_blocks)
        if grid == 0:
            return None

        device, count = self.device, words(n)
        room = n + A.nnz // self.piece + 1
        front = x.values if semiring.monoid.is_any else device.empty(max(1, n), x.dtype)
        hubs, hub = self.backend.products.long_rows(incoming) if pulls else (0, None)
        counts, arrivals = device.zeros(11, COUNT), device.zeros(1, WORD)
        log = device.zeros(3 * LOGGED, COUNT) if recording() else None
        offset = A.offset.type
        kernel(
            grid, block,
            (
                np.int32(n), offset(self.piece), np.int32(min(most, 2**31 - 2)),
                np.uint64(_threshold(A, early, schedule)),
                *outgoing.arrays(), *incoming.arrays(), np.int32(self.backend.products.long_row),
                np.int32(hubs), hub, x.bits, x.values, front, step.values,
                device.zeros(3 * count, WORD), device.empty(3 * room, ITEM), np.uint64(room),
                counts, arrivals, np.int32(LOGGED), log,
            ),
            cooperative=True,
        )  # fmt: skip
        x.listing, x.full, step.bits = None, False, device.copy(x.bits)
        done, left = device.download(counts)[9:].tolist()  # synchronize!
        if log is not None:
            for pulled, vertices, edges in device.download(log)[: 3 * done].reshape(-1, 3).tolist():
                record("pull" if pulled else "push", vertices, edges)  # synchronize! above
        return step, left == 0


def _threshold(A: DeviceMatrix, early_exit: bool, schedule: Schedule) -> int:
    """A round whose frontier has more out-edges than this pulls."""
    if schedule.direction == "pull":
        return 0
    return A.nnz if schedule.direction == "push" else A.nnz // alpha(early_exit)
