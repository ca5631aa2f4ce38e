"""Closures by order of value, what is near before what is far, in one kernel.

All blocks share each step (delta_stepping.cuh), or each block goes on a trail of its own where
searches are deep (block_async.cuh). Lists and bitmaps are kept with the matrix for the next call,
for each stream, and are empty after each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lagraph_gpu.closure import EXTREMA
from lagraph_gpu.gpu.closure import kernel_log
from lagraph_gpu.gpu.closure.kernel_log import KernelLog
from lagraph_gpu.gpu.closure.persistent import (
    COUNT,
    ITEM,
    BestPool,
    CounterPool,
    Ordered,
    acquire,
    price_of,
    result_bytes,
)
from lagraph_gpu.gpu.device import constants, lower
from lagraph_gpu.gpu.device.port import Device, DeviceArray
from lagraph_gpu.gpu.storage.matrix_storage import DeviceMatrix, Packed
from lagraph_gpu.gpu.storage.vector_storage import INDEX, WORD, DeviceVector, words
from semirings import BINARY, MONOIDS, binary, types
from semirings import semiring as make_semiring
from semirings.algebra import Semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

BLOCK_ASYNC = "closure/block_queues/block_async.cuh"
DELTA_STEPPING = "closure/ordered/delta_stepping.cuh"
PADDED_ROWS = "matrix/padded_rows.cuh"

PIECE = 128
"""A vertex of more out-edges is queued in pieces of so many, where all blocks share each step."""

SHARED_BLOCK, ASYNC_BLOCK = constants.DELTA_BLOCK, constants.ASYNC_BLOCK
"""Threads of a block at most."""

ASYNC_BLOCKS = 3
"""Blocks for each multiprocessor that go on trails of their own."""

STEPS, PLATEAU_STEPS = 128, 32
"""So many rounds a block goes on its own trail before the work is shared out anew; the latter where
⊗ yields one of its operands, so that whole plateaus are near at once: max_min on New York takes
0.77 and not 1.53 ms."""

SLIM = 1 / 8
"""What is left of a width where a far list is long, and values add up along a path."""

SLOTS = 4, 8
"""Edges of a packed row: as few as hold the longest row, else as many as there may be. Where they
do hold it the kernel has no code for longer ones."""

COUNTS, STRANGE = constants.ORDER_COUNTS, constants.ORDER_STRANGE
"""Words that a call counts in; this one tells whether there is no order, and
the next one how many epochs there were."""

BESTS = 24
"""Bytes of what is best in three generations of far lists."""

FIRST = BINARY["first"].parsed

ONE_MORE = make_semiring(MONOIDS["min"], binary("x + 1"), name="min_one_more")[types.INT32]
"""Its closure counts steps."""


class Scratch:
    """What one call at a time needs beside its result, under any algebra."""

    @staticmethod
    def bytes(n: int, room: int) -> int:
        """About so many are taken."""
        return 4 * (ITEM.itemsize * room + WORD.itemsize * words(n))

    def __init__(self, device: Device, n: int, room: int) -> None:
        self.device, self.size = device, max(1, n)
        self.items = device.empty(4 * room, ITEM)
        self.bits = device.zeros(4 * words(n), WORD)
        self.counts = CounterPool(COUNTS, lambda size: device.zeros(size, COUNT))
        self.bests = BestPool(device, BESTS)
        self.values: dict[np.dtype, DeviceArray] = {}

    def pushed(self, dtype: np.dtype) -> DeviceArray:
        """What each vertex was when its edges were last walked."""
        if dtype not in self.values:
            self.values[dtype] = self.device.empty(self.size, dtype)
        return self.values[dtype]


class OrderedClosures:
    """Computes such closures. The fields are for tests and measurements."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.piece, self.steps = PIECE, STEPS

    def closure(
        self, x0: DeviceVector, outgoing: DeviceMatrix, semiring: Semiring, width: float,
        asynchronous: bool, to: DeviceArray | None = None,
    ) -> Ordered | None:  # fmt: skip
        """x, from the out-edges by rows; None if no kernel can be resident. If x0 is a point,
        ``to`` may lead from its number to the matrix' own."""
        device, n, dtype, longest = self.device, x0.size, x0.dtype, 0
        if asynchronous:
            longest = self.backend.products.bound_rows(outgoing, SLOTS[0])  # synchronize! once
        slots = SLOTS[longest > SLOTS[0]]
        room = max(1, n if asynchronous else n + outgoing.nnz // self.piece + 1)
        kept = outgoing.closures.scratch.setdefault(("near", device.stream, room), [])
        scratch = acquire(
            device, kept, lambda held: True,
            lambda: Scratch.bytes(n, room)
            + result_bytes(n, dtype) + (self.packed_bytes(outgoing, semiring,
                                                          slots) if asynchronous else 0),
            lambda: Scratch(device, n, room),
        )  # fmt: skip
        x, counts = DeviceVector.to_fill(device, n, dtype), scratch.counts.take()
        log = KernelLog(device, 3)
        width = -width if lower.falls(semiring.monoid) else width
        bests = scratch.bests.take(semiring.monoid, dtype)
        lists = scratch.items, np.uint64(room), scratch.bits, np.int32(words(n)), bests, counts
        state = x0.begins(dtype, to), x.parts, lists
        limits = np.float64(width), log.given
        algebra = lower.semiring_struct(semiring, dtype, outgoing.dtype, outgoing.offset, True)
        if asynchronous:
            packed = self.packed(outgoing, semiring, slots)
            row = f"Short<{packed.row}>" if longest <= SLOTS[-1] else packed.row
            plateaus = semiring.multiply.parsed in (*EXTREMA, FIRST)
            steps = min(self.steps, PLATEAU_STEPS if plateaus else self.steps)
            slim = 1.0 if plateaus else SLIM
            name = f"block_async<Semiring, {row}>"
            fits = self.backend.launch_resident(
                BLOCK_ASYNC, algebra, name, ASYNC_BLOCK, np.int32(n), outgoing.arrays(),
                packed.rows, *state, np.int32(steps), np.float64(slim), *limits, each=ASYNC_BLOCKS,
            )  # fmt: skip
        else:
            leaf = outgoing.offset.type(outgoing.transposed is outgoing)
            fits = self.backend.launch_resident(
                DELTA_STEPPING, algebra, "delta_stepping<Semiring>", SHARED_BLOCK, np.int32(n),
                outgoing.offset.type(self.piece), leaf, outgoing.arrays(),
                scratch.pushed(dtype), *state, *limits,
            )  # fmt: skip
        if not fits:
            return None
        kept.append(scratch)
        sane = semiring is ONE_MORE or (semiring.multiply.parsed == FIRST and dtype.kind in "iu")
        if sane and not log.wanted:
            return Ordered(x, None, lambda: True)  # no number of steps wraps: nothing to wait for
        log.launched()
        counted = device.fetch(counts[STRANGE : STRANGE + 2])

        def orderly() -> bool:
            strange, done = counted().tolist()  # synchronize!
            if not strange:
                log.tell(done, kernel_log.by_delta, lambda: price_of(semiring, dtype, outgoing))
            return not strange

        return Ordered(x, None, orderly)

    def packed_bytes(self, A: DeviceMatrix, semiring: Semiring, slots: int) -> int:
        """What ``packed`` takes, a multiple of 16 for each row."""
        valued = semiring.reads_right and not A.iso
        each = slots * (INDEX.itemsize + valued * A.dtype.itemsize)
        return max(1, A.shape[0]) * 16 * -(-each // 16)

    def packed(self, A: DeviceMatrix, semiring: Semiring, slots: int) -> Packed:
        """The rows of A packed, with values where ⊗ reads them; made once for a matrix."""
        c, valued = types.c_name(A.dtype), semiring.reads_right and not A.iso
        row = f"Valued<{slots}, {c}>" if valued else f"Bare<{slots}>"
        kept = A.closures.packed
        if row not in kept:
            n = A.shape[0]
            rows = self.device.empty(self.packed_bytes(A, semiring, slots) // INDEX.itemsize, INDEX)
            name = f"pad_rows<{row}, {types.c_name(A.offset)}, {c}>"
            self.backend.launch(PADDED_ROWS, "", name, n, np.int32(n), A.arrays(), rows)
            kept[row] = Packed(rows, row)
        return kept[row]
