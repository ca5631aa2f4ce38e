"""Distances on the CPU: single searches, and one for each source, for tables, closures of rows and
what paths pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import graphblas as gb
import numpy as np

from lagraph_gpu.algorithms.paths.path_lengths import Targets, answer_shape, keep
from lagraph_gpu.cpu.loops.compiled import shared_out, threads_for
from lagraph_gpu.cpu.loops.searches import (
    NOBODY,
    NOTHING,
    by_length,
    by_level,
    each_by_level,
    next_in_queue,
    passed,
)
from lagraph_gpu.cpu.statements.containers import as_vector
from lagraph_gpu.cpu.statements.products import CpuMatrix
from lagraph_gpu.generate.generators import Progress
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from lagraph_gpu.planning.direction import ALPHA_EXIT, DEEP_DEGREE
from lagraph_gpu.planning.trace import recording
from lagraph_gpu.schedule import Schedule
from semirings import types

JOB = 1 << 18
"""Entries and vertices to look at that are worth a thread of their own."""

RUN = 1 << 27
"""Entries and vertices that a run looks at, unless it is a single search: a second or two, for so
long nobody can interrupt what is compiled."""

RUNS = 64
"""A thread has no more of them, for each begins by clearing what it takes for all vertices."""

LOOKS = 8
"""Who counts paths looks at an edge about as long as so many searches by levels."""

UNSEEN = np.int32(-1)


def path_lengths(
    A: Matrix, sources: np.ndarray, targets: Targets, cutoff: float | None, sums: np.dtype | None,
    dtype: np.dtype, schedule: Schedule | None = None, progress: Progress | None = None,
) -> np.ndarray:  # fmt: skip
    """By searches that threads share, with sums in the type of the table."""
    limit = np.inf if cutoff is None else cutoff
    return table(A._store, False, sources, targets, limit, sums is None, dtype, progress)


def table(
    store: CpuMatrix, transposed: bool, sources: np.ndarray, targets: Targets, limit: float,
    hops: bool, dtype: np.dtype, progress: Progress | None = None,
) -> np.ndarray:  # fmt: skip
    """The same of a store."""
    result = np.empty(answer_shape(sources.size, store.A.nrows, targets), dtype)

    def one(i: int) -> int:
        source = sources[i : i + 1]
        if hops:
            level = Levels(store, transposed, source, limit).level
            row = np.where(level == UNSEEN, np.inf, level)
        else:
            row = distances(store, transposed, source, limit, dtype)
        keep(row[np.newaxis], i, targets, result)
        return i + 1

    store.arrays(transposed, None if hops else dtype)  # before threads ask for it
    if hops:
        backwards(store, transposed, often=sources.size > 1)
    threads = threads_of(store, sources.size)
    for done in shared_out(one, range(sources.size), threads):
        if progress is not None:
            progress(done, sources.size)
    return result


def threads_of(store: CpuMatrix, searches: int) -> int:
    """How many threads so many searches are worth."""
    return threads_for(1 + searches * (store.A.nrows + store.A.nvals) // JOB)


def in_runs(
    store: CpuMatrix, searches: int, some: Callable[[int, int], Any], looks: int = 1
) -> Iterator[Any]:
    """What ``some`` makes of searches from one number up to another: a run for each thread, or
    several where that would be more than a RUN."""
    threads = min(searches, threads_of(store, searches))
    longest = max(1, RUN // (looks * (1 + store.A.nrows + store.A.nvals)))
    runs = min(searches, threads * min(RUNS, -(-searches // (threads * longest))))
    cuts = np.linspace(0, searches, runs + 1).astype(np.int64).tolist()
    return shared_out(lambda k: some(cuts[k], cuts[k + 1]), range(runs), threads)


class Levels:
    """A search level by level from the nearest of some sources: for each vertex the ``level``,
    UNSEEN beyond ``max_distance``, and the vertex ``before`` it (INT32); the vertices in the order
    in which they were ``reached``; and whether that was all, so that the search came to rest."""

    def __init__(
        self, store: CpuMatrix, transposed: bool, sources: np.ndarray, max_distance: float
    ) -> None:
        n = store.A.nrows
        self.level, self.before = np.full(n, UNSEEN), np.full(n, UNSEEN)
        places = *store.arrays(transposed)[:2], *backwards(store, transposed)
        out = self.level, self.before
        bound = int(min(max_distance, n))
        self.reached, self.rests = by_level(*places, ALPHA_EXIT, sources, bound, *out)


def by_level_of_rows(
    store: CpuMatrix, transposed: bool, starts: np.ndarray, sources: np.ndarray,
    max_distance: float, origins: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, bool]:  # fmt: skip
    """What ``each_by_level`` finds, by threads that take so many rows each."""
    n, rows = store.A.nrows, starts.size - 1
    places = *store.arrays(transposed)[:2], *backwards(store, transposed, often=rows > 1)

    def some(first: int, end: int) -> Any:
        mine, bound = starts[first : end + 1], int(min(max_distance, n))
        ends, *parts, rests = each_by_level(*places, ALPHA_EXIT, mine, sources, bound, origins)
        return ends, *(part.copy() for part in parts), rests  # without the room beside them

    ends, *parts, rests = zip(*in_runs(store, rows, some))
    counts = np.concatenate([np.diff(end) for end in ends])
    at, level, who = map(np.concatenate, parts)
    return np.concatenate(([0], np.cumsum(counts))), at, level, who, all(rests)


def backwards(
    store: CpuMatrix, transposed: bool, often: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """The rows of the other orientation, empty unless they are there; or, of a wide graph, if they
    have been asked for before, or will be ``often``. Of a shared matrix they might be old."""
    there, wide = store.has(not transposed), store.A.nvals > DEEP_DEGREE * store.A.nrows
    wanted = there or (wide and (store.worth_having(not transposed) or often))
    if wanted and not store.shared:
        return store.arrays(not transposed)[:2]
    return np.empty(0, np.int64), np.empty(0, np.int32)


def bfs_queue(places: Matrix, width: int, start: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """A level at a time, O(n + m) in all."""
    rows, seen = places._store.arrays(), np.zeros(places.nrows, np.bool_)
    level = found_by = np.array([start], np.int64)
    seen[start] = True
    while level.size:
        yield level, found_by
        level, found_by = next_in_queue(*rows, level, seen)


def dependencies(G: Graph, sources: np.ndarray, endpoints: bool) -> Vector | None:
    """By threads that take so many sources each; None where each round is asked for."""
    if recording():
        return None
    store = G.A._store
    n, rows = store.A.nrows, store.arrays()[:2]

    def some(first: int, end: int) -> np.ndarray:
        made = np.zeros(n)
        passed(*rows, sources[first:end], endpoints, made)
        return made

    total = sum(in_runs(store, sources.size, some, LOOKS), np.zeros(n))
    return as_vector(G, gb.Vector.from_dense(total))


def distances(
    store: CpuMatrix, transposed: bool, sources: np.ndarray, limit: float, dtype: np.dtype
) -> np.ndarray:
    """Lengths from the nearest source to each vertex, infinite beyond ``limit``, added up in this
    type: FP32 or FP64."""
    result = np.full(store.A.nrows, np.inf, dtype)
    rows, max_distance = store.arrays(transposed, dtype), types.cast(limit, dtype)
    by_length(*rows, sources, max_distance, result, NOBODY, NOTHING, 1.0)
    return result
