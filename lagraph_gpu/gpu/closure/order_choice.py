"""The choice between rounds and steps by value, and the width of a step."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lagraph_gpu.closure import EXTREMA, totally_ordered, unlawful_weights
from lagraph_gpu.gpu.closure.closure_weights import ClosureWeights, WeightFacts
from lagraph_gpu.gpu.closure.ordered import FIRST
from lagraph_gpu.gpu.closure.padded_rows import SLOTS, RowPadding
from lagraph_gpu.gpu.closure.problem import Problem
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.storage import DeviceMatrix
from lagraph_gpu.planning import closure_order
from lagraph_gpu.planning.closure_order import OrderFacts
from semirings import Semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend

WIDTH_REASON = "width {width} at mean weight {mean_weight} and mean degree {mean_degree}; {blocks}"
ASYNCHRONOUS = "each block has a queue of its own, because the graph is deep"
SHARED = "all share each step"
HUBS_FIRST = (
    "hubs are settled first, and the rest pulls, because few vertices have most of the edges"
)


class ByValue(NamedTuple):
    """How a closure runs by order of value, in steps of a width: by delta-stepping."""

    width: float
    """How far from the best value an entry may be to count as near."""
    asynchronous: bool
    """True if each block has a queue of its own."""
    hub_weights: WeightFacts | None
    """The weights, if hubs are settled first and the rest pulls; otherwise None."""


class Chosen(NamedTuple):
    """How a closure runs."""

    by_value: ByValue | None
    """How it runs by order of value; None for rounds."""
    tried_rounds: int | None = None
    """After so many rounds the graph counts as deep; None if it is known whether it is."""


class OrderChoice(BackendPart):
    """Chooses how closures run. The field ``longest`` is for tests."""

    def __init__(self, backend: GpuBackend, weights: ClosureWeights, padding: RowPadding) -> None:
        super().__init__(backend)
        self.weights, self.longest, self.padding = weights, closure_order.DEEP_MAX, padding

    def chosen(self, problem: Problem) -> Chosen:
        """How the closure runs."""
        semiring, schedule, A = problem.semiring, problem.schedule, problem.store
        dtype = problem.x0.dtype
        facts = self._facts(problem)
        order, reason = closure_order.choose_order(facts, schedule)
        if order == "delta" and not facts.ordered:  # such as min over BOOL, which has no width
            order, reason = "rounds", f"{reason}, but not ordered"
        tried = facts.tried_rounds if reason == closure_order.NOT_DEEP and facts.ordered else None
        if order != "delta":
            problem.record_rounds(reason, facts)
            return Chosen(None, tried)
        mean, by_weight = 1.0, not semiring.monoid.is_any and semiring.reads_right
        if by_weight and semiring.ordered is not None:
            weights = self.weights.facts(A, semiring, dtype)
            mean = weights.mean
            if not weights.lawful and schedule.order == "delta":
                raise unlawful_weights(semiring)
            if not weights.lawful:
                reason = f"{reason}, but not {semiring.ordered} for all weights"
                problem.record_rounds(reason, facts)
                return Chosen(None)
        by_value = self._by_value(facts, A, semiring, dtype, mean, schedule.width)
        asynchronous = ASYNCHRONOUS if by_value.asynchronous else SHARED
        problem.record(
            "by delta, in one kernel" if by_value.hub_weights is None else self._hub_first(),
            f"{reason}; {WIDTH_REASON}",
            facts,
            width=by_value.width,
            mean_weight=mean,
            mean_degree=facts.mean_degree,
            blocks=asynchronous if by_value.hub_weights is None else HUBS_FIRST,
        )
        free = schedule.order is None and schedule.width is None
        return Chosen(by_value, facts.tried_rounds if free else None)

    def _hub_first(self) -> str:
        """What is said of a closure that goes hub-first: one kernel before the pulls, one after."""
        return f"by delta, in {self.backend.hub_first.pulls + 2} kernels"

    def by_value_if_deep(self, problem: Problem) -> bool:
        """Whether the closure would run by value if a search had shown that the graph is deep."""
        facts = replace(self._known_facts(problem), shown_deep=True)
        order, _ = closure_order.choose_order(facts, problem.schedule)
        return facts.ordered and order == "delta"

    def _known_facts(self, problem: Problem) -> OrderFacts:
        """What the choice depends on, as far as it is known of the rows."""
        x0, semiring, A = problem.x0, problem.semiring, problem.store
        first_wins = semiring.monoid.is_any
        comparable = x0.dtype.kind != "b" and totally_ordered(semiring)
        return OrderFacts(
            ordered=not semiring.reads_left if first_wins else comparable,
            first_wins=first_wins,
            reads_weights=semiring.reads_right,
            counted=problem.with_rounds,
            bounded=problem.bounded,
            nrows=x0.size,
            nedges=A.nnz,
            max_degree=A.pattern.max_degree,
            shown_deep=A.pattern.depth.deep.answer,
        )

    def _facts(self, problem: Problem) -> OrderFacts:
        """What the choice depends on. Waits once a matrix for what it does not know of its rows."""
        facts, A, products = self._known_facts(problem), problem.store, self.backend.products
        if closure_order.depends_on_degrees(facts, problem.schedule):
            bound = products.bound_rows(A, SLOTS[0])  # synchronize! once a matrix
            facts = replace(facts, max_degree=bound)
        if facts.may_have_hubs:
            most = closure_order.DEEP_MAX
            pieces, *_ = products.pieces(A, most)  # synchronize! once a matrix
            facts = replace(facts, long_edges=pieces * most)
        return facts

    def _by_value(
        self, facts: OrderFacts, A: DeviceMatrix, semiring: Semiring, dtype: np.dtype, mean: float,
        width: float | None,
    ) -> ByValue:  # fmt: skip
        """How to go by value where weights have this mean, in steps of ``width`` if it is given."""
        asynchronous = closure_order.is_deep(facts, self.longest)
        hub_weights = None
        if not facts.first_wins and not asynchronous:
            hub_weights = self.weights.hub_first(A, semiring, dtype, self.backend.hub_first.wide)
        if hub_weights is not None:
            best = closure_order.hub_first_width(mean, hub_weights.small, facts.nrows, A.nnz)
        else:
            even = facts.first_wins or not semiring.reads_right
            best = closure_order.delta_width(
                mean, facts.nrows, A.nnz, asynchronous, even,
                selects=semiring.multiply.parsed in EXTREMA,
                stays=semiring.multiply.parsed == FIRST,
                roads=asynchronous and even and self._is_roads(facts, A),
            )  # fmt: skip
        return ByValue(width or best, asynchronous, hub_weights)

    def _is_roads(self, facts: OrderFacts, A: DeviceMatrix) -> bool:
        """Whether hardly any row has more edges than the least padded rows, but some have. Waits
        once a matrix."""
        some = (facts.max_degree or 0) > SLOTS[0]
        return some and self.padding.slots(A) == SLOTS[0]  # synchronize! once a matrix
