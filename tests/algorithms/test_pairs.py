"""All shortest paths by blocks, and one path between two vertices."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.errors import (
    DimensionMismatch,
    DistanceOverflow,
    IndexOutOfBound,
    InvalidValue,
    NegativeCycle,
    NegativeWeight,
    TooLarge,
    WrongType,
)
from semirings import types
from tests import graphs, spec
from tests.algorithms.views import networkx_of
from tests.harness import BOTH, CPU, GPU, by_statements, take
from tests.strategies import any_graph, examples, random_graphs, seeds

EXAMPLES = [e for e in graphs.BATTERY if e.n <= 144 and e.name != "INT8 by detour"]
FEW = graphs.named("random 33", "cycle", "zero-weight cycle", "halves")


def check_all(example: graphs.Example, backend: Any) -> None:
    D = lg.floyd_warshall(example.graph(backend))
    assert D.dtype == example.adjacency.dtype
    right = {
        (u, v): d for u in range(example.n) for v, d in spec.distances(example.adjacency, u).items()
    }
    assert {p: x.item() for p, x in take(D).entries.items()} == right


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_all_pairs(example: graphs.Example) -> None:
    check_all(example, CPU)


@pytest.mark.parametrize("example", FEW, ids=str)
def test_emulated_all_pairs(example: graphs.Example) -> None:
    check_all(example, GPU)


@examples(30)
@given(example=random_graphs("INT64", st.integers(-1, 9)))
def test_drawn_all_pairs(example: graphs.Example) -> None:
    g = networkx_of(example)
    G = example.graph(CPU)
    try:
        right = dict(nx.all_pairs_bellman_ford_path_length(g.to_directed()))
    except nx.NetworkXUnbounded:
        with pytest.raises(NegativeCycle, match="every cycle"):
            lg.floyd_warshall(G)
        return
    found = {p: x.item() for p, x in take(lg.floyd_warshall(G)).entries.items()}
    assert found == {(u, v): d for u in right for v, d in right[u].items()}


def test_a_negative_cycle_through_two_blocks(backend: Any) -> None:
    """A circle of 150 vertices whose length is −1; its parts in each block are paths."""
    n = 150 if backend is CPU else 70
    ring = np.arange(n)
    weight = np.ones(n, np.int64)
    weight[-1] = -n
    G = lg.Graph.from_edges(ring, (ring + 1) % n, weight, backend=backend)
    with pytest.raises(NegativeCycle, match="do not exist"):
        lg.floyd_warshall(G)
    weight[-1] = 1 - n
    G = lg.Graph.from_edges(ring, (ring + 1) % n, weight, backend=backend)
    assert lg.floyd_warshall(G)[n - 1, n - 2].get() == -1


def test_overflow_is_no_answer() -> None:
    for example in (graphs.NAMED["INT8 by detour"], graphs.NAMED["INT8 by detour"].of("UINT8")):
        G = example.graph(CPU)
        if example.dtype == "INT8":
            with pytest.raises(DistanceOverflow, match="INT8, got 0 to 130"):
                lg.floyd_warshall(G)
        else:
            assert lg.floyd_warshall(G)[1, 3].get() == 130
    huge = lg.Graph.from_edges([0, 1], [1, 2], [2**60, 2**61], backend=CPU)
    with pytest.raises(DistanceOverflow, match="floating-point"):
        lg.floyd_warshall(huge)


@pytest.mark.filterwarnings("error")
def test_huge_lengths_do_not_warn() -> None:
    G = lg.Graph.from_edges([0, 1], [1, 2], np.float32([1e38, 2e38]), 5, backend=CPU)
    assert lg.floyd_warshall(G)[0, 2].get() == np.float32(1e38) + np.float32(2e38)


def test_no_vertices(backend: Any) -> None:
    assert lg.floyd_warshall(graphs.EMPTY.graph(backend)).shape == (0, 0)


@pytest.mark.parametrize("directed", [False, True])
def test_all_pairs_that_cannot_fit(directed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What there is for certain counts: of two cycles with an edge between them, those within."""
    ends = [0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3]
    G = lg.Graph.from_edges(*ends, n=6, directed=directed, backend=CPU)
    one_way = lg.Graph.from_edges([*ends[0], 2], [*ends[1], 3], n=6, directed=directed, backend=CPU)
    monkeypatch.setattr("lagraph_gpu.memory.CHECKED_BYTES", 0)
    monkeypatch.setattr(type(CPU), "free_bytes", lambda _: 32 * 18)
    assert lg.floyd_warshall(G).nvals == 18
    if directed:
        assert lg.floyd_warshall(one_way).nvals == 27
    monkeypatch.setattr(type(CPU), "free_bytes", lambda _: 32 * 18 - 1)
    for large in (G, one_way):
        with pytest.raises(TooLarge, match=r"(18|36) pairs need .* are free.*iter_distances"):
            lg.floyd_warshall(large)


# --- one path -----------------------------------------------------------------------------------


