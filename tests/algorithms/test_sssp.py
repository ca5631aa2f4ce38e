"""Shortest paths against Dijkstra's heap, on both backends, under every schedule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import (
    DistanceOverflow,
    IndexOutOfBound,
    InvalidValue,
    NegativeCycle,
    NegativeWeight,
)
from lagraph_gpu.verify.rules import Rules
from semirings import min_plus, types
from semirings.types import INT8, INT64
from tests import graphs, spec
from tests.closure.test_order import settled_first, some_cores
from tests.harness import BOTH, GPU, complaint, put, reseed, take
from tests.spec import Sparse
from tests.strategies import any_graph, examples, orders, random_graphs, schedules, seeds


def check_tree(A: Sparse, source: int, distance: dict[int, Any], parent: Sparse) -> None:
    """Each parent's edge is tight, and following parents leads to the source."""
    assert parent.dtype == INT64
    assert parent.entries.keys() == distance.keys()
    for v in distance:
        walked = 0
        while v != source:
            u = int(parent.entries[v])
            assert distance[u] + _number(A.entries[u, v]) == distance[v]
            v, walked = u, walked + 1
            assert walked <= len(distance), "the parents run in a circle"
    assert parent.entries[source] == source


def _number(x: Any) -> Any:
    return x if np.asarray(x).dtype.kind == "f" else int(x)


def check_sssp(
    example: graphs.Example, source: int, cutoff: Any, schedule: Any, backend: Any
) -> None:
    A = example.adjacency
    right = spec.distances(A, source)
    if cutoff is not None:
        right = {v: d for v, d in right.items() if d <= cutoff}
    distance, parent = map(take, lg.sssp(example.graph(backend), source, cutoff, schedule))
    assert distance.dtype == A.dtype
    assert {v: _number(d) for v, d in distance.entries.items()} == right
    check_tree(A, source, right, parent)


@pytest.mark.parametrize("dtype", ["INT64", "FP32", "FP64", "UINT8", "INT16", "UINT64"])
@examples(50)
@given(
    data=st.data(), schedule=schedules | orders, cutoff=st.none() | st.integers(0, 12), seed=seeds
)
def test_drawn(dtype: str, data: Any, schedule: Any, cutoff: Any, seed: int) -> None:
    """Weights of whole numbers below 10, so that each path's length is exact in each type."""
    example = data.draw(any_graph(dtype) if dtype == "INT64" else random_graphs(dtype))
    example = example if example.dtype == dtype else example.of(dtype)
    source = data.draw(st.integers(0, example.n - 1))
    heaviest = max((w for _, _, w in example.edges), default=0)
    assume(heaviest * example.n < 2**62)
    reseed(seed)
    for backend in BOTH:
        check_sssp(example, source, cutoff, schedule, backend)


HEAVY = {"hub of 5000", "random 1025"}


