"""The verifiers of counts, clustering, cores, trusses, communities and walks can say no."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.errors import VerificationError
from tests import graphs
from tests.harness import CPU
from tests.strategies import examples, some_graphs

G = lg.Graph.from_networkx(nx.karate_club_graph(), weight=None, backend=CPU)
D = lg.Graph.from_edges([0, 1, 2, 2, 3, 4], [1, 2, 0, 3, 2, 0], n=6, backend=CPU)


def changed(v: lg.Vector, at: int, by: Any) -> lg.Vector:
    twin = v.dup()
    twin[at] = v.get(at) + by
    return twin


def without(v: lg.Vector, at: int) -> lg.Vector:
    twin = v.dup()
    del twin[at]
    return twin


def no(what: str) -> Any:
    return pytest.raises(VerificationError, match=what)


@pytest.mark.parametrize("graph", [G, D], ids=["karate", "directed"])
def test_right_results_pass(graph: lg.Graph) -> None:
    verify.verify_triangles(graph, lg.triangles(graph), lg.triangle_count(graph), samples=3)
    verify.verify_local_clustering(graph, lg.local_clustering_coefficient(graph), samples=4)
    verify.verify_clustering(graph, lg.clustering(graph), lg.average_clustering(graph))
    verify.verify_transitivity(graph, lg.transitivity(graph))
    verify.verify_core_number(graph, lg.core_number(graph))
    verify.verify_k_core(graph, 2, lg.k_core(graph, 2))
    verify.verify_k_truss(graph, 4, lg.k_truss(graph, 4))
    labels = lg.label_propagation(graph, 3)
    verify.verify_label_propagation(graph, labels, 3)
    verify.verify_modularity(graph, labels, lg.modularity(graph, labels, 2.0), 2.0)
    verify.verify_random_walks(graph, [0, 5, 3], 4, lg.random_walks(graph, [0, 5, 3], 4, seed=1))


def test_triangles() -> None:
    t = lg.triangles(G)
    with no("triangles, total: .*add up to a multiple of 3, got 136"):
        verify.verify_triangles(G, changed(t, 3, 1))
    with no(r"add up to 3 · 44"):
        verify.verify_triangles(G, t, total=44)
    with no("count: expected 10 triangles at vertex 3, got 13"):
        verify.verify_triangles(G, changed(t, 3, 3))
    with no("sign.*vertex 11"):
        verify.verify_triangles(G, changed(t, 11, -3))
    with no("entries.*position 5"):
        verify.verify_triangles(G, without(t, 5))
    with no("size"):
        verify.verify_triangles(G, lg.Vector("INT64", 3, backend=CPU))
    with no("type"):
        verify.verify_triangles(G, t.dup("FP64"))
    with no("type"):
        verify.verify_core_number(G, lg.core_number(G).dup("FP64"))


def test_local_clustering() -> None:
    c = lg.local_clustering_coefficient(D)
    with no("value: expected .* at vertex 1"):
        verify.verify_local_clustering(D, changed(c, 1, 0.25))
    with no("range.*vertex 5"):
        verify.verify_local_clustering(D, changed(c, 5, -0.5))
    with no("range.*vertex 5"):
        verify.verify_local_clustering(D, changed(c, 5, float("nan")))


@pytest.mark.parametrize("graph", [G, D], ids=["karate", "directed"])
def test_clustering(graph: lg.Graph) -> None:
    c = lg.clustering(graph)
    for v in range(graph.n):
        off = 0.01 if c.get(v) < 0.5 else -0.01
        with no(f"clustering, value: expected .* at vertex {v}, got"):
            verify.verify_clustering(graph, changed(c, v, off))
    with no("entries.*position 5"):
        verify.verify_clustering(graph, without(c, 5))
    with no("size"):
        verify.verify_clustering(graph, lg.Vector("FP64", 3, backend=CPU))
    for wrong in (-2.0, 2.0, float("nan")):
        with no("range.*vertex 5"):
            verify.verify_clustering(graph, changed(c, 5, wrong))
    for wrong in (lg.average_clustering(graph) + 1e-6, float("nan")):
        with no("clustering, average"):
            verify.verify_clustering(graph, c, wrong)
    for wrong in (lg.transitivity(graph) + 1e-6, float("nan")):
        with no("transitivity, value"):
            verify.verify_transitivity(graph, wrong)


def test_clustering_of_the_two_kinds_differs() -> None:
    """Graphalytics' coefficient of a directed graph is another number."""
    with no("value"):
        verify.verify_clustering(D, lg.local_clustering_coefficient(D))


def test_a_sample_of_clustering() -> None:
    drawn = np.random.default_rng(2).choice(G.n, 3, replace=False)
    c = lg.clustering(G)
    with no(f"at vertex {drawn[1]}, got"):
        wrong = changed(c, int(drawn[1]), -0.01 if c.get(int(drawn[1])) > 0 else 0.01)
        verify.verify_clustering(G, wrong, samples=3, seed=2)


@examples(40)
@given(example=some_graphs)
def test_right_clusters_pass(example: graphs.Example) -> None:
    graph = example.graph(CPU)
    average = lg.average_clustering(graph) if graph.n else None
    verify.verify_clustering(graph, lg.clustering(graph), average)
    verify.verify_transitivity(graph, lg.transitivity(graph))
    for k in (0, 1, 2, 3):
        verify.verify_k_core(graph, k, lg.k_core(graph, k))


