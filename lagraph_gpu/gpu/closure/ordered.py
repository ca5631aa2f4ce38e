"""Closures by order of value in one kernel: near vertices before far ones.

All blocks share each step (delta_stepping.cuh); or each block has a queue of its own,
asynchronously, where searches are deep (block_async.cuh). Lists and bitmaps are kept with the
matrix for the next call, for each stream, and are empty after each call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from lagraph_gpu.closure import EXTREMA
from lagraph_gpu.gpu.closure import kernel_log
from lagraph_gpu.gpu.closure.kernel_log import NO_LOG, KernelLog
from lagraph_gpu.gpu.closure.padded_rows import RowPadding
from lagraph_gpu.gpu.closure.persistent import (
    COUNT,
    ITEM,
    BestPool,
    CounterPool,
    Ordered,
    acquire,
    result_bytes,
    traffic_of,
)
from lagraph_gpu.gpu.device import BackendPart, Device, DeviceArray, constants, lower
from lagraph_gpu.gpu.storage import WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.packed_rows import PackedRows
from lagraph_gpu.planning.trace import recording
from semirings import BINARY, MONOIDS, Semiring, binary, types
from semirings import semiring as make_semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

BLOCK_ASYNC = "closure/block_queues/block_async.cuh"
DELTA_STEPPING = "closure/ordered/delta_stepping.cuh"
PACKED_DELTA = "closure/ordered/packed_delta.cuh"

PIECE = 128
"""A vertex with more out-edges is queued in pieces of so many, where all blocks share each step."""

SHARED_BLOCK, ASYNC_BLOCK = constants.DELTA_BLOCK, constants.ASYNC_BLOCK
"""The largest number of threads in a block."""

ASYNC_BLOCKS, BLOCKS = 3, 16
"""The largest number of blocks for each multiprocessor: where each has a queue of its own, and
where all share each step."""

STEPS, PLATEAU_STEPS = 128, 32
"""The number of rounds for which a block follows its own queue before the work is divided again.
The second is used if ⊗ yields one of its operands, so that large regions are near at once: max_min
on New York takes 0.77 and not 1.53 ms."""

NARROWING = 1 / 8
"""The factor by which the width shrinks if a far list is long and values add up along a path."""

COUNTS, UNORDERED = constants.ORDER_COUNTS, constants.ORDER_UNORDERED
"""The number of words for the counters of a call, and the index of the one that is set if there is
no order, which is followed by the number of epochs."""

BESTS = 24
"""The bytes of the best values in three generations of far lists."""

FIRST = BINARY["first"].parsed

ONE_MORE = make_semiring(MONOIDS["min"], binary("x + 1"), name="min_one_more")[types.INT32]
"""A semiring whose closure counts steps."""


def packed_delta(rows: PackedRows, with_parents: bool, part: str) -> str:
    """The kernel for this part of a closure over packed rows with weights."""
    assert rows.weights is not None
    kinds = f"{rows.weights.types()}, {str(with_parents).lower()}"
    return f"packed_delta<Semiring, {kinds}, Part::{part}>"


class Way(NamedTuple):
    """How blocks share the work of a closure by order of value.

    It is part of the key of each call, so it is hashed and compared without Python code.
    """

    sharing: Literal["steps", "queues", "steps over packed rows"]
    copy_size: int | None = None
    """The positions of a copy, a power of two, if several copies of the graph are searched."""


SHARED_STEPS = Way("steps")
"""All blocks share each step."""
BLOCK_QUEUES = Way("queues")
"""Each block has a queue of its own."""
OVER_PACKED_ROWS = Way("steps over packed rows")
"""All blocks share each step, over packed rows with weights."""


class Ready(NamedTuple):
    """What calls under one algebra share: the kernel, and most of its arguments."""

    kernel: tuple[str, str, str, int]
    blocks: int
    """The largest number of blocks for each multiprocessor."""
    room: int
    """The number of items that a queue holds."""
    given: tuple[Any, ...]
    limits: tuple[Any, ...]
    sane: bool
    """True if no value can wrap or be NaN. Then there is always an order, and the call does not
    wait."""


class Scratch:
    """The memory of one call besides its result, for any algebra."""

    @staticmethod
    def bytes(n: int, room: int) -> int:
        """About how many bytes are needed."""
        return 4 * (ITEM.itemsize * room + WORD.itemsize * words(n))

    def __init__(self, device: Device, n: int, room: int) -> None:
        self.device, self.size, self.room = device, max(1, n), room
        self.items = device.empty(4 * room, ITEM)
        self.bits = device.zeros(4 * words(n), WORD)
        self.counts = CounterPool(COUNTS, lambda size: device.zeros(size, COUNT))
        self.bests = BestPool(device, BESTS)
        self.values: dict[np.dtype, DeviceArray] = {}

    def pushed(self, dtype: np.dtype) -> DeviceArray:
        """Memory for the value of each vertex when its edges were last processed."""
        if dtype not in self.values:
            self.values[dtype] = self.device.empty(self.size, dtype)
        return self.values[dtype]


class OrderedClosures(BackendPart):
    """Computes closures by order of value. The fields are for tests and measurements."""

    piece, steps = PIECE, STEPS

    def __init__(self, backend: GpuBackend) -> None:
        super().__init__(backend)
        self.padding = RowPadding(backend)

    def closure(
        self, x0: DeviceVector, outgoing: DeviceMatrix, semiring: Semiring, width: float, way: Way,
        to: DeviceArray | None = None,
    ) -> Ordered | None:  # fmt: skip
        """The closure, from the out-edges by rows; None if no kernel can be resident. If x0 is a
        point, ``to`` may translate its number to the matrix' own. In copies of the graph x0 has the
        positions of all copies."""
        device, n, dtype, monoid = self.device, x0.size, x0.dtype, semiring.monoid
        kept = outgoing.closures
        key = way, n, semiring, dtype, width, self.piece, self.steps
        ready = kept.ready.get(key)
        if ready is None:
            match way.sharing:
                case "steps":
                    ready = self._shared_steps(n, dtype, outgoing, semiring, width)
                case "queues":
                    ready = self._block_queues(n, dtype, outgoing, semiring, width, way.copy_size)
                case "steps over packed rows":
                    ready = self._over_packed(n, dtype, outgoing, semiring, width)
            kept.ready[key] = ready
        queues = kept.scratch.setdefault((way, device.stream), [])
        scratch = acquire(
            device, queues, ready.room,
            lambda: Scratch.bytes(n, ready.room) + result_bytes(n, dtype),
            lambda: Scratch(device, n, ready.room),
        )  # fmt: skip
        x, counts = DeviceVector.to_fill(device, n, dtype), scratch.counts.take()
        log = KernelLog(device, 3) if recording() else None
        room, bests = np.uint64(scratch.room), scratch.bests.take(monoid, dtype)
        lists = scratch.items, room, scratch.bits, np.int32(words(n)), bests, counts
        pushed = (scratch.pushed(dtype),) if way is SHARED_STEPS else ()
        if not self.backend.launch_resident(
            *ready.kernel, *ready.given, *pushed, x0.begins(dtype, to), x.parts, lists,
            *ready.limits, NO_LOG if log is None else log.given, each=ready.blocks,
        ):  # fmt: skip
            return None
        queues.append(scratch)
        if log is not None:
            log.launched()
        elif ready.sane:
            return Ordered(x, None, None)
        counted = device.fetch(counts[UNORDERED : UNORDERED + 2])

        def orderly() -> bool:
            unordered, done = counted().tolist()  # synchronize!
            if log is not None and not unordered:
                log.record_rounds(
                    done, kernel_log.by_delta, lambda: traffic_of(semiring, dtype, outgoing)
                )
            return not unordered

        return Ordered(x, None, orderly)

    def _block_queues(
        self, n: int, dtype: np.dtype, A: DeviceMatrix, semiring: Semiring, width: float,
        copy_size: int | None,
    ) -> Ready:  # fmt: skip
        """The kernel in which each block has a queue of its own."""
        slots = self.padding.slots(A)  # synchronize! once a matrix
        padded = self.padding.padded(A, semiring, slots)
        longest = self.backend.products.bound_rows(A, slots)
        row = f"Short<{padded.row}>" if longest <= slots else padded.row
        plateaus = semiring.multiply.parsed in (*EXTREMA, FIRST)
        steps = min(self.steps, PLATEAU_STEPS if plateaus else self.steps)
        many, mask = (", true", copy_size - 1) if copy_size else ("", 0)
        given = np.int32(n), np.int32(mask), A.arrays(), padded.rows
        limits = np.int32(steps), np.float64(1.0 if plateaus else NARROWING)
        kernel = BLOCK_ASYNC, f"block_async<Semiring, {row}{many}>", ASYNC_BLOCK, ASYNC_BLOCKS
        return self._ready(dtype, A, semiring, kernel, max(1, n), given, limits, width)

    def _shared_steps(
        self, n: int, dtype: np.dtype, A: DeviceMatrix, semiring: Semiring, width: float
    ) -> Ready:
        """The kernel in which all blocks share each step."""
        room, leaf_degree = n + A.nnz // self.piece + 1, A.offset.type(A.transposed is A)
        given = np.int32(n), A.offset.type(self.piece), leaf_degree, A.arrays()
        kernel = DELTA_STEPPING, "delta_stepping<Semiring>", SHARED_BLOCK, BLOCKS
        return self._ready(dtype, A, semiring, kernel, room, given, (), width)

    def _over_packed(
        self, n: int, dtype: np.dtype, A: DeviceMatrix, semiring: Semiring, width: float
    ) -> Ready:
        """The kernel of delta-stepping over packed rows with weights, whose segments are listed."""
        rows = A.packed
        assert rows is not None and rows.weights is not None
        given = (np.uint64(0), np.int32(n), rows.given, tuple(rows.weights),
                 A.dtype.type(0))  # fmt: skip
        kernel = PACKED_DELTA, packed_delta(rows, False, "all"), SHARED_BLOCK, BLOCKS
        room = -(-max(1, rows.n_segments) // 4)
        return self._ready(dtype, A, semiring, kernel, room, given, (None,), width)

    def _ready(
        self, dtype: np.dtype, A: DeviceMatrix, semiring: Semiring,
        kernel: tuple[str, str, int, int], room: int, given: tuple[Any, ...],
        limits: tuple[Any, ...], width: float,
    ) -> Ready:  # fmt: skip
        header, name, threads, blocks = kernel
        algebra = lower.semiring_struct(semiring, dtype, A.dtype, A.offset, True)
        signed = np.float64(-width if lower.falls(semiring.monoid) else width)
        counts = semiring.multiply.parsed == FIRST and dtype.kind in "iu"
        return Ready((header, algebra, name, threads), blocks, room, given, (*limits, signed),
                     semiring is ONE_MORE or counts)  # fmt: skip