def check_between(
    example: graphs.Example, source: int, target: int, bound: Any, cutoff: Any, step: Any, at: Any
) -> None:
    A, G = example.adjacency, example.graph(at)
    right = spec.distances(A, source).get(target)
    if bound is not None:
        bound = lg.Vector.from_coo(list(bound), list(bound.values()), size=example.n, backend=at)
    found = lg.shortest_path_between(G, source, target, bound, cutoff, step)
    if right is None or (cutoff is not None and right > cutoff):
        assert found is None
        return
    assert found is not None
    length, path = found
    assert length == right and path[0] == source and path[-1] == target
    total = A.dtype.type(0) if A.dtype.kind == "f" else 0
    for edge in pairwise(path):
        total += A.entries[edge] if A.dtype.kind == "f" else int(A.entries[edge])
    assert total == right


def bounds_below(example: graphs.Example, target: int, share: float) -> dict[int, float]:
    """Lower bounds: a share of the true distances to the target; none for some vertices."""
    back = {(v, u): w for (u, v), w in example.adjacency.entries.items()}
    A = spec.Sparse(example.adjacency.dtype, (example.n, example.n), back)
    return {v: share * d for v, d in spec.distances(A, target).items() if v % 5}


@examples(60)
@given(
    example=any_graph(),
    data=st.data(),
    share=st.none() | st.sampled_from([0.0, 0.5, 1.0]),
    cutoff=st.none() | st.integers(0, 12),
    step=st.none() | st.integers(0, 5),
)
def test_drawn_between(
    example: graphs.Example, data: Any, share: float | None, cutoff: Any, step: Any
) -> None:
    source, target = (data.draw(st.integers(0, example.n - 1)) for _ in range(2))
    bound = None if share is None else bounds_below(example, target, share)
    if example.dtype == "INT64":
        check_between(example, source, target, bound, cutoff, step, CPU)


def lengths_of_any_magnitude(dtype: str) -> st.SearchStrategy[graphs.Example]:
    """Grids whose lengths are subnormal or close to that, moderate, or so large that their sums
    come close to the largest number."""
    kind = types.lookup(dtype)
    limits = np.finfo(kind)
    least, normal = limits.smallest_subnormal, limits.smallest_normal
    units = least, 999 * least, normal / 50, normal, kind.type(0.1), limits.max / 10_000
    (i, j), n = graphs.grid(6, 6), 36

    def example(unit: Any, seed: int) -> graphs.Example:
        weight = (unit * np.random.default_rng(seed).integers(0, 99, i.size)).astype(kind)
        edges = tuple(zip(i.tolist(), j.tolist(), weight, strict=True))
        return graphs.Example("drawn", "lengths", n, edges, directed=False, dtype=dtype)

    return st.builds(example, st.sampled_from(units), seeds)


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@examples(40)
@given(data=st.data(), share=st.none() | st.sampled_from([0.0, 0.5, 1.0]), bounded=st.booleans())
def test_lengths_of_any_magnitude(
    dtype: str, data: Any, share: float | None, bounded: bool
) -> None:
    example = data.draw(lengths_of_any_magnitude(dtype))
    source, target = (data.draw(st.integers(0, example.n - 1)) for _ in range(2))
    right = spec.distances(example.adjacency, source)
    bound = None if share is None else bounds_below(example, target, share)
    cutoff = float(right[target]) if bounded else None
    check_between(example, source, target, bound, cutoff, None, CPU)
    with by_statements():
        check_between(example, source, target, bound, cutoff, None, CPU)
    for end in range(example.n):
        check_between(example, source, end, None, None, None, CPU)
    G = example.graph(CPU)
    for each in (lg.sssp(G, source)[0].to_dense(), lg.distance_matrix(G, [source]).ravel()):
        np.testing.assert_array_equal(each, [right[v] for v in range(example.n)])


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@examples(8)
@given(data=st.data(), order=st.sampled_from(["rounds", "delta"]))
def test_emulated_lengths_of_any_magnitude(dtype: str, data: Any, order: str) -> None:
    example = data.draw(lengths_of_any_magnitude(dtype))
    right = spec.distances(example.adjacency, 0)
    G = example.graph(GPU)
    distance, _ = lg.sssp(G, 0, schedule=lg.Schedule(order=order))
    table = lg.distance_matrix(G, [0]).get()
    for each in (distance.to_dense(), table.ravel()):
        np.testing.assert_array_equal(each, [right[v] for v in range(example.n)])
    check_between(example, 0, example.n - 1, None, None, None, GPU)


def test_a_subnormal_path_as_long_as_the_best_one(backend: Any) -> None:
    """A bound a share longer than the best path rounds to its length."""
    weight = [5e-320, 1e-320, 2e-320, 2e-320, 3e-320]
    ends = [0, 1, 0, 1, 0], [2, 3, 3, 2, 1]
    G = lg.Graph.from_edges(*ends, weight, n=4, directed=False, backend=backend)
    assert lg.shortest_path_between(G, 0, 3) == (2e-320, [0, 3])


