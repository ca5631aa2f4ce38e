"""Closures by order of value over packed rows with weights, in parts, where few vertices have most
of the edges.

A search over light edges alone settles the vertices that few light edges lead to: these are most
vertices of high degree, and so most edges. Light edges are a matrix of their own, in compressed
rows beside the packed ones. Before it, the start is pushed along all edges until some thousand
would be walked (packed_delta.cuh), since the edges of a vertex of low degree may all be heavy.
After it, the other vertices pull (unsettled.cuh). Most of them are done after their lightest edges,
which are stored apart, and few rows are decoded. What still changes is pushed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.closure.hub_first import ORIGIN
from lagraph_gpu.gpu.closure.kernel_log import NO_LOG
from lagraph_gpu.gpu.closure.ordered import (
    COUNTS,
    PACKED_DELTA,
    SHARED_BLOCK,
    UNORDERED,
    packed_delta,
)
from lagraph_gpu.gpu.closure.persistent import (
    COUNT,
    ITEM,
    BestPool,
    CounterPool,
    Ordered,
    acquire,
    result_bytes,
)
from lagraph_gpu.gpu.closure.problem import Problem
from lagraph_gpu.gpu.device import BackendPart, Device, DeviceArray, constants, expect_room, lower
from lagraph_gpu.gpu.matrix.weight_order import BYTE, sampled
from lagraph_gpu.gpu.storage import INDEX, WORD, DeviceMatrix, DeviceVector, words
from lagraph_gpu.gpu.storage.matrix_storage import Pattern
from lagraph_gpu.planning import closure_order, direction
from semirings import Semiring, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.closure.closure_weights import WeightFacts
    from lagraph_gpu.gpu.storage.packed_rows import PackedRows

PACKED_LIGHT = "closure/ordered/packed_light.cuh"
PROBE_UNSETTLED = "closure/hub_first/probe_unsettled.cuh"
PULL_UNSETTLED = "closure/hub_first/pull_unsettled.cuh"

LIGHT_SHARE, MOST_LIGHT = 1 / 16, 1 / 5
"""The share of the edges that is to be light, and the share above which light edges do not pay."""

FIRST_EDGES = 1 / 2**20
"""Less than this share of the edges is walked before the search over light edges."""

LIGHT_ROUNDS = 3
"""The rounds of pulls, of which packed_order.cuh has room for 8."""

LIGHTEST = {
    1: constants.LIGHTEST_BYTES, 2: constants.LIGHTEST_BYTES,
    4: constants.LIGHTEST_BYTES_32, 8: constants.LIGHTEST_BYTES_64,
}  # fmt: skip
"""The bytes of the lightest edge of a row, by those of a weight."""


class Light(NamedTuple):
    """What a search has beside the packed rows."""

    matrix: DeviceMatrix
    """The light edges."""
    most: np.generic
    """The heaviest light weight, in the type of the matrix."""
    lightest: DeviceArray
    """The lightest edge of each row."""
    heavy: DeviceArray
    """The lightest of its others that is not light."""


class Scratch:
    """The memory of one call besides its results."""

    @staticmethod
    def bytes(n: int, room: int) -> int:
        """About how many bytes are needed."""
        return 4 * ITEM.itemsize * room + 6 * WORD.itemsize * words(n)

    def __init__(self, device: Device, n: int, room: int) -> None:
        self.room = room
        self.items = device.empty(4 * room, ITEM)
        self.pulled = tuple(device.empty(words(n), WORD) for _ in range(2))
        self.bits = device.zeros(4 * words(n), WORD)
        self.counts = CounterPool(COUNTS, lambda size: device.zeros(size, COUNT))
        self.bests = BestPool(device, constants.PACKED_ORDER_BESTS)


class Search:
    """One search: its memory, and what its kernels share. The parts follow one another."""

    def __init__(
        self, backend: GpuBackend, problem: Problem, rows: PackedRows, light: Light, width: float,
        with_parents: bool, rounds: int,
    ) -> None:  # fmt: skip
        x0, A, semiring = problem.x0, problem.store, problem.semiring
        n, dtype, device, weights = x0.size, x0.dtype, backend.device, rows.weights
        assert weights is not None
        self.backend, self.x0, self.rows, self.light = backend, x0, rows, light
        self.with_parents, self.rounds = with_parents, np.int32(rounds)
        self.n, self.width, self.to_weight = np.int32(n), np.float64(width), A.dtype.type
        room = -(-max(1, rows.n_segments) // 4)
        self.kept = A.closures.scratch.setdefault(("packed order", device.stream), [])
        self.scratch = acquire(
            device, self.kept, room,
            lambda: Scratch.bytes(n, room)
            + 2 * (result_bytes(n, dtype) + with_parents * n * ORIGIN.itemsize),
            lambda: Scratch(device, n, room),
        )  # fmt: skip
        self.algebra = lower.semiring_struct(semiring, dtype, A.dtype, A.offset, True)
        parents, weight = str(with_parents).lower(), types.c_name(weights.values.dtype)
        self.probe_kernel = f"probe_unsettled<Semiring, {weight}, {parents}>"
        self.pull_kernel = f"pull_unsettled<Semiring, {weights.types()}, {parents}>"
        self.over = rows.given, tuple(weights)
        self.counts = self.scratch.counts.take()
        self.lists = (
            self.scratch.items, np.uint64(self.scratch.room), self.scratch.bits,
            np.int32(words(n)), self.scratch.bests.take(semiring.monoid, dtype), self.counts,
        )  # fmt: skip
        # no position from rows.n on is begun with, and none is reached
        first = device.full(rows.n, semiring.monoid.start(dtype), dtype)
        self.begun = DeviceVector(n, dtype, device.empty(words(n), WORD), first)
        self.earlier = device.full(rows.n, -1, ORIGIN) if with_parents else None

    def begin(self, budget: int) -> bool:
        """Push the start along all edges until so many would be walked; False if no kernel can be
        resident."""
        begun = self.begun.bits, self.begun.values
        return self._push("begin", budget, self.light.most, begun, self.earlier)

    def pull_unsettled(self, found: Ordered) -> None:
        """Let the vertices pull that the search over light edges has not settled."""
        launch, n = self.backend.launch, self.rows.n
        values = self.light.most, found.x.parts, found.origins
        rest = self.scratch.pulled, self.lists
        launch(
            PROBE_UNSETTLED, self.algebra, self.probe_kernel, n, self.rounds, np.int32(n),
            self.light.lightest, self.light.heavy, *values,
            (self.begun.bits, self.begun.values, self.earlier), *rest,
        )  # fmt: skip
        for number in range(self.rounds):
            launch(
                PULL_UNSETTLED, self.algebra, self.pull_kernel, n, np.int32(number), self.rounds,
                *self.over, self.light.lightest, *values, *rest,
            )  # fmt: skip

    def finish(self, found: Ordered, heaviest: Any) -> Ordered | None:
        """Push what still changes; None if no kernel can be resident. The memory is for other
        searches then."""
        if not self._push("finish", 0, heaviest, found.x.parts, found.origins):
            return None
        self.kept.append(self.scratch)
        counted = self.backend.device.fetch(self.counts[UNORDERED : UNORDERED + 1])

        def orderly() -> bool:
            right = found.orderly is None or found.orderly()  # synchronize!
            found.x.count = None  # that of the light edges' search
            return right and not counted()[0]  # synchronize!

        return Ordered(found.x, None, orderly, found.origins)

    def _push(self, part: str, budget: int, weight: Any, x: Any, origins: Any) -> bool:
        return self.backend.launch_resident(
            PACKED_DELTA, self.algebra, packed_delta(self.rows, self.with_parents, part),
            SHARED_BLOCK, np.uint64(budget), self.n, *self.over, self.to_weight(weight),
            self.x0.begins(self.x0.dtype, None), x, self.lists, origins, self.width,
            NO_LOG,
        )  # fmt: skip


class PackedOrder(BackendPart):
    """Computes such closures. The fields are for tests and measurements."""

    share, first, rounds = LIGHT_SHARE, FIRST_EDGES, LIGHT_ROUNDS
    reached: float = direction.LIGHT_REACHED
    left: float | None = direction.LIGHT_WITHIN
    wide: float = closure_order.DEEP_DEGREE

    def closure(
        self, problem: Problem, weights: WeightFacts, width: float, with_parents: bool
    ) -> Ordered | None:
        """The closure of a point; None if it has no edges, there are no light edges that pay, or no
        kernel can be resident. ⊕ must be a minimum, and ⊗ monotone."""
        x0, A, rows = problem.x0, problem.store, problem.store.packed
        assert rows is not None and x0.point is not None
        if x0.point.at >= rows.n or not closure_order.fans_out(x0.size, A.nnz, self.wide):
            return None
        light = self.light(A, rows)
        if light is None:
            return None
        search = Search(self.backend, problem, rows, light, width, with_parents, self.rounds)
        if not search.begin(max(1, int(self.first * A.nnz))):
            return None
        found = self._over_light(search.begun, light, problem.semiring, with_parents)
        if found is None:
            return None
        search.pull_unsettled(found)
        return search.finish(found, weights.heaviest)

    def _over_light(
        self, x0: DeviceVector, light: Light, semiring: Semiring, with_parents: bool
    ) -> Ordered | None:
        """The closure over light edges alone."""
        L = light.matrix
        facts = self.backend.closures.weights.facts(L, semiring, x0.dtype)
        width = closure_order.hub_first_width(facts.mean, facts.small, L.shape[0], L.nnz)
        return self.backend.hub_first.closure(
            x0, L, L, semiring, width, facts.heaviest, None, with_parents, (self.reached, self.left)
        )

    def light(self, A: DeviceMatrix, rows: PackedRows) -> Light | None:
        """The light edges, and the lightest edge of each row: made once for a matrix, unless there
        is no room, or weights are too much alike. Waits then."""
        kept = A.closures.ready
        if "light" not in kept:
            try:
                kept["light"] = self._light(A, rows)
            except TooLarge:
                kept["light"] = None
        made: Light | None = kept["light"]
        return made

    def _light(self, A: DeviceMatrix, rows: PackedRows) -> Light | None:
        assert rows.weights is not None
        device, n, nnz, held = self.device, A.shape[0], A.nnz, rows.weights
        kinds, work = held.types(), max(rows.n, 32 * rows.n_segments)
        given = rows.given, tuple(held)
        most = held.values.dtype.type(sampled(self.backend, held.values, nnz, self.share))

        def launch(name: str, *args: Any) -> None:
            self.backend.launch(PACKED_LIGHT, "", name, work, *given, *args)

        lengths = device.zeros(max(1, n), INDEX)
        launch(f"count_light<{kinds}>", most, lengths)
        begins = self.backend.prefix_sums.begins(lengths[:n], A.offset)
        count = int(device.download(begins[n:])[0])  # synchronize!
        if not 0 < count <= MOST_LIGHT * nnz:
            return None
        each = INDEX.itemsize + A.dtype.itemsize
        size = LIGHTEST[held.values.dtype.itemsize] * max(1, rows.n)
        expect_room(device, 2 * (count * each + size))
        columns, values = device.empty(count, INDEX), device.empty(count, A.dtype)
        places = device.copy(begins)
        c = types.c_name
        launch(f"take_light<{kinds}, {c(A.offset)}, {c(A.dtype)}>", most, places, columns, values)
        lightest, heavy = (device.empty(size, BYTE) for _ in range(2))
        for besides, found in ((None, lightest), (lightest, heavy)):
            launch(f"packed_lightest<{kinds}>", most, besides, found)
        L = DeviceMatrix((n, n), A.dtype, count, begins, columns, values,
                         pattern=Pattern(n_connected=rows.n))  # fmt: skip
        L.transposed = L
        return Light(L, A.dtype.type(most), lightest, heavy)
