"""Level-synchronous closures: round after round in one kernel (see closure.cuh).

Frontiers, values and rounds are those of the loop in ``lagraph_gpu.closure``. What a call needs
besides its start and its results depends only on the matrix, the algebra and the schedule, so it is
made once and kept with the matrix. The bitmaps and queues of the frontiers are kept too, for each
stream, in which kernels run one after another. So a second call allocates memory for its results
only. If rounds must end, as under ``any`` or if their number is bounded, it does not wait either.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from lagraph_gpu.gpu.closure import kernel_log
from lagraph_gpu.gpu.closure.kernel_log import KernelLog
from lagraph_gpu.gpu.closure.persistent import (
    COUNT,
    ITEM,
    CounterPool,
    Result,
    acquire,
    price_of,
    result_bytes,
)
from lagraph_gpu.gpu.closure.problem import Problem
from lagraph_gpu.gpu.device import BackendPart, Device, DeviceArray, constants, lower
from lagraph_gpu.gpu.spmv.products import PULL
from lagraph_gpu.gpu.storage import EVERYWHERE, INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.vector_storage import Point
from lagraph_gpu.planning.direction import WIDE_ROW, pull_balance, pull_threshold
from lagraph_gpu.planning.trace import Cost
from lagraph_gpu.schedule import Schedule
from semirings import SEMIRINGS, Semiring, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.storage.layouts import Layout

CLOSURE = "closure/level_synchronous/closure.cuh"
COMPACT = "matrix/compact.cuh"
ROW_STARTS = "matrix/row_starts.cuh"

BLOCK, WIDE_BLOCK = constants.CLOSURE_BLOCK, constants.CLOSURE_WIDE_BLOCK
"""The largest number of threads in a block: fewer if offsets or folded values have 64 bits."""

PIECE = 64
"""A vertex with more out-edges is queued in pieces of so many, so that no single warp processes a
hub."""

SLOT, DONE = constants.CLOSURE_SLOT, constants.CLOSURE_DONE
"""The number of words for the counters of a call, which are 0 at first, and the index of the number
of rounds, which is followed by the number of vertices left."""


class Ready(NamedTuple):
    """What calls under one algebra and schedule share: the kernel, and most of its arguments."""

    header: str
    algebra: str
    kernel: str
    block: int
    given: tuple[Any, ...]
    early: bool


class RoundScratch:
    """What a call by rounds needs besides its start and its results, for later calls too."""

    @staticmethod
    def bytes(n: int, room: int) -> int:
        """About how many bytes are needed for n vertices, and ``room`` for items in a queue."""
        raise NotImplementedError

    def __init__(self, device: Device, n: int, room: int) -> None:
        self.device, self.room = device, room
        self.counts = CounterPool(SLOT, lambda size: device.zeros(size, COUNT))

    def given(self, room: int, slot: np.int32) -> tuple[Any, ...]:
        """The arguments of a kernel."""
        raise NotImplementedError


S = TypeVar("S", bound=RoundScratch)


def every_value(semiring: Semiring, point: Point | None, dtype: np.dtype) -> np.generic | None:
    """The value of every entry of a closure, if it is known beforehand: 1 for ``any`` and pair from
    a point with the value 1."""
    one = dtype.type(1)
    same = semiring.monoid.is_any and semiring.multiply.parsed == lower.ONE
    return one if same and point is not None and point.value == one else None


def launch_rounds(
    backend: GpuBackend, problem: Problem, layout: Layout | None, make: type[S], size: int,
    room: int, prepare: Callable[[], Ready], price: Callable[[np.dtype], Cost],
    between: Callable[[S, DeviceArray], tuple[Any, ...]] = lambda *_: (),
    level_bits: int = 0,
) -> Result | None:  # fmt: skip
    """A closure by rounds in one kernel, as ``LevelSynchronous.closure``.

    Scratch memory is made for ``size`` vertices and ``room``, and kept with the matrix. ``prepare``
    is called when there is room for it and the results. ``between`` returns the arguments that
    stand between the closure and its levels, given its values.
    """
    x0, A, semiring, with_levels = (
        problem.x0, problem.store, problem.semiring, problem.with_levels
    )  # fmt: skip
    device, layouts, n = backend.device, backend.layouts, x0.size
    dtype = layouts.dtype(semiring, x0)
    start, to = x0, None if layout is None else layout.to
    if layout is not None and x0.point is None:
        start, to = layouts.entered(x0, layout, semiring), None
    kept: list[S] = A.closures.scratch.setdefault((device.stream, make), [])
    scratch = acquire(
        device, kept, room,
        lambda: make.bytes(size, room)
        + result_bytes(n, dtype) + (result_bytes(n, INDEX) if with_levels else 0),
        lambda: make(device, size, room),
    )  # fmt: skip
    ready = prepare()
    x = DeviceVector.to_fill(device, n, dtype, every_value(semiring, x0.point, dtype))
    step = DeviceVector.to_fill(device, n, INDEX) if with_levels else None
    beside = between(scratch, x.parts[1])
    slot, log = scratch.counts.slot(), KernelLog(device, 4)
    fits = backend.launch_resident(
        ready.header, ready.algebra, ready.kernel, ready.block,
        np.int32(min(problem.max_steps, 2**31 - 2)), *ready.given, start.begins(dtype, to), x.parts,
        *beside, *((None, None) if step is None else step.parts), *scratch.given(room, slot),
        log.given,
    )  # fmt: skip
    if not fits:
        return None
    log.launched()
    found: tuple[DeviceVector, DeviceVector | None] = x, step
    if layout is not None:  # launched before the wait, while the device is busy
        found = layouts.restored(x, step, layout, semiring, x0, level_bits)
    kept.append(scratch)
    ends = semiring.monoid.is_any or problem.bounded
    if ends and not log.wanted:
        return *found, True
    counts = scratch.counts.words[SLOT * slot :]
    done, left = device.download(counts[DONE : DONE + 2]).tolist()  # synchronize!
    rounds = partial(kernel_log.by_rounds, left=left, early=ready.early, nedges=A.nnz)
    log.record_rounds(done, rounds, lambda: price(dtype))
    return *found, ends or left == 0


class Scratch(RoundScratch):
    """The frontiers of one call: bitmaps and lists of three generations, and counters."""

    @staticmethod
    def bytes(n: int, room: int) -> int:
        return 3 * (WORD.itemsize * words(n) + INDEX.itemsize * n + ITEM.itemsize * room)

    def __init__(self, device: Device, n: int, room: int) -> None:
        super().__init__(device, n, room)
        self.bits = device.empty(3 * words(n), WORD)
        self.short_queue = device.empty(3 * max(1, n), INDEX)
        self.long_queue = device.empty(3 * room, ITEM)
        self.fronts: dict[np.dtype, DeviceArray] = {}

    def front(self, size: int, dtype: np.dtype) -> DeviceArray:
        """Memory for a copy of the frontier's values."""
        if dtype not in self.fronts:
            self.fronts[dtype] = self.device.empty(max(1, size), dtype)
        return self.fronts[dtype]

    def given(self, room: int, slot: np.int32) -> tuple[Any, ...]:
        lists = self.bits, self.short_queue, self.long_queue, np.uint64(room)
        return ((*lists, self.counts.words, slot),)


