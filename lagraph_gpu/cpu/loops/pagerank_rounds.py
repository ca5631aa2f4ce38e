"""The rounds of PageRank on the CPU (``native/pagerank_rounds.cpp``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.power_iteration import FixedPoint
from lagraph_gpu.algorithms.centrality.pagerank import GoogleMatrix
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import as_vector, full, real
from lagraph_gpu.cpu.statements.products import CpuMatrix
from lagraph_gpu.notation import Vector
from lagraph_gpu.planning import trace
from lagraph_gpu.planning.direction import ROUNDS_FOR_TRANSPOSE
from lagraph_gpu.planning.threads import threads_for

ITEMS_PER_THREAD = 1 << 18
"""The number of entries and vertices that is worth another thread."""

MOST_ROUNDS = 2**63 - 1
"""The largest number that the loop can be given."""

iterate_ranks = Loop("iterate_ranks")


def pagerank_rounds(
    start: Vector, google: GoogleMatrix, bound: float | None, max_rounds: int
) -> Vector | None:
    """Lowers ``pagerank_rounds``. None if each round is asked for, or a transpose would be made
    for a few rounds."""
    store, n = google.A._store, start.size
    few = max_rounds < ROUNDS_FOR_TRANSPOSE and not store.has(True)
    if trace.asks_for_rounds() or few or n == 0 or max_rounds == 0:
        return None
    weighted, dtype = google.along.reads_right, start.dtype
    begins, columns, factors = factors_of(store, True, weighted, dtype)
    vectors = start, google.rate, google.sink, google.teleport
    x, rate, sink, anew = dense([None if v is None else v._store for v in vectors])
    rounds = FixedPoint("pagerank", start, google.A, bound, max_rounds)
    least, change = -1.0 if bound is None else bound, np.zeros(1)
    items = n + columns.size
    done = watched(
        iterate_ranks, begins, columns, factors, sink, anew, rate, x, google.whole, least,
        min(max_rounds, MOST_ROUNDS), threads_for(1 + items // ITEMS_PER_THREAD), change,
        work=items * max_rounds, total=max_rounds,
    )  # fmt: skip
    rounds.change = float(change[0])
    if bound is not None and not rounds.change <= bound:
        raise rounds.failure(done)
    return as_vector(start, full(x))


def dense(vectors: Sequence[Any]) -> list[np.ndarray]:
    """New arrays of full vectors, of the type of the first; one 0 for one that is not there."""
    dtype = vectors[0].dtype.np_type
    return [np.zeros(1, dtype) if v is None else real(v, dtype) for v in vectors]


def factors_of(
    A: CpuMatrix, transposed: bool, weighted: bool, dtype: np.dtype
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The offsets and the columns of rows, and the factor of each entry, or one for all."""
    begins, columns, values = A.arrays(transposed, dtype if weighted else None)
    return begins, columns, values if weighted else np.ones(1, dtype)
