"""Searches from one vertex that processes make in one call of a loop, through memory they share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lagraph_gpu as lg
from lagraph_gpu import verify
from lagraph_gpu.closure import closure
from lagraph_gpu.cluster import root_closures, single_source
from lagraph_gpu.cluster.distribution import Distribution
from lagraph_gpu.cpu.loops import on_root
from lagraph_gpu.cpu.loops.distributed_loops import DistributedLoops
from lagraph_gpu.cpu.loops.shared_memory import SharedMemory
from lagraph_gpu.cpu.native import library
from lagraph_gpu.cpu.statements.stores import CpuMatrix
from lagraph_gpu.errors import DistanceOverflow, IndexOutOfBound, LagraphError
from semirings import any_secondi
from tests.cluster.test_lowerings import root_alone
from tests.cluster.turns import on_ranks
from tests.harness import CPU
from tests.strategies import any_graph, examples, random_graphs

pytestmark = pytest.mark.skipif(library() is None, reason="there is no C++ compiler")

sizes = st.sampled_from([2, 3, 4])


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """For each call on each process, whether the loop has found something."""
    made: list[bool] = []
    for name in ("levels_and_parents", "lengths_and_parents"):
        loop = getattr(DistributedLoops, name)

        def noted(*given: Any, loop: Any = loop) -> Any:
            found = loop(*given)
            made.append(found is not None)
            return found

        monkeypatch.setattr(DistributedLoops, name, noted)
    yield made


def on_all(size: int, find: Callable[[Any], Any], shares: bool = True) -> list[Any]:
    """What each process finds, on the CPU."""
    return on_ranks(size, lambda b: [one.to("cpu") for one in find(b)], shares=shares)


@examples(30)
@given(
    data=st.data(), example=any_graph(), size=sizes, shares=st.booleans(),
    bound=st.none() | st.integers(0, 4),
)  # fmt: skip
def test_levels(data: Any, example: Any, size: int, shares: bool, bound: int | None) -> None:
    """As on one process, and parents are a level nearer. Without memory that all share as well."""
    if example.n == 0:
        return
    G, source = example.graph(CPU), data.draw(st.integers(0, example.n - 1))
    right = lg.bfs(G, source, bound)[0]
    first, *others = on_all(size, lambda b: lg.bfs(example.graph(b), source, bound), shares)
    level, parent = first
    assert level.isequal(right) and level.dtype == right.dtype
    if bound is None:
        verify.verify_bfs(G, source, level, parent)
    for v, u in parent.to_dict().items():
        assert v == u == source or level[u].get() == level[v].get() - 1
    assert all(one.isequal(level) and other.isequal(parent) for one, other in others)


@pytest.mark.parametrize("dtype", ["INT64", "INT16", "UINT64", "FP32", "FP64", "BOOL"])
@examples(10)
@given(data=st.data(), size=sizes, heavy=st.booleans())
def test_lengths(dtype: str, data: Any, size: int, heavy: bool) -> None:
    """With weights of 0 some vertices have no nearer one: statements find their parents."""
    pool = st.booleans() if dtype == "BOOL" else st.integers(int(heavy), 40)
    example = data.draw(random_graphs(dtype, pool))
    if example.n == 0:
        return
    G, source = example.graph(CPU), data.draw(st.integers(0, example.n - 1))
    right = lg.sssp(G, source)[0]
    first, *others = on_all(size, lambda b: lg.sssp(example.graph(b), source))
    assert first[0].isequal(right) and first[0].dtype == right.dtype
    verify.verify_sssp(G, source, *first)
    assert all(one.isequal(first[0]) and other.isequal(first[1]) for one, other in others)


def test_what_takes_the_loop(at_once: list[bool]) -> None:
    """Not a search with a cutoff, or one of which someone wants to know each level; and where a
    vertex has no nearer one, statements follow."""
    G = lg.kronecker(6, weights="integer", backend="cpu")
    zero = lg.Graph.from_edges([0, 1], [1, 2], [0, 1], n=4, backend="cpu")

    def taken(find: Callable[[Any], Any]) -> list[bool]:
        at_once.clear()
        on_ranks(2, find)
        return list(at_once)

    assert taken(lambda b: lg.bfs(G.to(b), 5)) == [True] * 2
    assert taken(lambda b: lg.sssp(G.to(b), 5)) == [True] * 2
    assert taken(lambda b: lg.sssp(zero.to(b), 0)) == [False] * 2
    assert taken(lambda b: lg.sssp(G.to(b), 5, cutoff=9)) == []

    def explained(backend: Any) -> None:
        with lg.explain():
            lg.bfs(G.to(backend), 5)

    assert taken(explained) == [False] * 2


@pytest.mark.parametrize("size, shares", [(3, True), (2, False)])
def test_one_process_explains_what_others_do_not(size: int, shares: bool) -> None:
    """All go the way that tells of each level or round, and find the same."""
    finds = lg.bfs, lg.sssp, lambda G, _: (lg.pagerank(G), lg.connected_components(G))
    whole = lg.kronecker(6, weights="integer", backend="cpu")

    def work(backend: Any) -> list[int]:
        G, told = whole.to(backend), []
        for find in finds:
            right = find(whole, 5)[0].to_dense(-1)
            for someone in (size - 1, None):
                with (
                    nullcontext() if backend.distribution.rank != someone else lg.explain() as said
                ):
                    found = find(G, 5)[0]
                np.testing.assert_allclose(found.to_dense(-1), right, rtol=0, atol=1e-9)
                if said is not None:
                    told.append(len(said.choices) + len(said.steps))
        return told

    told = on_ranks(size, work, checks=True, shares=shares)
    assert [len(counts) for counts in told] == [0] * (size - 1) + [3]
    assert min(told[-1]) > 2


@pytest.mark.parametrize(
    "find",
    [lambda G: lg.bfs(G, 5), lambda G: closure(lg.Vector.from_coo([5, 7], [5, 7], size=G.n,
        backend=G.backend), G.A, any_secondi), lambda G: lg.sssp(G, 5), lg.pagerank,
        lg.connected_components],
    ids=["bfs", "bfs of two", "sssp", "pagerank", "components"],
)  # fmt: skip
def test_operands_are_made_where_others_learn_of_an_error(
    monkeypatch: pytest.MonkeyPatch, find: Any
) -> None:
    """In the meeting of all: to make them takes memory, which one process alone may not have."""
    within: set[int] = set()
    again: dict[int, int] = {}  # the processes that have called once, by their threads
    made: list[tuple[int, bool]] = []
    meeting, arrays = SharedMemory.meeting, CpuMatrix.arrays

    @contextmanager
    def noted(self: Any, memory: Any) -> Iterator[None]:
        with meeting(self, memory):
            within.add(threading.get_ident())
            try:
                yield
            finally:
                within.discard(threading.get_ident())

    def expected_within(self: Any, *given: Any, **named: Any) -> Any:
        thread = threading.get_ident()
        if thread in again:
            made.append((again[thread], thread in within))
        return arrays(self, *given, **named)

    monkeypatch.setattr(SharedMemory, "meeting", noted)
    monkeypatch.setattr(CpuMatrix, "arrays", expected_within)
    monkeypatch.setattr(CpuMatrix, "patterns", property(lambda _: {}, lambda *_: None), False)
    whole = lg.kronecker(6, weights="integer", backend="cpu")

    def work(backend: Any) -> None:
        G = whole.to(backend)
        find(G)
        again[threading.get_ident()] = backend.distribution.rank
        find(G)

    on_ranks(2, work)
    assert {rank for rank, _ in made} == {0, 1} and all(inside for _, inside in made)


def test_distances_that_do_not_fit_are_told(at_once: list[bool]) -> None:
    n = 40
    G = lg.Graph.from_edges(
        np.arange(n - 1), np.arange(1, n), np.full(n - 1, 100, np.int8), n=n, backend="cpu"
    )

    def work(backend: Any) -> str:
        with pytest.raises(DistanceOverflow, match="expected distances to fit") as told:
            lg.sssp(G.to(backend), 0)
        return str(told.value)

    assert len(set(on_ranks(3, work))) == 1
    assert at_once == [False] * 3


@pytest.mark.parametrize("find", [lg.bfs, lg.sssp], ids=["bfs", "sssp"])
def test_a_deep_search_goes_to_one_process(
    monkeypatch: pytest.MonkeyPatch, at_once: list[bool], find: Any
) -> None:
    """The loop finds it out, and later searches of the same graph do not ask it."""
    monkeypatch.setattr(root_closures, "DEEP_LEVELS", 9)
    monkeypatch.setattr(single_source, "DEEP", (9, 9 * root_closures.DEEP_ENTRIES))
    monkeypatch.setattr("lagraph_gpu.cpu.loops.shared_levels.ROUNDS_PER_CALL", 9)
    monkeypatch.setattr("lagraph_gpu.cpu.loops.shared_lengths.ROUNDS_PER_CALL", 9)
    grid = lg.grid(13, 13, backend="cpu")
    right = find(grid, 0)[0].to_dict()

    def work(backend: Any) -> bool:
        G = grid.to(backend)
        found = [find(G, 0)[0].to_dict() == right for _ in "12"]
        return all(found) and G.A._store.deep

    assert on_ranks(2, work) == [True] * 2
    assert at_once == [False] * 2


@examples(20)
@given(
    data=st.data(), size=sizes, dtype=st.sampled_from(["INT16", "BOOL", "FP32", "UINT64"]),
    shares=st.booleans(),
)  # fmt: skip
def test_later_searches_of_a_deep_graph(data: Any, size: int, dtype: str, shares: bool) -> None:
    """Process 0 makes the whole search, and all get their parts of both results in two exchanges;
    with a bound, a cutoff, or an explanation for some, and without memory that all share."""
    pool = st.booleans() if dtype == "BOOL" else st.integers(0, 40)
    example = data.draw(random_graphs(dtype, pool))
    if example.n == 0:
        return
    source = data.draw(st.integers(0, example.n - 1))
    finds: list[Callable[[lg.Graph], Any]] = [
        lambda G: lg.bfs(G, source), lambda G: lg.bfs(G, source, 2),
        lambda G: lg.sssp(G, source), lambda G: lg.sssp(G, source, cutoff=30),
    ]  # fmt: skip
    whole = example.graph(CPU)

    def work(backend: Any) -> list[Any]:
        G, distribution = example.graph(backend), backend.distribution
        G.A._store.deep = True
        found = []
        for find in finds:
            find(G)
            with lg.explain() if distribution.rank == size - 1 else nullcontext() as told:
                before = distribution.comm.traffic.exchanges
                found.append(find(G))
                assert distribution.comm.traffic.exchanges - before <= 3
            assert told is None or any("process 0" in one.chosen for one in told.choices)
        return [[one.to("cpu") for one in pair] for pair in found]

    for parts in on_ranks(size, work, shares=shares):
        for find, (found, parent) in zip(finds, parts, strict=True):
            right = find(whole)
            assert found.isequal(right[0]) and found.dtype == right[0].dtype
            assert parent.dtype == right[1].dtype
            assert parent.to_dict().keys() == right[1].to_dict().keys()
        verify.verify_bfs(whole, source, *parts[0])
        verify.verify_sssp(whole, source, *parts[2])


def searched_by_root(backend: Any, whole: lg.Graph) -> lg.Graph:
    """The graph on the cluster, of which process 0 makes all searches."""
    G = whole.to(backend)
    G.A._store.deep = True
    return G


@pytest.mark.parametrize("size", [2, 3])
def test_root_waits_until_all_have_read_what_it_has_found(size: int) -> None:
    """Also within one statement, after whose searches nobody says that he has come to an end."""
    whole = lg.grid(5, 4, removed=0.2, seed=1, weights="integer", backend="cpu")
    roots = 0, 19, 7
    right = [[find(whole, root)[0].to_dict() for root in roots] for find in (lg.bfs, lg.sssp)]

    def work(backend: Any) -> Any:
        G = searched_by_root(backend, whole)
        with backend.distribution.comm.statement():
            found = [[find(G, root)[0] for root in roots] for find in (lg.bfs, lg.sssp)]
        return [[one.to_dict() for one in of_roots] for of_roots in found]

    assert on_ranks(size, work) == [right] * size


@pytest.mark.parametrize("find, write", [(lg.bfs, "write_levels"), (lg.sssp, "write_lengths")])
def test_root_fails_where_others_wait_for_its_results(
    monkeypatch: pytest.MonkeyPatch, find: Any, write: str
) -> None:
    whole, failed = lg.grid(5, 4, weights="integer", backend="cpu"), []
    loop, right = getattr(on_root, write), find(whole, 3)[0].to_dict()

    def fails(*given: Any) -> Any:
        if failed:
            return loop(*given)
        failed.append(True)
        raise MemoryError("on this process alone")

    monkeypatch.setattr(on_root, write, fails)

    def work(backend: Any) -> None:
        G = searched_by_root(backend, whole)
        with pytest.raises(MemoryError, match="on this process alone"):
            find(G, 3)
        assert find(G, 3)[0].to_dict() == right

    on_ranks(3, work)
    assert failed


SMALL: dict[str, Callable[[lg.Graph], lg.Vector]] = {
    "levels": lambda G: lg.bfs(G, 3)[0], "lengths": lambda G: lg.sssp(G, 3)[0],
    "labels": lambda G: lg.connected_components(G), "ranks": lambda G: lg.pagerank(G, tol=1e-9),
}  # fmt: skip
"""What process 0 finds alone in a small graph."""


@pytest.mark.parametrize("size", [2, 3])
def test_a_call_of_the_root_is_one_meeting(size: int) -> None:
    """Also by several calls, each of which begins while others end the one before."""
    whole = lg.grid(5, 4, removed=0.2, seed=1, weights="integer", backend="cpu")
    right = {name: find(whole).to_dense(-1).tolist() for name, find in SMALL.items()}

    def work(backend: Any) -> Any:
        G, traffic = whole.to(backend), backend.distribution.comm.traffic
        for find in SMALL.values():
            find(G)  # the matrix moves
        before = traffic.exchanges
        found = {name: find(G) for _ in range(3) for name, find in SMALL.items()}
        assert traffic.exchanges == before + 3 * len(SMALL)
        return {name: one.to_dense(-1).tolist() for name, one in found.items()}

    with root_alone():
        assert on_ranks(size, work) == [right] * size


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("later", ["search", "read", "end"])
def test_one_fails_behind_the_meeting(
    name: str, later: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others hear of it in the next exchange, and all go on; or their programs have ended."""
    whole = lg.grid(5, 4, weights="integer", backend="cpu")
    find, deferred = SMALL[name], Distribution.deferred
    right = find(whole).to_dense(-1).tolist()
    failing = set[int]()

    def fails(self: Distribution, *given: Any) -> Any:
        if threading.get_ident() in failing:
            failing.clear()
            raise IndexOutOfBound("on process 1 alone")
        return deferred(self, *given)

    def work(backend: Any) -> None:
        G, comm = whole.to(backend), backend.distribution.comm
        v = lg.Vector.from_scalar(2, 9, backend=backend)
        find(G)
        if comm.rank == 1:
            failing.add(threading.get_ident())
            with pytest.raises(LagraphError) as told:
                find(G)
            told = told.value if later != "end" else told.value.__context__
            assert isinstance(told, IndexOutOfBound) and str(told) == "on process 1 alone"
        else:
            find(G)
            if later != "end":
                with pytest.raises(IndexOutOfBound, match="on process 1 alone"):
                    lg.bfs(G, 1) if later == "search" else v.sum()
        if later == "end":
            comm.end_program()
            return
        assert find(G).to_dense(-1).tolist() == right
        assert v.sum() == 18

    monkeypatch.setattr(Distribution, "deferred", fails)
    with root_alone():
        on_ranks(3, work)


