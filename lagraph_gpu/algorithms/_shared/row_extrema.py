"""One entry of each row: the best, and of several the leftmost.

GraphBLAS has no arg-max. But which entries equal their row's best is a product with a diagonal
matrix, and so is which of these stand leftmost. The result is a matrix with one entry in each row
that had any: the indicator of a choice, ready to be multiplied by. O(entries).
"""

from __future__ import annotations

from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from semirings import any_eq


def first_column(M: Matrix) -> Vector:
    """The column (INT64) of the first entry of each row."""
    return M.apply("positionj").new().reduce_rowwise("min").new()


def equal(value: Vector, M: Matrix) -> Matrix:
    """True at the entries that equal their row's ``value``; no entry elsewhere."""
    return any_eq(value.diag() @ M).new().select("==", True).new()


def without(P: Matrix, M: Matrix) -> Matrix:
    """The entries of M where P has none."""
    kept = Matrix(M.dtype, *M.shape, backend=M.backend)
    kept(~P.S) << M
    return kept
