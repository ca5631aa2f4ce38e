"""Closures level by level on 2 to 4 processes: what they find, and what they send for it."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.closure import closure, closure_with_rounds
from lagraph_gpu.cluster import closures, root_closures
from lagraph_gpu.cpu.loops import distributed_loops
from semirings import Semiring, any_first, any_pair, any_plus, any_secondi, max_min, min_plus, types
from semirings.types import INT8, INT64
from tests import graphs, spec
from tests.closure.test_closure import ORDERED, rounds_bound, start
from tests.cluster.test_lowerings import root_alone
from tests.cluster.turns import on_ranks
from tests.harness import CPU, complaint, put, take
from tests.strategies import any_graph, examples, random_graphs

sizes = st.sampled_from([2, 3, 4])
alone = st.sampled_from([False, False, True])
"""Whether process 0 takes what has no loop for distributed rows."""
views = st.sampled_from(["symmetric or not", "its transpose kept", "turned"])


def seen_as(A: Any, view: str) -> Any:
    """A matrix with one orientation stored, with both, or as the transpose of its transpose."""
    if view == "its transpose kept":
        A.backend.distribution.transpose(A._store)
    return A.T.new().T if view == "turned" else A


def found_on(
    size: int, x0: Any, A: Any, ring: Semiring, steps: Any, view: str,
    by_root: bool = False, shares: bool = True,
) -> Any:  # fmt: skip
    """The closure and the levels, which are the same on all processes."""

    def work(backend: Any) -> Any:
        begun, matrix = put(x0, backend), seen_as(put(A, backend), view)
        made = [take(one) for one in closure_with_rounds(begun, matrix, ring, steps)]
        assert not complaint(take(begun), [x0]), "the start has changed"
        return made

    with root_alone() if by_root else nullcontext():
        first, *others = on_ranks(size, work, shares=shares)
    for other in others:
        assert not any(complaint(mine, [right]) for mine, right in zip(other, first, strict=True))
    return first


@pytest.mark.parametrize("steps", [3, 50, 100])
def test_sums_along_a_negative_cycle_wrap(steps: int) -> None:
    A = spec.Sparse(INT8, (2, 2), {(0, 1): INT8.type(-12), (1, 0): INT8.type(-12)})
    x0 = spec.Sparse(INT8, (2,), {0: INT8.type(0)})
    x, _ = found_on(2, x0, A, min_plus, steps, "symmetric or not")
    right = lg.closure(
        put(x0, CPU), put(A, CPU), min_plus, steps, schedule=lg.Schedule(direction="push")
    )
    assert not complaint(x, [take(right)])


@pytest.mark.parametrize(("ring", "dtype", "pool"), ORDERED, ids=lambda v: getattr(v, "name", None))
@examples(12)
@given(data=st.data(), steps=rounds_bound, size=sizes, view=views, by_root=alone)
def test_fixpoint(
    ring: Semiring, dtype: Any, pool: list[Any], data: Any, steps: Any, size: int, view: str,
    by_root: bool,
) -> None:  # fmt: skip
    A = data.draw(random_graphs(types.name(dtype), st.sampled_from(pool))).adjacency
    x0 = start(data.draw, dtype, pool, A.shape[0])
    x, level = found_on(size, x0, A, ring, steps, view, by_root)
    wrong = complaint(x, [spec.closure(x0, A, ring, steps)])
    assert not wrong, wrong
    right = closure_with_rounds(put(x0, CPU), put(A, CPU), ring, steps)[1]
    assert not complaint(level, [take(right)])


@pytest.mark.parametrize("dtype", ["INT64", "FP32", "UINT8"])
@examples(12)
@given(data=st.data(), size=sizes, view=views, shares=st.booleans())
def test_shortest_paths_below_a_bound(
    dtype: str, data: Any, size: int, view: str, shares: bool
) -> None:
    """Where no rounds are asked for and no length is negative; zeros are lengths as well."""
    A = data.draw(random_graphs(dtype, st.integers(0, 40))).adjacency
    x0 = start(data.draw, types.lookup(dtype).np_type, [0, 3, 40], A.shape[0])
    right = take(closure(put(x0, CPU), put(A, CPU), min_plus))
    found = on_ranks(
        size,
        lambda backend: take(closure(put(x0, backend), seen_as(put(A, backend), view), min_plus)),
        shares=shares,
    )
    for one in found:
        assert not complaint(one, [right])


@pytest.mark.parametrize("ring", [any_secondi, any_pair, any_first, any_plus], ids=lambda s: s.name)
@examples(20)
@given(
    data=st.data(), example=any_graph(), steps=rounds_bound, size=sizes, view=views,
    by_root=alone, shares=st.booleans(),
)  # fmt: skip
def test_any_takes_one_of_the_nearest(
    ring: Semiring, data: Any, example: graphs.Example, steps: Any, size: int, view: str,
    by_root: bool, shares: bool,
) -> None:  # fmt: skip
    """By one call of a loop where the processes share memory, else by exchanges."""
    A = example.adjacency.cast(INT64)
    x0 = start(data.draw, INT64, [3, 8, 11], A.shape[0])
    x, step = found_on(size, x0, A, ring, steps, view, by_root, shares)
    level = spec.levels(A, x0.entries, steps)
    assert {v: int(s) for v, s in step.entries.items()} == level
    for v, value in x.entries.items():
        nearer = [u for u in level if level[u] == level[v] - 1 and (u, v) in A.entries]
        offers = [
            ring.multiply.evaluate(x.entries[u], A.entries[u, v], 0, u, v, dtype=INT64)
            for u in nearer
        ]
        assert value in offers or (level[v] == 0 and value == x0.entries[v])


@examples(15)
@given(data=st.data(), steps=rounds_bound, size=sizes, view=views)
def test_a_deep_one_ends_on_one_process(data: Any, steps: Any, size: int, view: str) -> None:
    """With few levels before it is looked at, so that drawn graphs are deep; and once more."""
    A = data.draw(random_graphs("INT64", st.integers(0, 9))).adjacency
    x0 = start(data.draw, INT64, [0, 3, 40], A.shape[0])

    def work(backend: Any) -> Any:
        begun, matrix = put(x0, backend), seen_as(put(A, backend), view)
        return [
            [take(one) for one in closure_with_rounds(begun, matrix, min_plus, steps)] for _ in "12"
        ]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(root_closures, "DEEP_LEVELS", data.draw(st.integers(0, 2)))
        found = on_ranks(size, work)
    right = closure_with_rounds(put(x0, CPU), put(A, CPU), min_plus, steps)
    for x, level in (one for both in found for one in both):
        assert not complaint(x, [spec.closure(x0, A, min_plus, steps)])
        assert not complaint(level, [take(right[1])])


def test_who_takes_a_closure() -> None:
    """All together if there is a loop for distributed rows, else process 0; and by levels if that
    has no room."""
    whole = lg.kronecker(7, weights="integer", backend="cpu")
    start = whole.point(5, 0, whole.A.dtype)
    right = [take(closure(start, whole.A, ring)) for ring in (min_plus, max_min)]

    def work(backend: Any) -> Any:
        G = whole.to(backend)
        with lg.explain() as report:
            found = [closure(G.point(5, 0, G.A.dtype), G.A, ring) for ring in (min_plus, max_min)]
        moved = {c.what for c in report.choices if c.chosen == "on process 0"}
        levels = {c.what.split(",")[0] for c in report.choices if ", level" in c.what}
        return [take(one) for one in found], moved, levels

    for room, taken in ((True, {"closure max_min"}), (False, set())):
        with root_alone() if room else nullcontext():
            for found, moved, levels in on_ranks(3, work):
                assert not any(complaint(one, [of_one]) for one, of_one in zip(found, right))
                assert moved == taken and levels | moved == {"closure min_plus", "closure max_min"}


def test_a_lattice_goes_to_one_process() -> None:
    """It says so, and later searches of the same graph are there at once."""
    grid = lg.grid(36, 36, backend="cpu")

    def work(backend: Any) -> Any:
        G, ways = grid.to(backend), []
        for find in (lg.bfs, lg.bfs):
            with lg.explain() as report:
                found = find(G, 0)[0]
            assert found.to_dense(-1).tolist() == find(grid, 0)[0].to_dense(-1).tolist()
            chosen = [one.chosen for one in report.choices]
            levels = [one for one in report.choices if ", level" in one.what]
            ways.append((len(levels), chosen.count("on process 0")))
        return ways

    told = on_ranks(2, work)
    assert told[1] == [(root_closures.DEEP_LEVELS, 1), (0, 1)]


KRONECKER = lg.kronecker(8, backend="cpu")
BEGIN = int(KRONECKER.out_degree.to_dense(0).argmax())


def sent(
    size: int, direction: str, whole: lg.Graph = KRONECKER, local: Any = CPU
) -> tuple[int, int, int]:
    """The bytes that all processes send in a search of a Kronecker graph by push or pull, the
    entries that were reached, and the levels."""

    def work(backend: Any) -> Any:
        G = whole.to(backend)
        with lg.explain() as report:
            level = lg.bfs(G, BEGIN)[0]
        steps = [one for one in report.choices if one.what.startswith("closure any_secondi, level")]
        assert {step.chosen for step in steps} == {direction}
        assert all(step.facts["waited"] >= 0 for step in steps)
        assert steps[0].facts["imbalance"] == size  # one vertex, on one of the processes
        assert all(1 <= step.facts["imbalance"] <= size for step in steps)
        return sum(step.facts["bytes"] for step in steps), level.nvals, len(steps)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            closures, "pull_threshold", lambda *_, **__: {"push": 2**40, "pull": 0}[direction]
        )
        told = on_ranks(size, work, local)
    return sum(one[0] for one in told), told[0][1], told[0][2]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_push_sends_a_target_once(size: int) -> None:
    """An id and a parent for each vertex that a process finds, but for its own; in no later level
    again. Beside that two counts for each level."""
    sends, reached, levels = sent(size, "push")
    counts = 16 * size * (size - 1) * levels
    assert 0 < sends - counts <= 16 * reached * (size - 1)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_pull_sends_a_bitmap_or_a_list(size: int) -> None:
    """Of the frontier, and no values, because any_secondi reads none: at most half as much again as
    a bit for each vertex in each level."""
    sends, _, levels = sent(size, "pull")
    counts = 16 * size * (size - 1) * levels
    assert 0 < sends - counts <= 1.5 * levels * (KRONECKER.n / 8) * (size - 1)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_each_level_of_a_search_sends_little_more_than_it_must(size: int) -> None:
    """At most half as much again as a bit for each vertex in a pull, and in a push 4 bytes for the
    id and 4 for the parent of each vertex that is found (in the first one, by another process)."""

    def work(backend: Any) -> tuple[list[Any], np.ndarray]:
        G = KRONECKER.to(backend)
        with lg.explain() as report:
            level = lg.bfs(G, BEGIN)[0]
        steps = [one for one in report.choices if one.what.startswith("closure any_secondi, level")]
        return [(step.chosen, step.facts["bytes"]) for step in steps], level.to_dense(-1)

    told = on_ranks(size, work)
    (steps, level), rank = told[0], np.arange(KRONECKER.n) % size
    assert {"push", "pull"} == {chosen for chosen, _ in steps}
    for number, (chosen, _) in enumerate(steps):
        sends = sum(of_one[number][1] for of_one, _ in told) - 16 * size * (size - 1)
        found = (level == number + 1) & ((number > 0) | (rank != BEGIN % size))
        must = KRONECKER.n / 8 * (size - 1) if chosen == "pull" else 8 * int(found.sum())
        assert 0 <= sends <= 1.5 * must, (number, chosen)


@pytest.mark.parametrize("way", ["shared memory", "exchanges", "statements"])
def test_searches_and_components_with_and_without_loops(
    monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """By compiled loops, and by statements and SciPy where there is no library."""
    if way == "statements":
        monkeypatch.setattr(distributed_loops, "library", lambda: None)
    rng = np.random.default_rng(5)
    edges = rng.integers(0, 300, (2, 260))
    whole = lg.Graph.from_edges(*edges, n=300, directed=False, dup="first", backend="cpu")
    labels, levels = lg.connected_components(whole).to_dense(), lg.bfs(whole, 0)[0].to_dict()

    def work(backend: Any) -> Any:
        G = whole.to(backend)
        found = lg.connected_components(G).to_dense()
        return bool((found == labels).all()), lg.bfs(G, 0)[0].to_dict() == levels

    for size in (2, 3, 4):
        shares = way == "shared memory"
        assert on_ranks(size, work, shares=shares) == [(True, True)] * size


@pytest.mark.parametrize("weights", ["integer", "uniform"])
def test_shortest_paths_by_loops(monkeypatch: pytest.MonkeyPatch, weights: Any) -> None:
    """Without memory that all share both the closure and the parents are found by loops, and make a
    tree."""
    whole = lg.kronecker(7, weights=weights, backend="cpu")
    taken = []
    for name in ("closure_by_sums", "tails"):
        loop = getattr(distributed_loops, name)

        def noted(*given: Any, loop: Any = loop) -> Any:
            made = loop(*given)
            taken.append(made is not None)
            return made

        monkeypatch.setattr(distributed_loops, name, noted)

    def work(backend: Any) -> Any:
        return [one.to_coo() for one in lg.sssp(whole.to(backend), 5)]

    for found in on_ranks(3, work, shares=False):
        parts = [lg.Vector.from_coo(*one, size=whole.n, backend=CPU) for one in found]
        verify.verify_sssp(whole, 5, *parts)
    assert taken == [True] * 6
