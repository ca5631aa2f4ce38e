"""Operations that the GPU backend leaves to the loops of the host."""

from __future__ import annotations

from typing import Any

import pytest

import lagraph_gpu as lg
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


def chosen(G: lg.Graph) -> list[str]:
    with lg.explain() as report:
        lg.dfs(G, 0)
    return [choice.chosen for choice in report.choices]


def test_rows_stay_on_the_host_until_memory_is_short() -> None:
    G = lattice(GPU)
    wanted = orders(lattice(CPU))
    assert orders(G) == wanted
    held = G.A._store.on_host
    assert held.backend is CPU and held.nvals == G.A.nvals
    assert orders(lg.Graph(G.A, directed=False)) == wanted and G.A._store.on_host is held
    assert give_back() and G.A._store.on_host is None
    assert orders(G) == wanted


def test_packed_rows() -> None:
    G = by_degree(lattice(GPU))
    packed = G.relabel(layout="packed")
    assert packed.A._store.stays_packed and orders(packed, 3) == orders(G.to(CPU), 3)


def test_small_graphs_and_hosts_without_a_backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """The statements do it."""
    G, wanted = lattice(GPU), orders(lattice(CPU))
    assert chosen(G) == [host_loops.ON_HOST]
    monkeypatch.setattr(GPU.host_loops, "least", 1 << 15)
    assert chosen(lattice(GPU)) == [] and orders(lattice(GPU)) == wanted
    monkeypatch.setattr(GPU.host_loops, "least", 0)

    def missing(name: str) -> Any:
        raise BackendUnavailable(f"expected python-graphblas for the {name} backend")

    monkeypatch.setattr(host_loops, "named", missing)
    assert chosen(lattice(GPU)) == [] and orders(lattice(GPU)) == wanted
