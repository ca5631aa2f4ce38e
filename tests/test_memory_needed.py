"""What `lg.memory_needed` tells, against the measured peaks of every public algorithm."""

from __future__ import annotations

import gc
import inspect
import tracemalloc
import weakref
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.calls import memory_formulas, memory_needs
from lagraph_gpu.calls.memory_figures import FIGURES
from lagraph_gpu.calls.memory_formulas import MORE
from lagraph_gpu.calls.memory_needs import CHECKED, FACTOR
from lagraph_gpu.convert import compressed_rows
from lagraph_gpu.errors import InvalidValue, TooLarge
from semirings import BINARY, plus_times
from tests import graphs
from tests.harness import GPU

ALGORITHMS = sorted(
    name for name in lg.__all__
    if inspect.isfunction(thing := getattr(lg, name))
    and next(iter(inspect.signature(thing).parameters), None) == "G" and name != "write"
)  # fmt: skip

BESIDES = 200_000
"""Bytes that do not depend on the graph."""

QUADRATIC = {
    "contract",
    "floyd_warshall",
    *(n for n, f in MORE.items() if f in (memory_formulas.searches, memory_formulas.extremes)),
}
ACYCLIC = ("dag_", "topological_")


def drawn(name: str, n: int, m: int, directed: bool) -> lg.Graph:
    """A random graph of the kind that an algorithm takes, with a path through all vertices where
    it has to be connected. It is stored as larger graphs are, not in
    arrays that a call would share."""
    rng = np.random.default_rng(1)
    ends = rng.integers(0, n, (2, m))
    if name.startswith(ACYCLIC):
        ends, directed = np.sort(ends, axis=0), True
    if "bipartite" in name:
        ends = ends // 2 * 2 + [[0], [1]]
    if name in ("diameter", "eccentricity"):
        ends = np.hstack((ends, graphs.path(n)))
    ends = ends[:, ends[0] != ends[1]]
    weight = rng.integers(1, 9, ends.shape[1]).astype(float)
    with patch.object(compressed_rows, "MOST_KEPT_AS_ARRAYS", 1 << 12):
        return lg.Graph.from_edges(*ends, weight, n + n % 2, directed, "min", backend="cpu")


def arguments(name: str, G: lg.Graph) -> dict[str, Any]:
    by_name: dict[str, Any] = {
        "source": 0, "target": 1, "u": 0, "v": 1, "k": 3, "length": 5,
        "labels": lg.Vector.from_dense(np.arange(G.n) % 7, backend="cpu"),
    }  # fmt: skip
    special: dict[str, dict[str, Any]] = {
        "bfs": {"source": 0}, "sssp": {"source": 0}, "bellman_ford": {"source": 0},
        "paired_distances": {"sources": [0, 1], "targets": [2, 3]},
        "random_walks": {"sources": np.arange(30), "length": 5},
        "eigenvector_centrality": {"tol": 0.01, "max_iter": 1000},
        "hits": {"tol": 1e-3, "max_iter": 1000}, "katz_centrality": {"alpha": 1e-4},
    }  # fmt: skip
    if name in special:
        return special[name]
    parameters = [*inspect.signature(getattr(lg, name)).parameters.values()][1:]
    return {
        p.name: by_name[p.name] for p in parameters
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    }  # fmt: skip


