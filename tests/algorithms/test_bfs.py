"""Breadth-first search against a queue, on both backends, under every schedule."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu.cpu.loops import distances
from lagraph_gpu.errors import IndexOutOfBound, InvalidValue, WrongType
from semirings.types import INT32, INT64
from tests import graphs, spec
from tests.harness import BOTH, CPU, GPU, reseed, take
from tests.strategies import any_graph, examples, orders, schedules, seeds


def check_bfs(
    example: graphs.Example, source: int, limit: int | None, schedule: Any, backend: Any
) -> None:
    """Levels are the queue's; each parent is a neighbour one level nearer, the source its own."""
    right = spec.levels(example.adjacency, [source], limit)
    level, parent = map(take, lg.bfs(example.graph(backend), source, limit, schedule))
    assert (level.dtype, parent.dtype) == (INT32, INT64)
    assert {v: int(x) for v, x in level.entries.items()} == right
    assert parent.entries.keys() == right.keys()
    for v, u in parent.entries.items():
        if v == source:
            assert u == source
        else:
            assert (int(u), v) in example.adjacency.entries
            assert right[int(u)] == right[v] - 1


@examples(300)
@given(
    data=st.data(), example=any_graph(), limit=st.none() | st.integers(0, 5),
    schedule=schedules | orders, seed=seeds,
)  # fmt: skip
def test_drawn(data: Any, example: graphs.Example, limit: Any, schedule: Any, seed: int) -> None:
    source = data.draw(st.integers(0, example.n - 1))
    limit = None if schedule is not None and schedule.order == "delta" else limit
    reseed(seed)
    for backend in BOTH:
        check_bfs(example, source, limit, schedule, backend)


@pytest.mark.parametrize("order", [None, "delta", "rounds"])
@pytest.mark.parametrize("example", graphs.BATTERY, ids=str)
def test_battery(example: graphs.Example, order: str | None, backend: Any) -> None:
    for source in {0, example.n // 2, example.n - 1}:
        check_bfs(example, source, None, lg.Schedule(order=order), backend)


SCHEDULES = [lg.Schedule(d, b) for d in ("push", "pull") for b in ("thread", "warp", "search")]


@pytest.mark.parametrize("name", ["hub of 5000", "random 1025", "star in 65"])
@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda s: f"{s.direction}-{s.balance}")
def test_every_schedule_on_skewed_graphs(name: str, schedule: lg.Schedule) -> None:
    check_bfs(graphs.NAMED[name], 0, None, schedule, GPU)


def test_planner_takes_search_for_a_hub() -> None:
    """The battery's hub is what this balance is for; the planner must see that."""
    from lagraph_gpu.planning.direction import Facts, choose

    facts = Facts(9000, 9000, 5002, 10**6, early_exit=True, max_degree=5000)
    assert choose(facts, lg.Schedule("push")).balance == "search"


@examples(120)
@given(data=st.data(), example=any_graph())
def test_paths(data: Any, example: graphs.Example) -> None:
    source, target = (data.draw(st.integers(0, example.n - 1)) for _ in range(2))
    level, parent = lg.bfs(example.graph(CPU), source)
    path = lg.path_to(parent, target)
    if path is None:
        assert target not in spec.levels(example.adjacency, [source])
        return
    assert (path[0], path[-1], len(path) - 1) == (source, target, level[target].get())
    assert all(step in example.adjacency.entries for step in itertools.pairwise(path))


@pytest.mark.parametrize("dtype", ["INT64", "UINT16", "INT32"])
def test_long_paths(dtype: str, backend: Any) -> None:
    """A path that a kernel does not follow to its end, whose vertices are in no order."""
    n = 1500
    order = np.random.default_rng(5).permutation(n)
    parent = np.empty(n, np.int64)
    parent[order[0]], parent[order[1:]] = order[0], order[:-1]
    tree = lg.Vector.from_dense(parent.astype(dtype.lower()), backend=backend)
    assert lg.path_to(tree, int(order[-1])) == order.tolist()
    parent[order[0]] = order[-1]
    ring = lg.Vector.from_dense(parent.astype(dtype.lower()), backend=backend)
    with pytest.raises(InvalidValue, match=f"broken chain above {order[-1]}"):
        lg.path_to(ring, int(order[-1]))


def test_parents_are_integers(backend: Any) -> None:
    parent = lg.Vector.from_dense([0.0, 0.0], backend=backend)
    with pytest.raises(WrongType, match=r"expected the parents as integers.*FP64"):
        lg.path_to(parent, 1)


def test_mangled_parents_are_noticed() -> None:
    parent = lg.Vector.from_coo([0, 1, 2], [0, 2, 1], size=4, backend=CPU)
    with pytest.raises(InvalidValue, match="expected a tree of parents"):
        lg.path_to(parent, 1)
    broken = lg.Vector.from_coo([0, 1], [0, 3], size=4, backend=CPU)
    with pytest.raises(InvalidValue, match="broken chain above 1"):
        lg.path_to(broken, 1)
    for target in (-1, 4, 1.0, "1"):
        with pytest.raises(IndexOutOfBound, match="a target below n = 4"):
            lg.path_to(parent, target)


@pytest.mark.parametrize("source", [-1, 7, 2**40, 1.5, "0", None, True])
def test_source_out_of_range(source: Any, backend: Any) -> None:
    G = graphs.NAMED["isolated vertices"].graph(backend)
    with pytest.raises(IndexOutOfBound, match=r"source.*(n = 7|integer)"):
        lg.bfs(G, source)


def test_numpy_integers_are_vertices(backend: Any) -> None:
    G = graphs.NAMED["cycle"].graph(backend)
    assert lg.bfs(G, np.uint8(3))[0].nvals == 33


def test_no_vertex_to_start_from(backend: Any) -> None:
    G = graphs.EMPTY.graph(backend)
    assert (G.n, G.nedges) == (0, 0)
    with pytest.raises(IndexOutOfBound, match="the graph is empty"):
        lg.bfs(G, 0)


@pytest.mark.parametrize("length", [1, 60, 590])
def test_what_several_runs_of_searches_find_is_moved_together(
    length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By one run for all sources and by one for each, of which some reach nothing else: rows are
    what a search alone finds. What takes little of the room for all vertices is copied."""
    ends = np.arange(length - 1)
    G = lg.Graph.from_edges(ends, ends + 1, n=600, directed=False, backend=CPU)
    sources = [0, 599, length // 2, 598, 0]
    found = []
    for job in (1, 1 << 18):
        monkeypatch.setattr(distances, "JOB", job)
        monkeypatch.setattr(distances, "threads_for", lambda jobs: 2 if jobs > 1 else 1)
        found.append(lg.bfs(G, sources=sources))
    for level, parent in found:
        assert (level._store.given.values.base is None) == (length < 300)
        for row, source in enumerate(sources):
            alone = lg.bfs(G, source)
            assert level[row, :].new().isequal(alone[0])
            assert parent[row, :].new().isequal(alone[1])
