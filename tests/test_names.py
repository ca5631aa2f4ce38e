"""Labels: what is found by label is what is found by position, whatever the labels are."""

from __future__ import annotations

import collections.abc
import pickle
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.errors import (
    DimensionMismatch,
    DuplicateEdges,
    IndexOutOfBound,
    InvalidValue,
    LagraphError,
    NotBipartite,
    UnknownColumn,
    WrongType,
)
from lagraph_gpu.networkx_backend import from_graph
from tests.harness import BOTH, CPU
from tests.strategies import examples

KINDS: list[st.SearchStrategy[Any]] = [
    st.text(max_size=5),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(2**63, 2**70),
    st.tuples(st.integers(0, 3), st.text(max_size=2)),
    st.binary(max_size=3),
    st.frozensets(st.integers(0, 5)),
]

FRIENDS = ["Ann", "Bob", "Ann"], ["Bob", "Cid", "Dan"]


def friends(**settings: Any) -> lg.Graph:
    return lg.Graph.from_edges(*FRIENDS, [5, 2, 1], backend=CPU, **settings)


def pairs(named: Any) -> dict[Any, Any]:
    """What `G.named` returns, with pandas or without, as a dict."""
    return dict(named.items())


@st.composite
def labelled(draw: st.DrawFn) -> tuple[list[Any], list[int], list[int], list[int], bool]:
    """Different labels of one type, and different edges between them by position."""
    names = draw(draw(st.sampled_from([st.lists(kind, min_size=1, max_size=8, unique=True)
                                       for kind in KINDS])))  # fmt: skip
    directed = draw(st.booleans())
    position = st.integers(0, len(names) - 1)
    drawn = draw(st.lists(st.tuples(position, position), max_size=12))
    ends = sorted({pair if directed else tuple(sorted(pair)) for pair in drawn})
    weight = draw(st.lists(st.integers(1, 9), min_size=len(ends), max_size=len(ends)))
    return names, [u for u, _ in ends], [v for _, v in ends], weight, directed


@given(labelled())
@examples(30)
def test_by_label_is_by_position(drawn: Any) -> None:
    names, src, dst, weight, directed = drawn
    plain = lg.Graph.from_edges(src, dst, weight, len(names), directed, backend=CPU)
    ends = [[names[v] for v in ids] for ids in (src, dst)]
    G = lg.Graph.from_edges(*ends, weight, directed=directed, labels=names, backend=CPU)
    assert G.A.isequal(plain.A) and G.labels is not None and list(G.labels) == names
    order = np.random.default_rng(len(src)).permutation(len(names))
    for H in (G, G.relabel(order), G.prepared(), pickle.loads(pickle.dumps(G.relabel(order)))):
        for at, name in enumerate(names):
            distance, parent = map(pairs, H.named(lg.sssp(H, name), values=(False, True)))
            expected = lg.sssp(plain, at)[0]
            assert distance == {names[v]: x for v, x in expected.to_dict().items()}
            assert parent.keys() == distance.keys() and parent[name] == name
            assert H.label(H.position(name)) == name
            verify.verify_sssp(H, name, *lg.sssp(H, name))
        assert H.label(H.position(names)) == names
    table = lg.distance_matrix(G, names[::-1], names)
    assert np.array_equal(table, lg.distance_matrix(plain, range(len(names))[::-1]))


