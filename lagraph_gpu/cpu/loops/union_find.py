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

import numpy as np

from lagraph_gpu.cpu.loops.compiled import compiled, watched
from lagraph_gpu.cpu.statements.containers import as_matrix, as_vector, full
from lagraph_gpu.cpu.statements.products import CpuMatrix, HostRows
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import FP64, INT64

EACH = 2
"""The number of edges of each vertex that join trees first."""

EXACT = 2**53
"""Up to this number FP64 holds whole numbers exactly."""
ROUND_LOOKS = 4
"""The time of an edge in the rounds of a spanning forest, as a multiple of reading it."""

SAMPLE = 1024
"""The number of vertices in the sample that finds the largest tree."""


def component_labels(A: Matrix) -> Vector:
    """Lowers ``component_labels`` by union-find, O(m α(n))."""
    label = np.arange(A.nrows, dtype=INT64)
    begins, columns = A._store.arrays()[:2]
    watched(components, begins, columns, label, work=begins.size + columns.size)
    return as_vector(A, full(label))


def spanning_forest_edges(A: Matrix, best: str) -> Matrix:
    """Lowers ``spanning_forest_edges`` by Borůvka's algorithm, O(m log n); where all weights are
    the same, by joining one edge after another."""
    begins, columns, values = A._store.arrays()
    chosen = np.zeros(columns.size, np.bool_)
    if values.size < columns.size:
        watched(first_edges, begins, columns, chosen, work=columns.size, total=A.nrows)
    else:
        order, work = comparable(values), ROUND_LOOKS * columns.size
        watched(forest, begins, columns, order, best == "max", chosen, work=work, total=A.nrows)
    offsets, kept = chosen_rows(begins, columns, chosen)
    held = values[chosen] if values.size == columns.size else values[: kept.size]
    return as_matrix(A, CpuMatrix(HostRows(offsets, kept, held, A.ncols), symmetric=True))


def comparable(values: np.ndarray) -> np.ndarray:
    """The same order in FP64, so that one compiled loop does for all types, unless integers of 64
    bits are too large for it."""
    exact = values.dtype.itemsize < FP64.itemsize or values.dtype.kind == "f"
    if exact or max(int(values.max(initial=0)), -int(values.min(initial=0))) <= EXACT:
        return values.astype(FP64, copy=False)
    return values


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
def components(begins: Any, columns: Any, parent: Any, watch: Any) -> None:
    """Write the smallest vertex in the component of each vertex to ``parent``, where each is its
    own. The matrix must be symmetric."""
    n = begins.size - 1
    for v in range(n):
        if watch[0] != 0:
            return
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
def first_edges(begins: Any, columns: Any, chosen: Any, watch: Any) -> None:
    """Mark a spanning forest of equal weights: each edge, from both ends, that joins two trees."""
    n = begins.size - 1
    parent = np.arange(n)
    for u in range(n):
        watch[1] = u
        if watch[0] != 0:
            break
        for e in range(begins[u], begins[u + 1]):
            v = columns[e]
            if v > u and join(parent, u, v):
                mark(begins, columns, u, e, chosen)


@compiled
def mark(begins: Any, columns: Any, u: int, e: int, chosen: Any) -> None:
    """Mark the entry of an edge from u, and the one that leads back, which bisection finds."""
    v = columns[e]
    chosen[e], low, high = True, begins[v], begins[v + 1]
    while low < high:
        middle = (low + high) // 2
        if columns[middle] < u:
            low = middle + 1
        else:
            high = middle
    chosen[low] = True


@compiled
def forest(begins: Any, columns: Any, values: Any, heaviest: bool, chosen: Any, watch: Any) -> None:
    """Mark the edges, from both ends, of a minimum (or if ``heaviest`` maximum) spanning forest.

    The trees of a round are numbered anew, and the edges between them hold these numbers and their
    weights side by side, so that a round reads them in order.
    """
    n = begins.size - 1
    one, other = np.empty(columns.size // 2, np.int32), np.empty(columns.size // 2, np.int32)
    weight, place = np.empty(one.size, values.dtype), np.empty(one.size, np.int64)
    source, count = np.empty(one.size, np.int32), 0
    for u in range(n):
        for e in range(begins[u], begins[u + 1]):
            if columns[e] > u:
                one[count], other[count], weight[count] = u, columns[e], values[e]
                place[count], source[count] = e, u
                count += 1
    trees = n
    while count > 0 and watch[0] == 0:
        watch[1] = n - trees
        best, parent = np.full(trees, -1), np.arange(trees)
        least = np.empty(trees, values.dtype)
        for i in range(count):
            if watch[0] != 0:
                break
            w = weight[i]
            for c in (one[i], other[i]):
                if best[c] < 0 or (w > least[c] if heaviest else w < least[c]):
                    best[c], least[c] = i, w
        for c in range(trees):
            i = best[c]
            if i >= 0 and join(parent, one[i], other[i]):
                mark(begins, columns, source[i], place[i], chosen)
        number, used = best, 0
        for c in range(trees):  # a root comes before the others of its tree
            root = root_of(parent, c)
            if root == c:
                number[c], used = used, used + 1
            else:
                number[c] = number[root]
        left = 0
        for i in range(count):
            a, b = number[one[i]], number[other[i]]
            if a != b:
                one[left], other[left], weight[left] = a, b, weight[i]
                place[left], source[left] = place[i], source[i]
                left += 1
        trees, count = used, left


@compiled
def chosen_rows(begins: Any, columns: Any, chosen: Any) -> tuple[Any, Any]:
    """The row offsets and the columns of the entries that are marked."""
    offsets = np.zeros(begins.size, np.int64)
    kept, count = np.empty(np.count_nonzero(chosen), np.int32), 0
    for v in range(begins.size - 1):
        for e in range(begins[v], begins[v + 1]):
            if chosen[e]:
                kept[count] = columns[e]
                count += 1
        offsets[v + 1] = count
    return offsets, kept
