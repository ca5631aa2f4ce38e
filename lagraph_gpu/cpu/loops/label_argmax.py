"""The most frequent labels of neighbours on the CPU (``native/label_argmax.cpp``)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms.community.label_argmax import BestLabels
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import as_vector, entries
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import FP64, INT32, INT64

label_argmax = Loop("label_argmax")


def best_labels(B: Matrix, labels: Vector) -> BestLabels | None:
    """Lowers ``label_argmax`` by adding up the votes of one row after another. None for types other
    than INT64 and FP64."""
    if B.dtype not in (INT64, FP64):
        return None
    votes, label = B._store.arrays(), labels.to_dense(fill_value=-1).astype(INT32)
    top, best = np.zeros(B.nrows, B.dtype), np.full(B.nrows, -1, INT64)
    work = B.nrows + votes[1].size
    watched(label_argmax, *votes, label, top, best, work=work, total=B.nrows)
    known = best >= 0
    return BestLabels(as_vector(B, entries(top, known)), as_vector(B, entries(best, known)))
