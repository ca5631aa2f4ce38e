"""Trusses on the CPU: edges in too few triangles are removed, and each takes its triangles with it
(``native/truss.cpp``).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.loops.watched import shared_by_rows, watched
from lagraph_gpu.cpu.native import Loop, failures
from lagraph_gpu.cpu.native.structs import CompressedRows, Range
from lagraph_gpu.cpu.statements.containers import as_matrix
from lagraph_gpu.cpu.statements.stores import CpuMatrix, HostRows
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix

oriented_edges, edge_supports = Loop("oriented_edges"), Loop("edge_supports")
truss_edges = Loop("truss_edges")

READS_PER_ENTRY = 16
"""How often an entry is read at least, roughly, where triangles are looked for."""


def truss(G: Graph, least: int) -> Matrix | None:
    """Lowers ``truss``, by threads that count the triangles of ranges of vertices. None if the rows
    are not symmetric, because somebody else has written to a shared matrix."""
    rows = pattern(G.neighbours._store)
    begins, columns = rows
    n, m = begins.size - 1, columns.size // 2
    ends, number = np.empty(n + 1, np.int64), np.empty(columns.size, np.int32)
    low, high = np.empty(m, np.int32), np.empty(m, np.int32)
    if oriented_edges(rows, ends, low, high, number) == failures().ASYMMETRIC:
        return None

    def supports(cut: tuple[int, int], watch: np.ndarray) -> np.ndarray:
        made = np.zeros(m, np.int32)
        edge_supports(CompressedRows(ends, high), Range(*cut), made, watch)
        return made

    support, stays = np.zeros(m, np.int32), np.ones(m, np.bool_)
    for part in shared_by_rows(supports, CompressedRows(ends, high), 2 * READS_PER_ENTRY):
        support += part
    edges = rows, least, number, low, high, support, stays
    watched(truss_edges, *edges, work=READS_PER_ENTRY * columns.size)
    kept = stays.take(number)  # where memory is short, NumPy 2.4.6 crashes in `stays[number]`
    rests = np.concatenate(([0], np.cumsum(kept)))[begins]
    left = HostRows(rests, columns[kept], np.ones(min(1, rests[-1]), np.bool_), n)
    return as_matrix(G, CpuMatrix(left, symmetric=True))
