"""The diameter of a connected graph with a single cycle, in edges.

Trees hang at the vertices of the cycle. A longest shortest path either stays in one tree, or leads
from the deepest vertex of one tree, whose height is h(i), over the cycle to that of another. If the
trees are numbered along the cycle of length l, twice round, the second kind has the length

    max { (h(i) − i) + (h(j) + j) : i < j ≤ i + l / 2 },

a maximum over a sliding window. The longest path within a tree leads to a deepest vertex of it, and
one search from one of these in each tree finds how far. O(n) in all.

van Herk: A fast algorithm for local minimum and maximum filters on rectangular and octagonal
kernels, Pattern Recognition Letters 13 (1992), for the window.
"""

from __future__ import annotations

import numpy as np

from lagraph_gpu.algorithms.structure.k_core import core_number
from lagraph_gpu.closure import closure_with_rounds
from lagraph_gpu.graph import Graph
from lagraph_gpu.notation import Matrix, Vector
from semirings import any_first, any_pair


def has_one_cycle(G: Graph) -> bool:
    """Whether a connected undirected graph has exactly one cycle, and no loop."""
    return G.nloops == 0 and G.nedges == G.n


def diameter_with_one_cycle(G: Graph) -> int:
    """The largest distance in edges in a connected undirected graph that `has_one_cycle`."""
    n = G.n
    on_cycle = core_number(G).to_dense() == 2
    cycle = np.flatnonzero(on_cycle)
    row, column, _ = G.A.to_coo()
    along = on_cycle[row] & on_cycle[column]
    between = row[~along], column[~along]
    trees = Matrix.from_coo(*between, True, nrows=n, ncols=n, backend=G.backend)
    start = Vector.from_coo(cycle, cycle, size=n, backend=G.backend)
    roots, levels = closure_with_rounds(start, trees, any_first)
    root, depth = roots.to_dense(), levels.to_dense()
    by_tree = np.lexsort((depth, root))
    deepest = by_tree[np.append(np.flatnonzero(np.diff(root[by_tree])), n - 1)]
    start = Vector.from_coo(deepest, True, size=n, backend=G.backend)
    within = closure_with_rounds(start, trees, any_pair)[1].reduce("max").new().value
    height = depth[deepest]  # of the trees in the order of `cycle`
    ends = np.searchsorted(cycle, column[along])[np.argsort(row[along], kind="stable")]
    return max(within, _over_cycle(height[_walk(ends.reshape(-1, 2))]))


def _walk(neighbours: np.ndarray) -> np.ndarray:
    """The vertices of a cycle in its order, from the two neighbours of each."""
    one, other = neighbours.T.tolist()
    path, before = [0], other[0]
    for _ in range(len(one) - 1):
        here = path[-1]
        path.append(other[here] if one[here] == before else one[here])
        before = here
    return np.array(path)


def _over_cycle(height: np.ndarray) -> int:
    """The largest of h(i) + h(j) and the way from i to j, over pairs of places on a cycle."""
    turns, reach = np.tile(height.astype(np.int64), 2), height.size // 2
    place = np.arange(turns.size)
    ahead = _window_maxima(turns + place, reach)[1 : height.size + 1]
    return int((height - place[: height.size] + ahead).max())


def _window_maxima(x: np.ndarray, width: int) -> np.ndarray:
    """The maximum of so many numbers from each place on, as far as there are so many."""
    blocks = np.pad(x, (0, -x.size % width), mode="edge").reshape(-1, width)
    before = np.maximum.accumulate(blocks, axis=1).ravel()
    behind = np.maximum.accumulate(blocks[:, ::-1], axis=1)[:, ::-1].ravel()
    count = x.size - width + 1
    return np.maximum(behind[:count], before[width - 1 : width - 1 + count])
