"""Files that other libraries write: read as they mean them, or refused with what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import lagraph_gpu as lg
from lagraph_gpu.errors import (
    DimensionMismatch,
    DuplicateEdges,
    FormatError,
    MissingPackage,
    WrongType,
)
from lagraph_gpu.io import EdgeList, read_edges, write_edges

pytest.importorskip("pyarrow")


@pytest.mark.parametrize("name", ["graphml", "gexf", "gml"])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_what_networkx_writes(name: str, kind: type[nx.Graph], tmp_path: Path) -> None:
    g = kind()
    g.add_node("Ulm")
    g.add_weighted_edges_from([("Bonn", "Trier", 140.5), ("Trier", "Metz", 100)])
    getattr(nx, f"write_{name}")(g, path := tmp_path / f"roads.{name}")
    G = lg.read(path, backend="cpu")
    assert G.directed == g.is_directed() and sorted(G.labels) == sorted(g)
    back = lg.Graph.to_networkx(G)
    assert {(u, v, w) for u, v, w in back.edges(data="weight")} <= {
        pair for u, v, w in g.edges(data="weight") for pair in ((u, v, w), (v, u, w))
    }
    assert back.number_of_edges() == 2
    path.write_text(path.read_text()[:-20])
    with pytest.raises(FormatError, match=f"line .*: expected (?i:{name}).*ends too early"):
        read_edges(path)


@pytest.mark.parametrize("name", ["graphml", "gexf", "gml"])
def test_attributes_become_columns(name: str, tmp_path: Path) -> None:
    g = nx.MultiDiGraph()
    for at, (who, age) in enumerate([("Ann", 3), ("Bob", 5), ("Cy", 1)]):
        g.add_node(f"n{at}", name=who, age=age)
    roads = ("n0", "n1", 4.0, "M1"), ("n0", "n1", 2.0, "A2"), ("n1", "n2", 1.5, "A3")
    for u, v, weight, road in roads:
        g.add_edge(u, v, weight=weight, road=road)
    path = tmp_path / f"g.{name}"
    getattr(nx, f"write_{name}")(g, path)
    G = lg.read(path, dup="min", backend="cpu")
    assert {key: values.tolist() for key, values in G.vertex_data.items()} == {
        "name": ["Ann", "Bob", "Cy"], "age": [3, 5, 1],
    }  # fmt: skip
    assert G.edge_data["road"].tolist() == ["A2", "A3"]
    assert G.edge_data["count"].tolist() == [2, 1]
    both = lg.read(path, dup="min", directed=False, backend="cpu")
    assert both.nedges == 2 and both.edge_data["road"].tolist() == ["A2", "A3"]


def test_attributes_of_undirected_edges_stand_in_both_directions(tmp_path: Path) -> None:
    g = nx.Graph([("b", "a", {"road": "M1"}), ("b", "c", {"road": "A2"})])
    nx.write_graphml(g, tmp_path / "g.graphml")
    G = lg.read(tmp_path / "g.graphml", directed=True, backend="cpu")
    pairs = zip(*(ends.tolist() for ends in G.A.to_coo()[:2]))
    road = dict(zip(pairs, G.edge_data["road"].tolist(), strict=True))
    assert road == {(0, 1): "M1", (1, 0): "M1", (0, 2): "A2", (2, 0): "A2"}


def test_columns_of_an_edge_list_are_as_long_as_its_edges() -> None:
    with pytest.raises(DimensionMismatch, match=r"expected edge_data\['road'\] as an array of 1"):
        EdgeList([0], [1], None, 2, 2, edge_data={"road": np.array(["M1", "A2"])})
    with pytest.raises(WrongType, match=r"expected vertex_data\['road'\] as an array, got"):
        EdgeList([0], [1], None, 2, 2, vertex_data={"road": [["M1"], []]})
    with pytest.raises(WrongType, match="expected vertex_data as a dict of columns by name"):
        EdgeList([0], [1], None, 2, 2, vertex_data=[3, 5])
    G = lg.Graph.from_edgelist(
        EdgeList([0], [1], None, 2, 2, vertex_data={"age": np.array([3, 5])}), backend="cpu"
    )
    assert G.vertex_data["age"].tolist() == [3, 5]


def test_a_file_that_calls_something_multigraph(tmp_path: Path) -> None:
    """An edge that is given twice is found in a file of one line, and whatever names say."""
    path = tmp_path / "g.gml"
    for name in ("a", "multigraph"):
        path.write_text(
            f'Creator "x" graph [ directed 1 node [ id 0 label "{name}" ] node [ id 1 label "b" ] '
            "edge [ source 0 target 1 ] edge [ source 0 target 1 ] ]"
        )
        assert lg.read(path, dup="sum", backend="cpu").labels.tolist() == [name, "b"]
    path.write_text('graph [ multigraph 0 node [ id 0 label "a" ] edge [ source 0 target 0 ] '
                    "edge [ source 0 target 0 ] ]")  # fmt: skip
    with pytest.raises(FormatError, match="multigraph 1"):
        lg.read(path, dup="sum", backend="cpu")


def test_columns_that_are_not_written_are_named(tmp_path: Path) -> None:
    edges = EdgeList([0], [1], None, 2, 2, edge_data={"road": np.array(["M1"])})
    with pytest.warns(UserWarning, match=r"the file does not keep edge_data\['road'\]"):
        write_edges(tmp_path / "g.csv", edges)


def test_weights_of_some_edges(tmp_path: Path) -> None:
    g = nx.path_graph(3)
    g[0][1]["weight"] = 2.5
    nx.write_gml(g, path := tmp_path / "g.gml")
    with pytest.raises(FormatError, match="1 of 2 edges have the attribute 'weight'"):
        read_edges(path)


GRAPHML = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="edge" attr.name="{}" attr.type="double"><default>7</default></key>
<graph edgedefault="directed"><node id="a"/><node id="b"/>
<edge source="a" target="b">{}</edge><edge source="b" target="a"/></graph></graphml>"""
GEXF = """<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">
<graph defaultedgetype="directed">
{}<nodes><node id="a"/><node id="b"/></nodes>
<edges><edge source="a" target="b" {}/><edge source="b" target="a"/></edges></graph></gexf>"""
DECLARED = """<attributes class="edge"><attribute id="weight" title="weight" type="double">
<default>7</default></attribute></attributes>"""


