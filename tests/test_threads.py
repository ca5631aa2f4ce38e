"""Threads that share a graph, how many threads a process takes, and what memory it keeps: as the
how-to page says."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import lagraph_gpu as lg
from lagraph_gpu.cpu.loops import watched
from lagraph_gpu.cpu.loops.watched import shared_out

TASKS: list[Callable[[lg.Graph, int], Any]] = [
    lambda G, i: (G.nedges, G.nloops, G.weighted, G.out_degree.to_dense(0).tolist()),
    lambda G, i: lg.bfs(G, i)[0].to_coo()[1].tolist(),
    lambda G, i: lg.sssp(G, i)[0].to_coo()[1].tolist(),
    lambda G, i: lg.pagerank(G).to_dense().tolist(),
    lambda G, i: lg.triangle_count(G),
    lambda G, i: lg.core_number(G).to_dense(0).tolist(),
    lambda G, i: lg.connected_components(G).to_dense().tolist(),
    lambda G, i: lg.distance_matrix(G, [i, i + 1]).tolist(),
    lambda G, i: G.A.mxm(G.A, "plus_times").new(mask=G.A.S).to_coo()[2].tolist(),
    lambda G, i: G.A.T.new().to_coo()[0].tolist(),
]


def made() -> lg.Graph:
    rng = np.random.default_rng(5)
    ends, weight = rng.integers(0, 300, (2, 3000)), rng.integers(1, 9, 3000).astype(float)
    return lg.Graph.from_edges(*ends, weight, 300, directed=False, dup="min", backend="cpu")


def test_threads_read_one_graph() -> None:
    """From its first use on, with what the graph finds out about itself."""
    jobs = [(task, i) for i in range(3) for task in TASKS]
    alone = made()
    right = [task(alone, i) for task, i in jobs]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            for _ in range(2):
                shared = made()
                told = [pool.submit(task, shared, i) for task, i in jobs]
                assert [one.result() for one in told] == right
    finally:
        sys.setswitchinterval(before)


def test_a_small_graph_needs_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Although it may take a thousand rounds: to start a thread takes as long as ten of them."""
    small, large = lg.grid(30, 30, backend="cpu"), lg.grid(300, 300, backend="cpu")

    class Refused(ThreadPoolExecutor):
        def __init__(self, threads: int) -> None:
            raise AssertionError("a thread was asked for")

    monkeypatch.setattr("lagraph_gpu.cpu.loops.watched.ThreadPoolExecutor", Refused)
    for ranks in (lg.pagerank, lg.eigenvector_centrality, lg.katz_centrality):
        assert ranks(small, tol=1e-3).nvals == 900
    with pytest.raises(AssertionError, match="asked for"):
        lg.pagerank(large, tol=1e-3)


def test_rows_that_are_compared_with_short_ones_need_no_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a bipartite graph each edge leads from a long row to an empty one; a clique is work."""
    asked = []
    monkeypatch.setattr(watched, "threads_for", lambda jobs: asked.append(jobs) or 1)
    half = np.arange(160)
    block = lg.Graph.from_edges(
        half.repeat(160), np.tile(half + 160, 160), directed=False, backend="cpu"
    )
    clique = lg.Graph.from_edges(*np.triu_indices(320, 1), directed=False, backend="cpu")
    assert lg.triangle_count(block) == 0
    assert lg.triangle_count(clique) == 320 * 319 * 318 // 6
    assert asked == [1, 6]


COUNT = """
import os, sys
if sys.argv[1] == "first": os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import lagraph_gpu as lg
lg.Vector("FP64", 3, backend="cpu")
if sys.argv[1] == "later": os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import graphblas
from lagraph_gpu.planning.threads import threads_for
print(graphblas.ss.config["nthreads"], threads_for(1000))
"""


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system has no affinity")
def test_how_many_threads() -> None:
    """Of statements and of loops, after the processors were restricted before or after SuiteSparse
    was loaded, or its threads by OpenMP's own variable."""
    every = len(os.sched_getaffinity(0))
    right = {"first": (1, 1), "later": (every, 1), "never": (every, every), "omp": (3, every)}
    base = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    begun = {}
    for when in right:
        command = [sys.executable, "-c", COUNT, when]
        environment = base | {"OMP_NUM_THREADS": "3"} if when == "omp" else base
        begun[when] = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    told = {when: tuple(map(int, one.communicate()[0].split())) for when, one in begun.items()}
    assert told == right


def test_few_results_wait_to_be_taken() -> None:
    """However slow the one who takes them is."""
    done: list[int] = []
    taken = 0

    def work(k: int, watch: Any) -> int:
        done.append(k)
        return k

    for job in shared_out(work, range(200), 3):
        assert job == taken
        taken += 1
        time.sleep(0.001)
        assert len(done) <= taken + 2 * 3 + 3
    assert taken == 200


@pytest.mark.parametrize(
    ("seconds", "size", "here"), [(0.0, 9, 30), (0.001, 9, 1), (0.0, 1 << 22, 0)]
)
def test_what_takes_little_is_done_without_threads(seconds: float, size: int, here: int) -> None:
    """As the first job shows; where there may be much to do, it is not waited for."""
    by: list[int] = []

    def work(k: int, watch: Any) -> int:
        by.append(threading.get_ident())
        if seconds:
            time.sleep(seconds)
        return k

    assert list(shared_out(work, range(30), 3, size)) == list(range(30))
    assert by.count(threading.get_ident()) == here


def test_an_error_stops_what_is_shared_out() -> None:
    done: list[int] = []

    def work(k: int, watch: Any) -> int:
        done.append(k)
        return 1 // (k - 5)

    with pytest.raises(ZeroDivisionError):
        list(shared_out(work, range(200), 3))
    assert len(done) < 20


FAULTS = """
import resource
import lagraph_gpu as lg

G = lg.grid(250, 250, backend="cpu")
new = []
for _ in range(6):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    lg.bfs(G, sources=range(0, G.n, G.n // 16))
    new.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
print(min(new[2:]))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="of the C library of GNU")
@pytest.mark.parametrize(("kept", "taken_again"), [(None, True), (1 << 20, False)])
def test_memory_that_was_freed_is_used_again(kept: int | None, taken_again: bool) -> None:
    """The results of 16 searches lie on 4,000 pages; a user may have them given back."""
    asked = {} if kept is None else {"MALLOC_TRIM_THRESHOLD_": str(kept)}
    ended = subprocess.run(
        [sys.executable, "-c", FAULTS], env=os.environ | asked, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert (int(ended.stdout) < 400) is taken_again
