"""Sums of the distances from many sources on the CPU, for each vertex or for each source, and the
largest ones: searches that go in step (``native/searches_together.cpp``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from lagraph_gpu import memory
from lagraph_gpu.algorithms._shared.memory_check import fitting_rows, free_bytes
from lagraph_gpu.algorithms._shared.source_batches import BATCH_SHARE
from lagraph_gpu.algorithms.centrality.distance_sums import Sums, Totals
from lagraph_gpu.algorithms.structure.connected import expect_reached
from lagraph_gpu.cpu.loops.distances import Levels, size_of, table, threads_of
from lagraph_gpu.cpu.loops.rows import pattern, rows_for_pulls
from lagraph_gpu.cpu.loops.watched import shared_out, watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import CompressedRows, SearchesInStep, Traversal
from lagraph_gpu.cpu.statements.containers import real, vector_of
from lagraph_gpu.cpu.statements.stores import CpuMatrix, store_of
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.expressions import Transposed
from lagraph_gpu.notation.indexing import distinct
from lagraph_gpu.planning.closure_order import fans_out
from lagraph_gpu.planning.direction import ALPHA_EXIT
from lagraph_gpu.planning.many_sources import LANES, WORDS, bytes_in_step
from lagraph_gpu.planning.trace import recording
from lagraph_gpu.reporting import step
from semirings.types import FP64, INT32, INT64, UINT64

nearby_order, depth_of_search = Loop("nearby_order"), Loop("depth_of_search")
bound_eccentricities = Loop("bound_eccentricities")
sums_of_searches, totals_of_searches, depths_of_searches = map(
    Loop, ("sums_of_searches", "totals_of_searches", "depths_of_searches")
)

BATCH = LANES * WORDS[0]
"""The most searches that go in step."""

TABLE_NUMBERS = 1 << 18
"""The numbers of a table whose sums are added before the next one."""

Search = tuple[CompressedRows, CompressedRows, SearchesInStep]
"""What a loop is given before its results: rows, those of the transpose, and searches."""

JOBS = 64
"""The largest number of calls of a loop, because each has sums of its own for all vertices."""

FEW_SEARCHES, FEW_WIDE_SEARCHES = 8, 4
"""So few searches go one after another, in one job, in deep graphs (record 0226) and in those that
fan out (0268)."""

ROUNDS_APART = BATCH // (1 + WORDS[0])
"""In graphs of fewer rounds the searches of full batches share looks (see ``hardly_shared``): a
vertex has no more different distances than there are rounds."""


def distance_sums(A: Any, sources: np.ndarray) -> Sums | None:
    """Lowers ``distance_sums``. The jobs are the same for every number of threads, and so are the
    sums. None if a caller asks for each round."""
    if recording():
        return None
    n = A.shape[0]

    def some(_: int, search: Search, watch: np.ndarray) -> tuple[np.ndarray, ...]:
        made = np.zeros(n, INT64), np.zeros(n, INT64), np.zeros(n)
        sums_of_searches(*search, *made, watch)
        return made

    sums = np.zeros(n, INT64), np.zeros(n, INT64), np.zeros(n)
    for _, made in in_step(A, sources, BATCH, some):
        for whole, part in zip(sums, made, strict=True):
            whole += part
    return Sums(*(vector_of(A, x.astype(FP64)) for x in sums))


def sums_of_lengths(G: Graph, sources: np.ndarray) -> Sums | None:
    """Lowers ``sums_of_lengths``, by tables. None if a caller asks for each round, or if distances
    might become infinite."""
    if recording() or G.n * float(G.heaviest or 0) > np.finfo(FP64).max:
        return None
    n, k, store = G.n, sources.size, G.A._store
    others, farness, nearness = np.zeros(n), np.zeros(n), np.zeros(n)
    size = max(threads_of(store, k), TABLE_NUMBERS // max(1, n))
    step(0, k)
    for first in range(0, k, size):
        block = sources[first : first + size]
        others[block] -= 1  # each source reaches itself
        D = table(store, False, block, None, np.inf, False, FP64)
        known = np.inf > D
        others += np.count_nonzero(known, axis=0)
        with np.errstate(over="ignore"):
            nearness += np.divide(1.0, D, out=np.zeros(D.shape), where=D > 0).sum(axis=0)
            farness += D.sum(axis=0, where=known)
        step(min(first + size, k), k)
    return Sums(*(vector_of(G, x) for x in (others, farness, nearness)))


def source_totals(A: Any, sources: np.ndarray) -> Totals | None:
    """Lowers ``source_totals``. None if a caller asks for each round."""
    if recording():
        return None
    return Totals(*(vector_of(A, x) for x in arrays_of_totals(A, sources)))


def arrays_of_totals(A: Any, sources: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The values of ``source_totals`` in arrays."""

    def some(count: int, search: Search, watch: np.ndarray) -> tuple[np.ndarray, ...]:
        made = np.zeros(count, INT64), np.zeros(count, INT64)
        totals_of_searches(*search, *made, watch)
        return made

    totals = np.empty(sources.size), np.empty(sources.size)
    for places, made in in_step(A, sources, LANES, some):
        for whole, part in zip(totals, made, strict=True):
            whole[places] = part
    return totals


