"""PageRank on several processes: its loops beside one process, and when
statements do it instead.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.cluster import pagerank_rounds
from lagraph_gpu.cpu.loops import distributed_loops, distributed_pagerank
from lagraph_gpu.cpu.loops.shared_memory import SharedMemory
from lagraph_gpu.cpu.native import library
from lagraph_gpu.errors import LagraphError, NotConverged
from tests.cluster.test_lowerings import root_alone
from tests.cluster.turns import on_ranks
from tests.harness import CPU

RNG = np.random.default_rng(5)
G = lg.Graph.from_edges(
    *RNG.integers(0, 60, (2, 300)), RNG.integers(1, 9, 300), n=75, dup="first", backend=CPU
)
"""Directed, with vertices that no edge leaves and such that none enters."""

CASES: tuple[dict[str, Any], ...] = (
    {},
    {"weight": None, "alpha": 0.6},
    {"personalization": {3: 1.0, 44: 2.0}, "dangling": {70: 1.0}},
    {"iterations": 9},
    {"iterations": 2},
    {"iterations": 9, "dtype": "FP32", "weight": None},
    {"dtype": "FP32", "dangling": {70: 1.0}},
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(case) or "plain")
@pytest.mark.parametrize("size", [2, 3])
def test_ranks(size: int, case: dict[str, Any]) -> None:
    right = lg.pagerank(G, **case).to_dense()
    shares = size == 2
    for found in on_ranks(size, lambda b: lg.pagerank(G.to(b), **case).to_dense(), shares=shares):
        assert found.dtype == right.dtype
        within = 1e-9 if found.dtype == np.float64 else 1e-6
        np.testing.assert_allclose(found, right, rtol=0, atol=within)


@pytest.mark.parametrize("dtype", ["FP32", "FP64"])
@pytest.mark.parametrize("forgets", ["ranks_at_once", "array"])
def test_ranks_where_processes_share_less(
    dtype: str, forgets: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Round after round, and with messages where there is no array that all of them read."""
    monkeypatch.setattr(distributed_loops, "ranks_at_once", lambda *_: None)
    if forgets == "array":
        monkeypatch.setattr(SharedMemory, "array", lambda *_: None)
    right = lg.pagerank(G, dtype=dtype).to_dense()
    for found in on_ranks(2, lambda b: lg.pagerank(G.to(b), dtype=dtype).to_dense()):
        assert found.dtype == right.dtype
        np.testing.assert_allclose(found, right, rtol=0, atol=1e-6 if dtype == "FP32" else 1e-12)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_round_is_two_meetings(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one call of a loop, or if one of the processes has more threads, by exchanges."""
    monkeypatch.setattr(distributed_pagerank, "threads_of", lambda items, parts: threads)

    def work(backend: Any) -> int:
        H, traffic = G.to(backend), backend.distribution.comm.traffic
        counts = []
        for rounds in (10, 20):
            lg.pagerank(H, iterations=rounds)
            before = traffic.exchanges
            lg.pagerank(H, iterations=rounds)
            counts.append(traffic.exchanges - before)
        return counts[1] - counts[0]

    assert all(10 * 2 <= more <= 10 * 3 for more in on_ranks(2, work))


def test_too_few_rounds() -> None:
    def work(backend: Any) -> str:
        with pytest.raises(NotConverged, match="after 9; allow more rounds") as raised:
            lg.pagerank(G.to(backend), max_iter=9, tol=1e-12)
        assert lg.pagerank(G.to(backend)).nvals == G.n
        return str(raised.value)

    first, second = on_ranks(2, work)
    assert first == second


def test_statements_do_it_without_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    right = lg.pagerank(G).to_dense()
    asked: list[Any] = []
    by_rounds = pagerank_rounds.by_rounds

    def noted(*operands: Any) -> Any:
        asked.append(by_rounds(*operands))
        return asked[-1]

    monkeypatch.setattr(pagerank_rounds, "by_rounds", noted)
    monkeypatch.setattr(distributed_loops, "library", lambda: None)
    for found in on_ranks(2, lambda b: lg.pagerank(G.to(b)).to_dense()):
        np.testing.assert_allclose(found, right, rtol=0, atol=1e-9)
    assert asked == [None, None]


@pytest.mark.skipif(library() is None, reason="there is no C++ compiler")
@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(case) or "plain")
def test_process_0_alone_has_those_of_a_small_graph(case: dict[str, Any]) -> None:
    """It tells of rounds by statements if it is asked for each."""
    right = lg.pagerank(G, **case).to_dense()

    def work(backend: Any) -> None:
        H, explained = G.to(backend), []
        for asked in (lg.trace, lg.explain):
            with asked() if backend.distribution.rank == 0 else nullcontext() as told:
                found = lg.pagerank(H, **case)
            explained.append(told)
            within = 1e-9 if found.dtype == np.float64 else 1e-6
            np.testing.assert_allclose(found.to_dense(), right, rtol=0, atol=within)
        if backend.distribution.rank == 0:
            said = [one.chosen for one in explained[1].choices if one.what == "pagerank"]
            assert said == []  # explanations are of rounds
        with lg.explain() if backend.distribution.rank == 1 else nullcontext() as told:
            lg.pagerank(H, **case)
        if told is not None:
            said = [one.chosen for one in told.choices if one.what == "pagerank"]
            assert said == ["on process 0"]

    with root_alone():
        on_ranks(2, work)


NAMES = [f"v{k}" for k in range(75)]

GIVEN: dict[str, Any] = {
    "vector": lambda H: lg.Vector.from_coo([3, 70], [2, 5], size=75, backend=H.backend),
    "full vector": lambda H: lg.Vector.from_dense(np.arange(75.0), backend=H.backend),
    "dict": lambda H: {"v3": 1, "v44": 2.5},
    "number": lambda H: 3,
    "negative": lambda H: {"v3": -1.0},
    "zeros": lambda H: lg.Vector.from_dense(np.zeros(75), backend=H.backend),
    "infinite": lambda H: {"v3": math.inf},
    "unknown vertex": lambda H: {"v75": 1},
    "another size": lambda H: lg.Vector.from_dense([1, 2], backend=H.backend),
    "another backend": lambda H: lg.Vector.from_coo([3], [2], size=75, backend=CPU.renamed("x")),
    "a word": lambda H: "v3",
}


@pytest.mark.skipif(library() is None, reason="there is no C++ compiler")
@pytest.mark.parametrize("of", ["personalization", "dangling", "nstart"])
@pytest.mark.parametrize("name", GIVEN)
def test_process_0_gets_distributions(name: str, of: str) -> None:
    """In three meetings at most; what is wrong with them all are told, as by one process."""
    labelled = lg.Graph.from_edges(
        *np.array(NAMES)[np.array(G.edges()[:2]).astype(int)], labels=True, backend=CPU
    )

    def ranks(H: lg.Graph) -> Any:
        try:
            found = lg.pagerank(H, **{of: GIVEN[name](H)}, iterations=12)
        except LagraphError as error:
            return type(error), str(error)
        return [H.label(v) for v in range(H.n)], found.to_dense().round(12).tolist()

    def work(backend: Any) -> Any:
        H, traffic = labelled.to(backend), backend.distribution.comm.traffic
        ranks(H)
        found, given = ranks(H), GIVEN[name](H)
        before = traffic.exchanges
        if not isinstance(found[0], type):
            lg.pagerank(H, **{of: given}, iterations=12)
            assert traffic.exchanges - before <= 3
        return found

    right = ranks(labelled)
    with root_alone():
        assert on_ranks(3, work) == [right] * 3


@pytest.mark.skipif(library() is None, reason="there is no C++ compiler")
def test_all_are_told_that_process_0_has_too_few_rounds() -> None:
    with root_alone():
        test_too_few_rounds()
        test_ranks(3, {"alpha": 0.5})


@pytest.mark.skipif(library() is None, reason="there is no C++ compiler")
def test_all_have_those_of_a_large_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagerank_rounds, "FEW_ITEMS", G.n + G.A.nvals - 1)
    with root_alone():
        test_a_round_is_two_meetings(1, monkeypatch)
    monkeypatch.setattr(pagerank_rounds, "FEW_ITEMS", G.n + G.A.nvals)

    def work(backend: Any) -> int:
        H, traffic = G.to(backend), backend.distribution.comm.traffic
        lg.pagerank(H, iterations=20)
        before = traffic.exchanges
        lg.pagerank(H, iterations=20)
        return traffic.exchanges - before

    with root_alone():
        assert on_ranks(2, work) == [1, 1]
