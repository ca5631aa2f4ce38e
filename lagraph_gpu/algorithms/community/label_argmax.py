"""For each vertex the label that most of its neighbours have: the choice in a round of votes.

With P the indicator of the labels, B ⊕.⊗ P counts the votes K(v, c) that v's neighbours of label c
have together. Each vertex takes the label with the most, the smallest of several.

The statements below are the definition. They run on every backend; what a backend does without the
matrix of votes, which may be as large as B, must agree with them. O(entries of B).
"""

from __future__ import annotations

from dataclasses import dataclass

from lagraph_gpu.algorithms._shared.row_extrema import equal, first_column
from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.vector import Vector
from semirings import plus_first
from semirings.types import INT64


@dataclass(frozen=True)
class Choice:
    """What each vertex would choose; no entry for one without neighbours."""

    top: Vector
    """The most votes."""
    label: Vector
    """Whose they are (INT64)."""


def choice(B: Matrix, P: Matrix) -> Choice:
    """The choice of each vertex over the rows of B (n × n), P (n × n) the labels' indicator."""
    fused = B.backend.choice(B._store, P._store)
    if fused is not None:
        dtypes = B.dtype, INT64
        return Choice(*(
            Vector._stored(store, B.nrows, dtype, B.backend)
            for dtype, store in zip(dtypes, fused, strict=True)
        ))  # fmt: skip
    K = plus_first(B @ P).new()
    top = K.reduce_rowwise("max").new()
    return Choice(top, first_column(equal(top, K)))
