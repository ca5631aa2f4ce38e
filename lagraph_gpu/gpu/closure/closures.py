"""Closures on the device: the host allocates and launches, and waits once or not at all.

By rounds, frontiers, values and rounds are those of the loop in ``lagraph_gpu.closure``, which
remains the definition. By delta the nearest vertices go first; the fixpoint is the same, because
there is only one. These are the kernels, in ``gpu/cuda/closure``, and the modules that launch them:

- ``level_synchronous/closure.cuh``, all rounds of wide graphs: ``level_synchronous.py``;
- ``ordered/delta_stepping.cuh``, by delta, where all blocks share each step: ``ordered.py``;
- ``block_queues/block_async.cuh``, by delta, where searches are deep and each block has a queue of
  its own: ``ordered.py``;
- ``hub_first/hub_first.cuh``, by delta, where few vertices have most of the edges: hubs are settled
  first, and the rest pulls in ``hub_first/bottom_up_round.cuh``: ``hub_first.py``.

``delta.py`` chooses between rounds and delta, and ``by_order.py`` runs what goes by delta.

A closure under ``any`` whose ⊗ does not read the vector can also go by delta: its rounds are the
fixpoint of "one step more", and its values follow from them along the tight edges, in one pull.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lagraph_gpu.closure import LOOP, Fixpoint
from lagraph_gpu.gpu.closure.by_order import ClosuresByOrder
from lagraph_gpu.gpu.closure.closure_weights import ClosureWeights
from lagraph_gpu.gpu.closure.delta import DeltaChoice
from lagraph_gpu.gpu.closure.level_synchronous import LevelSynchronous
from lagraph_gpu.gpu.closure.packed_search import searches_packed_rows
from lagraph_gpu.gpu.closure.persistent import Result
from lagraph_gpu.gpu.closure.problem import NOT_RESIDENT, Problem
from lagraph_gpu.gpu.closure.rows import RowClosures
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.storage.layouts import Layout
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning import direction
from lagraph_gpu.schedule import Schedule
from semirings import Semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

SINGLE = "the schedule asks for it, or for what kernels for single products have, as a balance"
OTHER_TYPE = "the product has another type than the start"
NO_ORDER = (
    "there was no order, because a NaN was met or a sum wrapped, or no kernel can be resident"
)


class ClosureLowering(BackendPart):
    """Computes closures on the device. The fields are for tests and measurements."""

    def __init__(self, backend: GpuBackend) -> None:
        super().__init__(backend)
        self.weights = ClosureWeights(backend)
        self.delta = DeltaChoice(backend, self.weights)
        self.level_synchronous, self.by_order = LevelSynchronous(backend), ClosuresByOrder(backend)
        self.rows = RowClosures(backend)

    def fixpoint(
        self, x0: Vector | Matrix, A: Any, semiring: Semiring, max_steps: int,
        schedule: Schedule | None = None, *, with_levels: bool = False, limit: Any = None,
        with_parents: bool = False,
    ) -> Fixpoint | None:  # fmt: skip
        """Lowers ``fixpoint``, for a matrix too if its rows are faster one after another."""
        schedule = schedule or direction.FREE
        if not isinstance(x0, Vector):
            return self.rows.closures(x0, A, semiring, max_steps, schedule, with_levels)
        made = self.closure(
            Problem(
                x0._store, *self.backend.matrices.operand(A), semiring, max_steps, schedule,
                with_levels, with_parents,
            )
        )  # fmt: skip
        if made is None:
            return None
        x, levels, at_rest = made
        as_vector = self.backend.as_vector
        return Fixpoint(as_vector(x), None if levels is None else as_vector(levels), at_rest)

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
        rounds = self.level_synchronous.closure
        if searches_packed_rows(under, over.store):
            rounds = self.backend.packed_searches.closure
        else:
            found = self._by_order(problem, layout, under)
            if found is not None:
                return found
        result = rounds(over, layout)
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

    def _by_order(self, problem: Problem, layout: Layout | None, under: Semiring) -> Result | None:
        """The closure by order of value; None if it is to go by rounds."""
        store, semiring = problem.store, problem.semiring
        if store.stays_packed and layout is None:
            weights = self.weights.known(store, semiring, problem.x0.dtype)
            found = self.by_order.over_packed(problem, weights)
            if found is not None:
                return found
        delta = self.delta.chosen(problem)
        if delta is None:
            return None
        found = self.by_order.closure(problem, layout, under, delta)
        if found is None:
            problem.record_rounds(NO_ORDER)
        return found