def measured(name: str, G: lg.Graph, given: dict[str, Any]) -> int:
    """The peak of a call on a graph that has kept nothing yet, with its result."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        made = getattr(lg, name)(G, **given)
        made = list(made) if hasattr(made, "__next__") else made
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def directions(name: str) -> Iterator[bool]:
    """True if it takes a directed graph, False if an undirected one."""
    for directed in (True, False):
        try:
            G = drawn(name, 40, 60, directed)
            getattr(lg, name)(G, **arguments(name, G))  # which also compiles what it needs
            yield directed
        except InvalidValue:
            continue


def test_every_algorithm_has_a_row() -> None:
    assert [*FIGURES] == ALGORITHMS and {*MORE} <= {*FIGURES}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_estimates_hold_the_peaks(name: str) -> None:
    """On a sparse and on a dense graph, in each direction that the algorithm takes. The sparser the
    lower is the estimate, so a margin on one of them is none on both."""
    sizes = (
        [(400, 4000), (1000, 2000)] if name in QUADRATIC else [(30_000, 30_000), (3000, 120_000)]
    )
    if name in ("leiden", "louvain"):  # which take longest
        sizes = [(10_000, 10_000), (1000, 40_000)]
    if name == "floyd_warshall":
        sizes = [(300, 3000), (600, 1200)]
    if name in ("distance_matrix", "iter_distances", "betweenness_centrality"):
        sizes = [(1000, 2000), (400, 8000)]
    told = peaks = 0
    for directed in directions(name):
        for n, m in sizes:
            G = drawn(name, n, m, directed)
            given = arguments(name, G)
            needed = lg.memory_needed(getattr(lg, name), G, **given)
            estimate, peak = needed.workspace + needed.result, measured(name, G, given)
            assert peak <= estimate + BESIDES, f"{estimate:,} for {peak:,}: {n}, {m}, {directed}"
            assert name not in CHECKED or estimate // FACTOR <= peak + BESIDES, "refused, but fits"
            told, peaks = told + estimate, peaks + peak
    assert told and told <= FACTOR * peaks + BESIDES, f"{told:,} for {peaks:,}"


BY_BOUND = {"random_walks", "density", *QUADRATIC}
"""A GPU may take much less: walks that go to the host, no loops to count, or few sources at a
time."""


@pytest.mark.parametrize("name", sorted({*ALGORITHMS} - {"contract", "floyd_warshall"}))
def test_estimates_hold_the_peaks_of_a_gpu(name: str) -> None:
    """By what arrays take on an emulated device."""
    quadratic = name in QUADRATIC | {"betweenness_centrality", "distance_matrix", "iter_distances"}
    few = quadratic or name in ("leiden", "louvain")
    told = peaks = 0
    for directed in directions(name):
        for n, m in [(200, 2000), (500, 600)] if few else [(6000, 6000), (800, 20_000)]:
            G = drawn(name, n, m, directed).to(GPU)
            given = {
                key: value.to(GPU) if isinstance(value, lg.Vector) else value
                for key, value in arguments(name, G).items()
            }
            needed = lg.memory_needed(getattr(lg, name), G, **given)
            with GPU.device.room_of(1 << 40):
                made = getattr(lg, name)(G, **given)
                made = list(made) if hasattr(made, "__next__") else made
                peak = GPU.device.taken.most
            estimate = needed.workspace + needed.result
            assert peak <= estimate + BESIDES, f"{estimate:,} for {peak:,}: {n}, {m}, {directed}"
            told, peaks = told + estimate, peaks + peak
    assert name in BY_BOUND or told <= FACTOR * peaks + BESIDES, f"{told:,} for {peaks:,}"


@pytest.mark.parametrize("name", ["bfs", "sssp"])
@pytest.mark.parametrize(
    "n, m, k", [(30_000, 60_000, 8), (30_000, 60_000, 150), (3000, 120_000, 16)]
)
def test_trees_from_several_sources(name: str, n: int, m: int, k: int) -> None:
    """Also where the room for them has to grow. A call that fits is not refused."""
    call, given = getattr(lg, name), {"sources": list(range(k))}
    call(drawn(name, 40, 60, True), sources=[0, 1])  # which also compiles what it needs
    for directed in (True, False):
        G = drawn(name, n, m, directed)
        needed = lg.memory_needed(call, G, **given)
        estimate, peak = needed.workspace + needed.result, measured(name, G, given)
        assert peak <= estimate + BESIDES, f"{estimate:,} for {peak:,}: {directed}"
        assert estimate // FACTOR <= peak + BESIDES, "refused, but fits"


def test_ranks_of_fp32_take_less() -> None:
    for n, m in [(30_000, 30_000), (3000, 120_000)]:
        G = drawn("pagerank", n, m, True)
        lg.pagerank(G, dtype="FP32")  # which also compiles what it needs
        G = drawn("pagerank", n, m, True)
        wide, narrow = (lg.memory_needed(lg.pagerank, G, dtype=kind) for kind in ("FP64", "FP32"))
        assert narrow.result == 4 * G.n == wide.result // 2 and narrow.workspace < wide.workspace
        estimate, peak = (
            narrow.workspace + narrow.result,
            measured("pagerank", G, {"dtype": "FP32"}),
        )
        assert estimate // FACTOR <= peak + BESIDES and peak <= estimate + BESIDES


@pytest.mark.parametrize("length", [0, 1, 3, 100])
def test_walkers_count_beside_their_steps(length: int) -> None:
    """Of which the last comes to an end at once, so that rows have different lengths."""
    G, many = lg.Graph.from_edges([0, 1], [1, 0], n=3, backend="cpu"), 10**6 // (length + 1)
    given = {"sources": np.append(np.zeros(many, int), 2), "length": length}
    lg.random_walks(G, [0], 1)  # which also compiles what it needs
    needed = lg.memory_needed(lg.random_walks, G, **given)
    assert measured("random_walks", G, given) <= needed.workspace + needed.result + BESIDES


def check_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls are checked before they begin however small the graph is, and however little they
    take."""
    for limit in ("LARGE", "LEAST_CHECKED_BYTES"):
        monkeypatch.setattr(memory_needs, limit, 0)


