"""MPI as a transport, by mpi4py. Nothing else imports mpi4py."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from itertools import pairwise
from types import TracebackType
from typing import Any

import numpy as np

from lagraph_gpu.cluster.shared_memory import opened


def library() -> str:
    """The name and the version of the MPI that mpi4py uses, which is not started yet."""
    import mpi4py

    mpi4py.rc.initialize, mpi4py.rc.finalize = False, True
    from mpi4py import MPI

    first = MPI.Get_library_version().splitlines()[0].partition(",")[0]
    return " ".join(first.split())


MOST_BYTES = 2**31 - 1
"""The most bytes of one message, and of one exchange of all with all, before version 4 of MPI. What
goes to one process in an exchange has a message of its own, or several, if it is more than its
share of them: both of the two processes know how much it is."""


class MpiTransport:
    """Implements `transport.Transport` with a communicator of its own. It starts MPI."""

    def __init__(self) -> None:
        from mpi4py import MPI

        if not MPI.Is_initialized():
            MPI.Init_thread()
        self.comm, self.byte = MPI.COMM_WORLD.Dup(), MPI.BYTE
        self.rank, self.size = self.comm.rank, self.comm.size
        on_host = self.comm.Split_type(MPI.COMM_TYPE_SHARED)
        self.local_rank: int = on_host.rank
        """The number of this process among those of its host."""
        self.local_size: int = on_host.size
        self.host: int = on_host.allreduce(self.rank, MPI.MIN)
        on_host.Free()

    def swap(self, heads: np.ndarray) -> Callable[[], np.ndarray]:
        received = np.empty_like(heads)
        request = self.comm.Ialltoall([heads, self.byte], [received, self.byte])

        def finished() -> np.ndarray:
            self._done(request)
            return received

        finished.sends = heads  # type: ignore[attr-defined]  # MPI reads it until then
        return finished

    def all_to_all(self, parts: Sequence[np.ndarray], sizes: np.ndarray) -> list[np.ndarray]:
        most = MOST_BYTES // self.size
        sent = np.array([part.size for part in parts])
        together, come = (np.where(counts > most, 0, counts) for counts in (sent, sizes))
        small = np.empty(come.sum(), np.uint8)
        received, requests = cut(small, come), []
        for rank in np.flatnonzero(sizes > most).tolist():
            received[rank] = np.empty(sizes[rank], np.uint8)
            pieces = in_pieces(received[rank])
            requests += [self.comm.Irecv([piece, self.byte], rank) for piece in pieces]
        for rank in np.flatnonzero(sent > most).tolist():
            pieces = in_pieces(parts[rank])
            requests += [self.comm.Isend([piece, self.byte], rank) for piece in pieces]
        joined = np.concatenate([part[:count] for part, count in zip(parts, together)])
        self._done(
            self.comm.Ialltoallv(
                [joined, together, offsets(together)[:-1], self.byte],
                [small, come, offsets(come)[:-1], self.byte],
            )
        )
        for request in requests:
            self._done(request)
        return received

    def all_gather(self, part: np.ndarray, sizes: np.ndarray) -> list[np.ndarray]:
        if sizes.sum() > MOST_BYTES:
            return self.all_to_all([part] * self.size, sizes)
        received = np.empty(sizes.sum(), np.uint8)
        to = [received, sizes, offsets(sizes)[:-1], self.byte]
        self._done(self.comm.Iallgatherv([part, self.byte], to))
        return cut(received, sizes)

    def shared(self, size: int) -> np.ndarray | None:
        return opened(self, size) if self.local_size == self.size else None

    def in_shared_memory(self, work: Callable[[], Any]) -> Any:
        return work()

    def end(self) -> None:
        traceback.print_exc()
        abort(self.comm)

    @staticmethod
    def _done(request: Any) -> None:
        """Wait for a request. Others may need the processor: MPI itself would spin."""
        while not request.Test():
            os.sched_yield()


def in_pieces(array: np.ndarray) -> list[np.ndarray]:
    """Bytes in pieces that MPI can send."""
    return [array[at : at + MOST_BYTES] for at in range(0, array.size, MOST_BYTES)]


def offsets(sizes: np.ndarray) -> np.ndarray:
    """Where each part begins, and where the last one ends."""
    return np.append(0, np.cumsum(sizes))


def cut(received: np.ndarray, sizes: np.ndarray) -> list[np.ndarray]:
    """The parts of what was received."""
    return [received[begin:end] for begin, end in pairwise(offsets(sizes).tolist())]


def end_together(comm: Any) -> None:
    """Make an uncaught error end all processes. If it ended this one alone, the others would wait
    for it.
    """
    shown = sys.excepthook

    def end(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
        shown(kind, error, at)
        abort(comm)

    sys.excepthook = end


def abort(comm: Any) -> None:
    """End all processes, after this one has shown an error."""
    sys.stderr.write(f"process {comm.rank} of {comm.size} ends all, after the error above\n")
    sys.stderr.flush()
    comm.Abort(1)
