"""Strongly connected components on the CPU by one depth-first search, O(n + m).

A vertex is *open* from its first visit until its component is known. An edge to an open vertex
gives the time of that vertex's first visit, and the least such time is passed back along the
search. A vertex with no time before its own is the first of its component; the others are those
that were left open after it.

Tarjan: Depth-first search and linear graph algorithms, SIAM Journal on Computing 1 (1972). Pearce:
A space-efficient algorithm for finding strongly connected components, Information Processing
Letters 116 (2016).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.cpu.loops.compiled import compiled, watched
from lagraph_gpu.cpu.statements.containers import as_vector, full
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from semirings.types import INT64


def strong_component_labels(G: Graph) -> Vector:
    """Lowers ``strong_component_labels`` by one depth-first search, O(n + m)."""
    label = np.empty(G.A.nrows, INT64)
    begins, columns = G.A._store.arrays()[:2]
    work = begins.size + columns.size
    watched(strong, begins, columns, label, work=work, total=label.size)
    return as_vector(G, full(label))


@compiled
def strong(begins: Any, columns: Any, label: Any, watch: Any) -> None:
    """Write to ``label`` for each vertex the smallest vertex of its component.

    ``low`` is 0 before the first visit, then the least time that is known to be met, and -1 once
    the component is known. The other arrays are stacks: the way from the start, the next edge and
    the time of each vertex on it, and the vertices that were left open.
    """
    n = begins.size - 1
    low, opened = np.zeros(n, np.int32), np.empty(n, np.int32)
    way, edge, own = np.empty(n, np.int32), np.empty(n, np.int64), np.empty(n, np.int32)
    visits, count = 0, 0
    for start in range(n):
        if low[start] != 0:
            continue
        depth, new = 0, start
        while depth >= 0 and watch[0] == 0:
            if new >= 0:
                visits += 1
                watch[1] = visits
                way[depth], edge[depth] = new, begins[new]
                own[depth], low[new] = visits, visits
            u, new = np.uint32(way[depth]), -1
            least, last, e = low[u], np.uint64(begins[u + 1]), np.uint64(edge[depth])
            while e < last and new < 0:
                v = np.uint32(columns[e])
                e += np.uint64(1)
                if low[v] == 0:
                    new = np.int64(v)  # type: ignore[assignment]
                elif 0 < low[v] < least:
                    least = low[v]
            low[u] = least
            if new >= 0:
                edge[depth] = e
                depth += 1
                continue
            if least < own[depth]:
                opened[count] = u
                count += 1
            else:
                first, smallest = count, u
                while first > 0 and low[opened[first - 1]] >= least:
                    first -= 1
                    smallest = min(smallest, opened[first])
                for i in range(first, count):
                    label[opened[i]], low[opened[i]] = smallest, -1
                label[u], low[u], count = smallest, -1, first
            depth -= 1
            if depth >= 0 and 0 < low[u] < low[way[depth]]:
                low[way[depth]] = low[u]
