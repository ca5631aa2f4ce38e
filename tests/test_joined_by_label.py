"""Graphs joined by label, and new labels in `add_edges`, against NetworkX."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import DuplicateEdges, IndexOutOfBound, InvalidValue
from tests.harness import CPU
from tests.strategies import examples

WORDS = st.sampled_from(["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Guy"])
WHOLE = st.sampled_from([-4, 0, 3, 7, 10**12])


@st.composite
def graphs(draw: Any, directed: bool, nodes: Any) -> nx.Graph:
    """A graph whose nodes and edges have attributes, some of them only in places."""
    g: nx.Graph = nx.DiGraph() if directed else nx.Graph()
    some: Any = st.dictionaries(st.sampled_from(["age", "count", "in"]), st.integers(0, 5))
    g.graph |= draw(some)
    g.add_node(draw(nodes), **draw(some))
    for name in draw(st.lists(nodes, max_size=5)):
        g.add_node(name, **draw(some))
    for _ in range(draw(st.integers(0, 6))):
        g.add_edge(draw(nodes), draw(nodes), weight=draw(st.integers(1, 9)), **draw(some))
    if not g.edges:
        g.add_edge(*[next(iter(g))] * 2, weight=1)
    return g


def told(g: nx.Graph) -> tuple[Any, ...]:
    """The nodes in order, and the edges, with all attributes but counts of edges."""
    edges = {
        (u, v) if g.is_directed() else frozenset((u, v)): {
            name: value for name, value in data.items() if name != "count"
        }
        for u, v, data in g.edges(data=True)
    }
    return [*g.nodes(data=True)], edges, g.graph


def numbered_from_0(g: nx.Graph) -> bool:
    """Whether a graph of NetworkX becomes one without labels."""
    return [*g] == [*range(len(g))]


@examples(60)
@given(data=st.data(), directed=st.booleans(), nodes=st.sampled_from([WORDS, WHOLE, WORDS | WHOLE]))
def test_union_is_what_networkx_composes(data: Any, directed: bool, nodes: Any) -> None:
    g, h = (data.draw(graphs(directed, nodes)) for _ in range(2))
    if numbered_from_0(g) or numbered_from_0(h):
        return
    G, H = (lg.Graph.from_networkx(x, backend=CPU) for x in (g, h))
    kinds = [{*map(type, x)} for x in (g, h)]
    if kinds[0] != kinds[1] and {1} == {*map(len, kinds)}:
        with pytest.raises(InvalidValue, match="labels of both graphs to be of one type"):
            G.union(H, "last")
        return
    assert told(G.union(H, "last").to_networkx()) == told(nx.compose(g, h))
    turned = nx.compose(h, g)  # what g has counts, and then what h has
    first = told(G.union(H, "first").to_networkx())
    order = [*nx.compose(g, h)]
    assert first == ([(v, turned.nodes[v]) for v in order], *told(turned)[1:])
    assert told(G.to_networkx()) == told(g) and told(H.to_networkx()) == told(h)


@examples(40)
@given(data=st.data(), directed=st.booleans(), nodes=st.sampled_from([WORDS, WHOLE]))
def test_new_labels_are_new_vertices(data: Any, directed: bool, nodes: Any) -> None:
    g = data.draw(graphs(directed, nodes))
    if numbered_from_0(g):
        return
    G, before = lg.Graph.from_networkx(g, backend=CPU), told(g)
    edges = data.draw(st.lists(st.tuples(nodes, nodes, st.integers(1, 9)), max_size=6))
    src, dst, weight = ([*part] for part in zip(*edges)) if edges else ([], [], [])
    H = G.add_edges(src, dst, weight, dup="last")
    new = sorted({*src, *dst} - {*g})
    assert H.label(np.arange(H.n)) == [*g, *new]  # old positions stay, new ones by size
    right = g.copy()
    right.add_nodes_from(new)
    right.add_weighted_edges_from(edges)
    assert told(H.to_networkx()) == told(right)
    assert told(G.to_networkx()) == before


@pytest.mark.parametrize("directed", [True, False])
def test_on_each_backend(backend: Any, directed: bool) -> None:
    G = lg.Graph.from_edges(["b", "a"], ["c", "b"], [5, 6], directed=directed, backend=backend)
    H = lg.Graph.from_edges(["z", "c"], ["a", "y"], [7, 8], directed=directed, backend=backend)
    G.vertex_data["age"], H.vertex_data["age"] = [1.5, 2.5, 3.5], [9.0, 8.0, 7.0, 6.0]
    U = G.union(H)
    assert U.label([*range(5)]) == ["a", "b", "c", "y", "z"]
    ages = U.vertex_data["age"]
    assert ages.dtype == np.float64 and ages.tolist() == [1.5, 2.5, 3.5, 7, 6]
    for u, v, w in (("b", "c", 5), ("a", "b", 6), ("z", "a", 7), ("c", "y", 8)):
        assert U.A.get(U.position(u), U.position(v)) == w
        assert U.has_edge(v, u) is not directed
    assert U.nedges == 4 and U.backend is backend
    distance = U.named(lg.sssp(U, "z")[0])
    assert distance["y"] == 7 + 6 + 5 + 8
    M = G.add_edges(["a", "q"], ["p", "a"], [1, 2])
    assert M.label([*range(5)]) == ["a", "b", "c", "p", "q"]
    assert M.vertex_data["age"].tolist() == [1.5, 2.5, 3.5, None, None]
    assert M.has_edge("q", "a") and M.to_networkx().nodes["p"] == {}


def test_relabelled_graphs_and_graphs_without_vertices() -> None:
    G = lg.Graph.from_edges(["a", "b"], ["b", "c"], [5, 6], backend=CPU).relabel([2, 0, 1])
    H = G.add_edges(["d"], ["a"], [7])
    assert H.label([*range(4)]) == ["c", "a", "b", "d"]
    assert H.ids.to_dense().tolist() == [2, 0, 1, 3] and H.original_n == 4
    nothing = lg.Graph.from_edges([], [], labels=True, backend=CPU)
    for made in (nothing.union(G), nothing.add_edges(["b"], ["c"]).union(G, "last")):
        assert sorted(made.labels) == ["a", "b", "c"] and made.nedges == 2
    assert G.union(nothing).labels is not None and G.union(nothing).n == 3


def test_data_of_vertices_beyond_the_graph() -> None:
    G = lg.grid(1, 2, backend=CPU)
    G.vertex_data["x"] = [0.5, 1.5]
    assert G.add_edges([1], [2], n=3).vertex_data["x"].tolist() == [0.5, 1.5, None]
    H = lg.grid(1, 3, backend=CPU)
    H.vertex_data["x"] = [7.0, 8.0, 9.0]
    assert G.union(H).vertex_data["x"].tolist() == [0.5, 1.5, 9]
    assert H.union(G, "last").vertex_data["x"].tolist() == [0.5, 1.5, 9]


def test_data_of_the_graph_itself(tmp_path: Path, backend: Any) -> None:
    kept = {"name": "trains", "bounds": (1.5, [None, "x"]), "by": {"Bonn": {3: True}}}
    g = nx.Graph([("Bonn", "Köln")], **kept)
    g.graph[5], g.graph["made"] = "five", object()
    G = lg.Graph.from_networkx(g, backend=backend)
    made = [G, G.relabel([1, 0]), G.subgraph(["Bonn"]), G.add_edges(["Trier"], ["Bonn"]), G.to(CPU),
            lg.largest_component(G), G.remove_edges(["Bonn"], ["Köln"])]  # fmt: skip
    assert all(H.to_networkx().graph == g.graph for H in made)
    made[1].graph_data["name"] = "other"
    assert G.graph_data["name"] == "trains"
    with pytest.warns(UserWarning) as told:
        G.save(tmp_path / "graph")
    assert [re.findall("keep (.*?):.*got (.*?) [5o]", str(w.message)) for w in told] == [
        [("5 of graph_data", "the name")], [("'made' of graph_data", "<object")],
    ]  # fmt: skip
    assert lg.open(tmp_path / "graph", backend=backend).graph_data == kept
    del G.graph_data["made"]
    assert pickle.loads(pickle.dumps(G)).graph_data == kept | {5: "five"}


def test_what_is_refused() -> None:
    G = lg.Graph.from_edges(["Ann"], ["Bob"], [5], backend=CPU)
    whole = lg.Graph.from_edges([70], [80], [5], labels=True, backend=CPU)
    plain = lg.Graph.from_edges([0], [1], [5], backend=CPU)
    with pytest.raises(IndexOutOfBound, match="position 0 has the label 'Ann', so give that"):
        G.add_edges([0], [1])
    with pytest.raises(InvalidValue, match="labels of one type, got str in src and int in dst"):
        G.add_edges(["Ann"], [1])
    with pytest.raises(InvalidValue, match="a label in each row of src, got None in row 1"):
        G.add_edges(["Ann", None], ["Bob", "Bob"])
    with pytest.raises(InvalidValue, match="n beside labels, got 9; new labels bring"):
        G.add_edges(["Ann"], ["Cid"], n=9)
    with pytest.raises(DuplicateEdges, match="the edge 'Cid' → 'Dan' more than once"):
        G.add_edges(["Cid", "Cid"], ["Dan", "Dan"])
    with pytest.raises(IndexOutOfBound, match="similar labels are 'Ann'"):
        G.remove_edges(["Anne"], ["Bob"])
    for other, words in ((whole, "got 70 beside str"), (plain, "one of each; assign labels")):
        with pytest.raises(InvalidValue, match=words):
            G.union(other)
    clash = lg.Graph.from_edges(["Cid", "Ann"], ["Ann", "Bob"], [1, 6], backend=CPU)
    with pytest.raises(DuplicateEdges, match="got 5 and 6 for the edge 'Ann' → 'Bob'"):
        G.union(clash)
