"""Maximum matchings on the CPU by SciPy, which has the algorithm of Hopcroft and Karp, O(m √n).

Hopcroft, Karp: An n^5/2 algorithm for maximum matchings in bipartite graphs, SIAM Journal on
Computing 2 (1973).
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import maximum_bipartite_matching

from lagraph_gpu.cpu.statements.containers import as_vector, entries
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Vector


def matching(G: Graph, left: Vector) -> Vector | None:
    """Lowers ``largest_matching``. None if SciPy's offsets of 32 bits are too small."""
    begins, columns, _ = G.neighbours._store.arrays()
    n, (rows, _) = begins.size - 1, left._store.to_coo()
    if columns.size > np.iinfo(np.int32).max:
        return None
    on_left = np.zeros(n, np.bool_)
    on_left[rows] = True
    count = np.diff(begins)
    kept = columns[np.repeat(on_left, count)]
    ends = np.concatenate(([0], np.cumsum(np.where(on_left, count, 0)))).astype(np.int32)
    across = sp.csr_array((np.ones(kept.size, np.bool_), kept, ends), shape=(n, n))
    mate = maximum_bipartite_matching(across, perm_type="column").astype(np.int64)
    matched = np.flatnonzero(mate >= 0)
    mate[mate[matched]] = matched
    return as_vector(left, entries(mate, mate >= 0))
