"""Connected components and spanning forests on the CPU by union-find.

A component is a tree of parents whose root is its smallest vertex, and an edge joins two trees at
their roots. After two edges of each vertex most vertices are in one tree, and the other edges of
its vertices need not be read, because the edges of the other trees' vertices lead there as well
(Sutton, Ben-Nun, Barak: Optimizing parallel graph connectivity computation via subgraph sampling,
IPDPS 2018).

A spanning forest is computed by Borůvka's algorithm: each tree takes the best edge that leaves it
(of equal ones the first), until there is none. Edges within a tree are dropped on the way.
"""

from __future__ import annotations

from typing import Any

import graphblas as gb
import numpy as np

from lagraph_gpu.cpu.loops.compiled import compiled, watched
from lagraph_gpu.cpu.statements.containers import as_matrix, as_vector
from lagraph_gpu.cpu.statements.products import CpuMatrix
from lagraph_gpu.notation import Matrix, Vector
from semirings import types
from semirings.types import FP64

EACH = 2
"""The number of edges of each vertex that join trees first."""

ROUND_LOOKS = 4
"""The time of an edge in the rounds of a spanning forest, as a multiple of reading it."""

SAMPLE = 1024
"""The number of vertices in the sample that finds the largest tree."""


def component_labels(A: Matrix) -> Vector:
    """Lowers ``component_labels`` by union-find, O(m α(n))."""
    begins, columns = A._store.arrays()[:2]
    found = watched(components, begins, columns, work=begins.size + columns.size)
    return as_vector(A, gb.Vector.from_dense(found))


def spanning_forest_edges(A: Matrix, best: str) -> Matrix:
    """Lowers ``spanning_forest_edges`` by Borůvka's algorithm, O(m log n)."""
    begins, columns, values = A._store.arrays()
    order = values if values.itemsize == FP64.itemsize else values.astype(FP64)
    work = ROUND_LOOKS * columns.size
    row, place = watched(forest, begins, columns, order, best == "max", work=work, total=A.nrows)
    column, weight = columns[place], values[place if values.size > 1 else 0 * place]
    ends, both = np.concatenate((row, column)), np.concatenate((column, row))
    weights, n = np.concatenate((weight, weight)), A.nrows
    made = gb.Matrix.from_coo(ends, both, weights, types.name(A.dtype), nrows=n, ncols=n)
    return as_matrix(A, CpuMatrix(made, symmetric=True))


@compiled
def root_of(parent: Any, v: int) -> int:
    """The root of a vertex. The path to it is halved on the way."""
    while parent[v] != parent[parent[v]]:
        parent[v] = parent[parent[v]]
        v = parent[v]
    return parent[v]


@compiled
def join(parent: Any, u: int, v: int) -> bool:
    """Join two trees under the smaller root. Returns True if they were different."""
    a, b = root_of(parent, u), root_of(parent, v)
    parent[max(a, b)] = min(a, b)
    return a != b


@compiled
def components(begins: Any, columns: Any, watch: Any) -> Any:
    """The smallest vertex in the component of each vertex. The matrix must be symmetric."""
    n = begins.size - 1
    parent = np.arange(n)
    for v in range(n):
        if watch[0] != 0:
            return parent
        for e in range(begins[v], min(begins[v] + EACH, begins[v + 1])):
            join(parent, v, columns[e])
    giant = most_held(parent)
    for v in range(n):
        if watch[0] != 0:
            return parent
        if root_of(parent, v) != root_of(parent, giant):
            for e in range(begins[v] + EACH, begins[v + 1]):
                join(parent, v, columns[e])
    for v in range(n):
        parent[v] = root_of(parent, v)
    return parent


@compiled
def most_held(parent: Any) -> int:
    """The root of the tree that holds most of a sample; 0 if there are no vertices."""
    held, best = np.zeros(parent.size, np.int32), 0
    for v in range(0, parent.size, max(1, parent.size // SAMPLE)):
        root = root_of(parent, v)
        held[root] += 1
        if held[root] > held[best]:
            best = root
    return best


@compiled
def forest(begins: Any, columns: Any, values: Any, heaviest: bool, watch: Any) -> tuple[Any, Any]:
    """The edges of a minimum (or if ``heaviest`` maximum) spanning forest, of those above the
    diagonal: their rows, and their places among all entries."""
    n, each = begins.size - 1, 1 if values.size > 1 else 0
    row, place = np.empty(columns.size, np.int32), np.empty(columns.size, np.int64)
    count = 0
    for v in range(n):
        for e in range(begins[v], begins[v + 1]):
            if columns[e] > v:
                row[count], place[count] = v, e
                count += 1
    parent, best = np.arange(n), np.full(n, -1)
    rows, places, found = np.empty(n, np.int64), np.empty(n, np.int64), 0
    while count > 0 and watch[0] == 0:
        watch[1], left = found, 0
        for i in range(count):
            if watch[0] != 0:
                break
            a, b, w = parent[row[i]], parent[columns[place[i]]], values[place[i] * each]
            if a != b:
                row[left], place[left] = row[i], place[i]
                for c in (a, b):
                    if best[c] >= 0:
                        other = values[place[best[c]] * each]
                        if not (w > other if heaviest else w < other):
                            continue
                    best[c] = left
                left += 1
        for v in range(n):
            if best[v] >= 0:
                u, e = row[best[v]], place[best[v]]
                if join(parent, u, columns[e]):
                    rows[found], places[found] = u, e
                    found += 1
                best[v] = -1
        for v in range(n):
            parent[v] = root_of(parent, v)
        count = left
    return rows[:found], places[:found]
