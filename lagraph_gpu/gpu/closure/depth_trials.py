"""Searches of a bounded number of rounds that show whether a graph is deep.

``planning/depth.py`` says which questions they answer, and keeps the answers. A trial waits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from lagraph_gpu.gpu.closure.persistent import Result
from lagraph_gpu.gpu.closure.problem import Problem
from lagraph_gpu.gpu.device import BackendPart
from lagraph_gpu.gpu.storage import DeviceMatrix, DeviceVector
from lagraph_gpu.gpu.storage.layouts import Layout
from lagraph_gpu.planning import closure_order
from lagraph_gpu.planning.trace import unrecorded
from semirings import any_secondi, types

if TYPE_CHECKING:
    from lagraph_gpu.gpu.backend import GpuBackend
    from lagraph_gpu.gpu.closure.level_synchronous import LevelSynchronous

ByRounds = Callable[[Problem, Layout | None], Result | None]
"""What computes a closure by rounds."""

PACKED_TRIAL = "rounds of a trial over packed rows"


class DepthTrial(NamedTuple):
    """A closure by rounds that was stopped after a number of them if it took more."""

    deep: bool
    """True if it was stopped: the graph is deep, and the closure begins again by value."""
    result: Result | None
    """The closure if it was not stopped; None if it was, or if no kernel can be resident."""


class DepthTrials(BackendPart):
    """Makes trials, and notes what they show."""

    def __init__(self, backend: GpuBackend, level_synchronous: LevelSynchronous) -> None:
        super().__init__(backend)
        self.level_synchronous = level_synchronous

    def packed_rounds(self, A: DeviceMatrix) -> int:
        """After so many rounds over the packed rows of A its graph counts as deep. Waits once a
        matrix."""
        kept, rows = A.closures.ready, A.packed
        assert rows is not None
        if PACKED_TRIAL not in kept:
            longest = self.backend.packing.first_length(rows)  # synchronize!
            kept[PACKED_TRIAL] = closure_order.worth_rounds(longest, A.nnz)
        return kept[PACKED_TRIAL]  # type: ignore[no-any-return]

    def closure(
        self, most: int, by_rounds: ByRounds, problem: Problem, over: Problem, layout: Layout | None
    ) -> DepthTrial:
        """A closure itself as a trial of so many rounds: of ``problem``, over the rows of ``over``
        in a layout. Waits."""
        result = by_rounds(over._replace(max_rounds=most, tries=True), layout)  # synchronize!
        if result is None or self._ended(problem.store, result):
            return DepthTrial(False, result)
        return DepthTrial(True, None)

    def search_is_long(self, problem: Problem, most: int) -> bool:
        """Whether a search by rounds from the start of a closure, made now, takes more than `most`.
        False also if the start is not a point, and where earlier searches took few. Waits."""
        x0, store = problem.x0, problem.store
        if x0.point is None or not store.pattern.depth.deep.worth_a_trial:
            return False
        start = DeviceVector(x0.size, types.INT64)
        start.point = x0.point._replace(value=np.int64(x0.point.at))
        search = Problem(start, store, problem.transposed, any_secondi, most, tries=True)
        packed = store.stays_packed
        by_rounds = self.backend.packed_searches if packed else self.level_synchronous
        with unrecorded():
            result = by_rounds.closure(search, None)  # synchronize!
        return result is not None and not self._ended(store, result)

    def _ended(self, A: DeviceMatrix, result: Result) -> bool:
        """Notes whether a trial has ended within its rounds. True if it has."""
        deep = A.pattern.depth.deep
        if result.at_rest:
            deep.note_early_end(settles=not A.seems_deep)
        else:
            deep.answer = True
        return result.at_rest
