"""Depth-first search on the CPU (``native/depth_first.cpp``)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.loops.small_reach import small_part
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.native.structs import CompressedRows
from lagraph_gpu.cpu.statements.containers import vector_of
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from semirings.types import INT64

depth_first = Loop("depth_first")


def orders(G: Graph, source: int | None) -> tuple[Vector, Vector, Vector]:
    """Lowers ``depth_first``."""
    if source is not None and (part := small_part(G.A._store, source)) is not None:
        discovery, parent, finish = found_from(part.rows, part.number(source))[1]
        before, known = part.vertices[parent], np.ones(parent.size, np.bool_)
        made = (part.vector(G, x, known) for x in (discovery, before, finish))
        return next(made), next(made), next(made)
    reached, found = found_from(pattern(G.A._store), -1 if source is None else source)
    if reached == G.n:
        made = (vector_of(G, x) for x in found)
    else:
        known = found[0] >= 0
        made = (vector_of(G, x, known) for x in found)
    return next(made), next(made), next(made)


def found_from(rows: CompressedRows, source: int) -> tuple[int, list[np.ndarray]]:
    """How many vertices are reached; and for each vertex its place in the order of discovery, its
    parent, and its place in the order in which vertices are left."""
    n = rows.begins.size - 1
    found = [np.empty(n, INT64) for _ in range(3)]
    return watched(depth_first, rows, source, *found, work=n + rows.columns.size, total=n), found
