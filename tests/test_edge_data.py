"""Data of edges where several become one: those of the edge whose weight the one has."""

from __future__ import annotations

import pickle
from typing import Any

import networkx as nx
import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import DimensionMismatch, WrongType
from tests.harness import CPU

DUPS = "min", "sum", "first", "last"
Row = tuple[int, int, int, str]


def expected(rows: list[Row], dup: str, directed: bool) -> dict[Any, tuple[Any, str, int]]:
    """The weight, the data and the count of each edge, by a dict of all that are given."""
    given: dict[Any, list[tuple[int, str]]] = {}
    for u, v, w, how in rows:
        given.setdefault((u, v) if directed else (min(u, v), max(u, v)), []).append((w, how))
    kept = {}
    for edge, all_of in given.items():
        weights = [w for w, _ in all_of]
        at = {"min": int(np.argmin(weights)), "last": -1}.get(dup, 0)
        weight = sum(weights) if dup == "sum" else weights[at]
        kept[edge] = weight, all_of[at][1], len(all_of)
    return kept


def found(G: lg.Graph) -> dict[Any, tuple[Any, str, int]]:
    u, v, w = (part.tolist() for part in G.edges())
    data = zip(w, G.edge_data["how"].tolist(), G.edge_data["count"].tolist(), strict=True)
    return dict(zip(zip(u, v), data, strict=True))


def drawn(seed: int, count: int = 40, n: int = 6) -> list[Row]:
    """Edges given several times, loops among them, each with a name of its own."""
    rng = np.random.default_rng(seed)
    ends = rng.integers(n, size=(count, 2)).tolist()
    weights = rng.integers(1, 9, count).tolist()
    return [(u, v, w, f"edge {i}") for i, ((u, v), w) in enumerate(zip(ends, weights))]


def graph(rows: list[Row], dup: str, directed: bool, n: int = 6) -> lg.Graph:
    u, v, w, how = (list(column) for column in zip(*rows))
    frame = {"source": u, "target": v, "weight": w, "how": how}
    given: dict[str, Any] = {"labels": [*range(n)], "directed": directed, "edge_data": ["how"]}
    return lg.Graph.from_pandas(frame, dup=dup, **given, backend=CPU)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("dup", DUPS)
def test_every_way_to_fold_edges(dup: Any, directed: bool) -> None:
    rows, more = drawn(1), drawn(2)
    G, H = graph(rows, dup, directed), graph(more, dup, directed)
    assert found(G) == expected(rows, dup, directed)
    assert found(G.union(H, dup)) == expected(rows + more, dup, directed)
    if directed:
        forward = [row for row in rows if row[0] <= row[1]]
        backward = [row for row in rows if row[0] > row[1]]
        assert found(G.to_undirected(dup)) == expected(forward + backward, dup, False)


def test_a_graph_of_one_vertex_keeps_data_at_its_edges() -> None:
    """SuiteSparse stores a matrix of one column by columns, and goes on when it has more."""
    G = lg.Graph.from_edges(["a"], ["a"], [2], backend="cpu")
    G.edge_data["how"] = ["round"]
    H = G.add_edges(["b", "a"], ["b", "d"], [1, 5], edge_data={"how": ["back", "away"]})
    source, target, _ = H.edges()
    assert source.tolist() == [0, 0, 1] and target.tolist() == [0, 2, 1]
    assert H.edge_data["how"].tolist() == ["round", "away", "back"]


def test_data_that_were_looked_at_and_are_none_are_pickled() -> None:
    G = lg.Graph.from_edges([0], [1], backend="cpu")
    assert not G.edge_data
    H = pickle.loads(pickle.dumps(G))
    assert not H.edge_data
    H.edge_data["how"] = ["by train"]
    assert pickle.loads(pickle.dumps(H)).edge_data["how"].tolist() == ["by train"]


