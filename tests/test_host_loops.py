"""Operations that the GPU backend leaves to the loops of the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.errors import BackendUnavailable
from lagraph_gpu.gpu.device.port import give_back
from lagraph_gpu.gpu.on_host import host_loops
from tests.harness import CPU, GPU
from tests.operands import by_degree


def lattice(backend: Any) -> lg.Graph:
    return lg.grid(9, 5, backend=backend)


def orders(G: lg.Graph, source: int | None = None) -> list[list[int]]:
    """The orders of a depth-first search, from which no vertex is missing."""
    found = lg.dfs(G, source)
    assert all(part.backend is G.backend and part.nvals == G.n for part in found)
    return [part.to_dense().tolist() for part in found]


def on_host(call: Callable[[], Any]) -> bool:
    """Whether the host's loops have been chosen for a call."""
    with lg.explain() as report:
        call()
    return host_loops.ON_HOST in [choice.chosen for choice in report.choices]


def test_rows_stay_on_the_host_until_memory_is_short() -> None:
    G = lattice(GPU)
    wanted = orders(lattice(CPU))
    assert orders(G) == wanted
    held = G.A._store.pattern.on_host
    assert held.backend is CPU and held.nvals == G.A.nvals
    assert orders(lg.Graph(G.A, directed=False)) == wanted and G.A._store.pattern.on_host is held
    assert give_back() and G.A._store.pattern.on_host is None
    assert orders(G) == wanted


def test_packed_rows() -> None:
    G = by_degree(lattice(GPU))
    packed = G.relabel(layout="packed")
    assert packed.A._store.stays_packed and orders(packed, 3) == orders(G.to(CPU), 3)


def test_small_graphs() -> None:
    """Python walks over them."""
    G = lattice(GPU)
    assert on_host(lambda: orders(G))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GPU.host_loops, "least", 1 << 15)
        assert not on_host(lambda: orders(G)) and orders(G) == orders(lattice(CPU))


@pytest.mark.parametrize("weighted", [False, True])
def test_walks(weighted: bool) -> None:
    """Many walkers go by statements, and each goes where it goes on the CPU."""
    G, sources = lattice(GPU), np.arange(45)

    def walks(G: lg.Graph) -> list[list[int]]:
        return lg.random_walks(G, sources, 7, seed=3, weighted=weighted).to_dense().tolist()

    wanted = walks(G.to(CPU))
    assert on_host(lambda: walks(G)) and walks(G) == wanted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GPU.host_loops, "most_walkers", 44)
        assert not on_host(lambda: walks(G)) and walks(G) == wanted


def test_matching() -> None:
    """Edges of one direction count in both."""
    for G in (lattice(GPU), lg.Graph(lattice(GPU).A.select("triu").new(), directed=True)):
        found: list[lg.Vector] = []
        assert on_host(lambda: found.append(lg.maximum_bipartite_matching(G)))  # noqa: B023
        verify.verify_matching(G, found[0], maximum=True)
        assert found[0].backend is GPU and found[0].nvals == 44


def test_hosts_without_a_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """The statements do it."""
    wanted = orders(lattice(CPU))

    def missing(name: str) -> Any:
        raise BackendUnavailable(f"expected python-graphblas for the {name} backend")

    monkeypatch.setattr(host_loops, "named", missing)
    G = lattice(GPU)
    assert not on_host(lambda: orders(G)) and orders(G) == wanted
    assert not on_host(lambda: lg.maximum_bipartite_matching(G))
    assert not on_host(lambda: lg.random_walks(G, [0], 2, seed=1))
