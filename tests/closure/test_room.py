"""Searches for which there is not memory enough: refused before they begin, or done with less."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.device.cupy_device import CupyDevice
from lagraph_gpu.gpu.matrix.weight_order import lightest_first
from lagraph_gpu.notation.host_memory import larger_backend
from semirings import max_min, min_max, min_plus
from tests import graphs
from tests.harness import DEVICE, GPU

WAYS = {
    "rounds": (4, -1),
    "hubs first": (4, -1),
    "all share each step": (99, -1),
    "each block has a queue of its own": (99, 64),
}
"""Up to which mean degree a graph has no core, and up to which row it is a deep one."""


def graph(backend: Any = GPU) -> lg.Graph:
    return graphs.random_undirected(60, 400, seed=2, isolated=4, backend=backend)


@pytest.fixture(autouse=True)
def with_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GPU.hub_first, "wide", 4)
    monkeypatch.setattr(GPU.closures.order_choice, "longest", -1)


@pytest.mark.parametrize("way", WAYS)
def test_a_search_that_cannot_fit_is_refused_before_it_begins(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule = lg.Schedule(order="rounds" if way == "rounds" else "delta")
    monkeypatch.setattr(GPU.hub_first, "wide", WAYS[way][0])
    monkeypatch.setattr(GPU.closures.order_choice, "longest", WAYS[way][1])
    G, wanted = graph(), lg.sssp(graph("cpu"), 0)[0]
    begun: list[str] = []
    inner = GPU.launch_resident
    monkeypatch.setattr(
        GPU, "launch_resident", lambda *a, **k: begun.append(a[0]) or inner(*a, **k)
    )
    free = property(lambda _: 1000)
    with monkeypatch.context() as patch:
        patch.setattr(type(DEVICE), "free_bytes", free)
        patch.setitem(GPU.lowerings, larger_backend, lambda _: None)  # else the CPU would do it
        with pytest.raises(TooLarge, match=r"expected [\d,]+ bytes .* but 1,000 are free"):
            lg.sssp(G, 0, schedule=schedule)
        assert not begun
    assert lg.sssp(G, 0, schedule=schedule)[0].to("cpu").isequal(wanted)
    asked: list[Any] = []
    with monkeypatch.context() as patch:
        patch.setattr(type(DEVICE), "free_bytes", property(asked.append))
        lg.sssp(G, 0, schedule=schedule)
    assert begun and not asked, "what is kept is not asked for again"


def test_rows_that_cannot_be_sorted_are_searched_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    G, wanted, tries = graph().prepared(), lg.sssp(graph("cpu"), 0)[0], []

    def no_room(A: Any, falling: bool) -> Any:
        tries.append(A.nnz)
        raise TooLarge("no memory to sort")

    with monkeypatch.context() as patch:
        patch.setattr(GPU.row_order, "by_weight", no_room)
        for _ in range(2):
            with lg.explain() as told:
                found = lg.sssp(G, 0)[0]
            assert found.to("cpu").isequal(wanted)
            assert "no memory to sort all rows by weight" in told.choices[0].because
    copy = G.A._store.layout.matrix
    assert len(tries) == 1 and not lightest_first(copy, False).is_sorted
    H = graph().prepared()
    with lg.explain() as told:
        lg.sssp(H, 0)
    assert "no memory" not in told.choices[0].because


LAYOUTS: dict[str, Callable[[], lg.Graph]] = {
    "directed": lambda: lg.Graph.from_edges([0, 1, 2], [1, 2, 0], np.arange(3.0), backend=GPU),
    "natural": graph,
    "prepared": lambda: graph().prepared(),
    "relabelled": lambda: graph().relabel("degree"),
}
USES: dict[str, Callable[[lg.Graph], Any]] = {
    "nothing": lambda G: None,
    "bfs": lambda G: lg.bfs(G, 1),
    "sssp": lambda G: lg.sssp(G, 1),
    "pagerank": lg.pagerank,
    "components": lg.connected_components,
    "transpose": lambda G: G.A.T.new(),
}


@pytest.mark.parametrize("use", USES.values(), ids=list(USES))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_graph_that_nobody_holds_keeps_no_memory(layout: str, use: Any) -> None:
    """Without the help of the garbage collector, which does not see a device fill."""
    G = LAYOUTS[layout]()
    gc.collect()
    gc.disable()
    try:
        held = weakref.ref(G.A._store)
        use(G)
        del G
        assert held() is None
    finally:
        gc.enable()


class OutOfMemory(Exception):
    """As CuPy's."""


class NoMore:
    """An array of whose kind there is room for no other."""

    size, nbytes = 10, 80

    def sort(self) -> None:
        raise OutOfMemory


def test_a_device_says_what_it_would_need() -> None:
    """CuPy's error becomes ours, whichever way memory is asked for."""

    def refuse(*_: Any, **__: Any) -> None:
        raise OutOfMemory

    memory = SimpleNamespace(OutOfMemoryError=OutOfMemory)
    runtime = SimpleNamespace(memGetInfo=lambda: (30, 100))
    device: Any = object.__new__(CupyDevice)
    device._cupy = SimpleNamespace(
        empty=refuse, zeros=refuse, argsort=refuse,
        cuda=SimpleNamespace(memory=memory, runtime=runtime, alloc=refuse),
        get_default_memory_pool=lambda: SimpleNamespace(
            free_bytes=lambda: 5, used_bytes=lambda: 20
        ),
    )  # fmt: skip
    asks = {
        "empty": (10, np.int64), "zeros": (10, np.int64), "reserve": ((10, np.dtype(np.int64)),),
        "full": (10, 0, np.int64), "upload": (np.zeros(10),),
        "copy": (np.zeros(10),), "sort": (NoMore(),),
    }  # fmt: skip
    for name, given in asks.items():
        with pytest.raises(TooLarge, match="expected 80 bytes of free GPU memory, but 35 are free"):
            getattr(device, name)(*given)
    with pytest.raises(TooLarge, match="expected 160 bytes"):
        device.argsort(NoMore())


def test_searches_under_several_algebras_share_their_room() -> None:
    G = graph()
    for ring in (min_plus, max_min, min_max):
        x0 = G.point(0, 3, "FP32")
        wanted = lg.closure(x0.to("cpu"), G.A.to("cpu"), ring)
        assert lg.closure(x0, G.A, ring).to("cpu").isequal(wanted)
    scratch = G.A._store.closures.scratch
    assert [len(kept) for at, kept in scratch.items() if at[0] == "hub_first"] == [1]
