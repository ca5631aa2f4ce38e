"""Memory that the processes of one host share, for loops in which they wait for each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from lagraph_gpu.cpu.native import Loop, sharing
from lagraph_gpu.cpu.native.structs import Meeting, MeetingPoint
from lagraph_gpu.memory import expect_room

if TYPE_CHECKING:
    from lagraph_gpu.backend_distributed import HostProcesses

MEETING_TIMEOUT_MS = 1_000
"""Milliseconds that a process waits for the others in such a loop."""

ENTRIES_PER_MS = 50_000
"""So many entries may take a millisecond."""

give_up_meeting = Loop("give_up_meeting")


def meeting_timeout(entries: int) -> int:
    """Milliseconds to wait for others that have about as many entries of a matrix."""
    return MEETING_TIMEOUT_MS + entries // ENTRIES_PER_MS


class SharedMemory:
    """A window for each process, which grows. All processes call its functions together. More
    processes than a barrier has room for share no memory."""

    def __init__(self, processes: HostProcesses) -> None:
        self.processes = processes
        self.memory: np.ndarray | None = None
        self.absent = False
        self._used = -1
        self.unread = False
        """Whether nobody reads any more what the last loop before has left in the windows: all have
        begun an exchange since they left it."""

    def windows(self, size: int) -> np.ndarray | None:
        """The windows of all, of at least so many bytes each, one after another; None if they do
        not share memory. A barrier is at the beginning of the first."""
        if self.absent or self.processes.size > sharing().MOST_PROCESSES:
            return None
        line = sharing().LINE_BYTES  # at whose multiples windows begin
        size = -(-size // line) * line
        if self.memory is None or self.memory.size < size * self.processes.size:
            self.processes.begin()
            self.processes.finish()  # all make larger ones: none of them has left the statement
            self.memory = None  # whose room these may need
            self.processes.begin()
            self.processes.finish()  # nobody holds the smaller ones any more
            whole = size * self.processes.size
            expect_room(size, "memory that the processes share", together=whole)
            self.processes.begin()
            self.processes.finish()  # all have room
            found = self.processes.shared(size)
            self.absent = found is None
            self.memory = None if found is None else found.reshape(-1)
        self.processes.finish()
        self.unread = self._used != self.processes.epoch
        self._used = self.processes.epoch
        return self.memory

    def more_bytes(self, size: int) -> int:
        """How many bytes more the windows of all would take, of so many bytes each."""
        held = 0 if self.memory is None else self.memory.size
        return 0 if self.absent else max(0, size * self.processes.size - held)

    def array(self, size: int, dtype: np.dtype) -> np.ndarray | None:
        """An array that all share, with anything in it, and that nobody else reads or writes any
        more. It is theirs until the next call here. None if they do not share memory."""
        begin = sharing().BARRIER_BYTES
        needed = begin + size * dtype.itemsize
        memory = self.windows(-(-needed // self.processes.size))
        if memory is None:
            return None
        if not self.unread:
            self.processes.begin()
            self.processes.finish()  # all have come from the loop before
        return memory[begin:needed].view(dtype)

    def note_read(self) -> None:
        """Say that all have read from the windows since they last began an exchange."""
        self._used = self.processes.epoch

    @contextmanager
    def meeting(self, memory: np.ndarray) -> Iterator[None]:
        """A block in which the others wait for this process; they give up after an error here."""
        epoch = self.processes.epoch
        try:
            yield
        except BaseException:
            self._give_up(memory, epoch)
            raise

    def place(self, memory: np.ndarray, n: int, entries: int) -> Meeting:
        """Where this process meets the others in a loop over a graph of n vertices, of which it
        reads so many entries."""
        of = self.processes
        return Meeting(memory, n, of.size, of.rank, of.epoch, meeting_timeout(entries))

    def refuse(self, memory: np.ndarray) -> None:
        """Let the loop that the others enter end at once."""
        self.processes.in_shared_memory(lambda: self._give_up(memory, self.processes.epoch))

    def _give_up(self, memory: np.ndarray, epoch: int) -> None:
        barrier = memory[: sharing().BARRIER_BYTES]
        give_up_meeting(MeetingPoint(barrier, self.processes.size, epoch))
