"""For each vertex the label that most of its neighbours have.

With P the indicator of the labels, B ⊕.⊗ P counts the votes K(v, c) that v's neighbours of label c
have together. Each vertex takes the label with the most, the smallest of several. The matrix of
votes may be as large as B; lowerings do without it. O(entries of B).
"""

from __future__ import annotations

from dataclasses import dataclass

from lagraph_gpu.algorithms._shared.row_extrema import equal, first_column
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.vector import Vector
from semirings import plus_first


@dataclass(frozen=True)
class Choice:
    """What each vertex would choose; no entry for one without neighbours."""

    top: Vector
    """The most votes."""
    label: Vector
    """Whose they are (INT64)."""


@operation
def label_argmax(B: Matrix, P: Matrix) -> Choice:
    """The choice of each vertex over the rows of B (n × n), P (n × n) the labels' indicator."""
    K = plus_first(B @ P).new()
    top = K.reduce_rowwise("max").new()
    return Choice(top, first_column(equal(top, K)))
