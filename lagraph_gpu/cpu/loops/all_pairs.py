"""All shortest paths of a small graph on the CPU, by ``native/all_pairs.cpp`` or a heap for each
source."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.loops.distances import table
from lagraph_gpu.cpu.loops.sums import highest
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import as_matrix
from lagraph_gpu.cpu.statements.stores import CpuMatrix, HostRows, lengths_of_rows
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix
from semirings.types import FP64, INT32

floyd = Loop("all_lengths")

COST_OF_HEAP = 32
"""The time that a heap takes for an entry, as a multiple of the time of a sum in blocks."""

MOST_VERTICES = 1 << 13
"""In a larger graph the table may be far larger than what it holds."""


def all_lengths(G: Graph, kind: np.dtype) -> tuple[Matrix, int | None] | None:
    """Lowers ``all_lengths``, with sums of floating-point numbers. None where these would round
    integers or become infinite."""
    n, store = G.n, G.A._store
    dtype, least = kind if kind.kind == "f" else FP64, G.lightest or 0
    longest = n * max(float(G.heaviest or 0), -float(least))
    if n > MOST_VERTICES or longest > highest(kind):
        return None
    met = n
    if least >= 0 and COST_OF_HEAP * (n + store.nvals) < n * n:
        found = table(store, False, np.arange(n), None, np.inf, False, dtype)
    else:
        begins, columns, values = store.arrays(dtype=dtype)
        found = np.full((n, n), np.inf, dtype)
        found[np.repeat(np.arange(n), lengths_of_rows(begins)), columns[: begins[-1]]] = values
        np.fill_diagonal(found, np.minimum(found.diagonal(), 0))
        met = watched(floyd, n, found.reshape(-1), work=n**3, total=n)
    return as_matrix(G.A, finite_entries(found, kind)), None if met == n else met


def finite_entries(table: np.ndarray, dtype: np.dtype) -> CpuMatrix:
    """The finite numbers of a table as a matrix."""
    kept = np.isfinite(table)
    begins = np.concatenate(([0], np.cumsum(np.count_nonzero(kept, axis=1))))
    columns = np.nonzero(kept)[1].astype(INT32)
    values = table[kept].astype(dtype, copy=False)
    return CpuMatrix(HostRows(begins, columns, values, table.shape[1]))
