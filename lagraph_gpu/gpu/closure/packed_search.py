"""Closures under ``any`` over packed rows: round after round in one kernel (see packed_search.cuh).

Frontiers and rounds are those of the loop in ``lagraph_gpu.closure``. All other closures run over
compressed rows, which a packed matrix makes for them if there is room.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.gpu.closure.persistent import ITEM
from lagraph_gpu.gpu.closure.problem import Problem
from lagraph_gpu.gpu.closure.rounds import ClosureByRounds, Ready, RoundScratch
from lagraph_gpu.gpu.device import Device, constants, lower
from lagraph_gpu.gpu.storage import WORD, DeviceMatrix, words
from lagraph_gpu.planning.direction import pull_threshold
from lagraph_gpu.planning.trace import Traffic, traffic_of_products
from semirings import Semiring

PACKED_SEARCH = "closure/level_synchronous/packed_search.cuh"

MOST_SEGMENTS = 1 << 22
"""The most segments that a push lists. A frontier that may have more is pulled."""

PULLED_SHARE, PUSHED_SHARE = 512, 2
"""A first pull from few vertices looks for the first n / PULLED_SHARE vertices alone, if at most
n / PUSHED_SHARE edges leave the others; these push (see packed_search.cuh)."""

NUMBER = np.dtype(np.int64)
"""The type that a semiring's struct is given for positions of entries, which it does not read."""
REASON = "packed rows; a round pulls where over {threshold} edges leave its frontier"


class PackedScratch(RoundScratch):
    """The frontiers of one call, and the segments that a push lists."""

    @staticmethod
    def bytes(n: int, room: int) -> int:
        return 3 * WORD.itemsize * words(n) + ITEM.itemsize * room

    def __init__(self, device: Device, n: int, room: int) -> None:
        super().__init__(device, n, room)
        self.fronts, self.listed = device.empty(3 * words(n), WORD), device.empty(room, ITEM)

    def given(self, room: int, slot: np.int32) -> tuple[Any, ...]:
        return self.fronts, self.listed, np.uint64(room), self.counts.words, slot


def searches_packed_rows(semiring: Semiring, A: DeviceMatrix) -> bool:
    """True if there is a kernel for this closure over the packed rows of A."""
    return A.packed is not None and semiring.monoid.is_any and (A.iso or not semiring.reads_right)


class PackedSearches(ClosureByRounds[PackedScratch]):
    """Computes closures over packed rows. The fields are for tests and measurements."""

    scratch = PackedScratch
    listed, pulled_share, pushed_share = MOST_SEGMENTS, PULLED_SHARE, PUSHED_SHARE

    def extent(self, A: DeviceMatrix) -> tuple[int, int]:
        """A queue holds segments of rows."""
        assert A.packed is not None
        return A.packed.n, max(1, min(self.listed, A.packed.n_segments))

    def traffic(self, problem: Problem, dtype: np.dtype) -> Traffic:
        """About two bytes for a column and for a row."""
        return traffic_of_products(problem.semiring, dtype, None, dtype, 2, 2)

    def ready(self, problem: Problem, dtype: np.dtype) -> Ready:
        """Explains the choice."""
        x0, A, semiring = problem.x0, problem.store, problem.semiring
        rows = A.packed
        assert rows is not None
        threshold = pull_threshold(A.nnz, True, True, problem.schedule.direction)
        problem.record("by rounds over packed rows, in one kernel", REASON, threshold=threshold)
        algebra = lower.semiring_struct(semiring, dtype, A.dtype, NUMBER, True)
        pulled_below = rows.n // self.pulled_share // 32 * 32
        most_pushed = rows.n // self.pushed_share
        bounds = np.uint64(threshold), np.int32(pulled_below), np.uint64(most_pushed)
        given = np.int32(x0.size), *bounds, rows.given, rows.value
        name = "packed_search<Semiring>"
        more = constants.more_threads(self.device.compute_capability) if dtype.itemsize <= 4 else 0
        block = constants.PACKED_BLOCK + more
        return Ready(PACKED_SEARCH, algebra, name, block, given, True)
