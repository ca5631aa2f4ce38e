"""The position of the best entry of each row; among equal entries the leftmost.

GraphBLAS has no arg-max. A product with a diagonal matrix finds the entries that equal the best
value of their row, and a reduction of their columns finds the leftmost. O(entries).
"""

from __future__ import annotations

from lagraph_gpu.notation import Matrix, Vector
from semirings import any_eq


def first_column(M: Matrix) -> Vector:
    """The column (INT64) of the first entry of each row."""
    return M.apply("positionj").new().reduce_rowwise("min").new()


def equal(value: Vector, M: Matrix) -> Matrix:
    """True at the entries that equal the `value` of their row; no entry elsewhere."""
    return any_eq(value.diag() @ M).new().select("==", True).new()
