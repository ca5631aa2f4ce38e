"""Distances of pairs: the entries of the table that are asked for, on both backends."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.algorithms._shared import source_batches
from lagraph_gpu.errors import (
    DimensionMismatch,
    IndexOutOfBound,
    InvalidValue,
    NegativeWeight,
    WrongType,
)
from tests import graphs
from tests.algorithms.test_distances import ORDERS, expected, on_host
from tests.harness import BOTH, CPU, DEVICE, GPU, reseed
from tests.strategies import examples, random_graphs, seeds

INF = float("inf")


def pairs_of(n: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    """Pairs, some twice; at times of few sources, or of few targets."""
    if n == 0:
        return st.just([])
    few, all_of = st.integers(0, min(2, n - 1)), st.integers(0, n - 1)
    one = st.sampled_from([(few, all_of), (all_of, few), (all_of, all_of)])
    return one.flatmap(lambda ends: st.lists(st.tuples(*ends), max_size=60))


@pytest.mark.parametrize("dtype", ["INT64", "FP32", "UINT8", "BOOL"])
@examples(20)
@given(data=st.data(), cutoff=st.none() | st.sampled_from([0, 3.5, 12, INF]), seed=seeds)
def test_drawn(dtype: str, data: Any, cutoff: Any, seed: int) -> None:
    example = data.draw(random_graphs(dtype))
    hops = data.draw(st.booleans())
    schedule = data.draw(st.sampled_from(ORDERS))
    sources, targets = np.array(data.draw(pairs_of(example.n)), int).reshape(-1, 2).T
    table = expected(example, range(example.n), None, cutoff, hops)
    reseed(seed)
    for backend in BOTH:
        G, weight = example.graph(backend), None if hops else "weight"
        picked = lg.paired_distances(G, sources, targets, cutoff, weight, schedule=schedule)
        found = on_host(picked)
        np.testing.assert_array_equal(found, table[sources, targets])
        assert found.dtype == on_host(lg.distance_matrix(G, [], weight=weight)).dtype


@pytest.mark.parametrize("dtype", ["INT64", "FP32", "UINT8"])
@examples(20)
@given(data=st.data(), cutoff=st.none() | st.sampled_from([0, 3.5, 12, INF]), seed=seeds)
def test_over_a_contraction(dtype: str, data: Any, cutoff: Any, seed: int) -> None:
    """In batches of few sources, or of few targets, from which it is searched then."""
    example = data.draw(random_graphs(dtype))
    hops = data.draw(st.booleans())
    sources, targets = np.array(data.draw(pairs_of(example.n)), int).reshape(-1, 2).T
    right = expected(example, range(example.n), None, cutoff, hops)[sources, targets]
    weight = None if hops else "weight"
    P = lg.contract(example.graph(CPU), weight, core=data.draw(st.sampled_from([0, 2, 512])))
    reseed(seed)
    for backend in BOTH:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                GPU.contraction_sweeps, "max_sources", data.draw(st.sampled_from([3, 1024]))
            )
            G = example.graph(backend)
            found = lg.paired_distances(G, sources, targets, cutoff, weight, contraction=P)
        np.testing.assert_array_equal(on_host(found), right)
        assert found.dtype == lg.paired_distances(G, [], [], weight=weight).dtype


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_progress_over_a_contraction(backend: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told of each batch, as it is done, in order; a listener who has heard enough ends it."""
    monkeypatch.setattr(GPU.contraction_sweeps, "max_sources", 16)
    G = lg.grid(7, 7, weights="integer", backend=backend)
    P, sources = lg.contract(G, core=4), np.arange(40)
    right, batches_of_16 = on_host(lg.distance_matrix(G)), [(16, 40), (32, 40), (40, 40)]
    told = Told()
    table = lg.distance_matrix(G, sources, contraction=P, progress=told)
    np.testing.assert_array_equal(on_host(table), right[:40])
    assert told == batches_of_16
    told = Told()
    found = lg.paired_distances(G, sources, sources[::-1] % 45, contraction=P, progress=told)
    np.testing.assert_array_equal(on_host(found), right[sources, sources[::-1]])
    assert told == batches_of_16

    def enough(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lg.distance_matrix(G, sources, contraction=P, progress=enough)


class Told(list[tuple[int, int]]):
    """What ``progress`` was told."""

    def __call__(self, done: int, total: int) -> None:
        self.append((done, total))


@pytest.fixture(params=BOTH, ids=lambda b: b.name)
def town(request: Any) -> lg.Graph:
    """One-way streets with integer lengths; most vertices reach most others."""
    rng = np.random.default_rng(3)
    i, j = graphs.random_pairs(50, 170, rng)
    return lg.Graph.from_edges(i, j, rng.integers(1, 90, i.size), n=50, backend=request.param)


def asked(count: int = 300) -> tuple[np.ndarray, np.ndarray]:
    sources, targets = np.random.default_rng(8).integers(0, 50, (2, count))
    return sources, targets


@pytest.mark.parametrize("core", [0, 8, 1024])
def test_streets_that_lead_one_way_over_a_contraction(town: lg.Graph, core: int) -> None:
    """Searched from few targets, against the edges, also where all of the graph is the core."""
    P, table = lg.contract(town, core=core), on_host(lg.distance_matrix(town))
    sources, targets = asked()
    for ends in ((sources, targets % 7), (sources % 7, targets)):
        found = lg.paired_distances(town, *ends, contraction=P)
        np.testing.assert_array_equal(on_host(found), table[ends])


def test_the_side_with_fewer_vertices_is_searched(town: lg.Graph) -> None:
    """Unless weights round, for then the order in which they are added up shows."""
    table = on_host(lg.distance_matrix(town))
    rounded = lg.Graph(town.A.apply("truediv", right=10.0).new("FP64"))
    sources, targets = asked()
    for G, ends, searches in (
        (town, (sources, targets % 7), 7),
        (town, (sources % 7, targets), 7),
        (rounded, (sources, targets % 7), 50),
    ):
        told = Told()
        found = lg.paired_distances(G, *ends, progress=told)
        assert told[-1] == (searches, searches)
        right = table[ends] if G is town else on_host(lg.distance_matrix(G))[ends]
        np.testing.assert_array_equal(on_host(found), right)


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sums_are_rounded_as_in_single_searches(
    backend: Any, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tenths, which no float holds: to the bit, and within a cutoff that no float holds."""
    monkeypatch.setattr(source_batches, "MAX_ROWS", 20)  # closures do it, in three parts
    rng = np.random.default_rng(4)
    i, j = np.divmod(np.unique(rng.integers(0, 50 * 50, 200)), 50)
    G = lg.Graph.from_edges(i, j, (rng.random(i.size) * 0.1).astype(dtype), n=50, backend=backend)
    sources, targets = asked()
    for cutoff in (None, 0.1):
        table = np.array([lg.sssp(G, s, cutoff)[0].to_dense(INF) for s in range(50)])
        np.testing.assert_array_equal(on_host(lg.distance_matrix(G, cutoff=cutoff)), table)
        found = on_host(lg.paired_distances(G, sources, targets % 5, cutoff))
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, table[sources, targets % 5])


def test_in_parts_where_memory_is_short(town: lg.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    sources, targets = asked()
    right = on_host(lg.distance_matrix(town))[sources, targets]
    hops = on_host(lg.distance_matrix(town, weight=None))[sources, targets]
    monkeypatch.setattr(type(DEVICE), "free_bytes", 4 * 4 * 50 * 7)
    steps = 7, 36  # up to 32 rounds, of six digits
    for weight, answer, step in zip(("weight", None), (right, hops), steps):
        told = Told()
        found = lg.paired_distances(town, sources, targets, weight=weight, progress=told)
        if town.backend is GPU:
            assert told == [(done, 50) for done in (*range(step, 50, step), 50)]
        assert told == sorted(told) and told[-1] == (50, 50) and len(told) > 1
        np.testing.assert_array_equal(on_host(found), answer)


def test_no_table_is_held() -> None:
    """It would take 45 MB; a row of it and the answer take less than 1."""
    G = lg.grid(60, 60, weights="integer", backend=CPU)
    sources = np.arange(0, G.n, 2)
    G.lightest, G.weighted, G.heaviest  # kept from now on
    tracemalloc.start()
    try:
        lg.paired_distances(G, sources, sources[::-1])
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("weight", ["weight", None])
def test_near_targets_end_a_search_of_a_deep_graph(
    weight: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a block for each source; where targets are far, a copy of the graph for each."""
    monkeypatch.setattr(GPU.tables, "tried", 1 / 6)
    monkeypatch.setattr(GPU.tables, "in_step", False)
    i = np.arange(319)
    G = lg.Graph.from_edges(i, i + 1, 1 + i % 2, directed=False, backend=GPU)
    G.A._store.pattern.depth.deep.answer = True
    for targets, copies in (([4, 5], False), ([318, 319], True)):
        with lg.explain() as report:
            found = on_host(lg.paired_distances(G, [0, 1], targets, weight=weight))
        assert ("in copies" in report.choices[-1].chosen) is copies
        right = lg.paired_distances(G.to(CPU), [0, 1], targets, weight=weight)
        np.testing.assert_array_equal(found, right)


def test_progress_where_a_trial_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are done again are not told of again."""
    monkeypatch.setattr(GPU.tables, "tried", 1 / 6)
    monkeypatch.setattr(GPU.tables, "batch_size", lambda *_: 1)
    monkeypatch.setattr(GPU.closures.rows, "copies", lambda *_: None)  # there is no room for them
    i = np.arange(319)
    G = lg.Graph.from_edges(i, i + 1, 1 + i % 2, directed=False, backend=GPU)
    G.A._store.pattern.depth.deep.answer = True
    told = Told()
    found = on_host(lg.distance_matrix(G, [3, 5, 319], [0, 1, 2, 4], progress=told))
    assert told == [(1, 3), (2, 3), (3, 3)]
    right = lg.distance_matrix(G.to(CPU), [3, 5, 319], [0, 1, 2, 4])
    np.testing.assert_array_equal(found, right)


def test_progress_of_a_table(town: lg.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(DEVICE), "free_bytes", 4 * 4 * 50 * 20)
    monkeypatch.setattr(type(town.backend), "free_bytes", lambda self: 1 << 30)
    told = Told()
    table = lg.distance_matrix(town, progress=told)
    if town.backend is GPU:
        assert told == [(rows, 50) for rows in (20, 40, 50)]
    assert told == sorted(told) and told[-1] == (50, 50) and len(told) > 1
    np.testing.assert_array_equal(on_host(table), on_host(lg.distance_matrix(town)))


@pytest.mark.parametrize("backend", BOTH, ids=lambda b: b.name)
def test_what_can_be_asked(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1, 3], [1, 2, 4], [1, 2, 4], n=5, backend=backend)
    ask = lg.paired_distances
    assert on_host(ask(G, [], [])).shape == (0,)
    assert on_host(ask(G, [2, 0, 2, 0, 4], [2, 2, 2, 2, 3])).tolist() == [0, 3, 0, 3, INF]
    assert on_host(ask(G, range(2), (2, 2), weight=None)).tolist() == [2, 1]
    both = lg.Graph.from_edges([0, 1], [1, 2], [1.5, 2], directed=False, backend=backend)
    assert on_host(ask(both, np.array([2, 1], np.uint8), [0, 0])).tolist() == [3.5, 1.5]
    for wrong in ([0, 1, 2], [], None):
        with pytest.raises(DimensionMismatch, match="as many sources as targets, got 2 and"):
            ask(G, [0, 1], wrong)
    with pytest.raises(IndexOutOfBound, match="vertex in targets"):
        ask(G, [0], [5])
    with pytest.raises(WrongType, match="expected sources as a list"):
        ask(G, 0, [1])
    with pytest.raises(InvalidValue, match="cutoff"):
        ask(G, [0], [1], cutoff=-1)
    with pytest.raises(NegativeWeight):
        ask(lg.Graph.from_edges([0], [1], [-1], backend=backend), [0], [1])
