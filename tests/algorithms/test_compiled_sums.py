"""Compiled loops of the CPU whose code depends on the size: many sources, jobs and batches of
searches in step, more than 64 colours, and rows that somebody else has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import graphblas as gb
import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared.labels import random_ranks
from lagraph_gpu.algorithms.centrality.distance_sums import distance_sums, source_totals
from lagraph_gpu.algorithms.paths.eccentricity import farthest_levels
from lagraph_gpu.algorithms.structure.independent_set import greedy_coloring
from lagraph_gpu.cpu.loops import source_sums
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.planning import many_sources
from tests.harness import CPU


def lattice() -> lg.Matrix:
    return lg.grid(36, 37, backend=CPU).A


def directed() -> lg.Matrix:
    """Not all reach all; the later an id the fewer edges lead there."""
    rng = np.random.default_rng(3)
    i, j = rng.integers(0, 1300, 3900), (1300 * rng.random(3900) ** 2).astype(int)
    return lg.Graph.from_edges(i, j, n=1300, dup="first", backend=CPU).A


@pytest.mark.parametrize("made", [lattice, directed])
@pytest.mark.parametrize(("count", "jobs", "threads"), [(600, 64, 2), (1300, 2, 1), (1300, 64, 3)])
@pytest.mark.parametrize("alone", [False, True])
def test_many_sources(
    made: Callable[[], lg.Matrix], count: int, jobs: int, threads: int, alone: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """In step, and one after another."""
    monkeypatch.setattr(source_sums, "JOBS", jobs)
    monkeypatch.setattr(source_sums, "hardly_shared", lambda *_: alone)
    monkeypatch.setattr(source_sums, "threads_of", lambda store, searches: threads)
    A, sources = made(), np.sort(np.random.default_rng(1).permutation(1300)[:count])
    for B in (A, A.T):
        for found, right in zip(source_totals(B, sources), source_totals.statements(B, sources)):
            assert found.isequal(right, check_dtype=True)
    others, farness, nearness = distance_sums(A, sources)
    right = distance_sums.statements(A, sources)
    assert others.isequal(right.others) and farness.isequal(right.farness)
    np.testing.assert_allclose(nearness.to_dense(), right.nearness.to_dense(), rtol=1e-12)


def test_sources_that_come_again() -> None:
    A, sources = lattice(), np.r_[np.arange(700), np.arange(90, 150), 699]
    for found, right in zip(source_totals(A, sources), source_totals.statements(A, sources)):
        assert found.isequal(right)


def clique() -> lg.Matrix:
    """Whose searches pull."""
    return lg.Graph.from_edges(*np.triu_indices(300, 1), directed=False, backend=CPU).A


@pytest.mark.parametrize("made", [lattice, directed, clique])
def test_a_few_searches_go_one_after_another(
    made: Callable[[], lg.Matrix], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And ask neither what memory is free nor whether they share looks."""
    A = made()
    A._store.arrays(transposed=True)
    few = source_sums.FEW_WIDE_SEARCHES if made is clique else source_sums.FEW_SEARCHES
    for sources in (np.array([7]), np.arange(3, 3 + few)):
        right = distance_sums.statements(A, sources)
        totals = [source_totals.statements(B, sources) for B in (A, A.T)]
        with monkeypatch.context() as patch:
            for name in ("fitting", "hardly_shared"):
                patch.setattr(source_sums, name, lambda *_: 1 / 0)
            for B, expected in zip((A, A.T), totals, strict=True):
                for found, wanted in zip(source_totals(B, sources), expected, strict=True):
                    assert found.isequal(wanted, check_dtype=True)
            others, farness, nearness = distance_sums(A, sources)
        assert others.isequal(right.others) and farness.isequal(right.farness)
        np.testing.assert_allclose(nearness.to_dense(), right.nearness.to_dense(), rtol=1e-12)
        with monkeypatch.context() as patch, pytest.raises(ZeroDivisionError):
            patch.setattr(source_sums, "fitting", lambda *_: 1 / 0)
            source_totals(A, np.arange(few + 1))


