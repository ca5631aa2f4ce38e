"""What is read of a graph, against NetworkX: edges, neighbours, degrees, graphs of others."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import lagraph_gpu as lg
from lagraph_gpu.errors import IndexOutOfBound, InvalidValue, MissingPackage, WrongType
from semirings import types
from tests import graphs
from tests.harness import CPU, DEVICE, GPU
from tests.simt.device import EmulatedDevice
from tests.strategies import any_graph, examples

LOOPS = graphs.Example("loops", "", 5, ((0, 0, 3), (0, 2, 5), (2, 3, 7), (3, 0, 2), (3, 3, 1)))
SOME = [
    LOOPS,
    graphs.undirected(LOOPS),
    graphs.Example("empty", "", 0, ()),
    graphs.Example("one vertex", "", 1, ((0, 0, 2),), False, "FP32"),
    graphs.Example("isolated", "", 3, ()),
    graphs.Example("no weights", "", 4, ((1, 2, 1), (2, 3, 1)), False, weighted=False),
]
named = pytest.mark.parametrize("example", SOME, ids=str)


def theirs(example: graphs.Example) -> Any:
    """The graph in NetworkX, made without this library."""
    g = nx.DiGraph() if example.directed else nx.Graph()
    g.add_nodes_from(range(example.n))
    for u, v, w in example.edges:
        g.add_edge(u, v, weight=w if example.weighted else 1)
    return g


def check_reads(G: lg.Graph, g: Any) -> None:
    source, target, weight = (part.tolist() for part in G.edges())
    assert list(zip(source, target)) == sorted(zip(source, target))
    held = {(u, v): w for u, v, w in zip(source, target, weight)}
    order = {
        (u, v) if G.directed else (min(u, v), max(u, v)): w for u, v, w in g.edges.data("weight")
    }
    assert held == order and len(source) == g.number_of_edges()
    back = lg.Graph.from_edges(source, target, weight, G.n, G.directed, backend=G.backend)
    assert back.A.to_dicts() == G.A.to_dicts()
    assert G.degree().to_dense().tolist() == [g.degree(v) for v in range(G.n)]
    for v in range(min(G.n, 4)):
        assert G.degree(v) == g.degree(v)
        assert G.neighbors(v).to_dict() == {u: g[v][u]["weight"] for u in sorted(g[v])}
        assert G.has_edge(v, G.n - 1) == g.has_edge(v, G.n - 1)
    ours = G.to_networkx()
    assert type(ours) is type(g) and list(ours) == list(g)
    assert nx.utils.graphs_equal(ours, g) or not G.weighted


@named
def test_reads(example: graphs.Example, backend: Any) -> None:
    check_reads(example.graph(backend), theirs(example))


@examples(30)
@given(example=any_graph())
def test_reads_of_any_graph(example: graphs.Example) -> None:
    check_reads(example.graph(CPU), theirs(example))


@pytest.mark.parametrize("dtype", types.ALL, ids=types.name)
def test_weights_of_each_type(dtype: Any) -> None:
    G = LOOPS.of(types.name(dtype)).graph(CPU)
    assert (
        G.edges()[2].dtype == G.to_scipy().dtype == G.to_edge_index(weight=True)[1].dtype == dtype
    )
    for back in (lg.Graph.from_networkx(G.to_networkx()), lg.Graph.from_scipy(G.to_scipy())):
        assert [a.tolist() for a in back.edges()] == [a.tolist() for a in G.edges()]


@named
def test_arrays_on_the_device_are_those_of_the_host(example: graphs.Example, backend: Any) -> None:
    if backend is GPU and not isinstance(DEVICE, EmulatedDevice):
        pytest.skip("foreign arrays of the emulator; tests/test_interchange_cuda.py has CuPy's")
    G = example.graph(backend)
    for here, there in zip(G.edges(), G.edges(device=True)):
        there = np.asarray(there if backend is CPU else there.get())
        assert here.tolist() == there.tolist() and here.dtype == there.dtype


@named
def test_edge_index(example: graphs.Example, backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    G = example.graph(backend)
    index, weight = G.to_edge_index(weight=True)
    assert index.shape == (2, G.A.nvals) and index.dtype == np.int64
    assert {(u, v): w for u, v, w in zip(*index.tolist(), weight.tolist())} == {
        position: w.item() for position, w in example.adjacency.entries.items()
    }
    if backend is CPU or isinstance(DEVICE, EmulatedDevice):
        host = lambda part: np.asarray(part.get() if hasattr(part, "get") else part)  # noqa: E731
        fake = SimpleNamespace(from_dlpack=host, stack=lambda parts: ("stacked", np.stack(parts)))
        monkeypatch.setitem(sys.modules, "torch", fake)
        word, tensor = G.to_edge_index(torch=True)
        assert word == "stacked" and tensor.tolist() == index.tolist()


@named
def test_igraph(example: graphs.Example, monkeypatch: pytest.MonkeyPatch) -> None:
    """python-igraph is under the GPL, so it is not installed with the tests; what it is told is."""
    told: dict[str, Any] = {}
    fake = SimpleNamespace(Graph=lambda **given: told.update(given))
    monkeypatch.setitem(sys.modules, "igraph", fake)
    G = example.graph(CPU)
    G.to_igraph("km")
    source, target, weight = (part.tolist() for part in G.edges())
    assert told["n"] == G.n and told["directed"] == G.directed
    assert told["edges"] == list(zip(source, target))
    assert told["edge_attrs"] == ({"km": weight} if G.weighted else {}) and not told["vertex_attrs"]
    G.vertex_data["age"], G.edge_data["how"] = [30] * G.n, ["bus"] * len(source)
    G.to_igraph("km")
    assert told["vertex_attrs"] == {"age": [30] * G.n}
    assert told["edge_attrs"]["how"] == ["bus"] * len(source)
    lg.Graph.from_edges([0, 0], [1, 2], [True, False], backend=CPU).to_igraph()
    assert [(type(w), w) for w in told["edge_attrs"]["weight"]] == [(int, 1), (int, 0)]


def test_real_igraph() -> None:
    pytest.importorskip(
        "igraph", reason="python-igraph is under the GPL and not installed for tests"
    )
    h = LOOPS.graph(CPU).to_igraph()
    assert h.is_directed() and h.vcount() == 5
    assert [(*e.tuple, e["weight"]) for e in h.es] == sorted(LOOPS.edges)


@pytest.mark.parametrize("name", ["igraph", "networkx", "torch"])
def test_a_library_that_is_missing_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    G = LOOPS.graph(CPU)
    export = {
        "igraph": G.to_igraph, "networkx": G.to_networkx,
        "torch": lambda: G.to_edge_index(torch=True),
    }  # fmt: skip
    wheel = r"'lagraph-gpu\[networkx\]'" if name == "networkx" else name
    with pytest.raises(MissingPackage, match=f"package {name} .* pip install {wheel}, or") as told:
        export[name]()
    assert isinstance(told.value, ImportError) and told.value.name == name


@pytest.mark.parametrize("v", [-1, 5, 2**40, 1.0, True, "1", None, [0]])
def test_hostile_vertices_are_refused(v: Any, backend: Any) -> None:
    G = LOOPS.graph(backend)
    for ask in (G.neighbors, lambda v: G.has_edge(v, 0), lambda v: G.has_edge(0, v)):
        with pytest.raises(IndexOutOfBound, match="vertex"):
            ask(v)
    if v is not None:
        with pytest.raises(IndexOutOfBound):
            G.degree(v)


def test_hostile_options_are_refused() -> None:
    G = LOOPS.graph(CPU)
    for ask in (
        lambda: G.edges(device="yes"), lambda: G.to_edge_index(torch=1),
        lambda: G.to_edge_index(weight="w"), lambda: G.to_scipy("dense"),
    ):  # fmt: skip
        with pytest.raises(InvalidValue):
            ask()
    with pytest.raises(WrongType, match="edge attribute"):
        G.to_networkx(3)  # type: ignore[arg-type]


def test_the_degrees_are_the_graphs(backend: Any) -> None:
    with pytest.raises(InvalidValue, match=r"G\.degree\(\)"):
        LOOPS.graph(backend).degree().clear()


@pytest.mark.parametrize(
    "edges",
    [
        [(0, 1, 5), (3, 1, 7)], [[0, 1, 5], [3, 1, 7]], ((u, 1, w) for u, w in ((0, 5), (3, 7))),
        np.array([(0, 1, 5), (3, 1, 7)]), np.array([(0, 1, 5.0), (3, 1, 7.0)]),
        zip([0, 3], [1, 1], [5, 7]), {(0, 1, 5): None, (3, 1, 7): None},
    ],
)  # fmt: skip
def test_triples(edges: Any) -> None:
    G = lg.Graph.from_edgelist(edges, backend=CPU)
    assert G.n == 4 and [a.tolist() for a in G.edges()] == [[0, 3], [1, 1], [5, 7]]


def test_pairs() -> None:
    G = lg.Graph.from_edgelist([(0, 1)], backend=CPU)
    assert (G.n, G.nedges, G.directed, G.weighted) == (2, 1, True, False)
    assert not lg.Graph.from_edgelist([(0, 1)], directed=False, backend=CPU).directed
    assert lg.Graph.from_edgelist([], backend=CPU).n == 0
    assert lg.Graph.from_edgelist([(0, 1, 3), (0, 1, 4)], "last", backend=CPU).heaviest == 4


@pytest.mark.parametrize(
    "edges",
    [5, None, "ab", [1, 2], [(0, 1), (0, 1, 2)], [(0, 1, 2), (0, 1)], [(0,)], [(0, 1, {"w": 2})],
     [("a", 1)], [(0, 1, 2, 3)], np.zeros((2, 4)), np.zeros((2, 1)), b"ab", [(0.5, 1)]],
)  # fmt: skip
def test_what_is_no_edge_is_refused(edges: Any) -> None:
    with pytest.raises(InvalidValue, match="expected"):
        lg.Graph.from_edgelist(edges, backend=CPU)


def test_attributes_of_networkx_stay_and_come_back() -> None:
    """Also where some are missing, and beside a weight; of parallel edges the first ones."""
    g = nx.Graph()
    g.add_node("Ann", age=30, home="Bonn")
    g.add_node("Bob", age=41)
    g.add_node(7, age=5)
    g.add_edge("Ann", "Bob", weight=2.0, road="B9", toll=True)
    g.add_edge("Bob", 7, weight=3.0, toll=False)
    g.add_edge(7, 7, weight=4.0, toll=False)
    g.edges["Bob", 7][0] = "a name that is no string"
    G = lg.Graph.from_networkx(g, backend=CPU)
    assert G.vertex_data["age"].tolist() == [30, 41, 5] and G.vertex_data["age"].dtype.kind == "i"
    assert G.vertex_data["home"].tolist() == ["Bonn", None, None]
    assert set(G.edge_data) == {"road", "toll"}
    del g.edges["Bob", 7][0]
    assert nx.utils.graphs_equal(G.to_networkx(), g)
    unread = lg.Graph.from_networkx(g, weight=None, backend=CPU)
    assert sorted(unread.edge_data["weight"].tolist()) == [2, 3, 4]
    assert nx.utils.graphs_equal(unread.to_networkx(), g)
    roads = nx.MultiDiGraph([(0, 1, {"name": "A1"}), (0, 1, {"name": "B2"}), (1, 0, {})])
    found = lg.Graph.from_networkx(roads, dup="first", backend=CPU).edge_data
    assert found["name"].tolist() == ["A1", None] and found["count"].tolist() == [2, 1]
