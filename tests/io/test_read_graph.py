"""``lg.read``: what the file says about direction, and what ``directed=`` makes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.convert.edges import DUPLICATES
from lagraph_gpu.io import EdgeList, read_edges, write_edges

UNDIRECTED = {  # the path 0 - 1 - 2 - 3 in every format that knows undirected graphs
    "path.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 2\n4 3\n",
    "path.graph": "4 3\n2\n1 3\n2 4\n3\n",
    "path.gr": "p tw 4 3\n1 2\n2 3\n3 4\n",
    "path.el": "# Undirected graph\n0 1\n1 2\n2 3\n",
}


def entries(G: lg.Graph) -> list[tuple[int, ...]]:
    return sorted(zip(*(part.tolist() for part in G.A.to_coo()), strict=True))


@pytest.mark.parametrize("name", UNDIRECTED)
def test_an_undirected_file_seen_as_a_digraph(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(UNDIRECTED[name])
    plain = lg.read(path, backend="cpu")
    seen = lg.read(path, directed=True, backend="cpu")
    assert not plain.directed and plain.nedges == 3
    assert seen.directed and seen.nedges == 6
    assert entries(seen) == entries(plain)
    level, _ = lg.bfs(seen, 3)
    assert level.to_dense().tolist() == [3, 2, 1, 0]


def test_weights_and_loops_of_both_directions(tmp_path: Path) -> None:
    path = tmp_path / "loop.mtx"
    write_edges(path, EdgeList([0, 1, 1], [1, 1, 2], [5, 7, 9], 3, 3, directed=False))
    G = lg.read(path, directed=True, backend="cpu")
    assert entries(G) == [(0, 1, 5), (1, 0, 5), (1, 1, 7), (1, 2, 9), (2, 1, 9)]


def test_duplicates_of_both_directions(tmp_path: Path) -> None:
    path = tmp_path / "twice.mtx"
    write_edges(path, EdgeList([0, 0], [1, 1], [5, 3], 2, 2, directed=False))
    with pytest.raises(lg.errors.DuplicateEdges):
        lg.read(path, directed=True, backend="cpu")
    G = lg.read(path, directed=True, dup="min", backend="cpu")
    assert entries(G) == [(0, 1, 3), (1, 0, 3)]


BOTH_WAYS: dict[str, tuple[list[tuple[int, int, int]], dict[str, list[int] | None]]] = {
    "each once": ([(1, 2, 3), (2, 1, 3), (2, 2, 7)], {dup: [3, 7] for dup in DUPLICATES}),
    "parallels": (
        [(1, 2, 3), (1, 2, 5), (2, 1, 5), (2, 1, 3)],
        {"error": None, "min": [3], "sum": [8], "first": [3], "last": [5]},
    ),
    "equal parallels": (
        [(1, 2, 4), (1, 2, 4), (2, 1, 4), (2, 1, 4)],
        {"error": None, "min": [4], "sum": [8], "first": [4], "last": [4]},
    ),
    "a loop twice": (
        [(1, 1, 3), (1, 1, 5)],
        {"error": None, "min": [3], "sum": [8], "first": [3], "last": [5]},
    ),
    "unequal ways": (
        [(1, 2, 5), (2, 1, 3)],
        {"error": None, "min": [3], "sum": [8], "first": [5], "last": [3]},
    ),
    "one way twice": (
        [(1, 2, 5), (1, 2, 5)],
        {"error": None, "min": [5], "sum": [10], "first": [5], "last": [5]},
    ),
}  # fmt: skip
"""Arcs of a directed file, and what they weigh as edges under each policy (None: refused)."""


@pytest.mark.parametrize("dup", DUPLICATES)
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("case", BOTH_WAYS)
def test_only_the_two_directions_of_an_edge_are_one(
    case: str, weighted: bool, dup: str, tmp_path: Path
) -> None:
    arcs, expected = BOTH_WAYS[case]
    edges = EdgeList(
        [u for u, _, _ in arcs], [v for _, v, _ in arcs], [w for _, _, w in arcs], 3, 3
    )
    if not weighted:
        edges = replace(edges, weight=None)
    write_edges(tmp_path / "x.el", edges)
    wanted = expected[dup]
    if wanted is None and (weighted or case != "unequal ways"):
        named = r"x\.el, ids counted from 0: .* say what that means with dup="
        with pytest.raises(lg.errors.DuplicateEdges, match=named):
            lg.read(tmp_path / "x.el", directed=False, dup=dup, backend="cpu")
        return
    G = lg.read(tmp_path / "x.el", directed=False, dup=dup, backend="cpu")
    assert not G.directed
    if weighted:
        assert [w for u, v, w in entries(G) if u <= v] == wanted
    else:
        assert G.nedges == len(wanted or [1])


def test_an_error_tells_that_directions_were_left_out(tmp_path: Path) -> None:
    path = tmp_path / "some.el"
    path.write_text("0 1\n1 2\n2 1\n")
    assert lg.read(path, backend="cpu").nedges == 3
    with pytest.raises(lg.errors.DuplicateEdges, match=r"1 → 2 .*an edge and its opposite are one"):
        lg.read(path, directed=False, backend="cpu")
    path.write_text("0 1\n0 1\n")
    with pytest.raises(lg.errors.DuplicateEdges, match=r"0 → 1 .* 'first' or 'last'$"):
        lg.read(path, backend="cpu")


@pytest.mark.parametrize("directed", [True, False])
def test_sums_of_duplicates_are_finite(directed: bool, tmp_path: Path) -> None:
    path = tmp_path / "twice.tsv"
    path.write_text("0\t1\t1.7e308\n0\t1\t1.7e308\n")
    with pytest.raises(lg.exceptions.InvalidValue, match="to fit FP64, got about inf"):
        lg.read(path, directed, dup="sum", backend="cpu")


@pytest.mark.parametrize("directed", [True, None])
def test_a_directed_file_stays_as_it_is(directed: bool | None, tmp_path: Path) -> None:
    path = tmp_path / "one.gr"
    path.write_text("p sp 3 2\na 1 2 5\na 3 2 4\n")
    assert entries(lg.read(path, directed, backend="cpu")) == [(0, 1, 5), (2, 1, 4)]
    both = entries(lg.read(path, directed=False, backend="cpu"))
    assert both == [(0, 1, 5), (1, 0, 5), (1, 2, 4), (2, 1, 4)]


@pytest.mark.parametrize("name", UNDIRECTED)
def test_the_matrix_is_what_the_list_says(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(UNDIRECTED[name])
    src, dst, _ = read_edges(path).arcs()
    rows, columns, _ = lg.read(path, directed=True, backend="cpu").A.to_coo()
    order = np.lexsort((dst, src))
    assert rows.tolist() == src[order].tolist() and columns.tolist() == dst[order].tolist()
