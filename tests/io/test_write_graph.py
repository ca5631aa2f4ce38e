"""``lg.write``: a graph in a file is the graph that ``lg.read`` reads."""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import (
    FormatError,
    InvalidValue,
    LagraphError,
    MissingPackage,
    UnsupportedOperation,
)
from lagraph_gpu.io import EdgeList, read_edges, write_edges


def kept(G: lg.Graph) -> tuple[object, ...]:
    """What every format can say: no small types of weights."""
    row, column, weight = (part.tolist() for part in G.A.to_coo())
    return G.n, G.directed, row, column, weight


CASES = {
    "arcs": lg.Graph.from_edges([0, 2, 2], [1, 0, 2], [5, 7, 9], n=5, backend="cpu"),
    "edges": lg.Graph.from_edges(
        [0, 3, 2], [1, 0, 2], [0.1, 7, 9], n=5, directed=False, backend="cpu"
    ),
    "pattern": lg.Graph.from_edges([0, 3], [1, 0], n=5, directed=False, backend="cpu"),
    "none": lg.Graph.from_edges([], [], n=3, backend="cpu"),
    "small": lg.Graph.from_edges([0], [1], [True], backend="cpu"),
}


@pytest.mark.parametrize("name", ["x.mtx", "x.npz", "x.tsv.gz", "x.csv", "x.el.xz"])
@pytest.mark.parametrize("case", CASES)
def test_what_is_written_is_read(case: str, name: str, tmp_path: Path) -> None:
    G = CASES[case]
    lg.write(G, tmp_path / name)
    back = lg.read(tmp_path / name, backend="cpu")
    assert kept(back) == kept(G) and back.weighted == G.weighted


def test_a_named_format(tmp_path: Path) -> None:
    lg.write(CASES["pattern"], str(tmp_path / "x.data"), format="metis")
    back = lg.read(tmp_path / "x.data", format="metis", backend="cpu")
    assert kept(back) == kept(CASES["pattern"])


@pytest.mark.parametrize("case", ["arcs", "edges"])
def test_a_relabelled_graph_keeps_the_ids_it_had(case: str, tmp_path: Path) -> None:
    lg.write(CASES[case], tmp_path / "one.mtx")
    for order in ([1, 2, 3, 4, 0], [4, 0, 3, 1, 2]):
        H = CASES[case].relabel(order)
        assert kept(H) != kept(CASES[case])
        lg.write(H, tmp_path / "two.mtx")
        assert (tmp_path / "two.mtx").read_bytes() == (tmp_path / "one.mtx").read_bytes()


def test_graphalytics_keeps_ids_and_replaces_old_properties(tmp_path: Path) -> None:
    write_edges(tmp_path / "g.v", EdgeList([0], [1], None, 2, 2, False))
    assert "directed = false" in (tmp_path / "g.properties").read_text()
    ids = np.array([30, 7, 12])
    edges = EdgeList([0, 1], [2, 0], [1.5, 2], 3, 3, ids=ids)
    write_edges(tmp_path / "g.v", edges)
    back = read_edges(tmp_path / "g.e")
    assert back.directed and back.ids is not None
    ends = zip(back.ids[back.src], back.ids[back.dst])
    assert list(ends) == [(30, 12), (7, 30)]
    for wrong in (np.array(["a", "b", "c"], object), np.array([-1, 7, 12])):
        with pytest.raises(InvalidValue, match="whole numbers from 0"):
            write_edges(tmp_path / "h.e", replace(edges, ids=wrong))
    with pytest.raises(InvalidValue, match=r"in \.v or \.e"):
        write_edges(tmp_path / "h.txt", edges, "graphalytics")
    assert not list(tmp_path.glob("h*"))
    (blocked := tmp_path / "blocked.properties").mkdir()
    (tmp_path / "blocked.e").write_text("old")
    with pytest.raises(FormatError, match="directory"):
        write_edges(tmp_path / "blocked.e", edges)
    assert sorted(tmp_path.glob("blocked*")) == [tmp_path / "blocked.e", blocked]
    assert (tmp_path / "blocked.e").read_text() == "old"


@pytest.mark.parametrize("named", ["x.v", "x.e"])
@pytest.mark.parametrize("there", ["x.v", "x.e", "x.properties"])
def test_a_file_that_nobody_named_is_kept(named: str, there: str, tmp_path: Path) -> None:
    (tmp_path / there).write_text("mine")
    G = CASES["arcs"]
    if there != named:
        with pytest.raises(FormatError, match=f"{there}: this is there, .* with {named}, which is"):
            lg.write(G, tmp_path / named)
        assert [p.name for p in tmp_path.iterdir()] == [there]
        assert (tmp_path / there).read_text() == "mine"
        (tmp_path / named).write_text("old")
    lg.write(G, tmp_path / named)  # as a file of any other format is replaced
    assert kept(lg.read(tmp_path / named, backend="cpu")) == kept(G)


NAMED = {
    "strings": lg.Graph.from_edges(
        ['Ann "A"', "Bob, B", "Cid ü"], ["Bob, B", "Cid ü", "Cid ü"], [2, 5, 7], backend="cpu"
    ),
    "undirected": lg.Graph.from_edges(
        ["#x", "b c"], ["b c", "%d"], [1.5, 2], directed=False, backend="cpu"
    ),
    "integers": lg.Graph.from_edges([10**12, 7], [7, 42], labels=True, backend="cpu"),
}


