"""The rounds of PageRank on the CPU: a round is two passes, one over the edges that enter each
vertex and one over the vertices. Threads take ranges of vertices with about as many edges each.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.power_iteration import FixedPoint
from lagraph_gpu.algorithms.centrality.pagerank import GoogleMatrix
from lagraph_gpu.cpu.loops.watched import threads_for, watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import as_vector, full, real
from lagraph_gpu.notation import Vector
from lagraph_gpu.planning import trace
from semirings.types import FP64

ITEMS_PER_THREAD = 1 << 18
"""The number of entries and vertices that is worth another thread."""

RUN = 1 << 27
"""So many entries and vertices are looked at in a call of a compiled loop, during which nobody can
interrupt it."""

FEW_ROUNDS = 8
"""With fewer rounds a transpose does not pay."""

gather_ranks, update_ranks = Loop("gather_ranks"), Loop("update_ranks")
iterate_ranks = Loop("iterate_ranks")


def pagerank_rounds(
    start: Vector, google: GoogleMatrix, bound: float | None, max_rounds: int
) -> Vector | None:
    """Lowers ``pagerank_rounds``. None if each round is asked for, or a transpose would be made
    for a few rounds."""
    store, n = google.A._store, start.size
    few = max_rounds < FEW_ROUNDS and not store.has(True)
    if trace.recording() or trace.explaining() or few or n == 0:
        return None
    begins, columns, values = store.arrays(True, FP64 if google.along.reads_right else None)
    factors = values if google.along.reads_right else np.ones(1)
    rate, sink, x = (real(v._store) for v in (google.rate, google.sink, start))
    anew = np.zeros(1) if google.teleport is None else real(google.teleport._store)
    share, y = x * rate, np.empty(n)
    rounds = FixedPoint("pagerank", start, google.A, bound, max_rounds)
    rows, vertices = (begins, columns, factors), (sink, anew, rate)
    least = -1.0 if bound is None else bound
    threads = threads_for(1 + (n + columns.size) // ITEMS_PER_THREAD)
    each = in_threads(threads, *rows, *vertices, x, share, y, google.whole)
    some = max(1, RUN // (n + columns.size))
    done, change = 0, np.zeros(1)
    while done < max_rounds:
        if each is None:
            most = min(some, max_rounds - done)
            operands = *rows, *vertices, x, share, y, google.whole, least, most
            work = most * (n + columns.size)
            done += watched(iterate_ranks, *operands, change, work=work, total=most)
            rounds.change = float(change[0])
        else:
            rounds.change, done = next(each), done + 1
        if bound is not None and not np.isfinite(rounds.change):
            raise rounds.failure(done)
        if rounds.change <= least:
            break
    if bound is not None and not rounds.change <= bound:
        raise rounds.failure(max_rounds)
    return as_vector(start, full(x))


def in_threads(
    threads: int, begins: Any, columns: Any, values: Any, sink: Any, anew: Any, rate: Any, x: Any,
    share: Any, y: Any, whole: float,
) -> Iterator[float] | None:  # fmt: skip
    """Rounds that threads share, one for each number that is taken: the sum of its changes. None
    for one thread."""
    if threads == 1:
        return None

    def rounds() -> Iterator[float]:
        ranges = shares_of(begins, threads)

        def gathered(ends: tuple[int, int]) -> float:
            return summed(gather_ranks, begins, columns, values, share, y, *ends)

        def ended(ends: tuple[int, int]) -> float:
            return summed(update_ranks, y, left, sink, anew, rate, x, share, *ends)

        with ThreadPoolExecutor(threads) as pool:
            while True:
                left = max(0.0, whole - sum(pool.map(gathered, ranges)))
                yield sum(pool.map(ended, ranges))

    return rounds()


def summed(loop: Loop, *arguments: Any) -> float:
    """The sum that a loop writes to its last argument."""
    total = np.zeros(1)
    loop(*arguments, total)
    return float(total[0])


def shares_of(begins: np.ndarray, threads: int) -> list[tuple[int, int]]:
    """Ranges of rows with about as many entries and rows each."""
    work = begins + np.arange(begins.size)
    cuts = np.searchsorted(work, np.linspace(0, work[-1], threads + 1))
    cuts[0], cuts[-1] = 0, begins.size - 1
    return list(zip(cuts[:-1].tolist(), cuts[1:].tolist()))
