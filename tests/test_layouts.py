"""Graphs under other ids: the same answers, in the ids that are promised."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.errors import DimensionMismatch, InvalidValue, WrongType
from lagraph_gpu.planning.depth import TRIALS
from semirings import SEMIRINGS, any_pair, any_secondi, binary, max_min, min_plus, semiring
from semirings.monoids import MONOIDS
from tests.harness import BOTH, CPU, DEVICE, GPU, put, reseed
from tests.strategies import any_graph, examples, orders, schedules, seeds

OWN = semiring(MONOIDS["max"], binary("min(x, y)"), name="own_bottleneck")
ORDERS = st.sampled_from(["degree", "bfs", "drawn"])


def graph_of(example: Any, backend: Any) -> lg.Graph:
    return lg.Graph(put(example.adjacency, backend), directed=True)


def ordered(G: lg.Graph, order: str, seed: int) -> Any:
    return np.random.default_rng(seed).permutation(G.n) if order == "drawn" else order


def dense(G: lg.Graph) -> np.ndarray:
    """Weights, NaN where there is no edge."""
    rows, columns, values = G.A.to_coo()
    made = np.full((G.n, G.n), np.nan)
    made[rows, columns] = values
    return made


def is_tree(A: np.ndarray, parent: dict[int, int], level: dict[int, int], source: int) -> bool:
    """Is each parent a neighbour one level nearer?"""
    return parent.keys() == level.keys() and all(
        p == v == source or (not np.isnan(A[p, v]) and level[p] == level[v] - 1)
        for v, p in parent.items()
    )


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
@examples(25)
@given(graph=any_graph(), order=ORDERS, seed=seeds)
def test_relabelled(backend: Any, graph: Any, order: str, seed: int) -> None:
    """The same matrix, rows and columns in the new order; vectors there and back."""
    reseed(seed)
    G = graph_of(graph, backend)
    H = G.relabel(ordered(G, order, seed))
    ids = H.ids.to_dense()
    assert sorted(ids) == list(range(G.n)) and (H.A.dtype, H.directed) == (G.A.dtype, G.directed)
    np.testing.assert_array_equal(dense(H), dense(G)[ids][:, ids])
    v = lg.Vector.from_coo(np.arange(0, G.n, 2), np.arange(0, G.n, 2), size=G.n, backend=backend)
    there = H.from_original(v)
    assert there.to_dict() == {i: int(ids[i]) for i in range(G.n) if ids[i] % 2 == 0}
    assert H.to_original(there).isequal(v) and G.to_original(v) is v
    again = H.relabel(ordered(G, "drawn", seed + 1))
    np.testing.assert_array_equal(
        dense(again), dense(G)[again.ids.to_dense()][:, again.ids.to_dense()]
    )


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
@examples(12)
@given(
    graph=any_graph(), order=ORDERS, seed=seeds, schedule=schedules | orders,
    longest=st.sampled_from([-1, 64]), wide=st.sampled_from([-1, 8]),
)  # fmt: skip
def test_searches(
    backend: Any, graph: Any, order: str, seed: int, schedule: Any, longest: int, wide: int
) -> None:
    """Breadth-first search and shortest paths, relabelled and prepared, under every schedule."""
    reseed(seed)
    G = graph_of(graph, backend)
    if G.n == 0:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GPU.closures.order_choice, "longest", longest)  # is a graph deep?
        patch.setattr(GPU.hub_first, "wide", wide)  # has it a core?
        agree_on_searches(G, order, seed, schedule)


def agree_on_searches(G: lg.Graph, order: str, seed: int, schedule: lg.Schedule | None) -> None:
    source, A = seed % G.n, dense(G)
    level, _ = lg.bfs(G, source)
    H, P = G.relabel(ordered(G, order, seed)), G.prepared(ordered(G, order, seed))
    at = H.ids.to_dense().tolist().index(source)
    there, parent = lg.bfs(H, at, schedule=schedule)
    parents = H.to_original(parent, ids=True).to_dict()
    assert H.to_original(there).isequal(level) and is_tree(A, parents, level.to_dict(), source)
    same, parent = lg.bfs(P, source, schedule=schedule)
    assert same.isequal(level) and is_tree(A, parent.to_dict(), level.to_dict(), source)
    if G.lightest is not None and G.lightest < 0:
        return
    distance, _ = lg.sssp(G, source)
    there, _ = lg.sssp(H, at, schedule=schedule)
    near, parent = lg.sssp(P, source, schedule=schedule)
    assert H.to_original(there).isequal(distance)
    assert near.isequal(distance) and parent.to_dict().keys() == distance.to_dict().keys()
    found = distance.to_dict()
    for v, p in parent.to_dict().items():
        assert v == p == source or found[p] + A[p, v] == found[v]


RINGS = [min_plus, max_min, any_pair, any_secondi, OWN, SEMIRINGS["min_secondi"],
         SEMIRINGS["any_firstj1"], SEMIRINGS["min_first"], SEMIRINGS["any_first"]]  # fmt: skip
TAIL_OF = {any_secondi: 0, SEMIRINGS["any_firstj1"]: 1}
"""What they add to the vertex that an edge leaves: any that is one level nearer will do."""


@pytest.mark.parametrize("ring", RINGS, ids=lambda r: r.name)
@examples(12)
@given(graph=any_graph(), seed=seeds, order=ORDERS, few=st.booleans(), flip=st.booleans(),
       most=st.none() | st.integers(0, 4), schedule=schedules)  # fmt: skip
def test_closures(
    ring: Any, graph: Any, seed: int, order: str, few: bool, flip: bool, most: int | None,
    schedule: Any,
) -> None:  # fmt: skip
    """Any closure over a prepared matrix is that over the matrix, positions and vertices too."""
    reseed(seed)
    G = lg.Graph(put(graph.adjacency.cast(np.dtype(np.int64)), GPU), directed=True)
    P = G.prepared(ordered(G, order, seed))
    at = np.arange(G.n)[seed % max(1, G.n) :][: 1 if few else None]
    start = lg.Vector.from_coo(at, 7 * at + 3, "INT64", size=G.n, backend=GPU)
    if ring.name == "any_first" and not few:
        return  # which of several values comes is not determined
    one, other = (g.A.T if flip else g.A for g in (G, P))
    most = 2 if most is None and ring.positional and not ring.monoid.is_any else most
    wanted, rounds = closure_with_rounds(start, one, ring, most)
    found, when = closure_with_rounds(start.dup(), other, ring, most, schedule)
    assert when.isequal(rounds)
    if ring not in TAIL_OF:
        assert found.isequal(wanted)
        return
    values, level, A = found.to_dict(), rounds.to_dict(), dense(G).T if flip else dense(G)
    assert values.keys() == level.keys()
    for v, value in values.items():
        if level[v] == 0:
            assert value == 7 * v + 3
        else:
            p = value - TAIL_OF[ring]
            assert level[p] == level[v] - 1 and not np.isnan(A[p, v])


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
@examples(10)
@given(graph=any_graph(), seed=seeds, order=ORDERS)
def test_algorithms(backend: Any, graph: Any, seed: int, order: str) -> None:
    """A prepared graph answers as the graph itself."""
    reseed(seed)
    G = graph_of(graph, backend)
    P = G.prepared(ordered(G, order, seed))
    assert P.A.isequal(G.A) and P.nedges == G.nedges and P.ids is None
    assert lg.connected_components(P).isequal(lg.connected_components(G))
    assert lg.strongly_connected_components(P).isequal(lg.strongly_connected_components(G))
    if G.n:
        k_hop = [lg.bfs(g, seed % G.n, max_level=2)[0] for g in (G, P)]
        assert k_hop[0].isequal(k_hop[1])


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_by_degree(backend: Any) -> None:
    """By falling number of edges in and out, ties by id, a loop twice, isolated vertices last."""
    G = lg.Graph.from_edges([1, 4, 4, 4, 2], [4, 2, 6, 4, 6], n=8, backend=backend)
    H = G.relabel()
    assert H.ids.to_dense().tolist() == [4, 2, 6, 1, 0, 3, 5, 7]


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_breadth_first(backend: Any) -> None:
    """By component, then by distance from a vertex of least degree, then by id."""
    G = lg.Graph.from_edges([5, 1, 0, 3, 3], [1, 0, 3, 7, 2], n=8, directed=False, backend=backend)
    assert G.relabel("bfs").ids.to_dense().tolist() == [2, 3, 0, 7, 1, 5, 4, 6]


def test_a_prepared_graph_is_that_of_the_cpu_itself() -> None:
    G = lg.Graph.from_edges([0], [1], backend=CPU)
    assert G.prepared() is G
    assert lg.Graph.from_edges([0], [1], backend=GPU).prepared() is not G


def test_a_write_to_a_prepared_matrix_is_seen() -> None:
    """The copy answers for the matrix as it was prepared, so a matrix that changes has none."""
    P = lg.Graph.from_edges([0, 1], [1, 2], n=4, backend=GPU).prepared()
    P.A[2, 3] = 1
    assert lg.bfs(P, 0)[0].to_dict() == {0: 0, 1: 1, 2: 2, 3: 3}


@pytest.mark.parametrize(("prepares", "kernels", "results"), [(False, 1, 2), (True, 2, 4)])
def test_a_later_search_asks_for_its_results_alone(
    prepares: bool, kernels: int, results: int
) -> None:
    """Frontiers belong to the matrix; one kernel beside the one that restores, and no wait once it
    is known that searches take few rounds."""
    rng = np.random.default_rng(1)
    G = lg.Graph.from_edges(
        *rng.integers(0, 90, (2, 900)), n=90, directed=False, dup="min", backend=GPU
    )
    graph = G.prepared() if prepares else G
    for source in range(TRIALS):
        lg.bfs(graph, source)
    asked: list[int] = []
    reserve = DEVICE.reserve
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DEVICE, "reserve", lambda *parts: asked.append(len(parts)) or reserve(*parts))
        patch.setattr(DEVICE, "zeros", lambda n, t: pytest.fail("nothing is cleared"))
        waits, launches = DEVICE.waits, DEVICE.launches
        lg.bfs(graph, 5)
    assert (DEVICE.waits, DEVICE.launches) == (waits, launches + kernels)
    assert asked == [2] * results


def test_ids_are_restored_before_the_host_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the device has work while the host launches what comes next, such as a tree."""
    monkeypatch.setattr(GPU.hub_first, "wide", -1)
    monkeypatch.setattr(GPU.closures.order_choice, "longest", -1)
    i, j = np.random.default_rng(1).integers(0, 90, (2, 900))
    G = lg.Graph.from_edges(i, j, i + j + 1.0, n=90, directed=False, dup="min", backend=GPU)
    graph, did = G.prepared(), []
    lg.sssp(graph, 3)
    fetch, launch = DEVICE.fetch, GPU.launch

    def fetching(array: Any) -> Any:
        fetched = fetch(array)
        return lambda: did.append("wait") or fetched()

    def launching(header: str, algebra: str, name: str, *more: Any, **named: Any) -> None:
        did.append(name.split("<")[0])
        launch(header, algebra, name, *more, **named)

    monkeypatch.setattr(DEVICE, "fetch", fetching)
    monkeypatch.setattr(GPU, "launch", launching)
    lg.sssp(graph, 5)
    assert did.count("wait") == 1 and did[: did.index("wait")] == ["bottom_up_round"] * 3 + [
        "restore"
    ]