@given(labelled())
@examples(40)
def test_edges_alone_number_the_vertices(drawn: Any) -> None:
    names, src, dst, weight, directed = drawn
    ends = [[names[v] for v in ids] for ids in (src, dst)]
    G = lg.Graph.from_edges(*ends, weight, directed=directed, labels=True, backend=CPU)
    assert G.labels is not None
    met = list(dict.fromkeys(ends[0] + ends[1]))
    by_size = bool(met) and isinstance(met[0], (str, bytes, int))
    assert G.labels.tolist() == (sorted(met) if by_size else met)
    row, column, value = G.A.to_coo()
    found = {(u, v): x for u, v, x in zip(G.label(row), G.label(column), value, strict=True)}
    assert all(found[u, v] == x for u, v, x in zip(*ends, weight, strict=True))


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_every_way_in_takes_labels(backend: Any) -> None:
    src, dst = ["b", "b", "c", "d"], ["c", "d", "e", "e"]
    G = lg.Graph.from_edges(src, dst, [1, 2, 3, 1], directed=False, backend=backend)
    assert G.named(lg.bfs(G, "b")[0])["e"] == 2
    assert lg.bfs(G, sources=["e", "b"])[0].to_dense().tolist() == [[2, 1, 1, 0], [0, 1, 1, 2]]
    assert lg.bellman_ford(G, "b")[0].to_dense().tolist() == [0, 1, 2, 3]
    assert lg.shortest_path_between(G, "b", "e") == (3, [0, 2, 3])
    table = lg.paired_distances(G, ["b", "e"], ["e", "c"])
    assert (table if backend is CPU else table.get()).tolist() == [3, 3]
    assert lg.dfs(G, "c")[0].to_dense().tolist() == [1, 0, 2, 3]
    assert lg.random_walks(G, ["c"], 1, seed=1).to_dense()[0, 0] == 1
    assert G.label(lg.common_neighbors(G, "c", "d").to_coo()[0]) == ["b", "e"]
    assert lg.jaccard_coefficient(G, [("b", "e")])[0, 3].get() == 1
    assert set(G.named(lg.closeness_centrality(G, "b")).keys()) == {"b"}
    assert G.named(lg.pagerank(G, personalization={"b": 1}))["b"] > 0.2
    assert G.named(lg.connected_components(G), values=True)["e"] == "b"


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_what_named_returns_is_given_back(backend: Any) -> None:
    """A Series of pandas is as good as the dict that `G.named` returns without pandas."""
    G = lg.Graph.from_edges(["b", "c", "b"], ["c", "d", "d"], backend=backend)
    ranks = G.named(lg.pagerank(G))
    assert isinstance(ranks, pd.Series)
    for name in ("personalization", "nstart", "dangling"):
        by_series, by_dict = (lg.pagerank(G, **{name: x}) for x in (ranks, dict(ranks.items())))
        assert by_series.isequal(by_dict)
    assert lg.katz_centrality(G, beta=ranks).isequal(lg.katz_centrality(G, beta=dict(ranks)))
    with pytest.raises(InvalidValue, match="each vertex once in nstart, got one again"):
        lg.pagerank(G, nstart=pd.Series([1.0, 2.0], index=["b", "b"]))
    with pytest.raises(InvalidValue, match="finite numbers in personalization"):
        lg.pagerank(G, personalization=pd.Series({"b": np.nan}))


PARTITIONS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a dict": lambda part: part,
    "in another order": lambda part: dict(reversed(part.items())),
    "a Series": pd.Series,
    "a column of categories": lambda part: pd.Series(part).astype("category"),
    "a list": lambda part: [*part.values()],
    "sets": lambda part: [{v for v in part if part[v] == c} for c in "xy"],
    "lists": lambda part: [[v for v in part if part[v] == c] for c in "xy"],
    "sets of a dict": lambda part: {c: {v for v in part if part[v] == c} for c in "xy"}.values(),
    "an iterator of sets": lambda part: ({v for v in part if part[v] == c} for c in "xy"),
    "frozen sets": lambda part: tuple(frozenset(v for v in part if part[v] == c) for c in "xzy"),
    "an array": lambda part: np.array([*part.values()]),
    "numbers": lambda part: np.array([3.5 if c == "x" else -1.0 for c in part.values()]),
    "a Vector": lambda part: lg.Vector.from_dense([ord(c) for c in part.values()], backend=CPU),
}


@pytest.mark.parametrize("given", PARTITIONS.values(), ids=PARTITIONS)
def test_a_partition_is_given_back(given: Callable[[dict[str, Any]], Any]) -> None:
    G = lg.Graph.from_edges([*"abcda"], [*"badce"], backend=CPU)
    part = dict(zip(G.labels.tolist(), "xxyyx", strict=True))
    right = lg.modularity(G, lg.Vector.from_dense([0, 0, 2, 2, 0], backend=CPU))
    assert lg.modularity(G, given(part)) == right > 0.3
    verify.verify_modularity(G, given(part), right)
    single = G.named(lg.louvain(G), values=True)
    assert lg.modularity(G, single) == lg.modularity(G, lg.louvain(G))


