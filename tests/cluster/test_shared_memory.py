"""Exchanges through memory that processes share, and meetings there. The processes are threads."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lagraph_gpu.cpu.loops import shared_transport
from lagraph_gpu.cpu.loops.shared_memory import SharedMemory, give_up_meeting
from lagraph_gpu.cpu.loops.shared_transport import SharedTransport, arrive, wait_for_all
from lagraph_gpu.cpu.native import failures, library, sharing
from lagraph_gpu.cpu.native.structs import MeetingPoint
from lagraph_gpu.errors import LagraphError
from tests.cluster.turns import TurnTransport, in_turns

pytestmark = pytest.mark.skipif(library() is None, reason="there is no C++ compiler")

LATE, ALL = range(2)
SECOND = 1_000_000


class Between:
    """A slow transport for what does not fit, which notes its calls."""

    def __init__(self, size: int) -> None:
        self.size, self.given = size, [None] * size
        self.barrier, self.calls = threading.Barrier(size), 0

    def of(self, rank: int) -> Any:
        made = Between.__new__(Between)
        made.__dict__ = self.__dict__ | {"rank": rank, "shares": self}
        return made

    def met(self, given: Any) -> list[Any]:
        self.given[self.rank] = given  # type: ignore[attr-defined]
        self.barrier.wait()
        met = list(self.given)
        self.barrier.wait()
        return met

    def all_gather(self, part: np.ndarray, sizes: np.ndarray) -> list[np.ndarray]:
        self.shares.calls += 1  # type: ignore[attr-defined]
        return self.met(part)

    def all_to_all(self, parts: Any, sizes: np.ndarray) -> list[np.ndarray]:
        self.shares.calls += 1  # type: ignore[attr-defined]
        return [one[self.rank] for one in self.met(parts)]  # type: ignore[attr-defined]


def on_threads(size: int, work: Callable[[int], Any]) -> list[Any]:
    """What `work` returns for each rank, all at the same time."""
    returned: list[Any] = [None] * size

    def one(rank: int) -> None:
        returned[rank] = work(rank)

    threads = [threading.Thread(target=one, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    return returned


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_exchanges(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Each process gets what the others have sent it, also if that does not fit into a box."""
    monkeypatch.setattr(shared_transport, "BOX_BYTES", 4000)
    memory = np.zeros((size, SharedTransport.bytes_of(size)), np.uint8)
    between = Between(size)
    rng = np.random.default_rng(1)
    lengths = rng.integers(0, 3000, (60, size, size)) * (rng.random((60, size, size)) < 0.8)

    def bytes_of(step: int, sender: int, to: int) -> np.ndarray:
        return np.full(lengths[step, sender, to], (step * 7 + sender * 31 + to) % 251, np.uint8)

    def process(rank: int) -> bool:
        transport = SharedTransport(between.of(rank), memory)
        right = True
        for step in range(len(lengths)):
            heads = np.full((size, 64), step * size + rank, np.uint8)
            finish = transport.swap(heads)
            right &= (finish()[:, 0] == np.arange(size) + step * size).all()
            sent = [bytes_of(step, rank, to) for to in range(size)]
            received = transport.all_to_all(sent, lengths[step, :, rank])
            for sender, part in enumerate(received):
                right &= np.array_equal(part, bytes_of(step, sender, rank))
            gathered = transport.all_gather(sent[0], lengths[step, :, 0])
            for sender, part in enumerate(gathered):
                right &= np.array_equal(part, bytes_of(step, sender, 0))
        return bool(right)

    assert on_threads(size, process) == [True] * size
    assert size < 3 or between.calls > size  # who they are, and what did not fit


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_meeting_is_held_for_all_or_for_none(size: int) -> None:
    """While one gives up again and again, in each epoch the same meetings are held for all."""
    memory = np.zeros(sharing().BARRIER_BYTES, np.uint8)
    barrier = threading.Barrier(size)

    def process(rank: int) -> list[int]:
        held = []
        for epoch in range(1, 40):
            barrier.wait()
            count, here = 0, MeetingPoint(memory, size, epoch)
            while count < 20:
                if rank == 0 and count == epoch % 23:
                    give_up_meeting(here)
                if wait_for_all(60 * SECOND, here, arrive(here)) != ALL:
                    break
                count += 1
            held.append(count)
        return held

    first, *others = on_threads(size, process)
    assert all(other == first for other in others)
    assert first == [min(20, epoch % 23) for epoch in range(1, 40)]


def test_one_that_waits_is_late_and_then_not() -> None:
    here = MeetingPoint(np.zeros(sharing().BARRIER_BYTES, np.uint8), parts=2, epoch=3)
    arrived = arrive(here)
    assert wait_for_all(1000, here, arrived) == LATE
    arrive(here)
    assert wait_for_all(1000, here, arrived) == ALL
    again = arrive(here)
    give_up_meeting(here)
    assert wait_for_all(SECOND, here, again) == failures().BROKEN
    later = here._replace(epoch=4)  # nothing is broken then
    arrive(later)
    assert wait_for_all(1000, later, arrive(later)) == ALL


def test_a_process_that_is_gone_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nobody else notices, as `mpiexec` does."""
    monkeypatch.setattr(shared_transport, "LIVENESS_CHECK_US", 1000)
    between, ended = Between(1), []
    memory = np.zeros((1, SharedTransport.bytes_of(1)), np.uint8)
    transport = SharedTransport(between.of(0), memory)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    transport.barrier.parts = 2
    transport.pids.append(gone.pid)
    transport.end = lambda: ended.append(True)  # type: ignore[method-assign]
    finish = transport.swap(np.zeros((1, 64), np.uint8))
    with pytest.raises(LagraphError, match=f"process 1 .number {gone.pid} of this host. has ended"):
        finish()
    assert ended == [True]


def test_more_processes_than_a_barrier_counts_share_no_memory() -> None:
    """Nobody asks for memory then."""

    def gathered(part: np.ndarray, sizes: np.ndarray) -> list[np.ndarray]:
        return [part] * sizes.size

    most = sharing().MOST_PROCESSES
    many = SimpleNamespace(size=most + 1, all_gather=gathered)
    assert most == 4096 and SharedMemory(many).windows(64) is None  # type: ignore[arg-type]
    assert shared_transport.shared_transport(many) is many  # type: ignore[arg-type,comparison-overlap]


def test_without_shared_memory_exchanges_stay_as_they_are() -> None:
    def process(turns: Any, rank: int) -> bool:
        transport = TurnTransport(turns, rank)
        transport.shared = lambda size: None  # type: ignore[method-assign]
        return shared_transport.shared_transport(transport) is transport

    assert in_turns(2, process) == [True, True]
