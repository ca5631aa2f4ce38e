"""A whole closure in one cooperative kernel: the host allocates, launches once and waits once.

By rounds (closure.cuh) frontiers, values and rounds are those of the loop in
``lagraph_gpu.closure``, which remains the definition. By delta (ordered.cuh) what is nearest goes
first; the fixpoint is the same, for there is only one. A closure under ``any`` whose ⊗ does not
read the vector can go by delta too: its rounds are the fixpoint of "one step more", and its values
follow from them along the tight edges, in one pull.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.closure import holds_for_all, unlawful_weights
from lagraph_gpu.expr import Expression, Transposed
from lagraph_gpu.gpu import lower, told
from lagraph_gpu.gpu.products import FIXED, PULL
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.plan import (
    DEEP_MAX,
    WIDE_ROW,
    OrderFacts,
    alpha,
    delta_width,
    follows,
    hangs_on_degrees,
    order_by_law,
    pull_balance,
)
from lagraph_gpu.schedule import Schedule
from lagraph_gpu.trace import Cost, cost, explaining, laws_of, recording, tell, took, tracing
from semirings import MONOIDS, SEMIRINGS, binary, semiring, types
from semirings.algebra import Semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

EVERYWHERE = None, np.uint32(0)
ITEM, COUNT = np.dtype(np.int64), np.dtype(np.uint64)

PIECE = 128
"""A vertex of more out-edges is queued in pieces of so many, so that no hub rides on one warp."""

CLOSURE_BLOCK, ORDERED_BLOCK = 448, 288
"""Threads of a block at most, as in closure.cuh and ordered.cuh."""

LOGGED = 1 << 16
"""Rounds, or epochs, that a trace keeps."""

FEW = 256
"""Items for each block up to which the blocks follow their own."""

STEPS = 64
"""So many steps they do it for before the work is shared out anew."""

SINGLE = "the schedule asks for it, or for a balance that kernels for single products have"
HOST, NOT_RESIDENT = "by rounds, a statement at a time", "no kernel can be resident"
NO_ORDER = "there was no order, for a NaN was met or a sum wrapped, or no kernel can be resident"
PULL_LAW = "a round pulls where over {threshold} edges leave its frontier, 1 in {alpha}"
STAY_LAW = f"{PULL_LAW}; pulls go on while many vertices change"
FIXED_LAW = "every round as the schedule says: {direction}"
WIDTH_LAW = "width {width} at mean weight {mean_weight} and mean degree {mean_degree}; {blocks}"
OWN = "blocks follow their own, for few edges leave a vertex"
SHARED = "blocks share all, for many edges leave a vertex"
TREE_LAW = "a parent is a neighbour from which an edge leads to just this value: {balance}"

ONE_MORE = semiring(MONOIDS["min"], binary("x + 1"), name="min_one_more")[types.INT32]
"""Its closure counts steps."""


class Weights(NamedTuple):
    """What an order needs to know of a matrix' entries."""

    lawful: bool
    mean: float


Result = tuple[DeviceVector, DeviceVector | None, bool]
"""The closure, the round of each entry if it was asked for, and whether it came to rest."""


