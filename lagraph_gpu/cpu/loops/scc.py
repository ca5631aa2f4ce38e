"""Strong components on the CPU: one depth-first search.

A vertex is *open* from its first visit until its component is known. Whoever finds an edge back to
an open vertex learns how early that one was visited; a vertex that has learnt of none before itself
is the first of its component, and the rest of it are those that were opened since. O(n + m).

Tarjan: Depth-first search and linear graph algorithms, SIAM Journal on Computing 1 (1972).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lagraph_gpu.cpu.loops.closures import vector
from lagraph_gpu.cpu.loops.compiled import compiled
from lagraph_gpu.cpu.statements.containers import as_vector
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector

IDS = 2**31
"""Ranks count modulo that many."""


def pivots(rank: Vector, A: Matrix, induced: bool = False) -> Vector:
    """By one depth-first search, O(n + m)."""
    index, ranks = rank._store.to_coo()
    inside, value = np.zeros(rank.size, np.bool_), np.zeros(rank.size, np.int64)
    inside[index], value[index] = True, ranks % IDS
    first = strong(*A._store.arrays()[:2], inside)
    return as_vector(rank, vector(value[first], inside))


@compiled
def strong(begins: Any, columns: Any, inside: Any) -> Any:
    """For each vertex of those ``inside`` the one that is visited first of its component, along
    edges among them; -1 for others."""
    n = begins.size - 1
    first, when = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    early, edge = np.empty(n, np.int32), np.empty(n, np.int64)
    way, opened = np.empty(n, np.int32), np.empty(n, np.int32)
    visits, count = 0, 0
    for start in range(n):
        if not inside[start] or when[start] >= 0:
            continue
        way[0], depth = start, 1
        while depth > 0:
            u = way[depth - 1]
            if when[u] < 0:
                when[u] = early[u] = visits
                opened[count], edge[u] = u, begins[u]
                visits, count = visits + 1, count + 1
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