NO_PARTITIONS: dict[str, tuple[type[Exception], str, Any]] = {
    "a vertex without": (InvalidValue, "every vertex, got none for vertex 'c'", {"a": 1, "b": 1}),
    "None": (InvalidValue, "got none for vertex 'b'", [1, None, 1]),
    "nothing of pandas": (InvalidValue, "got none for vertex 'b'", [1, pd.NA, 1]),
    "no number": (InvalidValue, "got none for vertex 'a'", np.array([np.nan, 1, 1])),
    "a stranger": (IndexOutOfBound, "vertex in labels as a label of this graph", {"z": 1}),
    "twice": (InvalidValue, "each vertex once in labels", pd.Series([1, 1], index=["a", "a"])),
    "two": (DimensionMismatch, "expected 3 labels, one a vertex, got 2", [1, 2]),
    "a vertex in no set": (InvalidValue, "got none for vertex 'c'", [{"a", "b"}]),
    "a vertex in two sets": (InvalidValue, "in one community", [{"a", "b"}, {"b", "c"}]),
    "a stranger in a set": (IndexOutOfBound, "vertex in labels as a label", [{"a"}, {"z"}]),
    "a set among others": (WrongType, "sets or lists of vertices alone", [{"a"}, "b", "c"]),
    "labels in lists": (InvalidValue, "in one community", [["a"], ["a"], ["c"]]),
    "arrays": (WrongType, "labels as numbers, strings or other", [np.array([1, 2])] * 3),
    "one number": (WrongType, "a dict or a Series by label", 5),
    "text": (WrongType, "a dict or a Series by label", "xxy"),
    "one set": (WrongType, "a list of sets", {"a", "b", "c"}),
}


@pytest.mark.parametrize(("error", "words", "given"), NO_PARTITIONS.values(), ids=NO_PARTITIONS)
def test_no_partition(error: type[Exception], words: str, given: Any) -> None:
    G = lg.Graph.from_edges(["a", "b"], ["b", "c"], backend=CPU)
    with pytest.raises(error, match=words):
        lg.modularity(G, given)


def test_bounds_by_label() -> None:
    G = lg.Graph.from_edges([*"abac"], [*"bdcd"], [1, 4, 5, 1], backend=CPU)
    for bounds in ({"a": 5, "b": 4}, pd.Series({"b": 4.0, "d": 0.0})):
        assert lg.shortest_path_between(G, "a", "d", bounds) == (5, [0, 1, 3])
    with pytest.raises(InvalidValue, match="at most 0 at the target itself, got 2"):
        lg.shortest_path_between(G, "a", "d", {"d": 2})


def test_derived_graphs_keep_labels_and_data() -> None:
    G = lg.Graph.from_edges(
        ["a", "b", "a", "c"], ["b", "c", "c", "d"], [4, 5, 6, 7], directed=False, backend=CPU
    )
    G.vertex_data["age"] = [10, 11, 12, 13]
    G.edge_data["road"] = ["ab", "ac", "bc", "cd"]
    derived = {
        "relabel": G.relabel("degree"), "twice": G.relabel([3, 1, 0, 2]).relabel("bfs"),
        "core": lg.k_core(G, 2), "truss": lg.k_truss(G, 3),
        "tree": lg.minimum_spanning_tree(G), "prepared": G.prepared(),
        "pickle": pickle.loads(pickle.dumps(G.relabel([3, 1, 0, 2]))),
    }  # fmt: skip
    for how, H in derived.items():
        ages = dict(zip(H.labels, H.vertex_data["age"], strict=True))
        assert ages == {"a": 10, "b": 11, "c": 12, "d": 13}, how
        row, column, _ = H.A.to_coo()
        once = row <= column
        ends = zip(H.label(row[once]), H.label(column[once]), strict=True)
        roads = ["".join(sorted(pair)) for pair in ends]
        assert H.edge_data["road"].tolist() == roads, how
    assert derived["tree"].nedges == 3 and derived["core"].nedges == 3