@pytest.mark.parametrize("order", [None, "delta", "rounds"])
@pytest.mark.parametrize("example", graphs.BATTERY, ids=str)
def test_battery(example: graphs.Example, order: str | None, backend: Any) -> None:
    sources = {0} if example.name in HEAVY else {0, example.n // 2, example.n - 1}
    for source in sources:
        check_sssp(example, source, None, lg.Schedule(order=order), backend)


@examples(80)
@given(data=st.data(), schedule=schedules, seed=seeds)
def test_bellman_ford(data: Any, schedule: Any, seed: int) -> None:
    """Weights of either sign, against Jacobi's iteration; a negative cycle is reported as such."""
    example = data.draw(random_graphs("INT64", st.integers(-2, 9)))
    A, source = example.adjacency, data.draw(st.integers(0, example.n - 1))
    x0 = Sparse(INT64, (example.n,), {source: INT64.type(0)})
    try:
        right = spec.closure(x0, A, min_plus)
    except spec.Diverges:
        right = None
    reseed(seed)
    for backend in BOTH:
        G = example.graph(backend)
        if right is None:
            with pytest.raises(NegativeCycle, match="negative cycle is reachable"):
                lg.bellman_ford(G, source, schedule)
        else:
            distance, parent = map(take, lg.bellman_ford(G, source, schedule))
            assert not complaint(distance, [right])
            check_tree(A, source, {v: int(d) for v, d in right.entries.items()}, parent)


@pytest.mark.parametrize("dtype", ["FP32", "INT32"])
@examples(40)
@given(data=st.data(), core=some_cores, prepared=st.booleans(), seed=seeds)
def test_the_core_first(dtype: str, data: Any, core: Any, prepared: bool, seed: int) -> None:
    """The parents that were noted on the way are a tree, whatever the weights, zeros among them."""
    example = data.draw(random_graphs(dtype))
    source = data.draw(st.integers(0, example.n - 1))
    reseed(seed)
    G = example.graph(GPU)
    right = spec.distances(example.adjacency, source)
    with pytest.MonkeyPatch.context() as patch:
        settled_first(patch, core)
        patch.setattr(GPU.parents, "_by_tight_edges", None)  # nobody asks for these
        found = lg.sssp(
            G.prepared() if prepared else G, source, schedule=lg.Schedule(order="delta")
        )
    distance, parent = map(take, found)
    assert {v: _number(d) for v, d in distance.entries.items()} == right
    check_tree(example.adjacency, source, right, parent)


def test_negative_weights(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], [3, -4], backend=backend)
    with pytest.raises(NegativeWeight, match=r"at least 0, got -4; lg.bellman_ford"):
        lg.sssp(G, 0)
    assert lg.bellman_ford(G, 0)[0].to_dense().tolist() == [0, 3, -1]


def test_an_undirected_negative_edge_is_a_cycle(backend: Any) -> None:
    G = lg.Graph.from_edges([0], [1], [-1], directed=False, backend=backend)
    with pytest.raises(NegativeCycle, match="every cycle that vertex 0 reaches"):
        lg.bellman_ford(G, 0)


def test_a_negative_cycle_out_of_reach(backend: Any) -> None:
    G = lg.Graph.from_edges([0, 2, 3], [1, 3, 2], [1, -1, -1], backend=backend)
    assert lg.bellman_ford(G, 0)[0].to_coo()[1].tolist() == [0, 1]


def test_overflow_is_no_answer(backend: Any) -> None:
    """INT8: 100 + 100 would wrap to −56, the shortest of all."""
    G = lg.Graph.from_edges([0, 1], [1, 2], np.array([100, 100], np.int8), backend=backend)
    with pytest.raises(DistanceOverflow, match=r"INT8, got 0 to 200.*astype\(numpy.int64\)"):
        lg.sssp(G, 0)
    huge = lg.Graph.from_edges([0, 1], [1, 2], [2**62, 2**62], backend=backend)
    with pytest.raises(DistanceOverflow, match="floating-point"):
        lg.sssp(huge, 0)


def test_the_longest_conceivable_path(backend: Any) -> None:
    """n edges of the heaviest weight, one more than a path has: a search looks back as well."""
    n = 7
    most = (2**63 - 1) // n
    way = np.arange(n - 1)
    for weight, fits in ((most, True), (most + 1, False)):
        G = lg.Graph.from_edges(way, way + 1, np.full(n - 1, weight), n, False, backend=backend)
        if fits:
            assert lg.sssp(G, 0)[0][n - 1].get() == most * (n - 1)
            continue
        said = rf"n = 7 times the heaviest weight, {weight}, "
        with pytest.raises(DistanceOverflow, match=rf"{said}to fit 64.*path has n - 1 edges"):
            lg.bellman_ford(G, 0)
        with pytest.raises(
            DistanceOverflow, match=rf"below 2\*\*53, got 7.9.*{said}does not fit 64"
        ):
            lg.sssp(G, 0)


