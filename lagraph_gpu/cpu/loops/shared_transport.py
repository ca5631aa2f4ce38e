"""A transport between the processes of one host: bytes go through memory that all of them see, and
a process waits without holding a processor (``native/barrier.hpp``).

Each exchange is one meeting. There are two boxes for the bytes of each process, used in turn: a
process fills one again after the next meeting, and by then all have read what was in it. What does
not fit goes by the transport with which the processes have begun.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from lagraph_gpu.backend_distributed import HEAD_BYTES
from lagraph_gpu.cpu.native import Loop, library, sharing
from lagraph_gpu.errors import LagraphError
from semirings.types import INT64

if TYPE_CHECKING:
    from lagraph_gpu.cluster.transport import Transport

BOX_BYTES = 1 << 24
"""The bytes of a box. Those that are never used take no memory."""

LIVENESS_CHECK_US = 100_000
"""Microseconds after which a process that waits looks whether the others are still there."""

arrive, wait_for_all = map(Loop, ("arrive", "wait_for_all"))


def shared_transport(between: Transport) -> Transport:
    """A transport through memory that the processes share. It is ``between`` itself if they are not
    all on one host, if there is no library, or if they are too many for a barrier."""
    has, sizes = np.array([between.size <= sharing().MOST_PROCESSES]), np.ones(between.size, INT64)
    if not all(part[0] for part in between.all_gather(has.view(np.uint8), sizes)):
        return between
    memory = between.shared(SharedTransport.bytes_of(between.size))
    return between if memory is None else SharedTransport(between, memory)


class SharedTransport:
    """Implements ``lagraph_gpu.cluster.transport.Transport``."""

    @staticmethod
    def bytes_of(size: int) -> int:
        """The memory of each of so many processes."""
        return sharing().BARRIER_BYTES + 2 * (HEAD_BYTES * size + 8 * (size + 1) + BOX_BYTES)

    def __init__(self, between: Transport, memory: np.ndarray) -> None:
        self.between, self.rank, self.size = between, between.rank, between.size
        self.local_size, self.host = between.size, 0
        found = library()
        assert found is not None
        self.arrive, self.wait_for_all = (one.function for one in (arrive, wait_for_all))
        words, rest = np.split(memory, [sharing().BARRIER_BYTES], axis=1)
        self.words = found.ffi.from_buffer("uint8_t[]", words[0])  # the barrier does not hold them
        self.barrier = found.ffi.new("MeetingPoint *", (self.words, words[0].size, self.size, 0))
        self.boxes = [Box(half, self.size) for half in np.split(rest, 2, axis=1)]
        self.pids = [
            int(part.view(INT64)[0])
            for part in between.all_gather(
                np.array([os.getpid()], INT64).view(np.uint8), np.full(self.size, INT64.itemsize)
            )
        ]

    def swap(self, heads: np.ndarray) -> Callable[[], np.ndarray]:
        box = self._next_box()
        box.heads[self.rank] = heads
        arrived = self.arrive(self.barrier)

        def finished() -> np.ndarray:
            self._wait(arrived)
            return box.heads[:, self.rank].copy()

        return finished

    def all_to_all(self, parts: Sequence[np.ndarray], sizes: np.ndarray) -> list[np.ndarray]:
        box = self._next_box()
        ends = list(accumulate((part.size for part in parts), initial=0))
        fits = ends[-1] <= BOX_BYTES
        box.ends[self.rank] = ends
        if fits:
            for (begin, end), part in zip(pairwise(ends), parts, strict=True):
                box.room[self.rank, begin:end] = part
        self._meet()
        if box.ends[:, -1].max() > BOX_BYTES:
            return self.between.all_to_all(parts, sizes)
        cuts = box.ends[:, self.rank : self.rank + 2].tolist()
        return [box.room[rank, begin:end].copy() for rank, (begin, end) in enumerate(cuts)]

    def all_gather(self, part: np.ndarray, sizes: np.ndarray) -> list[np.ndarray]:
        if sizes.max() > BOX_BYTES:
            return self.between.all_gather(part, sizes)
        box = self._next_box()
        box.room[self.rank, : part.size] = part
        self._meet()
        return [box.room[rank, :size].copy() for rank, size in enumerate(sizes.tolist())]

    def shared(self, size: int) -> np.ndarray | None:
        return self.between.shared(size)

    def in_shared_memory(self, work: Callable[[], Any]) -> Any:
        return self.between.in_shared_memory(work)

    def end(self) -> None:
        self.between.end()

    def _next_box(self) -> Box:
        self.boxes.reverse()
        return self.boxes[0]

    def _meet(self) -> None:
        self._wait(self.arrive(self.barrier))

    def _wait(self, arrived: int) -> None:
        while not self.wait_for_all(LIVENESS_CHECK_US, self.barrier, arrived):
            self._expect_running()

    def _expect_running(self) -> None:
        """End all if a process is no longer there: it can take part in nothing."""
        for rank, pid in enumerate(self.pids):
            if there(pid):
                continue
            try:
                raise LagraphError(
                    f"expected all {self.size} processes, but process {rank} (number {pid} of this "
                    "host) has ended without a word: it was killed, or has crashed"
                )
            except LagraphError:
                self.end()  # shows the error
                raise


def there(pid: int) -> bool:
    """Whether there is a process of this number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Box:
    """The bytes that each process has for others: a row for each."""

    def __init__(self, memory: np.ndarray, size: int) -> None:
        heads, ends, self.room = np.split(
            memory, [HEAD_BYTES * size, HEAD_BYTES * size + 8 * (size + 1)], 1
        )
        self.heads = heads.reshape(size, size, HEAD_BYTES)
        self.ends = ends.view(INT64)
