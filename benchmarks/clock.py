"""How long does work take, and how fast could it be? CUDA events and a copy in the same run.

On a GPU a sample is the time between two events in the stream. A copy of a gigabyte goes ahead of
them: while it runs the host hands over the work, so that the host's own time is not in the sample
(unless the work waits for the device inside), and caches hold nothing of the last round. Elsewhere
a sample is wall time from the call until the result is complete.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.backend import Backend

COPY_BYTES = {True: 1 << 30, False: 1 << 27}
"""Bytes that the copy reads, and writes: on a GPU, elsewhere."""


SHORT_MS = 100
"""A call that takes less is made twice, and the second is timed: after a pause, as for a check,
processor and device take 0.3 ms to wake up."""


class Sample(NamedTuple):
    """A result, its time, and the wall time of a call of its own until its result was there."""

    result: Any
    ms: float
    wall_ms: float


def timed(
    work: Callable[[Any], Any], fresh: Callable[[], Any], wait: Callable[[Any], None]
) -> tuple[Any, float]:
    """The result of ``work(fresh())``, and the milliseconds until it was there."""
    operand = fresh()
    wait(None)
    begin = time.perf_counter()
    result = work(operand)
    wait(result)
    return result, (time.perf_counter() - begin) * 1e3


class Clock:
    """Times work beside a backend."""

    def __init__(self, backend: Backend, copy_bytes: int | None = None) -> None:
        device = getattr(backend, "device", None)
        self.cuda = type(device).__name__ == "CupyDevice"
        self.by = "CUDA events" if self.cuda else "wall clock"
        self.copy_bytes = copy_bytes or COPY_BYTES[self.cuda]
        if self.cuda:
            import cupy as arrays
        else:
            arrays = np
        self._copyto = arrays.copyto
        self._source = arrays.arange(self.copy_bytes // 4, dtype=np.uint32)
        self._target = arrays.empty_like(self._source)
        self.copy()

    def copy(self, _: Any = None) -> None:
        """The measure of speed: ``copy_bytes`` read and as many written."""
        self._copyto(self._target, self._source)

    def sample(
        self,
        work: Callable[[Any], Any],
        fresh: Callable[[], Any],
        wait: Callable[[Any], None],
        on_device: bool,
    ) -> Sample:
        """One sample of ``work(fresh())``; ``wait(result)`` returns when the result is there."""
        result, wall_ms = timed(work, fresh, wait)
        if wall_ms < SHORT_MS:
            result, wall_ms = timed(work, fresh, wait)
        if not (self.cuda and on_device):
            return Sample(result, wall_ms, wall_ms)
        from cupy.cuda import Event, get_elapsed_time

        del result
        operand, first, last = fresh(), Event(), Event()
        wait(None)
        self.copy()
        first.record()
        result = work(operand)
        last.record()
        last.synchronize()  # synchronize!
        return Sample(result, get_elapsed_time(first, last), wall_ms)