def test_sums_of_so_many_edges_that_no_bound_says_anything() -> None:
    """Of two million edges a sum may be an eighth too long: the search from the source goes on."""
    n = (1 << 21) + 50
    one, two = np.arange(n - 1), np.arange(n - 2)
    weight = np.random.default_rng(3).random(2 * n - 3, np.float32)
    G = lg.Graph.from_edges(
        np.r_[one, two], np.r_[one + 1, two + 2], weight, n=n, directed=False, backend=CPU
    )
    length, path = lg.shortest_path_between(G, 0, n - 1)
    assert length == lg.sssp(G, 0)[0].get(n - 1) and (path[0], path[-1]) == (0, n - 1)
    step, low = abs(np.diff(path)), np.minimum(path[:-1], path[1:])
    assert {*step.tolist()} == {1, 2}
    of_path = weight[np.where(step == 1, low, n - 1 + low)]
    assert of_path.cumsum(dtype=np.float32)[-1] == np.float32(length)
    assert lg.shortest_path_between(G, 0, n - 1, cutoff=length)[0] == length
    assert lg.shortest_path_between(G, 0, n - 1, cutoff=length * 0.99) is None


@pytest.mark.parametrize("bounded", [True, False])
@pytest.mark.parametrize("dtype, huge", [("FP32", 3e38), ("FP64", 1.2e308)])
def test_sums_beyond_the_target_may_overflow(
    dtype: str, huge: float, bounded: bool, backend: Any
) -> None:
    """The path to 4 has two edges whose sum is infinite, which says nothing of that to 3."""
    weight = np.array([1, huge, 2, huge], types.find(dtype).dtype)
    G = lg.Graph.from_edges([0, 1, 0, 2], [1, 2, 3, 4], weight, n=6, backend=backend)
    bound = lg.Vector.from_coo([0], [0.0], size=6, backend=backend) if bounded else None
    for cutoff in (None, 5, 1e300):
        assert lg.shortest_path_between(G, 0, 3, bound, cutoff) == (2, [0, 3])
        assert lg.shortest_path_between(G, 0, 5, bound, cutoff) is None
    assert lg.shortest_path_between(G, 0, 4, bound, cutoff=5) is None
    with pytest.raises(DistanceOverflow, match=f"{dtype} can hold"):
        lg.shortest_path_between(G, 0, 4, bound)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_between(example: graphs.Example) -> None:
    for source, target in ((0, example.n - 1), (example.n // 2, 0), (0, 0)):
        check_between(example, source, target, None, None, None, CPU)


@pytest.mark.parametrize("example", FEW, ids=str)
def test_emulated_between(example: graphs.Example) -> None:
    for backend in BOTH:
        check_between(example, 0, example.n - 1, None, None, 1, backend)
        if example.dtype == "INT64":
            bound = bounds_below(example, example.n - 1, 0.5)
            check_between(example, 0, example.n - 1, bound, None, None, backend)


def test_good_bounds_touch_fewer_vertices() -> None:
    """On a grid with straight-line bounds the search leaves the far corners alone."""
    side = 40
    G = lg.grid(side, side, backend=CPU)
    rows, columns = np.divmod(np.arange(side * side), side)
    source, target = 20 * side + 5, 20 * side + 15
    h = lg.Vector.from_dense(abs(rows - 20) + abs(columns - 15), backend=CPU)
    counts = []
    for bound in (None, h):
        with lg.trace() as steps:
            found = lg.shortest_path_between(G, source, target, bound, step=0)
        assert found is not None and found[0] == 10
        counts.append(sum(s.frontier for s in steps))
    assert counts[1] < counts[0] / 2


def test_bad_arguments(backend: Any) -> None:
    G = graphs.NAMED["cycle"].graph(backend)
    with pytest.raises(IndexOutOfBound, match="a target of this graph"):
        lg.shortest_path_between(G, 0, 33)
    with pytest.raises(InvalidValue, match="cutoff"):
        lg.shortest_path_between(G, 0, 1, cutoff=-1)
    with pytest.raises(InvalidValue, match="step"):
        lg.shortest_path_between(G, 0, 1, step=-1)
    with pytest.raises(WrongType, match="lower bounds as a dict, a Series or a Vector"):
        lg.shortest_path_between(G, 0, 1, [0] * 33)
    with pytest.raises(DimensionMismatch, match="33 lower bounds"):
        lg.shortest_path_between(G, 0, 1, lg.Vector("FP64", 3, backend=backend))
    high = lg.Vector.from_coo([1], [0.5], size=33, backend=backend)
    with pytest.raises(InvalidValue, match="at most 0 at the target"):
        lg.shortest_path_between(G, 0, 1, high)
    bad = lg.Graph.from_edges([0], [1], [-1], backend=backend)
    with pytest.raises(NegativeWeight, match="at least 0, got -1"):
        lg.shortest_path_between(bad, 0, 1)


def test_a_vertex_at_the_cutoff_is_still_extended(backend: Any) -> None:
    """An edge of length 0 leads on from it, so the path is no longer than the cutoff."""
    G = lg.Graph.from_edges([0, 1], [1, 2], [2, 0], backend=backend)
    for cutoff, right in ((2, (2, [0, 1, 2])), (1, None)):
        assert lg.shortest_path_between(G, 0, 2, cutoff=cutoff, step=0) == right
