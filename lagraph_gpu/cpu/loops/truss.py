"""Trusses on the CPU: edges in too few triangles are removed, and each takes its triangles with it.

The support of an edge, the number of triangles that it lies in, is counted once. Each edge leads to
its end of higher degree (or of lower id), so that no list of neighbours is longer than √(2m), and a
triangle is found once, O(m^1.5). Then every edge of too little support is removed: of each triangle
in which it still is, the other two edges lose one of their support. A triangle is looked for from
the edge's end of lower degree, while the neighbours of the other end are marked: all removals are
O(m^1.5) too, as the sum over all edges of the lower degree (Chiba and Nishizeki 1985).

The code is compiled when it is first called and stored on the disk.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from lagraph_gpu.cpu.loops.compiled import compiled, shared_out, threads_for, watched
from lagraph_gpu.cpu.statements.containers import as_matrix
from lagraph_gpu.cpu.statements.products import CpuMatrix, HostRows
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix

JOB = 1 << 16
"""The number of entries that is worth another thread."""

LOOKS = 16
"""How often an entry is read at least, roughly, where triangles are looked for."""


def truss(G: Graph, least: int) -> Matrix:
    """Lowers ``truss``, by threads that count the triangles of ranges of vertices."""
    begins, columns, _ = G.neighbours._store.arrays()
    ends, low, high, number = numbered(begins, columns)
    threads = threads_for(1 + columns.size // JOB)
    work = np.cumsum(np.diff(ends) ** 2, dtype=np.float64)
    shares = np.linspace(0, work[-1] if work.size else 0, threads + 1)[1:-1]
    cuts = [0, *np.searchsorted(work, shares).tolist(), work.size]
    size = LOOKS * columns.size
    parts = shared_out(
        lambda cut, watch: supports(ends, high, *cut, watch), pairwise(cuts), threads, size
    )
    kept = watched(
        remaining, begins, columns, number, low, high, sum(parts), least, work=size
    )[number]  # fmt: skip
    rests = np.concatenate(([0], np.cumsum(kept)))[begins]
    rows = HostRows(rests, columns[kept], np.ones(min(1, rests[-1]), np.bool_), work.size)
    return as_matrix(G, CpuMatrix(rows, symmetric=True))


@compiled
def numbered(begins: Any, columns: Any) -> tuple[Any, Any, Any, Any]:
    """The edges in rows, each in that of its end of lower degree: row offsets, that end, the other;
    and the number of the edge of each entry."""
    n, m = begins.size - 1, columns.size // 2
    ends, after = np.zeros(n + 1, np.int64), begins[:-1].copy()
    number = np.empty(columns.size, np.int32)
    low, high = np.empty(m, np.int32), np.empty(m, np.int32)
    for u in range(n):
        degree = begins[u + 1] - begins[u]
        for e in range(begins[u], begins[u + 1]):
            other = begins[columns[e] + 1] - begins[columns[e]]
            ends[u + 1] += other > degree or (other == degree and columns[e] < u)
    ends = np.cumsum(ends)
    free = ends[:-1].copy()
    for u in range(n):
        degree = begins[u + 1] - begins[u]
        for e in range(after[u], begins[u + 1]):  # those before lead to lower ids
            v = columns[e]
            one, other = (u, v) if begins[v + 1] - begins[v] > degree else (v, u)
            place = free[one]
            free[one] += 1
            low[place], high[place] = one, other
            number[e] = number[after[v]] = place
            after[v] += 1
    return ends, low, high, number


@compiled
def supports(ends: Any, high: Any, first: int, last: int, watch: Any) -> Any:
    """For each edge the triangles whose vertex of lowest degree is in this range."""
    support, mark = np.zeros(high.size, np.int32), np.full(ends.size - 1, np.int32(-1))
    for u in range(first, last):
        if watch[0] != 0:
            break
        for e in range(ends[u], ends[u + 1]):
            mark[high[e]] = e
        for e in range(ends[u], ends[u + 1]):
            own = 0
            for f in range(ends[high[e]], ends[high[e] + 1]):
                third = mark[high[f]]
                if third >= 0:
                    own += 1
                    support[third] += 1
                    support[f] += 1
            support[e] += own
        for e in range(ends[u], ends[u + 1]):
            mark[high[e]] = -1
    return support


@compiled
def remaining(
    begins: Any, columns: Any, number: Any, low: Any, high: Any, support: Any, least: int,
    watch: Any,
) -> Any:  # fmt: skip
    """Which edges stay when those of a support below ``least`` are removed, again and again.

    The edges to remove wait in a list at their end of higher degree, and these vertices on a stack.
    """
    n, m = begins.size - 1, support.size
    stays, mark = np.ones(m, np.bool_), np.full(n, np.int32(-1))
    first, after = np.full(n, np.int32(-1)), np.empty(m, np.int32)
    stack, size = np.empty(n, np.int32), 0
    for e in range(m):
        if support[e] == 0:
            stays[e] = False
        elif support[e] < least:
            if first[high[e]] < 0:
                stack[size] = high[e]
                size += 1
            after[e], first[high[e]] = first[high[e]], e
    while size > 0 and watch[0] == 0:
        size -= 1
        u = stack[size]
        for e in range(begins[u], begins[u + 1]):
            if stays[number[e]]:
                mark[columns[e]] = number[e]
        while first[u] >= 0:
            gone = first[u]
            first[u], stays[gone], mark[low[gone]] = after[gone], False, -1
            if support[gone] == 0:
                continue
            for f in range(begins[low[gone]], begins[low[gone] + 1]):
                side = mark[columns[f]]
                if side < 0 or not stays[number[f]]:
                    continue
                for edge in (side, number[f]):
                    support[edge] -= 1
                    if support[edge] == least - 1:
                        w = high[edge]
                        if first[w] < 0 and w != u:
                            stack[size] = w
                            size += 1
                        after[edge], first[w] = first[w], edge
        for e in range(begins[u], begins[u + 1]):
            mark[columns[e]] = -1
    return stays