def test_parts_and_changes_are_by_label() -> None:
    G = lg.Graph.from_edges(["a", "b", "a", "c"], ["b", "c", "c", "d"], [4, 5, 6, 7], backend=CPU)
    G.edge_data["road"] = ["ab", "ac", "bc", "cd"]
    G.vertex_data["age"] = [10, 11, 12, 13]
    part = G.subgraph(["c", "a", "b"])
    assert part.label([0, 1, 2]) == ["c", "a", "b"]
    assert part.vertex_data["age"].tolist() == [12, 10, 11]
    assert part.edge_data["road"].tolist() == ["ac", "ab", "bc"]
    assert part.subgraph(part.out_degree).label([0, 1]) == ["a", "b"]  # positions of entries
    assert G.reverse().edge_data["road"].tolist() == ["ab", "ac", "bc", "cd"]
    assert G.relabel([3, 2, 1, 0]).reverse().edge_data["road"].tolist() == ["cd", "bc", "ac", "ab"]
    less = G.remove_edges(["a"], ["c"])
    assert less.edge_data["road"].tolist() == ["ab", "bc", "cd"] and not less.has_edge("a", "c")
    more = G.add_edges(["d"], ["a"], [1])
    assert more.has_edge("d", "a") and "age" in more.vertex_data
    assert more.edge_data["road"].tolist() == ["ab", "ac", "bc", "cd", None]
    assert G.to_undirected().union(more.to_undirected()).label(3) == "d"
    assert lg.largest_component(G).label(3) == "d" and G.degree("c") == 3
    assert G.neighbors("a").to_dict() == {1: 4, 2: 6}
    assert lg.eccentricity(G.to_undirected(), "a") == 2
    assert sorted(G.to_networkx().edges) == [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")]
    with pytest.raises(InvalidValue, match="got 'a' more than once"):
        G.subgraph(["a", "a"])
    with pytest.raises(IndexOutOfBound, match=r"vertex in src as a label .* 'z'"):
        G.remove_edges(["z"], ["a"])
    assert G.union(part).edge_data["road"].tolist() == ["ab", "ac", "bc", "cd"]
    with pytest.raises(IndexOutOfBound, match="positions below n = 4 in a vector, got 8"):
        G.subgraph(lg.Vector.from_coo([8], 1, size=9, backend=CPU))


def test_data_by_label() -> None:
    ages = {"Dan": 4, "Ann": 1, "Cid": 3, "Bob": 2}
    for by_label in (ages, pd.Series(ages)):
        G = friends()
        G.vertex_data["age"] = by_label
        assert G.vertex_data["age"].tolist() == [1, 2, 3, 4]
    G.vertex_data["far"] = G.named(lg.bfs(G, "Ann")[0])
    assert G.vertex_data["far"].tolist() == [0, 1, 2, 1]
    with pytest.raises(IndexOutOfBound, match=r"the column 'age' .* 'An'; similar .* 'Ann'"):
        G.vertex_data["age"] = {"An": 1}
    with pytest.raises(DimensionMismatch, match="each of 4 labels, got 1 values for 1 of them"):
        G.vertex_data["age"] = {"Ann": 1}
    with pytest.raises(DimensionMismatch, match="each of 4 labels, got 2 values for 1 of them"):
        G.vertex_data["age"] = pd.Series([1, 2], index=["Ann", "Ann"])
    data = G.vertex_data
    with pytest.raises(DimensionMismatch, match="'age' as a column of 4 values"):
        data |= {"age": [1]}
    data |= {"age": ages}
    assert G.vertex_data["age"].tolist() == [1, 2, 3, 4]


def test_to_another_backend() -> None:
    G = friends()
    G.vertex_data["age"] = [1, 2, 3, 4]
    H = G.to(BOTH[1])
    assert H.labels is G.labels and H.vertex_data["age"].tolist() == [1, 2, 3, 4]


def test_data_follows_what_is_written() -> None:
    G = friends()
    G.edge_data["since"] = [1990, 1991, 1992]
    G.A[0, 1] << 7  # another weight of the same edge
    assert G.edge_data["since"].tolist() == [1990, 1991, 1992]
    G.A[3, 0] << 7
    with pytest.raises(InvalidValue, match=r"edges .* G.edge_data was filled for, got others"):
        _ = G.edge_data


def test_labels_are_given_and_taken() -> None:
    G = lg.grid(1, 3, backend=CPU)
    assert G.labels is None and G.label([2, 0]) == [2, 0] and G.position([1]).tolist() == [1]
    assert pairs(G.named(lg.bfs(G, 0)[1], values=True)) == {0: 0, 1: 0, 2: 1}
    G.labels = ["x", "y", "z"]
    assert G.vertex("z") == 2
    with pytest.raises(ValueError, match="read-only"):
        G.labels[0] = "w"
    G.labels = None
    assert G.vertex(2) == 2


def test_labels_are_not_the_keys_of_a_dict() -> None:
    G = lg.Graph.from_edges([0], [1], backend="cpu")
    with pytest.raises(WrongType, match=r"one a row, got \{0: 'Ann', 1: 'Bob'\}; pass a list"):
        G.labels = {0: "Ann", 1: "Bob"}
    G.labels = {"Ann": 0, "Bob": 1}.keys()
    assert G.labels is not None and G.labels.tolist() == ["Ann", "Bob"]


def test_large_ids_are_compacted_when_asked() -> None:
    far = [10**12, 5, 10**12], [5, -7, 8]
    with pytest.raises(IndexOutOfBound, match=r"labels=True"):
        lg.Graph.from_edges(*far, backend=CPU)
    G = lg.Graph.from_edges(*far, labels=True, backend=CPU)
    assert G.labels.tolist() == [-7, 5, 8, 10**12]  # type: ignore[union-attr]
    assert pairs(G.named(lg.bfs(G, np.int64(5))[0])) == {5: 0, -7: 1}


TIMES: dict[str, Callable[[np.ndarray], Any]] = {
    "array": lambda days: days,
    "list": list,
    "series": pd.Series,
    "timestamps": lambda days: [*pd.Series(days)],
}


@pytest.mark.parametrize("unit", ["s", "us", "ns"])
@pytest.mark.parametrize("given", TIMES.values(), ids=TIMES)
def test_times_are_labels_and_are_found_in_every_form(given: Any, unit: str) -> None:
    """NumPy makes integers of times in nanoseconds where Python's objects are wanted."""
    days = np.array(["2020-01-01", "2020-01-03", "2020-01-05"], f"M8[{unit}]")
    G = lg.Graph.from_edges(given(days[:2]), given(days[1:]), backend=CPU)
    assert G.labels is not None and G.labels.tolist() == days.astype("M8[us]").tolist()
    for form in TIMES.values():
        first, second, _ = form(days)
        assert lg.bfs(G, first)[0].to_dense().tolist() == [0, 1, 2]
        assert G.position(form(days)).tolist() == [0, 1, 2] and G.has_edge(first, second)
        assert G.remove_edges(form(days[:1]), form(days[1:2])).nedges == 1
        more = G.add_edges(form(days[:1]), form(days[:1] + np.timedelta64(1, "D")))
        assert more.labels is not None and more.labels[3] == datetime(2020, 1, 2)


def test_dates_and_lengths_of_time_are_labels() -> None:
    days = np.array(["2020-01-01", "2020-01-03"], "M8[D]")
    G = lg.Graph.from_edges(days[:1], days[1:], backend=CPU)
    assert G.labels is not None and G.labels.tolist() == [date(2020, 1, 1), date(2020, 1, 3)]
    spans = np.array([1, 2], "m8[ns]") * 1_000_000
    G = lg.Graph.from_edges([*spans[:1]], pd.Series(spans[1:]), backend=CPU)
    assert G.labels is not None and G.labels.tolist() == spans.astype("m8[us]").tolist()


def test_times_of_a_zone_are_kept(tmp_path: Path) -> None:
    days = pd.to_datetime(["2020-01-01", "2020-01-03"], utc=True)
    G = lg.Graph.from_pandas(pd.DataFrame({"source": days[:1], "target": days[1:]}), backend=CPU)
    G.save(tmp_path / "g")
    H = lg.open(tmp_path / "g", backend=CPU)
    assert H.labels is not None and H.labels.tolist() == [*days]
    assert lg.bfs(H, days[0])[0].to_dense().tolist() == [0, 1]


@pytest.mark.parametrize("library", ["pyarrow", "polars", "parquet"])
def test_times_of_a_zone_come_from_every_table(library: str, tmp_path: Path) -> None:
    """NumPy has no zones, and those who give it such times do not say that they are of UTC."""
    days = pd.to_datetime(["2020-01-01", "2020-01-03", "2020-01-03"]).tz_localize("Europe/Berlin")
    frame = pd.DataFrame({"source": days[:2], "target": days[1:]})
    if library == "parquet":
        pytest.importorskip("pyarrow")
        frame.to_parquet(path := tmp_path / "t.parquet")
        G = lg.read(path, backend=CPU)
    else:
        table: Any = pytest.importorskip("pyarrow").Table.from_pandas(frame)
        table = table if library == "pyarrow" else pytest.importorskip("polars").from_arrow(table)
        G = lg.Graph.from_pandas(table, backend=CPU)
        assert lg.Graph.from_pandas(table[:0], backend=CPU).n == 0
    assert G.labels is not None and G.labels.tolist() == [*days[:2]]
    assert lg.bfs(G, days[0])[0].to_dense().tolist() == [0, 1]


def test_repeated_edges_are_told_by_label() -> None:
    ends = ["a", "b", "b"], ["b", "a", "a"]
    with pytest.raises(DuplicateEdges, match=r"the edge 'b' → 'a' more than once"):
        lg.Graph.from_edges(*ends, backend=CPU)
    count = lg.Graph.from_edges(*ends, weight=1, dup="sum", directed=False, backend=CPU)
    assert count.nedges == 1 and count.A[0, 1].get() == 3


@pytest.mark.parametrize(
    "src, dst, labels, error, words",
    [
        (["a", None], ["b", "c"], False, InvalidValue, "got None in row 1"),
        ([1.5, float("nan")], [2.5, 3.5], True, InvalidValue, "got nan in row 1"),
        (["a", 3], ["b", "c"], False, InvalidValue, r"got str \(row 0\) and int \(row 1\)"),
        ([3, "a"], ["b", "c"], False, InvalidValue, r"int \(row 0\) and str \(row 1\)"),
        (["a"], [3], False, InvalidValue, "str in src and int in dst"),
        ([["a"]], ["b"], True, WrongType, r"hashable label .* got \['a'\] in row 0; take a tuple"),
        ("ab", "bc", True, WrongType, "a list of labels, got 'ab'"),
        ({"a", "b"}, ["c", "d"], True, WrongType, "of labels, one a row, got {.*in their order"),
        ({"a": "b"}, ["c"], False, WrongType, "of labels, one a row, got {'a': 'b'}; pass a list"),
        (["a"], ["b"], {"a", "b"}, WrongType, "expected labels as a list of labels, one a row"),
        (["a"], ["b"], ["a", "b", "a"], InvalidValue, "'a' at positions 0 and 2"),
        (["Anne"], ["Bob"], ["Ann", "Bob"], IndexOutOfBound, "'Anne'; similar labels are 'Ann'"),
        (["a", "b"], ["b"], False, DimensionMismatch, "as many sources as targets, got 2 and 1"),
        (np.array([["a"]]), np.array([["b"]]), True, DimensionMismatch, "1-D array"),
        ([2, 10**5000], [1, 3], True, InvalidValue, "got an integer of .* bits in row 1"),
        (np.array([1j]), ["b"], True, WrongType, r"take \.astype\(str\)"),
        (*np.array([["2020"], ["12021"]], "M8[Y]"), False, InvalidValue, "got 12021 in row 0"),
        ([np.datetime64(1, "ns")], ["b"], False, InvalidValue, "dates and times of whole micros"),
        (*np.array([[1], [2]], "m8[Y]"), False, InvalidValue, "got 1 years in row 0"),
        (np.array(["2020", "NaT"], "M8[D]"), ["b", "c"], False, InvalidValue, "None in row 1"),
    ],
)  # fmt: skip
def test_refused_labels(src: Any, dst: Any, labels: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        lg.Graph.from_edges(src, dst, labels=labels, backend=CPU)


@pytest.mark.parametrize(
    "label, error, words",
    [
        ("bo", IndexOutOfBound, "the source as a label .* 'bo'; similar labels are 'Bob'"),
        ("Bop", IndexOutOfBound, "the source as a label .* 'Bop'; similar labels are 'Bob'"),
        (1, IndexOutOfBound, "position 1 has the label 'Bob', so give that"),
        (9, IndexOutOfBound, "labels are such as 'Ann', 'Bob', 'Cid'"),
        (["Ann"], WrongType, r"expected the source as a label, got \['Ann'\]"),
    ],
)  # fmt: skip
def test_unknown_labels(label: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        lg.sssp(friends(), label)


def test_unknown_integers() -> None:
    G = lg.Graph.from_edges([10, 20], [20, 40], labels=True, backend=CPU)
    for call in (lambda v: lg.bfs(G, v), lambda v: lg.bfs(G, sources=[10, v])):
        with pytest.raises(IndexOutOfBound, match="got 25; the nearest labels are 20, 40"):
            call(25)
        with pytest.raises(IndexOutOfBound, match="the nearest labels are 40"):
            call(2**80)
    with pytest.raises(IndexOutOfBound, match=r"got True; .*10, 20, 40"):
        lg.bfs(G, True)


def test_refused_calls() -> None:
    G = friends()
    for weights, told in (([5, None, 1], "None at position 1"), ([5, 2, "x"], "'x' at position 2")):
        with pytest.raises(WrongType, match=f"numbers as values, got the type .*: {told}"):
            lg.Graph.from_edges(*FRIENDS, weights, backend=CPU)
    with pytest.raises(InvalidValue, match=r"no n beside labels, got 9"):
        friends(n=9)
    with pytest.raises(DimensionMismatch, match="expected 4 labels, one a vertex, got 2"):
        G.labels = ["a", "b"]
    with pytest.raises(IndexOutOfBound, match=r"no labels, see G\.labels"):
        lg.bfs(lg.grid(2, 2, backend=CPU), "Ann")
    with pytest.raises(DimensionMismatch, match=r"'age' as a column of 4 values.*shape \(2,\)"):
        G.vertex_data["age"] = [1, 2]
    with pytest.raises(WrongType, match="name of a column as a string"):
        G.edge_data[3] = [1, 2, 3]  # type: ignore[index]
    with pytest.raises(IndexOutOfBound, match="position below n = 4"):
        G.label("Ann")
    with pytest.raises(DimensionMismatch, match="over 4 vertices, got 2"):
        G.named(lg.Vector("INT64", 2, backend=CPU))
    for change in (G.add_edges, G.remove_edges):
        with pytest.raises(WrongType, match="src as a list of labels, got 'Ann'"):
            change("Ann", "Bob")
    with pytest.raises(IndexOutOfBound, match=r"got 'Cid'; G\.position\(label\)"):
        lg.path_to(lg.bfs(G, "Ann")[1], "Cid")  # type: ignore[arg-type]
    with pytest.raises(DuplicateEdges, match="for the edge 'Ann' → 'Bob'; say"):
        G.add_edges(["Ann"], ["Bob"], [77])
    with pytest.raises(WrongType, match=r"G\.label names"):
        G.named([0, 1])
    with pytest.raises(DimensionMismatch, match="for each of 2 vectors, got 1"):
        G.named(lg.bfs(G, "Ann"), values=(True,))
    with pytest.raises(IndexOutOfBound, match=r"values that are vertices, 0 to 3, got int64"):
        G.named(lg.sssp(G, "Ann")[0], values=True)


# --- NetworkX ------------------------------------------------------------------------------------


def test_nodes_of_networkx_are_labels() -> None:
    g = nx.DiGraph([("a", 1), (1, (2, "b")), ("a", (2, "b"))])
    G = lg.Graph.from_networkx(g, backend=CPU)
    assert G.label([0, 1, 2]) == list(g)
    for node in g:
        far = nx.single_source_shortest_path_length(g, node)
        assert pairs(G.named(lg.bfs(G, node)[0])) == far
    assert lg.Graph.from_networkx(nx.path_graph(4), backend=CPU).labels is None


def test_nodes_come_back() -> None:
    g = nx.Graph([("a", 1), (1, (2, "b"))])
    back = from_graph(lg.Graph.from_networkx(g, backend=CPU)).to_networkx()
    assert list(back) == list(g) and nx.utils.edges_equal(back.edges, g.edges)


@pytest.mark.parametrize("kind", [nx.MultiGraph, nx.MultiDiGraph])
def test_parallel_edges_are_folded_and_counted(kind: Any) -> None:
    g = kind([("c", "a"), ("a", "c"), ("a", "b"), ("c", "a")])
    nx.set_edge_attributes(g, {e: i + 1 for i, e in enumerate(g.edges)}, "weight")
    with pytest.raises(InvalidValue, match=r"say what they mean with dup='min'"):
        lg.Graph.from_networkx(g, backend=CPU)
    G = lg.Graph.from_networkx(g, dup="sum", backend=CPU)
    row, column, weight = G.A.to_coo()
    once = slice(None) if G.directed else row <= column
    found = list(zip(G.label(row[once]), G.label(column[once]), weight[once],
                     G.edge_data["count"], strict=True))  # fmt: skip
    expected = {}
    for u, v, w in g.edges(data="weight"):
        key = (u, v) if G.directed else frozenset((u, v))
        total, count = expected.get(key, (0, 0))
        expected[key] = total + w, count + 1
    assert {(u, v) if G.directed else frozenset((u, v)): (w, c) for u, v, w, c in found} == expected


def test_a_column_that_is_not_there_is_told() -> None:
    G = lg.Graph.from_edges(["Ann"], ["Bob"], backend=CPU)
    with pytest.raises(UnknownColumn, match="about the vertices, none, got 'age'"):
        G.vertex_data["age"]
    G.edge_data["minutes"] = [3]
    with pytest.raises(KeyError, match="'minutes', got 'Minute'; did you mean 'minutes'"):
        G.edge_data["Minute"]
    assert G.edge_data.get("Minute") is None and "Minute" not in G.edge_data


def test_usual_columns_and_attributes_that_are_misspelt() -> None:
    frame = {"from": ["Ann"], "To": ["Bob"], "km": [3]}
    assert lg.Graph.from_pandas(frame, backend=CPU).label([0, 1]) == ["Ann", "Bob"]
    with pytest.raises(InvalidValue, match=r"expected columns named source and target, .*perhaps"):
        lg.Graph.from_pandas({"sorce": ["Ann"], "traget": ["Bob"]}, backend=CPU)
    g = nx.Graph()
    g.add_edge("Ann", "Bob", km=3)
    assert not lg.Graph.from_networkx(g, backend=CPU).weighted
    with pytest.raises(InvalidValue, match=r"no edge has it; .* 'km'; did you mean 'km'"):
        lg.Graph.from_networkx(g, "Km", backend=CPU)


def test_names_for_completion() -> None:
    assert not {"kept", "expect_sound"} & set(dir(lg.Graph.from_edges([0], [1], backend=CPU)))
    assert {"named", "degree"} <= set(dir(lg.Graph.from_edges([0], [1], backend=CPU)))
    assert "errors" in dir(lg)


@pytest.mark.parametrize("kind", [lg.Matrix, lg.Vector, lg.Scalar])
def test_containers_have_classes_of_any_other_base(kind: Any) -> None:
    """A class with a type of its own would refuse that, and is asked slowly by isinstance."""
    assert issubclass(type("Named", (kind, collections.abc.Hashable), {}), kind)


NAMES = "Ann", "Bob", "Cid"
REFUSED: dict[str, tuple[dict[str, Any], Callable[[lg.Graph], Any]]] = {
    "a cycle": ({}, lg.topological_sort),
    "a longest path": ({}, lg.dag_longest_path),
    "an odd cycle": ({}, lg.bipartite_color),
    "no label": ({}, lambda G: lg.modularity(G, lg.Vector("INT64", 3, backend=CPU))),
    "a negative cycle": ({"weight": [1, 1, -3]}, lg.floyd_warshall),
    "another one": ({"weight": [1, 1, -3]}, lambda G: lg.bellman_ford(G, "Ann")),
    "two weights": ({"weight": [1, 2, 3]}, lambda G: G.add_edges(["Ann"], ["Bob"], [7])),
    "an edge twice": ({}, lambda G: G.add_edges(["Ann", "Ann"], ["Bob", "Bob"])),
    "no number": ({"weight": [1.0, 2, 3]}, lambda G: broken(G)),
}


def broken(G: lg.Graph) -> lg.Vector:
    G.A[0, 1] = np.nan
    return lg.pagerank(G)


@pytest.mark.parametrize("refused", REFUSED)
def test_errors_about_vertices_name_them_as_the_graph_does(refused: str) -> None:
    given, call = REFUSED[refused]
    G = lg.Graph.from_edges(NAMES, [*NAMES[1:], NAMES[0]], **given, backend=CPU)
    with pytest.raises(LagraphError, match=r"'Ann'|'Bob'|'Cid'"):
        call(G)


def test_a_loop_is_told_by_its_vertex() -> None:
    G = lg.Graph.from_edges(["Ann", "Bob"], ["Bob", "Bob"], backend=CPU)
    with pytest.raises(NotBipartite, match="a loop at vertex 'Bob'"):
        lg.bipartite_color(G)


def test_vertices_in_an_order_are_named_by_label() -> None:
    G = lg.Graph.from_edges(["m", "a", "z", "m"], ["a", "z", "c", "c"], backend=CPU)
    assert G.label(lg.topological_sort(G)) == ["m", "a", "z", "c"]
    assert G.label(lg.Vector.from_coo([1, 3], [2, 0], size=4, backend=CPU)) == ["m", "a"]
    with pytest.raises(IndexOutOfBound, match=r"integers, got FP64; G\.named"):
        G.label(lg.pagerank(G))
    with pytest.raises(IndexOutOfBound, match="below n = 4 as an integer, got 7"):
        G.label(lg.Vector.from_coo([0], [7], size=4, backend=CPU))


def test_a_vector_of_results_becomes_a_column() -> None:
    G = lg.Graph.from_edges(["m", "a"], ["a", "z"], backend=CPU)
    rank = lg.pagerank(G)
    G.vertex_data["rank"] = rank
    G.vertex_data["level"] = lg.bfs(G, "m")[0]
    G.vertex_data["after a"] = lg.bfs(G, "a")[0]
    assert G.vertex_data["rank"].tolist() == rank.to_dense().tolist()
    assert G.vertex_data["level"].tolist() == [1, 0, 2]
    assert G.vertex_data["after a"].tolist() == [0, None, 1]
    with pytest.raises(DimensionMismatch, match="3 values, one for each"):
        G.vertex_data["edges"] = lg.Vector.from_coo([0], [1], size=2, backend=CPU)


def test_what_cannot_be_named_says_what_can() -> None:
    G = lg.Graph.from_edges([*"ab"], [*"bc"], [5, 2], backend=CPU)
    with pytest.raises(WrongType, match=r"G\.named\(M\[0, :\]\.new\(\)\) a row of a matrix"):
        G.named(lg.floyd_warshall(G))
    assert G.named(lg.floyd_warshall(G)[0, :].new())["c"] == 7
    with pytest.raises(IndexOutOfBound, match=r"values=\(False, True\)"):
        G.named(lg.sssp(G, "a"), values=True)
