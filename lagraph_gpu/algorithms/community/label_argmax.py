"""For each vertex the most frequent label among its neighbours.

With P the indicator of the labels, the entry K(v, c) of K = B ⊕.⊗ P is the number of votes that the
neighbours of v with label c have together. Each vertex takes the label with the most votes, and of
several the smallest. The matrix of votes may be as large as B; lowerings store neither it nor P.
O(entries of B).
"""

from __future__ import annotations

from dataclasses import dataclass

from lagraph_gpu.algorithms._shared.row_extrema import equal, first_column
from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import plus_first


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