@pytest.mark.parametrize("alone", [False, True])
def test_sums_do_not_depend_on_threads(alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    G = lg.grid(36, 37, backend=CPU)
    monkeypatch.setattr(source_sums, "hardly_shared", lambda *_: alone)
    found = []
    for threads in (1, 2, 5):
        monkeypatch.setattr(source_sums, "threads_of", lambda store, searches, t=threads: t)
        found.append(lg.harmonic_centrality(G))
    assert all(x.isequal(found[0]) for x in found)


@pytest.mark.parametrize("alone", [False, True])
def test_depths_of_many_sources(alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    A = lattice()
    monkeypatch.setattr(source_sums, "hardly_shared", lambda *_: alone)
    depths, pairs = farthest_levels(A, np.arange(A.nrows))
    right, all_pairs = farthest_levels.statements(A, np.arange(A.nrows))
    assert depths.isequal(right, check_dtype=True) and pairs == all_pairs == A.nrows**2


def test_who_reaches_not_all_is_found_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody goes on searching in a graph of two parts."""
    monkeypatch.setattr(source_sums, "JOBS", 1)
    monkeypatch.setattr(source_sums, "threads_of", lambda store, searches: 1)
    v = np.arange(4000)
    G = lg.Graph.from_edges(
        v[v % 2000 > 0] - 1, v[v % 2000 > 0], n=4000, directed=False, backend=CPU
    )
    depths, pairs = farthest_levels(G.A, v)
    assert depths.nvals == 0 and 0 < pairs <= 2 * source_sums.BATCH * 2000
    with pytest.raises(InvalidValue, match="expected a connected graph"):
        lg.eccentricity(G)


def test_searches_that_hardly_share_a_look() -> None:
    """From all vertices of a path a vertex is found in as many rounds as there are sources. All
    leaves of a star, and of a tree, are at few distances from a vertex. Parts share nothing."""
    v = np.arange(1, 1000)

    def apart(before: np.ndarray, sources: np.ndarray, words: int = 8) -> bool:
        G = lg.Graph.from_edges(before, v, n=1000, directed=False, backend=CPU)
        return source_sums.hardly_shared(G.A._store, False, sources, words)

    path, star, tree = v - 1, np.zeros_like(v), (v - 1) // 2
    assert apart(path, v) and not apart(star, v) and not apart(tree, v)
    assert apart(path, v[:100], 1) and not apart(star, v[:100], 1)
    pairs = v - v % 2  # vertex 2 i beside 2 i + 1
    assert apart(pairs, v)


def lollipop() -> lg.Matrix:
    """A clique with a path, which has many edges for each vertex and many rounds."""
    i, j = np.triu_indices(100, 1)
    v = np.arange(99, 699)
    ends = np.append(i, v), np.append(j, v + 1)
    return lg.Graph.from_edges(*ends, directed=False, backend=CPU).A


def test_a_deep_graph_of_many_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    """One search shows that it is deep, where there is a batch of them."""
    A, ends = lollipop(), np.triu_indices(600, 1)
    wide = lg.Graph.from_edges(*ends, directed=False, backend=CPU).A
    assert source_sums.fans_out(A.nrows, A.nvals)
    many = source_sums.BATCH
    assert source_sums.takes_many_rounds(A._store, False, np.arange(many))
    assert not source_sums.takes_many_rounds(A._store, False, np.arange(many - 1))
    assert not source_sums.takes_many_rounds(wide._store, False, np.arange(many))
    asked: list[Any] = []
    monkeypatch.setattr(source_sums, "hardly_shared", lambda *given: not asked.append(given))
    sources = np.arange(A.nrows)
    for found, right in zip(source_totals(A, sources), source_totals.statements(A, sources)):
        assert found.isequal(right, check_dtype=True)
    assert len(asked) == 1
    source_totals(wide, np.arange(600))
    assert len(asked) == 1


def test_progress_ends_with_all_sources() -> None:
    told: list[tuple[int, Any]] = []
    lg.harmonic_centrality(lg.grid(60, 60, backend=CPU), progress=lambda *step: told.append(step))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert all(total == 3600 for _, total in told if total is not None)


def test_less_memory_means_fewer_words(monkeypatch: pytest.MonkeyPatch) -> None:
    A, one = lattice(), 36 * 37
    wide, narrow = (3 * 8 * words + many_sources.BESIDES for words in (8, 4))
    for free, right in (
        (None, (8, 4)), (8 * wide * one, (8, 4)), (2 * wide * one, (8, 1)),
        (2 * wide * one - 1, (4, 1)), (4 * narrow * one, (8, 1)), (1, (1, 1)),
    ):  # fmt: skip
        monkeypatch.setattr(source_sums, "free_bytes", lambda of, free=free: free)
        monkeypatch.setattr("lagraph_gpu.memory.CHECKED_BYTES", 0)
        monkeypatch.setattr(CPU, "free_bytes", lambda free=free: free)
        assert source_sums.fitting(A, one, 512, 4) == right, free
    assert source_sums.fitting(A, one, 64, 1)[0] == 1
    assert lg.harmonic_centrality(lg.grid(36, 37, backend=CPU)).nvals == one


@pytest.mark.parametrize("size", [64, 65, 70, 130])
def test_more_than_64_colours(size: int) -> None:
    """A clique, some vertices that see a part of it, and a path."""
    i, j = np.triu_indices(size, 1)
    rng = np.random.default_rng(size)
    more = rng.integers(0, size, 300), size + rng.integers(0, 20, 300)
    path = np.arange(size + 20, size + 60)
    ends = np.r_[i, more[0], path[:-1]], np.r_[j, more[1], path[1:]]
    G = lg.Graph.from_edges(*ends, n=size + 60, directed=False, dup="first", backend=CPU)
    for by_degree in (False, True):
        operands = random_ranks(G, 1), G.neighbours, by_degree
        found = greedy_coloring(*operands)
        assert found.isequal(greedy_coloring.statements(*operands), check_dtype=True)
        assert found.reduce("max").new().value >= size - 1


@pytest.mark.parametrize(
    "call", [lg.triangle_count, lg.triangles, lg.clustering, lambda G: lg.k_truss(G, 3)]
)
@pytest.mark.parametrize("edge", [(0, 5), (5, 0), (3, 9)])
def test_rows_that_somebody_has_made_asymmetric(call: Any, edge: tuple[int, int]) -> None:
    """Whatever comes of it, nothing is written outside the arrays of the loop."""
    hub, leaf = np.zeros(100, np.int64), np.arange(1, 101)
    ends = np.r_[hub, leaf], np.r_[leaf, hub]
    theirs = gb.Matrix.from_coo(*ends, 1, nrows=5000, ncols=5000)
    G = lg.Graph(lg.Matrix.from_graphblas(theirs), directed=False)
    many = np.arange(101, 5000)
    more = np.full(many.size, edge[0]), many
    theirs << gb.Matrix.from_coo(
        np.r_[ends[0], more[0], edge[0]], np.r_[ends[1], more[1], edge[1]], 1, nrows=5000,
        ncols=5000,
    )  # fmt: skip
    call(G)
