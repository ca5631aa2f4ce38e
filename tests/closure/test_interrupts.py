"""A traversal that is interrupted, at whatever it asks of the device, spoils none that follows."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from typing import Any

import pytest

import lagraph_gpu as lg
from lagraph_gpu.gpu.device import waiting
from tests import graphs
from tests.harness import DEVICE, GPU
from tests.simt.device import EmulatedDevice

pytestmark = pytest.mark.skipif(
    not isinstance(DEVICE, EmulatedDevice), reason="a GPU's kernels are not launched through us"
)
METHODS = (
    "empty", "zeros", "full", "reserve", "upload", "copy", "download", "fetch", "next_schedule"
)  # fmt: skip
"""Memory, copies and, the last, launches."""

POINTS = 20

SCHEDULES = [
    None, lg.Schedule(order="delta"), lg.Schedule("pull"), lg.Schedule("push", loop="host"),
    lg.Schedule("push", small="block"),
]  # fmt: skip


def graph() -> lg.Graph:
    return graphs.random_undirected(20, 90, seed=5, isolated=2, backend=GPU)


def interrupted(patch: pytest.MonkeyPatch, at: int) -> list[str]:
    """The so-many-th thing that is asked of the device is interrupted; what has been asked."""
    asked: list[str] = []

    def interrupts(name: str, inner: Any) -> Any:
        def ask(*args: Any, **more: Any) -> Any:
            asked.append(name)
            if len(asked) == at:
                raise KeyboardInterrupt
            return inner(*args, **more)

        return ask

    for name in METHODS:
        patch.setattr(DEVICE, name, interrupts(name, getattr(DEVICE, name)))
    return asked


@pytest.mark.parametrize(
    ("longest", "prepares"), [(64, False), (-1, False), (-1, True)], ids=["deep", "core", "copy"]
)
@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
@pytest.mark.parametrize("search", [lg.bfs, lg.sssp], ids=["bfs", "sssp"])
def test_after_an_interrupt(
    search: Any, schedule: Any, longest: int, prepares: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each of some points, spread over a first search; the second one is right."""
    monkeypatch.setattr(GPU.closures.order_choice, "longest", longest)  # is the graph deep?
    monkeypatch.setattr(GPU.hub_first, "wide", 4)  # else it has a core
    right = search(graph().to("cpu"), 3)[0]
    total = asked_of(search, schedule, prepares, right, 0)
    points = range(1, total, 1 + total // POINTS)
    asked = [asked_of(search, schedule, prepares, right, at) for at in points]
    assert asked[1] == points[1]


def asked_of(search: Any, schedule: Any, prepares: bool, right: lg.Vector, at: int) -> int:
    """How much a search asks for, if it is interrupted at the so-many-th thing; the one after it is
    right."""
    G = graph().prepared() if prepares else graph()
    with pytest.MonkeyPatch.context() as patch:
        asked = interrupted(patch, at)
        with suppress(KeyboardInterrupt):
            search(G, 3, schedule=schedule)[1].to_coo()
    found, parent = search(G, 3, schedule=schedule)
    assert found.to("cpu").isequal(right) and parent.nvals == right.nvals
    return len(asked)


# --- waits ---------------------------------------------------------------------------------------
def test_a_wait_is_interrupted_at_once() -> None:
    """However long the device takes; the memory that it will write to is kept."""
    memory = object()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    began = time.perf_counter()
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        waiting.wait_for(lambda: waiting.NOT_READY, pytest.fail, memory)
    signal.signal(signal.SIGINT, before)
    assert 0.15 < time.perf_counter() - began < 60  # else it would never end
    assert waiting.STILL_WRITTEN.pop() is memory


def test_a_wait_ends_when_the_device_is_done() -> None:
    answers = iter([waiting.NOT_READY] * 300 + [waiting.DONE])
    waiting.wait_for(lambda: next(answers), pytest.fail)
    assert not list(answers) and not waiting.STILL_WRITTEN


def test_an_error_of_the_device_ends_a_wait() -> None:
    def raises() -> None:
        raise RuntimeError("an illegal memory access")

    with pytest.raises(RuntimeError, match="illegal"):
        waiting.wait_for(lambda: 700, raises)


def test_other_threads_leave_the_wait_to_the_device() -> None:
    """Python raises KeyboardInterrupt in the main thread alone."""
    called = list[str]()
    other = threading.Thread(
        target=waiting.wait_for, args=(pytest.fail, lambda: called.append("synchronized"))
    )
    other.start()
    other.join()
    assert called == ["synchronized"]
