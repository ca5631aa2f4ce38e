"""The log of a persistent kernel, as steps. The first line of a log holds the clock at the
beginning, after the last round and at the end; each further line is a round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from lagraph_gpu.gpu.closure.persistent import COUNT
from lagraph_gpu.gpu.device import Device, DeviceArray
from lagraph_gpu.planning.trace import Traffic, explaining, record_step, record_time, recording

LOGGED = 1 << 16
"""The number of rounds, epochs or steps that a log holds."""

NO_LOG = np.int32(LOGGED), None
"""The argument of a kernel that writes no log."""


class Round(NamedTuple):
    """A line of a log, with the entries found and a lower bound on the edges that were looked
    at."""

    direction: str
    vertices: int
    edges: int
    clock: int
    looked: int
    found: int


def by_rounds(lines: np.ndarray, left: int, early: bool, nedges: int) -> list[Round]:
    """The rounds of closure.cuh. The entries that a round finds are the next frontier; the last
    round leaves ``left``. A pull looks at all edges, or if a row may end ``early``, at one for each
    entry found."""
    rows = lines.tolist()
    found = [vertices for _, vertices, _, _ in rows[1:]] + [left]
    return [
        Round("pull", vertices, edges, clock, new if early else nedges, new)
        if pulled
        else Round("push", vertices, edges, clock, edges, new)
        for (pulled, vertices, edges, clock), new in zip(rows, found)
    ]


def by_delta(lines: np.ndarray) -> list[Round]:
    """The epochs of delta_stepping.cuh, which does not count the entries found."""
    return [Round("push", n, edges, clock, edges, 0) for n, edges, clock in lines.tolist()]


def by_hub_first(lines: np.ndarray) -> list[Round]:
    """The steps of hub_first.cuh, which does not count the entries found."""
    return [
        Round("pull" if pulled else "push", n, edges, clock, edges, 0)
        for pulled, n, edges, clock in lines.tolist()
    ]


class KernelLog:
    """The log of one call, if a listener records its rounds, and its clock, if a block explains."""

    def __init__(self, device: Device, columns: int) -> None:
        self.device, self.columns = device, columns
        self.lines: DeviceArray | None = None
        self.given: tuple[Any, ...] = NO_LOG
        """The argument of a kernel: the number of lines, and the lines or null."""
        self.wanted = recording()
        """True if a listener records this call."""
        self._stop: Callable[[], float | None] | None = None
        self.microseconds: float | None = None
        if self.wanted:
            self.lines = device.zeros(columns * (LOGGED + 1), COUNT)
            self.given = np.int32(LOGGED), self.lines
            self._stop = device.stopwatch() if explaining() else None

    def launched(self) -> None:
        """Called after all kernels of the call are launched. Waits for them if a block explains."""
        if self._stop is not None:
            self.microseconds = self._stop()  # synchronize!

    def record_rounds(
        self,
        done: int,
        rounds: Callable[[np.ndarray], list[Round]],
        traffic_of: Callable[[], Traffic],
    ) -> None:
        """Record the rounds, if a listener wants them. Waits then."""
        if self.lines is None:
            return
        held = self.device.download(self.lines)  # synchronize!
        lines = held[: self.columns * (done + 1)].reshape(-1, self.columns)
        traffic = traffic_of() if explaining() else None
        record_log(lines[0, :3].tolist(), rounds(lines[1:]), done <= LOGGED, traffic,
                   self.microseconds)  # fmt: skip


def record_log(
    head: Sequence[int], rounds: Sequence[Round], complete: bool, traffic: Traffic | None,
    microseconds: float | None,
) -> None:  # fmt: skip
    """Record the rounds, with measurements if the traffic is given. The microseconds are divided by
    cycles, so that the time of the launch itself is spread over the steps. If the log is not
    ``complete``, the time of its last round is unknown, and that round is left out."""
    if traffic is None:
        for r in rounds:
            record_step(r.direction, r.vertices, r.edges, r.clock)
        return
    begin, over, end = head
    each = None if microseconds is None else microseconds / max(1, end - begin)
    record_time(microseconds, end - begin)
    clocks = [r.clock for r in rounds] + ([over] if complete else [])
    for r, (start, stop) in zip(rounds, pairwise(clocks)):
        cycles = stop - start
        record_step(
            r.direction, r.vertices, r.edges, r.clock, looked=r.looked,
            bytes=traffic.of(r.looked, r.vertices, r.found), cycles=cycles,
            microseconds=None if each is None else cycles * each,
        )  # fmt: skip
