"""Strongly connected components on the CPU by one depth-first search, O(n + m).

A vertex is *open* from its first visit until its component is known. An edge to an open vertex
gives the time of that vertex's first visit, and the least such time is passed back along the
search. A vertex with no time before its own is the first of its component; the others are those
that were opened after it.

Tarjan: Depth-first search and linear graph algorithms, SIAM Journal on Computing 1 (1972).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.cpu.loops.closures import vector
from lagraph_gpu.cpu.loops.compiled import compiled, watched
from lagraph_gpu.cpu.statements.containers import as_vector
from lagraph_gpu.notation import Matrix, Vector

IDS = 2**31
"""Ranks are taken modulo this number."""


def pivots(rank: Vector, A: Matrix, induced: bool = False) -> Vector:
    """Lowers ``pivots`` by one depth-first search, O(n + m)."""
    index, ranks = rank._store.to_coo()
    inside, value = np.zeros(rank.size, np.bool_), np.zeros(rank.size, np.int64)
    inside[index], value[index] = True, ranks % IDS
    begins, columns = A._store.arrays()[:2]
    work = begins.size + columns.size
    first = watched(strong, begins, columns, inside, work=work, total=A.nrows)
    return as_vector(rank, vector(value[first], inside))


@compiled
def strong(begins: Any, columns: Any, inside: Any, watch: Any) -> Any:
    """For each vertex ``inside``, the vertex of its component that was visited first, along edges
    within ``inside``; -1 for other vertices."""
    n = begins.size - 1
    first, when = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    early, edge = np.empty(n, np.int32), np.empty(n, np.int64)
    way, opened = np.empty(n, np.int32), np.empty(n, np.int32)
    visits, count = 0, 0
    for start in range(n):
        if not inside[start] or when[start] >= 0:
            continue
        way[0], depth = start, 1
        while depth > 0 and watch[0] == 0:
            u = way[depth - 1]
            if when[u] < 0:
                when[u] = early[u] = visits
                opened[count], edge[u] = u, begins[u]
                visits, count = visits + 1, count + 1
                watch[1] = visits
            if edge[u] < begins[u + 1]:
                v = columns[edge[u]]
                edge[u] += 1
                if inside[v] and when[v] < 0:
                    way[depth] = v
                    depth += 1
                elif inside[v] and first[v] < 0:
                    early[u] = min(early[u], when[v])
            else:
                depth -= 1
                if depth > 0:
                    above = way[depth - 1]
                    early[above] = min(early[above], early[u])
                while early[u] == when[u] and first[u] < 0:
                    count -= 1
                    first[opened[count]] = u
    return first