class LevelSynchronous(BackendPart):
    """Computes closures by rounds. ``piece`` is for tests and measurements."""

    piece = PIECE

    def closure(self, problem: Problem, layout: Layout | None) -> Result | None:
        """The closure, and the rounds of its entries if they are wanted. The start has the numbers
        of the matrix, or those that the layout translates.

        None if no kernel can be resident.
        """
        x0, A, semiring = problem.x0, problem.store, problem.semiring
        transposed, schedule = problem.transposed, problem.schedule
        n, layouts = x0.size, self.backend.layouts
        dtype = layouts.dtype(semiring, x0)
        level_bits = 0 if layout is None else layouts.level_bits(layout, semiring)

        def prepare() -> Ready:
            long_row, known = self.backend.products.long_row, A.closures.ready
            key = semiring, dtype, transposed, schedule, self.piece, long_row
            ready: Ready | None = known.get(key)
            if ready is None:
                ready = self._ready(n, dtype, A, transposed, semiring, schedule)
                known[key] = ready
            return ready

        def between(scratch: Scratch, values: DeviceArray) -> tuple[Any, ...]:
            front = values if semiring.monoid.is_any else scratch.front(n, dtype)
            return np.int32(level_bits), front

        return launch_rounds(
            self.backend, problem, layout, Scratch, n, self._room(A), prepare,
            lambda dtype: price_of(semiring, dtype, A), between, level_bits,
        )  # fmt: skip

    def _ready(
        self, n: int, dtype: np.dtype, A: DeviceMatrix, transposed: bool, semiring: Semiring,
        schedule: Schedule,
    ) -> Ready:  # fmt: skip
        matrices, products = self.backend.matrices, self.backend.products
        early = semiring.monoid.ends_early(dtype)
        n_connected = n if A.pattern.n_connected is None else A.pattern.n_connected
        outgoing = incoming = matrices.transpose(A) if transposed else A
        hubs, hub, likely_parent, nonempty = 0, None, None, None
        rows = PULL[schedule.balance or pull_balance(A.nnz, n, early)]
        if schedule.direction != "push":
            incoming = A if transposed else matrices.transpose(A)
            hubs, hub = products.long_rows(incoming)
            if semiring.monoid.is_any and not semiring.reads_right:
                likely_parent = self._likely_parent(outgoing, incoming)
        if (
            likely_parent is not None
            and incoming.pattern.n_connected is not None
            and rows == PULL["thread"]
        ):
            rows = "LikelyParentFirst"
        elif likely_parent is not None:
            nonempty = self._nonempty(incoming)
        given = (
            np.int32(n), np.int32(n_connected), A.offset.type(self.piece),
            np.uint64(pull_threshold(A.nnz, early, True, schedule.direction)),
            outgoing.arrays(), incoming.arrays(),
            np.int32(products.long_row), likely_parent, nonempty, np.int32(hubs), hub,
        )  # fmt: skip
        return Ready(
            CLOSURE,
            lower.semiring_struct(semiring, dtype, A.dtype, A.offset, True),
            f"closure<Semiring, {rows}>",
            WIDE_BLOCK if max(A.offset.itemsize,
                              0 if semiring.monoid.is_any else dtype.itemsize) > 4
            else BLOCK,
            given,
            early,
        )  # fmt: skip

    def _room(self, A: DeviceMatrix) -> int:
        """An upper bound on the number of vertices with more out-edges than a piece."""
        return A.nnz // self.piece + 1

    def _likely_parent(self, outgoing: DeviceMatrix, incoming: DeviceMatrix) -> Any:
        """For each vertex the in-neighbour with the most out-edges; None if the graph is too sparse
        for this to pay. Found once for a matrix, in the time of a product."""
        n, device, products = incoming.shape[0], self.device, self.backend.products
        if incoming.nnz < WIDE_ROW * n:
            return None
        known = incoming.pattern
        if known.likely_parent is None and known.n_connected is not None:
            known.likely_parent = self.backend.layouts.likely_parent(incoming)
        if known.likely_parent is None:
            keys, likely_parent = device.empty(max(1, n), ITEM), device.empty(max(1, n), INDEX)
            name = f"length_keys<{types.c_name(outgoing.offset)}>"
            self.backend.launch(COMPACT, "", name, n, np.int32(n), outgoing.indptr, keys)
            lengths = DeviceVector(n, ITEM, values=keys, full=True)
            semiring = SEMIRINGS["max_first"][types.INT64]
            algebra = lower.semiring_struct(semiring, ITEM, incoming.dtype, incoming.offset, True)
            best = products.pulled(n, ITEM, lengths, incoming, EVERYWHERE, algebra, PULL["warp"])
            name = f"lower_halves<{types.c_name(incoming.offset)}>"
            self.backend.launch(COMPACT, "", name, n, np.int32(n), incoming.indptr,
                                np.int32(products.long_row), best.bits, best.values,
                                likely_parent)  # fmt: skip
            known.likely_parent = likely_parent
        return known.likely_parent

    def _nonempty(self, incoming: DeviceMatrix) -> DeviceArray:
        """Which rows have entries, a bit for each. Found once for a matrix."""
        known, n = incoming.pattern, incoming.shape[0]
        if known.nonempty is None and known.marks is not None:
            known.nonempty = known.marks.bits
        if known.nonempty is None:
            known.nonempty = self.device.empty(words(n), WORD)
            name = f"mark_rows<{types.c_name(incoming.offset)}>"
            self.backend.launch(ROW_STARTS, "", name, n, np.int32(n), incoming.indptr,
                                known.nonempty, None)  # fmt: skip
        return known.nonempty
