"""The rounds of PageRank on the CPU (``native/pagerank_rounds.cpp``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lagraph_gpu.algorithms._shared.power_iteration import FixedPoint
from lagraph_gpu.algorithms.centrality.pagerank import GoogleMatrix
from lagraph_gpu.cpu.loops.power_iteration import factors_of, no_rounds_for_loops, run
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import real, real_of_store, vector_of
from lagraph_gpu.notation import Vector

iterate_ranks = Loop("iterate_ranks")


def pagerank_rounds(
    start: Vector, google: GoogleMatrix, bound: float | None, max_rounds: int
) -> Vector | None:
    """Lowers ``pagerank_rounds``. None if there are ``no_rounds_for_loops``."""
    if no_rounds_for_loops(start, google.A, max_rounds):
        return None
    weighted, dtype = google.along.reads_right, start.dtype
    rows, factors = factors_of(google.A._store, True, weighted, dtype)
    vectors = start, google.rate, google.sink, google.teleport
    absent = np.zeros(1, dtype)
    x, rate, sink, anew = (absent if v is None else real(v, dtype) for v in vectors)
    rounds = FixedPoint("pagerank", start, google.A, bound, max_rounds)
    given = rows, factors, sink, anew, rate, x, google.whole
    run(rounds, start.size + rows.columns.size, iterate_ranks, *given)
    return vector_of(start, x)


def dense(vectors: Sequence[Any]) -> list[np.ndarray]:
    """New arrays of the stores of full vectors, of the type of the first; one 0 for one that is not
    there."""
    dtype = vectors[0].dtype.np_type
    return [np.zeros(1, dtype) if v is None else real_of_store(v, dtype) for v in vectors]
