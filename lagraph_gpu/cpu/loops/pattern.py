"""Parts of a matrix on the CPU, and degrees, from the arrays of its rows."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern, rows_with_values
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop, failures, library
from lagraph_gpu.cpu.native.structs import CompressedRows
from lagraph_gpu.cpu.statements.containers import as_matrix, vector_of
from lagraph_gpu.cpu.statements.stores import CpuMatrix, HostRows, lengths_of_rows
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import INT32, INT64

diagonal_entries = Loop("diagonal_entries")
submatrix_rows, joined_rows = Loop("principal_submatrix"), Loop("joined_rows")
_is_symmetric = Loop("is_symmetric")


def pattern_without_loops(A: Matrix) -> Matrix:
    """Lowers ``pattern_without_loops``. The rows of a matrix without loops are shared, not copied:
    compiled loops read these arrays, and statements seldom follow."""
    begins, columns, _ = A._store.arrays()
    if with_diagonal(begins, columns):
        kept = ~on_diagonal(begins, columns)
        before = np.concatenate([[0], np.cumsum(kept)]).astype(INT64)
        begins, columns = before[begins], columns[kept]
    true = np.ones(min(1, columns.size), np.bool_)
    return as_matrix(A, CpuMatrix(HostRows(begins, columns, true, A.ncols)))


def edges_among(vertices: Vector, A: Matrix) -> Matrix:
    """Lowers ``edges_among`` by one pass over the entries."""
    begins, columns, values = A._store.arrays()
    member = np.zeros(A.ncols, np.bool_)
    member[vertices.to_coo(values=False)[0]] = True
    kept = np.repeat(member, lengths_of_rows(begins))
    kept &= member.take(columns)
    before = np.concatenate([[0], np.cumsum(kept)]).astype(INT64)
    left = values[kept] if values.size == columns.size else values[: before[-1]]
    rows = HostRows(before[begins], columns[kept], left, A.ncols)
    return as_matrix(A, CpuMatrix(rows, symmetric=A._store.symmetric))


def principal_submatrix(A: Matrix, chosen: np.ndarray) -> Matrix | None:
    """Lowers ``principal_submatrix``. A submatrix that is the whole shares its rows."""
    if not has_rows(A._store):
        return None
    whole, values = rows_with_values(A._store)
    begins, columns = whole
    if chosen.size < A.nrows or not (chosen[1:] > chosen[:-1]).all():
        most = int((begins.take(chosen + 1) - begins.take(chosen)).sum())
        offsets, kept = np.empty(chosen.size + 1, INT64), np.empty(most, INT32)
        one_for_all = values.size < columns.size
        held = values if one_for_all else np.empty(most, values.dtype)
        item = 0 if one_for_all else values.itemsize
        given = whole, item, np.ascontiguousarray(values).view(np.uint8)
        count = submatrix_rows(*given, chosen, offsets, kept, held.view(np.uint8))
        begins, columns, values = offsets, kept[:count].copy(), held[:count].copy()
    rows = HostRows(begins, columns, values, chosen.size)
    return as_matrix(A, CpuMatrix(rows, symmetric=A._store.symmetric))


def edge_ends(G: Graph) -> Vector:
    """Lowers ``edge_ends``."""
    begins, columns, _ = G.A._store.arrays()
    count = lengths_of_rows(begins)
    if G.directed:
        count += np.bincount(columns, minlength=G.n)
    elif with_diagonal(begins, columns):
        count += np.bincount(columns[on_diagonal(begins, columns)], minlength=G.n)
    return vector_of(G, count)


def entries_on_diagonal(A: Matrix) -> int | None:
    """Lowers ``diagonal_entries``. None where the rows would have to be made."""
    return diagonal_entries(pattern(A._store)) if has_rows(A._store) else None


def is_symmetric(A: Matrix) -> bool:
    """Lowers ``is_symmetric``."""
    begins, columns, values = A._store.arrays()
    if values.dtype.kind in "fc":
        values = values + 0.0  # -0.0 is 0
    item = values.itemsize if values.size == columns.size else 0
    given = CompressedRows(begins, columns), item, np.ascontiguousarray(values).view(np.uint8)
    return bool(watched(_is_symmetric, *given, work=begins.size + columns.size))


def multiplicity(G: Graph) -> Matrix | None:
    """Lowers ``multiplicity``. None if others write to the matrix meanwhile."""
    if not G.directed:
        begins, columns, _ = G.neighbours._store.arrays()
        one = np.ones(min(columns.size, 1), INT64)
        return as_matrix(G.A, CpuMatrix(HostRows(begins, columns, one, G.n)))
    out, back = pattern(G.A._store), pattern(G.A._store, transposed=True)
    room = out.columns.size + back.columns.size + 1
    begins, columns, edges = np.empty(G.n + 1, INT64), np.empty(room, INT32), np.empty(room, INT64)
    count = joined_rows(out, back, begins, columns, edges)
    if count == failures().ASYMMETRIC:
        return None
    rows = HostRows(begins, columns[:count].copy(), edges[:count].copy(), G.n)
    return as_matrix(G.A, CpuMatrix(rows))


def degrees_of(G: Graph, vertices: np.ndarray) -> np.ndarray:
    """Lowers ``degrees_of``."""
    begins = G.A._store.arrays()[0]
    return begins.take(vertices + 1) - begins.take(vertices)


def row_lengths(A: Matrix) -> Vector | None:
    """Lowers ``row_lengths``. None where the rows would have to be made."""
    if not has_rows(A._store):
        return None
    count = lengths_of_rows(A._store.arrays()[0])
    return vector_of(A, count, count > 0)


def has_rows(store: CpuMatrix) -> bool:
    """Whether there are arrays of the rows, which are not out of date."""
    return not store.shared and (isinstance(store.given, HostRows) or (False, None) in store.lists)


def with_diagonal(begins: np.ndarray, columns: np.ndarray) -> bool:
    """Whether there are entries on the diagonal, or nobody counts them fast."""
    return library() is None or diagonal_entries(CompressedRows(begins, columns)) > 0


def on_diagonal(begins: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Whether each entry is on the diagonal."""
    rows = np.arange(begins.size - 1, dtype=INT32)
    return columns == np.repeat(rows, lengths_of_rows(begins))  # type: ignore[no-any-return]
