"""Tables whose heading says where the edges are: the columns that are named are read, no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import lagraph_gpu as lg
from lagraph_gpu.cli.command import main
from lagraph_gpu.errors import FormatError, InvalidValue, WrongType
from tests.harness import CPU

CALLS = "min,Who,whom,km\n,Ann,Bob,2.5\n7,Bob,Cid,4\n"


def listed(G: lg.Graph) -> list[tuple[Any, ...]]:
    row, column, weight = G.A.to_coo()
    return list(zip(G.label(row), G.label(column), *([weight.tolist()] if G.weighted else [])))


def read(path: Path, text: str, **settings: Any) -> lg.Graph:
    path.write_text(text)
    return lg.read(path, backend=CPU, **settings)


@pytest.mark.parametrize(
    "name, text",
    [
        ("x.csv", CALLS),
        ("x.tsv", CALLS.replace(",", "\t")),
        ("x.el", "# min Who whom km\n3 Ann Bob 2.5\n7 Bob Cid 4\n"),
    ],
)
def test_columns_that_are_named(name: str, text: str, tmp_path: Path) -> None:
    called = {"source": "Who", "target": "whom", "labels": True}
    G = read(tmp_path / name, text, weight="km", **called)
    assert listed(G) == [("Ann", "Bob", 2.5), ("Bob", "Cid", 4.0)]
    assert listed(read(tmp_path / name, text, **called)) == [("Ann", "Bob"), ("Bob", "Cid")]


def test_usual_names_may_stand_anywhere(tmp_path: Path) -> None:
    path, text = tmp_path / "x.csv", "how,From,To,Weight\ncar,3,1,5\nbus,1,0,6\n"
    assert listed(read(path, text, labels=True)) == [(1, 0, 6), (3, 1, 5)]
    assert listed(read(path, text, target="To")) == [(1, 0, 6), (3, 1, 5)]
    assert listed(G := read(path, text)) == [(1, 0, 6), (3, 1, 5)]
    assert G.n == 4
    assert listed(read(tmp_path / "x.el", text.replace(",", " "))) == listed(G)
    assert listed(read(path, "weight,source,target\n5,3,1\n")) == [(3, 1, 5)]
    assert listed(read(path, "Source,Target,Edge Weight\n3,1,5\n")) == [(3, 1, 5)]


@pytest.mark.parametrize(
    "text, edges",
    [
        (",source,target\n0,5,7\n", [(5, 7)]),
        (",source,target,weight\n0,5,7,2\n", [(5, 7, 2)]),
        ("source,target,\n5,7,2\n", [(5, 7, 2)]),
    ],
)
@pytest.mark.parametrize("labels", [True, False])
def test_the_index_that_pandas_writes_is_no_weight(
    text: str, edges: Any, labels: bool, tmp_path: Path
) -> None:
    assert listed(read(tmp_path / "x.csv", text, labels=labels)) == edges


@pytest.mark.parametrize(
    "text", ["source,target\n0,1\n", 'SRC "dst" km\n0 1 5\n', "from\tto\n0\t1\n"]
)
def test_a_heading_of_usual_names_needs_no_word(text: str, tmp_path: Path) -> None:
    assert listed(read(tmp_path / "x.csv", text))[0][:2] == (0, 1)


@pytest.mark.parametrize(
    "text, settings, says",
    [
        (CALLS, {"source": "who", "target": "whom"}, "line 1: .*, got 'who'; .*mean 'Who' or"),
        (CALLS, {"weight": "km"}, "line 1: expected columns named .*got 'min', 'Who', 'whom'"),
        ("a,sorce,traget\n", {"weight": "a"}, "perhaps 'sorce' and 'traget'"),
        (CALLS, {"source": "Who", "target": "whom"}, "line 2: .* came 'Ann'; labels=True"),
        (CALLS, {"source": "min", "target": "whom", "labels": True}, "line 2: nothing is in col"),
        ("a,b,a\n1,2,3\n", {"source": "a", "target": "b"}, "two columns are named 'a'"),
        ("a,b\n1,2\n-1,2\n", {"source": "a", "target": "b"}, "line 3: .*id from 0 .*came '-1'"),
    ],
)
def test_columns_that_are_refused(
    text: str, settings: dict[str, Any], says: str, tmp_path: Path
) -> None:
    with pytest.raises(FormatError, match=says):
        read(tmp_path / "x.csv", text, **settings)


def test_formats_without_columns(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match=r"for csv, .*parquet, .*gml files, got a dimacs file"):
        read(tmp_path / "x.gr", "p sp 2 1\na 1 2 5\n", source="who")
    with pytest.raises(WrongType, match="names of columns as strings, got 3"):
        read(tmp_path / "x.csv", CALLS, source=3)


def test_a_meaning_of_duplicates_is_checked_before_the_file_is_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match="expected dup to be one of"):
        lg.read(tmp_path / "not-there.csv", dup="frist")  # type: ignore[arg-type]


def test_a_misspelt_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "roads.csv").write_text(CALLS)
    with pytest.raises(FormatError, match=r"no such file; did you mean 'roads\.csv'\?"):
        lg.read(tmp_path / "raods.csv", backend=CPU)
    with pytest.raises(FormatError, match=r"no such file, nor a folder '.*data'"):
        lg.read(tmp_path / "data" / "roads.csv", backend=CPU)
    with pytest.raises(FormatError, match=r"there is no such file$"):
        lg.read(tmp_path / "s.map", backend=CPU)
    for address in ("https://example.org/roads.csv", Path("https://example.org/roads.csv")):
        with pytest.raises(FormatError, match=f"^{address}: .*nothing is read from the network"):
            lg.read(address, backend=CPU)
    lg.grid(2, 2, backend=CPU).save(tmp_path / "saved")
    with pytest.raises(FormatError, match=r"that G.save wrote; did you mean 'saved'"):
        lg.open(tmp_path / "savd", backend=CPU)


def test_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"who": [70, 5], "whom": [5, 6], "km": [2.5, 4.0]})
    parquet.write_table(table, path := tmp_path / "x.parquet")
    G = lg.read(path, source="who", target="whom", weight="km", labels=True, backend=CPU)
    assert listed(G) == [(5, 6, 4.0), (70, 5, 2.5)]
    assert lg.read(path, source="who", target="whom", backend=CPU).n == 71
    for third in [5, 7], ["x", "y"]:
        src_dst = {"src": ["A", "B"], "dst": ["B", "C"]}
        parquet.write_table(pyarrow.table(src_dst | {"km": third}), path)
        if third[0] == 5:
            assert listed(lg.read(path, backend=CPU)) == [("A", "B", 5), ("B", "C", 7)]
        else:
            with pytest.raises(FormatError, match=r"column 'km', got \w+; .*--columns src,dst"):
                lg.read(path, backend=CPU)
        assert not lg.read(path, source="src", target="dst", backend=CPU).weighted
    parquet.write_table(pyarrow.table(src_dst | {"km": [5, 7], "way": [1, 2]}), path)
    with pytest.raises(FormatError, match=r"no column is named weight, .*'km', 'way'"):
        lg.read(path, backend=CPU)
    (tmp_path / "y.parquet").write_bytes(path.read_bytes()[:-5])
    with pytest.raises(FormatError, match=r"begins and ends with PAR1.*cut short"):
        lg.read(tmp_path / "y.parquet", backend=CPU)


@pytest.mark.parametrize("name", ["graphml", "gexf", "gml"])
def test_an_attribute_of_edges_is_the_weight(name: str, tmp_path: Path) -> None:
    g = nx.DiGraph([("Bonn", "Trier", {"km": 140.5})])
    getattr(nx, f"write_{name}")(g, path := tmp_path / f"x.{name}")
    assert listed(lg.read(path, weight="km", backend=CPU)) == [("Bonn", "Trier", 140.5)]
    with pytest.raises(FormatError, match=r"expected one of the columns .*'km'.*, got 'kn'"):
        lg.read(path, weight="kn", backend=CPU)
    refused = r"named weight, .* numbers in 'km'; .*weight='km' \(--columns source,target,km\)"
    with pytest.raises(FormatError, match=refused):
        lg.read(path, backend=CPU)
    ends = {"source": "source", "target": "target"}
    assert listed(lg.read(path, **ends, weight="km", backend=CPU)) == [("Bonn", "Trier", 140.5)]
    assert not lg.read(path, **ends, backend=CPU).weighted
    with pytest.raises(FormatError, match=r"expected source='source' and .* got 'from'"):
        lg.read(path, source="from", backend=CPU)
    g["Bonn"]["Trier"].update(km="far", open=True)
    getattr(nx, f"write_{name}")(g, path)
    if name != "gml":  # which has no truth values, but numbers
        assert not lg.read(path, backend=CPU).weighted


@pytest.mark.parametrize("name", ["graphml", "gexf", "gml"])
def test_the_commands_take_an_attribute(name: str, tmp_path: Path, capsys: Any) -> None:
    g = nx.Graph([("1", "2", {"length": 3})])
    getattr(nx, f"write_{name}")(g, path := tmp_path / f"x.{name}")
    words = "run", "sssp", str(path), "--source", "1", "--backend", "cpu"
    assert main(words) == 2
    assert "--columns source,target,length" in capsys.readouterr().err
    for columns, distance in ("source,target,length", "3"), ("source,target", "1"):
        assert main([*words, "--columns", columns, "--top", "1"]) == 0
        assert capsys.readouterr().out.split()[-3:] == ["2", distance, "1"]


@pytest.mark.parametrize(
    "name, text, says",
    [
        ("x.gml", "graph [\n node [ id 0\n", "line 3: expected GML, .* ends too early"),
        ("x.gml", "", "expected GML, .* the file is empty"),
        ("x.gml", "graph [ node [ id 0 ] edge [ source 0 target 1 ] ]", "edge 0 has the target 1"),
        ("x.gml", "graph [ node [ id 0 ] node [ id 0 ] ]", "two nodes with the id 0"),
        ("x.graphml", "<graphml>\n<graph>\n<node", "line 3: expected GraphML: .* ends too early"),
        ("x.graphml", "<graphml></graphml>", "expected GraphML: .* no graph is in it"),
        ("x.gexf", "<gexf>\n<graph>\n", "line 3: expected GEXF: .* ends too early"),
    ],
)
def test_damaged_files_are_told_in_our_words(
    name: str, text: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(FormatError, match=says):
        read(tmp_path / name, text)


def test_gml_without_labels_has_its_ids(tmp_path: Path) -> None:
    G = read(tmp_path / "x.gml", "graph [ node [ id 7 ] node [ id 9 ] edge [ source 9 target 7 ] ]")
    assert G.labels is not None and G.labels.tolist() == [7, 9] and G.nedges == 1


def test_gml_of_other_programs_has_letters(tmp_path: Path) -> None:
    text = 'graph [ node [ id 0 label "Köln" ] node [ id 1 label "B&#246;" ] '
    text += "edge [ source 0 target 1 ] ]"
    (tmp_path / "x.gml").write_text(text, encoding="utf-8")
    assert lg.read(tmp_path / "x.gml", backend=CPU).labels.tolist() == ["Köln", "Bö"]
    (tmp_path / "x.gml").write_text(text, encoding="latin1")
    with pytest.raises(FormatError, match="it is not UTF-8; convert it"):
        lg.read(tmp_path / "x.gml", backend=CPU)


def test_the_commands_take_columns(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "x.csv").write_text(CALLS)
    graph = str(tmp_path / "x.csv"), "--labels", "--columns", "Who,whom,km", "--backend", "cpu"
    assert main(["run", "sssp", *graph, "--source", "Ann", "--json"]) == 0
    assert '"distance": 6.5' in capsys.readouterr().out
    assert main(["run", "sssp", *graph[:3], "Who", "--source", "Ann"]) == 2
    assert "expected --columns SOURCE,TARGET" in capsys.readouterr().err
    assert main(["convert", graph[0], str(tmp_path / "y.el"), *graph[1:4]]) == 0
    assert lg.read(tmp_path / "y.el", labels=True, backend=CPU).nedges == 2
