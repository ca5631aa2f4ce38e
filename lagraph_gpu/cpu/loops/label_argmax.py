"""The most frequent labels of neighbours on the CPU (``native/label_argmax.cpp``), once and in
rounds."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms._shared.pattern import multiplicity
from lagraph_gpu.algorithms.community.label_argmax import BestLabels
from lagraph_gpu.algorithms.community.label_propagation import FIRST_MARK
from lagraph_gpu.cpu.loops.power_iteration import MOST_ROUNDS
from lagraph_gpu.cpu.loops.rows import pattern, rows_with_values
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import CompressedRows, LabelRounds
from lagraph_gpu.cpu.statements.containers import vector_of
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import FP64, INT32, INT64

label_argmax, propagate_labels = Loop("label_argmax"), Loop("propagate_labels")


def best_labels(B: Matrix, labels: Vector) -> BestLabels | None:
    """Lowers ``label_argmax`` by adding up the votes of one row after another. None for types other
    than INT64 and FP64."""
    if B.dtype not in (INT64, FP64):
        return None
    rows, votes = rows_with_values(B._store)
    top, best = chosen(rows, votes, labels.to_dense(fill_value=-1).astype(INT32))
    known = best >= 0
    return BestLabels(vector_of(B, top, known), vector_of(B, best, known))


def propagated_labels(G: Graph, rounds: int) -> Vector | None:
    """Lowers ``propagated_labels`` by one loop. None for more rounds than it can be given."""
    if rounds > MOST_ROUNDS:
        return None
    if G.directed:
        edges, votes = rows_with_values(multiplicity(G)._store, dtype=INT64)
    else:
        edges, votes = pattern(G.neighbours._store), np.ones(1, INT64)
    labels, most = np.empty(G.n, INT64), LabelRounds(rounds, FIRST_MARK)
    work = rounds * (G.n + edges.columns.size)
    watched(propagate_labels, edges, votes, most, labels, work=work, total=rounds)
    return vector_of(G, labels)


def chosen(
    rows: CompressedRows, votes: np.ndarray, label: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The most votes for a label in each row, and the label; -1 where there are none."""
    n = label.size
    top, best = np.zeros(n, votes.dtype), np.full(n, -1, INT64)
    watched(label_argmax, rows, votes, label, top, best, work=n + rows.columns.size, total=n)
    return top, best
