"""A random walk with restart on the CPU: a round is two passes, one over the edges that enter each
vertex and one over the vertices. Threads take ranges of vertices with about as many edges each.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.power_iteration import FixedPoint
from lagraph_gpu.algorithms.centrality.pagerank import Walk
from lagraph_gpu.cpu.loops.compiled import compiled, threads_for, watched
from lagraph_gpu.cpu.statements.containers import as_vector, full
from lagraph_gpu.notation import Vector
from lagraph_gpu.planning import trace
from semirings.types import FP64

EACH = 1 << 18
"""The number of entries and vertices that is worth another thread."""

RUN = 1 << 27
"""So many entries and vertices are looked at in a call of a compiled loop, during which nobody can
interrupt it."""

FEW_ROUNDS = 8
"""With fewer rounds a transpose does not pay."""


def walked(start: Vector, walk: Walk, bound: float | None, max_rounds: int) -> Vector | None:
    """Lowers ``walked``. None if each round is asked for, or a transpose would be made for a few
    rounds."""
    store, n = walk.A._store, start.size
    few = max_rounds < FEW_ROUNDS and not store.has(True)
    if trace.recording() or trace.explaining() or few or n == 0:
        return None
    begins, columns, values = store.arrays(True, FP64 if walk.along.reads_right else None)
    factors = values if walk.along.reads_right else np.ones(1)
    rate, sink, x = map(plain, (walk.rate, walk.sink, start))
    anew = np.zeros(1) if walk.teleport is None else plain(walk.teleport)
    share, y = x * rate, np.empty(n)
    rounds = FixedPoint("pagerank", start, walk.A, bound, max_rounds)
    rows, vertices = (begins, columns, factors), (sink, anew, rate)
    least = -1.0 if bound is None else bound
    threads = threads_for(1 + (n + columns.size) // EACH)
    each = in_threads(threads, *rows, *vertices, x, share, y, walk.whole)
    some = max(1, RUN // (n + columns.size))
    done = 0
    while done < max_rounds:
        if each is None:
            most = min(some, max_rounds - done)
            operands = *rows, *vertices, x, share, y, walk.whole, least, most
            work = most * (n + columns.size)
            made, rounds.change = watched(alone, *operands, work=work, total=most)
            done += made
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
            return float(gather(begins, columns, values, share, y, *ends))

        def ended(ends: tuple[int, int]) -> float:
            return float(end_round(y, left, sink, anew, rate, x, share, *ends))

        with ThreadPoolExecutor(threads) as pool:
            while True:
                left = max(0.0, whole - sum(pool.map(gathered, ranges)))
                yield sum(pool.map(ended, ranges))

    return rounds()


def plain(v: Vector) -> np.ndarray:
    """The values in an array of their own, so that the loops meet one kind of array."""
    return np.array(v._store.to_dense(fill_value=0.0), FP64)


def shares_of(begins: np.ndarray, threads: int) -> list[tuple[int, int]]:
    """Ranges of rows with about as many entries and rows each."""
    work = begins + np.arange(begins.size)
    cuts = np.searchsorted(work, np.linspace(0, work[-1], threads + 1))
    cuts[0], cuts[-1] = 0, begins.size - 1
    return list(zip(cuts[:-1].tolist(), cuts[1:].tolist()))


@compiled
def gather(
    begins: Any, columns: Any, values: Any, share: Any, y: Any, first: int, last: int
) -> float:
    """Write to ``y``, from ``first`` to ``last``, what arrives along the edges. Returns the sum,
    which is added up in parts, so that it is as exact for many vertices as for few."""
    total, part, each = 0.0, 0.0, np.uint64(1 if values.size > 1 else 0)
    for v in range(first, last):
        t = 0.0
        for e in range(np.uint64(begins[v]), np.uint64(begins[v + 1])):
            t += share[np.uint32(columns[e])] * values[e * each]
        y[v] = t
        part += t
        if v & 1023 == 1023:
            total, part = total + part, 0.0
    return total + part


@compiled
def end_round(
    y: Any, left: float, sink: Any, anew: Any, rate: Any, x: Any, share: Any, first: int, last: int
) -> float:
    """Add the remainder, and what is added in each round, and write the ranks and what leaves each
    vertex. Returns the sum of the changes."""
    total, part, each = 0.0, 0.0, 1 if anew.size > 1 else 0
    for v in range(first, last):
        now = y[v] + left * sink[v] + anew[v * each]
        part += abs(now - x[v])
        x[v], share[v] = now, now * rate[v]
        if v & 1023 == 1023:
            total, part = total + part, 0.0
    return total + part


@compiled
def alone(
    begins: Any, columns: Any, values: Any, sink: Any, anew: Any, rate: Any, x: Any, share: Any,
    y: Any, whole: float, bound: float, most: int, watch: Any,
) -> tuple[int, float]:  # fmt: skip
    """Rounds in one thread, at most so many, until the changes of a round are at most ``bound`` or
    not finite. Returns their number, and the changes of the last."""
    n, change = x.size, np.inf
    for k in range(1, most + 1):
        watch[1] = k
        left = max(0.0, whole - gather(begins, columns, values, share, y, 0, n))
        change = end_round(y, left, sink, anew, rate, x, share, 0, n)
        if change <= bound or not np.isfinite(change) or watch[0] != 0:
            return k, change
    return most, change
