"""Closures by order of value, in whichever kernel fits the graph, with what surrounds it: the start
renumbered for a layout, the results restored, and the predecessors unpacked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.closure import monotone, totally_ordered
from lagraph_gpu.gpu.closure.closure_weights import WeightFacts
from lagraph_gpu.gpu.closure.delta import Delta
from lagraph_gpu.gpu.closure.ordered import (
    FIRST,
    ONE_MORE,
    BlockQueues,
    OrderedClosures,
    OverPackedRows,
    SharedSteps,
)
from lagraph_gpu.gpu.closure.packed_order import PackedOrder
from lagraph_gpu.gpu.closure.parents import traceable
from lagraph_gpu.gpu.closure.persistent import Ordered, Result
from lagraph_gpu.gpu.closure.problem import Problem
from lagraph_gpu.gpu.device import BackendPart, lower
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix, DeviceVector
from lagraph_gpu.gpu.storage.layouts import Layout
from lagraph_gpu.gpu.storage.vector_storage import Predecessors
from lagraph_gpu.planning import closure_order
from semirings import MONOIDS, Semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

PACKED, LIGHT_FIRST = (
    "by delta over packed rows, in one kernel",
    "by delta over light edges, then by pulls over packed rows",
)
PACKED_REASON = "packed rows hold the weights; width {width}"


class ClosuresByOrder(BackendPart):
    """Computes closures by order of value. The fields are for tests and measurements."""

    def __init__(self, backend: GpuBackend) -> None:
        super().__init__(backend)
        self.ordered, self.packed_order = OrderedClosures(backend), PackedOrder(backend)

    def closure(
        self, problem: Problem, layout: Layout | None, under: Semiring, delta: Delta
    ) -> Result | None:
        """The closure over the matrix or its layout, where the semiring is ``under``. The result is
        translated to the numbers of the start before anything waits. None if there is no order or
        no kernel can be resident."""
        x0, inner, to = problem.x0, problem._replace(semiring=under), None
        if layout is not None:
            inner, to = inner._replace(store=layout.matrix), layout.to
            if under.monoid.is_any or x0.point is None:
                start = self.backend.layouts.entered(x0, layout, under)
                inner, to = inner._replace(x0=start), None
        if under.monoid.is_any:
            found = self._by_depth(inner, delta)
        else:
            found = self._by_value(inner, delta, to)
        return None if found is None else self._result(problem, found, layout, under)

    def over_packed(self, problem: Problem, weights: WeightFacts | None) -> Result | None:
        """The closure over packed rows with weights, of which the facts are known; None if it needs
        another way."""
        x0, A, semiring = problem.x0, problem.store, problem.semiring
        rows, n = A.packed, x0.size
        if (
            rows is None or rows.weights is None or weights is None or not weights.lawful
            or semiring.monoid.is_any or not semiring.reads_right or not totally_ordered(semiring)
            or problem.with_levels or problem.bounded
            or problem.schedule.order not in (None, "delta")
        ):  # fmt: skip
            return None
        stays, asked = semiring.multiply.parsed == FIRST, problem.schedule.width
        width = asked or closure_order.delta_width(weights.mean, n, A.nnz, stays=stays)
        found, way = None, PACKED
        least = semiring.monoid is MONOIDS["min"] and monotone(semiring)
        if least and x0.point is not None and asked is None:
            with_parents = problem.with_parents and traceable(semiring, x0)
            found = self.packed_order.closure(problem, weights, width, with_parents)
            way = way if found is None else LIGHT_FIRST
        problem.record(way, PACKED_REASON, width=width, mean_weight=weights.mean)
        if found is None:
            found = self.ordered.closure(x0, A, semiring, width, OverPackedRows())
        return None if found is None else self._result(problem, found, None, semiring)

    def _result(
        self, problem: Problem, found: Ordered, layout: Layout | None, under: Semiring
    ) -> Result | None:
        """What was found over the matrix or its layout, in the numbers of the problem; None if it
        turns out that there was no order."""
        there, point = found.x, problem.x0.point
        x, step, tails = there, found.rounds, None
        if point is not None and found.origins is not None:
            x, tails = self.backend.parents.unpacked(there, found.origins, layout, point)
        elif layout is not None:
            x, step = self.backend.layouts.restored(there, step, layout, under, problem.x0)
        if found.orderly is not None and not found.orderly():  # synchronize!
            return None
        x.count = there.count
        if layout is not None and under is problem.semiring:  # values are no vertices
            x.renumbered = layout, there
        if point is not None and tails is not None:
            tails.count = there.count
            x.predecessors = Predecessors(
                problem.store, problem.transposed, problem.semiring, point.at, tails
            )
        return x, step, True

    def _by_value(self, problem: Problem, delta: Delta, to: Any = None) -> Ordered | None:
        """The closure under a ⊗ that never improves; None if no kernel can be resident."""
        x0, A, semiring = problem.x0, problem.store, problem.semiring
        if delta.hub_weights is not None:
            other = self.backend.matrices.transpose(A)
            ways = (other, A) if problem.transposed else (A, other)
            return self.backend.hub_first.closure(
                x0, *ways, semiring, delta.width, delta.hub_weights.heaviest, to,
                problem.with_parents and traceable(semiring, x0),
            )  # fmt: skip
        outgoing = self.backend.matrices.transpose(A) if problem.transposed else A
        way = BlockQueues() if delta.asynchronous else SharedSteps()
        return self.ordered.closure(x0, outgoing, semiring, delta.width, way, to)

    def _by_depth(self, problem: Problem, delta: Delta) -> Ordered | None:
        """The closure under ``any`` and a ⊗ that does not read x: first the rounds, then the
        values."""
        x0, n, point = problem.x0, problem.x0.size, problem.x0.point
        if point is None:
            zeros = self.device.zeros(max(1, n), INDEX)
            start = DeviceVector(n, INDEX, x0.bits, zeros, full=x0.full)
        else:
            start = DeviceVector(n, INDEX)
            start.point = point._replace(value=np.int32(0))
        depths = problem._replace(x0=start, semiring=ONE_MORE, with_parents=False)
        found = self._by_value(depths, delta)
        if found is None or (found.orderly is not None and not found.orderly()):
            return None
        x = self.along_depths(found.x, x0, problem.store, problem.transposed, problem.semiring)
        return Ordered(x, found.x, None)

    def along_depths(
        self, step: DeviceVector, x0: DeviceVector, A: DeviceMatrix, transposed: bool,
        semiring: Semiring,
    ) -> DeviceVector:  # fmt: skip
        """The closure of x0 under ``any`` and a ⊗ that does not read x, from the round of each
        entry."""
        n, point, parents = x0.size, x0.point, self.backend.parents
        if semiring.multiply.parsed == lower.ONE:  # whatever the edge
            bits, ones = self.device.copy(step.bits), self.device.full(max(1, n), 1, x0.dtype)
            x = DeviceVector(n, x0.dtype, bits, ones)
        else:
            x = parents.along_tight_edges(step, A, transposed, ONE_MORE, semiring, x0.dtype)
        if point is None:
            parents.overlay(x0, x, None, None)
        else:
            point.write(point.at, point.value, x.bits, x.values)
        return x
