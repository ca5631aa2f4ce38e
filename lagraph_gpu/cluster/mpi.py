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


class MpiTransport:
    """Implements `transport.Transport` with a communicator of its own. It starts MPI."""

    near = False

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
        sent = np.array([part.size for part in parts])
        received = np.empty(sizes.sum(), np.uint8)
        self._done(
            self.comm.Ialltoallv(
                [np.concatenate(parts), sent, offsets(sent)[:-1], self.byte],
                [received, sizes, offsets(sizes)[:-1], self.byte],
            )
        )
        return cut(received, sizes)

    def all_gather(self, part: np.ndarray, sizes: np.ndarray) -> list[np.ndarray]:
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