def closeness_of(A: Any, chosen: np.ndarray, wf_improved: bool) -> Vector | None:
    """Lowers ``closeness_of``. None if a caller asks for each round."""
    if recording():
        return None
    n = A.shape[0]
    close, known = np.zeros(n), np.zeros(n, np.bool_)
    close[chosen] = shares_of_nearness(*arrays_of_totals(A, chosen), n, wf_improved)
    known[chosen] = True
    return vector_of(A, close, known)


def closeness(others: Vector, farness: Vector, n: int, wf_improved: bool) -> Vector:
    """Lowers ``closeness``."""
    return vector_of(others, shares_of_nearness(real(others), real(farness), n, wf_improved))


def shares_of_nearness(count: np.ndarray, far: np.ndarray, n: int, wf_improved: bool) -> np.ndarray:
    """The values of ``closeness`` in an array."""
    with np.errstate(over="ignore"):
        value = np.divide(count, far, out=np.zeros(count.size), where=far > 0)
    if wf_improved:
        value *= count / (n - 1 or 1)
    return value


def farthest_levels(A: Any, sources: np.ndarray) -> tuple[Vector, int] | None:
    """Lowers ``farthest_levels``. None if a caller asks for each round."""
    if recording():
        return None
    n = A.shape[0]
    if sources.size == 1:
        store, transposed = store_of(A), isinstance(A, Transposed)
        both = pattern(store, transposed), rows_for_pulls(store, transposed)
        how, depth = Traversal(alpha=ALPHA_EXIT, max_level=n), np.empty(1, INT32)
        reached = watched(depth_of_search, *both, how, sources, depth, work=size_of(store))
        known = np.zeros(n, np.bool_)
        known[sources] = reached == n
        return vector_of(A, np.full(n, depth[0]), known), reached

    def some(count: int, search: Search, watch: np.ndarray) -> tuple[np.ndarray, int]:
        depth = np.zeros(count, INT32)
        return depth, depths_of_searches(*search, depth, watch)

    farthest, known, reached = np.zeros(n, INT32), np.zeros(n, np.bool_), 0
    for places, (depth, pairs) in in_step(A, sources, LANES, some):
        reached += pairs
        if pairs < places.size * n:
            break
        at = sources[places]
        farthest[at], known[at] = depth, True
    return vector_of(A, farthest, known), reached


def bounded(G: Graph, searches: int) -> tuple[int, Vector] | None:
    """Lowers ``bounded``. None if a caller asks for each round."""
    if recording():
        return None
    rows, how = pattern(G.A._store), Traversal(alpha=ALPHA_EXIT, max_level=G.n)
    upper, left, longest = np.empty(G.n, INT32), np.zeros(G.n, np.bool_), np.zeros(1, INT64)
    search = rows, how, searches, upper, left, longest
    work = searches * size_of(G.A._store)
    expect_reached(G, watched(bound_eccentricities, *search, work=work), G.n)
    return int(longest[0]), vector_of(G, upper, left)


