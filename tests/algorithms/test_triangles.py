"""Triangles, clustering, trusses and cores against NetworkX, on both backends."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from benchmarks.instrument import Instrument
from lagraph_gpu.algorithms._shared.pattern import by_degree
from lagraph_gpu.algorithms.structure.triangles import (
    total_triangles,
    triangular_parts,
    vertex_triangles,
)
from lagraph_gpu.errors import InvalidValue, TooLarge, WrongType
from lagraph_gpu.planning.triangles import Fingerprints, fingerprints_pay, short_rows
from lagraph_gpu.verify import (
    verify_core_number,
    verify_k_truss,
    verify_local_clustering,
    verify_triangles,
)
from tests import graphs
from tests.algorithms.views import dense, networkx_of
from tests.harness import BOTH, CPU, GPU, lowered
from tests.simt.exercises import gpu
from tests.strategies import any_graph, examples

EXAMPLES = [e for e in graphs.BATTERY if e.n <= 1100]
FEW = graphs.named("complete", "loops everywhere", "random 33", "bipartite")
PLANTED = graphs.Example(
    "planted", "triangles, cores and trusses of several sizes", 60,
    tuple((u, v, 1) for u, v in nx.planted_partition_graph(4, 15, 0.7, 0.1, seed=3).edges),
    directed=False,
)  # fmt: skip


def check_triangles(example: graphs.Example, backend: Any) -> None:
    G = example.graph(backend)
    right = nx.triangles(networkx_of(example, directed=False))
    t, total = lg.triangles(G), lg.triangle_count(G)
    assert t.dtype == np.int64
    assert dense(t) == [right[v] for v in range(example.n)]
    assert 3 * total == sum(right.values())
    verify_triangles(G, t, total)


def check_clustering(example: graphs.Example, backend: Any) -> None:
    G, g = example.graph(backend), networkx_of(example, loops=False)
    right = nx.clustering(g)
    np.testing.assert_allclose(dense(lg.clustering(G)), [right[v] for v in range(example.n)])
    assert lg.average_clustering(G) == pytest.approx(nx.average_clustering(g))
    assert lg.transitivity(G) == pytest.approx(nx.transitivity(g.to_undirected()))
    verify_local_clustering(G, lg.local_clustering_coefficient(G))
    if not G.directed:
        assert dense(lg.local_clustering_coefficient(G)) == dense(lg.clustering(G))


def check_k_truss(example: graphs.Example, k: int, backend: Any) -> None:
    G, g = example.graph(backend), networkx_of(example, loops=False, directed=False)
    truss = lg.k_truss(G, k)
    verify_k_truss(G, k, truss)
    rows, columns, weight = truss.A.to_coo()
    found = {(u, v) for u, v in zip(rows.tolist(), columns.tolist()) if u <= v}
    assert found == {(min(e), max(e)) for e in nx.k_truss(g, k).edges}
    if not G.directed:
        assert all(G.A.get(u, v) == w for u, v, w in zip(rows, columns, weight))


def check_cores(example: graphs.Example, backend: Any) -> None:
    G, g = example.graph(backend), networkx_of(example, loops=False)
    core = lg.core_number(G)
    right = nx.core_number(g)
    assert dense(core) == [right[v] for v in range(example.n)]
    verify_core_number(G, core)
    for k in (None, 0, 2):
        K = lg.k_core(G, k)
        assert K.n == G.n and K.directed == G.directed
        held = zip(*(a.tolist() for a in K.A.to_coo()[:2]))
        edges = {e for e in held if e[0] != e[1] and (G.directed or e[0] < e[1])}
        assert edges == {e if G.directed else (min(e), max(e)) for e in nx.k_core(g, k).edges}


CHECKS = {
    "triangles": check_triangles,
    "clustering": check_clustering,
    "3-truss": lambda e, b: check_k_truss(e, 3, b),
    "5-truss": lambda e, b: check_k_truss(e, 5, b),
}


@pytest.mark.parametrize("what", CHECKS)
@pytest.mark.parametrize("example", [*EXAMPLES, PLANTED], ids=str)
def test_battery(what: str, example: graphs.Example) -> None:
    CHECKS[what](example, CPU)


@pytest.mark.parametrize("what", CHECKS)
@pytest.mark.parametrize("example", FEW, ids=str)
def test_emulated(what: str, example: graphs.Example) -> None:
    CHECKS[what](example, GPU)


@pytest.mark.parametrize("example", [*EXAMPLES, PLANTED], ids=str)
def test_cores(example: graphs.Example) -> None:
    for backend in BOTH if example.n < 100 else (CPU,):
        check_cores(example, backend)


@pytest.mark.parametrize("what", CHECKS)
@examples(40)
@given(example=any_graph())
def test_drawn(what: str, example: graphs.Example) -> None:
    CHECKS[what](example, CPU)


@examples(40)
@given(example=any_graph(), k=st.integers(-1, 9))
def test_drawn_cores_and_trusses(example: graphs.Example, k: int) -> None:
    check_cores(example, CPU)
    check_k_truss(example, k, CPU)


@pytest.mark.parametrize("directed", [False, True])
def test_clustering_on_a_cpu_computes_no_product(
    directed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Products take many times as long as the loops where rows are long."""
    for name in ("plus_pair", "plus_times"):
        monkeypatch.setattr(f"lagraph_gpu.algorithms.structure.clustering.{name}", None)
    G = lg.Graph.from_edges(*graphs.clique(40), n=40, directed=directed, backend=CPU)
    each = 0.5 if directed else 1.0
    for call in (lg.clustering, lg.local_clustering_coefficient):
        assert dense(call(G)) == [each] * 40


