"""A device from which another process takes memory in the middle of a call.

In one test the free memory is gone from some allocation on, and the device says so. In the other it
says that all is free, and refuses each allocation from then on, as where another process is faster
than the look before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device.port import give_back, too_large
from lagraph_gpu.notation.host_memory import (
    larger_backend,
    moved_to_device,
    spilled_bytes,
    spilled_to_host,
)
from semirings import SEMIRINGS
from tests.harness import CPU, GPU

DEVICE: Any = GPU.device
pytestmark = pytest.mark.skipif(not hasattr(DEVICE, "room_of"), reason="needs a bound on memory")

PLENTY = 1 << 28
TINY = 64
"""Allocations of so many bytes are always granted."""

CALLS: dict[str, Callable[[lg.Graph], Any]] = {
    "betweenness_centrality": lambda G: lg.betweenness_centrality(G, k=5, seed=1),
    "bfs": lambda G: lg.bfs(G, 3)[0],
    "connected_components": lg.connected_components,
    "distance_matrix": lambda G: lg.distance_matrix(G, [0, 5]),
    "pagerank": lambda G: lg.pagerank(G, iterations=3),
    "sssp": lambda G: lg.sssp(G, 3)[0],
    "triangles": lg.triangles,
}


class Another:
    """Another process, which takes memory at allocation `at` of this one."""

    def __init__(self, at: int, tells: bool) -> None:
        self.at, self.tells, self.count = at, tells, 0

    def allocates(self, device: Any, size: int, dtype: Any) -> None:
        self.count += 1
        wanted = int(size) * np.dtype(dtype).itemsize
        if self.tells and self.count == self.at:
            device.room = device.taken.now
        elif not self.tells and self.count >= self.at > 0 and wanted > TINY:
            raise too_large(wanted, device.free_bytes)


@contextmanager
def beside(another: Another) -> Iterator[Another]:
    kind, own = type(DEVICE), type(DEVICE)._allocate

    def allocate(device: Any, size: int, dtype: Any, written: bool, on_host: bool = False) -> Any:
        if not on_host:
            another.allocates(device, size, dtype)
        return own(device, size, dtype, written, on_host)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kind, "_allocate", allocate)
        yield another


def graph(backend: Any) -> lg.Graph:
    return lg.random_graph(60, 400, seed=2, directed=False, weights="integer", backend=backend)


def plain(found: Any) -> np.ndarray:
    if isinstance(found, lg.Vector):
        return found.to_dense(-1)
    return found if isinstance(found, np.ndarray) else found.get()


@pytest.fixture(autouse=True, scope="module")
def counters() -> None:
    """The first product and the first reduction allocate counters, which the device keeps."""
    A = graph(GPU).A
    SEMIRINGS["plus_pair"](A @ A).new().reduce_rowwise("plus").new().reduce("plus").new().get(0)


@pytest.mark.parametrize("tells", [True, False], ids=["told", "not told"])
@pytest.mark.parametrize("name", CALLS)
def test_the_answer_is_right_whenever_it_happens(name: str, tells: bool) -> None:
    """It is taken at the first allocation of the call, at the last one, and in between. What was
    there is unharmed, and when the memory is free again the same call runs on the device."""
    call, wanted = CALLS[name], plain(CALLS[name](graph(CPU)))
    give_back()
    with DEVICE.room_of(PLENTY):
        G = graph(GPU)
        with beside(Another(0, tells)) as counted:
            call(G)
    edges = [part.tolist() for part in graph(CPU).edges()]
    for at in np.unique(np.linspace(1, counted.count, 4).astype(int)):
        give_back()
        with DEVICE.room_of(PLENTY):
            G = graph(GPU)
            with beside(Another(int(at), tells)):
                np.testing.assert_allclose(plain(call(G)), wanted, rtol=1e-9)
            DEVICE.room = PLENTY
            again = call(G)
            np.testing.assert_allclose(plain(again), wanted, rtol=1e-9)
            assert getattr(again, "backend", GPU) is GPU
            assert [part.tolist() for part in G.to(CPU).edges()] == edges
            del G, again
            give_back()
            assert DEVICE.taken.now == 0, "nothing is held that belongs to no graph"


def test_without_a_fallback_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what is missing; the graph can be used afterwards."""
    monkeypatch.setitem(GPU.lowerings, larger_backend, lambda _: None)
    with DEVICE.room_of(PLENTY):
        G = graph(GPU)
        wanted = lg.sssp(G, 3)[0].to_dense()
        give_back()
        with (
            beside(Another(3, tells=False)),
            pytest.raises(TooLarge, match="bytes of free GPU memory") as told,
        ):
            lg.sssp(G, 3)
        assert told.value.of_memory
        np.testing.assert_array_equal(lg.sssp(G, 3)[0].to_dense(), wanted)


def test_rows_stay_out_where_the_device_has_no_room_after_all() -> None:
    G, K = graph(GPU), lg.kronecker(8, seed=2, layout="packed", backend=GPU)
    for H in (G, K):
        wanted = lg.bfs(H, 3)[0]
        with DEVICE.room_of(PLENTY):
            with DEVICE.room_of(100):
                assert spilled_to_host(H.A) > 0
            with beside(Another(1, tells=False)):
                assert moved_to_device(H.A) == 0 < spilled_bytes(H.A)
            assert lg.bfs(H, 3)[0].isequal(wanted)
            assert moved_to_device(H.A) > 0 == spilled_bytes(H.A)
            assert lg.bfs(H, 3)[0].isequal(wanted)


def test_later_blocks_of_a_table_are_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks that the user keeps take memory. When there is none left, the rest comes from the CPU;
    where there is no such way, the error says so, and with memory the call can be made again."""
    wanted = lg.distance_matrix(graph(CPU))
    with DEVICE.room_of(PLENTY):
        G = graph(GPU)
        next(lg.iter_distances(G, [0]))  # what is kept for later calls
        DEVICE.room = DEVICE.taken.now + 200_000
        kept = [*lg.iter_distances(G, memory=80_000)]
        sizes = [block.sources.size for block in kept]
        assert sizes[0] > sizes[-1] and sum(sizes) == G.n
        np.testing.assert_array_equal(np.concatenate([b.distances.get() for b in kept]), wanted)
        give_back()
        DEVICE.room = DEVICE.taken.now + 100
        rest = [*lg.iter_distances(G, [3, 4], memory=80_000)]
        np.testing.assert_array_equal(np.concatenate([b.distances for b in rest]), wanted[[3, 4]])
        steps = lg.iter_distances(G, [0, 1], memory=80_000)
        monkeypatch.setitem(GPU.lowerings, larger_backend, lambda _: None)
        give_back()
        with pytest.raises(TooLarge, match="bytes of free GPU memory"):
            next(steps)
        kept.clear()
        DEVICE.room = PLENTY
        found = np.concatenate([b.distances.get() for b in lg.iter_distances(G)])
        np.testing.assert_array_equal(found, wanted)
