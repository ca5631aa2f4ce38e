"""``lg.read``: what the file says about direction, and what ``directed=`` makes of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import lagraph_gpu as lg
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