@pytest.mark.parametrize("name", sorted(CHECKED))
def test_what_cannot_fit_is_refused_before_it_begins(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only if an eighth of the estimate is more than is free. The graph can be used afterwards."""
    check_all(monkeypatch)
    call, directed = getattr(lg, name), next(directions(name))
    G = drawn(name, 40, 60, directed)
    given = arguments(name, G)
    told = lg.memory_needed(call, G, **given)
    least = (told.workspace + told.result) // FACTOR
    with monkeypatch.context() as patch:
        patch.setattr(type(G.backend), "free_bytes", lambda _: least - 1)
        message = f"fit into the free memory, but it takes at least {least:,} bytes"
        with pytest.raises(TooLarge, match=message):
            call(G, **given)
        patch.setattr(type(G.backend), "free_bytes", lambda _: least)
        memory_needs.expect_least(call, G, (), given)
        wrong = {"no_such_argument": 1}
        memory_needs.expect_least(call, G, (), wrong)  # the call itself says so
    call(G, **given)  # whatever it returns, and nothing is raised


def test_small_graphs_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    G = drawn("bfs", 40, 60, True)
    monkeypatch.setattr(type(G.backend), "free_bytes", lambda _: 1 / 0)
    memory_needs.expect_least(lg.bfs, G, (0,), {})
    monkeypatch.setattr(memory_needs, "LARGE", 0)
    memory_needs.expect_least(lg.bfs, G, (0,), {})  # which takes too little to ask
    check_all(monkeypatch)
    with pytest.raises(ZeroDivisionError):
        memory_needs.expect_least(lg.bfs, G, (0,), {})


def test_what_takes_nothing_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    G = drawn("density", 40, 60, True)
    check_all(monkeypatch)
    monkeypatch.setattr(type(G.backend), "free_bytes", lambda _: 0)
    assert lg.density(G) > 0


def test_results_are_freed_with_their_last_name() -> None:
    """On a CPU, too: a container of python-graphblas and its `ss` would keep each other until the
    collector of cycles comes, so that peaks depended on what else the process has allocated."""
    G = drawn("bfs", 40, 60, True)
    u = lg.Vector.from_coo([0, 3], [1.0, 2.0], size=G.n, backend="cpu")
    dense = lg.Vector.from_dense(np.ones(G.n), backend="cpu")
    times = BINARY["times"]
    gc.collect()
    gc.disable()
    try:
        for make in (
            lambda: plus_times(G.A @ G.A).new(), lambda: G.A.T.new(), lambda: G.A.dup("INT64"),
            lambda: plus_times(u @ G.A).new(), lambda: u.dup(), lambda: times(u & dense).new(),
            lambda: lg.Vector.from_dense(np.arange(9), backend="cpu"),
        ):  # fmt: skip
            made = make()
            store = made._store
            held = weakref.ref(getattr(store, "A", store))
            assert held() is not None and made.nvals >= 0
            del made, store
            assert held() is None
    finally:
        gc.enable()
