"""Maximum matchings on the CPU.

Vertices with a single neighbour are matched with it, and removed with it, as long as there are any:
on paths and trees that is all. SciPy matches the others by the algorithm of Hopcroft and Karp,
O(m √n).

Karp, Sipser: Maximum matchings in sparse random graphs, FOCS 1981. Hopcroft, Karp: An n^5/2
algorithm for maximum matchings in bipartite graphs, SIAM Journal on Computing 2 (1973).
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import maximum_bipartite_matching

from lagraph_gpu.cpu.loops.rows import pattern
from lagraph_gpu.cpu.native import Loop, library
from lagraph_gpu.cpu.native.structs import CompressedRows
from lagraph_gpu.cpu.statements.containers import vector_of
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector

single_neighbours = Loop("single_neighbours")


def matching(G: Graph, side: Vector) -> Vector | None:
    """Lowers ``largest_matching``. None if SciPy's offsets of 32 bits are too small."""
    rows = pattern(G.neighbours._store)
    if rows.columns.size > np.iinfo(np.int32).max:
        return None
    mate = np.full(G.n, -1)
    if library() is not None:
        single_neighbours(rows, mate)
    match_the_others(rows, side.to_dense() == 0, mate)
    return vector_of(side, mate, mate >= 0)


def match_the_others(rows: CompressedRows, on_left: np.ndarray, mate: np.ndarray) -> None:
    """Match the vertices without a mate, by the matrix of their edges from left to right."""
    begins, columns = rows
    free = mate < 0
    one, other = np.flatnonzero(free & on_left), np.flatnonzero(free & ~on_left)
    kept = np.repeat(free & on_left, np.diff(begins)) & free[columns]
    before = np.append(0, np.cumsum(kept))
    if not before[-1]:
        return
    place = np.empty(mate.size, np.int32)
    place[other] = np.arange(other.size)
    ends = np.append(0, before[begins[one + 1]]).astype(np.int32)
    across = sp.csr_array(
        (np.ones(before[-1], np.bool_), place[columns[kept]], ends), shape=(one.size, other.size)
    )
    found = maximum_bipartite_matching(across, perm_type="column")
    pairs = one[found >= 0], other[found[found >= 0]]
    mate[pairs[0]], mate[pairs[1]] = pairs[1], pairs[0]
