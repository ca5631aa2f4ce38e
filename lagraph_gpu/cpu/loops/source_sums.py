"""Sums of the distances from many sources on the CPU, for each vertex or for each source, and the
largest ones: searches that go in step (``native/searches_together.cpp``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from lagraph_gpu.algorithms.centrality.distance_sums import Sums, Totals
from lagraph_gpu.cpu.loops.distances import backwards, size_of, threads_of
from lagraph_gpu.cpu.loops.watched import shared_out, watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import as_vector, entries, full
from lagraph_gpu.cpu.statements.updates import stored
from lagraph_gpu.notation import Vector
from lagraph_gpu.notation.expressions import Transposed
from lagraph_gpu.planning.closure_order import fans_out
from lagraph_gpu.planning.trace import recording
from lagraph_gpu.reporting import step
from semirings.types import FP64, INT32, INT64, UINT64

nearby_order = Loop("nearby_order")
sums_of_searches, totals_of_searches, depths_of_searches = map(
    Loop, ("sums_of_searches", "totals_of_searches", "depths_of_searches")
)

WORDS = 1, 4, 8
"""How many words of a vertex are searches: the smallest that hold them all, or the largest."""

BATCH = 512
"""The searches that go in step: as many as a line of the cache has bits."""

JOBS = 64
"""The largest number of calls of a loop, because each has sums of its own for all vertices."""


def distance_sums(A: Any, sources: np.ndarray) -> Sums | None:
    """Lowers ``distance_sums``. None if a caller asks for each round."""
    if recording():
        return None
    n = A.shape[0]

    def some(rows: tuple[Any, ...], part: np.ndarray, watch: np.ndarray) -> tuple[np.ndarray, ...]:
        made = np.zeros(n, INT64), np.zeros(n, INT64), np.zeros(n)
        sums_of_searches(*rows, part, *made, room_for(part, rows), watch)
        return made

    sums = np.zeros(n, INT64), np.zeros(n, INT64), np.zeros(n)
    for _, made in of_batches(A, sources, some):
        for whole, part in zip(sums, made, strict=True):
            whole += part
    return Sums(*(as_vector(A, full(x.astype(FP64))) for x in sums))


def source_totals(A: Any, sources: np.ndarray) -> Totals | None:
    """Lowers ``source_totals``. None if a caller asks for each round."""
    if recording():
        return None

    def some(rows: tuple[Any, ...], part: np.ndarray, watch: np.ndarray) -> tuple[np.ndarray, ...]:
        made = np.zeros(part.size, INT64), np.zeros(part.size, INT64)
        totals_of_searches(*rows, part, *made, room_for(part, rows), watch)
        return made

    totals = np.empty(sources.size), np.empty(sources.size)
    for places, made in of_batches(A, sources, some):
        for whole, part in zip(totals, made, strict=True):
            whole[places] = part
    return Totals(*(as_vector(A, full(x)) for x in totals))


def farthest_levels(A: Any, sources: np.ndarray) -> tuple[Vector, int] | None:
    """Lowers ``farthest_levels``. None if a caller asks for each round."""
    if recording():
        return None

    def some(rows: tuple[Any, ...], part: np.ndarray, watch: np.ndarray) -> tuple[np.ndarray, int]:
        depth = np.zeros(part.size, INT32)
        return depth, depths_of_searches(*rows, part, depth, room_for(part, rows), watch)

    farthest, known, reached = np.zeros(A.shape[0], INT32), np.zeros(A.shape[0], np.bool_), 0
    for places, (depth, pairs) in of_batches(A, sources, some):
        reached += pairs
        if pairs < places.size * A.shape[0]:
            break
        at = sources[places]
        farthest[at], known[at] = depth, True
    return as_vector(A, entries(farthest, known)), reached


def room_for(sources: np.ndarray, rows: tuple[Any, ...]) -> np.ndarray:
    """The words of all vertices for one batch: those reached before, in this and in the next
    round."""
    words = next((w for w in WORDS if 64 * w >= sources.size), WORDS[-1])
    return np.zeros(3 * words * (rows[0].size - 1), UINT64)


def of_batches(
    A: Any, sources: np.ndarray, some: Callable[..., Any]
) -> Iterator[tuple[np.ndarray, Any]]:
    """Some batches of searches at a time, with the places of their sources and what ``some`` makes
    of them, in order, by threads. They are the same for every number of threads, and so are sums of
    them."""
    store, transposed = stored(A), isinstance(A, Transposed)
    rows = *store.arrays(transposed)[:2], *backwards(store, transposed, often=sources.size > 1)
    order, work = np.arange(sources.size), sources.size * size_of(store)
    if sources.size > BATCH and not fans_out(store.given.nrows, store.given.nvals):
        watched(nearby_order, *rows[:2], sources, BATCH, order, work=size_of(store))
    size = BATCH * max(1, -(-sources.size // (JOBS * BATCH)))
    parts = [order[first : first + size] for first in range(0, sources.size, size)]
    threads = max(1, min(len(parts), threads_of(store, sources.size)))

    def one(places: np.ndarray, watch: np.ndarray) -> tuple[np.ndarray, Any]:
        return places, some(rows, sources[places], watch)

    for done, made in enumerate(shared_out(one, parts, threads, work)):
        step(done * size, sources.size)
        yield made
