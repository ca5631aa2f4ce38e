"""Edge lists with names: what is read is what was meant, or an error names the line."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.cli.command import main
from lagraph_gpu.errors import DuplicateEdges, FormatError, InvalidValue
from lagraph_gpu.io.stream import LOOK_AHEAD_BYTES
from tests.harness import CPU
from tests.strategies import examples


def listed(G: lg.Graph) -> list[tuple[Any, Any, Any]]:
    row, column, weight = G.A.to_coo()
    return list(zip(G.label(row), G.label(column), weight.tolist(), strict=True))


def read(path: Path, text: str | bytes, labels: bool = True, **settings: Any) -> lg.Graph:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return lg.read(path, labels=labels, backend=CPU, **settings)


ANN = [("Ann", "Bob", 2.5), ("Dan Smith", "Ann", 1.0)]


@pytest.mark.parametrize(
    "name, text",
    [
        ("x.csv", "# a comment\nsource,target,weight\nAnn,Bob,2.5\n\nDan Smith, Ann ,1\n"),
        ("x.csv", '\ufeffFrom,To,km\r\n"Ann",Bob,2.5\r\n"Dan Smith",Ann,1\r\n'),
        ("x.tsv", "% a comment\nAnn\tBob\t2.5\nDan Smith\tAnn\t1\n"),
    ],
)
def test_separators_headings_and_comments(name: str, text: str, tmp_path: Path) -> None:
    assert listed(read(tmp_path / name, text)) == ANN


def test_blanks_part_other_lists(tmp_path: Path) -> None:
    G = read(tmp_path / "x.el", "# Undirected graph\nann  bob 2\n# more\n  bob\tcid 3\n")
    assert not G.directed and listed(G)[0] == ("ann", "bob", 2) and G.nedges == 2


def test_whole_numbers_are_integers_and_others_are_not(tmp_path: Path) -> None:
    far = read(tmp_path / "x.el", f"{10**12} -5\n-5 0\n")
    assert far.labels is not None and far.labels.tolist() == [-5, 0, 10**12]
    assert far.named(lg.bfs(far, 10**12)[0])[0] == 2
    zips = read(tmp_path / "x.el", "007 7\n7 1\n")
    assert zips.labels is not None and zips.labels.tolist() == ["007", "1", "7"]


@pytest.mark.parametrize("name", ["x.tsv", "x.el"])
def test_quotes_may_belong_to_names(name: str, tmp_path: Path) -> None:
    G = lg.Graph.from_edges(['"Ann"'], ['"Bob"'], [2], backend=CPU)
    lg.write(G, path := tmp_path / name)
    assert listed(lg.read(path, labels=True, backend=CPU)) == [('"Ann"', '"Bob"', 2)]
    text = path.read_text().replace("source", '"s"').replace("target", '"t"')
    assert listed(read(path, text, source='"s"', target='"t"')) == [('"Ann"', '"Bob"', 2)]


@given(st.lists(st.tuples(*[st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")),
                                    min_size=1, max_size=6).map(str.strip)
                            .filter(bool)] * 2),
                min_size=1, max_size=9, unique=True))  # fmt: skip
@examples(60)
def test_what_csv_writes_is_read(tmp_path_factory: Any, pairs: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.mktemp("names") / "x.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("source", "target"), *pairs])
    G = lg.read(path, labels=True, backend=CPU)
    assert {(str(u), str(v)) for u, v, _ in listed(G)} == set(pairs)


@pytest.mark.parametrize(
    "name, text, words",
    [
        (
            "x.tsv",
            '"source"\t"target"\n"Ann"\t"Bob"\n',
            'line 1: came "source" and .*only .csv has',
        ),
        ("x.el", '"Ann" "Bob" 3\n', "only .csv has quotes around .* the heading 'source target' a"),
        (
            "x.csv",
            "Ann,Bob\nAnn\n",
            "line 2: expected 2 columns with something in each, came 'Ann'",
        ),
        ("x.csv", "Ann,Bob\nAnn,\n", "line 2: nothing is in column 2, came 'Ann'; fill it in"),
        ("x.csv", "Ann,Bob,1\nBob,Cid,far\n", "line 2: the weight 'far' is not a number"),
        ("x.csv", "who,whom,km\nAnn,Bob,1\n", "line 1: the weight 'km' .*heading, say .*weight="),
        ("x.csv", "Ann,Bob,inf\n", "line 1: the weight 'inf' is infinite"),
        ("x.csv", 'Ann,"Bob\n', "line 1: cannot be split at the commas: a quote is .* not closed"),
        ("x.csv", "Ann\tBob\n", "line 1: .*came 1 column; look whether .* another separator"),
        ("x.csv", 'Ann,Bob,"2,5"\n', "line 1: the weight '2,5' .* .with a decimal point"),
        ("x.csv", "Ann;Bob\n", "line 1: came one column; .* separated by semicolons"),
        ("x.edgelist", "Ann Bob {}\n", "line 1: .*came 3 columns; the braces are data of edges"),
        ("x.edgelist", "Ann Bob {'weight': 1}\n", "line 1: .*came 4 columns; the braces are"),
        (
            "x.csv",
            "source,target\n#a,Bob\n# note\n",
            "line 3: .*'# note'; a comment may stand only",
        ),
        ("x.csv", 'Ann,"New\nYork"\nBob\n', "line 3: expected 2 columns"),
        ("x.csv", "# only this\n", "there is no edge in the file"),
        ("x.el", b"Ann Bob\nJos\xe9 Ann\n", "line 2: the names are not UTF-8"),
    ],
)
def test_wrong_lines(name: str, text: str | bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=words):
        read(tmp_path / name, text)


def test_the_reader_tells_of_labels(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("Ann,Bob\n")
    with pytest.raises(FormatError, match=r"labels=True \(--labels\) reads names"):
        lg.read(tmp_path / "x.csv", backend=CPU)
    for text in ("source,target\n1,2\n3,Bob\n", 'source,target\n"Ann, the first","Bob"\n'):
        (tmp_path / "x.csv").write_text(text)
        with pytest.raises(FormatError, match=r"labels=True \(--labels\) reads names"):
            lg.read(tmp_path / "x.csv", backend=CPU)
    (tmp_path / "x.el").write_text(f"1 {10**12}\n")
    with pytest.raises(FormatError, match=r"read ids as labels: labels=True"):
        lg.read(tmp_path / "x.el", backend=CPU)
    with pytest.raises(DuplicateEdges, match=r"x\.csv: .* the edge 'a' → 'b' more than once"):
        read(tmp_path / "x.csv", "a,b\na,b\n")
    assert read(tmp_path / "x.csv", "a,b\na,b\n", dup="sum").A[0, 1].get() == 2


def test_numbers_of_other_formats(tmp_path: Path) -> None:
    G = read(tmp_path / "x.gr", "p sp 3 2\na 1 2 5\na 2 3 4\n")
    assert listed(G) == [(1, 2, 5), (2, 3, 4)]
    wide = "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n"
    with pytest.raises(InvalidValue, match="square matrix for labels=True, got 2 x 3"):
        read(tmp_path / "x.mtx", wide)


@pytest.fixture
def graphalytics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "g.v").write_text("30\n10\n20\n40\n")
    (tmp_path / "g.e").write_text("30 10 0.5\n10 20 2\n")
    (tmp_path / "pairs.txt").write_text("30 20\n20 30\n")
    (tmp_path / "roads.csv").write_text("source,target,km\nBonn,Trier,140\nTrier,Metz,100\n")
    (tmp_path / "pairs.csv").write_text("source,target\nBonn,Metz\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_search_starts_where_the_file_says(graphalytics: Path) -> None:
    G = lg.read("g.v", backend=CPU)
    assert dict(G.named(lg.sssp(G, 30)[0]).items()) == {30: 0, 10: 0.5, 20: 2.5}


@pytest.mark.parametrize(
    "words, lines",
    [
        ("run sssp g.v --source 30", ["      20       2.5      10\n"]),
        ("run connected_components g.v", ["      40                    40\n"]),
        ("run shortest_path_between roads.csv --labels --source Bonn --target Metz",
         ["path: ['Bonn', 'Trier', 'Metz']"]),
        ("run minimum_spanning_edges roads.csv --labels --undirected", ["Metz", "Bonn"]),
        ("distances g.v pairs.txt", ["30\t20\t2.5", "20\t30\tinf"]),
        ("distances roads.csv pairs.csv --labels", ["Bonn\tMetz\t240"]),
        ("roads.csv --labels --source Bonn --no-picture", ["from vertex Bonn, level by"]),
        ("roads.csv --labels --roots 1 --no-picture", ["yes"]),
        ("g.v --source 30 --no-picture", ["bfs from vertex 30, level by level"]),
    ],
)  # fmt: skip
def test_commands_take_and_print_the_names_of_the_file(
    words: str, lines: list[str], graphalytics: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words.split(), "--backend", "cpu"]) == 0
    out = capsys.readouterr().out
    assert all(line in out for line in lines), out


def test_commands_refuse_unknown_names(
    graphalytics: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "run", "bfs", "roads.csv", "--labels", "--source", "Bon", "--backend", "cpu"
    assert main(words) == 2
    assert "'Bon'; similar labels are 'Bonn'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name, text",
    [
        ("x.el", "who whom\nAnn Bob\nBob Cid\n"),
        ("x.csv", "who,whom\n1,2\n3,4\n"),  # without this line all would be whole numbers
        ("x.tsv", "# calls\nuser\titem\n17\tbook\n18\tpen\n"),
    ],
)
def test_an_unusual_heading_is_no_edge(name: str, text: str, tmp_path: Path) -> None:
    first, second = text.splitlines()[text[0] == "#"].replace(",", " ").split()
    with pytest.raises(FormatError, match=f"'{first}' and '{second}' are in no other line"):
        read(tmp_path / name, text)
    given = read(tmp_path / name, text, source=first, target=second)  # as the error says
    assert first not in map(str, given.labels)  # type: ignore[arg-type]
    space = {"x.el": " ", "x.csv": ",", "x.tsv": "\t"}[name]
    edge = read(tmp_path / name, text.replace(first, f"source{space}target\n{first}", 1))
    assert edge.has_edge(first, second)


@pytest.mark.parametrize(
    "text",
    [
        "Ann Bob\nBob Cid\n",  # Bob is in another line
        "Ann Bob\nCid Dan\n",  # the other edge stands alone, too
        "Ann Bob\nCid Dan\nCid Eve\nFay Gus\n",
        "Ann Bob 1\nCid Dan 2\nCid Eve 3\n",  # a heading has no number
        "Ann Bob\n",
        "1 2\n3 4\n3 5\n",
    ],
)
def test_a_first_edge_is_an_edge(text: str, tmp_path: Path) -> None:
    assert read(tmp_path / "x.el", text).nedges == len(text.splitlines())


def test_names_may_begin_as_comments_do_and_have_lines(tmp_path: Path) -> None:
    text = '# tags\nsource,target\n#metoo,%x\n%x,"New\nYork"\n'
    assert [edge[:2] for edge in listed(read(tmp_path / "x.csv", text))] == [
        ("#metoo", "%x"),
        ("%x", "New\nYork"),
    ]
    tabs = read(tmp_path / "x.tsv", "# tags\nsource\ttarget\n#metoo\t%x\n")
    assert listed(tabs)[0][:2] == ("#metoo", "%x")


@pytest.mark.parametrize(
    "heading", ["source,target,km,name", "from,to,km,road", "source,target,distance_km,minutes"]
)
def test_a_weight_is_not_dropped_without_a_word(heading: str, tmp_path: Path) -> None:
    first, second, third, fourth = heading.split(",")
    text = f"{heading}\nA,B,5,1\nB,C,7,2\nA,C,100,3\n"
    says = f"line 1: no column .* '{third}', '{fourth}'; .*weight='{third}' .*--columns {first},"
    for settings in {}, {"source": first}:
        with pytest.raises(FormatError, match=says):
            read(tmp_path / "x.csv", text, **settings)
    weighted = read(tmp_path / "x.csv", text, weight=third)
    assert dict(weighted.named(lg.sssp(weighted, "A")[0]).items()) == {"A": 0, "B": 5, "C": 12}
    assert not read(tmp_path / "x.csv", text, source=first, target=second).weighted
    with pytest.raises(FormatError, match="no column is named weight"):
        read(tmp_path / "x.csv", "km,source,target\n5,A,B\n")


@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
def test_comments_stand_only_before_the_first_row(name: str, tmp_path: Path) -> None:
    """With names and without: a later line that begins so is a row."""
    path = tmp_path / name
    text = "# one\n\n% two\nsource,target\n0,1\n#1,2\n"
    text = text.replace(",", "\t") if name == "x.tsv" else text
    assert listed(read(path, text)) == [("#1", "2", 1), ("0", "1", 1)]
    with pytest.raises(FormatError, match=r"line 6: .*'#1'.* only before the first row"):
        lg.read(path, backend=CPU)
    with pytest.raises(FormatError, match=r"line 5: .*'%'"):
        read(path, text.replace("0", "%\n0", 1), labels=False)
    assert read(path, text.replace("#1", "1"), labels=False).nedges == 2
    assert read(tmp_path / "x.el", text.replace("\t", ","), labels=False).nedges == 1
    with pytest.raises(FormatError, match=r"line 6: .*'#1'"):
        read(path, text, labels=False, source="source", target="target")


@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize("end", ["\n", "\r"])
@pytest.mark.parametrize("name", ["x.csv", "x.csv.gz"])
@pytest.mark.parametrize("above", [0, LOOK_AHEAD_BYTES, 3 * LOOK_AHEAD_BYTES])
def test_a_heading_may_stand_below_many_comments(
    above: int, name: str, end: str, labels: bool, tmp_path: Path
) -> None:
    """Also where the bytes that are looked at first end within the heading."""
    text = "# Undirected graph: x\n" + "#" * (above - 28) + "\ntarget,source\n1,0\n2,1\n"
    data = text.replace("\n", end).encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    G = lg.read(tmp_path / name, labels=labels, backend=CPU)
    assert not G.directed and G.nedges == 2
    edges = lg.io.read_edges(tmp_path / name)
    assert (edges.src.tolist(), edges.dst.tolist()) == ([0, 1], [1, 2])
    (tmp_path / "bad.csv").write_bytes(data + b"3")
    with pytest.raises(FormatError, match=r"line 6: .*'3'"):
        lg.io.read_edges(tmp_path / "bad.csv")


@pytest.mark.parametrize("labels", [False, True])
@pytest.mark.parametrize("name", ["x.csv", "x.gr", "x.mtx", "x.graph", "x.el.gz"])
def test_lines_may_end_with_carriage_returns_alone(name: str, labels: bool, tmp_path: Path) -> None:
    G = lg.grid(2, 2, weights="integer", backend=CPU)
    lg.write(G, tmp_path / f"feeds-{name}")
    packed = gzip if name.endswith(".gz") else None
    data = (tmp_path / f"feeds-{name}").read_bytes()
    data = packed.decompress(data) if packed else data
    data = data.replace(b"\n", b"\r")
    (tmp_path / name).write_bytes(packed.compress(data) if packed else data)
    assert lg.read(tmp_path / name, directed=False, labels=labels, backend=CPU).A.isequal(G.A)


def test_a_carriage_return_within_a_name(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"line 2: .* a carriage return stands within it"):
        read(tmp_path / "x.csv", b"a,b\nc\rd,e\n")


GEPHI = "Source,Target,Type,Id,Label,timeset,Weight\n"


@pytest.mark.parametrize("labels", [True, False])
def test_a_table_of_gephi_says_which_edges_have_a_direction(tmp_path: Path, labels: bool) -> None:
    path = tmp_path / "x.csv"
    rows = "0,1,{},0,,,1.5\n1,2,{},1,,,2.0\n2,2,{},2,,,3.0\n"
    both = [(0, 1, 1.5), (1, 0, 1.5), (1, 2, 2.0), (2, 1, 2.0), (2, 2, 3.0)]

    def of(*kinds: str) -> tuple[bool, list[tuple[Any, Any, Any]]]:
        G = read(path, GEPHI + rows.format(*kinds), labels=labels)
        return G.directed, sorted(zip(*(part.tolist() for part in G.A.to_coo())))

    assert of("Undirected", "undirected", "Undirected") == (False, both)
    assert of("Directed", "Directed", "Directed") == (True, [both[0], both[2], both[4]])
    assert of("Directed", "Undirected", "Undirected") == (True, [both[0], *both[2:]])
    assert of("friend", "friend", "enemy") == (True, [both[0], both[2], both[4]])
    with pytest.raises(FormatError, match=r"line 3: expected Directed or Undirected .* 'Both'"):
        of("Directed", "Both", "Directed")


@pytest.mark.parametrize("labels", [True, False])
def test_a_column_of_kinds_is_no_weight(tmp_path: Path, labels: bool) -> None:
    text = "Source,Target,Type\n0,1,Undirected\n1,3,Undirected\n"
    G = read(tmp_path / "x.csv", text, labels=labels)
    assert (G.directed, G.weighted, G.nedges) == (False, False, 2)