@pytest.mark.parametrize("dup", DUPS)
def test_new_edges_have_no_data_of_their_own(dup: Any) -> None:
    rows = drawn(3)
    G = graph(rows, dup, True)
    u, v, w, _ = (list(column) for column in zip(*drawn(4, 10)))
    H = found(G.add_edges(u, v, w, dup=dup))
    before, count = found(G), dict.fromkeys(zip(u, v), 0)
    for edge in zip(u, v):
        count[edge] += 1
    assert H.keys() == before.keys() | count.keys()
    for edge, (_, how, times) in H.items():
        _, was, given = before.get(edge, (0, None, 0))
        assert how == was and times == given + count.get(edge, 0)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("dup", DUPS)
def test_new_edges_bring_their_data(dup: Any, directed: bool) -> None:
    """As if all edges had been given at once."""
    rows, more = drawn(5), drawn(6)
    u, v, w, how = (list(column) for column in zip(*more))
    G = graph(rows, dup, directed)
    made = G.add_edges(u, v, w, dup=dup, edge_data={"how": how})
    assert found(made) == expected(rows + more, dup, directed)
    one = G.add_edges([0, 3], [9, 9], edge_data={"how": "ferry", "toll": 2.5, "count": [5, 6]})
    new = one.labels.tolist().index(9)
    ends = np.array([part.tolist() for part in one.edges()[:2]])
    at = (ends == new).any(axis=0)
    columns = {name: one.edge_data[name][at].tolist() for name in one.edge_data}
    assert columns == {"how": ["ferry"] * 2, "toll": [2.5] * 2, "count": [5, 6]}
    assert set(one.edge_data["toll"][~at]) == {None}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"how": ["bus"]}, DimensionMismatch),
        ({"how": np.zeros((2, 2))}, DimensionMismatch),
        ({3: ["bus", "bus"]}, WrongType),
        ([("how", "bus")], WrongType),
    ],
    ids=str,
)
def test_bad_data_of_new_edges(data: Any, problem: type[Exception]) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], backend=CPU)
    with pytest.raises(problem, match="expected"):
        G.add_edges([0, 2], [2, 0], edge_data=data)
    assert not G.edge_data and G.nedges == 2


def test_graphs_of_more_vertices_and_columns_that_only_one_graph_has() -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [5, 6], backend=CPU)
    H = lg.Graph.from_edges([0, 3], [1, 4], [7, 8], backend=CPU)
    G.edge_data["km"], H.edge_data["how"] = [0.5, 1.5], ["bus", "car"]
    assert not G.add_edges([0], [2]).edge_data.keys() - {"km"}
    for made in (G.union(H, "first"), G.union(H, "last"), H.union(G, "first")):
        assert made.edge_data["km"].tolist() == [0.5, 1.5, None]
        assert made.edge_data["how"].tolist() == ["bus", None, "car"]
        assert "count" not in made.edge_data
    far = G.add_edges([4], [0], [1], n=5).edge_data["km"]
    assert far.tolist() == [0.5, 1.5, None]
    same = G.union(G, "first").edge_data["km"]
    assert same.dtype == np.float64 and same.tolist() == [0.5, 1.5]
    H.edge_data["km"] = ["far", "near"]
    assert G.union(H, "first").edge_data["km"].tolist() == [0.5, 1.5, "near"]


def test_a_truss_of_a_directed_graph_has_data_of_either_direction() -> None:
    G = lg.Graph.from_edges([1, 2, 0, 3], [0, 1, 2, 2], [5, 6, 7, 8], backend=CPU)
    G.edge_data["road"] = ["02", "10", "21", "32"]
    assert lg.k_truss(G, 3).edge_data["road"].tolist() == ["10", "02", "21"]


def test_the_lightest_of_parallel_edges_gives_its_attributes() -> None:
    g = nx.MultiGraph()
    g.add_edge("a", "b", weight=5, road="motorway")
    g.add_edge("b", "a", weight=3, road="lane")
    for dup, road in (("min", "lane"), ("first", "motorway"), ("last", "lane")):
        G = lg.Graph.from_networkx(g, dup=dup, backend=CPU)  # type: ignore[arg-type]
        assert G.edge_data["road"].tolist() == [road]