def in_step(
    A: Any, sources: np.ndarray, least: int, some: Callable[..., Any]
) -> Iterator[tuple[np.ndarray, Any]]:
    """What ``some(count, search, watch)`` makes of so many sources at a time, with their places, in
    order, by threads. A job has ``least`` sources or more: as many as give each thread a job, but a
    batch at most, unless there would be too many jobs. A few searches go one
    after another, and so do those of a deep graph that hardly share a look."""
    store, transposed = store_of(A), isinstance(A, Transposed)
    n, k = store.nrows, sources.size
    rows = pattern(store, transposed)
    back = rows_for_pulls(store, transposed, often=k > 1)
    order = np.arange(k)
    deep = not fans_out(n, store.nvals) or takes_many_rounds(store, transposed, sources)
    few = k <= (FEW_SEARCHES if deep else FEW_WIDE_SEARCHES)
    if k > BATCH and deep:
        watched(nearby_order, rows, BATCH, sources, order, work=size_of(store))
    threads = threads_of(store, k)
    size = min(max(least, LANES * -(-k // (LANES * threads))), BATCH)
    if k > JOBS * BATCH:
        size = BATCH * -(-k // (JOBS * BATCH))
    batch, jobs = min(size, k, BATCH), max(1, min(-(-k // size), threads))
    words, fit = (0, 1) if few else fitting(A, n, batch, jobs)
    if few:
        size = FEW_SEARCHES
    elif deep and hardly_shared(store, transposed, sources[order], words):
        words, size, fit = 0, max(FEW_SEARCHES, -(-k // JOBS)), fitting(A, n, 1, threads)[1]
    parts = [order[first : first + size] for first in range(0, k, size)]

    def one(places: np.ndarray, watch: np.ndarray) -> tuple[np.ndarray, Any]:
        searches = SearchesInStep(
            sources[places], np.zeros(3 * words * n, UINT64), words, ALPHA_EXIT
        )
        return places, some(places.size, (rows, back, searches), watch)

    step(0, k)
    for done, made in enumerate(shared_out(one, parts, fit, k * size_of(store)), 1):
        step(min(done * size, k), k)
        yield made


def takes_many_rounds(store: CpuMatrix, transposed: bool, sources: np.ndarray) -> bool:
    """Whether the first search shows that a graph is deep although it has many edges for each
    vertex, such as a path beside a clique. It is asked where a full batch of searches is at hand,
    among which one more does not count."""
    if sources.size < BATCH:
        return False
    return not Levels(store, transposed, sources[:1], ROUNDS_APART).at_rest


def hardly_shared(store: CpuMatrix, transposed: bool, sources: np.ndarray, words: int) -> bool:
    """True if searches are faster one after another than in step, in batches of so many words.

    In step a vertex is read once for each of the different distances that it has from the sources
    of a batch. The distances from one vertex tell about how many these are.
    """
    distances = Levels(store, transposed, sources[:1], store.nrows).level[sources]
    batches = np.split(distances, range(LANES * words, sources.size, LANES * words))
    looks = sum(distinct(batch[batch >= 0]).size + (batch < 0).sum() for batch in batches)
    return bool(sources.size < (1 + words) * looks)


def fitting(A: Any, n: int, searches: int, threads: int) -> tuple[int, int]:
    """The words of a vertex, and how many threads there is memory for: as many words as the
    searches of a job fill, or as one thread has room for."""
    enough = min(w for w in WORDS if LANES * w >= searches)
    if BATCH_SHARE * bytes_in_step(enough) * n * threads <= memory.CHECKED_BYTES:
        return enough, threads
    free = free_bytes(A)
    for words in (w for w in WORDS if w <= enough):
        one = bytes_in_step(words) * n
        if free is None or BATCH_SHARE * one <= free:
            break
    return words, fitting_rows(A, one, BATCH_SHARE, threads)
