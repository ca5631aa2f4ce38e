"""Peeling on the CPU: vertices are removed when their counter has fallen far enough, for k-cores
and topological orders.

A stack or a queue holds the vertices to remove, and each is subtracted from its neighbours'
counters once. For cores, each level begins by finding the least counter of the vertices that are
left; a vertex is left for no more levels than its own, so the time is O(n + m + sum of levels). In
a topological order the counter is the number of in-edges that are left, and the longest path to a
vertex is known when it is 0, O(n + m).

The code is compiled when it is first called and stored on the disk.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.cpu.loops.compiled import compiled, watched
from lagraph_gpu.cpu.statements.containers import as_vector, entries
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import INT64, UINT64


def peel_levels(count: Vector, A: Matrix) -> Vector | None:
    """Lowers ``peel``. None for types other than INT64."""
    counts, store = count._store, A._store
    if {count.dtype, A.dtype} != {INT64}:
        return None
    index, values = counts.to_coo()
    left, there = np.zeros(count.size, INT64), np.zeros(count.size, np.bool_)
    left[index], there[index] = values, True
    work = count.size + store.given.nvals
    watched(peel, *store.arrays(), there.copy(), left, work=work, total=count.size)
    return as_vector(count, entries(left, there))


def longest_lengths(G: Graph, hops: bool, dtype: np.dtype) -> Vector | None:
    """Lowers ``longest_lengths``. None for UINT64."""
    if dtype == UINT64:
        return None
    common = dtype if dtype.kind == "f" else INT64
    begins, columns, lengths = G.A._store.arrays(dtype=None if hops else common)
    found, known = np.zeros(G.n, common), np.zeros(G.n, np.bool_)
    steps, work = np.ones(1, common) if hops else lengths, G.n + columns.size
    known[watched(onwards, begins, columns, steps, found, work=work, total=G.n)] = True
    return as_vector(G, entries(found.astype(dtype, copy=False), known))


@compiled
def peel(begins: Any, columns: Any, amounts: Any, stays: Any, left: Any, watch: Any) -> None:
    """Replace the counters ``left`` of the vertices in ``stays`` by their levels."""
    each = 1 if amounts.size > 1 else 0
    rest = np.flatnonzero(stays)
    goes, k = np.empty(rest.size, np.int64), 0
    while rest.size > 0 and watch[0] == 0:
        k = max(k, left[rest].min())
        size = 0
        for v in rest:
            if left[v] <= k:
                stays[v], goes[size] = False, v
                size += 1
        while size > 0 and watch[0] == 0:
            watch[1] += 1
            size -= 1
            u = goes[size]
            left[u] = k
            for e in range(begins[u], begins[u + 1]):
                v = columns[e]
                if stays[v]:
                    left[v] -= amounts[e * each]
                    if left[v] <= k:
                        stays[v], goes[size] = False, v
                        size += 1
        rest = rest[stays[rest]]


@compiled
def onwards(begins: Any, columns: Any, lengths: Any, longest: Any, watch: Any) -> Any:
    """Write to ``longest``, which holds zeros, the greatest length of a path to each vertex.
    Returns the vertices in topological order, without those on cycles or behind them."""
    T, n = longest.dtype.type, longest.size
    each = 1 if lengths.size > 1 else 0
    entering, queue = np.zeros(n, np.int32), np.empty(n, np.int32)
    for v in columns:
        entering[v] += 1
    tail, head = 0, 0
    for v in range(n):
        if entering[v] == 0:
            queue[tail] = v
            tail += 1
    while head < tail and watch[0] == 0:
        watch[1] = head
        u = queue[head]
        head += 1
        for e in range(begins[u], begins[u + 1]):
            v = columns[e]
            longest[v] = max(longest[v], T(longest[u] + lengths[e * each]))
            entering[v] -= 1
            if entering[v] == 0:
                queue[tail] = v
                tail += 1
    return queue[:tail]
