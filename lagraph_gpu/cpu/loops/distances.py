"""Distances on the CPU: single searches, and many searches shared by threads, for tables of
distances, closures of the rows of a matrix, and betweenness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from lagraph_gpu.algorithms.paths.path_lengths import Targets, answer_shape, columns_of, keep
from lagraph_gpu.cpu.loops.rows import pattern, rows_for_pulls, rows_with_values
from lagraph_gpu.cpu.loops.searches import (
    bfs,
    bfs_rows,
    brandes,
    dijkstra,
    fifo_level,
    length_table,
    level_table,
    room_of_rows,
)
from lagraph_gpu.cpu.loops.small_reach import Part, small_parts
from lagraph_gpu.cpu.loops.watched import shared_out, unwatched, watched
from lagraph_gpu.cpu.native.structs import NO_ROWS, SourceRows, Traversal
from lagraph_gpu.cpu.statements.containers import as_matrix, vector_of
from lagraph_gpu.cpu.statements.stores import CpuMatrix, HostRows, lengths_of_rows
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning.direction import ALPHA_EXIT
from lagraph_gpu.planning.threads import threads_for
from lagraph_gpu.planning.trace import recording
from lagraph_gpu.reporting import StepCallback
from lagraph_gpu.schedule import Schedule
from semirings import types
from semirings.types import INT32, INT64

JOB = 1 << 18
"""The number of entries and vertices to read that is worth another thread."""

JOBS_PER_THREAD = 4
"""Short searches are handed to threads together, but in so many parts."""

RUN = 1 << 27
"""The largest number of entries and vertices that one call of a compiled loop reads, unless it is a
single search: one or two seconds, after which its progress is told."""

RUNS = 64
"""The largest number of such calls for each part of the searches, because each begins by clearing
arrays of the length n."""

COST_PER_EDGE_HEAP = 8
"""The time of an edge in a search by a heap, as a multiple of its time in a breadth-first
search."""

COST_PER_EDGE_PATHS = 8
"""The time of an edge in a search that counts paths, as a multiple of its time in a breadth-first
search."""

MOST_PARTS = 32
"""The largest number of parts of the sources whose sums are added: those of a graph are the same
however many threads there are, and so is what is rounded."""

FULL_ROOM_LEVELS = 1 << 26
"""The largest table of levels for which all of the room is taken at once: 1 GiB, of which only what
is used takes memory."""

UNSEEN = np.int32(-1)


def path_lengths(
    A: Matrix, sources: np.ndarray, targets: Targets, cutoff: float | None, sums: np.dtype | None,
    dtype: np.dtype, schedule: Schedule | None = None, progress: StepCallback | None = None,
) -> np.ndarray:  # fmt: skip
    """Lowers ``path_lengths`` by searches that threads share. Sums have the type of the table."""
    limit = np.inf if cutoff is None else cutoff
    return table(A._store, False, sources, targets, limit, sums is None, dtype, progress)


def table(
    store: CpuMatrix, transposed: bool, sources: np.ndarray, targets: Targets, limit: float,
    hops: bool, dtype: np.dtype, progress: StepCallback | None = None,
) -> np.ndarray:  # fmt: skip
    """The distances from each source to the targets, by searches that threads share: in hops, or by
    a heap in the order of length. Beyond ``limit`` they are infinite."""
    result = np.empty(answer_shape(sources.size, store.nrows, targets), dtype)
    whole = targets is None and not transposed
    parts = small_parts(store, sources) if whole else [None] * sources.size

    def one(i: int, watch: np.ndarray) -> None:
        source, part = sources[i : i + 1], parts[i]
        if part is not None:
            result[i] = np.inf
            result[i, part.vertices] = of_part(part, store, int(source[0]), limit, hops, dtype)
            return
        if hops:
            level = Levels(store, transposed, source, limit, watch).level
            row = np.where(level == UNSEEN, np.inf, level)
        else:
            wanted = columns_of(targets, i)
            row = distances(store, transposed, source, limit, dtype, watch, wanted)
        keep(row[np.newaxis], i, targets, result)

    rows, lengths = rows_with_values(store, transposed, None if hops else dtype)
    wide, k = parts.count(None), sources.size  # the rows are made once, before the threads start
    in_one_call = targets is None and wide == k
    cost = size_of(store) * (1 if hops else COST_PER_EDGE_HEAP)
    threads = threads_of(store, wide)
    each = max(1, min(k // (JOBS_PER_THREAD * threads), JOB // (cost + 1)))
    if hops:
        places = rows, rows_for_pulls(store, transposed, often=k > 1)
        how = Traversal(alpha=ALPHA_EXIT, max_level=int(min(limit, store.nrows)))

    def some(first: int, watch: np.ndarray) -> int:
        end = min(first + each, k)
        if in_one_call:
            given, into = sources[first:end], result[first:end].reshape(-1)
            if hops:
                level_table(*places, how, given, into, watch)
            else:
                length_table(rows, lengths, given, types.cast(limit, dtype), into, watch)
            return end
        for i in range(first, end):
            if not watch[0]:
                one(i, watch)
        return end

    for done in shared_out(some, range(0, k, each), threads, wide * cost):
        if progress is not None:
            progress(done, k)
    return result


def of_part(
    part: Part, store: CpuMatrix, source: int, limit: float, hops: bool, dtype: np.dtype
) -> np.ndarray:
    """The distances from a source to all that it reaches, and that is little."""
    start, n = np.array((part.number(source),), INT64), part.vertices.size
    if hops:
        level, before = np.full(n, UNSEEN), np.full(n, UNSEEN)
        how = Traversal(alpha=ALPHA_EXIT, max_level=int(min(limit, n)))
        bfs(part.rows, NO_ROWS, how, start, level, before, unwatched())
        return np.where(level == UNSEEN, np.inf, level)
    found, lengths = np.full(n, np.inf, dtype), part.values(store.arrays(dtype=dtype)[2])
    nothing, limit = np.empty(0, np.int64), types.cast(limit, dtype)
    dijkstra(part.rows, lengths, start, nothing, limit, found, unwatched())
    return found


def threads_of(store: CpuMatrix, searches: int) -> int:
    """The number of threads for so many searches."""
    return threads_for(jobs_in(store, searches))


def jobs_in(store: CpuMatrix, searches: int) -> int:
    """The number of threads that so many searches are worth, however many there are."""
    return 1 + searches * size_of(store) // JOB


def size_of(store: CpuMatrix) -> int:
    """The number of vertices and entries, all of which a search may read."""
    return store.nrows + store.nvals


def in_runs(
    store: CpuMatrix, searches: int, some: Callable[[int, int, np.ndarray], Any], looks: int = 1,
    parts: int | None = None,
) -> Iterator[Any]:  # fmt: skip
    """Yield the results of ``some(first, end, watch)`` for ranges of searches, in order. There are
    as many as ``parts``, by default one for each thread, and several for each if one would read
    more than RUN."""
    threads = min(searches, threads_of(store, searches))
    longest = max(1, RUN // (looks * (1 + size_of(store))))
    parts = parts or threads
    runs = min(searches, parts * min(RUNS, -(-searches // (parts * longest))))
    cuts = [k * searches // runs for k in range(runs + 1)] if runs else [0]
    return shared_out(
        lambda k, watch: some(cuts[k], cuts[k + 1], watch),
        range(runs),
        threads,
        searches * looks * size_of(store),
    )


class Levels:
    """A breadth-first search from the nearest of several sources.

    For each vertex there are its ``level``, UNSEEN beyond ``max_distance``, and its predecessor
    ``before`` (INT32). ``reached`` lists the vertices in the order of the search, and ``at_rest``
    is True if the frontier became empty within ``max_distance`` rounds.
    """

    def __init__(
        self, store: CpuMatrix, transposed: bool, sources: np.ndarray, max_distance: float,
        watch: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        n = store.nrows
        self.level, self.before = np.full(n, UNSEEN), np.full(n, UNSEEN)
        places = pattern(store, transposed), rows_for_pulls(store, transposed)
        how = Traversal(alpha=ALPHA_EXIT, max_level=int(min(max_distance, n)))
        search = *places, how, sources, self.level, self.before
        self.reached: np.ndarray
        self.at_rest: bool
        self.reached, self.at_rest = (
            watched(bfs, *search, work=size_of(store), total=n)
            if watch is None
            else bfs(*search, watch)
        )


def by_level_of_rows(
    store: CpuMatrix, transposed: bool, starts: np.ndarray, sources: np.ndarray,
    max_distance: float, origins: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, bool]:  # fmt: skip
    """The result of ``bfs_rows``, by threads that take ranges of rows."""
    n, rows = store.nrows, starts.size - 1
    places = pattern(store, transposed), rows_for_pulls(store, transposed, often=rows > 1)
    how = Traversal(alpha=ALPHA_EXIT, max_level=int(min(max_distance, n)))
    room = room_of_rows(0)
    if rows * n <= FULL_ROOM_LEVELS:
        with suppress(MemoryError):  # of a process that may not even reserve so much
            room = room_of_rows(rows * n)

    def some(first: int, end: int, watch: np.ndarray) -> Any:
        search = *places, how, SourceRows(starts[first : end + 1], sources), origins, watch
        if room[0].size:
            return bfs_rows(*search, tuple(part[first * n : end * n] for part in room))
        ends, *parts, at_rest = bfs_rows(*search)
        parts = [part.copy() for part in parts]  # frees the larger arrays behind them
        return ends, *parts, at_rest

    jobs, threads = jobs_in(store, rows), threads_of(store, rows)
    runs = min(rows, jobs, JOBS_PER_THREAD * threads if threads > 1 else 1)
    ends, *parts, at_rest = zip(*in_runs(store, rows, some, 1, runs))
    offsets = np.concatenate(([0], np.cumsum(np.concatenate([*map(lengths_of_rows, ends)]))))
    at, level, who = (
        map(moved_together, room, parts) if room[0].size else map(np.concatenate, parts)
    )
    return offsets, at, level, who, all(at_rest)


def moved_together(room: np.ndarray, parts: Iterable[np.ndarray]) -> np.ndarray:
    """What the parts of an array hold, which lie in it in order, moved to its beginning. It is
    shared, if half of it is full."""
    end = 0
    for part in parts:
        room[end : end + part.size] = part  # NumPy leaves alone what is in its place
        end += part.size
    return room[:end] if 2 * end >= room.size else room[:end].copy()


def start_matrix(A: Any, sources: np.ndarray, value: Any, dtype: Any) -> Matrix:
    """Lowers ``start_matrix`` by rows of one entry."""
    count = sources.size
    values = np.array(value, None if dtype is None else types.lookup(dtype), ndmin=1)[:count]
    rows = HostRows(np.arange(count + 1), sources.astype(INT32), values, A.shape[0])
    return as_matrix(A, CpuMatrix(rows))


def bfs_queue(places: Matrix, width: int, start: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Lowers ``bfs_queue``: yields one level at a time, O(n + m) in all."""
    rows, order = rows_with_values(places._store, False, INT64)
    seen = np.zeros(places.nrows, np.bool_)
    level = found_by = np.array([start], np.int64)
    seen[start] = True
    while level.size:
        yield level, found_by
        level, found_by = fifo_level(rows, order, level, seen)


