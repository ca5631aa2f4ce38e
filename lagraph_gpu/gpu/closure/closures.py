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

A closure under ``any`` whose ⊗ does not read the vector can also go by delta: its rounds are the
fixpoint of "one step more", and its values follow from them along the tight edges, in one pull.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lagraph_gpu.closure import (
    EXTREMA,
    LOOP,
    Fixpoint,
    holds_for_all,
    monotone,
    totally_ordered,
    unlawful_weights,
)
from lagraph_gpu.gpu.closure.level_synchronous import LevelSynchronous
from lagraph_gpu.gpu.closure.ordered import FIRST, ONE_MORE, SLOTS, OrderedClosures
from lagraph_gpu.gpu.closure.packed_order import PackedOrder
from lagraph_gpu.gpu.closure.packed_search import searches_packed_rows
from lagraph_gpu.gpu.closure.parents import traceable
from lagraph_gpu.gpu.closure.persistent import Ordered, Result
from lagraph_gpu.gpu.closure.rows import RowClosures
from lagraph_gpu.gpu.device import lower
from lagraph_gpu.gpu.matrix.weight_order import sampled, small_weight
from lagraph_gpu.gpu.spmv.products import FIXED
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix, DeviceVector
from lagraph_gpu.gpu.storage.layouts import Layout
from lagraph_gpu.gpu.storage.vector_storage import Predecessors
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.expressions import Transposed, computed
from lagraph_gpu.planning import closure_order, direction
from lagraph_gpu.planning.trace import explaining, laws_of, record_choice, recording, tracing
from lagraph_gpu.schedule import Schedule
from semirings import MONOIDS, Semiring, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

SINGLE = "the schedule asks for it, or for what kernels for single products have, as a balance"
LIGHT_FIRST = "by delta over light edges, then by pulls over packed rows"
PACKED_REASON = "packed rows hold the weights; width {width}"
NOT_RESIDENT = "no kernel can be resident"
NO_ORDER = (
    "there was no order, because a NaN was met or a sum wrapped, or no kernel can be resident"
)
PULL_REASON = "a round pulls where over {threshold} edges leave its frontier, 1 in {alpha}"
STAY_REASON = f"{PULL_REASON}; pulls go on while many vertices change"
FIXED_REASON = "every round as the schedule says: {direction}"
WIDTH_REASON = "width {width} at mean weight {mean_weight} and mean degree {mean_degree}; {blocks}"
ASYNCHRONOUS = "each block has a queue of its own, because the graph is deep"
SHARED = "all share each step"
HUBS_FIRST = (
    "hubs are settled first, and the rest pulls, because few vertices have most of the edges"
)


class WeightFacts(NamedTuple):
    """What a closure by order of value needs to know of a matrix' weights."""

    lawful: bool
    mean: float
    small: float
    """A magnitude that only a small share of the weights do not exceed (see ``small_share``)."""
    heaviest: Any
    """The worst weight for ⊕, in the weights' type; 0 if sums cannot wrap."""


class Delta(NamedTuple):
    """How a closure runs by delta."""

    width: float
    """How far from the best value an entry may be to count as near."""
    asynchronous: bool
    """True if each block has a queue of its own."""
    core: WeightFacts | None
    """The weights, if hubs are settled first and the rest pulls; otherwise None."""


