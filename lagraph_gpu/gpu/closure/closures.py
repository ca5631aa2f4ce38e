"""Closures on the device: the host allocates and launches, and waits once or not at all.

The first searches of a graph also wait where they have yet to show whether it is deep (see
``planning/depth.py``).

By rounds, frontiers, values and rounds are those of the loop in ``lagraph_gpu.closure``, which
remains the definition. By value the nearest vertices go first, as in delta-stepping; the fixpoint
is the same, because there is only one. These are the kernels, in ``gpu/cuda/closure``, and the
modules that launch them:

- ``level_synchronous/closure.cuh``, all rounds of wide graphs: ``level_synchronous.py``;
- ``ordered/delta_stepping.cuh``, by value, where all blocks share each step: ``ordered.py``;
- ``block_queues/block_async.cuh``, by value, where searches are deep and each block has a queue of
  its own: ``ordered.py``;
- ``hub_first/hub_first.cuh``, by value, where few vertices have most of the edges: hubs are settled
  first, and the rest pulls in ``hub_first/bottom_up_round.cuh``: ``hub_first.py``;
- over packed rows ``level_synchronous/packed_search.cuh``, all rounds: ``packed_search.py``; and by
  value ``ordered/packed_delta.cuh``: ``ordered.py``, or light edges first and then pulls, in
  ``ordered/packed_light.cuh``: ``packed_order.py``.

``order_choice.py`` chooses between rounds and order of value, once for a matrix and what is asked
for.

A closure under ``any`` whose ⊗ does not read the vector can also go by value: its rounds are the
fixpoint of "one step more", and its values follow from them along the tight edges, in one pull.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.closure import LOOP, Fixpoint, monotone, totally_ordered
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.closure.closure_weights import ClosureWeights, WeightFacts
from lagraph_gpu.gpu.closure.depth_trials import DepthTrials
from lagraph_gpu.gpu.closure.level_synchronous import LevelSynchronous
from lagraph_gpu.gpu.closure.order_choice import ByValue, Chosen, OrderChoice
from lagraph_gpu.gpu.closure.ordered import (
    BLOCK_QUEUES,
    FIRST,
    ONE_MORE,
    OVER_PACKED_ROWS,
    SHARED_STEPS,
    OrderedClosures,
)
from lagraph_gpu.gpu.closure.packed_order import PackedOrder
from lagraph_gpu.gpu.closure.packed_search import searches_packed_rows
from lagraph_gpu.gpu.closure.parents import traceable
from lagraph_gpu.gpu.closure.persistent import Ordered, Result
from lagraph_gpu.gpu.closure.problem import NOT_RESIDENT, Problem
from lagraph_gpu.gpu.closure.rows import RowClosures
from lagraph_gpu.gpu.device import BackendPart, lower
from lagraph_gpu.gpu.device.port import workspace_bytes
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix, DeviceVector
from lagraph_gpu.gpu.storage.layouts import Layout
from lagraph_gpu.gpu.storage.vector_storage import Predecessors
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning import closure_order, direction
from lagraph_gpu.planning.trace import recording, tracing
from lagraph_gpu.schedule import Schedule
from semirings import MONOIDS, Semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

SINGLE = "the schedule asks for it, or for what kernels for single products have, as a balance"
OTHER_TYPE = "the product has another type than the start"
NO_ORDER = (
    "there was no order, because a NaN was met or a sum wrapped, no kernel can be resident, or "
    "there is no room for its rows and queues"
)
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
        self, problem: Problem, layout: Layout | None, under: Semiring, by_value: ByValue
    ) -> Result | None:
        """The closure over the matrix or its layout, where the semiring is ``under``. The result is
        translated to the numbers of the start before anything waits. None if there is no order or
        no kernel can be resident."""
        x0, inner, to = problem.x0, problem, None
        if layout is not None:
            inner, to = problem._replace(store=layout.matrix, semiring=under), layout.to
            if under.monoid.is_any or x0.point is None:
                start = self.backend.layouts.entered(x0, layout, under)
                inner, to = inner._replace(x0=start), None
        if under.monoid.is_any:
            found = self._by_depth(inner, by_value)
        else:
            found = self._by_value(inner, by_value, to)
        return None if found is None else self._result(problem, found, layout, under)

    def over_packed(self, problem: Problem, weights: WeightFacts | None) -> Result | None:
        """The closure over packed rows with weights, of which the facts are known; None if it needs
        another way."""
        x0, A, semiring = problem.x0, problem.store, problem.semiring
        rows, n = A.packed, x0.size
        if (
            rows is None or rows.weights is None or weights is None or not weights.lawful
            or semiring.monoid.is_any or not semiring.reads_right or not totally_ordered(semiring)
            or problem.with_rounds or problem.bounded
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
            found = self.ordered.closure(x0, A, semiring, width, OVER_PACKED_ROWS)
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
        return Result(x, step, True)

    def _by_value(self, problem: Problem, by_value: ByValue, to: Any = None) -> Ordered | None:
        """The closure under a ⊗ that never improves; None if no kernel can be resident."""
        x0, A, semiring = problem.x0, problem.store, problem.semiring
        if by_value.hub_weights is not None:
            other = self.backend.matrices.transpose(A)
            ways = (other, A) if problem.transposed else (A, other)
            return self.backend.hub_first.closure(
                x0, *ways, semiring, by_value.width, by_value.hub_weights.heaviest, to,
                problem.with_parents and traceable(semiring, x0),
            )  # fmt: skip
        outgoing = self.backend.matrices.transpose(A) if problem.transposed else A
        way = BLOCK_QUEUES if by_value.asynchronous else SHARED_STEPS
        return self.ordered.closure(x0, outgoing, semiring, by_value.width, way, to)

    def _by_depth(self, problem: Problem, by_value: ByValue) -> Ordered | None:
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
        found = self._by_value(depths, by_value)
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


class ClosureLowering(BackendPart):
    """Computes closures on the device. The fields are for tests and measurements."""

    def __init__(self, backend: GpuBackend) -> None:
        super().__init__(backend)
        self.weights = ClosureWeights(backend)
        self.level_synchronous, self.by_order = LevelSynchronous(backend), ClosuresByOrder(backend)
        self.trials = DepthTrials(backend, self.level_synchronous)
        self.order_choice = OrderChoice(backend, self.weights, self.by_order.ordered.padding)
        self.rows = RowClosures(backend)

    def fixpoint(
        self, x0: Vector | Matrix, A: Any, semiring: Semiring, max_rounds: int,
        schedule: Schedule | None = None, *, with_rounds: bool = False, limit: Any = None,
        with_parents: bool = False,
    ) -> Fixpoint | None:  # fmt: skip
        """Lowers ``fixpoint``, for a matrix too if its rows are faster one after another, or on the
        host."""
        schedule = schedule or direction.FREE
        if not isinstance(x0, Vector):
            found = self.backend.narrow_graphs.fixpoint_of_rows(
                x0, A, semiring, max_rounds, schedule, with_rounds, limit
            )
            if found is not None:
                return found
            return self.rows.closures(x0, A, semiring, max_rounds, schedule, with_rounds)
        plain = isinstance(A, Matrix)
        store, transposed = (A._store, False) if plain else self.backend.matrices.operand(A)
        made = self.closure(
            Problem(
                x0._store, store, transposed, semiring, max_rounds, schedule, with_rounds,
                with_parents,
            )
        )  # fmt: skip
        if made is None:
            return None
        as_vector = self.backend.as_vector
        rounds = None if made.rounds is None else as_vector(made.rounds)
        return Fixpoint(as_vector(made.x), rounds, made.at_rest)

    def closure(self, problem: Problem) -> Result | None:
        """The closure.

        None if the schedule asks for single products, if no kernel can be resident on this device,
        or if the product has another type than the start.
        """
        store, semiring, schedule = problem.store, problem.semiring, problem.schedule
        if schedule.loop == "host" or (schedule.single and schedule.loop is None):
            problem.record(LOOP, SINGLE, schedule=repr(schedule))
            return None
        if semiring.output(problem.x0.dtype, store.dtype) != problem.x0.dtype:
            problem.record(LOOP, OTHER_TYPE)
            return None
        layout, under = self._layout(problem)
        over = problem if layout is None else problem._replace(store=layout.matrix, semiring=under)
        if over.store.packed is not None and searches_packed_rows(under, over.store):
            result = self._over_packed_rows(problem, over, layout)
        else:
            result = self._over_rows(problem, over, layout)
        if result is None:
            problem.record(LOOP, NOT_RESIDENT)
        return result

    def _layout(self, problem: Problem) -> tuple[Layout | None, Semiring]:
        """The layout to search, and the semiring there; None if the matrix itself is searched."""
        layout, semiring = problem.store.layout, problem.semiring
        if layout is None:
            return None, semiring
        under = self.backend.layouts.inner(semiring, problem.x0)
        if under is None:
            return None, semiring
        if layout.matrix.packed is not None and not searches_packed_rows(under, layout.matrix):
            return None, semiring
        return layout, under

    def _over_packed_rows(
        self, problem: Problem, over: Problem, layout: Layout | None
    ) -> Result | None:
        """The closure by rounds over packed rows, or over the compressed rows of a deep graph; None
        if no kernel can be resident. A search of so many rounds shows that the graph is deep."""
        store, by_rounds = problem.store, self.backend.packed_searches.closure
        deep = store.pattern.depth.deep
        if not self._may_leave_packed_rows(problem):
            return by_rounds(over, layout)
        if deep.answer is None:
            tried = self.trials.packed_rounds(over.store)  # synchronize! once a matrix
            if tried >= problem.max_rounds:
                return by_rounds(over, layout)
            trial = self.trials.closure(tried, by_rounds, problem, over, layout)  # synchronize!
            if not trial.deep:
                return trial.result
        return self._over_rows(problem, problem, None)

    def leaves_packed_rows(self, problem: Problem) -> bool:
        """Whether the closure goes over the compressed rows of a packed matrix, because its graph
        is deep and there is room for them. A search made now may show that; waits then."""
        if not self._may_leave_packed_rows(problem):
            return False
        if problem.store.pattern.depth.deep.answer:
            return True
        tried = self.trials.packed_rounds(problem.store)  # synchronize! once a matrix
        return tried < problem.max_rounds and self.trials.search_is_long(problem, tried)

    def _may_leave_packed_rows(self, problem: Problem) -> bool:
        """Whether the closure would go over compressed rows, by value, if the graph is deep: no
        search has shown that it is not, and there is room for them."""
        store = problem.store
        if store.pattern.depth.deep.answer is False or not self._has_room_for_rows(store):
            return False
        counted = tracing() if problem.semiring.monoid.is_any else problem.with_rounds
        return self.order_choice.by_value_if_deep(problem._replace(with_rounds=counted))

    def _has_room_for_rows(self, A: DeviceMatrix) -> bool:
        """Whether A has compressed rows, or a part of the free memory has room for them."""
        if not A.stays_packed:
            return True
        each = INDEX.itemsize + (0 if A.iso else A.dtype.itemsize)
        made = A.nnz * each + (A.shape[0] + 1) * A.offset.itemsize
        return made <= workspace_bytes(self.device)

    def _over_rows(self, problem: Problem, over: Problem, layout: Layout | None) -> Result | None:
        """The closure over the rows of a matrix, by order of value or by rounds; None if no kernel
        can be resident. Where rows do not show whether the graph is deep, so many rounds do, and
        the closure begins again if it is."""
        store, by_rounds = problem.store, self.level_synchronous.closure
        if store.stays_packed and layout is None and not self.leaves_packed_rows(problem):
            weights = self.weights.known(store, problem.semiring, problem.x0.dtype)
            found = self.by_order.over_packed(problem, weights)
            if found is not None:
                return found
        by_value, tried = self._chosen(problem)
        if by_value is not None and tried is not None:
            if self.trials.search_is_long(problem, tried):
                by_value = self._chosen(problem).by_value
        elif by_value is None and tried is not None and tried < problem.max_rounds:
            trial = self.trials.closure(tried, by_rounds, problem, over, layout)  # synchronize!
            if not trial.deep:
                return trial.result
            by_value = self._chosen(problem).by_value
        if by_value is not None:
            with suppress(TooLarge):  # rounds need less room
                found = self.by_order.closure(problem, layout, over.semiring, by_value)
                if found is not None:
                    return found
            problem.record_rounds(NO_ORDER)
        return by_rounds(over, layout)

    def finds_depth(self, problem: Problem) -> bool:
        """Whether a search from the start of a closure, made now, shows that the graph is deep.
        False also if that is known. Waits."""
        tried = self._chosen(problem).tried_rounds
        return tried is not None and self.trials.search_is_long(problem, tried)

    def by_value(self, problem: Problem) -> ByValue | None:
        """How the closure runs by order of value; None for rounds."""
        return self._chosen(problem).by_value

    def _chosen(self, problem: Problem) -> Chosen:
        """How the closure runs. It is chosen once for a matrix and what is asked for, and again for
        each call that a listener records."""
        semiring, x0, store = problem.semiring, problem.x0, problem.store
        counted = tracing() if semiring.monoid.is_any else problem.with_rounds
        bounded = problem.max_rounds < x0.size
        shown_deep = store.pattern.depth.deep.answer
        key = semiring, x0.dtype, problem.schedule, counted, bounded, shown_deep
        kept = store.closures.chosen
        chosen: Chosen | None = kept.get(key)
        if chosen is None or recording():
            chosen = kept[key] = self.order_choice.chosen(problem._replace(with_rounds=counted))
        return chosen
