"""The two sides of a bipartite graph on the CPU (``native/bipartite.cpp``)."""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.loops.watched import watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import vector_of
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector
from semirings.types import INT64

two_sides = Loop("two_sides")


def has_two_sides(G: Graph) -> bool:
    """Lowers ``has_two_sides`` by searches that end with the first edge on one side."""
    return searched(G)[1]


def sides(G: Graph) -> tuple[Vector, Vector] | None:
    """Lowers ``sides`` by the same searches. None if there is a cycle of odd length: the statements
    say where."""
    side, found = searched(G)
    return (vector_of(G, side), Vector("BOOL", G.n, backend=G.backend)) if found else None


def searched(G: Graph) -> tuple[np.ndarray, bool]:
    """The side of each vertex, and whether there are two. The search counts on symmetric rows.
    A loop is a cycle of odd length, and the rows of neighbours have none."""
    side = np.empty(G.n, INT64)
    if G.directed and G.nloops:
        return side, False
    rows = pattern((G.neighbours if G.directed else G.A)._store)
    work = G.n + rows.columns.size
    return side, bool(watched(two_sides, rows, side, work=work, total=G.n))