class Traversals:
    """Computes closures on the device. The fields are for tests and measurements."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.piece, self.few, self.steps = PIECE, FEW, STEPS

    def closure(
        self, x0: DeviceVector, A: Any, ring: Semiring, most: int, schedule: Schedule, counted: bool
    ) -> Result | None:  # fmt: skip
        """The fixpoint from x0, whose type is the product's, by at most ``most`` rounds.

        None if the schedule wants it so, if no kernel can be resident on this device, or if the
        product has another type than x0.
        """
        if schedule.loop == "host" or (schedule.balance is not None and schedule.loop is None):
            _tell(ring, x0, HOST, SINGLE, balance=schedule.balance)
            return None  # who walks a row is the affair of the kernels for single products
        A = A.new() if isinstance(A, Expression) and not isinstance(A, Transposed) else A
        store, transposed = self.backend.matrices.operand(A)
        if ring.output(x0.dtype, store.dtype) != x0.dtype:
            _tell(ring, x0, HOST, "the product has another type than the start")
            return None
        if (width := self._width(x0, A, ring, most, schedule, counted)) is not None:
            by_delta = self._by_depth if ring.monoid.is_any else self._by_value
            if (found := by_delta(x0, store, transposed, ring, width)) is not None:
                return found
            self._tell_rounds(ring, x0, store, NO_ORDER, schedule)
        return self._by_rounds(x0, store, transposed, ring, most, schedule)

    # --- by rounds ---------------------------------------------------------------------------
    def _by_rounds(
        self, x0: DeviceVector, A: DeviceMatrix, transposed: bool, ring: Semiring, most: int,
        schedule: Schedule,
    ) -> Result | None:  # fmt: skip
        pulls = schedule.direction != "push"
        outgoing, incoming = self._oriented(A, transposed, pulls)
        n, dtype = x0.size, x0.dtype
        algebra = lower.semiring_struct(ring, dtype, A.dtype, A.offset, True)
        early = ring.monoid.ends_early(dtype)
        rows = PULL[schedule.balance or pull_balance(A.nnz, n, early)]

        device, count = self.device, words(n)
        room = n + A.nnz // self.piece + 1
        x = DeviceVector.allocated(device, n, dtype)
        step = DeviceVector.allocated(device, n, INDEX)
        front = x.values if ring.monoid.is_any else device.empty(max(1, n), dtype)
        hubs, hub = self.backend.products.long_rows(incoming) if pulls else (0, None)
        first_look = pulls and ring.monoid.is_any and not ring.reads_right
        heads = self._heads(outgoing, incoming) if first_look else None
        counts, cleared = device.zeros(11, COUNT), device.zeros(3 * count + 1, WORD)
        threshold = _threshold(A, early, schedule)
        log = device.zeros(4 * (LOGGED + 1), COUNT) if recording() else None
        stop = device.stopwatch() if explaining() else None
        fits = self.backend.launch_resident(
            "closure.cuh", algebra, f"closure<Semiring, {rows}>", CLOSURE_BLOCK,
            np.int32(n), A.offset.type(self.piece), np.int32(min(most, 2**31 - 2)),
            np.uint64(threshold),
            *outgoing.arrays(), *incoming.arrays(), np.int32(self.backend.products.long_row),
            heads, np.int32(hubs), hub, x0.present, x0.values,
            x.bits, x.values, front, step.bits, step.values,
            cleared, device.empty(3 * room, ITEM), np.uint64(room), counts,
            cleared[3 * count :], np.int32(LOGGED), log,
        )  # fmt: skip
        if not fits:
            _tell(ring, x0, HOST, NOT_RESIDENT)
            return None
        microseconds = None if stop is None else stop()  # synchronize!
        done, left = device.download(counts)[9:].tolist()  # synchronize!
        if log is not None:
            lines = device.download(log)[: 4 * (done + 1)].reshape(-1, 4)  # synchronize!
            rounds = told.by_rounds(lines[1:], left, early, A.nnz)
            price = self._cost(ring, x0, A) if explaining() else None
            told.tell_rounds(lines[0, :3].tolist(), rounds, done <= LOGGED, price, microseconds)
        return x, step, left == 0

    def _cost(self, ring: Semiring, x0: DeviceVector, A: DeviceMatrix) -> Cost:
        values = None if A.iso else A.dtype
        return cost(ring, x0.dtype, values, x0.dtype, INDEX.itemsize, A.offset.itemsize)

    def _oriented(
        self, A: DeviceMatrix, transposed: bool, both: bool = True
    ) -> tuple[DeviceMatrix, DeviceMatrix]:
        """The out-edges by rows, and the in-edges if they are wanted."""
        transpose = self.backend.matrices.transpose
        outgoing = transpose(A) if transposed else A
        return outgoing, (A if transposed else transpose(A)) if both else outgoing

    def _heads(self, outgoing: DeviceMatrix, incoming: DeviceMatrix) -> Any:
        """For each vertex the in-neighbour with the most out-edges, where a pull is worth it; found
        once for a matrix, in the time of a product."""
        n, device, products = incoming.shape[0], self.device, self.backend.products
        if incoming.nnz < WIDE_ROW * n:
            return None
        if incoming.heads is None:
            keys, heads = device.empty(max(1, n), ITEM), device.empty(max(1, n), INDEX)
            name = f"length_keys<{types.c_name(outgoing.offset)}>"
            self.backend.launch("compact.cuh", "", name, n, np.int32(n), outgoing.indptr, keys)
            lengths = DeviceVector(n, ITEM, values=keys, full=True)
            ring = SEMIRINGS["max_first"][types.INT64]
            algebra = lower.semiring_struct(ring, ITEM, incoming.dtype, incoming.offset, True)
            best = products.pulled(n, ITEM, lengths, incoming, EVERYWHERE, algebra, PULL["warp"])
            name = f"lower_halves<{types.c_name(incoming.offset)}>"
            self.backend.launch("compact.cuh", "", name, n, np.int32(n), incoming.indptr,
                                np.int32(products.long_row), best.bits, best.values,
                                heads)  # fmt: skip
            incoming.heads = heads
        return incoming.heads

    # --- by delta ----------------------------------------------------------------------------
    def _width(
        self, x0: DeviceVector, A: Any, ring: Semiring, most: int, schedule: Schedule, counted: bool
    ) -> float | None:  # fmt: skip
        """How far beyond the best an entry may lie to be near; None: by rounds."""
        store, _ = self.backend.matrices.operand(A)
        n, fold = x0.size, not ring.monoid.is_any
        facts = OrderFacts(
            ordered=_totally(ring, x0.dtype) if fold else not ring.reads_left,
            first_wins=not fold,
            reads_weights=ring.reads_right,
            counted=counted if fold else tracing(),
            bounded=most < n,
            nrows=n,
            nedges=store.nnz,
            max_degree=store.max_degree,
        )
        if hangs_on_degrees(facts, schedule):
            bound = self.backend.products.bound_rows(store, DEEP_MAX)  # synchronize! once a matrix
            facts = replace(facts, max_degree=bound)
        order, law = order_by_law(facts, schedule)
        if order == "delta" and not facts.ordered:  # such as min over BOOL, which has no width
            order, law = "rounds", f"{law}, but not ordered"
        if order != "delta":
            self._tell_rounds(ring, x0, store, law, schedule, facts)
            return None
        mean = 1.0
        if fold and ring.ordered is not None:
            weights = self._weights(A, ring.ordered)
            mean = weights.mean
            if not weights.lawful and schedule.order == "delta":
                raise unlawful_weights(ring)
            if not weights.lawful:
                law = f"{law}, but not {ring.ordered} for all weights"
                self._tell_rounds(ring, x0, store, law, schedule, facts)
                return None
        width = schedule.width or delta_width(mean, n, store.nnz)
        if explaining():
            _tell(ring, x0, "by delta, in one kernel", f"{law}; {WIDTH_LAW}", facts, width=width,
                  mean_weight=mean, mean_degree=facts.mean_degree,
                  blocks=OWN if follows(n, store.nnz) else SHARED)  # fmt: skip
        return width

    def _tell_rounds(
        self, ring: Semiring, x0: DeviceVector, A: DeviceMatrix, law: str, schedule: Schedule,
        facts: OrderFacts | None = None,
    ) -> None:  # fmt: skip
        if explaining():
            early = ring.monoid.ends_early(x0.dtype)
            degree = None if facts is None else facts.mean_degree
            way = STAY_LAW if ring.monoid.is_any else PULL_LAW
            way = FIXED_LAW if schedule.direction in FIXED else way
            _tell(ring, x0, "by rounds, in one kernel", f"{law}; {way}", facts,
                  mean_degree=degree, threshold=_threshold(A, early, schedule),
                  alpha=alpha(early), direction=schedule.direction)  # fmt: skip

    def _weights(self, A: Any, condition: str) -> Weights:
        """Whether all entries of A meet the condition, and their mean; asked once for a matrix."""
        handle = A.matrix if isinstance(A, Transposed) else A
        known: dict[str, Weights] = handle._store.weights
        if condition not in known:
            total = handle.reduce(MONOIDS["plus"][types.FP64]).new().get(0.0)  # synchronize!
            lawful = holds_for_all(handle, condition)  # synchronize!
            known[condition] = Weights(lawful, abs(total) / max(1, handle._store.nnz))
        return known[condition]

    def _by_value(
        self, x0: DeviceVector, A: DeviceMatrix, transposed: bool, ring: Semiring, width: float
    ) -> Result | None:
        """x under a ⊗ that never improves; None if a NaN was met, or no kernel can be resident."""
        device, n = self.device, x0.size
        outgoing, _ = self._oriented(A, transposed, False)
        algebra = lower.semiring_struct(ring, x0.dtype, A.dtype, A.offset, True)
        dtype, start = x0.dtype, ring.monoid.start(x0.dtype)
        x = DeviceVector(n, dtype, device.empty(words(n), WORD), device.empty(max(1, n), dtype))
        room = n + A.nnz // self.piece + 1
        counts, cleared = device.zeros(8, COUNT), device.zeros(4 * words(n) + 1, WORD)
        log = device.zeros(3 * (LOGGED + 1), COUNT) if recording() else None
        symmetric = outgoing.transposed is outgoing
        few = self.few if follows(n, A.nnz) else 0
        falling = lower.NATIVE.get(ring.monoid.op.parsed) == "max"
        stop = device.stopwatch() if explaining() else None
        fits = self.backend.launch_resident(
            "ordered.cuh", algebra, "ordered<Semiring>", ORDERED_BLOCK,
            np.int32(n), A.offset.type(self.piece), A.offset.type(symmetric),
            *outgoing.arrays(), x0.present, x0.values, x.bits, x.values,
            device.empty(max(1, n), dtype), device.empty(4 * room, ITEM), np.uint64(room),
            cleared, device.full(24 // dtype.itemsize, start, dtype), counts,
            cleared[4 * words(n) :],
            np.float64(-width if falling else width), np.uint32(few), np.int32(self.steps),
            np.int32(LOGGED), log,
        )  # fmt: skip
        if not fits:
            return None
        microseconds = None if stop is None else stop()  # synchronize!
        strange, epochs = device.download(counts)[6:].tolist()  # synchronize!
        if strange:
            return None
        if log is not None:
            lines = device.download(log)[: 3 * (epochs + 1)].reshape(-1, 3)  # synchronize!
            price = self._cost(ring, x0, A) if explaining() else None
            told.tell_rounds(lines[0].tolist(), told.by_delta(lines[1:]), epochs <= LOGGED, price,
                             microseconds)  # fmt: skip
        return x, None, True

    def _by_depth(
        self, x0: DeviceVector, A: DeviceMatrix, transposed: bool, ring: Semiring, width: float
    ) -> Result | None:
        """Under ``any`` and a ⊗ that does not read x: first the rounds, then the values."""
        zeros = self.device.zeros(max(1, x0.size), INDEX)
        start = DeviceVector(x0.size, INDEX, x0.bits, zeros, full=x0.full)
        found = self._by_value(start, A, transposed, ONE_MORE, width)
        if found is None:
            return None
        step = found[0]
        x = self.along_tight_edges(step, A, transposed, ONE_MORE, ring, x0.dtype)
        name = f"overlay<{types.c_name(x.dtype)}>"
        self.backend.launch("compact.cuh", "", name, x.size, np.int32(x.size), x0.present,
                            x0.values, x.bits, x.values)  # fmt: skip
        return x, step, True

    def along_tight_edges(
        self, x: DeviceVector, A: DeviceMatrix, transposed: bool, order: Semiring,
        carried: Semiring, given: np.dtype,
    ) -> DeviceVector:  # fmt: skip
        """For each entry of a closure x under ``order`` a product of ``carried`` along a tight edge
        from a better entry, as if x had the type ``given``, for it is not read; none where there is
        no such edge, as at the start."""
        _, incoming = self._oriented(A, transposed)
        algebra = lower.tight_struct(order, x.dtype, carried, given, A.dtype, A.offset)
        dtype, mask = carried.output(given, A.dtype), (x.present, np.uint32(0))
        rows = PULL[pull_balance(A.nnz, x.size, False)]
        stop = self.device.stopwatch() if explaining() else None
        made = self.backend.products.pulled(x.size, dtype, x, incoming, mask, algebra, rows)
        if stop is not None:
            tell(f"tree {order.name}", "pull along tight edges", TREE_LAW, balance=rows,
                 carried=carried.name, laws=laws_of(order, x.dtype))  # fmt: skip
            took(stop())  # synchronize!
        return made


def _tell(
    ring: Semiring, x0: DeviceVector, chosen: str, law: str, facts: OrderFacts | None = None,
    **more: Any,
) -> None:  # fmt: skip
    if explaining():
        tell(f"closure {ring.name}", chosen, law, facts, laws_of(ring, x0.dtype), **more)


def _totally(ring: Semiring, dtype: np.dtype) -> bool:
    """Is ⊕ the minimum or the maximum of numbers, and does ⊗ never improve on its left operand?"""
    extremum = lower.NATIVE.get(ring.monoid.op.parsed) in ("min", "max")
    return extremum and dtype.kind != "b" and ring.ordered is not None and ring.carrier is None


def _threshold(A: DeviceMatrix, early_exit: bool, schedule: Schedule) -> int:
    """A round whose frontier has more out-edges than this pulls."""
    if schedule.direction == "pull":
        return 0
    return A.nnz if schedule.direction == "push" else A.nnz // alpha(early_exit)
