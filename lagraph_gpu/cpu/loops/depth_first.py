"""Depth-first search on the CPU (``native/depth_first.cpp``)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import as_vector, entries, full
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from semirings.types import INT64

depth_first = Loop("depth_first")


def orders(G: Graph, source: int | None) -> tuple[Vector, Vector, Vector]:
    """Lowers ``depth_first``."""
    rows = pattern(G.A._store)
    found = [np.empty(G.n, INT64) for _ in range(3)]
    start, work = -1 if source is None else source, G.n + rows.columns.size
    reached = watched(depth_first, rows, start, *found, work=work, total=G.n)
    if reached == G.n:
        discovery, parent, finish = (as_vector(G, full(x)) for x in found)
    else:
        known = found[0] >= 0
        discovery, parent, finish = (as_vector(G, entries(x, known)) for x in found)
    return discovery, parent, finish
