"""For each vertex the most frequent label among its neighbours.

With P the indicator of the labels, the entry K(v, c) of K = B ⊕.⊗ P is the number of votes that the
neighbours of v with label c have together. Each vertex takes the label with the most votes, and of
several the smallest. The matrix of votes may be as large as B; lowerings store neither it nor P.
GraphBLAS has no arg-max: a product with a diagonal matrix finds the entries that equal the best
value of their row, and a reduction of their columns the leftmost. O(entries of B).
"""

from __future__ import annotations

from dataclasses import dataclass

from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import any_eq, plus_first


@dataclass(frozen=True)
class BestLabels:
    """The best label for each vertex. Vertices without neighbours have no entry."""

    top: Vector
    """The number of votes for the best label."""
    label: Vector
    """The best label (INT64)."""


@operation
def label_argmax(B: Matrix, label: Vector) -> BestLabels:
    """For each row of B ⊕.⊗ P the largest entry and its column, for B (n × n) and the indicator P
    (n × n) of the labels, which are numbers from 0 to n − 1 (INT64).
    """
    K = plus_first(B @ label.selector()).new()
    top = K.reduce_rowwise("max").new()
    return BestLabels(top, first_column(equal(top, K)))


def first_column(M: Matrix) -> Vector:
    """The column (INT64) of the first entry of each row."""
    return M.apply("positionj").new().reduce_rowwise("min").new()


def equal(value: Vector, M: Matrix) -> Matrix:
    """True at the entries that equal the `value` of their row; no entry elsewhere."""
    return any_eq(value.diag() @ M).new().select("==", True).new()