@pytest.mark.parametrize("dtype", ["INT64", "UINT64"])
@pytest.mark.parametrize("directed", [True, False])
def test_only_distances_count_and_no_weight_beyond_them(
    directed: bool, dtype: str, backend: Any
) -> None:
    """An edge of weight 2**62 is on no shortest path. FP64 holds the integers up to 2**53."""

    def joined(last: int) -> lg.Graph:
        weight = np.array([5, 7, 2**62, last], types.find(dtype).dtype)
        ends = [0, 1, 0, 2], [1, 2, 2, 3]
        return lg.Graph.from_edges(*ends, weight, n=5, directed=directed, backend=backend)

    G, farthest = joined(2**53 - 13), 2**53 - 1
    distance, parent = lg.sssp(G, 0)
    assert distance.dtype == dtype
    assert distance.to_dict() == {0: 0, 1: 5, 2: 12, 3: farthest}
    assert parent.to_dict() == {0: 0, 1: 0, 2: 1, 3: 2}
    assert lg.sssp(G, sources=[1])[0][0, 3].get() == farthest - 5
    length, path = lg.shortest_path_between(G, 0, 3)
    assert (length, type(length), path) == (farthest, int, [0, 1, 2, 3])
    G = joined(2**53 - 12)
    for call in (lambda: lg.sssp(G, 0), lambda: lg.shortest_path_between(G, 0, 3)):
        with pytest.raises(DistanceOverflow, match=r"below 2\*\*53.*weight, 4611686018427387904"):
            call()
    assert lg.sssp(G, 0, cutoff=2**53 - 1)[0].to_dict() == {0: 0, 1: 5, 2: 12}
    assert lg.shortest_path_between(G, 0, 2) == (12, [0, 1, 2])
    Rules(joined(9)).sssp(0, *lg.sssp(joined(9), 0))


def test_a_distance_that_just_fits(backend: Any) -> None:
    example = graphs.NAMED["INT8 that fits"]
    distance = take(lg.sssp(example.graph(backend), 0)[0])
    assert distance.dtype == INT8
    assert distance.entries == {0: 0, 1: 100, 2: 127, 3: 127}


@pytest.mark.parametrize("cutoff", [-1, float("nan"), "5", True])
def test_cutoff(cutoff: float, backend: Any) -> None:
    G = graphs.NAMED["cycle"].graph(backend)
    with pytest.raises(InvalidValue, match="a cutoff as a number of at least 0"):
        lg.sssp(G, 0, cutoff=cutoff)


def test_source_out_of_range(backend: Any) -> None:
    G = graphs.NAMED["cycle"].graph(backend)
    for find in (lg.sssp, lg.bellman_ford):
        with pytest.raises(IndexOutOfBound, match=r"a source of this graph .*n = 33.*got 33"):
            find(G, 33)


def test_unweighted_graphs_count_edges(backend: Any) -> None:
    example = graphs.NAMED["unweighted"]
    distance = take(lg.sssp(example.graph(backend), 0)[0])
    level = spec.levels(example.adjacency, [0])
    assert {v: int(d) for v, d in distance.entries.items()} == level


def test_boolean_weights(backend: Any) -> None:
    """A BOOL adjacency has lengths of 0 and 1; sums are counted, not or-ed."""
    A = Sparse(types.BOOL, (4, 4), {(0, 1): np.True_, (1, 2): np.True_, (2, 3): np.False_})
    distance, _ = lg.sssp(lg.Graph(put(A, backend)), 0)
    assert distance.to_dense().tolist() == [0, 1, 2, 2]


def test_a_cutoff_costs_a_search_on_a_gpu_no_other_tree() -> None:
    """Parents are noted while it searches, as without."""
    i, j = np.indices((12, 12)).reshape(2, -1)
    G = lg.Graph.from_edges(i, j, np.float32(1 + (i + j) % 5), backend=GPU)
    lg.sssp(G, 0)
    with lg.explain() as told:
        distance, parent = lg.sssp(G, 0, cutoff=2)
    assert any("during the search" in choice.chosen for choice in told.choices)
    assert 0 < distance.nvals == parent.nvals < 12
