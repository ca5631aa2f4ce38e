"""Graphs that are made of a graph, against NetworkX; the graph itself stays as it was."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import (
    BackendMismatch,
    DimensionMismatch,
    DuplicateEdges,
    IndexOutOfBound,
    InvalidValue,
    LagraphError,
    WrongType,
)
from semirings import types
from tests import graphs
from tests.harness import BOTH, CPU, GPU
from tests.strategies import any_graph, examples

FOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "min": min, "sum": lambda x, y: x + y, "first": lambda x, y: x, "last": lambda x, y: y,
}  # fmt: skip


def held(G: lg.Graph) -> dict[tuple[int, int], Any]:
    """The edges with their weights; an undirected one from the smaller id."""
    return {(u, v): w for u, v, w in zip(*(part.tolist() for part in G.edges()))}


def whole(G: lg.Graph) -> lg.Graph:
    """The same graph, after a look at what it knows of itself."""
    if not G.directed:
        assert G.A.T.new().isequal(G.A, check_dtype=True)
    assert G.degree().reduce("plus").new().get(0) == 2 * G.nedges
    return G


def key(G: lg.Graph, u: int, v: int) -> tuple[int, int]:
    return (u, v) if G.directed else (min(u, v), max(u, v))


Batch = list[tuple[int, int, int]]


def check_changes(G: lg.Graph, batch: Batch, chosen: list[int], dup: str) -> None:
    """All methods on one graph; the batch may have vertices beyond it and edges twice."""
    before, n = held(G), max([G.n, *(max(u, v) + 1 for u, v, _ in batch)])
    src, dst, weight = map(list, zip(*batch)) if batch else ([], [], [])

    right = dict(before)
    for u, v, w in batch:
        at = key(G, u, v)
        right[at] = FOLDS[dup](right[at], w) if at in right else w
    added = whole(G.add_edges(src, dst, weight, n, dup))
    assert (added.n, added.directed, held(added)) == (n, G.directed, right)

    inside = [(u, v) for u, v, _ in batch if max(u, v) < G.n]
    left = whole(G.remove_edges([u for u, _ in inside], [v for _, v in inside]))
    gone = {key(G, u, v) for u, v in inside}
    assert held(left) == {at: w for at, w in before.items() if at not in gone} and left.n == G.n

    part = whole(G.subgraph(chosen))
    g = G.to_networkx().subgraph(chosen)
    place = {v: i for i, v in enumerate(chosen)}
    assert held(part) == {
        key(G, place[u], place[v]): w for (u, v), w in before.items() if g.has_edge(u, v)
    }
    assert part.n == len(chosen) and part.ids is not None
    assert part.to_original(part.degree()).to_dict() == {
        v: part.degree(place[v]) for v in sorted(chosen)
    }
    assert part.from_original(G.degree()).to_dense().tolist() == [G.degree(v) for v in chosen]

    assert held(whole(G.reverse())) == (
        {(v, u): w for (u, v), w in before.items()} if G.directed else before
    )
    both = {key(G, u, v) for u, v in before}
    if G.directed:
        both = {(min(u, v), max(u, v)) for u, v in before}
        folded = {}
        for u, v in both:
            ways = [before[at] for at in dict.fromkeys([(u, v), (v, u)]) if at in before]
            folded[u, v] = ways[0] if len(ways) == 1 else FOLDS[dup](*ways)
        assert held(whole(G.to_undirected(dup))) == folded
    else:
        assert G.to_undirected(dup) is G

    other = lg.Graph.from_edges(src, dst, weight, n, G.directed, "min", backend=G.backend)
    theirs = held(other)
    union = whole(G.union(other, dup))
    assert held(union) == {
        at: FOLDS[dup](before[at], theirs[at]) if at in before and at in theirs
        else before.get(at, theirs.get(at)) for at in before | theirs
    }  # fmt: skip
    assert union.n == whole(other.union(G, dup)).n == n
    assert set(nx.compose(G.to_networkx(), other.to_networkx()).edges()) == set(
        union.to_networkx().edges()
    )
    assert held(G) == before


@examples(60)
@given(data=st.data(), example=any_graph())
def test_changes_of_any_graph(data: Any, example: graphs.Example) -> None:
    vertex, beyond = st.integers(0, max(example.n - 1, 0)), st.integers(0, example.n + 2)
    chosen = data.draw(st.lists(vertex, max_size=9, unique=True)) if example.n else []
    batch = data.draw(st.lists(st.tuples(beyond, beyond, st.integers(0, 9)), max_size=9))
    given_edges = [(u, v) for u, v, _ in example.edges]  # some that are there already
    batch += [(u, v, 4) for u, v in given_edges[:3]] + [(v, u, 2) for u, v in given_edges[:2]]
    check_changes(example.graph(CPU), batch, chosen, data.draw(st.sampled_from(list(FOLDS))))


BATCH: Batch = [(0, 1, 4), (2, 2, 5), (1, 0, 6), (0, 1, 7), (4, 6, 8), (3, 3, 9)]
TEN = ((0, 0, 3), (0, 1, 5), (1, 0, 2), (1, 2, 7), (3, 4, 1), (4, 3, 6))


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("dup", FOLDS)
def test_changes(dup: str, directed: bool, backend: Any) -> None:
    example = graphs.Example("ten", "", 5, TEN)
    example = example if directed else graphs.undirected(example)
    check_changes(example.graph(backend), BATCH, [4, 0, 1], dup)


@pytest.mark.parametrize("n", [0, 1, 3])
def test_changes_of_graphs_without_edges(n: int, backend: Any) -> None:
    for directed in (True, False):
        G = lg.Graph.from_edges([], [], [], n, directed, backend=backend)
        check_changes(G, [], list(range(n))[::-1], "min")
        check_changes(G, [(n, n, 2)], [], "first")


@pytest.mark.parametrize("dtype", types.ALL, ids=types.name)
def test_weights_of_each_type(dtype: Any) -> None:
    weight = np.array([1, 0, 1], dtype)
    G = lg.Graph.from_edges([0, 1, 2], [1, 2, 2], weight, backend=CPU)
    made = [
        G.add_edges([0], [2]), G.add_edges([0], [2], weight[:1]), G.remove_edges([0], [1]),
        G.subgraph([2, 1]), G.reverse(), G.to_undirected(), G.union(G), G.add_edges([0], [1], True),
    ]  # fmt: skip
    assert [H.A.dtype for H in made] == [dtype] * len(made)
    assert held(made[1])[0, 2] == weight[0] and held(made[5]) == held(G) == held(made[6])
    wider = G.add_edges([0], [2], np.array([1.5]))
    assert wider.A.dtype == types.unify(dtype, np.float64) and held(wider)[0, 2] == 1.5


def test_a_number_takes_the_type_of_the_graph() -> None:
    G = lg.Graph.from_edges([0], [1], np.array([5], np.int8), backend=CPU)
    assert [G.add_edges([1], [0], w).A.dtype.name for w in (7, 300, 0.5)] == [
        "INT8",
        "INT64",
        "FP64",
    ]


def test_graphs_without_weights_stay_so(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], directed=False, backend=backend)
    for H in (G.add_edges([0], [2]), G.remove_edges([0], [1]), G.subgraph([1, 0]), G.union(G)):
        assert not H.weighted


def test_an_edge_that_is_there_with_its_weight_is_no_error(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 0], [5, 5], backend=backend)
    assert held(G.add_edges([0], [1], 5)) == held(G.union(G)) == held(G)
    assert held(G.to_undirected()) == {(0, 1): 5}


def test_what_dup_error_refuses(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 0], [5, 6], backend=backend)
    words = r"got 5 and 6 for the edge 0 → 1; .*dup='min', 'sum', 'first' or 'last'"
    H = lg.Graph.from_edges([0], [1], [6], backend=backend)
    for ask in (G.to_undirected, lambda: G.add_edges([0], [1], 6), lambda: G.union(H)):
        with pytest.raises(DuplicateEdges, match=words):
            ask()
    with pytest.raises(DuplicateEdges, match="edge 1 → 1 more than once"):
        G.add_edges([1, 1], [1, 1])


WRAPPING = [(CPU, d) for d in ("i1", "u1", "i8", "u8", "f4", "f8")] + [(GPU, "u1"), (GPU, "f4")]


@pytest.mark.parametrize("place, dtype", WRAPPING, ids=lambda x: getattr(x, "name", x))
def test_sums_do_not_wrap(place: Any, dtype: str) -> None:
    kind = np.dtype(dtype)
    most = np.finfo(kind).max if kind.kind == "f" else np.iinfo(kind).max
    largest, nothing = np.array([most], kind), np.array([0], kind)
    H = lg.Graph.from_edges([0], [1], largest, backend=place)
    assert H.add_edges([0], [1], nothing, dup="sum").heaviest == most
    for ask in (
        lambda: H.union(H, "sum"),
        lambda: H.add_edges([0], [1], largest, dup="sum"),
        lambda: H.add_edges([1], [0], largest).to_undirected("sum"),
    ):
        with pytest.raises(InvalidValue, match="a wider type"):
            ask()


def test_large_integers_are_not_rounded() -> None:
    G = lg.Graph.from_edges([0], [1], np.array([2**53 + 1]), backend=CPU)
    with pytest.raises(InvalidValue, match=r"fit FP64, the common type .*9007199254740993"):
        G.add_edges([1], [0], [0.5])
    assert G.add_edges([1], [0], [2**60]).heaviest == 2**60


def test_vertices_beyond_the_graph() -> None:
    G = lg.Graph.from_edges([0], [1], [5], backend=CPU)
    with pytest.raises(
        IndexOutOfBound, match=r"got 4 .*the graph has 2 vertices, and n=… makes room"
    ):
        G.add_edges([0], [4])
    with pytest.raises(IndexOutOfBound, match="got 4"):
        G.remove_edges([0], [4])
    with pytest.raises(InvalidValue, match=r"n of at least 2.*subgraph"):
        G.add_edges([], [], n=1)
    assert G.add_edges([], [], n=6).n == 6


@pytest.mark.parametrize("backend", BOTH)
def test_a_graph_without_vertices_takes_names(backend: Any) -> None:
    empty, named = (lg.Graph.from_edges([], [], labels=x, backend=backend) for x in (False, []))
    for G in (empty, named):
        more = G.add_edges(["Bonn"], ["Ulm"], 5)
        assert more.labels is not None and more.labels.tolist() == ["Bonn", "Ulm"]
        for H in (G.union(more), more.union(G)):
            assert H.labels is not None and H.labels.tolist() == ["Bonn", "Ulm"] and H.nedges == 1
    assert empty.add_edges([0], [1], n=2).labels is None and empty.union(empty).labels is None
    with pytest.raises(InvalidValue, match="got one of each"):
        lg.grid(1, 2, backend=backend).union(named.add_edges(["a"], ["b"]).to_undirected())


def test_another_backend_has_the_same_bits() -> None:
    """0.0 and -0.0 are not one value, as for matrices."""
    G = lg.Graph.from_edges([0, 1], [1, 2], [0.0, -0.0], backend=CPU)
    assert np.signbit(G.to(GPU).A.to_coo()[2]).tolist() == [False, True]
    one = lg.Graph.from_edges([0, 1], [1, 2], [2.5, 2.5], backend=CPU)
    assert one.to(GPU).A._store.iso


def test_ids_are_carried_along(tmp_path: Path) -> None:
    G = lg.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], [5, 6, 7, 8], n=6, backend=CPU).relabel()
    names = G.ids.to_dense().tolist()
    for H in (G.reverse(), G.to_undirected(), G.remove_edges([0], [1]), G.union(G)):
        assert H.ids.to_dense().tolist() == names and H.original_n == 6
    part = G.subgraph([3, 1]).add_edges([0], [2], 9, n=3)
    assert part.ids.to_dense().tolist() == [names[3], names[1], 6] and part.original_n == 7
    for H in (pickle.loads(pickle.dumps(part)), part.relabel([0, 1, 2]), part.prepared()):
        assert H.original_n == 7 and H.to_original(H.degree()).size == 7
    assert part.to(GPU).to_original(part.to(GPU).degree()).size == 7
    lg.write(part, tmp_path / "part.mtx")
    assert held(lg.read(tmp_path / "part.mtx", backend=CPU)) == held(part)  # its own ids
    with pytest.raises(DimensionMismatch, match="7 vertices, got 3"):
        part.from_original(part.degree())


@pytest.mark.parametrize(
    "ask",
    [
        lambda G: G.subgraph([0]), lambda G: G.reverse(), lambda G: G.to_undirected(),
        lambda G: G.add_edges([0], [0]), lambda G: G.remove_edges([0], [1]), lambda G: G.edges(),
        lambda G: G.union(lg.Graph.from_edges([], [], n=2, directed=False, backend=CPU)),
        lambda G: lg.Graph.from_edges([], [], n=2, directed=False, backend=CPU).union(G),
        lambda G: G.to_edge_index(), lambda G: G.to_networkx(),
    ],
)  # fmt: skip
def test_what_was_written_to_one_side_alone_is_not_passed_on(ask: Any) -> None:
    G = lg.Graph.from_edges([0], [1], directed=False, backend=CPU)
    G.A[0, 1] << 7
    with pytest.raises(InvalidValue, match="symmetric"):
        ask(G)


BAD: list[tuple[Callable[[lg.Graph], Any], type[LagraphError], str]] = [
    (lambda G: G.subgraph([0, 0]), InvalidValue, "0 more than once"),
    (lambda G: G.subgraph([3]), IndexOutOfBound, "vertex in vertices"),
    (lambda G: G.subgraph([-1]), IndexOutOfBound, "got -1"),
    (lambda G: G.subgraph(["a"]), WrongType, "integers"),
    (lambda G: G.subgraph([True]), WrongType, "integers"),
    (
        lambda G: G.subgraph(lg.Vector.from_dense([True, True, False], backend=CPU)),
        InvalidValue,
        r"without False.*got it at 2; take those .*valuene",
    ),
    (lambda G: G.subgraph("01"), WrongType, "list of vertices"),
    (lambda G: G.subgraph(None), WrongType, "list of ids"),  # type: ignore[arg-type]
    (lambda G: G.subgraph(2), WrongType, "list of ids"),  # type: ignore[arg-type]
    (lambda G: G.add_edges([0], [1, 2]), DimensionMismatch, "as many sources"),
    (lambda G: G.add_edges(0, 1), DimensionMismatch, "1-D array"),
    (lambda G: G.add_edges([0], [-1]), IndexOutOfBound, "ids start at 0"),
    (lambda G: G.add_edges(["a"], ["b"]), InvalidValue, "has no labels, got 'a'; G.labels = "),
    (lambda G: G.add_edges([0, 1], [1, "b"], n=5), InvalidValue, "has no labels, got 'b'"),
    (lambda G: G.remove_edges([(1, 2)], [(0, 3)]), InvalidValue, r"no labels, got \(1, 2\)"),
    (lambda G: G.add_edges([0.5], [1]), InvalidValue, "as integers"),
    (lambda G: G.add_edges([0], [1], np.nan), InvalidValue, "finite"),
    (lambda G: G.add_edges([0], [1], ["x"]), InvalidValue, "numbers"),
    (lambda G: G.add_edges([0], [1], n="3"), DimensionMismatch, "size"),  # type: ignore[arg-type]
    (lambda G: G.add_edges([0], [1], dup="max"), InvalidValue, "dup to be one of"),
    (lambda G: G.add_edges([0], [1], dup=None), InvalidValue, "dup to be"),  # type: ignore[arg-type]
    (lambda G: G.remove_edges([0], []), DimensionMismatch, "as many sources"),
    (lambda G: G.to_undirected("plus"), InvalidValue, "dup to be one of"),
    (lambda G: G.union(G, []), InvalidValue, "dup to be one of"),  # type: ignore[arg-type]
    (lambda G: G.union(G.A), WrongType, "Graph to unite with"),  # type: ignore[arg-type]
    (lambda G: G.union(G.to_undirected()), InvalidValue, "to_undirected"),
    (lambda G: G.union(G.to(GPU)), BackendMismatch, "backend"),
]


@pytest.mark.parametrize("ask, kind, words", BAD)
def test_hostile_arguments_are_refused(ask: Any, kind: type[Exception], words: str) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [5, 6], backend=CPU)
    with pytest.raises(kind, match=words):
        ask(G)
    assert held(G) == {(0, 1): 5, (1, 2): 6}
