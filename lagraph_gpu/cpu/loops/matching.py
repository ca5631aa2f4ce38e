"""Maximum matchings on the CPU (``native/bipartite.cpp``).

Vertices with a single neighbour are matched with it, and removed with it, as long as there are any:
on paths and trees that is all. Where there are none, a vertex with few neighbours is matched with
the one that has fewest itself. Nearly all pairs are found so; the algorithm of Hopcroft and Karp,
O(m √n), makes the matching a largest one.

Karp, Sipser: Maximum matchings in sparse random graphs, FOCS 1981. Hopcroft, Karp: An n^5/2
algorithm for maximum matchings in bipartite graphs, SIAM Journal on Computing 2 (1973).
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.loops.watched import LONG_LOOP_ITEMS, unwatched, watched
from lagraph_gpu.cpu.native import Loop
from lagraph_gpu.cpu.statements.containers import vector_of
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector

greedy_pairs, augmented = Loop("greedy_pairs"), Loop("largest_matching")


def largest_matching(G: Graph, side: Vector) -> Vector:
    """Lowers ``largest_matching``."""
    rows, mate = pattern(G.neighbours._store), np.full(G.n, -1)
    greedy_pairs(rows, mate)
    work, left = G.n + rows.columns.size, side.to_dense() == 0
    phases = LONG_LOOP_ITEMS // max(work, 1)  # as many as take no longer than a short loop
    if not augmented(rows, phases, left, mate, unwatched()):
        watched(augmented, rows, G.n, left, mate, work=max(work, LONG_LOOP_ITEMS))
    return vector_of(side, mate, mate >= 0)
