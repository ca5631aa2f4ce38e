# ruff: noqa: E501  (mutants of one line)
"""Searches that push in bins, and their kernels broken in the lines that matter."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.errors import TooLarge
from lagraph_gpu.gpu.backend import GpuBackend
from lagraph_gpu.gpu.closure import binned_push
from lagraph_gpu.gpu.closure.binned_push import Sizes
from lagraph_gpu.schedule import Schedule
from semirings import any_pair, any_secondi
from tests.simt.exercises import gpu, offsets_of_64_bits
from tests.simt.mutants import Mutant, suite
from tests.simt.test_level_synchronous_mutants import levels

N = 300
SMALL = Sizes(6, 8, 512, 64, 1, 2, 6, 64, 1)
"""A block of `apply_bins` for each bin."""
HALVES = Sizes(6, 5, 512, 128, 2, 4, 5, 64, 1)
"""Two for each; and as many bins as there may be."""
NARROW = Sizes(6, 8, 64, 64, 1, 1, 6, 64, 1)
"""Tiles of few edges and few rows."""
ALL, PART = 10**6, 0.4


def uniform(seed: int, degree: float, directed: bool = False) -> np.ndarray:
    """Which edges there are in a random graph of so many out-edges for each vertex."""
    edge = np.random.default_rng(seed).random((N, N)) < degree / N / (1 if directed else 2)
    np.fill_diagonal(edge, False)
    return edge if directed else edge | edge.T


def binning(seed: int, sizes: Sizes, most: float, least: float = 0) -> GpuBackend:
    """A backend that pushes frontiers with so many edges for each vertex in bins."""
    backend = gpu(seed)
    backend.products.long_row = N
    backend.binned_push.sizes = sizes
    backend.binned_push.suits = lambda n, nedges, hubs: (
        int(least * n), min(int(most * n), nedges)
    )  # fmt: skip
    return backend


def expect_search(
    backend: GpuBackend, edge: np.ndarray, source: int, bound: int | None = None,
    ring: Any = any_secondi, prepared: bool = False, schedule: Schedule | None = None,
) -> list[Any]:  # fmt: skip
    """The levels must be those of a plain search, and parents one level closer; the trace."""
    n, (level, met) = len(edge), levels(edge, source)
    directed = not (edge == edge.T).all()
    i, j = np.nonzero(edge if directed else np.triu(edge))
    G = lg.Graph.from_edges(i, j, n=n, directed=directed, backend=backend)
    if prepared:
        G = G.prepared()
    if bound is not None:
        level = np.where(level > bound, -1, level)
    schedule = schedule or Schedule(loop="device", order="rounds")
    if ring is any_pair:
        x0 = lg.Vector.from_coo([source], [1], "INT64", size=n, backend=backend)
        x, when = closure_with_rounds(x0, G.A, ring, bound, schedule)
        assert (x.to_coo()[1] == 1).all()
    else:
        when, x = lg.bfs(G, source, bound, schedule)
        index, parent = x.to_coo()
        assert parent[index == source] == source
        index, parent = index[index != source], parent[index != source]
        assert edge[parent, index].all() and (level[parent] == level[index] - 1).all()
    np.testing.assert_array_equal(when.to_dense(fill_value=-1), level)
    assert x.nvals == when.nvals == (level >= 0).sum()
    return met


def searched(sizes: Sizes, most: float, degree: float = 12, least: float = 0, **more: Any) -> None:
    for seed in range(3):
        with offsets_of_64_bits(seed == 0):
            backend = binning(seed, sizes, most, least)
            edge = uniform(seed, degree, directed=seed == 1)
            for source in (7, 7 + seed):  # the second finds the memory of the first
                expect_search(backend, edge, source, **more)
            assert bins_used(backend)


def bins_used(backend: GpuBackend) -> bool:
    return any(name.startswith("bin_edges") for _, _, name in backend.kernels)


def whole() -> None:
    """Both frontiers are pushed, all of their edges."""
    searched(SMALL, ALL)


def parts() -> None:
    """Of a large frontier a part is pushed; then a pull goes on."""
    searched(SMALL, PART)


def halves() -> None:
    searched(HALVES, PART)


def narrow() -> None:
    """Tiles take a word at a time, and rows that they have no room for are pushed as before."""
    searched(NARROW, ALL, degree=16)


def sparse() -> None:
    """A tile has room for fewer rows than there are in a word."""
    searched(NARROW, ALL, degree=3)


def hubs() -> None:
    """Rows that no tile has room for."""
    for seed in range(3):
        edge = uniform(seed, 6)
        edge[11, 20:250] = edge[20:250, 11] = True
        expect_search(binning(seed, NARROW, ALL), edge, 3 + seed)


def crowded() -> None:
    """Bins have room for a few of their edges."""
    for seed, most in itertools.product(range(2), (ALL, PART)):
        backend = binning(seed, SMALL, most)
        backend.binned_push.margin, backend.binned_push.spare = -0.9, 9
        expect_search(backend, uniform(seed, 14), 5 + seed)


def bounded() -> None:
    for bound in range(1, 5):
        searched(SMALL, PART, bound=bound)


def pair() -> None:
    """Without an array of values."""
    searched(SMALL, PART, ring=any_pair)


def prepared() -> None:
    """Values that have room for levels, and rows that begin with their heads."""
    searched(SMALL, PART, prepared=True)


def logged() -> None:
    """The trace has vertices and edges of all rounds, and says what pulled."""
    for seed, (most, pulls) in itertools.product(range(2), ((ALL, False), (PART, True))):
        backend, edge = binning(seed, SMALL, most), uniform(seed, 12)
        with lg.trace() as steps:
            met = expect_search(backend, edge, 9)
        assert [(s.frontier, s.edges) for s in steps if s.frontier] == met
        assert ("pull" in {s.direction for s in steps}) == pulls
        clocks = [s.clock for s in steps if s.frontier]
        assert clocks == sorted(clocks)


def directions(edge: np.ndarray, least: float) -> list[str]:
    """Those of the rounds of a search that may push in bins once, the whole frontier."""
    backend = binning(0, SMALL, ALL, least)
    backend.binned_push.pauses = 1
    with lg.trace() as steps:
        expect_search(backend, edge, 9)
    return [s.direction for s in steps if s.frontier]


def suited() -> None:
    """Bins suit a frontier of many edges that had been found by few."""
    apart = uniform(1, 12)
    assert directions(apart, 0)[:2] == ["push", "pull"]  # the first pauses, and the next may not
    assert directions(apart, 0.5).count("push") == 3
    clustered = np.zeros((N, N), bool)
    for k in range(0, N, 50):
        clustered[max(0, k - 25) : k + 50, max(0, k - 25) : k + 50] = True
    np.fill_diagonal(clustered, False)
    assert directions(clustered, 1)[1:] == ["pull"] * (len(directions(clustered, 1)) - 1)


def unroomy() -> None:
    """Without room for bins a search goes in one launch."""
    backend = binning(0, SMALL, PART)

    def short(*_: Any) -> Any:
        raise TooLarge("")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(binned_push, "acquire", short)
        expect_search(backend, uniform(0, 12), 4)
    assert not bins_used(backend)


EXERCISES: tuple[Callable[[], None], ...] = (
    whole, parts, halves, narrow, sparse, hubs, crowded, bounded, pair, prepared, logged, suited,
    unroomy,
)  # fmt: skip

FILE = "closure/level_synchronous/binned_push.cuh"
PAUSE = "closure/level_synchronous/pause.cuh"
CLOSURE = "closure/level_synchronous/closure.cuh"

MUTANTS: list[Mutant] = []

test_exercise, test_mutant_is_killed = suite(EXERCISES, MUTANTS)