@pytest.mark.parametrize("space", ["http://gexf.net/1.3", "http://www.gexf.net/1.3"])
def test_the_names_of_gexf_1_3(space: str, tmp_path: Path) -> None:
    """Gephi has written both, and beside them that of how nodes look."""
    text = GEXF.format(DECLARED, 'weight="2.5"').replace("http://www.gexf.net/1.2draft", space)
    seen = text.replace(" version", f" xmlns:viz='{space}/viz' version").replace(
        '<node id="a"/>', '<node id="a"><viz:size value="3"/></node>'
    )
    (path := tmp_path / "g.gexf").write_text(seen)
    edges = read_edges(path)
    assert edges.nedges == 2 and edges.weight is not None and edges.weight.tolist() == [2.5, 7]


@pytest.mark.parametrize(
    ("name", "text", "columns", "weights"),
    [
        ("g.graphml", GRAPHML.format("weight", '<data key="d0">2.5</data>'), {}, [2.5, 7]),
        ("g.graphml", GRAPHML.format("weight", ""), {}, [7, 7]),
        ("g.graphml", GRAPHML.format("km", ""), {"weight": "km"}, [7, 7]),
        ("g.gexf", GEXF.format("", 'weight="2.5"'), {}, [2.5, 1]),
        ("g.gexf", GEXF.format("", 'weight="0"'), {}, [0, 1]),
        ("g.gexf", GEXF.format(DECLARED, 'weight="2.5"'), {}, [2.5, 7]),
        ("g.gexf", GEXF.format("", ""), {}, None),
    ],
)
def test_weights_by_default(
    name: str, text: str, columns: dict[str, str], weights: list[float] | None, tmp_path: Path
) -> None:
    """An edge without a weight has the one that the file declares for such edges."""
    (path := tmp_path / name).write_text(text)
    G = lg.read(path, backend="cpu", **columns)
    assert G.weighted == (weights is not None)
    assert weights is None or G.edges()[2].tolist() == weights


