"""Connected components and spanning forests on the CPU by union-find
(``native/union_find.cpp``)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern, rows_with_values
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop, codes, failures
from lagraph_gpu.cpu.statements.containers import as_matrix, real, vector_of
from lagraph_gpu.cpu.statements.stores import CpuMatrix, HostRows, lengths_of_rows
from lagraph_gpu.errors import InvalidValue
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import INT32, INT64

ROUND_LOOKS = 4
"""The time of an edge in the rounds of a spanning forest, as a multiple of reading it."""

connected_components = Loop("connected_components")
boruvka, spanning_forest, marked_rows = map(Loop, ("boruvka", "spanning_forest", "marked_rows"))


def component_labels(A: Matrix) -> Vector:
    """Lowers ``component_labels`` by union-find, O(m α(n))."""
    return joined(A, symmetric=True)


def weak_component_labels(G: Graph) -> Vector:
    """Lowers ``weak_component_labels`` in the same way, along each edge in its direction alone."""
    return joined(G.A, symmetric=False)


def joined(A: Matrix, symmetric: bool) -> Vector:
    """For each vertex the smallest one that edges join with it. If each edge is there in both
    directions, it need not be read in both."""
    label = np.empty(A.nrows, INT64)
    write_labels(A._store, symmetric, label)
    return vector_of(A, label)


def write_labels(store: CpuMatrix, symmetric: bool, label: np.ndarray) -> None:
    """Write the labels of `joined` into an array."""
    rows = pattern(store)
    work = rows.begins.size + rows.columns.size
    watched(connected_components, rows, symmetric, label, work=work)


def roots(label: Vector) -> Vector:
    """Lowers ``roots``."""
    own = np.arange(label.size)
    return vector_of(label, own, real(label, INT64) == own)


def largest_class(label: Vector) -> Vector:
    """Lowers ``largest_class`` by counts of all labels."""
    of = real(label, INT64)
    members = of == np.argmax(np.bincount(of)) if of.any() else np.ones(of.size, np.bool_)
    return vector_of(label, of, members)


def spanning_forest_edges(A: Matrix, best: str) -> Matrix:
    """Lowers ``spanning_forest_edges``."""
    rows, values = rows_with_values(A._store)
    chosen = in_forest(A, best)
    offsets, kept = np.empty_like(rows.begins), np.empty(np.count_nonzero(chosen), np.int32)
    held = values if values.size < rows.columns.size else np.empty(kept.size, values.dtype)
    item = 0 if held is values else values.itemsize
    given = np.ascontiguousarray(values).view(np.uint8)
    marked_rows(rows, item, given, chosen, offsets, kept, held.view(np.uint8))
    return as_matrix(
        A, CpuMatrix(HostRows(offsets, kept, held[: kept.size], A.ncols), symmetric=True)
    )


def spanning_edges(A: Matrix, best: str) -> tuple[Vector, Vector, Vector]:
    """Lowers ``spanning_edges``, without a matrix."""
    begins, columns, values = A._store.arrays()
    rows = np.repeat(np.arange(A.nrows, dtype=INT32), lengths_of_rows(begins))
    places = np.flatnonzero(in_forest(A, best) & (rows < columns))
    weight = values[places] if values.size == columns.size else values
    weight = np.broadcast_to(weight, places.size).astype(A.dtype)
    parts = rows[places].astype(INT64), columns[places].astype(INT64), weight
    source, target, weight = (vector_of(A, part) for part in parts)
    return source, target, weight


def in_forest(A: Matrix, best: str) -> np.ndarray:
    """Which entries are the edges of a spanning forest, by Borůvka's algorithm, O(m log n); where
    all weights are the same, by joining one edge after another.

    Raises InvalidValue if the rows are not symmetric, because somebody else has written to a shared
    matrix: the statements might not end.
    """
    rows, values = rows_with_values(A._store)
    work = rows.columns.size
    chosen = np.zeros(work, np.bool_)
    if values.size < work:
        ended = watched(spanning_forest, rows, chosen, work=work, total=A.nrows)
    else:
        weighted, work = (rows, ordered(values), best == "max"), ROUND_LOOKS * work
        ended = watched(boruvka, *weighted, chosen, work=work, total=A.nrows)
    if ended == failures().ASYMMETRIC:
        raise InvalidValue("expected symmetric rows, as they were when the graph was made of them")
    return chosen


def ordered(values: np.ndarray) -> np.ndarray:
    """The values, or values in the same order, in a type that the loop has."""
    if values.dtype in codes():
        return values
    return values.astype(INT64 if values.dtype.itemsize >= 4 else INT32)
