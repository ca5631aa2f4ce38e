"""Modularity on the CPU: one pass over the edges (``native/modularity.cpp``)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms.community.modularity import scale
from lagraph_gpu.cpu.loops.rows import rows_with_values
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import as_matrix, real
from lagraph_gpu.cpu.statements.stores import CpuMatrix, HostRows
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings.types import FP64, INT32

_community_sums = Loop("community_sums")


def community_sums(G: Graph, label: Vector) -> tuple[float, float, float]:
    """Lowers ``community_sums``."""
    rows, values = rows_with_values(G.A._store, dtype=FP64)
    n, directed = G.n, G.directed
    leaving, entering, sums = np.zeros(n), np.zeros(n if directed else 0), np.zeros(2)
    given = rows, values, scale(G), not directed, real(label, INT32)
    watched(_community_sums, *given, leaving, entering, sums, work=n + rows.columns.size)
    expected = (leaving * (entering if directed else leaving)).sum()
    return float(sums[0]), float(sums[1]), float(expected)


def scaled(G: Graph) -> Matrix | None:
    """Lowers ``scaled`` for undirected graphs whose weights stay as they are, by their rows. Loops
    read these arrays, and statements seldom follow."""
    store = G.A._store
    if G.directed or store.shared or G.nloops or scale(G) != 1:
        return None
    begins, columns, values = store.arrays(dtype=FP64)
    rows = HostRows(begins, columns, values, G.n)
    return as_matrix(G.A, CpuMatrix(rows, symmetric=True))
