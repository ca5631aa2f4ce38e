"""A closure by rounds in one kernel: what all such kernels have in common on the host.

The memory for frontiers is kept with the matrix for the next call, for each stream, in which
kernels run one after another. If rounds must end, as under ``any`` or if their number is bounded,
the host does not wait, unless the call is a trial of how many there are (``Problem.tries``).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar, cast

import numpy as np

from lagraph_gpu.gpu.closure import kernel_log
from lagraph_gpu.gpu.closure.kernel_log import KernelLog
from lagraph_gpu.gpu.closure.persistent import COUNT, CounterPool, Result, acquire, result_bytes
from lagraph_gpu.gpu.closure.problem import Problem
from lagraph_gpu.gpu.device import BackendPart, Device, DeviceArray, constants, lower
from lagraph_gpu.gpu.storage import INDEX, DeviceMatrix, DeviceVector
from lagraph_gpu.gpu.storage.vector_storage import Point
from lagraph_gpu.planning.direction import BinnedPushes
from lagraph_gpu.planning.trace import Traffic
from semirings import Semiring

if TYPE_CHECKING:
    from lagraph_gpu.gpu.storage.layouts import Layout

SLOT, DONE = constants.CLOSURE_SLOT, constants.CLOSURE_DONE
"""The number of words for the counters of a call, which are 0 at first, and the index of the number
of rounds, which is followed by the number of vertices left."""


class Ready(NamedTuple):
    """What calls under one algebra and schedule share: the kernel, and most of its arguments."""

    header: str
    algebra: str
    kernel: str
    block: int
    given: tuple[Any, ...]
    early: bool
    binned: tuple[DeviceMatrix, BinnedPushes] | None = None
    """The out-edges, and which pushes over them go in bins, if any does."""


class RoundScratch:
    """What a call by rounds needs besides its start and its results, for later calls too."""

    @staticmethod
    def bytes(n: int, room: int) -> int:
        """About how many bytes are needed for n vertices, and ``room`` for items in a queue."""
        raise NotImplementedError

    def __init__(self, device: Device, n: int, room: int) -> None:
        self.device, self.room = device, room
        self.counts = CounterPool(SLOT, lambda size: device.zeros(size, COUNT))

    def given(self, room: int, slot: np.int32) -> tuple[Any, ...]:
        """The arguments of a kernel."""
        raise NotImplementedError


S = TypeVar("S", bound=RoundScratch)


def every_value(semiring: Semiring, point: Point | None, dtype: np.dtype) -> np.generic | None:
    """The value of every entry of a closure, if it is known beforehand: 1 for ``any`` and pair from
    a point with the value 1."""
    one = dtype.type(1)
    same = semiring.monoid.is_any and semiring.multiply.parsed == lower.ONE
    return one if same and point is not None and point.value == one else None


class ClosureByRounds(BackendPart, Generic[S]):
    """Computes closures by rounds. A subclass has the kernel, and says what it needs."""

    scratch: ClassVar[type[RoundScratch]]

    def closure(self, problem: Problem, layout: Layout | None) -> Result | None:
        """The closure, and the rounds of its entries if they are wanted. The start has the numbers
        of the matrix, or those that the layout translates.

        None if no kernel can be resident.
        """
        x0, A, semiring, device = problem.x0, problem.store, problem.semiring, self.device
        layouts, n, with_rounds = self.backend.layouts, x0.size, problem.with_rounds
        dtype = layouts.dtype(semiring, x0)
        start, to = x0, None if layout is None else layout.to
        if layout is not None and x0.point is None:
            start, to = layouts.entered(x0, layout, semiring), None
        kept: list[S] = A.closures.scratch.setdefault((device.stream, self.scratch), [])
        scratch, room = self._scratch(kept, problem, dtype)
        ready = self.ready(problem, dtype)
        x = DeviceVector.to_fill(device, n, dtype, every_value(semiring, x0.point, dtype))
        step = DeviceVector.to_fill(device, n, INDEX) if with_rounds else None
        level_bits = self.level_bits(semiring, layout)
        beside = self.beside(problem, scratch, x.parts[1], level_bits)
        slot, log = scratch.counts.slot(), KernelLog(device, 4)
        when = (None, None) if step is None else step.parts
        generations = scratch.given(room, slot)
        args = (
            np.int32(min(problem.max_rounds, 2**31 - 2)), *ready.given, start.begins(dtype, to),
            x.parts, *beside, *when, *generations, log.given,
        )  # fmt: skip
        fits = None
        if ready.binned is not None:
            fits = self.backend.binned_push.launch(
                ready, args, x.parts, beside[0], when[1], generations[0], bool(log.wanted)
            )
        if fits is None:
            fits = self.backend.launch_resident(
                ready.header, ready.algebra, ready.kernel, ready.block, *args
            )
        if not fits:
            return None
        log.launched()
        found: tuple[DeviceVector, DeviceVector | None] = x, step
        if layout is not None:  # launched before the wait, while the device is busy
            found = layouts.restored(x, step, layout, semiring, x0, level_bits)
        kept.append(scratch)
        ends = (semiring.monoid.is_any or problem.bounded) and not problem.tries
        if ends and not log.wanted:
            return Result(*found, True)
        counts = scratch.counts.words[SLOT * slot :]
        done, left = device.download(counts[DONE : DONE + 2]).tolist()  # synchronize!
        rounds = partial(kernel_log.by_rounds, left=left, early=ready.early, nedges=A.nnz)
        log.record_rounds(done, rounds, lambda: self.traffic(problem, dtype))
        return Result(*found, ends or left == 0)

    def _scratch(self, kept: list[S], problem: Problem, dtype: np.dtype) -> tuple[S, int]:
        """Memory for a call, which an earlier one may have kept, and the items that a queue is to
        hold. Raises TooLarge if there is no room for it and the results."""
        n, (size, room) = problem.x0.size, self.extent(problem.store)
        results = result_bytes(n, dtype) + problem.with_rounds * result_bytes(n, INDEX)
        make = cast("type[S]", self.scratch)
        scratch = acquire(
            self.device, kept, room,
            lambda: make.bytes(size, room) + results, lambda: make(self.device, size, room),
        )  # fmt: skip
        return scratch, room

    def extent(self, A: DeviceMatrix) -> tuple[int, int]:
        """The vertices that frontiers have room for, and the items of a queue."""
        raise NotImplementedError

    def ready(self, problem: Problem, dtype: np.dtype) -> Ready:
        """The kernel for values of this type, and its arguments."""
        raise NotImplementedError

    def traffic(self, problem: Problem, dtype: np.dtype) -> Traffic:
        """The traffic of a round."""
        raise NotImplementedError

    def level_bits(self, semiring: Semiring, layout: Layout | None) -> int:
        """The number of bits of a vertex, if words hold a level above it; otherwise 0."""
        return 0

    def beside(
        self, problem: Problem, scratch: S, values: DeviceArray, level_bits: int
    ) -> tuple[Any, ...]:
        """The arguments between the closure, whose values these are, and its levels."""
        return ()
