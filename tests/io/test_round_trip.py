"""What is written reads back the same, for drawn graphs, in every format and compression."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lagraph_gpu.errors import FormatError
from lagraph_gpu.io import EdgeList, read_edges, stream, write_edges
from lagraph_gpu.io.formats import BY_NETWORKX, FORMATS, SQUARE
from lagraph_gpu.io.other_libraries import WHOLE_BITS
from tests.strategies import examples

BY_LIBRARIES = ("npz", "parquet", "graphml", "gexf", "gml", "osm")
"""Formats of which other libraries parse all: their messages name no line."""

DTYPES = (np.int8, np.uint8, np.int32, np.int64, np.float32, np.float64)


@st.composite
def edge_lists(draw: st.DrawFn) -> EdgeList:
    directed = draw(st.booleans())
    nrows = draw(st.integers(0, 9))
    ncols = draw(st.integers(0, 9)) if directed and draw(st.booleans()) else nrows
    size = draw(st.integers(0, 12)) if nrows and ncols else 0
    src = draw(hnp.arrays(np.int64, size, elements=st.integers(0, max(nrows - 1, 0))))
    dst = draw(hnp.arrays(np.int64, size, elements=st.integers(0, max(ncols - 1, 0))))
    weight = None
    if draw(st.booleans()):
        dtype = np.dtype(draw(st.sampled_from(DTYPES)))
        finite: dict[str, Any] = {"allow_nan": False, "allow_infinity": False}
        elements = hnp.from_dtype(dtype, **(finite if dtype.kind == "f" else {}))
        weight = draw(hnp.arrays(dtype, size, elements=elements))
    return EdgeList(src, dst, weight, nrows, ncols, directed)


def content(edges: EdgeList, ordered: bool) -> tuple[object, ...]:
    weight = [None] * edges.nedges if edges.weight is None else edges.weight.tolist()
    src, dst = edges.src, edges.dst
    if not edges.directed:
        src, dst = np.minimum(src, dst), np.maximum(src, dst)
    rows = list(zip(src.tolist(), dst.tolist(), weight, strict=True))
    rows = rows if ordered else sorted(rows, key=repr)
    return edges.nrows, edges.ncols, edges.directed, rows


def holds(name: str, edges: EdgeList) -> bool:
    """Whether a format can say this graph."""
    if name in SQUARE and edges.nrows != edges.ncols:
        return False
    if name in WHOLE_BITS and edges.weight is not None and edges.weight.dtype == np.int64:
        return bool((np.abs(edges.weight.astype(float)) < 2 ** (WHOLE_BITS[name] - 1)).all())
    if name in ("pace", "coloring"):
        return not edges.directed and edges.weight is None
    if name == "metis":
        return not edges.directed and not (edges.src == edges.dst).any()
    return True


@pytest.mark.parametrize("name", [form.name for form in FORMATS if form.writable])
@settings(  # PACE and .col can say few graphs
    examples(60), suppress_health_check=[HealthCheck.filter_too_much]
)
@given(edges=edge_lists(), block=st.sampled_from([1, 7, 1 << 20]))
def test_a_written_graph_reads_back(name: str, edges: EdgeList, block: int) -> None:
    assume(holds(name, edges))
    if name == "parquet":
        pytest.importorskip("pyarrow")
    suffix = ("", ".gz", ".bz2", ".xz")[edges.nedges % 4]
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(stream, "BLOCK", block):
        ending = "e" if name == "graphalytics" else name
        path = Path(folder, f"graph.{ending}{suffix}")
        write_edges(path, edges, format=name)
        back = read_edges(path, format=name)
        written = {p.name for p in Path(folder).iterdir()}
        beside = {f"graph.v{suffix}", "graph.properties"} if name == "graphalytics" else set()
        assert written == {path.name} | beside
    assert back.path == str(path)
    expected = edges
    if name == "dimacs":  # arcs with lengths, that is all it knows
        src, dst, weight = edges.arcs()
        weight = np.ones_like(src) if weight is None else weight
        expected = EdgeList(src, dst, weight, edges.nrows, edges.ncols)
    elif edges.nedges == 0 and name in ("edgelist", "tsv", "csv", "graphalytics", *BY_NETWORKX):
        expected = EdgeList([], [], None, edges.nrows, edges.ncols, edges.directed)
    ordered = name not in ("npz", "metis", *BY_NETWORKX)
    assert content(back, ordered) == content(expected, ordered)
    if name == "npz" and edges.weight is not None:
        assert back.weight is not None and back.weight.dtype == edges.weight.dtype


@examples(60)
@given(edges=edge_lists())
def test_scipy_reads_what_is_written(edges: EdgeList) -> None:
    src, dst, weight = edges.arcs()
    assume(edges.nrows and edges.ncols and (weight is None or np.abs(weight).max(initial=0) < 1e6))
    expected = np.zeros((edges.nrows, edges.ncols))
    np.add.at(expected, (src, dst), 1 if weight is None else weight.astype(float))
    with tempfile.TemporaryDirectory() as folder:
        write_edges(Path(folder, "x.mtx"), edges)
        write_edges(Path(folder, "x.npz"), edges)
        read = scipy.io.mmread(Path(folder, "x.mtx"), spmatrix=False)
        assert np.allclose(read.toarray(), expected)
        saved = scipy.sparse.load_npz(Path(folder, "x.npz")).astype(float)
        assert np.allclose(saved.toarray(), expected)


WORDS = st.sampled_from(
    [
        "1",
        "2",
        "3",
        "0",
        "-1",
        "4",
        "1.5",
        "2e0",
        "nan",
        "inf",
        "x",
        "-",
        "",
        "9" * 25,
        "%",
        "c",
        "a",
    ]
)


@pytest.mark.parametrize("name", [form.name for form in FORMATS if form.name not in BY_LIBRARIES])
@examples(150)
@given(lines=st.lists(st.lists(WORDS, max_size=4), max_size=5), block=st.sampled_from([1, 1 << 20]))
def test_any_text_is_read_or_refused_but_never_breaks_a_reader(
    name: str, lines: list[list[str]], block: int
) -> None:
    header = {
        "dimacs": "p sp 3 2\n",
        "pace": "p tw 3 2\n",
        "coloring": "p edge 3 2\n",
        "matrixmarket": "%%MatrixMarket matrix coordinate real general\n3 3 2\n",
        "metis": "3 2 1\n",
    }.get(name, "")
    tag = {"dimacs": "a ", "coloring": "e "}.get(name, "")
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(stream, "BLOCK", block):
        path = Path(folder, "x.v" if name == "graphalytics" else "x")
        Path(folder, "x.e").write_text("1 2\n")
        path.write_text(header + "\n".join(tag + " ".join(words) for words in lines))
        try:
            edges = read_edges(path, format=name)
        except FormatError as error:
            assert error.message
            if error.line is not None:
                assert 1 <= error.line <= len(lines) + 2
            assert "cannot be read" not in error.message  # the slow pass found the cause
            return
    assert edges.weight is None or np.isfinite(edges.weight).all()
    assert (edges.src >= 0).all() and (edges.src < edges.nrows).all()
