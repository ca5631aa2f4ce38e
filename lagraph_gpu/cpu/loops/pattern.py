"""The pattern of a matrix on the CPU, and degrees, from the arrays of its rows."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.statements.containers import as_matrix, as_vector, full
from lagraph_gpu.cpu.statements.products import CpuMatrix, HostRows
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import INT32, INT64


def pattern_without_loops(A: Matrix) -> Matrix:
    """Lowers ``pattern_without_loops``. The rows of a matrix without loops are shared, not copied:
    compiled loops read these arrays, and statements seldom follow."""
    begins, columns, _ = A._store.arrays()
    kept = ~on_diagonal(begins, columns)
    if not kept.all():
        before = np.concatenate([[0], np.cumsum(kept)]).astype(INT64)
        begins, columns = before[begins], columns[kept]
    true = np.ones(min(1, columns.size), np.bool_)
    return as_matrix(A, CpuMatrix(HostRows(begins, columns, true, A.ncols)))


def edge_ends(G: Graph) -> Vector:
    """Lowers ``edge_ends``."""
    begins, columns, _ = G.A._store.arrays()
    more = columns if G.directed else columns[on_diagonal(begins, columns)]
    count = np.diff(begins) + np.bincount(more, minlength=G.n)
    return as_vector(G, full(count.astype(INT64, copy=False)))


def on_diagonal(begins: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Whether each entry is on the diagonal."""
    rows = np.arange(begins.size - 1, dtype=INT32)
    return columns == np.repeat(rows, np.diff(begins))  # type: ignore[no-any-return]
