"""Searches from one source on the CPU, from the arrays of a matrix to two vectors.

In a small graph the time of a call is that of its statements, so there are none here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.distance_types import path_type
from lagraph_gpu.cpu.loops.closures import few_entries
from lagraph_gpu.cpu.loops.distances import HEAP_LOOKS, UNSEEN, backwards, size_of
from lagraph_gpu.cpu.loops.searches import dijkstra_tree, levels_from
from lagraph_gpu.cpu.loops.sums import highest, holds, sums_fit, sums_of
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.statements.containers import entries, full
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.planning import trace
from lagraph_gpu.planning.direction import ALPHA_EXIT
from lagraph_gpu.schedule import Schedule
from semirings import min_plus, types
from semirings.types import INT32, INT64

Found = tuple[Vector, Vector]


def levels_and_parents(
    G: Graph, source: int | Matrix, bound: int | None, schedule: Schedule | None = None
) -> Found | None:
    """Lowers ``levels_and_parents`` from one vertex. None if a schedule is given, or each round is
    asked for."""
    if by_rounds(source, schedule):
        return None
    store = G.A._store
    n = store.given.nrows
    level, parent = np.empty(n, INT32), np.full(n, INT64.type(UNSEEN))
    places = *store.arrays()[:2], *backwards(store, False)
    sources = np.array((source,), INT64)
    most = n if bound is None else min(bound, n)
    search = *places, ALPHA_EXIT, sources, most, level, parent
    reached = watched(levels_from, *search, work=size_of(store), total=n)
    return pair(G, level, parent, reached, INT32)


def lengths_and_parents(
    G: Graph, source: int | Matrix, cutoff: Any, schedule: Schedule | None = None
) -> Found | None:
    """Lowers ``lengths_and_parents`` from one vertex by Dijkstra's algorithm.

    None if a schedule is given or each round is asked for, if a length is negative, if a sum could
    leave its type or FP64 would round integers, or if rounds in several threads are faster.
    """
    if by_rounds(source, schedule):
        return None
    store, dtype, given = G.A._store, path_type(G), G.A.dtype
    n = store.given.nrows
    if not (few_entries(store, n) and holds(min_plus, dtype, given)):
        return None
    least, largest = store.extremes
    if not (least >= 0 and sums_fit(dtype, least, largest, n)):
        return None
    sums = sums_of(dtype)
    distance, parent = np.full(n, np.inf, sums), np.full(n, INT64.type(UNSEEN))
    limit = sums.type(np.inf) if cutoff is None else types.cast(cutoff, sums)
    search = *store.arrays(dtype=sums), source, limit, distance, parent
    work = HEAP_LOOKS * size_of(store)
    reached = watched(dijkstra_tree, *search, work=work, total=n)
    if dtype != given and given.kind != "b":
        if distance[parent >= 0].max() > highest(given):
            return None  # the statements say what does not fit
        dtype = given
    if dtype != sums and reached < n:
        distance[parent < 0] = 0  # infinity is no integer
    return pair(G, distance, parent, reached, dtype)


def by_rounds(source: int | Matrix, schedule: Schedule | None) -> bool:
    """Whether statements are asked for: there are many sources, a schedule is given, or somebody
    wants to know of each round."""
    return isinstance(source, Matrix) or schedule is not None or trace.asks_for_rounds()


def pair(G: Graph, numbers: np.ndarray, parent: np.ndarray, reached: int, dtype: Any) -> Found:
    """The two results of a search, with entries where there is a parent."""
    numbers, before = numbers.astype(dtype, copy=False), parent.astype(INT64, copy=False)
    if reached == parent.size:
        stores = full(numbers), full(before)
    else:
        known = parent >= 0
        stores = entries(numbers, known), entries(before, known)
    n, of = parent.size, G.backend
    one, other = (
        Vector._stored(store, n, kind, of) for store, kind in zip(stores, (np.dtype(dtype), INT64))
    )
    return one, other