class ClosureLowering:
    """Computes closures on the device. The fields are for tests and measurements."""

    def __init__(self, backend: GpuBackend) -> None:
        self.backend, self.device = backend, backend.device
        self.level_synchronous = LevelSynchronous(backend)
        self.ordered, self.longest = OrderedClosures(backend), closure_order.DEEP_MAX
        self.rows, self.packed_order = RowClosures(backend), PackedOrder(backend)

    def fixpoint(
        self, x0: Vector | Matrix, A: Any, semiring: Semiring, max_steps: int,
        schedule: Schedule | None = None, *, with_levels: bool = False, limit: Any = None,
        with_parents: bool = False,
    ) -> Fixpoint | None:  # fmt: skip
        """Lowers ``fixpoint``, for a matrix too if its rows are faster one after another."""
        if not isinstance(x0, Vector):
            return self.rows.closures(
                x0, A, semiring, max_steps, schedule or direction.FREE, with_levels
            )
        made = self.closure(
            x0._store, A, semiring, max_steps, schedule or direction.FREE, with_levels, with_parents
        )
        if made is None:
            return None
        x, levels, at_rest = made
        as_vector = self.backend.as_vector
        return Fixpoint(as_vector(x), None if levels is None else as_vector(levels), at_rest)

    def closure(
        self, x0: DeviceVector, A: Any, semiring: Semiring, max_steps: int, schedule: Schedule,
        with_levels: bool, with_parents: bool = False,
    ) -> Result | None:  # fmt: skip
        """The closure of x0, whose type is the product's, by at most ``max_steps`` rounds. With
        ``with_parents``, and if it costs little, the predecessors of the values are stored too.

        None if the schedule asks for single products, if no kernel can be resident on this device,
        or if the product has another type than x0.
        """
        if schedule.loop == "host" or (schedule.single and schedule.loop is None):
            _record_choice(semiring, x0, LOOP, SINGLE, schedule=repr(schedule))
            return None
        if isinstance(A, Matrix):
            store, transposed = A._store, False
        else:
            A = computed(A)
            store, transposed = self.backend.matrices.operand(A)
        if semiring.output(x0.dtype, store.dtype) != x0.dtype:
            _record_choice(semiring, x0, LOOP, "the product has another type than the start")
            return None
        layouts, layout, under = self.backend.layouts, store.layout, semiring
        if layout is not None:
            inner = layouts.inner(semiring, x0)
            layout, under = (None, semiring) if inner is None else (layout, inner)
        if layout is not None and layout.matrix.packed is not None:
            if not searches_packed_rows(under, layout.matrix):
                layout, under = None, semiring
        over = store if layout is None else layout.matrix
        if over.packed is not None and searches_packed_rows(under, over):
            result = self.backend.packed_searches.closure(
                x0, over, under, max_steps, schedule, layout, with_levels
            )
            if result is None:
                _record_choice(semiring, x0, LOOP, NOT_RESIDENT)
            return result
        if store.stays_packed and layout is None:
            found = self._over_packed(
                x0, store, transposed, semiring, max_steps, schedule, with_levels, with_parents
            )
            if found is not None:
                return found
        if (
            delta := self.delta(x0, A, store, semiring, max_steps, schedule, with_levels)
        ) is not None:
            result = self._by_order(
                x0, store, layout, transposed, semiring, under, delta, with_parents
            )
            if result is not None:
                return result
            self._record_rounds(semiring, x0, store, NO_ORDER, schedule)
        result = self.level_synchronous.closure(
            x0, over, transposed, under, max_steps, schedule, layout, with_levels
        )
        if result is None:
            _record_choice(semiring, x0, LOOP, NOT_RESIDENT)
        return result

    def _over_packed(
        self, x0: DeviceVector, A: DeviceMatrix, transposed: bool, semiring: Semiring,
        max_steps: int, schedule: Schedule, with_levels: bool, with_parents: bool,
    ) -> Result | None:  # fmt: skip
        """The closure by order of value over packed rows with weights; None if there is none."""
        rows, n = A.packed, x0.size
        weights: WeightFacts | None = A.closures.weights.get(_key(semiring, x0.dtype))
        if (
            rows is None or rows.weights is None or weights is None or not weights.lawful
            or semiring.monoid.is_any or not semiring.reads_right or not totally_ordered(semiring)
            or with_levels or max_steps < n or schedule.order not in (None, "delta")
        ):  # fmt: skip
            return None
        stays = semiring.multiply.parsed == FIRST
        width = schedule.width or closure_order.delta_width(weights.mean, n, A.nnz, stays=stays)
        found, way = None, "by delta over packed rows, in one kernel"
        least = semiring.monoid is MONOIDS["min"] and monotone(semiring)
        if least and x0.point is not None and schedule.width is None:
            with_parents = with_parents and traceable(semiring, x0)
            found = self.packed_order.closure(x0, A, semiring, weights, width, with_parents)
            way = way if found is None else LIGHT_FIRST
        if explaining():
            _record_choice(semiring, x0, way, PACKED_REASON, width=width, mean_weight=weights.mean)
        if found is None:
            found = self.ordered.closure(x0, A, semiring, width, False, packed=True)
        if found is None:
            return None
        x, tails = found.x, None
        if found.origins is not None and x0.point is not None:
            x, tails = self.backend.parents.unpacked(x, found.origins, None, x0.point)
        if found.orderly is not None and not found.orderly():  # synchronize!
            return None
        if tails is not None and x0.point is not None:
            x.predecessors = Predecessors(A, transposed, semiring, x0.point.at, tails)
        return x, None, True

    # --- by delta ----------------------------------------------------------------------------
    def delta(
        self, x0: DeviceVector, A: Any, store: DeviceMatrix, semiring: Semiring, max_steps: int,
        schedule: Schedule, with_levels: bool,
    ) -> Delta | None:  # fmt: skip
        """How the closure runs by delta; None for rounds. It is computed once for a matrix (its
        ``store``) and these arguments, and again for each call that a listener records."""
        if semiring.monoid.is_any:
            with_levels = tracing()
        key = semiring, x0.dtype, schedule, with_levels, max_steps < x0.size
        kept = store.closures.deltas
        if recording() or key not in kept:
            kept[key] = self._reckoned(x0, A, store, semiring, max_steps, schedule, with_levels)
        return kept[key]

    def _reckoned(
        self, x0: DeviceVector, A: Any, store: DeviceMatrix, semiring: Semiring, max_steps: int,
        schedule: Schedule, with_levels: bool,
    ) -> Delta | None:  # fmt: skip
        n, fold = x0.size, not semiring.monoid.is_any
        numbers = x0.dtype.kind != "b"
        facts = closure_order.OrderFacts(
            ordered=numbers and totally_ordered(semiring) if fold else not semiring.reads_left,
            first_wins=not fold,
            reads_weights=semiring.reads_right,
            counted=with_levels,
            bounded=max_steps < n,
            nrows=n,
            nedges=store.nnz,
            max_degree=store.pattern.max_degree,
        )
        if closure_order.depends_on_degrees(facts, schedule):
            bound = self.backend.products.bound_rows(store, SLOTS[0])  # synchronize! once a matrix
            facts = replace(facts, max_degree=bound)
        if facts.may_have_hubs:
            most = closure_order.DEEP_MAX
            pieces, *_ = self.backend.products.pieces(store, most)  # synchronize! once a matrix
            facts = replace(facts, long_edges=pieces * most)
        order, reason = closure_order.choose_order(facts, schedule)
        if order == "delta" and not facts.ordered:  # such as min over BOOL, which has no width
            order, reason = "rounds", f"{reason}, but not ordered"
        if order != "delta":
            self._record_rounds(semiring, x0, store, reason, schedule, facts)
            return None
        mean = 1.0
        if fold and semiring.reads_right and semiring.ordered is not None:
            weights = self.weights(A, semiring, x0.dtype)
            mean = weights.mean
            if not weights.lawful and schedule.order == "delta":
                raise unlawful_weights(semiring)
            if not weights.lawful:
                reason = f"{reason}, but not {semiring.ordered} for all weights"
                self._record_rounds(semiring, x0, store, reason, schedule, facts)
                return None
        asynchronous = closure_order.is_deep(facts, self.longest)
        core = None
        if fold and not asynchronous:
            core = self._hub_first_weights(store, semiring, x0.dtype)
        if core is None:
            width = closure_order.delta_width(
                mean, n, store.nnz, asynchronous,
                even=not (fold and semiring.reads_right),
                selects=semiring.multiply.parsed in EXTREMA,
                stays=semiring.multiply.parsed == FIRST,
            )  # fmt: skip
            way, blocks = "by delta, in one kernel", ASYNCHRONOUS if asynchronous else SHARED
        else:
            width = closure_order.hub_first_width(mean, core.small, n, store.nnz)
            way, blocks = "by delta, in five kernels", HUBS_FIRST
        width = schedule.width or width
        if explaining():
            _record_choice(semiring, x0, way, f"{reason}; {WIDTH_REASON}", facts, width=width,
                           mean_weight=mean, mean_degree=facts.mean_degree,
                           blocks=blocks)  # fmt: skip
        return Delta(width, asynchronous, core)

    def _record_rounds(
        self, semiring: Semiring, x0: DeviceVector, A: DeviceMatrix, reason: str,
        schedule: Schedule, facts: closure_order.OrderFacts | None = None,
    ) -> None:  # fmt: skip
        if explaining():
            early = semiring.monoid.ends_early(x0.dtype)
            degree = None if facts is None else facts.mean_degree
            way = STAY_REASON if semiring.monoid.is_any else PULL_REASON
            way = FIXED_REASON if schedule.direction in FIXED else way
            _record_choice(
                semiring,
                x0,
                "by rounds, in one kernel",
                f"{reason}; {way}",
                facts,
                mean_degree=degree,
                direction=schedule.direction,
                threshold=direction.pull_threshold(A.nnz, early, True, schedule.direction),
                alpha=direction.alpha(early, resident=True),
            )

    def weights(self, A: Any, semiring: Semiring, dtype: np.dtype) -> WeightFacts:
        """Whether all entries of A meet the semiring's condition, and the other facts about the
        weights. They are computed once for a matrix; waits then."""
        handle = A.matrix if isinstance(A, Transposed) else A
        store: DeviceMatrix = handle._store
        key, falling, whole = _key(semiring, dtype), lower.falls(semiring.monoid), dtype.kind != "f"
        kept = store.closures.weights
        if key not in kept:
            assert semiring.ordered is not None
            total = handle.reduce(MONOIDS["plus"][types.FP64]).new().get(0.0)  # synchronize!
            lawful = holds_for_all(handle, semiring.ordered)  # synchronize!
            share = closure_order.small_share(store.shape[0], store.nnz)
            small = small_weight(self.backend, store, share)  # synchronize!
            worst = store.dtype.type(not falling)
            if whole and store.dtype.kind != "b":
                worst = handle.reduce("min" if falling else "max").new().get(worst)  # synchronize!
            mean, least = abs(total) / max(1, store.nnz), store.dtype.type(worst)
            kept[key] = WeightFacts(lawful, mean, small, least)
        result: WeightFacts = kept[key]
        return result

    def note_weights(
        self, A: DeviceMatrix, semiring: Semiring, least: Any, most: Any, mean: float
    ) -> None:
        """Keep the same facts of weights beside packed rows, of which the least, the largest and
        the mean are known. ⊕ is a minimum, and weights from 0 on meet the semiring's condition.
        Waits."""
        assert A.packed is not None and A.packed.weights is not None
        share = closure_order.small_share(A.shape[0], A.nnz)
        small = float(sampled(self.backend, A.packed.weights.values, A.nnz, share))  # synchronize!
        heaviest = A.dtype.type(most if A.dtype.kind in "iu" else 1)
        facts = WeightFacts(bool(least >= 0), mean, small, heaviest)
        A.closures.weights[_key(semiring, A.dtype)] = facts

    def _hub_first_weights(
        self, A: DeviceMatrix, semiring: Semiring, dtype: np.dtype
    ) -> WeightFacts | None:
        """The weights, if hubs are to be settled first and the rest is to pull; otherwise None."""
        if not monotone(semiring) or not closure_order.fans_out(
            A.shape[0], A.nnz, self.backend.hub_first.wide
        ):
            return None
        if not np.can_cast(A.dtype, semiring.operand(semiring.meet(dtype, A.dtype)), "safe"):
            return None  # converted weights may be in another order than the weights
        weights: WeightFacts | None = A.closures.weights.get(_key(semiring, dtype))
        return weights if weights is not None and np.isfinite(weights.mean) else None

    def _by_order(
        self, x0: DeviceVector, A: DeviceMatrix, layout: Layout | None, transposed: bool,
        semiring: Semiring, under: Semiring, delta: Delta, with_parents: bool,
    ) -> Result | None:  # fmt: skip
        """The closure by order of value, over A or its layout, where the semiring is ``under``. The
        result is translated to the numbers of x0 before anything waits. None if there is no order
        or no kernel can be resident."""
        layouts, point, start, to, over = self.backend.layouts, x0.point, x0, None, A
        if layout is not None:
            over, to = layout.matrix, layout.to
            if semiring.monoid.is_any or point is None:
                start, to = layouts.entered(x0, layout, under), None
        if semiring.monoid.is_any:
            found = self._by_depth(start, over, transposed, under, delta)
        else:
            found = self._by_value(start, over, transposed, under, delta, to, with_parents)
        if found is None:
            return None
        there, step, tails = found.x, found.rounds, None
        x = there
        if point is not None and found.origins is not None:
            x, tails = self.backend.parents.unpacked(there, found.origins, layout, point)
        elif layout is not None:
            x, step = layouts.restored(there, step, layout, under, x0)
        if found.orderly is not None and not found.orderly():  # synchronize!
            return None
        x.count = there.count
        if layout is not None and under is semiring:  # values are no vertices
            x.renumbered = layout, there
        if point is not None and tails is not None:
            tails.count = there.count
            x.predecessors = Predecessors(A, transposed, semiring, point.at, tails)
        return x, step, True

    def _by_value(
        self, x0: DeviceVector, A: DeviceMatrix, transposed: bool, semiring: Semiring, delta: Delta,
        to: Any = None, with_parents: bool = False,
    ) -> Ordered | None:  # fmt: skip
        """The closure under a ⊗ that never improves; None if no kernel can be resident."""
        if delta.core is not None:
            other = self.backend.matrices.transpose(A)
            ways = (other, A) if transposed else (A, other)
            return self.backend.hub_first.closure(
                x0, *ways, semiring, delta.width, delta.core.heaviest, to,
                with_parents and traceable(semiring, x0),
            )  # fmt: skip
        outgoing = self.backend.matrices.transpose(A) if transposed else A
        return self.ordered.closure(x0, outgoing, semiring, delta.width, delta.asynchronous, to)

    def _by_depth(
        self, x0: DeviceVector, A: DeviceMatrix, transposed: bool, semiring: Semiring, delta: Delta
    ) -> Ordered | None:  # fmt: skip
        """The closure under ``any`` and a ⊗ that does not read x: first the rounds, then the
        values."""
        n, point = x0.size, x0.point
        if point is None:
            zeros = self.device.zeros(max(1, n), INDEX)
            start = DeviceVector(n, INDEX, x0.bits, zeros, full=x0.full)
        else:
            start = DeviceVector(n, INDEX)
            start.point = point._replace(value=np.int32(0))
        found = self._by_value(start, A, transposed, ONE_MORE, delta)
        if found is None or (found.orderly is not None and not found.orderly()):
            return None
        return Ordered(self.along_depths(found.x, x0, A, transposed, semiring), found.x, None)

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


def _record_choice(
    semiring: Semiring, x0: DeviceVector, chosen: str, reason: str,
    facts: closure_order.OrderFacts | None = None, **more: Any,
) -> None:  # fmt: skip
    if explaining():
        record_choice(
            f"closure {semiring.name}", chosen, reason, facts, laws_of(semiring, x0.dtype), **more
        )


def _key(semiring: Semiring, dtype: np.dtype) -> str:
    """The facts about weights are kept under this key, for a semiring whose vectors have this
    type."""
    sums = "exact" if dtype.kind != "f" else "rounded"
    return f"{semiring.ordered}, {semiring.monoid.name}, {sums}"
