"""Searches that reach little of a large graph: they find what the statements find, and take no
array for all vertices."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import graphblas as gb
import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.algorithms.paths.sssp import lengths_and_parents
from lagraph_gpu.algorithms.traversal.bfs import levels_and_parents
from lagraph_gpu.algorithms.traversal.dfs import depth_first
from lagraph_gpu.cpu.loops import small_reach
from tests.harness import CPU, by_statements

N = 1 << 16
MOST = N // small_reach.SHARE


def parts(directed: bool, dtype: Any = float) -> lg.Graph:
    """Scattered over a large graph, parts of up to twice as many vertices as are few, each with a
    path and random edges; and a star that is too large by its centre."""
    rng = np.random.default_rng(directed)
    at = rng.permutation(N)
    ends, first = [], 0
    for size in (1, 2, 5, 40, MOST - 1, MOST, MOST + 1, 2 * MOST):
        path = np.arange(size - 1), np.arange(1, size)
        more = rng.integers(0, size, (2, 2 * size))
        ends.append(first + np.concatenate([path, more], axis=1))
        first += size
    leaves = first + 1 + np.arange(MOST)
    ends.append(np.array([np.full(MOST, first), leaves]))
    i, j = at[np.concatenate(ends, axis=1)]
    keep = i != j
    weight = rng.integers(0, 9, keep.sum()).astype(dtype)
    return lg.Graph.from_edges(i[keep], j[keep], weight, N, directed, "min", backend=CPU)


def sources(G: lg.Graph) -> list[int]:
    return np.flatnonzero(np.diff(G.A._store.arrays()[0]))[::9].tolist()


def same(found: Any, right: Any) -> bool:
    return all(x.isequal(y, check_dtype=True) for x, y in zip(found, right, strict=True))


@pytest.mark.parametrize("directed", [False, True])
def test_searches_by_edges(directed: bool) -> None:
    G = parts(directed)
    for source in sources(G):
        for bound in (None, 0, 3):
            level, parent = levels_and_parents(G, source, bound)
            right, _ = levels_and_parents.statements(G, source, bound)
            assert level.isequal(right, check_dtype=True) and parent.nvals == level.nvals
        verify.verify_bfs(G, source, *lg.bfs(G, source))


@pytest.mark.parametrize("dtype", [float, np.int32, np.float32])
@pytest.mark.parametrize("directed", [False, True])
def test_searches_by_weights(directed: bool, dtype: Any) -> None:
    G = parts(directed, dtype)
    for source in sources(G):
        for cutoff in (None, 11):
            length, parent = lengths_and_parents(G, source, cutoff)
            right, _ = lengths_and_parents.statements(G, source, cutoff)
            assert length.isequal(right, check_dtype=True) and parent.nvals == length.nvals
        verify.verify_sssp(G, source, *lg.sssp(G, source))


def test_weights_that_are_all_the_same() -> None:
    v = np.arange(8)
    G = lg.Graph.from_edges(v[:-1], v[1:], np.full(7, 2.5), N, False, backend=CPU)
    assert lg.sssp(G, 3)[0].to_dict() == {int(u): 2.5 * abs(int(u) - 3) for u in v}


def test_depth_first() -> None:
    G = parts(True)
    for source in sources(G):
        assert same(depth_first(G, source), depth_first.statements(G, source))


def test_what_is_little() -> None:
    """As many vertices, or fewer with many edges, are left to a search of the whole graph."""
    G = parts(False)
    label = lg.connected_components(G).to_dense()
    size = np.bincount(label, minlength=N)[label]
    for source in sources(G):
        part = small_reach.small_part(G.A._store, source)
        assert (part is None) is bool(size[source] > MOST)
        if part is not None:
            assert part.vertices.tolist() == np.flatnonzero(label == label[source]).tolist()
    clique = lg.Graph.from_edges(*np.triu_indices(MOST, 1), n=N, directed=False, backend=CPU)
    assert small_reach.small_part(clique.A._store, 0) is None
    small = lg.Graph.from_edges([0], [1], n=small_reach.LARGE - 1, backend=CPU)
    assert small_reach.small_part(small.A._store, 0) is None
    theirs = gb.Matrix.from_coo([0], [1], True, nrows=N, ncols=N)
    shared = lg.Matrix.from_graphblas(theirs, copy=False, backend=CPU)
    assert small_reach.small_part(shared._store, 0) is None


@pytest.mark.parametrize("search", [lg.bfs, lg.sssp, lg.dfs])
def test_no_array_for_all_vertices(search: Callable[..., Any]) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [2.0, 3.0], 1 << 20, False, backend=CPU)
    search(G, 1)
    tracemalloc.start()
    try:
        search(G, 1)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("first", [0, -1])
@pytest.mark.parametrize("directed", [False, True])
def test_searches_from_several(directed: bool, first: int) -> None:
    """Also where the first of them reaches more than is little."""
    G = parts(directed)
    reach = [lg.sssp(G, source)[0].nvals for source in sources(G)]
    chosen = [source for _, source in sorted(zip(reach, sources(G), strict=True))][:: 1 + 2 * first]
    assert min(reach) <= MOST < max(reach)
    for cutoff in (None, 11):
        lengths, parents = lg.sssp(G, sources=chosen, cutoff=cutoff)
        for row, source in enumerate(chosen):
            alone = lg.sssp(G, source, cutoff=cutoff)
            assert same((lengths[row, :].new(), parents[row, :].new()), alone)
    for weight in (None, "weight"):
        for cutoff in (None, 3):
            table = lg.distance_matrix(G, chosen, weight=weight, cutoff=cutoff)
            with by_statements():
                right = lg.distance_matrix(G, chosen, weight=weight, cutoff=cutoff)
            np.testing.assert_array_equal(table, right)


def test_smaller_graphs_are_large_enough_for_several_sources() -> None:
    n = small_reach.LARGE_FOR_SEVERAL
    G, smaller = (lg.Graph.from_edges([0], [1], n=size, backend=CPU) for size in (n, n - 1))
    one, two = np.array([0]), np.array([0, 5])
    assert None not in small_reach.small_parts(G.A._store, two)
    assert small_reach.small_parts(G.A._store, one) == [None]
    assert small_reach.small_parts(smaller.A._store, two) == [None] * 2
    distance, parent = lg.sssp(G, sources=[0, 5])
    assert distance.to_dicts() == {0: {0: 0, 1: 1}, 1: {5: 0}}
    assert parent.to_dicts() == {0: {0: 0, 1: 0}, 1: {5: 5}}