def test_k_core() -> None:
    for graph in (G, D):
        core, check = lg.k_core(graph, 2), verify.verify_k_core
        u, v, w = core.A.to_coo()

        def of(kept: Any, weight: Any = w, u: Any = u, v: Any = v, graph: Any = graph) -> lg.Graph:
            ends = np.minimum(u, v)[kept], np.maximum(u, v)[kept]
            ends = (u[kept], v[kept]) if graph.directed else ends
            return lg.Graph.from_edges(*ends, weight[kept], graph.n, graph.directed, "first",
                                       backend=CPU)  # fmt: skip

        check(graph, 2, of(u >= 0))
        with no("2-core, missing: expected the edge"):
            check(graph, 2, of((u + v) != (u + v)[0]))
        with no("2-core, weight"):
            check(graph, 2, of(u >= 0, w + 1))
        with no("2-core, outside: expected no edge"):
            check(graph, 2, graph)
        with no("3-core, outside"):
            check(graph, 3, core)
        with no("1-core, missing"):
            check(graph, 1, core)
        with no("graph"):
            check(graph, 2, D if graph is G else G)
    many = lg.Graph.from_networkx(nx.complete_graph(34), weight=None, backend=CPU)
    with no("0-core, edges: expected 156 edges of the graph, got 1122"):
        verify.verify_k_core(G, 0, many)


def test_core_number() -> None:
    for graph in (G, D):
        core = lg.core_number(graph)
        for v in range(graph.n):
            with no(f"too high: expected vertex {v} "):
                verify.verify_core_number(graph, changed(core, v, 1))
            if core.get(v):
                with no("too low|too high"):  # it is too low, or others lose an equal
                    verify.verify_core_number(graph, changed(core, v, -1))
        with no("too low: expected vertex .* of core number 0 to have at most 0"):
            verify.verify_core_number(graph, lg.Vector.from_scalar(0, graph.n, backend=CPU))


def test_k_truss() -> None:
    truss = lg.k_truss(G, 4)
    with no("maximal: expected the edge .* to be in the truss"):
        verify.verify_k_truss(G, 4, lg.k_truss(G, 5))
    with no("support: expected the edge .* to lie in 2 triangles"):
        verify.verify_k_truss(G, 4, lg.k_truss(G, 3))
    complete = lg.Graph.from_networkx(nx.complete_graph(34), backend=CPU)
    with no("edge: expected the edge .* to be one of the graph"):
        verify.verify_k_truss(G, 4, complete)
    with no("undirected graph on 34"):
        verify.verify_k_truss(G, 4, D)
    verify.verify_k_truss(G, 4, truss)


def test_label_propagation() -> None:
    labels = lg.label_propagation(G, 3)
    with no("label: expected the label .* at vertex 7 after 3 rounds"):
        verify.verify_label_propagation(G, changed(labels, 7, 1), 3)
    with no("after 1 rounds"):
        verify.verify_label_propagation(G, labels, 1)


def test_modularity() -> None:
    labels = lg.louvain(G, seed=1)
    with no("modularity, value"):
        verify.verify_modularity(G, labels, lg.modularity(G, labels) + 1e-6)
    with no("modularity, value"):
        verify.verify_modularity(G, labels, float("nan"))


def test_louvain() -> None:
    for graph in (G, D):
        labels = lg.louvain(graph, seed=1)
        verify.verify_louvain(graph, labels)
        numbered = lg.Vector.from_dense(labels.to_dense() + 1, backend=CPU)
        with no("louvain, (smallest|range)"):
            verify.verify_louvain(graph, numbered)
        with no("louvain, entries"):
            verify.verify_louvain(graph, without(labels, 3))
        with no("louvain, type"):
            verify.verify_louvain(graph, labels.dup("FP64"))
    path = lg.Graph.from_edges([0, 1, 2], [1, 2, 3], directed=False, backend=CPU)
    crossed = lg.Vector.from_dense([0, 1, 0, 1], backend=CPU)  # no edge inside
    with no(r"louvain, modularity: expected at least -0\.2\d+, got -0\.5"):
        verify.verify_louvain(path, crossed)
    empty = lg.Graph.from_edges([], [], n=3, backend=CPU)
    verify.verify_louvain(empty, lg.louvain(empty))


def test_leiden() -> None:
    for graph in (G, D):
        labels = lg.leiden(graph, seed=1)
        verify.verify_leiden(graph, labels)
        with no("leiden, entries"):
            verify.verify_leiden(graph, without(labels, 3))
    two = lg.Graph.from_edges([0, 1, 3], [1, 2, 4], directed=False, backend=CPU)
    with no("leiden, connected: vertex 3 is not connected to 0"):
        verify.verify_leiden(two, lg.Vector.from_dense([0, 0, 0, 0, 0], backend=CPU))
    heavy = lg.Graph.from_edges([0, 1], [1, 2], [1, 0], directed=False, backend=CPU)
    with no("leiden, connected: vertex 2 is not connected to 0"):
        verify.verify_leiden(heavy, lg.Vector.from_dense([0, 0, 0], backend=CPU))


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ([1, 2, 3], "walk 0 to begin at vertex 0"),
        ([0, 2, 3], "step 0 of walk 0 to be an edge, got 0 → 2"),
        ([0, 1, 3], "step 1 of walk 0 to be an edge, got 1 → 3"),
        ([0, 1, -1], "walk 0 to go on from vertex 1"),
        ([0, -1, 2], "walk 0|step 1"),
    ],
)
def test_random_walks(row: list[int], what: str) -> None:
    walk = np.array(row)
    at = np.flatnonzero(walk >= 0)
    wrong = lg.Matrix.from_coo(0 * at, at, walk[at], nrows=1, ncols=3, backend=CPU)
    with no(what):
        verify.verify_random_walks(D, [0], 2, wrong)
    with no("shape"):
        verify.verify_random_walks(D, [0], 3, wrong)