@pytest.mark.parametrize(
    ("order", "error", "words"),
    [
        ("size", InvalidValue, "degree, bfs or a permutation"),
        ([0, 1], DimensionMismatch, "3 vertices"),
        ([0.0, 1.0, 2.0], DimensionMismatch, "integers"),
        ([0, 1, 1], InvalidValue, "once"),
        ([0, 1, 3], InvalidValue, "once"),
        ("weight", InvalidValue, "degree, bfs or a permutation, got 'weight'"),
        (None, DimensionMismatch, "a permutation of 3 vertices as integers"),
    ],
)
@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_bad_orders(backend: Any, order: Any, error: Any, words: str) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], backend=backend)
    for made in (G.relabel, G.prepared):
        with pytest.raises(error, match=words):
            made(order)
    nobody = lg.Graph.from_edges([], [], n=0, backend=backend)
    assert nobody.relabel([]).n == nobody.prepared([]).n == 0


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32"])
@pytest.mark.parametrize("n", [19, 20, 21, 30, 64])
def test_a_copy_with_few_vertices_that_have_edges(dtype: str, n: int) -> None:
    """Several small values share a word, and the word of the last may go beyond those."""
    i, j = np.indices((19, 19)).reshape(2, -1)
    w = (np.arange(361) % 2 + 1).astype(dtype)
    wanted, _ = lg.sssp(lg.Graph.from_edges(i, j, w, n=n, backend=CPU), 0)
    G = lg.Graph.from_edges(i, j, w, n=n, backend=GPU)
    for made in (G.prepared(), G.relabel()):
        at = 0 if made.ids is None else int(np.flatnonzero(made.ids.to_dense() == 0)[0])
        assert made.to_original(lg.sssp(made, at)[0]).to("cpu").isequal(wanted)


def test_vectors_of_another_size_are_refused() -> None:
    H = lg.Graph.from_edges([0, 1], [1, 2], backend=CPU).relabel()
    with pytest.raises(DimensionMismatch, match="3 vertices, got 2"):
        H.to_original(lg.Vector("INT64", 2, backend=CPU))


def test_what_is_no_vector_is_refused() -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], backend=CPU)
    for H in (G, G.relabel()):
        for move in (H.to_original, H.from_original):
            with pytest.raises(
                WrongType, match=r"lagraph_gpu.Vector over the 3 vertices, got array"
            ):
                move(np.zeros(3))  # type: ignore[arg-type]


def test_ids_go_with_a_graph_to_another_backend() -> None:
    H = lg.Graph.from_edges([0, 2], [1, 1], backend=CPU).relabel()
    assert H.to(GPU).ids.to_dense().tolist() == [1, 0, 2]