def test_planted_trusses_differ() -> None:
    """The example has something to peel: every truss is smaller than the last."""
    G = PLANTED.graph(CPU)
    sizes = [lg.k_truss(G, k).nedges for k in range(2, 9)]
    assert sizes == sorted(sizes, reverse=True) and len(set(sizes)) >= 5


def test_no_vertices(backend: Any) -> None:
    G = graphs.EMPTY.graph(backend)
    assert lg.core_number(G).size == 0
    assert lg.triangle_count(G) == 0 and lg.triangles(G).size == 0
    assert lg.clustering(G).size == 0 and lg.transitivity(G) == 0.0
    assert lg.k_truss(G, 3).n == 0 and lg.k_core(G).n == 0
    with pytest.raises(InvalidValue, match="at least one vertex"):
        lg.average_clustering(G)


def test_counts_beyond_a_byte() -> None:
    """The types of the weights are not those of the counts: INT8 would wrap at 128."""
    example = graphs.Example(
        "complete INT8", "counts that wrap", 40,
        tuple((u, v, 1) for u in range(40) for v in range(u)), directed=False, dtype="INT8",
    )  # fmt: skip
    assert dense(lg.triangles(example.graph(CPU))) == [39 * 38 // 2] * 40
    assert dense(lg.core_number(example.graph(CPU))) == [39] * 40


@pytest.mark.parametrize(
    "shape", ["a clique among roads", "few hubs", "dense", "hubs and their leaves"]
)
def test_each_way_to_compare_rows(shape: str) -> None:
    """Rows of the CPU's loop that are looked up, bitmaps that are, and bitmaps that are compared:
    rows of more than 32 entries, some of which have no bitmap."""
    rng, n = np.random.default_rng(7), 700
    i, j = rng.integers(0, n, (2, 900))
    if shape == "a clique among roads":
        more = np.triu_indices(90, 1)
    elif shape == "few hubs":
        more = rng.integers(0, 12, 3000), rng.integers(0, n, 3000)
    elif shape == "dense":
        more = rng.integers(0, n, 60_000), (n * rng.random(60_000) ** 3).astype(int)
    else:
        more = np.repeat(np.arange(500), 40), rng.integers(500, n, 20_000)
    ends = np.r_[i, more[0]], np.r_[j, more[1]]
    G = lg.Graph.from_edges(*ends, n=n, directed=False, dup="first", backend=CPU)
    assert total_triangles(G) == total_triangles.statements(G) > 0
    assert vertex_triangles(G).isequal(vertex_triangles.statements(G))


@pytest.mark.parametrize(
    ("longest", "nedges", "n", "short"),
    [
        (64, 100, 1000, True),  # whatever the mean
        (65, 100, 1000, False),
        (110, 64_000, 1000, True),  # less than four times the mean
        (110, 27_000, 1000, False),
        (300, 300_000, 1000, False),
        (0, 0, 0, True),
    ],
)
def test_which_rows_are_short(longest: int, nedges: int, n: int, short: bool) -> None:
    assert short_rows(longest, nedges, n) == short


@pytest.mark.parametrize("directed", [False, True])
def test_short_rows_are_counted_where_they_are(directed: bool) -> None:
    """On a GPU: one kernel, for whose answer the host waits once. A row that is longer than others
    takes the product."""
    rng = np.random.default_rng(5)
    ends = rng.integers(0, 90, (2, 700))
    G = lg.Graph.from_edges(*ends, n=90, directed=directed, dup="first", backend=GPU)
    right = lg.triangle_count(G.to("cpu"))
    assert lg.triangle_count(G) == right > 0  # the neighbours of a directed graph are kept
    with Instrument(GPU) as seen:
        assert lg.triangle_count(G) == right
    assert seen.count.keys() - {"zeros", "full"} == {"short_row_triangles"} and seen.waits == 1
    hub = np.repeat(200, 80), np.arange(80)
    ends = np.r_[ends[0], hub[0]], np.r_[ends[1], hub[1]]
    G = lg.Graph.from_edges(*ends, n=220, directed=directed, dup="first", backend=GPU)
    assert lowered(total_triangles, G) is None
    assert lg.triangle_count(G) == lg.triangle_count(G.to("cpu"))


@pytest.mark.parametrize(
    ("nedges", "n", "pay"),
    [
        (1 << 28, 1 << 24, True),
        (1 << 29, 1 << 24, True),
        ((1 << 29) + 1, 1 << 24, False),  # many rows have more entries than fingerprints
        ((1 << 28) - 1, 1 << 24, False),
        (1 << 26, (1 << 22) - 1, False),
    ],
)
def test_which_rows_have_fingerprints(nedges: int, n: int, pay: bool) -> None:
    assert fingerprints_pay(nedges, n) == pay


def test_fingerprints_are_made_where_there_is_memory_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    backend = gpu(3)
    backend.triangles.fingerprints = Fingerprints(0, 0, 100)
    ends = np.random.default_rng(5).integers(0, 90, (2, 700))
    G = lg.Graph.from_edges(*ends, n=90, directed=False, dup="first", backend=backend)
    right = lg.triangle_count(G.to("cpu"))
    old = {"short_row_triangles"}
    new = {"sample_entries", "row_fingerprints", "fingerprint_triangles"} | old
    assert lg.triangle_count(G) == right > 0
    with Instrument(backend) as seen:
        assert lg.triangle_count(G) == right
    assert seen.count.keys() - {"zeros", "full"} == new and seen.waits == 1
    with lg.explain() as told:
        lg.triangle_count(G)
    assert [choice.chosen for choice in told.choices] == [
        "by fingerprints of rows, in four kernels"
    ]

    empty = backend.device.empty

    def without_room(size: int, dtype: Any) -> Any:
        if size == 32 * 90:
            raise TooLarge("no room")
        return empty(size, dtype)

    monkeypatch.setattr(backend.device, "empty", without_room)
    with Instrument(backend) as seen:
        assert lg.triangle_count(G) == right
    assert seen.count.keys() - {"zeros", "full"} == old and seen.waits == 1
    with lg.explain() as told:
        lg.triangle_count(G)
    assert [choice.chosen for choice in told.choices] == ["in one kernel"]


def test_directed_coefficients_differ() -> None:
    """A triangle and an edge there and back: Graphalytics counts one edge of six among the three
    neighbours of 0, Fagiolo two closed walks of twenty."""
    edges = [(0, 1), (1, 2), (2, 0), (0, 3), (3, 0)]
    G = lg.Graph.from_edges(*zip(*edges), backend=CPU)
    assert dense(lg.local_clustering_coefficient(G)) == [1 / 6, 0.5, 0.5, 0]
    assert dense(lg.clustering(G)) == [0.1, 0.5, 0.5, 0]


def test_the_parts_know_that_they_are_transposes() -> None:
    for backend in (CPU, GPU):
        U, L = triangular_parts(by_degree(graphs.NAMED["random 33"].graph(backend)))
        assert U.T.new().isequal(L) and L.T.new().isequal(U)
    assert GPU.matrices.transpose(L._store) is U._store and U._store.transposed is L._store


def test_nobody_looks_whether_the_pattern_has_weights() -> None:
    """All of its values are true, and to find the least and the greatest is a pass and a wait
    each."""
    G = graphs.NAMED["star both ways"].graph(GPU)
    with Instrument(GPU) as seen:
        R = by_degree(G)
    assert R.ids is not None and not R.weighted
    assert seen.count["reduce"] == 1  # for the longest row


def test_k_is_an_integer() -> None:
    G = PLANTED.graph(CPU)
    for find in (lg.k_truss, lg.k_core):
        with pytest.raises(WrongType, match="k as an integer"):
            find(G, 2.5)
        with pytest.raises(WrongType, match="k as an integer, got True"):
            find(G, True)
        assert find(G, np.int8(3)).A.isequal(find(G, 3).A)


def test_the_truss_of_a_path_is_a_graph_of_its_own() -> None:
    """Not even for k = 2 is the result the graph's own matrix: changing one leaves the other."""
    G = graphs.NAMED["two components"].graph(CPU)
    truss = lg.k_truss(G, 2)
    del truss.A[0, 1]
    assert G.A.get(0, 1) == 1


def test_cores_of_a_large_graph() -> None:
    """16,384 vertices: in round 164, with one vertex peeled and 469 left, SuiteSparse did not
    return from the product while it stood under the mask of those left."""
    G = lg.kronecker(14, 16, seed=1, backend=CPU)
    verify_core_number(G, lg.core_number(G))


@pytest.mark.parametrize("k", [5, 2**31 + 2, 2**63, 10**30])
def test_no_truss_is_as_dense_as_that(k: int) -> None:
    complete = lg.Graph.from_edges([0, 0, 0, 1, 1, 2], [1, 2, 3, 2, 3, 3], directed=False)
    assert lg.k_truss(complete, 4).nedges == 6 and lg.k_truss(complete, k).nedges == 0
