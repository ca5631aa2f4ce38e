"""What each format may say, in small files written by hand."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse

import lagraph_gpu as lg
from lagraph_gpu.errors import (
    DimensionMismatch,
    FormatError,
    IndexOutOfBound,
    InvalidValue,
    TooLarge,
    UnsupportedOperation,
    WrongType,
)
from lagraph_gpu.io import EdgeList, read_coordinates, read_edges, read_movingai, write_edges

Triple = tuple[int, int, float | None]


def triples(edges: EdgeList) -> list[Triple]:
    weight = [None] * edges.nedges if edges.weight is None else edges.weight.tolist()
    return list(zip(edges.src.tolist(), edges.dst.tolist(), weight, strict=True))


def read_text(folder: Path, name: str, text: str, format: str | None = None) -> EdgeList:
    path = folder / name
    path.write_bytes(text.encode())
    return read_edges(path, format)


GOOD: dict[str, tuple[str, str, bool, list[Triple]]] = {
    "dimacs": (
        "x.gr", "c a\n\np sp 3 2\nc b\na 1 2 5\n  a  3\t1 -7 \n", True, [(0, 1, 5), (2, 0, -7)],
    ),
    "dimacs crlf": ("x.gr", "c\r\np sp 2 1\r\na 1 2 5\r\n\r\n", True, [(0, 1, 5)]),
    "dimacs no last newline": ("x.gr", "p sp 2 1\na 1 2 5", True, [(0, 1, 5)]),
    "dimacs reals": ("x.gr", "p sp 2 2\na 1 2 5\na 2 1 .5e1\n", True, [(0, 1, 5.0), (1, 0, 5.0)]),
    "dimacs int64": (
        "x.gr", f"p sp 2 2\na 1 2 {2**63 - 1}\na 2 1 {-(2**63)}\n", True,
        [(0, 1, 2**63 - 1), (1, 0, -(2**63))],
    ),
    "dimacs by content": ("x.txt", "p sp 2 1\na 1 2 5\n", True, [(0, 1, 5)]),
    "dimacs none": ("x.gr", "p sp 2 0\n", True, []),
    "bom": ("x.gr", "\ufeffp sp 2 1\na 1 2 5\n", True, [(0, 1, 5)]),
    "pace": ("x.gr", "c a\np tw 3 2\n1 2\nc b\n2 3\n", False, [(0, 1, None), (1, 2, None)]),
    **{
        f"pace {kind}": ("x.gr", f"c a\np {kind} 3 2\n1 2\n2 3\n", False,
                         [(0, 1, None), (1, 2, None)])
        for kind in ("td", "tdp", "cep", "tww", "ds")
    },
    "pace of two sides": (
        "x.gr", "c a\np ocr 1 2 2\n1 3\n1 2\n", False, [(0, 2, None), (0, 1, None)],
    ),
    "coloring": (
        "x.col", "c a\np edge 3 2\ne 1 2\nc b\ne 2 3\n", False, [(0, 1, None), (1, 2, None)],
    ),
    "coloring both directions": (
        "x.col", "p edge 3 5\ne 3 3\ne 2 1\ne 2 3\ne 1 2\ne 3 2\n", False,
        [(2, 2, None), (1, 2, None), (0, 1, None)],
    ),
    "coloring some in both directions": (
        "x.col", "p edge 3 3\ne 1 2\ne 2 1\ne 2 3\n", False,
        [(0, 1, None), (1, 0, None), (1, 2, None)],
    ),
    "coloring loops": ("x.col", "p edge 2 2\ne 1 1\ne 2 2\n", False, [(0, 0, None), (1, 1, None)]),
    "pace both directions": ("x.gr", "p tw 3 2\n2 1\n1 2\n", False, [(0, 1, None)]),
    "coloring by content": ("x.txt", "p col 2 1\ne 2 1\n", False, [(1, 0, None)]),
    "snap": ("x.txt", "# a\r\n# b\n0\t7\n3 0\n", True, [(0, 7, None), (3, 0, None)]),
    "snap undirected": ("x.txt", "# Undirected graph: x\n0 1\n", False, [(0, 1, None)]),
    "csv": ("x.csv", "% a\n0, 1,5\n2,0 ,6\n", True, [(0, 1, 5), (2, 0, 6)]),
    "reals": ("x.tsv", "0\t1\t5\n2\t0\t6.5\n", True, [(0, 1, 5.0), (2, 0, 6.5)]),
    "plus": ("x.el", "+0 1\n", True, [(0, 1, None)]),
    "parallel and loops": ("x.el", "0 1\n0 1\n1 1\n", True, [(0, 1, None)] * 2 + [(1, 1, None)]),
    "metis": ("x.graph", "% a\n3 2\n2\n% b\n1 3\n2\n", False, [(0, 1, None), (1, 2, None)]),
    "metis isolated": ("x.graph", "3 1\n3\n\n1\n", False, [(0, 2, None)]),
    "metis edge weights": ("x.graph", "2 1 1\n2 5\n1 5\n", False, [(0, 1, 5)]),
    "metis real weights": ("x.graph", "2 1 001\n2 .5\n1 0.5\n", False, [(0, 1, 0.5)]),
    "metis vertex weights": ("x.graph", "2 1 10\n9 2\n8 1\n", False, [(0, 1, None)]),
    "metis two weights": ("x.graph", "2 1 11 2\n9 9 2 5\n8 8 1 5\n", False, [(0, 1, 5)]),
    "metis sizes": ("x.graph", "2 1 100\n9 2\n8 1\n", False, [(0, 1, None)]),
    "metis all": ("x.graph", "2 1 111 1\n7 9 2 5\n7 8 1 5\n", False, [(0, 1, 5)]),
    "metis dimacs10": ("x.graph", "2 2 100\n1 2\n1\n", False, [(0, 0, None), (0, 1, None)]),
    "metis ring dimacs10": (
        "x.graph", "3 3 100\n2 3\n1 3\n1 2\n", False, [(0, 1, None), (0, 2, None), (1, 2, None)],
    ),
    "metis directed": ("x.graph", "3 2\n2 3\n\n\n", True, [(0, 1, None), (0, 2, None)]),
    "metis none": ("x.graph", "0 0\n", False, []),
    "graphalytics": ("x.v", "30\n10\n20\n", False, [(0, 2, 0.5)]),
    "adjacency": ("x", "10 30 20\n20\n", True, [(0, 2, None), (0, 1, None)]),
}  # fmt: skip


@pytest.mark.parametrize("case", GOOD)
def test_a_format_says(case: str, tmp_path: Path) -> None:
    name, text, directed, expected = GOOD[case]
    (tmp_path / "x.e").write_text("10 30 0.5\n")
    (tmp_path / "x.properties").write_text("graph.x.directed = false\n")
    edges = read_text(tmp_path, name, text, "adjacency" if case == "adjacency" else None)
    assert (edges.directed, triples(edges)) == (directed, expected)
    assert edges.src.dtype == edges.dst.dtype == np.int64
    if edges.weight is not None and expected:
        assert edges.weight.dtype == (np.int64 if isinstance(expected[0][2], int) else np.float64)
    if case in ("graphalytics", "adjacency"):
        assert edges.ids is not None and edges.ids.tolist() == [10, 20, 30]


FIELDS = {"real": "{v}.5", "integer": "{v}", "pattern": ""}
SYMMETRIES = ("general", "symmetric", "skew-symmetric")


KINDS = [
    (layout, field, symmetry)
    for layout in ("coordinate", "array")
    for field in FIELDS
    for symmetry in SYMMETRIES
    if field != "pattern" or (layout == "coordinate" and symmetry != "skew-symmetric")
]


@pytest.mark.parametrize(("layout", "field", "symmetry"), KINDS)
def test_matrix_market_is_what_scipy_reads(
    layout: str, field: str, symmetry: str, tmp_path: Path
) -> None:
    value = FIELDS[field]
    if layout == "coordinate":
        places = {"general": [(1, 2), (3, 1), (2, 2)], "symmetric": [(2, 1), (3, 3)]}
        entries = places.get(symmetry, [(2, 1), (3, 2)])
        lines = [f"{i} {j} {value.format(v=i + j)}" for i, j in entries]
        size = f"3 3 {len(lines)}"
    else:
        count = {"general": 9, "symmetric": 6, "skew-symmetric": 3}[symmetry]
        lines, size = [value.format(v=k) for k in range(count)], "3 3"
    head = f"%%MatrixMarket matrix {layout} {field} {symmetry}\n% a comment\n{size}\n"
    edges = read_text(tmp_path, "x.mtx", head + "\n".join(lines) + "\n")
    src, dst, weight = edges.arcs()
    mine = np.zeros((3, 3))
    np.add.at(mine, (src, dst), 1 if weight is None else weight)
    theirs = scipy.io.mmread(tmp_path / "x.mtx", spmatrix=False)
    assert (mine == (theirs if layout == "array" else theirs.toarray())).all()
    assert edges.directed == (symmetry != "symmetric")
    assert (weight is None) == (field == "pattern")


def test_matrix_market_is_read_in_any_case_and_hermitian_reals_are_symmetric(
    tmp_path: Path,
) -> None:
    text = "%%matrixmarket MATRIX Coordinate Real Hermitian\n2 2 1\n2 1 0.5\n"
    edges = read_text(tmp_path, "x.mtx", text)
    assert not edges.directed and triples(edges) == [(1, 0, 0.5)]


def test_rectangular_matrix(tmp_path: Path) -> None:
    text = "%%MatrixMarket matrix coordinate pattern general\n2 5 1\n1 5\n"
    edges = read_text(tmp_path, "x.mtx", text)
    assert (edges.nrows, edges.ncols, triples(edges)) == (2, 5, [(0, 4, None)])
    with pytest.raises(UnsupportedOperation, match="a dimacs graph is square, this is 2 x 5"):
        write_edges(tmp_path / "x.gr", edges)


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint64, np.float32, np.float64])
def test_npz_of_scipy(layout: str, dtype: type[np.generic], tmp_path: Path) -> None:
    dense = np.array([[0, 1, 0], [1, 0, 1]], dtype)
    scipy.sparse.save_npz(tmp_path / "x.npz", scipy.sparse.coo_array(dense).asformat(layout))
    edges = read_edges(tmp_path / "x.npz")
    assert edges.directed and (edges.nrows, edges.ncols) == (2, 3)
    stored = {(u, v) for u, v, w in triples(edges) if w != 0}
    assert stored == {(0, 1), (1, 0), (1, 2)}
    if dtype is bool:
        assert edges.weight is None
    else:
        assert edges.weight is not None and edges.weight.dtype == dtype


def test_npz_keeps_false_and_halves(tmp_path: Path) -> None:
    for weight in (np.array([True, False]), np.array([0.5, 2.0], np.float16)):
        write_edges(tmp_path / "x.npz", EdgeList([0, 1], [1, 0], weight, 2, 2))
        edges = read_edges(tmp_path / "x.npz")
        assert edges.weight is not None and edges.weight.tolist() == weight.tolist()


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz", ".bin"])
def test_compression_is_told_by_content(suffix: str, tmp_path: Path) -> None:
    text = b"p sp 2 1\na 1 2 5\n"
    pack = {
        ".gz": gzip.compress,
        ".bz2": bz2.compress,
        ".xz": lzma.compress,
        ".bin": gzip.compress,
    }.get(suffix, bytes)
    path = tmp_path / f"x.gr{suffix}"
    path.write_bytes(pack(text))
    assert triples(read_edges(path)) == [(0, 1, 5)]
    assert triples(read_edges(str(path))) == [(0, 1, 5)]


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="this system has no /dev/fd")
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_pipe_is_read_once(pack: Callable[[bytes], bytes]) -> None:
    """As ``lagraph-gpu info <(make-a-graph)`` hands one over."""
    far, near = os.pipe()
    with os.fdopen(near, "wb") as out:
        out.write(pack(b"p sp 3 2\na 1 2 5\na 2 3 4\n"))
    try:
        assert read_edges(f"/dev/fd/{far}").dst.tolist() == [1, 2]
    finally:
        os.close(far)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
def test_a_pipe_that_comes_in_pieces(suffix: str, tmp_path: Path) -> None:
    pack = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}.get(suffix, bytes)
    content = pack(b"c one\np sp 3 2\na 1 2 5\na 2 3 4\n")
    path = tmp_path / f"pipe{suffix}"  # only what comes first tells the format
    os.mkfifo(path)

    def trickle() -> None:
        with open(path, "wb", buffering=0) as out:
            for at in range(len(content)):
                out.write(content[at : at + 1])
                time.sleep(0.002)

    with ThreadPoolExecutor() as workers:
        done = workers.submit(trickle)
        assert read_edges(path).dst.tolist() == [1, 2]
        done.result()


def test_a_name_overrules_content_and_extension(tmp_path: Path) -> None:
    assert triples(read_text(tmp_path, "x.mtx", "0 1\n", "edgelist")) == [(0, 1, None)]
    assert triples(read_text(tmp_path, "x.dat", "0 1\n", ".TSV")) == [(0, 1, None)]
    with pytest.raises(FormatError, match="this is a PACE graph"):
        read_text(tmp_path, "x.gr", "p tw 2 1\n1 2\n", "dimacs")
    with pytest.raises(FormatError, match=r"coloured \('p edge'\): read it with format='coloring'"):
        read_text(tmp_path, "x.gr", "p edge 2 1\ne 1 2\n", "dimacs")
    with pytest.raises(FormatError, match="expected the problem line 'p tw"):
        read_text(tmp_path, "x.gr", "p sp 2 1\na 1 2 5\n", "pace")


def test_coordinates_come_in_any_order_and_as_reals(tmp_path: Path) -> None:
    path = tmp_path / "x.co.gz"
    path.write_bytes(gzip.compress(b"c a\np aux sp co 2\nv 2 1.5 2\nv 1 -3 4\n"))
    assert read_coordinates(path).tolist() == [[-3, 4], [1.5, 2]]


def test_grid_map_knows_open_and_closed_cells(tmp_path: Path) -> None:
    path = tmp_path / "x.map"
    path.write_text("type octile\r\nheight 2\r\nwidth 4\r\nmap\r\n.GS@\r\nOTW.\r\n\r\n")
    assert read_movingai(path).astype(int).tolist() == [[1, 1, 1, 0], [0, 0, 0, 1]]


def test_edge_lists_refuse_what_cannot_be() -> None:
    with pytest.raises(DimensionMismatch, match=r"one length, came shapes \(1,\), \(2,\)"):
        EdgeList([0], [1, 1], None, 2, 2)
    with pytest.raises(DimensionMismatch, match="one length"):
        EdgeList([0], [1], [1, 2], 2, 2)
    with pytest.raises(DimensionMismatch, match="an undirected graph is square, came 2 x 3"):
        EdgeList([0], [1], None, 2, 3, directed=False)
    with pytest.raises(IndexOutOfBound, match=r"dst holds vertex 2; expected ids in 0\.\.1"):
        EdgeList([0], [2], None, 2, 2)
    with pytest.raises(IndexOutOfBound, match="src holds vertex -1"):
        EdgeList([-1], [1], None, 2, 2)
    with pytest.raises(TooLarge, match=r"at most 2\^60 vertices, got 1,152,921,504,606,846,977"):
        EdgeList([], [], None, 2**60 + 1, 2**60 + 1)
    with pytest.raises(TooLarge, match=r"fewer than 2\*\*31"):
        lg.Graph.from_edgelist(EdgeList([], [], None, 2**31, 2**31), backend="cpu")
    assert repr(EdgeList([0], [1], [2.5], 2, 2, path="a.gr")) == (
        "EdgeList(2 x 2, 1 directed edges, float64 weights, 'a.gr')"
    )


def test_writers_refuse_what_a_format_cannot_say(tmp_path: Path) -> None:
    arc = EdgeList([0], [1], None, 2, 2)
    loop = EdgeList([0], [0], None, 2, 2, directed=False)
    heavy = EdgeList([0], [1], [5], 2, 2, directed=False)
    for edges, format, message in (
        (arc, "metis", "METIS graphs are undirected"),
        (loop, "metis", "have no loops"),
        (arc, "pace", "neither directions nor weights"),
        (heavy, "pace", "neither directions nor weights"),
        (arc, "coloring", "neither directions nor weights"),
        (heavy, "coloring", "neither directions nor weights"),
        (arc, "osm", "'osm' is only read"),
    ):
        with pytest.raises(UnsupportedOperation, match=message):
            write_edges(tmp_path / "x.gr", edges, format)
    for weight, message in (
        ([np.nan], "NaN or infinite"),
        ([np.inf], "NaN or infinite"),
        (np.array([2**63], np.uint64), r"beyond int64; .*G\.A\.dup\('FP64'\)"),
        ([1j], "weights of type complex128"),
    ):
        with pytest.raises(InvalidValue, match=message):
            write_edges(tmp_path / "x.el", EdgeList([0], [1], weight, 2, 2))
    with pytest.raises(InvalidValue, match=r"from the name 'x.dat'.*that can be written: dimacs"):
        write_edges(tmp_path / "x.dat", arc)
    with pytest.raises(WrongType, match=r"expected the path of a graph file, .* got EdgeList"):
        write_edges(arc, tmp_path / "x.gr")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["", ".gz", ".bz2", ".xz"])
def test_a_failed_write_leaves_what_was_there(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"x.el{suffix}"
    write_edges(path, EdgeList([0], [1], None, 2, 2))
    before = path.read_bytes()

    def fail(*_: object) -> list[object]:
        raise KeyboardInterrupt

    monkeypatch.setattr("lagraph_gpu.files.atomic._plain", fail)
    with pytest.raises(KeyboardInterrupt):
        write_edges(path, EdgeList([1], [0], None, 2, 2))
    assert [p.name for p in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == before


def test_the_same_graph_gives_the_same_bytes(tmp_path: Path) -> None:
    edges = EdgeList([0, 1], [1, 2], [1.5, 2.5], 3, 3)
    for name in ("x.gr", "x.mtx.gz", "x.csv.xz"):
        write_edges(tmp_path / name, edges)
        first = (tmp_path / name).read_bytes()
        write_edges(tmp_path / name, edges)
        assert (tmp_path / name).read_bytes() == first