def called(G: lg.Graph) -> tuple[object, ...]:
    """What a graph says of its vertices by name."""
    u, v = G.edges()[:2]
    weight = [1] * u.size if len(G.edges()) == 2 else G.edges()[2].tolist()
    ends = zip(map(str, G.label(u)), map(str, G.label(v)), weight, strict=True)
    return G.directed, sorted(ends if G.directed else ((*sorted([a, b]), w) for a, b, w in ends))


@pytest.mark.parametrize("name", ["x.csv", "x.tsv.gz", "x.parquet", "x.graphml", "x.gexf", "x.gml"])
@pytest.mark.parametrize("case", NAMED)
def test_names_are_written_and_read(case: str, name: str, tmp_path: Path) -> None:
    if "parquet" in name:
        pytest.importorskip("pyarrow")
    G = NAMED[case]
    for H in G, G.relabel("degree"):
        lg.write(H, tmp_path / name)
        back = lg.read(tmp_path / name, labels=True, backend="cpu")
        assert called(back) == called(G) and back.weighted == G.weighted
    lg.write(G, tmp_path / name, labels=False)
    plain = lg.read(tmp_path / name, backend="cpu")
    assert (plain.n, plain.nedges) == (G.n, G.nedges)
    assert not {*map(str, plain.labels if plain.labels is not None else ())} & {*map(str, G.labels)}


def test_whole_names_are_written_where_blanks_part_columns(tmp_path: Path) -> None:
    for name in "x.el", "x.v":
        lg.write(NAMED["integers"], tmp_path / name, labels=True)
        assert called(lg.read(tmp_path / name, labels=True)) == called(NAMED["integers"])


@pytest.mark.parametrize(
    "name, says",
    [
        ("x.el", "without # or % in front, got '#x'; write .csv, or .*labels=False"),
        ("x.mtx", "expected a format that can hold the labels .*, got matrixmarket; write one of"),
        ("x.v", "got graphalytics; write one of csv"),
    ],
)
def test_formats_that_cannot_hold_the_names(name: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(LagraphError, match=says):
        lg.write(NAMED["undirected"], tmp_path / name, labels=True)
    assert not [*tmp_path.iterdir()]
    if name != "x.el":  # without a wish they number the vertices, and a warning says so
        with pytest.warns(UserWarning, match="does not keep the labels, because .* numbers the"):
            lg.write(NAMED["undirected"], tmp_path / name)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            lg.write(NAMED["undirected"], tmp_path / name, labels=False)
        assert lg.read(tmp_path / name).nedges == 2


def test_columns_of_data_are_not_kept_in_silence(tmp_path: Path) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], backend="cpu")
    G.vertex_data["age"], G.edge_data["kind"] = [3, 1, 2], ["road", "rail"]
    says = r"does not keep vertex_data\['age'\], edge_data\['kind'\]; G.save keeps"
    with pytest.warns(UserWarning, match=says):
        lg.write(G, tmp_path / "x.mtx")
    assert lg.read(tmp_path / "x.mtx").A.isequal(G.A)


@pytest.mark.parametrize(
    "labels, name, says",
    [
        (["a", "b", "c"], "x.csv", "1 of 3 have none, 'c' first; write .graphml"),
        (["a", "b", "c"], "x.parquet", "1 of 3 have none, 'c' first; write .graphml"),
        (["a", " b"], "x.csv", "without blanks at their ends, got ' b'; strip them"),
        (["a", "b\tc"], "x.tsv", "tabs and line ends, got .*; write .csv"),
        ([(1, 2), (3, 4)], "x.csv", r"strings or integers in a file, got \(1, 2\); make them"),
        (["a", "\ud800"], "x.csv", "that UTF-8 can say"),
        (["a", "b\x01"], "x.graphml", "without control characters"),
    ],
)
def test_names_that_are_refused(labels: list[Any], name: str, says: str, tmp_path: Path) -> None:
    if "parquet" in name:
        pytest.importorskip("pyarrow")
    G = lg.Graph.from_edges(labels[:1], labels[1:2], labels=labels, backend="cpu")
    with pytest.raises(LagraphError, match=says):
        lg.write(G, tmp_path / name)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("name, library", [("x.parquet", "pyarrow"), ("x.gml", "networkx")])
def test_a_format_whose_library_is_missing(
    name: str, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingPackage, match=r"expected .*pip install .*, or write \.csv"):
        lg.write(CASES["arcs"], tmp_path / name)
    assert not [*tmp_path.iterdir()]


def test_an_ending_that_is_misspelt(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match=r"from the name 'x\.graphm'; did you mean \.graphml"):
        lg.write(CASES["arcs"], tmp_path / "x.graphm")


def test_labels_are_asked_of_a_graph_without(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match="a graph with labels for labels=True"):
        lg.write(CASES["arcs"], tmp_path / "x.csv", labels=True)


@pytest.mark.parametrize(("name", "bits"), [("x.gml", 32), ("x.gexf", 54)])
def test_whole_weights_that_would_come_back_as_others(name: str, bits: int, tmp_path: Path) -> None:
    """Also the least number of 64 bits, whose absolute value in 64 bits is itself."""
    most = 2 ** (bits - 1)
    for weight in (most, -most - 1, -(2**63)):
        with pytest.raises(UnsupportedOperation, match=f"whole weights that {bits} bits hold"):
            write_edges(tmp_path / name, EdgeList([0], [1], [weight], 2, 2))
    write_edges(tmp_path / name, EdgeList([0, 1], [1, 2], [-most, most - 1], 3, 3))
    weight = read_edges(tmp_path / name).weight
    assert weight is not None and weight.tolist() == [-most, most - 1]
