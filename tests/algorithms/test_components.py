"""Components, weak and strong, against NetworkX and known counts, on both backends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import lagraph_gpu as lg
from lagraph_gpu.algorithms.structure import scc
from lagraph_gpu.errors import UnknownKeyword
from lagraph_gpu.verify import (
    verify_components,
    verify_spanning_forest,
    verify_strong_components,
)
from semirings.types import INT64
from tests import graphs
from tests.algorithms.views import dense, networkx_of, smallest
from tests.harness import BOTH, CPU, by_statements, reseed
from tests.io.shared import shared
from tests.strategies import examples, seeds, some_graphs


def check(example: graphs.Example, backend: Any) -> None:
    G, g = example.graph(backend), networkx_of(example)
    weak, strong = lg.connected_components(G), lg.strongly_connected_components(G)
    assert (weak.dtype, strong.dtype) == (INT64, INT64)
    parts = list(nx.connected_components(g.to_undirected()))
    assert dense(weak) == smallest(G.n, parts)
    assert lg.number_connected_components(G) == len(parts)
    parts = nx.strongly_connected_components(g) if G.directed else parts
    assert dense(strong) == smallest(G.n, parts)
    verify_components(G, weak)
    verify_strong_components(G, strong)
    verify_spanning_forest(G, lg.spanning_forest(G))


@examples(60)
@given(example=some_graphs, seed=seeds)
def test_drawn(example: graphs.Example, seed: int) -> None:
    reseed(seed)
    for backend in BOTH:
        check(example, backend)


@pytest.mark.parametrize("example", graphs.UP_TO_2000, ids=str)
def test_battery(example: graphs.Example) -> None:
    check(example, CPU)


@pytest.mark.parametrize("example", graphs.UP_TO_2000, ids=str)
def test_the_statements(example: graphs.Example) -> None:
    with by_statements():
        check(example, CPU)


def test_weakly_connected_components_are_told_by_their_name() -> None:
    G = lg.Graph.from_edges([3, 1, 4], [1, 4, 4], n=6, backend=CPU)
    assert lg.weakly_connected_components(G).isequal(lg.connected_components(G))
    with pytest.raises(UnknownKeyword, match="keywords of weakly_connected_components"):
        lg.weakly_connected_components(G, strength=1)


@pytest.mark.parametrize("m", [1500, 3000, 6000, 20000])
def test_larger_random_graphs(m: int) -> None:
    G = graphs.random_directed(3000, m, seed=m)
    verify_components(G, lg.connected_components(G))
    verify_strong_components(G, lg.strongly_connected_components(G))
    verify_spanning_forest(G, lg.spanning_forest(G))


def rounds(monkeypatch: pytest.MonkeyPatch, G: lg.Graph) -> int:
    """Rounds that the strong components of G took: two closures each."""
    calls = []

    def counted(*args: Any, **named: Any) -> Any:
        calls.append(args)
        return lg.closure(*args, **named)

    monkeypatch.setattr(scc, "closure", counted)
    verify_strong_components(G, lg.strongly_connected_components(G))
    return len(calls) // 2


def test_few_rounds_for_many_components(monkeypatch: pytest.MonkeyPatch) -> None:
    """Components in a chain, each of two vertices: what no trimming takes away."""
    k = np.arange(200)
    source = np.concatenate((2 * k, 2 * k + 1, 2 * k[:-1] + 1))
    target = np.concatenate((2 * k + 1, 2 * k, 2 * k[1:]))
    assert rounds(monkeypatch, lg.Graph.from_edges(source, target, backend="cpu")) <= 20
    path = graphs.NAMED["path of 100"].graph(CPU)
    assert rounds(monkeypatch, path) <= 16
    assert rounds(monkeypatch, graphs.random_directed(5000, 5000, seed=1)) <= 20


# --- answers of others --------------------------------------------------------------------------

COUNTS = [
    ("karate", 1), ("jagmesh7", 1), ("LFAT5", 3), ("LFAT5_two", 6), ("LFAT5_hypersparse", 1989),
    ("zenios", 1391),
]  # fmt: skip


@pytest.mark.parametrize(("name", "count"), COUNTS)
def test_lagraph_counts(name: str, count: int) -> None:
    edges = lg.io.read_edges(shared(f"lagraph/data/{name}.mtx"))
    G = lg.Graph.from_edgelist(edges, directed=True, dup="first", backend=CPU)
    assert lg.number_connected_components(G) == count
    verify_components(G, lg.connected_components(G))


WCC = [
    ("wcc/dir-input", "wcc/dir-output", True),
    ("wcc/undir-input", "wcc/undir-output", False),
    ("example/example-directed.e", "example/example-directed-WCC", True),
    ("example/example-undirected.e", "example/example-undirected-WCC", False),
]


@pytest.mark.parametrize(("name", "answers", "directed"), WCC)
def test_graphalytics(name: str, answers: str, directed: bool) -> None:
    folder = shared("graphalytics/validation-graphs")
    is_list = not name.endswith(".e")
    edges = lg.io.read_edges(folder / name, format="adjacency" if is_list else None)
    G = lg.Graph.from_edgelist(edges, directed=directed, dup="min", backend=CPU)
    assert edges.ids is not None
    label = dict(zip(edges.ids.tolist(), edges.ids[dense(lg.connected_components(G))].tolist()))
    assert partition(label) == partition(published(folder / answers))


def published(path: Path) -> dict[int, int]:
    pairs = (line.split() for line in path.read_text().splitlines() if line)
    return {int(v): int(x) for v, x in pairs}


def partition(label: dict[int, int]) -> set[frozenset[int]]:
    parts: dict[int, set[int]] = {}
    for v, x in label.items():
        parts.setdefault(x, set()).add(v)
    return {frozenset(part) for part in parts.values()}
