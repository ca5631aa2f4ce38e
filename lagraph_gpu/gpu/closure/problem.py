"""A closure as it is asked for, and the record of the way that is chosen for it."""

from __future__ import annotations

from typing import Any, NamedTuple

from lagraph_gpu.gpu.spmv.products import FIXED
from lagraph_gpu.gpu.storage import DeviceMatrix, DeviceVector
from lagraph_gpu.planning import direction
from lagraph_gpu.planning.closure_order import OrderFacts
from lagraph_gpu.planning.trace import explaining, laws_of, record_choice
from lagraph_gpu.schedule import Schedule
from semirings import Semiring

NOT_RESIDENT = "no kernel can be resident"
PULL_REASON = "a round pulls where over {threshold} edges leave its frontier, 1 in {alpha}"
STAY_REASON = f"{PULL_REASON}; pulls go on while many vertices change"
FIXED_REASON = "every round as the schedule says: {direction}"


class Problem(NamedTuple):
    """A closure of a vector: its operands, and what is wanted of it."""

    x0: DeviceVector
    """The start, whose type is the product's."""
    store: DeviceMatrix
    transposed: bool
    """True if the matrix is the transpose of `store`."""
    semiring: Semiring
    max_rounds: int
    """The largest number of rounds."""
    schedule: Schedule = direction.FREE
    with_rounds: bool = False
    """Whether the round of each entry is wanted."""
    with_parents: bool = False
    """Whether the predecessors of the values are wanted, if they cost little."""
    tries: bool = False
    """Whether it is a trial: the caller goes another way if it is not at rest after these
    rounds."""

    @property
    def bounded(self) -> bool:
        """True if the rounds may end before the closure is at rest."""
        return self.max_rounds < self.x0.size

    def record(
        self, chosen: str, reason: str, facts: OrderFacts | None = None, **more: Any
    ) -> None:
        """Record for `lg.explain` which way was chosen, and why."""
        if explaining():
            laws = laws_of(self.semiring, self.x0.dtype)
            record_choice(f"closure {self.semiring.name}", chosen, reason, facts, laws, **more)

    def record_rounds(self, reason: str, facts: OrderFacts | None = None) -> None:
        """Record that the closure goes by rounds, why, and when a round pulls."""
        if not explaining():
            return
        early, way = self.semiring.monoid.ends_early(self.x0.dtype), self.schedule.direction
        when = STAY_REASON if self.semiring.monoid.is_any else PULL_REASON
        self.record(
            "by rounds, in one kernel",
            f"{reason}; {FIXED_REASON if way in FIXED else when}",
            facts,
            mean_degree=None if facts is None else facts.mean_degree,
            direction=way,
            threshold=direction.pull_threshold(self.store.nnz, early, True, way),
            alpha=direction.alpha(early, resident=True),
        )
