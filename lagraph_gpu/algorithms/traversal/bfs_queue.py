"""The order of a queue: a breadth-first search that takes the edges of a vertex in their places.

Any parent one level nearer will do for a breadth-first tree; a queue has one order and one tree. An
edge's rank is (its vertex' position in the level) · width + its place in the row, and the least
rank over all edges into a vertex says who finds it and when: one min-plus product a level, and a
sort on the host, for no statement sorts. O(m) and O(n log n), and by statements O(n) and a wait at
each level; a CPU has a queue itself.

Moore: The shortest path through a maze (1959).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lagraph_gpu.notation.matrix import Matrix
from lagraph_gpu.notation.operation import operation
from lagraph_gpu.notation.vector import Vector
from semirings import min_plus


@operation
def bfs_queue(places: Matrix, width: int, start: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Level by level the vertices as they come out of the queue, and who found each.

    ``places`` holds for each edge its place among those that leave its vertex (INT64, from 0 and
    below ``width``). The start has found itself.

    >>> import lagraph_gpu as lg
    >>> places = lg.Matrix.from_coo([0, 0, 1, 2], [1, 2, 3, 3], [1, 0, 0, 0], nrows=4, ncols=4,
    ...                             backend="cpu")
    >>> [(level.tolist(), found_by.tolist()) for level, found_by in bfs_queue(places, 4, 0)]
    [([0], [0]), ([2, 1], [0, 0]), ([3], [2])]
    """
    n = places.nrows
    seen = Vector("BOOL", n, backend=places.backend)
    rank = Vector("INT64", n, backend=places.backend)
    level = found_by = np.array([start])
    while level.size:
        yield level, found_by
        position = np.arange(level.size) * width
        front = Vector.from_coo(level, position, size=n, backend=places.backend)
        seen(front.S) << True
        rank(~seen.S, replace=True) << min_plus(front @ places)
        found, ranks = rank.to_coo()
        by = np.argsort(ranks)
        found_by = level[ranks[by] // width]
        level = found[by]
