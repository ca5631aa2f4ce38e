"""What searches keep for later ones is given back before a call is refused for memory."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.storage.matrix_storage import KEEPERS
from lagraph_gpu.notation.host_memory import larger_backend
from tests.harness import GPU


def lattice(n: int) -> lg.Graph:
    return lg.grid(n, n, weights="integer", backend=GPU)


def kept(G: lg.Graph) -> bool:
    closures = G.A._store.closures
    return bool(closures.scratch or closures.ready or closures.sorted_entries or closures.lightest)


@pytest.mark.skipif(not hasattr(GPU.device, "schedule"), reason="free memory is a made-up figure")
def test_what_is_kept_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    G, H = lattice(5), lattice(6)
    level, distance = lg.bfs(G, 0)[0], lg.sssp(G, 0)[0]
    assert kept(G)

    def free(device: Any) -> int:
        return 16 if kept(G) else 1 << 30

    monkeypatch.setattr(type(GPU.device), "free_bytes", property(free))
    assert lg.bfs(H, 0)[0].nvals == 36
    assert not kept(G)
    np.testing.assert_array_equal(lg.bfs(G, 0)[0].to_dense(), level.to_dense())
    assert lg.sssp(G, 0)[0].isequal(distance)
    assert kept(G)
    monkeypatch.setattr(type(GPU.device), "free_bytes", property(lambda device: 16))
    monkeypatch.setitem(GPU.lowerings, larger_backend, lambda _: None)  # else the CPU would do it
    with pytest.raises(TooLarge, match=r"expected .* bytes of free GPU memory, but 16 are free"):
        lg.bfs(lattice(7), 0)
    assert not kept(G)


def test_a_matrix_that_nobody_searches_keeps_nothing() -> None:
    """What closures keep is made for the first of them, and is among what can be given back."""
    A = lattice(4).A.apply("identity").new()
    assert "closures" not in vars(A._store)
    made = A._store.closures
    assert made is A._store.closures and made in KEEPERS


@pytest.mark.parametrize("algorithm", [lg.bfs, lg.sssp, lg.bellman_ford], ids=lambda f: f.__name__)
def test_a_graph_goes_with_the_last_reference(algorithm: Any) -> None:
    """Nothing that searches keep refers to the matrix that keeps it, symmetric or not: its memory
    on the device would wait for a collection of garbage."""
    edges = [0, 1, 2, 2, 3], [1, 2, 0, 3, 4], [3, 1, 2, 2, 5]
    gc.disable()
    try:
        for directed in (False, True):
            G = lg.Graph.from_edges(*edges, directed=directed, backend=GPU)
            found = algorithm(G, 0)
            held = weakref.ref(G.A._store)
            del G, found
            assert held() is None, directed
    finally:
        gc.enable()
