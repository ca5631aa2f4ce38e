"""Breadth-first search in the order of a queue, which takes the edges of a vertex by their place.

A breadth-first tree may take any parent one level closer to the source; a queue has one order and
one tree. The rank of an edge is (position of its vertex in the level) · width + (place of the edge
in the row). The smallest rank over all edges into a vertex determines its parent and its position:
one min-plus product for each level, and a sort on the host, because no statement sorts. O(m + n log
n); with the statements also O(n) and a wait for each level. The lowering on the CPU uses a queue,
and a GPU leaves the search to it.

Moore: The shortest path through a maze (1959).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lagraph_gpu.notation import Matrix, Vector
from lagraph_gpu.notation.operation import operation
from semirings import min_plus


@operation
def bfs_queue(places: Matrix, width: int, start: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each level the vertices in the order of the queue, and the parent of each.

    `places` holds for each edge its place among the edges that leave its vertex (INT64, from 0,
    below `width`). The start is its own parent.

    >>> import lagraph_gpu as lg
    >>> places = lg.Matrix.from_coo([0, 0, 1, 2], [1, 2, 3, 3], [1, 0, 0, 0], nrows=4, ncols=4,
    ...                             backend="cpu")
    >>> [(level.tolist(), found_by.tolist()) for level, found_by in bfs_queue(places, 4, 0)]
    [([0], [0]), ([2, 1], [0, 0]), ([3], [2])]
    """
    n = places.nrows
    seen = Vector("BOOL", n, backend=places.backend)
    rank = Vector("INT64", n, backend=places.backend)
    level = parents = np.array([start])
    while level.size:
        yield level, parents
        position = np.arange(level.size) * width
        frontier = Vector.from_coo(level, position, size=n, backend=places.backend)
        seen(frontier.S) << True
        rank(~seen.S, replace=True) << min_plus(frontier @ places)
        reached, ranks = rank.to_coo()
        order = np.argsort(ranks)
        parents = level[ranks[order] // width]
        level = reached[order]
