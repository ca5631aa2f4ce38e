"""Graphs of 2³¹ vertices and more that generators make in parts: the same on every number of
processes, and what is found in them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu import generate
from lagraph_gpu.cluster import own_rows
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.generate import Draw
from lagraph_gpu.generate.kronecker_draw import draw_pairs
from lagraph_gpu.generate.kronecker_edges import Drawn
from lagraph_gpu.io import EdgeList
from tests.cluster.limits import at_most, most_vertices, peak_of
from tests.cluster.test_making import seen
from tests.cluster.turns import on_ranks
from tests.harness import CPU, GPU

MADE: dict[str, tuple[str, tuple[Any, ...]]] = {
    "kronecker 31": ("kronecker", (31, 2**-17, 3, "integer")),
    "kronecker 32": ("kronecker", (32, 2**-21, 1, "uniform")),
    "kronecker 40": ("kronecker", (40, 2**-30)),
    "kronecker 60": ("kronecker", (60, 2**-50, 1, "integer")),
    "kronecker of no edges": ("kronecker", (33, 0)),
    "undirected": ("random_graph", (2**31, 2000)),
    "directed": ("random_graph", (2**60, 1500, 2, True, "uniform")),
}


def entries_of(edges: EdgeList) -> tuple[Any, ...]:
    """What `seen` says of a graph of these edges."""
    weight = np.ones(edges.nedges, np.int32) if edges.weight is None else edges.weight
    ends, weights = (edges.src, edges.dst), weight
    if not edges.directed:
        ends = np.append(*ends), np.append(*ends[::-1])
        weights = np.append(weight, weight)
    order = np.lexsort(ends[::-1])
    arrays = [array[order].tolist() for array in (*ends, weights)]
    return edges.nrows, edges.directed, edges.weight is not None, weights.dtype, arrays


@pytest.mark.parametrize("name", MADE)
def test_the_same_on_every_number_of_processes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of, arguments = MADE[name]
    right = entries_of(getattr(generate, of)(*arguments))
    for size, piece in ((2, 1 << 15), (3, 300), (4, 300)):
        monkeypatch.setattr(own_rows, "PIECE", piece)
        make = partial(getattr(lg, of), *arguments)
        assert (
            on_ranks(size, lambda backend, make=make: seen(make(backend=backend))) == [right] * size
        )


def test_grids_of_more_cells_than_32_bits_number() -> None:
    """With a lower limit: to go over so many cells would take minutes."""
    make = partial(lg.grid, 7, 9, 0.2, 1, "integer")
    right = seen(make(backend=CPU))
    with most_vertices(20):
        assert on_ranks(3, lambda backend: seen(make(backend=backend))) == [right] * 3
        with pytest.raises(TooLarge, match="63 vertices; ids are 32 bits wide"):
            make(backend=CPU)


@pytest.mark.parametrize("scale", [31, 33, 60])
@pytest.mark.parametrize("weights", [None, "integer"])
def test_drawn_edges_are_counted_and_compared(scale: int, weights: Any) -> None:
    draw = Draw(scale, 900 / 2**scale, 4)
    ids, counts = np.unique(draw_pairs(draw, range(900)), return_counts=True)

    def work(backend: Any) -> None:
        drawn = Drawn(draw, backend)
        assert drawn.ends.nvals == draw.n
        assert drawn.ends.reduce("plus").new().value == 1800
        assert [drawn.ends.get(int(v)) for v in ids[::60]] == counts[::60].tolist()
        G = drawn.graph(weights)
        assert drawn.differences(G) == 0
        wrong = G.A.dup()
        wrong[draw.n - 1, 0] << 3
        assert drawn.differences(lg.Graph._checked(wrong, False)) == 1
        u, v = (int(end[0]) for end in G.edges()[:2])
        wrong = G.A.dup()
        del wrong[u, v]
        assert drawn.differences(lg.Graph._checked(wrong, False)) == 1

    for size in (2, 3):
        on_ranks(size, work)


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("name", ["kronecker 31", "undirected"])
def test_what_is_found_in_them(name: str, size: int) -> None:
    """As on one process in the graph of those ids that have edges."""
    of, arguments = MADE[name]
    edges = getattr(generate, of)(*arguments)
    ids, ends = np.unique(np.append(edges.src, edges.dst), return_inverse=True)
    pairs = ends[: edges.nedges], ends[edges.nedges :]
    small = lg.Graph.from_edges(*pairs, edges.weight, ids.size, directed=False, backend=CPU)
    component = lg.connected_components(small).to_dense()
    source = int(np.bincount(component).argmax())  # the first vertex of the largest component
    n, k, at = edges.nrows, ids.size, int(ids[source])
    rank = lg.pagerank(small, tol=1e-12).to_dense()

    def work(backend: Any) -> None:
        G = getattr(lg, of)(*arguments, backend=backend)
        for search in (lg.bfs, lg.sssp):
            right, found = search(small, source), search(G, at)
            index, value = right[0].to_coo()
            assert index.size >= (6 if of == "kronecker" else 2)
            assert [x.tolist() for x in found[0].to_coo()] == [ids[index].tolist(), value.tolist()]
            assert found[1].to_coo()[0].tolist() == ids[index].tolist()
        labels = lg.connected_components(G)
        wanted = ids[component]
        assert [labels.get(int(v)) for v in ids[::50]] == wanted[::50].tolist()
        count = lg.number_connected_components(G)
        assert count == lg.number_connected_components(small) + n - k
        found = lg.pagerank(G, tol=1e-15)
        assert np.isclose(found.reduce("plus").new().value, 1)
        ratio = np.array([found.get(int(v)) for v in ids[::50]]) / rank[::50]
        assert np.allclose(ratio, ratio[0], rtol=1e-3)  # all others jump to these, too
        assert lg.triangle_count(G) == lg.triangle_count(small)
        assert G.degree().reduce("plus").new().value == 2 * edges.nedges
        whole = lg.Matrix.from_coo(*entries_of(edges)[-1], G.A.dtype, nrows=n, ncols=n, backend=CPU)
        start = lg.Vector.from_coo(ids[::7], 1, whole.dtype, size=n, backend=CPU)
        mine, first = start.to(backend), start.dup()
        for A, x in ((G.A, mine), (whole, first)):
            x(~x.S, "plus") << (A @ x).select(">", 2)
        assert same_entries(mine, first)
        assert same_entries(
            lg.semiring.plus_times(G.A @ G.A).new(mask=G.A.S),
            lg.semiring.plus_times(whole @ whole).new(mask=whole.S),
        )
        assert same_entries(G.A[ids[:40], :].new(), whole[ids[:40], :].new())

    on_ranks(size, work)


def same_entries(one: Any, other: Any) -> bool:
    return [x.tolist() for x in one.to_coo()] == [x.tolist() for x in other.to_coo()]


def test_memory_follows_the_edges() -> None:
    def work() -> None:
        on_ranks(2, lambda backend: lg.kronecker(45, 2**-31, backend=backend) and None)

    assert peak_of(work) < 2 * 2**14 * 160  # 2^14 edges, with what is being sent


REFUSED = {
    "kronecker": lambda backend: lg.kronecker(31, 2**-30, backend=backend),
    "random": lambda backend: lg.random_graph(2**31, 5, backend=backend),
    "grid": lambda backend: lg.grid(2**16, 2**15, 1, backend=backend),
}


@pytest.mark.parametrize("name", REFUSED)
def test_one_process_and_gpus_have_no_such_ids(name: str) -> None:
    """Before anything is made."""
    for backend in (CPU, GPU):
        with pytest.raises(TooLarge, match=r"2,147,483,648 vertices.*take a cluster of two"):
            REFUSED[name](backend)
    with pytest.raises(TooLarge, match="2,147,483,648 vertices"):
        on_ranks(2, REFUSED[name], GPU)


def test_what_is_refused_on_a_cluster() -> None:
    def work(backend: Any) -> None:
        with pytest.raises(TooLarge, match="a part of about"):
            lg.kronecker(31, backend=backend)
        with pytest.raises(TooLarge, match="leave the layout out"):
            lg.kronecker(31, 2**-30, layout="degree", backend=backend)
        with pytest.raises(TooLarge, match="a scale of at most 60"):
            lg.kronecker(61, 2**-60, backend=backend)
        assert lg.kronecker(31, 2**-28, backend=backend).nedges == 8

    with at_most("2 GiB"):
        on_ranks(2, work)


def test_columns_of_large_graphs_take_eight_bytes() -> None:
    """Nobody begins to draw what has no room."""
    scale, count = 33, 1 << 20

    def work(backend: Any) -> None:
        with pytest.raises(
            TooLarge, match=f"a part of about {count:,} entries.*{8 * count:,} bytes"
        ):
            lg.kronecker(scale, count / 2**scale, backend=backend)

    with at_most(f"{8 * count // 1024 - 1} KiB"):
        on_ranks(2, work)
