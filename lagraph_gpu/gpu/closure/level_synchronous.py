"""Level-synchronous closures: round after round in one kernel (see closure.cuh).

Frontiers, values and rounds are those of the loop in ``lagraph_gpu.closure``. What a call needs
besides its start and its results depends only on the matrix, the algebra and the schedule, so it is
made once and kept with the matrix. The bitmaps and queues of the frontiers are kept too, for each
stream, in which kernels run one after another. So a second call allocates memory for its results
only. ``rounds.py`` says when it waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.gpu.closure.persistent import ITEM, traffic_of
from lagraph_gpu.gpu.closure.problem import Problem
from lagraph_gpu.gpu.closure.rounds import ClosureByRounds, Ready, RoundScratch
from lagraph_gpu.gpu.device import Device, DeviceArray, constants, lower
from lagraph_gpu.gpu.spmv.products import PULL
from lagraph_gpu.gpu.storage import EVERYWHERE, INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.planning.direction import WIDE_ROW, pull_balance, pull_threshold
from lagraph_gpu.planning.trace import Traffic
from semirings import SEMIRINGS, Semiring, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.storage.layouts import Layout

CLOSURE = "closure/level_synchronous/closure.cuh"
LIKELY_PARENT = "spmv/likely_parent.cuh"
ROW_STARTS = "matrix/row_starts.cuh"

BLOCK, WIDE_BLOCK = constants.CLOSURE_BLOCK, constants.CLOSURE_WIDE_BLOCK
"""The largest number of threads in a block: fewer if offsets or folded values have 64 bits."""

PIECE = 64
"""A vertex with more out-edges is queued in pieces of so many, so that no single warp processes a
hub."""


HUB_SHARE = 64
"""Fewer than one in so many vertices, from which enough edges for a pull leave, are hubs: then the
parents of the others are guessed, too (see first_hit.cuh)."""

LEAST_GUESSED = 1 << 21
"""With fewer vertices, what a pull writes stays in the second-level cache."""


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


class LevelSynchronous(ClosureByRounds[Scratch]):
    """Computes closures by rounds over compressed rows. ``piece`` and ``least_guessed`` are for
    tests and measurements."""

    piece, least_guessed, scratch = PIECE, LEAST_GUESSED, Scratch

    def extent(self, A: DeviceMatrix) -> tuple[int, int]:
        """No more vertices than the last number have more out-edges than a piece."""
        return A.shape[0], A.nnz // self.piece + 1

    def traffic(self, problem: Problem, dtype: np.dtype) -> Traffic:
        return traffic_of(problem.semiring, dtype, problem.store)

    def level_bits(self, semiring: Semiring, layout: Layout | None) -> int:
        return 0 if layout is None else self.backend.layouts.level_bits(layout, semiring)

    def beside(
        self, problem: Problem, scratch: Scratch, values: DeviceArray, level_bits: int
    ) -> tuple[Any, ...]:
        if problem.semiring.monoid.is_any:
            return np.int32(level_bits), values
        return np.int32(level_bits), scratch.front(problem.x0.size, values.dtype)

    def ready(self, problem: Problem, dtype: np.dtype) -> Ready:
        """Made once for a matrix, an algebra and a schedule."""
        known = problem.store.closures.ready
        key = (problem.semiring, dtype, problem.transposed, problem.schedule, self.piece,
               self.backend.products.long_row)  # fmt: skip
        ready: Ready | None = known.get(key)
        if ready is None:
            ready = known[key] = self._ready(problem, dtype)
        return ready

    def _ready(self, problem: Problem, dtype: np.dtype) -> Ready:
        n, A, transposed = problem.x0.size, problem.store, problem.transposed
        semiring, schedule = problem.semiring, problem.schedule
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
        binned, reads = None, semiring.reads_left or semiring.reads_right
        if semiring.monoid.is_any and not reads and schedule.direction is None:
            binned = self.backend.binned_push.edges(outgoing, hubs)
        given = (
            np.int32(n), np.int32(n_connected), A.offset.type(self.piece),
            np.uint64(pull_threshold(A.nnz, early, True, schedule.direction)),
            outgoing.arrays(), incoming.arrays(),
            np.int32(products.long_row), likely_parent, nonempty, np.int32(hubs), hub,
            np.int32(n // HUB_SHARE if n >= self.least_guessed else 0),
        )  # fmt: skip
        return Ready(
            CLOSURE,
            lower.semiring_struct(semiring, dtype, A.dtype, A.offset, True),
            f"closure<Semiring, {rows}>",
            self._block(max(A.offset.itemsize, 0 if semiring.monoid.is_any else dtype.itemsize)),
            given,
            early,
            None if binned is None else (outgoing, binned),
        )  # fmt: skip

    def _block(self, widest: int) -> int:
        """The number of threads in a block, where offsets or folded values have so many bytes."""
        few = WIDE_BLOCK if widest > INDEX.itemsize else BLOCK
        return few + constants.more_threads(self.device.compute_capability)

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
            self.backend.launch(LIKELY_PARENT, "", name, n, np.int32(n), outgoing.indptr, keys)
            lengths = DeviceVector(n, ITEM, values=keys, full=True)
            semiring = SEMIRINGS["max_first"][types.INT64]
            algebra = lower.semiring_struct(semiring, ITEM, incoming.dtype, incoming.offset, True)
            best = products.pulled(n, ITEM, lengths, incoming, EVERYWHERE, algebra, PULL["warp"])
            name = f"lower_halves<{types.c_name(incoming.offset)}>"
            self.backend.launch(LIKELY_PARENT, "", name, n, np.int32(n), incoming.indptr,
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
