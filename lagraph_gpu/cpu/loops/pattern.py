"""The pattern of a matrix on the CPU, from the arrays of its rows."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.statements.containers import as_matrix
from lagraph_gpu.cpu.statements.products import CpuMatrix, HostRows
from lagraph_gpu.notation import Matrix
from semirings.types import INT32, INT64


def pattern_without_loops(A: Matrix) -> Matrix:
    """Lowers ``pattern_without_loops``. The rows of a matrix without loops are shared, not copied:
    compiled loops read these arrays, and statements seldom follow."""
    begins, columns, _ = A._store.arrays()
    row = np.repeat(np.arange(A.nrows, dtype=INT32), np.diff(begins))
    kept = columns != row
    if not kept.all():
        before = np.concatenate([[0], np.cumsum(kept)]).astype(INT64)
        begins, columns = before[begins], columns[kept]
    true = np.ones(min(1, columns.size), np.bool_)
    return as_matrix(A, CpuMatrix(HostRows(begins, columns, true, A.ncols)))