def dependencies(
    G: Graph, sources: np.ndarray, endpoints: bool, counts: np.ndarray
) -> Vector | None:
    """Lowers ``dependencies`` by threads that take ranges of sources. None if a caller asks for
    each round."""
    if recording():
        return None
    store = G.A._store
    n, rows = store.nrows, pattern(store)

    def some(first: int, end: int, watch: np.ndarray) -> np.ndarray:
        made = np.zeros(n)
        brandes(rows, sources[first:end], counts[first:end], endpoints, made, watch)
        return made

    parts = min(MOST_PARTS, jobs_in(store, sources.size))
    runs = in_runs(store, sources.size, some, COST_PER_EDGE_PATHS, parts)
    total = sum(runs, np.zeros(n))
    return vector_of(G, total)


def distances(
    store: CpuMatrix, transposed: bool, sources: np.ndarray, limit: float, dtype: np.dtype,
    watch: np.ndarray | None = None, targets: np.ndarray | None = None,
) -> np.ndarray:  # fmt: skip
    """The distance of each vertex from the nearest source, infinite beyond ``limit``, with sums in
    this type: FP32 or FP64. If there are targets, the search ends when theirs are known, and the
    distances of others may be too long."""
    result = np.full(store.nrows, np.inf, dtype)
    rows, max_distance = rows_with_values(store, transposed, dtype), types.cast(limit, dtype)
    wanted = np.empty(0, np.int64) if targets is None else targets
    search = *rows, sources, wanted, max_distance, result
    if watch is None:
        watched(dijkstra, *search, work=COST_PER_EDGE_HEAP * size_of(store), total=store.nrows)
    else:
        dijkstra(*search, watch)
    return result