def test_defaults_may_be_the_weight(tmp_path: Path) -> None:
    (path := tmp_path / "g.graphml").write_text(GRAPHML.format("km", ""))
    with pytest.raises(FormatError, match="there are numbers in 'km'"):
        lg.read(path, backend="cpu")


def test_tables_of_pandas(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pd.DataFrame({"km": [3], "From": [0], "to": [2], "weight": [1.5]}).to_parquet(path)
    edges = read_edges(path)
    assert (edges.src.tolist(), edges.dst.tolist(), edges.nrows) == ([0], [2], 3)
    assert edges.weight is not None and edges.weight.tolist() == [1.5] and edges.directed
    pd.DataFrame({"src": ["Bonn"], "dst": ["Ulm"]}).to_parquet(path)
    assert lg.read(path, backend="cpu").labels.tolist() == ["Bonn", "Ulm"]


@pytest.mark.parametrize("form", ["csv", "parquet", "arrow"])
def test_the_index_of_pandas_is_no_weight(form: str, tmp_path: Path) -> None:
    """A table of which some rows were taken has an index, which is written beside the columns."""
    columns = {"source": ["a", "b"], "target": ["c", "c"], "km": [5, 6]}
    part = pd.DataFrame(columns, index=[9, 4])  # no range, which would not be a column

    def made(part: pd.DataFrame, **settings: str) -> lg.Graph:
        if form == "arrow":
            table = pytest.importorskip("pyarrow").Table.from_pandas(part)
            return lg.Graph.from_pandas(table, backend="cpu", **settings)
        getattr(part, f"to_{form}")(path := tmp_path / f"t.{form}")
        return lg.read(path, labels=True, backend="cpu", **settings)

    G = made(part[["source", "target"]])
    assert not G.weighted and G.labels.tolist() == ["a", "b", "c"] and G.nedges == 2
    assert made(part, weight="km").edges()[2].tolist() == [5, 6]
    with pytest.raises(ValueError, match="beside the ends there are 'km'; if"):
        made(part)


IGRAPH = """Creator "igraph version 1.0.0"
Version 1
graph
[
  directed 0
  node
  [
    id 0
  ]
  node
  [
    id 1
  ]
  edge
  [
    source 1
    target 0
    weight 2
  ]
  edge
  [
    source 1
    target 0
    weight 5
  ]
]
"""


def test_igraph_does_not_say_that_edges_are_given_several_times(tmp_path: Path) -> None:
    (path := tmp_path / "g.gml").write_text(IGRAPH)
    with pytest.raises(DuplicateEdges, match="0 → 1 more than once"):
        lg.read(path)
    assert lg.read(path, dup="sum").edges()[2].tolist() == [7]
    path.write_text(IGRAPH.replace("directed 0", "directed 0 multigraph 0"))
    with pytest.raises(FormatError, match=r"an edge twice \(.*\), and does not say 'multigraph 1'"):
        lg.read(path, dup="sum")


@pytest.mark.parametrize(
    "columns, says",
    [
        ({"sorce": [0], "traget": [1]}, "perhaps 'sorce' and 'traget'"),
        ({"a": [0], "b": [1]}, "got 'a', 'b'; say with source= .* the edges$"),
        ({"src": [0, None], "dst": [1, 2]}, r"column 'src', but row 1 \(from 0\) has none"),
        ({"source": [0.5, 1], "target": [1, 2]}, "in the column 'source', got float64"),
        ({"src": [-1], "dst": [1]}, "holds vertex -1"),
        ({"src": [2**40], "dst": [1]}, "fit"),
        ({"src": [0], "dst": [1], "weight": [np.inf]}, "finite"),
        ({"src": [0], "dst": [1], "weight": ["far"]}, "finite"),
        ({"src": ["a"], "dst": [1]}, "one type"),
        ({"src": [0], "dst": [1], "weight": np.float16([1])}, "'weight', got float16; convert it"),
    ],
)
def test_tables_that_are_refused(
    columns: dict[str, list[object]], says: str, tmp_path: Path
) -> None:
    pd.DataFrame(columns).to_parquet(path := tmp_path / "t.parquet")
    with pytest.raises(FormatError, match=says):
        read_edges(path)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64", "int8"])
def test_ids_of_every_width(tmp_path: Path, dtype: str) -> None:
    frame = pd.DataFrame({"src": np.array([0, 2], dtype), "dst": np.array([1, 5], dtype)})
    frame.to_parquet(path := tmp_path / "t.parquet")
    G = lg.read(path, backend="cpu")
    assert (G.n, [*map(list, G.edges()[:2])]) == (6, [[0, 2], [1, 5]])
    frame[:0].to_parquet(path)
    assert lg.read(path, backend="cpu").n == 0


@pytest.mark.parametrize("unit", ["D", "s", "ns"])
def test_dates_are_names(tmp_path: Path, unit: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    days = np.array(["2020-01-01", "2020-01-02", "2020-01-03"], f"M8[{unit}]")
    table = pyarrow.table({"source": pyarrow.array(days[:2]), "target": pyarrow.array(days[1:])})
    pytest.importorskip("pyarrow.parquet").write_table(table, path := tmp_path / "t.parquet")
    exact = days if unit == "D" else days.astype("M8[us]")
    assert lg.read(path, backend="cpu").labels.tolist() == exact.tolist()


def test_a_table_with_two_columns_of_one_name(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    columns = [pyarrow.array([k]) for k in range(4)]
    table = pyarrow.Table.from_arrays(columns, names=["source", "target", "note", "note"])
    pytest.importorskip("pyarrow.parquet").write_table(table, path := tmp_path / "t.parquet")
    edges = read_edges(path, source="source", target="target")
    assert (edges.src.tolist(), edges.dst.tolist()) == ([0], [1])
    with pytest.raises(FormatError, match="expected one column 'note', got 2; rename the others"):
        lg.read(path, source="source", target="target", weight="note", backend="cpu")


def test_pyarrow_reads_without_its_data_sets(tmp_path: Path) -> None:
    """Their threads end some processes by abort(), after all is done (PyArrow 26)."""
    pd.DataFrame({"src": ["Bonn"], "dst": ["Ulm"]}).to_parquet(path := tmp_path / "t.parquet")
    program = (
        "import sys, lagraph_gpu as lg; "
        f"assert lg.read({str(path)!r}, backend='cpu').n == 2; "
        "assert 'pyarrow.dataset' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_damaged_bytes(tmp_path: Path) -> None:
    """Every byte of a small file, changed: read, or refused."""
    path = tmp_path / "t.parquet"
    lg.io.write_edges(path, lg.io.EdgeList([0, 1], [1, 2], [2, 3], 3, 3))
    whole = path.read_bytes()
    for at in range(0, len(whole), 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            edges = read_edges(path, "parquet")
        except FormatError:
            continue
        assert edges.nedges == 2


@pytest.mark.parametrize("name, package", [("g.parquet", "pyarrow"), ("g.gml", "networkx")])
def test_without_the_library(
    name: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / name).write_text("graph []")
    with pytest.raises(MissingPackage, match="pip install"):
        read_edges(tmp_path / name)


def test_numbers_and_texts_that_would_be_one_name(tmp_path: Path) -> None:
    path = tmp_path / "twice.gml"
    nodes = 'node [ id 0 label "1" ] node [ id 1 label 1 ]'
    path.write_text(f"graph [ {nodes} edge [ source 0 target 1 ] ]")
    message = r"twice\.gml: expected a different name for each node, got '1' as a number and as a"
    with pytest.raises(FormatError, match=message):
        read_edges(path)