@examples(25)
@given(data=st.data(), size=sizes)
def test_results_of_the_root_stay_right_whenever_they_are_read(data: Any, size: int) -> None:
    """They lie in memory that is written again some calls later: by calls for larger graphs and
    other results, within one statement and in several, whichever of them are held for how long."""
    graphs = data.draw(st.lists(random_graphs("INT16", st.integers(0, 40)), min_size=1, max_size=3))
    graphs = [example for example in graphs if example.n and not example.directed]
    if not graphs:
        return
    finds: dict[str, Callable[[lg.Graph], list[lg.Vector]]] = {
        "levels": lambda G: [lg.bfs(G, 0)[0]], "lengths": lambda G: [lg.sssp(G, 0)[0]],
        "levels of few": lambda G: [lg.bfs(G, G.n - 1, 1)[0]],
        "labels": lambda G: [lg.connected_components(G)],
    }  # fmt: skip
    one_call = st.tuples(
        st.integers(0, len(graphs) - 1), st.sampled_from(list(finds)), st.integers(0, 5)
    )
    calls = data.draw(st.lists(one_call, min_size=1, max_size=12))
    together = data.draw(st.booleans())
    right = [[one.to_dict() for one in finds[name](graphs[at].graph(CPU))] for at, name, _ in calls]

    def work(backend: Any) -> list[Any]:
        comm, held, told = backend.distribution.comm, {}, [None] * len(calls)
        of_graphs = [example.graph(backend) for example in graphs]
        for G in of_graphs:
            G.A._store.deep = True
        with comm.statement() if together else nullcontext():
            for number, (at, name, later) in enumerate(calls):
                held[number] = number + later, finds[name](of_graphs[at])
                for due in [one for one, (when, _) in held.items() if when == number]:
                    told[due] = held.pop(due)[1]
                    if not together:
                        told[due] = [one.to_dict() for one in told[due]]
        for number, (_, found) in held.items():
            told[number] = found
        return [
            [one if isinstance(one, dict) else one.to_dict() for one in found] for found in told
        ]

    assert on_ranks(size, work) == [right] * size


def test_nobody_copies_what_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where a program holds the last results while the next are found. What it holds for
    longer each process copies before its memory is written again."""
    taken: list[int] = []
    take = on_root.Parts.take

    def noted(self: Any) -> None:
        taken.append(threading.get_ident())
        take(self)

    monkeypatch.setattr(on_root.Parts, "take", noted)
    whole = lg.grid(6, 6, backend="cpu")
    right = lg.bfs(whole, 0)[0].to_dict()

    def work(backend: Any) -> int:
        G, mine = searched_by_root(backend, whole), threading.get_ident()
        for vertex in range(10):
            level, parent = lg.bfs(G, vertex)
        del level, parent
        for _ in range(10):
            labels = lg.connected_components(G)
        assert mine not in taken
        del labels
        level, parent = lg.bfs(G, 0)
        for _ in range(10):
            labels = lg.connected_components(G)
        assert taken.count(mine) == 1
        assert level.to_dict() == right and not labels.to_dense().any()
        assert parent.nvals == 36
        return taken.count(mine)

    assert len(set(on_ranks(3, work))) == 1
