"""Predecessors of the values of a closure, over rows that are distributed over processes: each
finds those of its own positions, from the values of all (see distributed_tight.cuh)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.gpu.device import BackendPart, lower
from lagraph_gpu.gpu.matrix.weight_order import lightest_first, sorted_if_room
from lagraph_gpu.gpu.storage import DeviceMatrix, DeviceVector
from semirings import SEMIRINGS, Semiring
from semirings.types import INT64

DISTRIBUTED_TIGHT = "closure/ordered/distributed_tight.cuh"
TAILS = SEMIRINGS["any_secondi"]


class DistributedParents(BackendPart):
    """Finds the tails of tight edges."""

    def tails(
        self, into: DeviceMatrix, x: DeviceVector, order: Semiring, part: tuple[int, int]
    ) -> DeviceVector | None:
        """For each row the tail of a tight edge of ``order`` that is better than the row's own
        value of x. Each process has all of x, and the rows of its ``part``, (number, of how many);
        they are sorted by weight, once, if there is room, and the first such edge is taken."""
        if into.stays_packed or order.output(x.dtype, into.dtype) != x.dtype:
            return None
        own, (rank, parts) = into.shape[0], part
        made = DeviceVector.allocated(self.device, own, INT64)
        if not own:
            return made
        algebra = lower.tight_struct(order, x.dtype, TAILS, INT64, into.dtype, into.offset)
        falling = lower.falls(order.monoid)
        sorted_if_room(self.backend, into, falling)
        stored = lightest_first(into, falling)
        self.backend.launch(
            DISTRIBUTED_TIGHT, algebra, f"first_tight<Semiring, {stored.kind}>", own,
            np.int32(own), np.int32(parts), np.int32(rank), (into.indptr, *stored.arrays),
            (x.present, x.values), made.parts,
        )  # fmt: skip
        return made
